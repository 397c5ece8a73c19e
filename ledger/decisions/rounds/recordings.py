"""Storage of picture and sound of a round (ZHH 84).

The recording itself stays in the studio's storage; its digest proves that it was not changed.
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Annotated

from msgspec import Meta

from ledger.core import events as e
from ledger.core.clock import from_datetime
from ledger.core.command import Command, Id, Name
from ledger.core.errors import InputError

if TYPE_CHECKING:
    from ledger.state.ledger_state import LedgerState

__all__ = ["KeepRecording", "keep_recording"]

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


def keep_recording(world: LedgerState, command: KeepRecording, _: int) -> list[e.Event]:
    """Decide :class:`KeepRecording`; the recording must overlap the round."""
    state = world.round(command.round)
    begins_at, ends_at = from_datetime(command.begins_at), from_datetime(command.ends_at)
    if begins_at >= ends_at:
        raise InputError(f"the recording {command.recording} ends before it begins")
    if ends_at < state.opened_at:
        raise InputError(f"the recording {command.recording} ends before round {command.round}")
    return [command.as_event(e.RecordingKept, begins_at=begins_at, ends_at=ends_at)]
