"""The state of the chain: what the front page shows first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from projections.replay.rounds import RoundLine, list_rounds

if TYPE_CHECKING:
    from tools.access.desk import Asked

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
    """Find the state of the chain."""
    store, size = asked.store, asked.size
    (opened,) = store.rows("SELECT operator, operator_name FROM ChainOpened WHERE position = 0")
    signed = store.rows(
        "SELECT position, recorded_at, size, key_id FROM CheckpointSigned "
        "WHERE position < {at:Int64} ORDER BY position DESC LIMIT 1",
        at=size,
    )
    accesses = store.value(
        "SELECT size FROM AccessHeadRecorded WHERE position < {at:Int64} "
        "ORDER BY position DESC LIMIT 1",
        at=size,
    )
    return ChainState(
        opened["operator"],
        opened["operator_name"],
        asked.log.head().size,
        size,
        Checkpointed(**signed[0]) if signed else None,
        accesses or 0,
        list_rounds(store, limit=ROUNDS, at=size).rounds,
    )
