"""One client of the service: authenticate it, read its lines, answer in order, enforce timeouts.

One thread authenticates the client and reads its lines, another answers them. Guaranteed: whatever
is received, only this connection is affected; a line that was read is decided and, while the client
reads answers, answered; the lines in flight of a client are bounded in number and bytes, and
reading waits at the limit. Rejected: lines that do not end, answers that are not read, idle
clients: each has a timeout, after which another client may take the connection's slot.
"""

from __future__ import annotations

from collections import deque
from threading import Condition, Thread
from time import monotonic
from typing import TYPE_CHECKING, Any

from ledger.core.errors import AvailabilityError
from tools.sanitize import json_line
from tools.service.authentication import RejectedClientError, WithoutToken
from tools.service.command_intake import CommandIntake
from tools.service.lines import error_answer, numbered
from tools.service.wire import LineStream, Wire

if TYPE_CHECKING:
    import socket

    from ledger.core.errors import LedgerError
    from tools.service.authentication import Client
    from tools.service.command_intake import Service
    from tools.service.connection_limiter import ConnectionLimiter
    from tools.service.lines import Line

__all__ = ["Session"]


class _LineQueue:
    """Queue of lines in flight, in order, bounded in number and bytes."""

    def __init__(self, lines_max: int, bytes_max: int) -> None:
        self._changed = Condition()
        self._waiting: deque[tuple[Line, int]] = deque()
        self._lines_max, self._bytes_max = lines_max, bytes_max
        self._lines = self._bytes = 0
        self._is_closed = False

    @property
    def is_busy(self) -> bool:
        return self._lines > 0

    def wait_for_space(self, size: int) -> None:
        """Wait until there is room for a line of a size in bytes."""
        with self._changed:
            self._changed.wait_for(
                lambda: (
                    not self._lines
                    or (self._lines < self._lines_max and self._bytes + size <= self._bytes_max)
                )
            )
            self._lines += 1
            self._bytes += size

    def put(self, line: Line, size: int) -> None:
        """Add a line for which there is room."""
        with self._changed:
            self._waiting.append((line, size))
            self._changed.notify_all()

    def get(self) -> tuple[Line, int] | None:
        """Wait for a line; return None when there are no more."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._is_closed)
            return self._waiting.popleft() if self._waiting else None

    def done(self, size: int) -> None:
        """Release the room of an answered line."""
        with self._changed:
            self._lines -= 1
            self._bytes -= size
            self._changed.notify_all()

    def close(self) -> None:
        """Accept no more lines."""
        with self._changed:
            self._is_closed = True
            self._changed.notify_all()


class Session:
    """One connection, from its first byte to its last."""

    def __init__(
        self, connection: socket.socket, service: Service, limiter: ConnectionLimiter[Session]
    ) -> None:
        """Wrap a connection; nothing happens before :meth:`start`."""
        limits = service.limits
        self._service, self._limiter = service, limiter
        self._wire = Wire(connection, limits.send_seconds)
        self._lines = LineStream(self._wire, self._patience)
        self._lane = _LineQueue(limits.lines, limits.line_bytes)
        self._active_at = monotonic()
        self._hello_until = self._active_at + limits.hello_seconds
        self._is_admitted = self._is_deciding = False
        self._last_words: LedgerError | None = None
        self._thread = Thread(target=self._run, name="client-reader", daemon=True)

    def start(self) -> None:
        """Start the threads.

        Raises:
            RuntimeError: the system can't start a thread.

        """
        self._thread.start()

    @property
    def quiet_seconds(self) -> float:
        """Seconds since an admitted client did anything."""
        return 0.0 if self._is_deciding else monotonic() - self._active_at

    def disconnect(self, reason: LedgerError) -> None:
        """Close the connection; an admitted, idle client gets the reason as a last answer."""
        self._last_words = reason
        if self._is_admitted and not self._lane.is_busy:
            self._wire.stop_receiving()
        else:
            self._wire.cut()

    def stop_reading(self) -> None:
        """Read no further line; lines that were read are still answered."""
        self._wire.stop_receiving()

    def join(self, timeout_seconds: float) -> None:
        """Wait for the end of the session."""
        self._thread.join(timeout_seconds)

    def close(self) -> None:
        """Close the connection of a session that was not started."""
        self._wire.close()

    def _run(self) -> None:
        service = self._service
        try:
            try:
                client = service.authenticator.admit(self._lines)
                self._limiter.admit(self)
                self._is_admitted, self._active_at = True, monotonic()
                self._serve(client)
            except RejectedClientError as error:
                service.turned_away("", error.why)
                self._last_words = error
            except AvailabilityError as error:
                self._last_words = error
            if self._last_words is not None:
                self._send({"line": 0, **error_answer(self._last_words)})
        except OSError:  # it disconnected or did not authenticate
            pass
        finally:
            self._wire.close(service.limits.linger_seconds)
            self._limiter.leave(self)

    def _serve(self, client: Client) -> None:
        service = self._service
        lines = self._lines if service.authenticator.has_list else WithoutToken(self._lines)
        way = CommandIntake(service, client)
        answering = Thread(target=self._answer, args=(way,), name="client-writer", daemon=True)
        answering.start()
        try:
            for number, text in numbered(lines):
                if service.stop.is_set:
                    break  # not submitted, so not answered: it is sent again elsewhere
                size = len(text or b"")
                self._active_at = monotonic()
                self._lane.wait_for_space(size)
                self._lane.put(way.begin(number, text), size)
        except TimeoutError:
            self._last_words = AvailabilityError(
                "the place is given up: a line did not end in time, or none came; connect again"
            )
        finally:
            self._lane.close()
            answering.join()

    def _answer(self, way: CommandIntake) -> None:
        is_there = True
        while (found := self._lane.get()) is not None:
            line, size = found
            self._is_deciding = True
            answer = way.answer(line)
            self._active_at, self._is_deciding = monotonic(), False
            try:
                if is_there:
                    self._send(answer)
                    self._active_at = monotonic()
            except OSError:  # it disconnected or does not read
                is_there = False
                self._wire.cut()
            self._lane.done(size)

    def _send(self, answer: dict[str, Any]) -> None:
        self._wire.send(f"{json_line(answer)}\n".encode())

    def _hello_left(self) -> float:
        return self._hello_until - monotonic()

    def _patience(self, line_begun_at: float | None) -> float:
        """Return the seconds left until the client's current timeout."""
        limits = self._service.limits
        if not self._is_admitted:
            return self._hello_left()
        if line_begun_at is not None:
            return line_begun_at + limits.line_seconds - monotonic()
        if self._lane.is_busy:
            return limits.idle_seconds
        return self._active_at + limits.idle_seconds - monotonic()
