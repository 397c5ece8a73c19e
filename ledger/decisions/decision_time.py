"""Check the time limit of a player's decision; a late decision is refused.

What comes in: a command with the first and the last time at which the player could decide, by the
clock of the platform; they are recorded with each decision. What goes out: nothing, or a refusal
that names the last time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from ledger.core.clock import from_datetime
from ledger.core.errors import InputError
from ledger.core.refusals import RefusedError

if TYPE_CHECKING:
    from datetime import datetime

__all__ = ["require_in_time"]


class _Decision(Protocol):
    @property
    def occurred_at(self) -> datetime | None: ...
    @property
    def by(self) -> str: ...
    @property
    def asked_at(self) -> int: ...
    @property
    def until(self) -> int: ...


def require_in_time(command: _Decision, now: int) -> None:
    """Refuse a player's own decision after its time limit; an automatic decision is never late.

    Raises:
        RefusedError: DECISION_TOO_LATE.
        InputError: the time ends before it begins.

    """
    if 0 < command.until < command.asked_at:
        raise InputError("the time to decide ends before it begins: `until` and `asked_at`")
    at = now if command.occurred_at is None else from_datetime(command.occurred_at)
    if command.by == "player" and 0 < command.until < at:
        raise RefusedError("DECISION_TOO_LATE", until=command.until)
