"""What a seed does: its medium, its mix of faults and commands, and what was dropped of it.

Each seed draws a mix of its own (swarm testing): a fault that happens all the time hides what needs
a quiet system, and one that is one of twenty hardly happens at all.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Collection

    from tests.simulation.simulated_world import World

RATES = {
    "disk full": 0.2,
    "write fails": 0.2,
    "sync fails": 0.2,
    "sync fails with the data there": 0.2,
    "key cannot be destroyed": 0.5,
    "command is lost": 0.2,
    "command is late": 0.2,
    "command is doubled": 0.3,
    "receipt is lost": 0.2,
    "a wait is cancelled": 0.3,
    "request is lost": 0.04,
    "request is late": 0.04,
    "request is doubled": 0.1,
    "answer is lost": 0.04,
    "stale answer": 0.9,
    "marker is late": 0.2,
    "process dies at a write": 0.02,
    "process dies at a request": 0.01,
    "process dies at a key": 0.5,
    "power fails in a sync": 0.1,
    "process is killed": 0.15,
    "power fails": 0.15,
    "leader changes": 0.2,
    "second writer starts": 0.15,
    "clean restart": 0.1,
    "clock is set": 0.2,
}
"""Faults that the system must survive; the highest rate per occasion. The last seven are tried
once in every few seconds, the others at every access or request."""

RATES_OF_DOORS = {
    "connection is cut": 0.2,
    "message is lost": 0.2,
    "acknowledgement is lost": 0.2,
    "feed is killed": 0.2,
}
"""Faults of HTTP and of the feed; drawn apart, so that a seed means to the writer what it meant."""

RATES_OF_ACCESS = {
    "access service is killed": 0.3,
    "access service dies at an answer": 0.3,
}
"""Faults of the access service, whose disk has those of any disk, too."""

RATES_OF_THEIR_OWN = {
    "client stalls": 0.2,
    "identifier is used twice": 0.3,
    "witness is killed": 0.4,
    "broker rejects": 0.2,
    "power fails under the spool": 0.2,
    "mirror is killed": 0.3,
    "disk of the mirror is full": 0.2,
}
"""Each is drawn apart from all others: one more changes nothing else of a seed."""

VIOLATIONS = {
    "sync lies": 0.3,
    "write is lost": 0.1,
    "write is misdirected": 0.1,
    "bit flips": 0.5,
    "acknowledged messages are lost": 0.9,
}
"""Faults outside of what a disk or broker promises; the system must notice them."""

VIOLATIONS_OF = {
    "disk": ("bit flips", "sync lies", "write is lost", "write is misdirected"),
    "topic": (*["acknowledged messages are lost"] * 3, "sync lies"),
}

COMMANDS = {
    "deposit": 4,
    "withdraw": 2,
    "place_bet": 6,
    "file_complaint": 1,
    "charge_fee": 1,
    "log_out": 1,
    "log_in": 1,
    "set_limit": 1,
    "open_account": 1,
    "unknown account": 1,
    "identifier used again": 1,
    "a pair": 3,
}

ENGINE_SEEDS = 25
"""One in so many seeds has the real engine."""

MIRROR_SEEDS = 8
"""One in so many seeds has the mirror of an authority."""

SQLITE_SHARE = 0.3
"""Of the seeds with a disk that keeps its promises, so many have the log on SQLite."""

DOORS = (("ledger",), ("http",), ("topic",), ("ledger", "http", "topic"))

Dropped = tuple[str, int]
"""A kind of fault or a client, and the number of its occasion or command."""


@dataclass(frozen=True)
class Plan:
    """Everything that a seed draws before it starts.

    Attributes:
        seed: chance of everything that follows.
        medium: ``disk`` for one host with a disk, ``sqlite`` for one with the log and the index on
            SQLite, ``topic`` for two hosts and a broker.
        rates: of faults, by kind.
        commands: weights of commands, by kind.
        clients: number of players.
        length: number of commands of each.
        batch: decisions of a batch at most.
        chunks: whether an append takes several requests.
        thinking: of clients between commands, in microseconds at most.
        latency: of a sync, in microseconds on average.
        doors: on which commands come in: the ledger itself, ``http``, a ``topic`` of commands.
        feed: rounds that a provider sends as messages; 0 for no provider.
        streams: requests of each player with many commands that do not depend on each other.
        has_library: whether single commands over HTTP are sent by the client library.
        reads: questions of each reader to the access service; 0 for no service.
        has_lease: whether both hosts run all the time, and a lease says which one leads.
        has_mirror: whether an authority mirrors the log.
        has_engine: whether the projector follows with the real engine.
        crossed: share of bets whose cancellation arrives before them.
        dropped: what is left out.

    """

    seed: int
    medium: str
    rates: dict[str, float]
    commands: dict[str, float]
    clients: int
    length: int
    batch: int
    chunks: bool
    thinking: int
    latency: int
    doors: tuple[str, ...] = ("ledger",)
    feed: int = 0
    streams: int = 0
    has_library: bool = False
    reads: int = 0
    has_lease: bool = False
    has_engine: bool = False
    has_mirror: bool = False
    crossed: float = 0.0
    dropped: frozenset[Dropped] = field(default_factory=frozenset)

    @classmethod
    def draw(cls, seed: int) -> Plan:
        """Draw the mix of a seed."""
        chance, later = random.Random(f"{seed}/plan"), random.Random(f"{seed}/plan of doors")
        share = chance.choice((0.0, 0.3, 0.6))
        rates = {
            kind: high * chance.random() ** 2
            for kind, high in RATES.items()
            if chance.random() < share
        }
        rates |= {
            kind: high * later.random() ** 2
            for kind, high in RATES_OF_DOORS.items()
            if later.random() < share
        }
        for kind, high in RATES_OF_THEIR_OWN.items():
            own = random.Random(f"{seed}/plan of {kind}")
            if own.random() < share:
                rates[kind] = high * own.random() ** 2
        medium = chance.choice(("disk", "topic"))
        if chance.random() < 0.2:
            kind = chance.choice(VIOLATIONS_OF[medium])
            rates[kind] = VIOLATIONS[kind] * chance.random()
            rates.setdefault("power fails", 0.1)
            rates.setdefault("leader changes", 0.1)
        elif medium == "disk" and random.Random(f"{seed}/plan of medium").random() < SQLITE_SHARE:
            medium = "sqlite"
        commands = {kind: weight for kind, weight in COMMANDS.items() if chance.random() < 0.7}
        doors, feed = later.choice(DOORS), later.choice((0, 0, 0, 0, 0, 0, 0, 1))
        streams, has_library = later.choice((0, 0, 0, 1, 2)), later.random() < 0.3
        arrival = random.Random(f"{seed}/plan of arrival")
        reads = 12 if later.random() < 0.04 else 0
        if reads:
            rates |= {kind: high * later.random() ** 2 for kind, high in RATES_OF_ACCESS.items()}
        return cls(
            seed=seed,
            medium=medium,
            rates=rates,
            commands=commands or {"deposit": 1},
            clients=chance.randrange(1, 4),
            length=chance.randrange(2, 11),
            batch=chance.choice((1, 2, 5, 512)),
            chunks=chance.random() < 0.2,
            thinking=chance.choice((10_000, 200_000, 2_000_000)),
            latency=chance.choice((1_000, 5_000, 50_000)),
            doors=doors,
            feed=feed,
            streams=streams,
            has_library=has_library,
            reads=reads,
            has_lease=medium == "topic" and later.random() < 0.1,
            has_engine=random.Random(f"{seed}/plan of engine").random() < 1 / ENGINE_SEEDS,
            has_mirror=not reads
            and random.Random(f"{seed}/plan of mirror").random() < 1 / MIRROR_SEEDS,
            crossed=arrival.choice((0.0, 0.0, 0.3)),
        )

    def without(self, dropped: Collection[Dropped]) -> Plan:
        """Drop more."""
        return replace(self, dropped=self.dropped | frozenset(dropped))

    def to_json(self, failure: str) -> str:
        """Write a regression: all that was drawn, what was dropped of it, and how it failed."""
        facts = {**asdict(self), "dropped": sorted(self.dropped), "failed": failure}
        return json.dumps(facts, indent=1) + "\n"

    @classmethod
    def from_json(cls, text: str) -> Plan:
        """Read a regression."""
        facts: dict[str, Any] = json.loads(text)
        del facts["failed"]
        dropped = frozenset((kind, number) for kind, number in facts["dropped"])
        doors = tuple(facts.get("doors", ("ledger",)))
        return cls(**{**facts, "dropped": dropped, "doors": doors})


class Chosen:
    """Says whether a fault happens now, by the plan; each kind has chance of its own."""

    def __init__(self, world: World, plan: Plan) -> None:
        self._world, self._plan = world, plan
        self.counted: Counter[str] = Counter()
        self._asked: Counter[str] = Counter()

    def __call__(self, kind: str) -> bool:
        """Draw, and remember what happened."""
        rate = self._plan.rates.get(kind, 0.0)
        if not rate or not self._world.is_faulty:
            return False
        number, drawn = self._asked[kind], self._world.stream(f"fault {kind}").random()
        self._asked[kind] += 1
        if drawn >= rate or (kind, number) in self._plan.dropped:
            return False
        self.counted[kind] += 1
        self._world.log("fault", f"{kind} {number}")
        return True
