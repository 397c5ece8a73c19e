"""What can go wrong, sorted by who must act.

LedgerError
├── InputError         the caller sent something wrong           exit 2, never recorded
├── IntegrityError     the log disagrees with itself             exit 3, never retried
├── AvailabilityError  a disk, broker or database is away        exit 4, a repeat is safe
├── AuthorizationError not allowed                               exit 5
└── FencedError        another writer took over                  exit 6, never retried here

A *refusal* is none of these: it is a decision, recorded as an event and answered with a
receipt (see ``ledger.core.refusals``).
"""

from __future__ import annotations

from typing import ClassVar

__all__ = [
    "AuthorizationError",
    "AvailabilityError",
    "FencedError",
    "InputError",
    "IntegrityError",
    "LedgerError",
]


class LedgerError(Exception):
    """Base of every error of this package; the text names fact, place and next step."""

    exit_code: ClassVar[int] = 1


class InputError(LedgerError):
    """The caller sent something that can't be decided: correct it and send it again."""

    exit_code: ClassVar[int] = 2


class IntegrityError(LedgerError):
    """The log disagrees with itself.

    ``position`` is the place of the first fault in the chain, where it is known.
    """

    exit_code: ClassVar[int] = 3

    def __init__(self, message: str, *, position: int | None = None) -> None:
        """Keep the place beside the text."""
        super().__init__(message)
        self.position = position


class AvailabilityError(LedgerError):
    """A disk, a broker, a lock or a clock is not usable now; the same command may be sent again."""

    exit_code: ClassVar[int] = 4


class AuthorizationError(LedgerError):
    """The caller may not do this."""

    exit_code: ClassVar[int] = 5


class FencedError(LedgerError):
    """Another writer took over the log: this one has stopped for good and must not come back.

    What it had not acknowledged may have been recorded; the same command, sent to the new
    writer, gets the first receipt if it was.
    """

    exit_code: ClassVar[int] = 6
