"""Wheels, dealers and shoes, with their results and the evidence against them.

What comes in: the valid results, and cards dealt face up, below a position. What goes out: a
:class:`Watched` for each wheel, each dealer of a wheel game and the shoes of each table. A wheel is
the device that the round names, or the table itself. Wheels and dealers are evaluated at the end of
each day, shoes at the end of each shoe; the highest evidence ever is kept, so that a detected bias
stays detected. Memory grows with devices, not with the log. Cards dealt face down are left out,
because showing them can depend on their faces; so are hands among players.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from ledger import games
from ledger.games.roulette import POCKETS, RED, WHEEL, RoulettePlan
from ledger.games.wheels import WheelPlan
from projections.fairness.evidence import (
    STRENGTHS,
    against_arcs,
    against_shares,
    against_shoe,
    mean_of,
)
from projections.store.as_of import as_of
from projections.store.operator import operator_rules
from projections.store.plans import register_plans

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from projections.store.tables import Store

__all__ = ["ARC", "Counted", "Fairness", "Watched", "watch", "wheel_evidence"]

ARC = 9
"""Neighbouring pockets of the watched arcs: about a quarter of the wheel."""
RANKS, SUITS = "23456789TJQKA", "CDHS"

SPINS = """
WITH
    rounds AS
    (
        SELECT
            round, game, plan_version, dealer,
            arrayFirst((device, kind) -> kind IN ('wheel', 'machine'), devices, device_kinds)
                AS wheel,
            if(wheel = '', table, wheel) AS made_by
        FROM RoundOpened
        WHERE position < {size:Int64} AND game IN {games:Array(String)}
    ),
    results AS
    (
        SELECT round, argMin(outcome, result.position) AS outcome,
            min(result.position) AS position, min(recorded_at) AS resulted_at
        FROM RoundResulted AS result
        WHERE result.position < {size:Int64}
        GROUP BY round
    )
SELECT
    arrayJoin([('wheel', rounds.made_by), ('dealer', rounds.dealer)]) AS who,
    rounds.game AS game, rounds.plan_version AS version,
    toDate(fromUnixTimestamp64Micro(results.resulted_at, 'Europe/Prague')) AS day,
    sumMap([if(JSONHas(outcome, 'number'), toString(JSONExtractInt(outcome, 'number')),
        JSONExtractString(outcome, 'field'))], [toUInt64(1)]) AS counts,
    max(results.position) AS position
FROM rounds
INNER JOIN results ON rounds.round = results.round
WHERE who.2 != ''
GROUP BY who, game, version, day
ORDER BY who, game, version, day"""

CARDS = """
SELECT
    loaded.table AS table, loaded.position AS load, any(loaded.decks) AS decks,
    arrayMap(one -> one.2, arraySort(groupArray((dealt.position, dealt.card)))) AS cards,
    max(dealt.position) AS last
FROM (SELECT shoe, card, position FROM CardDealt
    WHERE position < {size:Int64} AND shoe != '' AND face_up AND card != '') AS dealt
ASOF INNER JOIN (SELECT shoe, table, decks, position FROM ShoeLoaded
    WHERE position < {size:Int64}) AS loaded
    ON dealt.shoe = loaded.shoe AND dealt.position > loaded.position
GROUP BY table, load
ORDER BY table, load"""


class Counted(NamedTuple):
    """A number, field, rank or suit: its count, and its share by the plan."""

    name: str
    seen: int
    share: float


@dataclass(frozen=True, slots=True)
class Watched:
    """A wheel, a dealer at the wheels of a game, or the shoes of a table.

    ``results`` are spins or cards. ``evidence`` is the current e-value of each watched property
    (numbers, colours, arcs, fields, ranks, suits), ``highest`` their greatest mean ever, and
    ``position`` the last result in it. ``leans`` is whether it reached the limit.
    """

    kind: Literal["wheel", "dealer", "shoe"]
    name: str
    game: str
    results: int
    counts: tuple[Counted, ...]
    evidence: dict[str, float]
    highest: float
    position: int
    leans: bool

    @property
    def in_words(self) -> str:
        """Describe the bias, and its largest deviation."""
        far = max(self.counts, key=lambda one: abs(one.seen - one.share * self.results))
        due = round(far.share * self.results)
        return f"{self.kind} {self.name}, {far.name} came {far.seen} times instead of {due}"


@dataclass(frozen=True, slots=True)
class Fairness:
    """The watched devices, the strongest evidence first; ``limit`` is that of a finding."""

    position: int
    head: str
    limit: int
    watched: tuple[Watched, ...]


@dataclass(slots=True)
class _Course:
    """Accumulated evidence against one device: logarithms."""

    logs: dict[str, float] = field(default_factory=dict)
    highest: float = 0.0
    position: int = 0

    def look(self, logs: dict[str, Any], position: int) -> None:
        self.logs = {name: float(value) for name, value in logs.items()}
        together = float(mean_of(list(map(np.asarray, self.logs.values()))))
        if together > self.highest or not self.position:
            self.highest, self.position = together, position


def watch(store: Store, *, at: int | None = None) -> Fairness:
    """Evaluate every wheel, dealer and shoe by the messages below ``at``.

    Raises:
        InputError: fewer messages are projected.

    """
    place = as_of(store, at)
    register_plans(store)
    limit = operator_rules(store).figures.fairness_evidence.value
    found = [*_wheels(store, place.position, limit), *_shoes(store, place.position, limit)]
    found.sort(key=lambda one: (-one.highest, one.kind, one.name, one.game))
    return Fairness(place.position, place.head, limit, tuple(found))


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


def _shares(plan: games.GamePlan) -> dict[str, float] | None:
    match plan:
        case RoulettePlan():
            return {str(number): 1 / len(POCKETS) for number in POCKETS}
        case WheelPlan():
            return {name: one.count / plan.wheel.fields for name, one in plan.fields.items()}
    return None


def _wheels(store: Store, size: int, limit: int) -> Iterator[Watched]:
    played = store.rows(
        "SELECT DISTINCT game, plan_version FROM RoundOpened WHERE position < {size:Int64}",
        size=size,
    )
    shares = {}
    for row in played:
        try:
            found = _shares(games.plan(row["game"], row["plan_version"]))
        except games.SettlementError:  # found as PLAN_UNKNOWN
            continue
        if found is not None:
            shares[row["game"], row["plan_version"]] = found
    if not shares:
        return
    who, counts, history = None, np.zeros(0, dtype=int), _Course()
    names = sorted({game for game, _ in shares})
    for row in store.stream(SPINS, size=size, games=names):
        by_plan = row["game"], row["version"]
        if by_plan not in shares:
            continue
        if (this := (*row["who"], *by_plan)) != who:
            if who is not None:
                yield _watched(who, shares[who[2], who[3]], counts, history, limit)
            who, history = this, _Course()
            counts = np.zeros(len(shares[by_plan]), dtype=int)
        place = {name: number for number, name in enumerate(shares[by_plan])}
        for name, seen in zip(*row["counts"], strict=True):
            if name in place:
                counts[place[name]] += seen
        fair = tuple(shares[by_plan].values())
        is_roulette = len(fair) == len(POCKETS)
        logs = wheel_evidence(counts) if is_roulette else {"fields": against_shares(counts, fair)}
        history.look(logs, row["position"])
    if who is not None:
        yield _watched(who, shares[who[2], who[3]], counts, history, limit)


def _watched(
    who: tuple[Any, ...], shares: dict[str, float], counts: Any, history: _Course, limit: int
) -> Watched:
    kind, name, game, *_ = who
    return Watched(
        kind=kind,
        name=name,
        game=game,
        results=int(counts.sum()),
        counts=tuple(
            Counted(one, int(seen), share)
            for (one, share), seen in zip(shares.items(), counts, strict=True)
        ),
        evidence={about: _value(log) for about, log in history.logs.items()},
        highest=_value(history.highest),
        position=history.position,
        leans=history.highest >= float(np.log(limit)),
    )


def _value(log: float) -> float:
    """Return an e-value for display: four digits, and at most the largest float."""
    return float(f"{np.exp(min(log, 690.0)):.4g}")


class _Shoes:
    """The shoes of one table: ranks and suits seen, and the capital of each bet."""

    def __init__(self) -> None:
        self.ranks, self.suits = np.zeros(len(RANKS), dtype=int), np.zeros(len(SUITS), dtype=int)
        self.logs = {"ranks": np.zeros(len(STRENGTHS)), "suits": np.zeros(len(STRENGTHS))}
        self.history = _Course()

    def take(self, cards: list[str], decks: int, position: int) -> None:
        cards = [card for card in cards if card[0] in RANKS and card[1:] in SUITS]
        about = (
            ("ranks", self.ranks, [RANKS.index(card[0]) for card in cards], len(SUITS)),
            ("suits", self.suits, [SUITS.index(card[1]) for card in cards], len(RANKS)),
        )
        for name, seen, kinds, of_each in about:
            guess = np.array(STRENGTHS)[:, None]
            weights = (guess / len(seen) + seen) / (guess + seen.sum()) * len(seen)
            self.logs[name] += against_shoe(kinds, of_each * decks, weights)
            np.add.at(seen, kinds, 1)
        self.history.look({name: mean_of(list(logs)) for name, logs in self.logs.items()}, position)


def _shoes(store: Store, size: int, limit: int) -> Iterator[Watched]:
    table, shoes = "", _Shoes()
    for row in store.stream(CARDS, size=size):
        if row["table"] != table:
            if table:
                yield _of_shoes(table, shoes, limit)
            table, shoes = row["table"], _Shoes()
        shoes.take(row["cards"], row["decks"], row["last"])
    if table:
        yield _of_shoes(table, shoes, limit)


def _of_shoes(table: str, shoes: _Shoes, limit: int) -> Watched:
    shares = dict.fromkeys(RANKS, 1 / len(RANKS))
    return _watched(("shoe", table, ""), shares, shoes.ranks, shoes.history, limit)
