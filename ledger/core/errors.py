"""Tree of errors, sorted by the party that must act.

LedgerError            unexpected, or found wrong on request     exit 1
├── InputError         the caller sent something wrong           exit 2, never recorded
├── IntegrityError     the log disagrees with itself             exit 3, never retried
├── AvailabilityError  a disk, broker or database is away        exit 4, a repeat is safe
├── AuthorizationError not allowed                               exit 5
└── FencedError        another writer took over                  exit 6, never retried here

All machine-readable properties of an error are here: ``exit_code`` of the program and ``kind`` in
the response to a line (public names); ``in_words`` is its description for a person. Errors of other
modules inherit from one of these.

A *refusal* is not an error: it is a decision, recorded as an event and answered with a receipt
(see ``ledger.core.refusals``).
"""

from __future__ import annotations

from typing import ClassVar

__all__ = [
    "KINDS",
    "AuthorizationError",
    "AvailabilityError",
    "FencedError",
    "InputError",
    "IntegrityError",
    "LedgerError",
]


class LedgerError(Exception):
    """Base of every error of this package; the text names fact, place and next step.

    It is made of a text, or of a :class:`~ledger.core.phrases.Phrase` that pages show in the
    reader's language.
    """

    exit_code: ClassVar[int] = 1
    kind: ClassVar[str] = "error"
    in_words: ClassVar[str] = "error"


class InputError(LedgerError):
    """The caller sent an invalid request; correct the request and send it again."""

    exit_code: ClassVar[int] = 2
    kind: ClassVar[str] = "input"
    in_words: ClassVar[str] = "input"


class IntegrityError(LedgerError):
    """The log contradicts itself.

    ``position`` is the position of the first fault in the chain; None if it is not known.
    """

    exit_code: ClassVar[int] = 3
    kind: ClassVar[str] = "integrity"
    in_words: ClassVar[str] = "integrity"

    def __init__(self, message: object, *, position: int | None = None) -> None:
        """Store the position with the text."""
        super().__init__(message)
        self.position = position


class AvailabilityError(LedgerError):
    """A disk, broker, lock or clock is not usable now; sending the same command again is safe."""

    exit_code: ClassVar[int] = 4
    kind: ClassVar[str] = "availability"
    in_words: ClassVar[str] = "not available"


class AuthorizationError(LedgerError):
    """The caller is not authorised to do this."""

    exit_code: ClassVar[int] = 5
    kind: ClassVar[str] = "authorization"
    in_words: ClassVar[str] = "not allowed"


class FencedError(LedgerError):
    """Another writer took over the log; this writer has stopped and must not continue.

    Commands that it had not acknowledged may have been recorded. The new writer answers such a
    command, sent again, with the receipt of the first one.
    """

    exit_code: ClassVar[int] = 6
    kind: ClassVar[str] = "fenced"
    in_words: ClassVar[str] = "fenced"


_TREE: list[type[LedgerError]] = [LedgerError, *LedgerError.__subclasses__()]
KINDS = {error.kind: error for error in _TREE}
"""The errors of the tree by their name in responses."""
