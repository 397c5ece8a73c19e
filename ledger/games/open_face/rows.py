"""The three rows of Open Face Chinese Poker: strength, foul, royalties, Fantasyland.

Back and middle are ordinary hands of five; the front of three has only high card, pair and three of
a kind. A front is compared with a middle by category, then rank by rank; if the front runs out of
ranks the middle is not the weaker one. Points between two players: one for each row won, more for
all three, then the difference of the royalties; a fouled set loses every row to one that stands and
has no royalties (69GAMES Pineapple, Bodování).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from msgspec import field

from ledger.games.api.cards import RANKS
from ledger.games.api.plan_table import PlanTable, wrong
from ledger.games.api.typed import Count
from ledger.games.poker.ranking import CATEGORIES, HandCategory, HandRank, best_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from ledger.games.api.cards import Card

FRONT, MIDDLE, BACK = "front", "middle", "back"
ROW_SIZES = {FRONT: 3, MIDDLE: 5, BACK: 5}
_FRONT_CATEGORIES = {
    1: HandCategory.HIGH_CARD,
    2: HandCategory.ONE_PAIR,
    3: HandCategory.THREE_OF_A_KIND,
}


@dataclass(frozen=True, order=True, slots=True)
class FrontRank:
    """Strength of a front; `ranks` are indexes in `RANKS`, those of the combination first."""

    category: HandCategory
    ranks: tuple[int, ...]

    @property
    def rank(self) -> str:
        """Rank of the pair or the three of a kind, or of the highest card."""
        return RANKS[self.ranks[0]]


class Royalties(PlanTable, frozen=True):
    """Extra points: for back and middle by category, for the front by rank of its pair or three."""

    back: dict[str, Count]
    middle: dict[str, Count]
    front_pair: dict[str, Count]
    front_three: dict[str, Count]

    def __post_init__(self) -> None:
        """Reject unknown kinds of hands and ranks."""
        for row in ("back", "middle"):
            for name in getattr(self, row):
                if name not in CATEGORIES:
                    raise wrong(f"{row}.{name}", "is not a kind of hand")
        _check_ranks("front_pair", self.front_pair)
        _check_ranks("front_three", self.front_three)


class Fantasyland(PlanTable, frozen=True):
    """Number of cards in the next hand.

    By rank of a pair in front, with any three of a kind in front, and when staying with a strong
    back.
    """

    pair: dict[str, Count] = field(name="front_pair")
    three: Count = field(name="front_three")
    stay_back: Count

    def __post_init__(self) -> None:
        """Reject unknown ranks."""
        _check_ranks("front_pair", self.pair)


@dataclass(frozen=True, slots=True)
class RowRules:
    """A plan's rules of rows.

    `equal_rows_foul`: a set whose rows are equal is fouled, the literal meaning of "weaker".
    `foul_scoops`: the opponent of a fouled set also gets the points for winning all three rows.
    """

    row: int
    scoop: int
    equal_rows_foul: bool
    foul_scoops: bool
    royalties: Royalties
    fantasyland: Fantasyland


@dataclass(frozen=True, slots=True)
class RankedSet:
    """The thirteen cards of one player, ranked."""

    front: FrontRank
    middle: HandRank
    back: HandRank
    fouled: bool
    royalties: int


def rank_set(rules: RowRules, rows: Mapping[str, Sequence[Card]]) -> RankedSet:
    """Rank a set; `rows` has the right number of different cards in each row."""
    front, middle, back = _rank_front(rows[FRONT]), best_of(rows[MIDDLE]), best_of(rows[BACK])
    fouled = _is_fouled(rules, front, middle, back)
    royalties = 0 if fouled else _royalties(rules.royalties, front, middle, back)
    return RankedSet(front, middle, back, fouled, royalties)


class PairPoints(NamedTuple):
    """Points of one player against another: for the rows, and the royalties of both."""

    rows: int
    royalties: int
    others_royalties: int

    @property
    def total(self) -> int:
        """Return the points, negative if the other player gets them."""
        return self.rows + self.royalties - self.others_royalties


def points_between(rules: RowRules, one: RankedSet, other: RankedSet) -> PairPoints:
    """Return the points of the first player against the second."""
    sweep = 3 * rules.row + (rules.scoop if rules.foul_scoops else 0)
    if one.fouled or other.fouled:
        rows = sweep * (int(other.fouled) - int(one.fouled))
    else:
        won = (
            _sign(one.front > other.front, one.front < other.front)
            + _sign(one.middle > other.middle, one.middle < other.middle)
            + _sign(one.back > other.back, one.back < other.back)
        )
        rows = won * rules.row + (rules.scoop * won // 3 if abs(won) == len(ROW_SIZES) else 0)
    return PairPoints(rows, one.royalties, other.royalties)


def fantasyland_cards(rules: Fantasyland, ranked: RankedSet, *, is_there: bool) -> int | None:
    """Return the number of cards of a player's next hand in Fantasyland; None for an ordinary hand.

    Args:
        rules: numbers of cards.
        ranked: the player's set.
        is_there: whether this hand was already played in Fantasyland, where a pair is not enough.

    """
    if ranked.fouled:
        return None
    if ranked.front.category is HandCategory.THREE_OF_A_KIND:
        return rules.three
    if is_there:
        return rules.stay_back if ranked.back.category >= HandCategory.FOUR_OF_A_KIND else None
    if ranked.front.category is HandCategory.ONE_PAIR:
        return rules.pair.get(ranked.front.rank)
    return None


def _rank_front(cards: Sequence[Card]) -> FrontRank:
    ranks = _ranks(cards)
    return FrontRank(_FRONT_CATEGORIES[len(cards) - len(ranks) + 1], ranks)


def _ranks(cards: Iterable[Card]) -> tuple[int, ...]:
    """Return the different ranks, the most frequent first, then the higher ones."""
    counted = Counter(RANKS.index(card.rank) for card in cards)
    return tuple(sorted(counted, key=lambda rank: (counted[rank], rank), reverse=True))


def _is_fouled(rules: RowRules, front: FrontRank, middle: HandRank, back: HandRank) -> bool:
    if rules.equal_rows_foul:
        return back <= middle or _compare_front(front, middle) >= 0
    return back < middle or _compare_front(front, middle) > 0


def _compare_front(front: FrontRank, middle: HandRank) -> int:
    """Compare a front with a middle: positive if the front is stronger."""
    if front.category != middle.category:
        return front.category - middle.category
    for ours, theirs in zip(front.ranks, _ranks(middle.cards), strict=False):
        if ours != theirs:
            return ours - theirs
    return 0


def _royalties(royalties: Royalties, front: FrontRank, middle: HandRank, back: HandRank) -> int:
    by_rank = {
        HandCategory.ONE_PAIR: royalties.front_pair,
        HandCategory.THREE_OF_A_KIND: royalties.front_three,
    }.get(front.category, {})
    return (
        royalties.back.get(back.category.name.lower(), 0)
        + royalties.middle.get(middle.category.name.lower(), 0)
        + by_rank.get(front.rank, 0)
    )


def _sign(won: bool, lost: bool) -> int:
    return int(won) - int(lost)


def _check_ranks(key: str, points: Mapping[str, int]) -> None:
    for rank in points:
        if len(rank) != 1 or rank not in RANKS:
            raise wrong(f"{key}.{rank}", f"is not a rank, one of {RANKS}")
