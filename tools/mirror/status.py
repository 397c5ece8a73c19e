"""How far the copies of a mirror are, and which of them are late, silent or damaged."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from ledger.core.clock import SECOND
from ledger.core.errors import LedgerError
from ledger.log.port import envelope_at
from ledger.log.sqlite import SqliteLog
from tools.mirror.folder import MirroredOperator, MirrorFolder

if TYPE_CHECKING:
    from ledger.core.clock import Clock
    from ledger.tlog.cosigning import CosignerKey
    from ledger.tlog.notes import Note
    from tools.witness.state import WitnessedLog

__all__ = ["CopyStatus", "copies_of", "is_silent"]


@dataclass(frozen=True, slots=True)
class CopyStatus:
    """A copy: how many messages are announced, held and signed; when the last was recorded.

    ``is_late``: an announced checkpoint has not been held for longer than the operator's limit;
    ``is_silent``: nothing was recorded for longer than its limit; ``fault`` is what is damaged.
    """

    log: str
    operator: str
    contact: str
    announced: int
    held: int
    signed_at: int | None
    recorded_at: int | None
    is_late: bool
    is_silent: bool
    fault: str
    source: str
    data: str


def copies_of(folder: MirrorFolder, now: int) -> list[CopyStatus]:
    """Return how far the copies of a mirror are at a moment.

    Raises:
        IntegrityError: the state of the mirror is damaged.

    """
    key = folder.own_keys()[0].public
    return [_copy_status(folder, memory, key, now) for memory in folder.remembered()]


class _Record(NamedTuple):
    """What is stored of a log: its operator, the signed checkpoint, and when that ends."""

    operator: MirroredOperator
    signed: Note | None
    recorded_at: int | None
    fault: str

    @classmethod
    def read(cls, folder: MirrorFolder, origin: str) -> _Record:
        """Read what can be read; ``fault`` is what is damaged."""
        known, signed, recorded_at, fault = MirroredOperator(), None, None, ""
        try:
            known = folder.operator_of(origin)
            if signed := folder.signed(origin):
                recorded_at = _recorded_at(folder, origin, signed)
        except LedgerError as error:
            fault = str(error)
        return cls(known, signed, recorded_at, fault)

    def is_silent(self, now: int) -> bool:
        return now - (self.recorded_at or 0) > self.operator.silence_seconds * SECOND > 0


def _copy_status(
    folder: MirrorFolder, memory: WitnessedLog, key: CosignerKey, now: int
) -> CopyStatus:
    origin = memory.origin
    record, waiting = _Record.read(folder, origin), folder.waiting_since(origin)
    known, signed = record.operator, record.signed
    return CopyStatus(
        log=origin,
        operator=known.name,
        contact=known.contact,
        announced=memory.size,
        held=signed.head.size if signed else 0,
        signed_at=_signed_at(signed, key) if signed else None,
        recorded_at=record.recorded_at,
        is_late=waiting is not None and now - waiting > known.lag_seconds * SECOND,
        is_silent=record.is_silent(now),
        fault=record.fault,
        source=known.source,
        data=str(folder.data_of(origin)),
    )


def _signed_at(note: Note, key: CosignerKey) -> int | None:
    lines = [line.signature for line in note.signatures if line.key_id == key.key_id]
    return key.parse_cosignature(lines[-1]).seconds * SECOND if lines else None


def _recorded_at(folder: MirrorFolder, origin: str, signed: Note) -> int:
    with closing(SqliteLog(folder.data_of(origin), writable=False)) as log:
        return envelope_at(log, signed.head.size - 1).recorded_at


def is_silent(folder: MirrorFolder, origin: str, *, clock: Clock) -> bool:
    """Return whether a log recorded nothing for longer than its limit."""
    return _Record.read(folder, origin).is_silent(clock.now())
