"""The facts that decided a stake, in readable form: cards as text, totals, places.

A settlement creates them from the values by which it decided.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Iterable


class ExplanationFact(Struct, frozen=True, tag_field="kind"):
    """Facts of one kind."""


class VoidFacts(ExplanationFact, frozen=True, tag="void"):
    """The ground of a void, a key of the plan's void reasons."""

    ground: str


class WonPosition(Struct, frozen=True):
    """A winning position of a bet: its kind and its numbers."""

    bet: str
    numbers: tuple[int, ...]


class SpinFacts(ExplanationFact, frozen=True, tag="spin"):
    """The number on which the ball came to rest.

    `won_on` are the winning positions of a bet with several; `next_number` is set if a chip was
    imprisoned until the next spin.
    """

    number: int
    colour: str
    won_on: tuple[WonPosition, ...] = ()
    next_number: int | None = None


class FieldFacts(ExplanationFact, frozen=True, tag="field"):
    """The field at which a wheel stopped."""

    field: str


class CoupFacts(ExplanationFact, frozen=True, tag="coup"):
    """Both hands of baccarat with their points."""

    player_cards: tuple[str, ...]
    player: int
    banker_cards: tuple[str, ...]
    banker: int


class HandFacts(ExplanationFact, frozen=True, tag="hand"):
    """A hand of blackjack and the dealer's; `free`: the stake on it was a token, not money."""

    hand: str
    cards: tuple[str, ...]
    total: int
    dealer_cards: tuple[str, ...]
    dealer_total: int
    free: bool = False


class CombinationFacts(ExplanationFact, frozen=True, tag="combination"):
    """The cards of a side bet; `of` names the kind of combinations."""

    of: str
    cards: tuple[str, ...]


class RankedHand(Struct, frozen=True):
    """The cards of a poker hand, and its category as in pay tables."""

    category: str
    cards: tuple[str, ...]


class ShowdownFacts(ExplanationFact, frozen=True, tag="showdown"):
    """A hand and the dealer's; `qualified` is whether the dealer's hand qualified."""

    own: RankedHand
    dealer: RankedHand
    qualified: bool


class MadeFacts(ExplanationFact, frozen=True, tag="made"):
    """The hand that decided a bet without comparison with the dealer."""

    own: RankedHand


class PotFacts(Struct, frozen=True):
    """One pot; `best` is the hand that won it, None if it was not contested."""

    money: int
    rake: int
    eligible: tuple[str, ...]
    winners: tuple[str, ...]
    best: RankedHand | None


class PotsFacts(ExplanationFact, frozen=True, tag="pots"):
    """All pots of a hand, main pot first, and the hand of the player if it was shown."""

    pots: tuple[PotFacts, ...]
    own: RankedHand | None


class PairFacts(Struct, frozen=True):
    """A player against one opponent: points of the rows, and the royalties of both."""

    opponent: str
    rows: int
    royalties: int
    opponents_royalties: int


class PointsFacts(ExplanationFact, frozen=True, tag="points"):
    """Points of an open-face game; `fouled` are the players whose sets do not count."""

    pairs: tuple[PairFacts, ...]
    fouled: tuple[str, ...]


class PlaceFacts(ExplanationFact, frozen=True, tag="place"):
    """A place in a tournament and how its money was divided; `place` is None in a deal.

    `percents` are those of the paid places, in hundredths of a percent; the first place gets the
    rest.
    """

    place: int | None
    entries: int
    column: str
    percents: tuple[int, ...]
    money_pool: int
    fee: int
    top_up: int
    prize_pool: int


Facts = (
    VoidFacts
    | SpinFacts
    | FieldFacts
    | CoupFacts
    | HandFacts
    | CombinationFacts
    | ShowdownFacts
    | MadeFacts
    | PotsFacts
    | PointsFacts
    | PlaceFacts
)


def texts(cards: Iterable[object]) -> tuple[str, ...]:
    """Return cards as recorded."""
    return tuple(map(str, cards))
