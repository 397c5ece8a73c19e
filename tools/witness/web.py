"""HTTP requests to witnesses and time-stamp authorities, bounded in time and response size."""

from __future__ import annotations

import asyncio
import ssl
from functools import cache
from typing import NamedTuple

import httpx

from ledger.core.errors import AvailabilityError

__all__ = ["Answer", "send_request"]


class Answer(NamedTuple):
    """A response: the status, the whole body, and over TLS the server's certificate in DER."""

    status: int
    body: bytes
    certificate: bytes = b""


def send_request(
    url: str,
    content: bytes | None = None,
    *,
    kind: str = "text/plain; charset=utf-8",
    encoding: str = "",
    seconds: float,
    bytes_max: int,
    tls: ssl.SSLContext | None = None,
) -> Answer:
    """Send a POST with a body, or a GET without; the whole response must arrive in time.

    Args:
        url: with http or https; redirects are not followed.
        content: the body; None sends a GET.
        kind: media type of the body.
        encoding: in which the body is sent, such as gzip; as it is by default.
        seconds: timeout of the whole exchange.
        bytes_max: limit on the response.
        tls: trusted authorities and client certificate; None trusts what this machine trusts.

    Raises:
        AvailabilityError: no response, none in time, or one that is too long.

    """
    try:
        return asyncio.run(
            _send_request(
                url,
                content,
                kind=kind,
                encoding=encoding,
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


async def _send_request(
    url: str,
    content: bytes | None,
    *,
    kind: str,
    encoding: str,
    seconds: float,
    bytes_max: int,
    tls: ssl.SSLContext,
) -> Answer:
    """Send the request under one deadline: a timeout per read would not bound the exchange."""
    method = "GET" if content is None else "POST"
    headers = {} if content is None else {"Content-Type": kind}
    if encoding:
        headers["Content-Encoding"] = encoding
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
    """Return a context that trusts this machine's authorities, or those of ``SSL_CERT_FILE``."""
    return ssl.create_default_context()
