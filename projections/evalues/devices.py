"""The evidence against each wheel, dealer and shoe, carried on from day to day.

Pure: the state of devices and new results come in, the next state goes out. Wheels and dealers are
evaluated at the end of each day, shoes at the end of each shoe, and of each day with cards of it.
The highest evidence ever is kept, so that a detected bias stays detected. The weights against a
shoe are those of the cards before its part of the day, so that each bet is made before its card.
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
    "take_cards",
    "take_spins",
    "wheel_evidence",
    "wheel_shares",
]

ARC = 9
"""Neighbouring pockets of the watched arcs: about a quarter of the wheel."""
RANKS, SUITS = "23456789TJQKA", "CDHS"
CARD = 2
"""Signs of a card: rank and suit."""
Kind: TypeAlias = Literal["wheel", "dealer", "shoe"]
SHOE: Kind = "shoe"
"""Kind of the shoes of a table."""


class Key(NamedTuple):
    """What is watched: of shoes the table, without a game."""

    kind: Kind
    name: str
    game: str = ""
    version: str = ""


class Spins(NamedTuple):
    """Results of a wheel or dealer on one day, and the position of the last one."""

    key: Key
    counts: Mapping[str, int]
    last: int


class Cards(NamedTuple):
    """Cards dealt face up from one shoe on one day, those dealt earlier, and the last position."""

    key: Key
    decks: int
    earlier: tuple[str, ...]
    cards: tuple[str, ...]
    last: int


@dataclass(slots=True)
class Device:
    """Results so far, and the evidence: logarithms.

    ``counts`` are in the order of the shares of the plan; of shoes ranks, then suits. ``logs`` are
    of each watched property, one for each bet on it. ``highest`` is the greatest mean of the
    properties so far, and ``position`` the last result in it.
    """

    counts: NDArray[Any]
    logs: dict[str, NDArray[Any]] = field(default_factory=dict)
    highest: float = 0.0
    position: int = 0

    def look(self, last: int) -> None:
        """Evaluate the evidence as of a result."""
        together = float(mean_of([mean_of(list(bets)) for bets in self.logs.values()]))
        if together > self.highest or not self.position:
            self.highest, self.position = together, last


def wheel_evidence(counts: NDArray[Any]) -> dict[str, NDArray[Any]]:
    """Bet against roulette wheels: counts by number in the last axis, of any number of wheels."""
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
    """Return the share of each number or field of a plan; None where it has no wheel or is unknown.

    A round with an unknown plan is found as PLAN_UNKNOWN.
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


def take_spins(device: Device | None, spins: Spins, shares: Mapping[str, float]) -> Device:
    """Return a wheel or dealer after the results of a day; results without a share are left out."""
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


def take_cards(device: Device | None, part: Cards) -> Device:
    """Return the shoes of a table after the cards of a day from one of them."""
    if device is None:
        nothing = np.zeros(len(STRENGTHS))
        none_seen = np.zeros(len(RANKS) + len(SUITS), dtype=int)
        device = Device(none_seen, {"ranks": nothing, "suits": nothing})
    earlier, cards = _valid(part.earlier), _valid(part.cards)
    counts, logs, guess = device.counts.copy(), {}, np.array(STRENGTHS)[:, None]
    about = (("ranks", RANKS, 0), ("suits", SUITS, len(RANKS)))
    for sign, (name, kinds, first) in enumerate(about):
        seen = device.counts[first : first + len(kinds)]
        weights = (guess / len(kinds) + seen) / (guess + seen.sum()) * len(kinds)
        of_each = (len(RANKS) + len(SUITS) - len(kinds)) * part.decks
        before, drawn = ([kinds.index(card[sign]) for card in some] for some in (earlier, cards))
        logs[name] = device.logs[name] + against_shoe(drawn, of_each, weights, earlier=before)
        np.add.at(counts, [first + kind for kind in drawn], 1)
    found = Device(counts, logs, device.highest, device.position)
    found.look(part.last)
    return found


def _valid(cards: tuple[str, ...]) -> list[str]:
    return [card for card in cards if len(card) == CARD and card[0] in RANKS and card[1] in SUITS]
