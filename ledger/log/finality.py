"""How final a recorded fact is: who could still replace it without being found.

What comes in: a log. What goes out: for a position, the strongest of four stages that the log has a
record of. Each stage includes those before it. Whether a witness or mirror is independent of the
operator is for the reader to judge, by a policy. Apart from the stages: whether the source of a
fact sealed that it sent the command.
"""

from __future__ import annotations

from enum import StrEnum
from itertools import tee
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from ledger.events.event_types import (
    CheckpointCosigned,
    CheckpointSigned,
    SourceRegistered,
    SourceSealed,
)
from ledger.log.port import Query, events_at
from ledger.tlog.source_seals import mark_of, places_in, system_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ledger.events.encoding import Envelope, RecordedEvent
    from ledger.log.port import Log

__all__ = [
    "FinalSizes",
    "Finality",
    "OriginSeal",
    "SealState",
    "events_of",
    "final_sizes",
    "newest_of",
    "origin_seal",
    "origin_seals",
]

Signed = TypeVar("Signed", CheckpointSigned, CheckpointCosigned)

COSIGNATURES_MAX = 500
"""Newest cosignatures that are searched for one of a mirror."""
SEALS_MAX = 8
"""Next seals of a source that are searched for a command."""


class Finality(StrEnum):
    """Stages of finality, the weakest first; the values are keys of the word catalogues."""

    RECORDED = "recorded"
    COVERED = "covered"
    COSIGNED = "cosigned"
    MIRRORED = "mirrored"


class FinalSizes(NamedTuple):
    """Numbers of first messages of a chain that have reached a stage; 0 where none has."""

    covered: int
    cosigned: int
    mirrored: int

    def stage_of(self, position: int) -> Finality:
        """Return the strongest stage of the message at a position."""
        if position < self.mirrored:
            return Finality.MIRRORED
        if position < self.cosigned:
            return Finality.COSIGNED
        return Finality.COVERED if position < self.covered else Finality.RECORDED

    def stages_of(self, positions: Iterable[int]) -> list[Finality]:
        """Return the stages of messages at some positions, each once, the weakest first."""
        present = set(map(self.stage_of, positions))
        return [stage for stage in Finality if stage in present]


def final_sizes(log: Log, size: int) -> FinalSizes:
    """Return how many messages have reached each stage, as the first ``size`` messages record it.

    The cost does not grow with the log. Signatures were verified when they were recorded.
    """

    def newest(kind: type[Signed], limit: int) -> Iterator[Signed]:
        found = log.find(Query(types=(kind.__name__,)), before=size, limit=limit, backwards=True)
        events = (recorded.event for recorded in events_at(log, found))
        return (one for one in events if isinstance(one, kind))

    signed = newest(CheckpointSigned, 1)
    first, later = tee(newest(CheckpointCosigned, COSIGNATURES_MAX))
    held = (one for one in later if one.is_mirror)
    return FinalSizes(*(next((one.size for one in found), 0) for found in (signed, first, held)))


class SealState(StrEnum):
    """Whether a source sealed a command; the values are keys of the word catalogues."""

    SEALED = "sealed"
    UNSEALED = "unsealed"
    UNABLE = "unable"
    UNREGISTERED = "unregistered"
    OWN_SEAL = "own_seal"


class OriginSeal(NamedTuple):
    """Seal of the source of a fact: its state, the source, and if sealed, number and position."""

    state: SealState
    system: str
    number: int = 0
    position: int = 0


def origin_seal(log: Log, position: int, size: int) -> OriginSeal:
    """Return by whom the command of a fact was sealed, as the first ``size`` messages record it.

    The command is found by its mark; `reconcile` compares the digest of the whole seal. The cost
    does not grow with the log.
    """
    (fact,) = events_at(log, [position])
    envelope, system = fact.envelope, system_of(fact.envelope.source)
    if isinstance(fact.event, SourceSealed):
        return OriginSeal(SealState.OWN_SEAL, fact.event.system)
    later = log.find(events_of(SourceSealed, system), after=position, before=size, limit=SEALS_MAX)
    for one in (*events_at(log, later), *newest_of(log, SourceSealed, system, before=position)):
        if number := _number_in(one.event, envelope):
            return OriginSeal(SealState.SEALED, system, number, one.position)
    for one in newest_of(log, SourceRegistered, system, before=size):
        is_able = isinstance(one.event, SourceRegistered) and bool(one.event.certificate)
        return OriginSeal(SealState.UNSEALED if is_able else SealState.UNABLE, system)
    return OriginSeal(SealState.UNREGISTERED, system)


def events_of(kind: type, system: str) -> Query:
    """Return the query for the events of a type that are of a source."""
    return Query(types=(kind.__name__,), tags=(f"system:{system}",))


def newest_of(log: Log, kind: type, system: str, *, before: int) -> Iterator[RecordedEvent]:
    """Yield the newest event of a type and a source before a position, if there is one."""
    found = log.find(events_of(kind, system), before=before, limit=1, backwards=True)
    return events_at(log, found)


def origin_seals(log: Log, positions: Iterable[int], size: int) -> dict[int, OriginSeal]:
    """Return the seals of those facts that their sources sealed, by position."""
    if not log.find(Query(types=(SourceSealed.__name__,)), before=size, limit=1):
        return {}
    found = {position: origin_seal(log, position, size) for position in positions}
    return {at: seal for at, seal in found.items() if seal.state is SealState.SEALED}


def _number_in(event: object, envelope: Envelope) -> int:
    """Return the number of a command in a seal; 0 if the seal does not have it."""
    if not isinstance(event, SourceSealed):
        return 0
    places = places_in(event.marks, mark_of(envelope.command_id))
    return next((event.first_number + place for place in places), 0)
