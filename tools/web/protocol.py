"""An HTTP connection bounded in bytes and time, which passes its certificate to requests.

The size of a request head is limited. A client has a time limit to send a request, and another to
read the response: a client that reads nothing would otherwise occupy a connection without end, and
enough of them all connections. A full port lets the oldest connection go whose request has not come
whole, or has others behind it, those that never sent one first; if all are at work, a new one is
answered when to come again. Each request's scope contains what ``introduce`` derives from the
client's certificate, and also ``close``, which closes the connection when everything is sent, and
``abort``, which closes it at once.
"""

from __future__ import annotations

import socket
import threading
from hashlib import sha256
from http import HTTPStatus
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from ledger.core.errors import AvailabilityError
from tools.sanitize import json_line
from tools.web.framing import GONE, Connection, closing_unread
from tools.web.problems import MEDIA_TYPE, ProblemError, document_of, problem_of, response_of

if TYPE_CHECKING:
    import asyncio
    import ssl
    from collections.abc import Callable, Mapping

    from starlette.types import ASGIApp, Receive, Scope, Send

__all__ = ["CERTIFICATE", "HEADER_BYTES_MAX", "Protocol", "client_certificate"]

HEADER_BYTES_MAX = 16 * 1024
REQUEST_SECONDS = 15.0
"""More than an application gives a body, which is refused with an answer."""
UNTAKEN_SECONDS = 60.0
"""How long the other end may take for :data:`TAKEN_BYTES`, or for all that is left."""
TAKEN_BYTES = 1 << 19
UNSENT = frozenset({h11.IDLE, h11.SEND_BODY})
"""States of a client that has not sent its whole request yet."""
UNANSWERED = frozenset({h11.IDLE, h11.SEND_RESPONSE})
"""States of a server that has sent nothing of an answer yet."""
CERTIFICATE = "client_certificate"
"""A request's scope has there the SHA-256 of its client's certificate, or an empty text."""


def client_certificate(tls: ssl.SSLObject | None) -> dict[str, Any]:
    """Return the SHA-256 of the client's certificate, hexadecimal, as an entry for the scope."""
    shown = tls.getpeercert(binary_form=True) if tls is not None else None
    return {CERTIFICATE: sha256(shown).hexdigest() if shown else ""}


class Protocol(H11Protocol):
    """One connection.

    h11 applies the limit of a head only to incomplete heads, so a head is passed on in pieces. What
    is not HTTP, or is ambiguous, is answered with a problem document; all later bytes are ignored.
    See :mod:`tools.web.framing`.
    """

    def __init__(
        self,
        *arguments: Any,
        introduce: Callable[[ssl.SSLObject | None], Mapping[str, Any]] = client_certificate,
        seconds: float = REQUEST_SECONDS,
        untaken_seconds: float = UNTAKEN_SECONDS,
        waited_for: frozenset[Any] = UNSENT,
        **more: Any,
    ) -> None:
        """Set up the connection.

        Args:
            arguments: positional arguments of uvicorn.
            introduce: returns entries for the scope of requests, from the connection's TLS.
            seconds: how long the client may be in a state of ``waited_for``.
            untaken_seconds: how long the client may take to read :data:`TAKEN_BYTES` of a response.
            waited_for: states of h11 in which the client still has to send something.
            more: keyword arguments of uvicorn.

        """
        super().__init__(*arguments, **more)
        self._connections_max, self.limit_concurrency = self.limit_concurrency, None
        self.has_asked = self._is_hasty = False
        self.conn = Connection(h11.SERVER, HEADER_BYTES_MAX)
        self._gone = threading.Event()
        answering = closing_unread(self.app, self._end_after_answer, self._sends_at_once)
        self.app = _with_facts(answering, {GONE: self._gone})
        self._introduce, self._seconds, self._waited_for = introduce, seconds, waited_for
        self._untaken_seconds = untaken_seconds
        self._watched: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Store the client's certificate, and start the timeout of its request."""
        super().connection_made(transport)
        if self._is_full and not self._let_one_go():
            self.app = _full
        connection = transport.get_extra_info("socket")
        if connection is not None and connection.family in {socket.AF_INET, socket.AF_INET6}:
            # asyncio leaves it out where a listening socket does not name its protocol: the second
            # part of an answer would wait up to 40 ms for the acknowledgement of the first.
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        facts = self._introduce(transport.get_extra_info("ssl_object"))
        self.app = _with_facts(self.app, {**facts, "abort": transport.abort, "close": self.hang_up})
        self.made_at = self.loop.time()
        self._deadline = self.loop.call_later(self._seconds, self.hang_up)

    def connection_lost(self, exc: Exception | None) -> None:
        """Signal the disconnection to requests in progress."""
        self._gone.set()
        self._deadline.cancel()
        self._unwatch()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Parse received data, and restart the timeout for what is still to come."""
        while len(data) > HEADER_BYTES_MAX and self._begins:
            super().data_received(data[:HEADER_BYTES_MAX])
            data = data[HEADER_BYTES_MAX:]
        if self.conn.their_state is not h11.ERROR and not self.transport.is_closing():
            super().data_received(data)
        if self.conn.their_state not in UNSENT:
            self.has_asked = True
            self._is_hasty = bool(self.conn.trailing_data[0])
        if self.conn.their_state not in self._waited_for:
            self._deadline.cancel()
        elif self._deadline.cancelled():
            self._deadline = self.loop.call_later(self._seconds, self.hang_up)

    def on_response_complete(self) -> None:
        """Take the next request; it may have come already."""
        self._is_hasty = bool(self.conn.trailing_data[0])
        super().on_response_complete()

    @property
    def _is_full(self) -> bool:
        return self._connections_max is not None and len(self.connections) > self._connections_max

    def _let_one_go(self) -> bool:
        """Close the oldest connection that may be; return False if all are at work."""
        waiting = [
            one
            for one in self.connections
            if isinstance(one, Protocol) and one is not self and one.is_waiting
        ]
        if not waiting:
            return False
        oldest = min(waiting, key=attrgetter("rank"))
        self.connections.discard(oldest)
        oldest.transport.abort()
        return True

    @property
    def rank(self) -> tuple[bool, bool, float]:
        """Order in which connections are let go: silent ones before those that send a body."""
        return self.has_asked, self.conn.their_state is not h11.IDLE, self.made_at

    @property
    def is_waiting(self) -> bool:
        """Whether no request has come whole that is not answered, and no answer has begun.

        A client whose next request came before the answer counts as one that waits: by a queue of
        requests a connection would be at work whenever another one comes.
        """
        is_silent = self.conn.their_state in UNSENT and self.conn.our_state in UNANSWERED
        return is_silent or self._is_hasty

    @property
    def _begins(self) -> bool:
        """Whether the head of a request is expected."""
        return self.conn.their_state is h11.IDLE and not self.transport.is_closing()

    def send_400_response(self, msg: str) -> None:
        """Answer data that is not HTTP, and close."""
        if self.conn.our_state in {h11.IDLE, h11.SEND_RESPONSE}:
            fault = getattr(self.conn, "fault", "") or msg
            problem = ProblemError(HTTPStatus.BAD_REQUEST, "http", fault)
            body = json_line(document_of(problem)).encode()
            headers = [
                (b"content-type", MEDIA_TYPE.encode()),
                (b"content-length", str(len(body)).encode()),
                (b"connection", b"close"),
            ]
            status = problem.status
            start = h11.Response(status_code=status, headers=headers, reason=status.phrase)
            for event in (start, h11.Data(data=body), h11.EndOfMessage()):
                self.transport.write(self.conn.send(event) or b"")
        self.hang_up()

    def pause_writing(self) -> None:
        """Pause until the client has read the buffered data, with a timeout."""
        super().pause_writing()
        self._watch()

    def resume_writing(self) -> None:
        """Resume writing."""
        self._unwatch()
        super().resume_writing()

    def timeout_keep_alive_handler(self) -> None:
        """Close a connection that has been idle for a while."""
        super().timeout_keep_alive_handler()
        self._watch()

    def hang_up(self) -> None:
        """Close, and check later whether the client reads the buffered data."""
        self.transport.close()
        self._watch()

    def _end_after_answer(self) -> None:
        self.cycle.keep_alive = False

    def _sends_at_once(self) -> bool:
        return not self.cycle.waiting_for_100_continue

    def _watch(self) -> None:
        """Check later whether the client has read enough of the buffer; closing waits, too."""
        self._unwatch()
        if waiting := self.transport.get_write_buffer_size():
            self._watched = self.loop.call_later(self._untaken_seconds, self._look, waiting)

    def _look(self, before: int) -> None:
        if self.transport.get_write_buffer_size() > max(before - TAKEN_BYTES, 0):
            self.transport.abort()
        else:
            self._watch()

    def _unwatch(self) -> None:
        if self._watched is not None:
            self._watched.cancel()


async def _full(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer that all connections are at work, and close."""
    response = response_of(
        problem_of(AvailabilityError("all connections are at work: send it again"))
    )
    response.headers["Connection"] = "close"
    await response(scope, receive, send)


def _with_facts(app: ASGIApp, facts: Mapping[str, Any]) -> ASGIApp:
    """Add the facts of a connection to the scope of each of its requests."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        scope.update(facts)
        await app(scope, receive, send)

    return answer
