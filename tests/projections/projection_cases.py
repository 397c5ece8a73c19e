"""Chains, logs and histories for the tests of the projections."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from io import BytesIO
from typing import TYPE_CHECKING, Any

from fastavro import schemaless_writer
from msgspec.structs import asdict

import schemas
from ledger.chain import link
from ledger.core.clock import HOUR
from ledger.core.errors import AvailabilityError
from ledger.core.message import EMPTY, Head
from ledger.decisions.movements import MOVEMENTS
from ledger.events import event_types as e
from ledger.events.encoding import MARKER, Envelope, decode_envelope, hash_of
from ledger.log.index.tag_index import message_of
from ledger.log.memory import MemoryLog

if TYPE_CHECKING:
    from collections.abc import Iterator

START = 1_760_000_000_000_000
MONEY = sorted(kind.__name__ for kind in MOVEMENTS)
"""Every event type that moves money."""
ACCOUNTS = ("a-1", "a-2", "a-3", "a-4", "a-ě")


class ListLog:
    """A readable log over a list of messages, which a test may damage."""

    def __init__(self, messages: list[bytes]) -> None:
        self.messages = messages

    def head(self) -> Head:
        return Head(len(self.messages), hash_of(self.messages[-1])) if self.messages else EMPTY

    def read(self, start: int = 0, stop: int | None = None) -> Iterator[tuple[int, bytes]]:
        end = len(self.messages) if stop is None else min(stop, len(self.messages))
        return ((at, self.messages[at]) for at in range(start, end))

    def close(self) -> None:
        """Nothing is held."""


def away() -> ListLog:
    """Open a log that can't be opened."""
    raise AvailabilityError("the log is away")


@dataclass
class Chain:
    """Builds a chained list of messages, decision by decision.

    Identifiers end in zero bytes now and then, so that a text function that drops them is
    found out.
    """

    head: Head = EMPTY
    messages: list[bytes] = field(default_factory=list)
    moment: int = START

    def decide(self, *events: e.Event) -> list[bytes]:
        """Add one decision; return its messages."""
        self.moment += 1_000
        linked, self.head = link(
            self.head,
            events,
            command_id=self.head.size.to_bytes(8, "big") + bytes(8),
            command_digest=bytes(16),
            recorded_at=self.moment,
            occurred_at=self.moment - 7,
            actor="player",
            source="web",
        )
        added = [message.body for message in linked]
        self.messages += added
        return added

    def decide_as(self, schema: schemas.Schema, event: e.Event) -> bytes:
        """Add a decision of one event, written with another version of its schema."""
        message = written_as(schema, self._envelope(), event)
        self.add_raw(message)
        return message

    def add_raw(self, message: bytes) -> None:
        """Add a message as it is; what follows is linked to it."""
        self.messages.append(message)
        self.head = Head(self.head.size + 1, hash_of(message))

    def log(self) -> ListLog:
        """Give a log of what was decided so far and what will be."""
        return ListLog(self.messages)

    def tagged(self) -> MemoryLog:
        """Give a log of what was decided so far that finds events by their tags."""
        log = MemoryLog()
        log.append([message_of(position, body) for position, body in enumerate(self.messages)])
        return log

    def _envelope(self) -> Envelope:
        return Envelope(
            previous_hash=self.head.hash,
            command_id=bytes(16),
            command_digest=bytes(16),
            position=self.head.size,
            decision_index=0,
            decision_size=1,
            recorded_at=self.moment,
            occurred_at=self.moment,
            actor="player",
            source="web",
        )


def seeded(seed: int) -> random.Random:
    """Give random numbers that are the same in every run."""
    return random.Random(seed)


def written_as(schema: schemas.Schema, envelope: Envelope, event: e.Event) -> bytes:
    """Encode an event with a schema of our choice."""
    record = {**asdict(envelope), **asdict(event)}
    names = {column["name"] for column in schema.raw["fields"]}
    out = BytesIO()
    out.write(MARKER + schema.fingerprint)
    schemaless_writer(out, schema.parsed, {key: record[key] for key in record if key in names})
    return out.getvalue()


def changed_envelope(message: bytes, **changes: Any) -> bytes:
    """Give a message with other values in its envelope."""
    schema = schemas.catalogue()[message[2:10]]
    old = decode_envelope(message)
    stream = BytesIO(message)
    stream.seek(10)
    before, after = BytesIO(), BytesIO()
    parsed = schemas.parse(
        {
            "type": "record",
            "name": "Envelope",
            "version": 1,
            "fields": schema.raw["fields"][: len(schemas.ENVELOPE_FIELDS)],
        }
    ).parsed
    schemaless_writer(before, parsed, asdict(old))
    schemaless_writer(after, parsed, {**asdict(old), **changes})
    return message[:10] + after.getvalue() + message[10 + len(before.getvalue()) :]


def money_event(draw: random.Random, name: str | None = None) -> e.Event:
    """Make a random event that moves money, sound or not: the views judge nothing."""
    kind = e.EVENTS[name or draw.choice(MONEY)]
    return kind(
        **{fact["name"]: _fact(draw, fact) for fact in schemas.newest()[kind.__name__].facts}
    )


def any_event(draw: random.Random, name: str) -> e.Event:
    """Make a random event of a type."""
    facts = schemas.newest()[name].facts
    return e.EVENTS[name](**{fact["name"]: _fact(draw, fact) for fact in facts})


def money_history(seed: int, size: int, *, has_days: bool = False) -> Chain:
    """Make a chain of random decisions of one to five money events, of an hour or of some days."""
    draw, chain = seeded(seed), Chain()
    while chain.head.size < size:
        if has_days and draw.random() < 0.05:
            chain.moment += draw.randrange(60) * HOUR
        chain.decide(*(money_event(draw) for _ in range(draw.choice((1, 1, 1, 2, 5)))))
    return chain


def _fact(draw: random.Random, fact: dict[str, Any]) -> Any:
    name, avro_type = fact["name"], fact["type"]
    if name == "account":
        return draw.choice(ACCOUNTS)
    if name == "accounts":
        return tuple(draw.choice(ACCOUNTS) for _ in range(draw.randrange(4)))
    if name == "tournament":
        return draw.choice(("", "t-1"))
    if name == "method_class":
        return draw.choice(("cash", "account", "card", "other"))
    if name == "means":
        return draw.choice(("cash", "chips", "tronc"))
    if name == "way":
        return draw.choice(("account", "card", "other", "postal", "wallet"))
    if name == "difference":
        return draw.choice((0, 1, -1)) * draw.randrange(10**9)
    return _value(draw, name, avro_type)


def _value(draw: random.Random, name: str, avro_type: Any) -> Any:
    if isinstance(avro_type, list):
        (inner,) = (branch for branch in avro_type if branch != "null")
        return draw.choice((None, _value(draw, name, inner)))
    if isinstance(avro_type, dict) and avro_type["type"] == "array":
        return tuple(_value(draw, name, avro_type["items"]) for _ in range(draw.randrange(3)))
    if isinstance(avro_type, dict):
        return draw.randbytes(avro_type["size"] - 1) + b"\x00"
    makers: dict[str, Any] = {
        "string": lambda: draw.choice(
            ("", f"{name}-{draw.randrange(50)}", "žluťoučký 'kůň'\n\x00")
        ),
        "long": lambda: draw.choice((0, draw.randrange(10**4), draw.randrange(10**12))),
        "int": lambda: draw.randrange(-5, 2**31),
        "boolean": lambda: draw.random() < 0.5,
        "bytes": lambda: draw.randbytes(draw.randrange(40)),
    }
    return makers[avro_type]()
