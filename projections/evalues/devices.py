"""Update the evidence against each wheel, dealer and shoe from day to day.

Pure functions: the state of devices and new results come in, the next state goes out. Wheels and
dealers are evaluated at the end of each day, shoes at the end of each shoe and of each day on which
its cards were dealt. The highest evidence so far is kept, so that a detected bias stays detected.
The weights against a shoe are computed from earlier cards only, so that each bet precedes its card.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

import numpy as np

from ledger import games
from ledger.games.roulette import POCKETS, RED, WHEEL, RoulettePlan
from ledger.games.wheels import WheelPlan
from projections.evalues.evidence import (
    STRENGTHS,
    against_arcs,
    against_shares,
    against_shoe,
    mean_of,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

__all__ = [
    "ARC",
    "RANKS",
    "SHOE",
    "Cards",
    "Device",
    "Key",
    "Kind",
    "Spins",
    "add_cards",
    "add_spins",
    "wheel_evidence",
    "wheel_shares",
]

ARC = 9
"""Number of neighbouring pockets in a tested arc: about a quarter of the wheel."""
RANKS, SUITS = "23456789TJQKA", "CDHS"
CARD = 2
"""Signs of a card: rank and suit."""
KINDS = (
    ("ranks", {kind: place for place, kind in enumerate(RANKS)}),
    ("suits", {kind: place for place, kind in enumerate(SUITS)}),
)
"""Tested properties of a card, in the order of its signs, with the place of each kind."""
Kind: TypeAlias = Literal["wheel", "dealer", "shoe"]
SHOE: Kind = "shoe"
"""Kind of device: the shoes of a table."""


class Key(NamedTuple):
    """Identity of a tested device; shoes are identified by their table, without a game."""

    kind: Kind
    name: str
    game: str = ""
    version: str = ""


class Spins(NamedTuple):
    """Results of a wheel or dealer on one day: number of each result, and the last position."""

    key: Key
    counts: Mapping[str, int]
    last: int


class Cards(NamedTuple):
    """Cards dealt face up from one shoe on one day, its earlier cards, and the last position."""

    key: Key
    decks: int
    earlier: tuple[str, ...]
    cards: tuple[str, ...]
    last: int


@dataclass(slots=True)
class Device:
    """Results of a device so far, and the evidence against it as logarithms of e-values.

    ``counts`` are in the order of the plan's probabilities; for shoes ranks, then suits. ``logs``
    has for each tested property one value for each bet on it. ``highest`` is the greatest mean over
    the properties so far, and ``position`` that of the last result in it.
    """

    counts: NDArray[Any]
    logs: dict[str, NDArray[Any]] = field(default_factory=dict)
    highest: float = 0.0
    position: int = 0

    def look(self, last: int) -> None:
        """Compute the mean evidence; store it with position ``last`` if it is a new maximum."""
        together = float(mean_of([mean_of(list(bets)) for bets in self.logs.values()]))
        if together > self.highest or not self.position:
            self.highest, self.position = together, last


def wheel_evidence(counts: NDArray[Any]) -> dict[str, NDArray[Any]]:
    """Return the evidence against roulette wheels by property.

    ``counts`` are by number in the last axis; other axes may hold any number of wheels.
    """
    colours = np.stack(
        [
            counts[..., [0]].sum(axis=-1),
            counts[..., sorted(RED)].sum(axis=-1),
            counts[..., [n for n in POCKETS if n and n not in RED]].sum(axis=-1),
        ],
        axis=-1,
    )
    pockets = len(POCKETS)
    return {
        "numbers": against_shares(counts, np.full(pockets, 1 / pockets)),
        "colours": against_shares(colours, (1 / pockets, len(RED) / pockets, 18 / pockets)),
        "arcs": against_arcs(counts[..., list(WHEEL)], ARC),
    }


def wheel_shares(game: str, version: str) -> dict[str, float] | None:
    """Return the probability of each number or field of a plan.

    Returns None for an unknown plan (which another check reports as PLAN_UNKNOWN) and for a game
    without a wheel.
    """
    try:
        plan = games.plan(game, version)
    except games.SettlementError:
        return None
    match plan:
        case RoulettePlan():
            return {str(number): 1 / len(POCKETS) for number in POCKETS}
        case WheelPlan():
            return {name: one.count / plan.wheel.fields for name, one in plan.fields.items()}
    return None


def add_spins(device: Device | None, spins: Spins, shares: Mapping[str, float]) -> Device:
    """Return the state of a wheel or dealer after the results of a day.

    ``device`` is None before the first results. Results that have no probability are left out.
    """
    counts = np.zeros(len(shares), dtype=int) if device is None else device.counts
    counts = counts + [spins.counts.get(name, 0) for name in shares]
    if len(shares) == len(POCKETS):
        logs = wheel_evidence(counts)
    else:
        logs = {"fields": against_shares(counts, tuple(shares.values()))}
    by_property = {name: np.atleast_1d(log) for name, log in logs.items()}
    known = (0.0, 0) if device is None else (device.highest, device.position)
    found = Device(counts, by_property, *known)
    found.look(spins.last)
    return found


def add_cards(device: Device | None, part: Cards) -> Device:
    """Return the state of a table's shoes after the cards of a day from one of them."""
    if device is None:
        nothing = np.zeros(len(STRENGTHS))
        none_seen = np.zeros(len(RANKS) + len(SUITS), dtype=int)
        device = Device(none_seen, {"ranks": nothing, "suits": nothing})
    earlier, cards = _valid(part.earlier), _valid(part.cards)
    counts, logs, guess = device.counts.copy(), {}, np.array(STRENGTHS)[:, None]
    first = 0
    for sign, (name, places) in enumerate(KINDS):
        kinds, seen = len(places), counts[first : first + len(places)]
        weights = (guess / kinds + seen) / (guess + seen.sum()) * kinds
        of_each = (len(RANKS) + len(SUITS) - kinds) * part.decks
        before, drawn = ([places[card[sign]] for card in some] for some in (earlier, cards))
        logs[name] = device.logs[name] + against_shoe(drawn, of_each, weights, earlier=before)
        seen += np.bincount(np.array(drawn, dtype=int), minlength=kinds)
        first += kinds
    found = Device(counts, logs, device.highest, device.position)
    found.look(part.last)
    return found


def _valid(cards: tuple[str, ...]) -> list[str]:
    return [card for card in cards if len(card) == CARD and card[0] in RANKS and card[1] in SUITS]
