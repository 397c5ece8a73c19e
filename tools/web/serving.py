"""What the ports over HTTP have in common: uvicorn's settings, a thread, an end of connections."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from ledger.core.decoders import build_types
from ledger.core.errors import AvailabilityError
from tools.sanitize import json_line
from tools.web.framing import GONE, Connection, closing_unread
from tools.web.hosts import allowed_hosts, hosts_checked
from tools.web.problems import MEDIA_TYPE, ProblemError, document_of

if TYPE_CHECKING:
    import socket
    import ssl
    from collections.abc import Iterator, Mapping

    from starlette.types import ASGIApp, Receive, Scope, Send

__all__ = [
    "HEADER_BYTES_MAX",
    "HeaderLimited",
    "LifetimeLimited",
    "config_of",
    "in_thread",
    "with_facts",
]

HEADER_BYTES_MAX = 16 * 1024
START_SECONDS = 10.0


def config_of(app: Any, tls: ssl.SSLContext | None = None, **bounds: Any) -> uvicorn.Config:
    """Return uvicorn's settings: h11 alone, no log of its own, nothing that names the server.

    Args:
        app: answers.
        tls: of the port; None for plain HTTP.
        bounds: other settings of uvicorn.

    Raises:
        InputError: an allowed host is none.

    Types are resolved here, because what is configured will answer requests in threads.

    """
    build_types()
    config = uvicorn.Config(
        hosts_checked(app, allowed_hosts()),
        ws="none",
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        h11_max_incomplete_event_size=HEADER_BYTES_MAX,
        **{"http": HeaderLimited, **bounds},
    )
    if tls is not None:
        config.load()
        config.ssl = tls
    return config


@contextmanager
def in_thread(config: uvicorn.Config, listener: socket.socket, name: str) -> Iterator[None]:
    """Answer requests in a thread of their own, until the end of the block.

    Raises:
        AvailabilityError: it did not start.

    """
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, name=name)
    thread.start()
    try:
        waiting = threading.Event()
        for _ in range(int(START_SECONDS * 100)):
            if server.started or not thread.is_alive():
                break
            waiting.wait(0.01)
        if not server.started:
            text = f"the {name} did not start: look at its port and its certificate"
            raise AvailabilityError(text)
        yield
    finally:
        server.should_exit = True
        thread.join()


def with_facts(app: ASGIApp, facts: Mapping[str, Any]) -> ASGIApp:
    """Let the scope of each request hold what is known of its connection."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        scope.update(facts)
        await app(scope, receive, send)

    return answer


class HeaderLimited(H11Protocol):
    """A connection on which a head has a bound of bytes, however many come in one read.

    h11 holds the bound against what is incomplete alone, so a head is handed on in pieces. What
    is no HTTP, or could be read in two ways, is answered with a problem document; nothing that
    came after it is looked at. See :mod:`tools.web.framing`.
    """

    def __init__(self, *arguments: Any, **more: Any) -> None:
        """Begin; the arguments are those of uvicorn."""
        super().__init__(*arguments, **more)
        self.conn = Connection(h11.SERVER, HEADER_BYTES_MAX)
        self._gone = threading.Event()
        answering = closing_unread(self.app, self._end_after_answer, self._sends_at_once)
        self.app = with_facts(answering, {GONE: self._gone})

    def connection_lost(self, exc: Exception | None) -> None:
        """Let what is at work for the client know that it is gone."""
        self._gone.set()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read on."""
        while len(data) > HEADER_BYTES_MAX and self._begins:
            super().data_received(data[:HEADER_BYTES_MAX])
            data = data[HEADER_BYTES_MAX:]
        if self.conn.their_state is not h11.ERROR and not self.transport.is_closing():
            super().data_received(data)

    @property
    def _begins(self) -> bool:
        """Whether the head of a request is to come."""
        return self.conn.their_state is h11.IDLE and not self.transport.is_closing()

    def send_400_response(self, msg: str) -> None:
        """Answer what is no HTTP, and close."""
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

    def hang_up(self) -> None:
        """Close as soon as what waits is taken."""
        self.transport.close()

    def _end_after_answer(self) -> None:
        self.cycle.keep_alive = False

    def _sends_at_once(self) -> bool:
        return not self.cycle.waiting_for_100_continue


class LifetimeLimited(HeaderLimited):
    """A connection that ends after a while, whatever its other end is up to."""

    def __init__(self, *arguments: Any, seconds: float, **more: Any) -> None:
        """Begin; the other arguments are those of uvicorn."""
        super().__init__(*arguments, **more)
        self._seconds = seconds

    def connection_made(self, transport: Any) -> None:
        """Set its end."""
        super().connection_made(transport)
        self._end = self.loop.call_later(self._seconds, transport.abort)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget its end."""
        self._end.cancel()
        super().connection_lost(exc)
