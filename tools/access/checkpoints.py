"""List checkpoints of the log with their cosignatures and time stamps, newest first."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import dropwhile, islice
from typing import TYPE_CHECKING

from ledger.core.units import Count, Moment
from ledger.log.checkpoints import checkpoints

if TYPE_CHECKING:
    from ledger.log.checkpoints import AttestedCheckpoint
    from ledger.log.port import Log

__all__ = ["CheckpointLine", "Checkpoints", "Cosigner", "Stamper", "line_of", "list_checkpoints"]


@dataclass(frozen=True, slots=True)
class Cosigner:
    """A witness, by its verifier key, and when its cosignature was recorded (microseconds)."""

    key: str
    recorded_at: int


@dataclass(frozen=True, slots=True)
class Stamper:
    """An authority, and the moment of its stamp (microseconds)."""

    authority: str
    moment: int


@dataclass(frozen=True, slots=True)
class CheckpointLine:
    """A checkpoint: where it stands, how many messages it covers, and who vouches for it.

    Every cosignature and stamp is good; which of them to trust is the reader's decision.
    """

    position: Count
    recorded_at: Moment
    size: Count
    root: str
    note: str
    cosigned: tuple[Cosigner, ...]
    stamped: tuple[Stamper, ...]


@dataclass(frozen=True, slots=True)
class Checkpoints:
    """A page of checkpoints, newest first; ``before`` asks for the next page, if there is one."""

    checkpoints: tuple[CheckpointLine, ...]
    before: int | None


def list_checkpoints(log: Log, *, before: int | None, limit: int) -> Checkpoints:
    """List checkpoints, newest first.

    Args:
        log: any log.
        before: only those recorded before this position.
        limit: checkpoints on the page.

    """
    behind = dropwhile(lambda one: before is not None and one.position >= before, checkpoints(log))
    found = [line_of(one) for one in islice(behind, limit + 1)]
    more = len(found) > limit
    return Checkpoints(tuple(found[:limit]), found[limit - 1].position if more else None)


def line_of(found: AttestedCheckpoint) -> CheckpointLine:
    """Return the line for a checkpoint of a log."""
    return CheckpointLine(
        found.position,
        found.recorded_at,
        found.size,
        found.log_note.head.root.hex(),
        str(found.note),
        tuple(Cosigner(one.key.text, one.recorded_at) for one in found.cosignatures),
        tuple(Stamper(one.authority, one.moment) for one in found.stamps),
    )
