"""A connection over HTTP, bounded in bytes and time, whose requests know its certificate.

A head has a bound of bytes. A client has so much time to send a request, and so much to take what
it is given: a client that takes nothing would otherwise hold its place for ever, and enough of them
all places. Each request's scope holds what ``introduce`` makes of the client's certificate, and
besides it ``close``, which closes the connection when everything is sent, and ``abort``, which
closes it at once.
"""

from __future__ import annotations

import socket
import threading
from hashlib import sha256
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from tools.sanitize import json_line
from tools.web.framing import GONE, Connection, closing_unread
from tools.web.problems import MEDIA_TYPE, ProblemError, document_of

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
CERTIFICATE = "client_certificate"
"""A request's scope has there the SHA-256 of its client's certificate, or an empty text."""


def client_certificate(tls: ssl.SSLObject | None) -> dict[str, Any]:
    """Return the SHA-256 of the certificate that the client showed, hexadecimal, for the scope."""
    shown = tls.getpeercert(binary_form=True) if tls is not None else None
    return {CERTIFICATE: sha256(shown).hexdigest() if shown else ""}


class Protocol(H11Protocol):
    """One connection.

    h11 holds the bound of a head against what is incomplete alone, so a head is handed on in
    pieces. What is not HTTP, or could be read in two ways, is answered with a problem document;
    nothing that came after it is looked at. See :mod:`tools.web.framing`.
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
        """Begin.

        Args:
            arguments: those of uvicorn.
            introduce: what a request's scope holds besides, from the connection's TLS.
            seconds: how long the other end may be in a state of ``waited_for``.
            untaken_seconds: how long it may take for :data:`TAKEN_BYTES` of an answer.
            waited_for: states of h11 in which it has not sent all that it must in time.
            more: those of uvicorn.

        """
        super().__init__(*arguments, **more)
        self.conn = Connection(h11.SERVER, HEADER_BYTES_MAX)
        self._gone = threading.Event()
        answering = closing_unread(self.app, self._end_after_answer, self._sends_at_once)
        self.app = _with_facts(answering, {GONE: self._gone})
        self._introduce, self._seconds, self._waited_for = introduce, seconds, waited_for
        self._untaken_seconds = untaken_seconds
        self._watched: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Note the client's certificate, and begin to wait for its request."""
        super().connection_made(transport)
        connection = transport.get_extra_info("socket")
        if connection is not None and connection.family in {socket.AF_INET, socket.AF_INET6}:
            # asyncio leaves it out where a listening socket does not name its protocol: the second
            # part of an answer would wait up to 40 ms for the acknowledgement of the first.
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        facts = self._introduce(transport.get_extra_info("ssl_object"))
        self.app = _with_facts(self.app, {**facts, "abort": transport.abort, "close": self.hang_up})
        self._deadline = self.loop.call_later(self._seconds, self.hang_up)

    def connection_lost(self, exc: Exception | None) -> None:
        """Let what is at work for the client know that it is gone."""
        self._gone.set()
        self._deadline.cancel()
        self._unwatch()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read on, and give time for what is still to come."""
        while len(data) > HEADER_BYTES_MAX and self._begins:
            super().data_received(data[:HEADER_BYTES_MAX])
            data = data[HEADER_BYTES_MAX:]
        if self.conn.their_state is not h11.ERROR and not self.transport.is_closing():
            super().data_received(data)
        if self.conn.their_state not in self._waited_for:
            self._deadline.cancel()
        elif self._deadline.cancelled():
            self._deadline = self.loop.call_later(self._seconds, self.hang_up)

    @property
    def _begins(self) -> bool:
        """Whether the head of a request is to come."""
        return self.conn.their_state is h11.IDLE and not self.transport.is_closing()

    def send_400_response(self, msg: str) -> None:
        """Answer what is not HTTP, and close."""
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
        """Wait until what waits is taken, but not for ever."""
        super().pause_writing()
        self._watch()

    def resume_writing(self) -> None:
        """Go on."""
        self._unwatch()
        super().resume_writing()

    def timeout_keep_alive_handler(self) -> None:
        """End a connection on which nothing was asked for a while."""
        super().timeout_keep_alive_handler()
        self._watch()

    def hang_up(self) -> None:
        """Close, and look later whether the other end takes what waits."""
        self.transport.close()
        self._watch()

    def _end_after_answer(self) -> None:
        self.cycle.keep_alive = False

    def _sends_at_once(self) -> bool:
        return not self.cycle.waiting_for_100_continue

    def _watch(self) -> None:
        """Look later whether enough was taken of what waits; a close waits for it, too."""
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


def _with_facts(app: ASGIApp, facts: Mapping[str, Any]) -> ASGIApp:
    """Let the scope of each request hold what is known of its connection."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        scope.update(facts)
        await app(scope, receive, send)

    return answer
