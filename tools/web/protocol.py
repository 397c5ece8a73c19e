"""A connection over HTTP: it says whose it is, and has so much time to say what it wants.

It has so much time to take what it is given, too: who takes nothing would else hold its place for
ever, and so many of them all places. ``introduce`` turns the certificate of the other end into what
the application finds in the scope of each request, with ``close``, which closes the connection when
all is sent, and ``abort``, which closes it at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tools.web.serving import HeaderLimited, with_facts

if TYPE_CHECKING:
    import asyncio
    import ssl
    from collections.abc import Callable, Mapping

__all__ = ["Protocol"]

UNTAKEN_SECONDS = 60.0
"""How long the other end may take for :data:`TAKEN_BYTES`, or for all that is left."""
TAKEN_BYTES = 1 << 19


class Protocol(HeaderLimited):
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
        self.app = with_facts(self.app, {**facts, "abort": transport.abort, "close": self.hang_up})
        self._deadline = self.loop.call_later(self._seconds, self.hang_up)
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
            self._deadline = self.loop.call_later(self._seconds, self.hang_up)

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
