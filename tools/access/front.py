"""The state of the chain: what the front page shows first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from ledger.core import events as e
from ledger.log.port import Query, events_at
from projections.replay.rounds import RoundLine  # noqa: TC001 - msgspec reads the types

if TYPE_CHECKING:
    from ledger.core.encoding import Recorded
    from tools.access.desk import Asked

_Event = TypeVar("_Event", bound=e.Event)

__all__ = ["ChainState", "Checkpointed", "front"]

ROUNDS = 10


@dataclass(frozen=True, slots=True)
class Checkpointed:
    """The last signed checkpoint: what it covers, by which key, and where it stands."""

    position: int
    recorded_at: int
    size: int
    key_id: str


@dataclass(frozen=True, slots=True)
class ChainState:
    """How far log and tables are, and what vouches for them.

    ``accesses`` is the size of the chain of accesses that the chain itself recorded last.
    """

    operator: str
    operator_name: str
    log_size: int
    size: int
    checkpoint: Checkpointed | None
    accesses: int
    rounds: tuple[RoundLine, ...]


def front(asked: Asked) -> ChainState:
    """Find the state of the chain, in the log; the tables are only named."""
    sources, size = asked.sources, asked.size
    signed = _last(asked, e.CheckpointSigned)
    accesses = _last(asked, e.AccessHeadRecorded)
    return ChainState(
        sources.opening.operator,
        sources.opening.operator_name,
        asked.log.head().size,
        min(sources.projected.size, size),
        Checkpointed(
            signed[0].position, signed[0].envelope.recorded_at, signed[1].size, signed[1].key_id
        )
        if signed
        else None,
        accesses[1].size if accesses else 0,
        sources.lines.newest(size, ROUNDS),
    )


def _checkpointed(at: Recorded, signed: e.CheckpointSigned) -> Checkpointed:
    return Checkpointed(at.position, at.envelope.recorded_at, signed.size, signed.key_id)


def _last(asked: Asked, kind: type[_Event]) -> tuple[Recorded, _Event] | None:
    """Find the last event of a type."""
    query = Query(types=(kind.__name__,))
    found = asked.log.find(query, before=asked.size, limit=1, backwards=True)
    for recorded in events_at(asked.log, found):
        if isinstance(recorded.event, kind):
            return recorded, recorded.event
    return None
