"""One connection, plain or TLS: send and receive bytes, and read lines bounded in length and time.

Both sides of the service use it. Guaranteed: every wait has a timeout set by the caller; one thread
may receive while another sends (TLS works on memory buffers, because OpenSSL does not allow two
threads in one connection); read-ahead is bounded.
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
    """A connected socket, which this object closes."""

    def __init__(self, connection: socket.socket, send_seconds: float) -> None:
        """Wrap a connection.

        Args:
            connection: the socket.
            send_seconds: how long the other side may take to read what one :meth:`send` sends.

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
        """Perform the TLS handshake; as a client of ``host``, which the certificate must name.

        Raises:
            ssl.SSLError: the other side does not use TLS, or one side does not trust the other.
            OSError: the connection broke, or the timeout elapsed.

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
                    self._flush()  # the other side receives the reason
                raise
            else:
                break
        self._flush()
        self._tls = tls
        return tls

    def receive(self, patience: Callable[[], float]) -> bytes:
        """Wait for bytes; return ``b""`` at the end of the connection.

        Args:
            patience: returns the seconds left to wait.

        Raises:
            TimeoutError: no seconds are left.
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
        """Send all bytes.

        Raises:
            OSError: the other side closed the connection or does not read.

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
        """Wake a thread that waits for bytes with the end of the stream, whatever still arrives."""
        with contextlib.suppress(OSError):
            self._waker.shutdown(socket.SHUT_RDWR)

    def cut(self) -> None:
        """Wake threads that receive or send with the end of the stream; drop unsent bytes.

        Without this the system would keep sending to a peer that does not read, which would never
        learn of the end. Bytes that have arrived and were not read stay unread.
        """
        self.stop_receiving()
        with contextlib.suppress(OSError):
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self._socket.shutdown(socket.SHUT_RDWR)

    def close(self, linger_seconds: float = 0) -> None:
        """Close the connection.

        Args:
            linger_seconds: how long the other side may take to read the last answers; data that it
                still sends would otherwise make the system discard them.

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
    """The lines of a connection, read as from a file.

    ``patience`` is called with the time at which the current line began, or None between lines,
    and returns the seconds left to wait.
    """

    def __init__(self, wire: Wire, patience: Callable[[float | None], float]) -> None:
        """Begin at the current position of the connection."""
        self._wire = wire
        self._patience = patience
        self._held = bytearray()
        self._is_inside = False
        self._begun_at: float | None = None

    def readline(self, limit: int) -> bytes:
        """Read up to the end of a line, of the connection, or ``limit`` bytes.

        Raises:
            TimeoutError: the line did not come in time.
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
