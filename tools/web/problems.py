"""Problem documents (RFC 9457): the errors of the ledger mapped to HTTP.

The text of a ledger error names fact, place and next step and never a secret, so it is sent
unchanged; of a bug only the fact that it happened is reported.
"""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from starlette.responses import Response

from ledger.core.errors import (
    AuthorizationError,
    AvailabilityError,
    FencedError,
    InputError,
    IntegrityError,
    LedgerError,
)
from ledger.core.phrases import Phrase
from tools.sanitize import escape_controls, json_line

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = [
    "MEDIA_TYPE",
    "PROBLEM",
    "REPEAT_SECONDS",
    "CancelledQueryError",
    "NotModifiedError",
    "ProblemError",
    "as_problem",
    "document_of",
    "not_found",
    "problem_of",
    "reason_of",
    "response_of",
]

MEDIA_TYPE = "application/problem+json"
PREFIX = "urn:gameledger:problem:"
STATUS: dict[type[LedgerError], HTTPStatus] = {
    InputError: HTTPStatus.BAD_REQUEST,
    AuthorizationError: HTTPStatus.FORBIDDEN,
    IntegrityError: HTTPStatus.INTERNAL_SERVER_ERROR,
    AvailabilityError: HTTPStatus.SERVICE_UNAVAILABLE,
    FencedError: HTTPStatus.SERVICE_UNAVAILABLE,
}
REPEAT_SECONDS = 2
PROBLEM: dict[str, Any] = {
    "type": "object",
    "required": ["type", "title", "status", "detail"],
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
    },
}
"""The schema of a problem document."""


class ProblemError(Exception):
    """An error response; ``kind`` is the stable last part of the problem type.

    ``detail`` is its text in English; ``reason`` is that text, or the phrase it is formatted from.
    """

    def __init__(
        self,
        status: HTTPStatus,
        kind: str,
        reason: str | Phrase,
        *,
        headers: Mapping[str, str] | None = None,
        **more: Any,
    ) -> None:
        """Store status, type and text of the problem."""
        super().__init__(reason)
        self.status, self.kind, self.reason = status, kind, reason
        self.detail = escape_controls(str(reason))
        self.headers, self.more = dict(headers or {}), more


class CancelledQueryError(ProblemError):
    """A query cancelled during execution: the time and text of its error may disclose data."""


class NotModifiedError(Exception):
    """The reader already has the answer (HTTP 304); ``headers`` are those of the full response."""

    def __init__(self, headers: Mapping[str, str]) -> None:
        """Store the headers."""
        super().__init__(headers)
        self.headers = dict(headers)


def not_found(reason: str | Phrase) -> ProblemError:
    """Return the error for an object that does not exist."""
    return ProblemError(HTTPStatus.NOT_FOUND, "unknown", reason)


def problem_of(error: LedgerError) -> ProblemError:
    """Map an error of the ledger to HTTP."""
    status = next(
        (status for kind, status in STATUS.items() if isinstance(error, kind)),
        HTTPStatus.INTERNAL_SERVER_ERROR,
    )
    headers = (
        {"Retry-After": str(REPEAT_SECONDS)} if status is HTTPStatus.SERVICE_UNAVAILABLE else {}
    )
    position = getattr(error, "position", None)
    more = {} if position is None else {"position": position}
    return ProblemError(status, error.kind, reason_of(error), headers=headers, **more)


def reason_of(error: Exception) -> str | Phrase:
    """Return the phrase of an error, or its text."""
    phrase = error.args[0] if error.args else None
    return phrase if isinstance(phrase, Phrase) else str(error)


def as_problem(error: Exception) -> ProblemError:
    """Convert any error to a problem; an error that is not ours becomes an internal error."""
    if isinstance(error, ProblemError):
        return error
    if isinstance(error, LedgerError):
        return problem_of(error)
    text = Phrase("SERVICE_FAULT")
    return ProblemError(HTTPStatus.INTERNAL_SERVER_ERROR, "error", text)


def document_of(problem: ProblemError) -> dict[str, Any]:
    """Return the problem document."""
    return {
        "type": PREFIX + problem.kind,
        "title": problem.status.phrase,
        "status": problem.status.value,
        "detail": problem.detail,
        **problem.more,
    }


def response_of(problem: ProblemError) -> Response:
    """Return the response with a problem document."""
    return Response(
        json_line(document_of(problem)),
        status_code=problem.status,
        media_type=MEDIA_TYPE,
        headers={"Cache-Control": "no-store", **problem.headers},
    )
