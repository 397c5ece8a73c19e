"""Request framing: refuse requests whose end two HTTP parsers could see at different places.

A proxy and the server behind it must agree where a body ends; otherwise the rest of one request is
taken for the next, which may be another client's (request smuggling). h11 follows RFC 9112 where it
allows a choice, and the other parser may have chosen differently. So a head is refused before it is
parsed if it gives the length of its body twice, ends a line with LF alone or folds one; the
connection is then closed. It is also closed after a response that was sent before the body was
read.
"""

from __future__ import annotations

import asyncio
import re
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import h11

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.types import ASGIApp, Message, Receive, Scope, Send

__all__ = ["GONE", "READS_ON", "Connection", "closing_unread", "fault_of"]

READS_ON = "gameledger.reads_on"
"""A request's scope has it where the body is read while the answer is given."""
GONE = "gameledger.gone"
"""A request's scope has there the event that is set when its client has hung up."""
LINGER_SECONDS = 0.5
"""How long the rest of a body is taken, so that its answer is not lost with the connection."""
LINGER_BYTES_MAX = 1 << 20
CLOSE = (b"connection", b"close")
_BLANK = re.compile(rb"\n\r?\n")


class Connection(h11.Connection):
    """A server connection; ``fault`` is the reason why a head was refused."""

    fault = ""

    def next_event(self) -> Any:
        """Parse the next event.

        Raises:
            h11.RemoteProtocolError: the data is not HTTP, or the end of the request is ambiguous.

        """
        if self.their_state is h11.IDLE:
            head, _ = self.trailing_data
            self.fault = fault_of(head)
            if self.fault:
                raise h11.RemoteProtocolError(self.fault)
        return super().next_event()


def fault_of(received: bytes) -> str:
    """Return why a head is ambiguous; empty if it is not, or is not complete yet."""
    blank = _BLANK.search(received)
    if blank is None:
        return ""
    request, *lines = received[: blank.start() + 1].split(b"\n")[:-1]
    if any(line[-1:] != b"\r" for line in (request, *lines)):
        return "a line of the head ends with LF alone: end it with CR LF"
    if any(line[:1] in {b" ", b"\t"} for line in lines):
        return "a header is folded: write it on one line"
    fields = [line.partition(b":") for line in lines]
    values: dict[bytes, list[bytes]] = {}
    for name, _, value in fields:
        values.setdefault(name.strip().lower(), []).append(value)
    lengths = values.get(b"content-length", [])
    codings = values.get(b"transfer-encoding", [])
    if lengths and codings:
        return "a body has a Content-Length or a Transfer-Encoding, not both"
    if len(lengths) > 1 or any(b"," in one for one in lengths):
        return "Content-Length is given twice: give it once"
    if len(codings) > 1:
        return "Transfer-Encoding is given twice: give it once"
    if codings and not request.rstrip().endswith(b"HTTP/1.1"):
        return "only HTTP/1.1 has a Transfer-Encoding"
    return ""


def closing_unread(
    app: ASGIApp, end: Callable[[], None], is_patient: Callable[[], bool]
) -> ASGIApp:
    """Close a connection after a response that was sent before the body was read.

    Args:
        app: the application.
        end: marks the connection to be closed after the current response.
        is_patient: whether the client sends its body without waiting for ``100 Continue``.

    """

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        is_unread = _has_body(scope)

        async def receiving() -> Message:
            nonlocal is_unread
            message = await receive()
            if message["type"] == "http.request" and not message.get("more_body"):
                is_unread = False
            return message

        async def sending(message: Message) -> None:
            is_start = message["type"] == "http.response.start"
            if is_unread and is_start and READS_ON not in scope:
                end()
                if is_patient():
                    await _linger(receive)
                if CLOSE not in message["headers"]:
                    message = {**message, "headers": [*message["headers"], CLOSE]}
            if is_unread and not is_start and not message.get("more_body"):
                end()
            await send(message)

        await app(scope, receiving, sending)

    return answer


def _has_body(scope: Scope) -> bool:
    return any(
        name == b"transfer-encoding" or (name == b"content-length" and value.strip(b"0"))
        for name, value in scope.get("headers", ())
    )


async def _linger(receive: Receive) -> None:
    """Read the rest of a body for a while: closing at once would reset data in transit."""
    taken = 0
    with suppress(TimeoutError):
        async with asyncio.timeout(LINGER_SECONDS):
            while taken < LINGER_BYTES_MAX:
                message = await receive()
                taken += len(message.get("body", b""))
                if message["type"] != "http.request" or not message.get("more_body"):
                    return
