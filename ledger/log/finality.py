"""How final a recorded fact is: who could still replace it without being found.

What comes in: a log. What goes out: for a position, the strongest of four stages that the log has a
record of. Each stage includes those before it. Whether a witness or mirror is independent of the
operator is for the reader to judge, by a policy.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from ledger.events.event_types import CheckpointCosigned, CheckpointSigned
from ledger.log.port import Query, events_at

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ledger.log.port import Log

__all__ = ["FinalSizes", "Finality", "final_sizes"]

COSIGNATURES_MAX = 64
"""Newest cosignatures that are searched for one of a mirror."""


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

    def newest(kind: str, limit: int) -> list[CheckpointSigned | CheckpointCosigned]:
        found = log.find(Query(types=(kind,)), before=size, limit=limit, backwards=True)
        events = (recorded.event for recorded in events_at(log, found))
        return [one for one in events if isinstance(one, CheckpointSigned | CheckpointCosigned)]

    signed = newest(CheckpointSigned.__name__, 1)
    cosigned = newest(CheckpointCosigned.__name__, COSIGNATURES_MAX)
    held = (one for one in cosigned if isinstance(one, CheckpointCosigned) and one.is_mirror)
    sizes = (next((one.size for one in found), 0) for found in (signed, iter(cosigned), held))
    return FinalSizes(*sizes)
