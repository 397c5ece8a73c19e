"""Errors, by who must act, and how they follow from responses (RFC 9457)."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    import httpx

__all__ = [
    "AccessError",
    "DamagedError",
    "GameledgerError",
    "RequestError",
    "UnavailableError",
    "error_of",
]

RETRY_STATUSES = {
    HTTPStatus.REQUEST_TIMEOUT,
    HTTPStatus.TOO_MANY_REQUESTS,
    HTTPStatus.BAD_GATEWAY,
    HTTPStatus.SERVICE_UNAVAILABLE,
    HTTPStatus.GATEWAY_TIMEOUT,
}


class GameledgerError(Exception):
    """Every error of this package."""


class RequestError(GameledgerError):
    """The command or question is wrong as it is; a repeat does not help."""


class AccessError(GameledgerError):
    """Certificate, token, role or scope does not suffice."""


class UnavailableError(GameledgerError):
    """No answer in time; whether a command was decided is unknown. A repeat is safe.

    ``retry_seconds`` is how long the server asked to wait.
    """

    retry_seconds = 0.0


class DamagedError(GameledgerError):
    """The log, or the response, is damaged; never repeat by program."""


class _Problem(msgspec.Struct):
    detail: str = ""


def error_of(response: httpx.Response) -> GameledgerError:
    """Return the error of a response that is read and not successful."""
    try:
        detail = msgspec.json.decode(response.content, type=_Problem).detail
    except (msgspec.DecodeError, UnicodeDecodeError):
        detail = ""
    status = HTTPStatus(response.status_code)
    text = f"{response.request.url}: {status.value} {detail or status.phrase}"
    if status in RETRY_STATUSES:
        error = UnavailableError(text)
        retry_after = response.headers.get("Retry-After", "")
        error.retry_seconds = (
            float(retry_after) if retry_after.isascii() and retry_after.isdigit() else 0.0
        )
        return error
    if status in {HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN}:
        return AccessError(text)
    return DamagedError(text) if status >= HTTPStatus.INTERNAL_SERVER_ERROR else RequestError(text)
