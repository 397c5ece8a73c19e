"""Evaluate wheels, dealers and shoes: their results, and the evidence that they are biased.

What comes in: the valid results, and cards dealt face up, below a position. What goes out: a
:class:`Watched` for each wheel, each dealer of a wheel game and the shoes of each table. A wheel is
the device that the round names, or the table itself. The evidence continues from the end of the
last day (:mod:`projections.store.device_days`). Cards dealt face down are left out, because whether
they are shown can depend on their faces; so are hands among players.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ledger.core.phrases import Phrase
from projections.evalues.devices import RANKS, SHOE, Kind, wheel_shares
from projections.evalues.evidence import mean_of, shown_evidence
from projections.store.as_of import as_of
from projections.store.device_days import devices_at
from projections.store.operator import operator_rules
from projections.store.plans import register_plans

if TYPE_CHECKING:
    from projections.evalues.devices import Device, Key
    from projections.store.tables import Store

__all__ = ["Counted", "Fairness", "Watched", "watch"]

SHARES_OF_RANKS = dict.fromkeys(RANKS, 1 / len(RANKS))


class Counted(NamedTuple):
    """A number, field or rank: how often it occurred, and its expected probability."""

    name: str
    seen: int
    share: float


@dataclass(frozen=True, slots=True)
class Watched:
    """A wheel, a dealer at the wheels of a game, or the shoes of a table.

    ``results`` is the number of spins or cards. ``evidence`` is the current e-value of each tested
    property (numbers, colours, arcs, fields, ranks, suits). ``highest`` is the greatest mean of
    these e-values so far, and ``position`` that of the last result in it. ``leans``: the limit of a
    finding was reached.
    """

    kind: Kind
    name: str
    game: str
    results: int
    counts: tuple[Counted, ...]
    evidence: dict[str, float]
    highest: float
    position: int
    leans: bool

    @property
    def bias(self) -> Phrase:
        """Description of the largest deviation."""
        far = max(self.counts, key=lambda one: abs(one.seen - one.share * self.results))
        due = round(far.share * self.results)
        return Phrase(
            "RESULTS_OF_DEVICE",
            kinds=self.kind,
            name=self.name,
            property=far.name,
            seen=far.seen,
            due=due,
        )


@dataclass(frozen=True, slots=True)
class Fairness:
    """The evaluated devices, the strongest evidence first; ``limit`` is that of a finding."""

    position: int
    head: str
    limit: int
    watched: tuple[Watched, ...]


def watch(store: Store, *, at: int | None = None) -> Fairness:
    """Evaluate every wheel, dealer and shoe by the messages below ``at``.

    Raises:
        InputError: fewer messages are projected.

    """
    place = as_of(store, at)
    register_plans(store)
    limit = operator_rules(store).figures.fairness_evidence.value
    found = [
        one
        for key, device in devices_at(store, place.position).items()
        if (one := _watched(key, device, limit)) is not None
    ]
    found.sort(key=lambda one: (-one.highest, one.kind, one.name, one.game))
    return Fairness(place.position, place.head, limit, tuple(found))


def _watched(key: Key, device: Device, limit: int) -> Watched | None:
    shares = SHARES_OF_RANKS if key.kind == SHOE else wheel_shares(key.game, key.version)
    if shares is None:
        return None
    counts = device.counts[: len(shares)]
    return Watched(
        kind=key.kind,
        name=key.name,
        game=key.game,
        results=int(counts.sum()),
        counts=tuple(
            Counted(one, int(seen), share)
            for (one, share), seen in zip(shares.items(), counts, strict=True)
        ),
        evidence={
            about: shown_evidence(float(mean_of(list(bets)))) for about, bets in device.logs.items()
        },
        highest=shown_evidence(device.highest),
        position=device.position,
        leans=device.highest >= float(np.log(limit)),
    )
