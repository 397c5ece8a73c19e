"""Chains for tests: made of real events, with identifiers and moments that are counted."""

from __future__ import annotations

import typing
from functools import cache
from typing import TYPE_CHECKING, Any

import schemas
from ledger.chain import FORMAT_VERSION, HASH_ALGORITHM, link
from ledger.core.message import EMPTY
from ledger.events import event_types as e
from ledger.events.encoding import decode_envelope

if TYPE_CHECKING:
    from ledger.core.message import Head, Message
    from ledger.log.port import ReadableLog

START = 1_760_000_000_000_000
SELF_DESCRIBED = ("ChainOpened", "SchemaPublished")


@cache
def hints_of(kind: type[e.Event]) -> dict[str, Any]:
    return {
        name: hint
        for name, hint in typing.get_type_hints(kind).items()
        if name in kind.__struct_fields__
    }


def sample(kind: type[e.Event], **facts: Any) -> e.Event:
    """Make an event of a type; facts that are not given are filled in."""
    fillers: dict[Any, Any] = {str: "text", int: 7, bool: True, bytes: b"\x00\xff"}
    filled = {
        name: fillers.get(hint, ("one", "two") if hint == tuple[str, ...] else ())
        if "None" not in str(hint)
        else None
        for name, hint in hints_of(kind).items()
    }
    return kind(**{**filled, **facts})


def landed(number: int, round_id: str = "r-1") -> e.BallLanded:
    return e.BallLanded(round=round_id, number=number)


def statement(account: str) -> e.Event:
    return sample(e.AccountStatement, account=account)


class Chain:
    """A chain under construction, message by message."""

    def __init__(self, head: Head = EMPTY) -> None:
        self.head = head
        self.messages: list[Message] = []
        self.moment = START

    def add(self, *decision: e.Event, at: int | None = None) -> list[Message]:
        """Link a decision and return its messages."""
        self.moment = self.moment + 1_000 if at is None else at
        messages, self.head = link(
            self.head,
            decision,
            command_id=self.head.size.to_bytes(16, "big"),
            command_digest=b"d" * 16,
            recorded_at=self.moment,
            occurred_at=self.moment - 5,
            actor="player:p-1",
            source="studio",
        )
        self.messages += messages
        return messages

    def open(self, name: str = "test-chain") -> Chain:
        """Open the chain and publish every schema."""
        self.add(
            e.ChainOpened(
                operator="12345678",
                operator_name="Operator a.s.",
                chain=name,
                format_version=FORMAT_VERSION,
                hash_algorithm=HASH_ALGORITHM,
            )
        )
        self.add(
            *[
                published(schema)
                for schema in schemas.catalogue().values()
                if schema.name not in SELF_DESCRIBED
            ]
        )
        return self

    @classmethod
    def behind(cls, log: ReadableLog) -> Chain:
        """Go on where a log ends."""
        chain = cls(log.head())
        for _, last in log.read(chain.head.size - 1):
            chain.moment = decode_envelope(last).recorded_at
        return chain

    @property
    def stored(self) -> list[tuple[int, bytes]]:
        """What a log would give back."""
        return [(message.position, message.body) for message in self.messages]


def published(schema: schemas.Schema) -> e.SchemaPublished:
    return e.SchemaPublished(
        name=schema.name,
        version=schema.version,
        fingerprint=schema.fingerprint.hex(),
        schema=schema.text,
    )
