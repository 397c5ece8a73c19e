"""The rules in which the plans of the blackjack family differ, as data.

Each table of a plan file has its dataclass here. Where a source is silent or contradicts itself the
reading taken is one of these switches, and the plan's `readings` say so.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, TypeVar

from ledger.games.api.payouts import read_odds
from ledger.games.api.plan_reader import PlanError, Section

if TYPE_CHECKING:
    from fractions import Fraction

_CARDS_DEALT = (1, 2)


class Boxes(StrEnum):
    """How the boxes of a table are named: by number, freely, or one shared box after its player."""

    NUMBERED = "numbered"
    NAMED = "named"
    SHARED = "shared"


class InsuranceTerms(StrEnum):
    """How much may be insured.

    HALF: exactly half of the main stake, rounded down. UP_TO_HALF: any amount up to half.
    TABLE_HALVES: multiples of half the table minimum, all together up to half of the player's own
    money on the box, more than once after a paid split or double.
    """

    HALF = "half"
    UP_TO_HALF = "up_to_half"
    TABLE_HALVES = "table_halves"


@dataclass(frozen=True, kw_only=True, slots=True)
class SeatRules:
    """The table: decks in the shoe, names of the boxes, how many main wagers a box takes."""

    decks: int
    boxes: Boxes
    numbers_max: int
    mains_per_box: int


@dataclass(frozen=True, kw_only=True, slots=True)
class DealerRules:
    """The dealer's hand.

    `cards_dealt` before the players act; `pushes_on` a total that ties with every hand but a
    blackjack. Against a dealer's blackjack: does a ten up and an ace below return a doubled stake,
    and does any 21 tie?
    """

    cards_dealt: int
    draws_to: int
    pushes_on: int | None
    blackjack_returns_doubled: bool
    blackjack_ties_with_21: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class PlayRules:
    """The decisions.

    `draws_forced_to`: at this total or less a player may not stop. `stand_needed_to`: at this total
    or less a hand ends only by a decision of the player. `automatic_hits_to`: the machine or the
    supervisor draws to this total and stands above it. `automatic_win_cards`: so many cards without
    passing 21 win at once.
    """

    splits_max: int
    aces_split_again: bool
    hits_on_21: bool
    draws_forced_to: int
    stand_needed_to: int
    automatic_words: frozenset[str]
    automatic_hits_to: int
    automatic_win_cards: int | None
    automatic_win_beats_blackjack: bool
    has_even_money: bool
    has_free_bets: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class InsuranceRules:
    """Insurance against a dealer's blackjack."""

    terms: InsuranceTerms
    odds: Fraction


@dataclass(frozen=True, kw_only=True, slots=True)
class MainOdds:
    """What a main hand wins; even money pays as an ordinary win."""

    win: Fraction
    blackjack: Fraction


@dataclass(frozen=True, kw_only=True, slots=True)
class Citations:
    """The paragraph that decides each kind of line."""

    evaluation: str
    bust: str
    insurance: str
    doubled_returned: str
    automatic_win: str
    free_split: str
    free_double: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Rules:
    """All rules of one plan but its bets and limits."""

    seats: SeatRules
    dealer: DealerRules
    play: PlayRules
    insurance: InsuranceRules
    odds: MainOdds
    citations: Citations


def read_rules(section: Section) -> Rules:
    """Read the tables `seats`, `dealer`, `play`, `insurance`, `odds` and `citations`.

    Raises:
        PlanError: a field is missing, misspelt or impossible.

    """
    return Rules(
        seats=_read_seats(section.section("seats")),
        dealer=_read_dealer(section.section("dealer")),
        play=_read_play(section.section("play")),
        insurance=_read_insurance(section.section("insurance")),
        odds=_read_main_odds(section.section("odds")),
        citations=_read_citations(section.section("citations")),
    )


def _read_seats(section: Section) -> SeatRules:
    boxes = _read_word(section, "boxes", Boxes)
    seats = SeatRules(
        decks=section.integer("decks"),
        boxes=boxes,
        numbers_max=section.integer("numbers_maximum") if boxes is Boxes.NUMBERED else 0,
        mains_per_box=section.integer("main_wagers_per_box"),
    )
    section.close()
    return seats


def _read_dealer(section: Section) -> DealerRules:
    dealer = DealerRules(
        cards_dealt=section.integer("cards_dealt"),
        draws_to=section.integer("draws_to"),
        pushes_on=_optional_integer(section, "pushes_on"),
        blackjack_returns_doubled=section.flag("blackjack_returns_doubled"),
        blackjack_ties_with_21=section.flag("blackjack_ties_with_21"),
    )
    if dealer.cards_dealt not in _CARDS_DEALT:
        raise PlanError(section.place("cards_dealt"), "must be 1 or 2")
    section.close()
    return dealer


def _read_play(section: Section) -> PlayRules:
    play = PlayRules(
        splits_max=section.integer("splits_maximum"),
        aces_split_again=section.flag("aces_split_again"),
        hits_on_21=section.flag("hits_on_21"),
        draws_forced_to=_optional_integer(section, "draws_forced_to") or 0,
        stand_needed_to=_optional_integer(section, "stand_needed_to") or 0,
        automatic_words=frozenset(section.texts("automatic_words")),
        automatic_hits_to=_optional_integer(section, "automatic_hits_to") or 0,
        automatic_win_cards=_optional_integer(section, "automatic_win_cards"),
        automatic_win_beats_blackjack=section.flag("automatic_win_beats_blackjack"),
        has_even_money=section.flag("even_money"),
        has_free_bets=section.flag("free_bets"),
    )
    section.close()
    return play


def _read_insurance(section: Section) -> InsuranceRules:
    insurance = InsuranceRules(
        terms=_read_word(section, "terms", InsuranceTerms), odds=read_odds(section, "pays")
    )
    section.close()
    return insurance


def _read_main_odds(section: Section) -> MainOdds:
    odds = MainOdds(win=read_odds(section, "win"), blackjack=read_odds(section, "blackjack"))
    section.close()
    return odds


def _read_citations(section: Section) -> Citations:
    evaluation = section.text("evaluation")
    citations = Citations(
        evaluation=evaluation,
        bust=section.text("bust"),
        insurance=section.text("insurance"),
        doubled_returned=section.optional_text("doubled_returned") or evaluation,
        automatic_win=section.optional_text("automatic_win") or evaluation,
        free_split=section.optional_text("free_split") or evaluation,
        free_double=section.optional_text("free_double") or evaluation,
    )
    section.close()
    return citations


_Word = TypeVar("_Word", bound=StrEnum)


def _read_word(section: Section, key: str, words: type[_Word]) -> _Word:
    written = section.text(key)
    if written not in tuple(words):
        raise PlanError(section.place(key), f"must be one of {', '.join(words)}")
    return words(written)


def _optional_integer(section: Section, key: str) -> int | None:
    return section.integer(key) if key in section else None
