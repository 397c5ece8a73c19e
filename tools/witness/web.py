"""Requests to witnesses and authorities, which may be slow, down, or send without end."""

from __future__ import annotations

import asyncio
import ssl
from functools import cache
from typing import NamedTuple

import httpx

from ledger.core.errors import AvailabilityError

__all__ = ["Answer", "ask"]


class Answer(NamedTuple):
    """What came back: the status, the body whole, and by TLS the server's certificate in DER."""

    status: int
    body: bytes
    certificate: bytes = b""


def ask(
    url: str,
    content: bytes | None = None,
    *,
    kind: str = "text/plain; charset=utf-8",
    seconds: float,
    bytes_max: int,
    tls: ssl.SSLContext | None = None,
) -> Answer:
    """Post bytes, or get without them; the whole answer has to come in time.

    Args:
        url: with http or https; redirects are not followed.
        content: the body; None asks by GET.
        kind: type of the body.
        seconds: for all of it.
        bytes_max: of the answer.
        tls: whom to trust, and who we are; by default whom this machine trusts.

    Raises:
        AvailabilityError: no answer, none in time, or one that is too long.

    """
    try:
        return asyncio.run(
            _ask(
                url,
                content,
                kind=kind,
                seconds=seconds,
                bytes_max=bytes_max,
                tls=tls or _trusted(),
            )
        )
    except TimeoutError as error:
        raise AvailabilityError(f"{url} did not answer within {seconds:g} s") from error
    except (httpx.HTTPError, httpx.InvalidURL, ValueError) as error:
        reason = str(error) or type(error).__name__
        raise AvailabilityError(f"{url} can't be asked ({reason})") from error


async def _ask(
    url: str,
    content: bytes | None,
    *,
    kind: str,
    seconds: float,
    bytes_max: int,
    tls: ssl.SSLContext,
) -> Answer:
    """Ask under one deadline for all of it: each byte alone might come soon enough."""
    method = "GET" if content is None else "POST"
    headers = {} if content is None else {"Content-Type": kind}
    body = b""
    async with (
        asyncio.timeout(seconds),
        httpx.AsyncClient(timeout=None, verify=tls) as client,  # noqa: S113 - the line above
        client.stream(method, url, content=content, headers=headers) as answer,
    ):
        tls_end = answer.extensions["network_stream"].get_extra_info("ssl_object")
        shown = tls_end.getpeercert(binary_form=True) if tls_end is not None else None
        async for part in answer.aiter_raw():
            body += part
            if len(body) > bytes_max:
                raise AvailabilityError(f"{url} sends more than {bytes_max} bytes")
        return Answer(answer.status_code, body, shown or b"")


@cache
def _trusted() -> ssl.SSLContext:
    """Trust whom this machine trusts; ``SSL_CERT_FILE`` names others."""
    return ssl.create_default_context()
