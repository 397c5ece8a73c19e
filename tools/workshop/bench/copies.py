"""Copy evenings under other names and at later times, to make a realistic chain long.

Input: messages of simulated evenings. Output: for each copy the same facts in the same order, whole
days later, with other players, rounds, bets, shoes, sections and slips, linked to the end of the
chain and appended as a writer appends. Every name keeps its length, so that a copy is the bytes of
the message with some of them replaced: ten times as fast as playing. Left out is what a chain has
only once: schemas, plans, tables, keys and signatures.
"""

from __future__ import annotations

import re
from datetime import date, timedelta
from typing import TYPE_CHECKING, NamedTuple

from ledger.core.clock import from_datetime, in_prague
from ledger.core.message import Head, Message
from ledger.events import event_types as e
from ledger.events.avro_writers import write_long
from ledger.events.encoding import COMMAND, FINGERPRINT, MARKER, decode, hash_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ledger.events.encoding import Envelope
    from ledger.log.port import Log

__all__ = ["COPIES_MAX", "Original", "append_copy", "originals"]

MARKS = b"ghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
"""One for each copy; none is a hexadecimal digit, with which persons are named."""
COPIES_MAX = len(MARKS)
ONCE = frozenset(
    {e.ChainOpened, e.SchemaPublished, e.OperatorRulesPublished, e.RulesPublished, e.GameListed}
    | {e.GameLaunched, e.CasinoOpened, e.CasinoHoursBegan, e.TableOpened, e.TableLimitsSet}
    | {e.DeviceAssigned, e.DeviceInspected, e.SigningKeyAdded, e.CheckpointSigned, e.WriterStarted}
)
"""Facts that are not copied; each is a decision of its own."""
NAMES = re.compile(
    rb"""
      (?<![a-z0-9])a(?=-\d{4})               # accounts, and what is named after them
    | (?<=-\d-)0(?=\d{4})                    # rounds, and what is named after them
    | (?<=-sho)e(?=-\d)                      # shoes
    | (?<=-\d-cu)p                           # tournaments
    | (?<=floor-[a-z]{2}-\d)-(?=[1-9])       # sections of tables
    | (?<=cage-\d)-(?=[1-9])                 # sections of the cage
    | (?<=sli)p(?=-\d)                       # slips
    | (?<=@)[0-9a-f](?=[0-9a-f]{31})         # persons: 32 characters
    | (?<=person:)[0-9a-f](?=[0-9a-f]{31})
    | (?<="person":")[0-9a-f](?=[0-9a-f]{31})
    """,
    re.VERBOSE,
)
"""The character of each name that tells copies apart. What follows a text is no part of it, such as
the length of the next one, whatever character that is."""
DAYS = re.compile(rb"(?<![0-9])2026-[01]\d-[0-3]\d(?![0-9])")
"""Days of these chains; versions of plans are days of earlier years."""
MOMENTS = re.compile(rb"(?<=[:\[,])1[78]\d{14}(?=[,}\]])")
"""Moments in texts of JSON."""
MOMENT = range(1_700_000_000_000_000, 1_900_000_000_000_000)
"""Numbers that are moments of these chains: microseconds; no sum of money is so large."""
BATCH = 5_000


class Original(NamedTuple):
    """A message split into the bytes that copies keep and those that each copy replaces."""

    kind: str
    fingerprint: bytes
    envelope: Envelope
    rest: bytes
    marks: tuple[int, ...]
    moments: tuple[tuple[int, int], ...]
    written: tuple[tuple[int, int], ...]
    days: tuple[tuple[int, str], ...]
    tags: bytes
    tag_marks: tuple[int, ...]


def originals(messages: Iterable[tuple[int, bytes]]) -> Iterator[Original]:
    """Split the messages that are copied."""
    for _, message in messages:
        recorded = decode(message)
        if type(recorded.event) in ONCE:
            continue
        envelope = recorded.envelope
        numbers = (
            envelope.position,
            envelope.decision_index,
            envelope.decision_size,
            envelope.recorded_at,
            envelope.occurred_at,
        )
        rest = message[COMMAND.stop + len(b"".join(map(write_long, numbers))) :]
        fields = (getattr(recorded.event, name) for name in recorded.event.__struct_fields__)
        moments = {one for one in fields if type(one) is int and one in MOMENT}
        tags = "\0".join(recorded.event.index_tags()).encode()
        yield Original(
            type(recorded.event).__name__,
            message[FINGERPRINT],
            envelope,
            rest,
            _starts(NAMES, rest),
            tuple((at, one) for one in moments for at in _places(rest, write_long(one))),
            tuple((found.start(), int(found[0])) for found in MOMENTS.finditer(rest)),
            tuple((found.start(), found[0].decode()) for found in DAYS.finditer(rest)),
            tags,
            _starts(NAMES, tags),
        )


def _starts(pattern: re.Pattern[bytes], text: bytes) -> tuple[int, ...]:
    return tuple(found.start() for found in pattern.finditer(text))


def _places(text: bytes, part: bytes) -> Iterator[int]:
    at = text.find(part)
    while at >= 0:
        yield at
        at = text.find(part, at + len(part))


def append_copy(log: Log, evenings: list[Original], number: int, days: int) -> None:
    """Append a copy of recorded evenings with other names and later times.

    Args:
        log: the log to extend; its last message must be earlier than the copy.
        evenings: the messages to copy.
        number: the number of the copy, at least 0 and less than :data:`COPIES_MAX`; it makes the
            names of the copy unique.
        days: how many calendar days later the copy is.

    """
    copied = _copied(log.head(), evenings, MARKS[number], days)
    batch: list[Message] = []
    for message in copied:
        if len(batch) >= BATCH and message.command_id is not None:
            log.append(batch)
            batch = []
        batch.append(message)
    log.append(batch)


def _copied(head: Head, evenings: list[Original], mark: int, days: int) -> Iterator[Message]:
    position, digest = head
    shift = _shift(evenings[0].envelope.recorded_at, days)
    for one in evenings:
        rest, tags = bytearray(one.rest), bytearray(one.tags)
        for at in one.marks:
            rest[at] = mark
        for at in one.tag_marks:
            tags[at] = mark
        for at, moment in one.moments:
            later = write_long(moment + shift)
            rest[at : at + len(later)] = later
        for at, moment in one.written:
            rest[at : at + 16] = b"%d" % (moment + shift)
        for at, day in one.days:
            rest[at : at + 10] = _later(day, days)
        was = one.envelope
        command = _later_command(was.command_id, shift)
        numbers = (
            position,
            was.decision_index,
            was.decision_size,
            was.recorded_at + shift,
            was.occurred_at + shift,
        )
        shared = (digest, command, was.command_digest, *map(write_long, numbers))
        body = b"".join((MARKER, one.fingerprint, *shared, rest))
        first = None if was.decision_index else command
        named = tuple(tags.decode().split("\0")) if tags else ()
        yield Message(position, body, one.kind, named, first, was.decision_size)
        position, digest = position + 1, hash_of(body)


def _shift(moment: int, days: int) -> int:
    """Return so many days of the calendar in microseconds, as long as they are then."""
    at = in_prague(moment)
    return from_datetime(at + timedelta(days=days)) - moment


def _later_command(command: bytes, shift: int) -> bytes:
    """Return the identifier of a command given later: it begins with its millisecond (UUIDv7)."""
    moment = int.from_bytes(command[:6], "big") + shift // 1_000
    return moment.to_bytes(6, "big") + command[6:]


def _later(day: str, days: int) -> bytes:
    return (date.fromisoformat(day) + timedelta(days=days)).isoformat().encode()
