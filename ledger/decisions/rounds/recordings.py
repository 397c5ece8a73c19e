"""Storage of video and sound of a round, and destruction of records (ZHH 84, D466 2).

The recording itself stays in the studio's storage; its digest proves that it was not changed.
"""

from __future__ import annotations

from datetime import date, datetime
from typing import TYPE_CHECKING, Annotated, Literal

from msgspec import Meta

from ledger.core.clock import day_of, from_datetime
from ledger.core.errors import InputError
from ledger.events import event_types as e
from ledger.events.command import Command, Id, Name, Text

if TYPE_CHECKING:
    from ledger.state.ledger_state import LedgerState

__all__ = ["DestroyRecord", "KeepRecording", "destroy_record", "keep_recording"]

Moment = Annotated[datetime, Meta(tz=True)]


class KeepRecording(Command, frozen=True):
    """Record where a camera's recording of a round is stored, and the time it covers.

    ``digest`` is SHA-256 of the recording in hexadecimal, if it is known.
    """

    round: Id
    camera: Id
    recording: Name
    begins_at: Moment
    ends_at: Moment
    sound: bool
    digest: Annotated[str, Meta(max_length=64, pattern=r"^([0-9a-f]{64})?\Z")] = ""


class DestroyRecord(Command, frozen=True):
    """Record that a recording or document outside the chain was destroyed.

    Records are kept for three years from the day on which they were made (D466 2); an earlier
    destruction is recorded as well, and ``gameledger reconcile`` finds it.
    """

    kind: Literal["recording", "document"]
    record: Name
    made_on: date
    by: Name
    reason: Text


def keep_recording(ledger_state: LedgerState, command: KeepRecording, _: int) -> list[e.Event]:
    """Decide :class:`KeepRecording`; the recording must overlap the round."""
    state = ledger_state.round(command.round)
    begins_at, ends_at = from_datetime(command.begins_at), from_datetime(command.ends_at)
    if begins_at >= ends_at:
        raise InputError(f"the recording {command.recording} ends before it begins")
    if ends_at < state.opened_at:
        raise InputError(f"the recording {command.recording} ends before round {command.round}")
    return [command.as_event(e.RecordingKept, begins_at=begins_at, ends_at=ends_at)]


def destroy_record(_ledger_state: LedgerState, command: DestroyRecord, now: int) -> list[e.Event]:
    """Decide :class:`DestroyRecord`; a record with a future date is rejected."""
    made_on = command.made_on.isoformat()
    if made_on > day_of(now):
        raise InputError(
            f"the record {command.record} would be made after today: correct `made_on`"
        )
    return [command.as_event(e.RecordDestroyed, made_on=made_on)]
