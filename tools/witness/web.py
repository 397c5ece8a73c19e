"""Requests to witnesses and authorities, who may be slow, away, or send without end."""

from __future__ import annotations

import ssl
import time
from functools import cache
from typing import NamedTuple

import httpx

from ledger.core.errors import AvailabilityError

__all__ = ["Answer", "ask"]


class Answer(NamedTuple):
    """What came back: the status, and the body whole."""

    status: int
    body: bytes


def ask(
    url: str,
    content: bytes | None = None,
    *,
    kind: str = "text/plain; charset=utf-8",
    seconds: float,
    bytes_max: int,
) -> Answer:
    """Post bytes, or get without them; the whole answer has to come in time.

    Args:
        url: with http or https; nobody is followed to another.
        content: the body; None asks by GET.
        kind: type of the body.
        seconds: for all of it.
        bytes_max: of the answer.

    Raises:
        AvailabilityError: no answer, none in time, or one that is too long.

    """
    until = time.monotonic() + seconds
    method = "GET" if content is None else "POST"
    headers = {} if content is None else {"Content-Type": kind}
    body = b""
    try:
        with (
            httpx.Client(timeout=seconds, verify=_trusted()) as client,
            client.stream(method, url, content=content, headers=headers) as answer,
        ):
            for part in answer.iter_raw():
                body += part
                if len(body) > bytes_max:
                    raise AvailabilityError(f"{url} sends more than {bytes_max} bytes")
                if time.monotonic() > until:
                    raise AvailabilityError(f"{url} did not answer within {seconds:g} s")
            return Answer(answer.status_code, body)
    except httpx.TimeoutException as error:
        raise AvailabilityError(f"{url} did not answer within {seconds:g} s") from error
    except (httpx.HTTPError, httpx.InvalidURL, ValueError) as error:
        raise AvailabilityError(
            f"{url} can't be asked ({error or type(error).__name__})"
        ) from error


@cache
def _trusted() -> ssl.SSLContext:
    """Trust whom this machine trusts; ``SSL_CERT_FILE`` names others."""
    return ssl.create_default_context()
