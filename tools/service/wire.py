"""A connection to a Unix socket: send and receive bytes, and read lines bounded in length and time.

Both sides of the service use it. Guaranteed: every wait has a timeout set by the caller; one thread
may receive while another sends; read-ahead is bounded.
"""

from __future__ import annotations

import contextlib
import select
import socket
import struct
from time import monotonic
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["LineStream", "Wire"]

CHUNK_BYTES = 1 << 16
LOOK_SECONDS = 1.0
"""How long it waits before it asks again whether there is still patience."""


class Wire:
    """A connected socket, which this object closes."""

    def __init__(self, connection: socket.socket, send_seconds: float) -> None:
        """Wrap a connection.

        Args:
            connection: the socket.
            send_seconds: how long the other side may take to read what one :meth:`send` sends.

        """
        self._socket = connection
        self._woken, self._waker = socket.socketpair()
        self._poll = select.poll()
        self._poll.register(connection, select.POLLIN)
        self._poll.register(self._woken, select.POLLIN)
        connection.settimeout(send_seconds)

    def receive(self, patience: Callable[[], float]) -> bytes:
        """Wait for bytes; return ``b""`` at the end of the connection.

        Args:
            patience: returns the seconds left to wait.

        Raises:
            TimeoutError: no seconds are left.
            OSError: the connection broke.

        """
        while (left := patience()) > 0:
            ready = self._poll.poll(min(left, LOOK_SECONDS) * 1000)
            if any(number == self._woken.fileno() for number, _ in ready):
                return b""
            if ready:
                return self._socket.recv(CHUNK_BYTES)
        raise TimeoutError("nothing came in time")

    def send(self, content: bytes) -> None:
        """Send all bytes.

        Raises:
            OSError: the other side closed the connection or does not read.

        """
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
            while self.receive(lambda: end - monotonic()):
                pass


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
