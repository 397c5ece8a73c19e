"""One connection, plain or in TLS: bytes in and out, and lines of a bounded length in time.

Both ends of the service use it. Promised: every wait has an end that the caller names; one
thread may receive while another sends (TLS goes through memory, because OpenSSL does not
allow two threads in one connection); what is read ahead is bounded.
"""

from __future__ import annotations

import contextlib
import select
import socket
import ssl
import struct
from threading import Lock
from time import monotonic
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["LineStream", "Wire"]

CHUNK_BYTES = 1 << 16
LOOK_SECONDS = 1.0
"""How long it waits before it asks again whether there is still patience."""
KEEP_ALIVE = {"TCP_KEEPIDLE": 30, "TCP_KEEPINTVL": 10, "TCP_KEEPCNT": 3}
"""Seconds until the first probe, between probes; how many go unanswered before the end."""


class Wire:
    """A connected socket, which this closes."""

    def __init__(self, connection: socket.socket, send_seconds: float) -> None:
        """Take a connection.

        Args:
            connection: the socket.
            send_seconds: how long the other end may leave unread what one :meth:`send` sends.

        """
        self._socket = connection
        self._tls: ssl.SSLObject | None = None
        self._incoming, self._outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        self._using_tls, self._sending = Lock(), Lock()
        self._woken, self._waker = socket.socketpair()
        self._poll = select.poll()
        self._poll.register(connection, select.POLLIN)
        self._poll.register(self._woken, select.POLLIN)
        connection.settimeout(send_seconds)
        if connection.family != socket.AF_UNIX:
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
            for name, value in KEEP_ALIVE.items():
                if hasattr(socket, name):
                    connection.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)

    def secure(
        self, context: ssl.SSLContext, patience: Callable[[], float], host: str | None = None
    ) -> ssl.SSLObject:
        """Shake hands in TLS; as a client if ``host`` names whom the certificate must be of.

        Raises:
            ssl.SSLError: the other end speaks no TLS, or one does not trust the other.
            OSError: the connection broke, or patience was over.

        """
        tls = context.wrap_bio(
            self._incoming, self._outgoing, server_side=host is None, server_hostname=host
        )
        while True:
            try:
                tls.do_handshake()
            except ssl.SSLWantReadError:
                self._flush()
                content = self._receive(patience)
                if not content:
                    raise ConnectionError("the connection broke") from None
                self._incoming.write(content)
            except ssl.SSLError:
                with contextlib.suppress(OSError):
                    self._flush()  # the other end gets the reason
                raise
            else:
                break
        self._flush()
        self._tls = tls
        return tls

    def receive(self, patience: Callable[[], float]) -> bytes:
        """Wait for bytes; none are the end.

        Args:
            patience: gives the seconds left to wait.

        Raises:
            TimeoutError: none are left.
            OSError: the connection broke.

        """
        tls = self._tls
        if tls is None:
            return self._receive(patience)
        while True:
            with self._using_tls:
                try:
                    return tls.read(CHUNK_BYTES)
                except ssl.SSLWantReadError:
                    pass
                except ssl.SSLZeroReturnError:
                    return b""
            self._flush()
            content = self._receive(patience)
            if not content:
                return b""
            with self._using_tls:
                self._incoming.write(content)

    def send(self, content: bytes) -> None:
        """Send all of it.

        Raises:
            OSError: the other end hung up or does not read.

        """
        if self._tls is None:
            self._socket.sendall(content)
            return
        with self._sending:
            with self._using_tls:
                self._tls.write(content)
                content = self._outgoing.read()
            self._socket.sendall(content)

    def stop_receiving(self) -> None:
        """Let whoever waits for bytes see the end, whatever still comes."""
        with contextlib.suppress(OSError):
            self._waker.shutdown(socket.SHUT_RDWR)

    def cut(self) -> None:
        """Let whoever waits for bytes or sends some see the end; what is unsent is dropped.

        Without that, the system would go on offering it to an end that does not read, which
        would learn nothing. What has come and was not read yet is left unread.
        """
        self.stop_receiving()
        with contextlib.suppress(OSError):
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self._socket.shutdown(socket.SHUT_RDWR)

    def close(self, linger_seconds: float = 0) -> None:
        """Hang up.

        Args:
            linger_seconds: how long the other end gets to read the last words; what it still
                sends would otherwise make the system throw them away.

        """
        with self._woken, self._waker, self._socket, contextlib.suppress(OSError):
            if not linger_seconds:
                return
            self._socket.shutdown(socket.SHUT_WR)
            self._poll.unregister(self._woken)
            end = monotonic() + linger_seconds
            while self._receive(lambda: end - monotonic()):
                pass

    def _flush(self) -> None:
        if not self._outgoing.pending:
            return
        with self._sending:
            with self._using_tls:
                content = self._outgoing.read()
            self._socket.sendall(content)

    def _receive(self, patience: Callable[[], float]) -> bytes:
        while (left := patience()) > 0:
            ready = self._poll.poll(min(left, LOOK_SECONDS) * 1000)
            if any(number == self._woken.fileno() for number, _ in ready):
                return b""
            if ready:
                return self._socket.recv(CHUNK_BYTES)
        raise TimeoutError("nothing came in time")


class LineStream:
    """The lines that come over a wire, read as from a file.

    ``patience`` gets when the line that is waited for began to come, or None, and gives how
    many seconds are left to wait.
    """

    def __init__(self, wire: Wire, patience: Callable[[float | None], float]) -> None:
        """Begin where the wire is."""
        self._wire = wire
        self._patience = patience
        self._held = bytearray()
        self._is_inside = False
        self._begun_at: float | None = None

    def readline(self, limit: int) -> bytes:
        """Read up to the end of a line, of the connection, or ``limit`` bytes.

        Raises:
            TimeoutError: it did not come in time.
            OSError: the connection broke.

        """
        if not self._is_inside:
            self._begun_at = monotonic() if self._held else None
        looked = 0
        while True:
            end = self._held.find(b"\n", looked, limit) + 1
            if end or len(self._held) >= limit:
                return self._take(end or limit)
            looked = len(self._held)
            content = self._wire.receive(lambda: self._patience(self._begun_at))
            if not content:
                return self._take(len(self._held))
            self._held += content
            if self._begun_at is None:
                self._begun_at = monotonic()

    def _take(self, count: int) -> bytes:
        line = bytes(self._held[:count])
        del self._held[:count]
        self._is_inside = not line.endswith(b"\n")
        return line
