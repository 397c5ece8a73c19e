"""A connection over HTTP: it says whose it is, and has so much time to say what it wants.

It has so much time to take what it is given, too: who takes nothing would else hold its place for
ever, and so many of them all places. Requests come through h11, which refuses what could be read in
two ways; what is no HTTP is answered with a problem document like everything else. ``introduce``
turns the certificate of the other end into what the application finds in the scope of each request,
beside ``close``, which hangs up, and ``abort``, which does so without a last word.
"""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, Any

import h11

from tools.plain import json_line
from tools.web.problems import MEDIA_TYPE, ProblemError, document_of
from tools.web.serving import Bounded, with_facts

if TYPE_CHECKING:
    import asyncio
    import ssl
    from collections.abc import Callable, Mapping

__all__ = ["Protocol"]

UNTAKEN_SECONDS = 60.0
"""How long the other end may take for :data:`TAKEN_BYTES`, or for all that is left."""
TAKEN_BYTES = 1 << 19


class Protocol(Bounded):
    """One connection; its requests carry who it is."""

    def __init__(
        self,
        *arguments: Any,
        introduce: Callable[[ssl.SSLObject | None], Mapping[str, Any]],
        seconds: float,
        waited_for: frozenset[Any],
        **more: Any,
    ) -> None:
        """Begin.

        Args:
            arguments: those of uvicorn.
            introduce: what a request's scope holds besides, from the connection's TLS.
            seconds: how long the other end may be in a state of ``waited_for``.
            waited_for: states of h11 in which it has not said all that it must in time.
            more: those of uvicorn.

        """
        super().__init__(*arguments, **more)
        self._introduce, self._seconds, self._waited_for = introduce, seconds, waited_for

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Learn whose it is."""
        super().connection_made(transport)
        facts = self._introduce(transport.get_extra_info("ssl_object"))
        self.app = with_facts(self.app, {**facts, "abort": transport.abort, "close": self._hang_up})
        self._deadline = self.loop.call_later(self._seconds, self._hang_up)
        self._watched: asyncio.TimerHandle | None = None

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget it."""
        self._deadline.cancel()
        self._unwatch()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read on, and give time for what is still to come."""
        super().data_received(data)
        if self.conn.their_state not in self._waited_for:
            self._deadline.cancel()
        elif self._deadline.cancelled():
            self._deadline = self.loop.call_later(self._seconds, self._hang_up)

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

    def send_400_response(self, msg: str) -> None:
        """Say that this is no HTTP, and hang up."""
        if self.conn.our_state in {h11.IDLE, h11.SEND_RESPONSE}:
            problem = ProblemError(HTTPStatus.BAD_REQUEST, "http", msg)
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
        self._hang_up()

    def _hang_up(self) -> None:
        self.transport.close()
        self._watch()

    def _watch(self) -> None:
        """Look later whether enough was taken of what waits; a close waits for it, too."""
        self._unwatch()
        if waiting := self.transport.get_write_buffer_size():
            self._watched = self.loop.call_later(UNTAKEN_SECONDS, self._look, waiting)

    def _look(self, before: int) -> None:
        if self.transport.get_write_buffer_size() > max(before - TAKEN_BYTES, 0):
            self.transport.abort()
        else:
            self._watch()

    def _unwatch(self) -> None:
        if self._watched is not None:
            self._watched.cancel()
