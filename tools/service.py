"""The ledger as a service: commands as JSON lines over TCP or a Unix socket, answers in order.

A connection is a pipe to ``gameledger record``: the same lines, the same answers, one for each
line in the order of the lines, each sent when its decision is durable. Any number of clients;
the ledger decides their lines in the order in which they come in. A process that does not lead
has no open port, so a client or a load balancer finds the leader by trying.

Promised: a line that was answered is in the log; a line that was not may be sent again, to this
process or to the next, and is decided once if it has a ``command_id``. Refused: more clients or
lines on their way than are bounded here. A fenced or damaged ledger ends the service.
"""

from __future__ import annotations

import contextlib
import os
import socket
import struct
import sys
from pathlib import Path
from queue import Queue
from threading import Event, RLock, Thread, Timer
from time import monotonic
from typing import IO, TYPE_CHECKING, Any, NamedTuple, Self

from ledger.errors import AvailabilityError, FencedError, InputError, IntegrityError
from tools.lines import Line, answer_of, begin, error_answer, numbered
from tools.plain import json_line

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future

    from ledger.errors import LedgerError
    from ledger.log.standby import Standby
    from ledger.writer import Ledger

__all__ = ["Address", "Server", "Stop", "run"]

CLIENTS_MAX = 128
IN_FLIGHT_MAX = 512
"""Lines of one client on their way; it waits when there are more."""
BACKLOG = 64
ACCEPT_SECONDS = 0.2
WAIT_SECONDS = 0.5
SEND_SECONDS = 30
"""How long a client may leave its answers unread before it is let go."""
DRAIN_SECONDS = 10.0
STOP_SECONDS = 60.0


class Address(NamedTuple):
    """Where the service listens: host and port, or the path of a Unix socket."""

    host: str
    port: int
    path: Path | None = None

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read ``host:port`` or ``unix:/path``.

        Raises:
            InputError: it is neither.

        """
        if text.startswith("unix:/"):
            return cls("", 0, Path(text.removeprefix("unix:")))
        host, _, port = text.rpartition(":")
        if not host or not port.isdecimal() or int(port) >= 1 << 16:
            raise InputError(f"{text!r} is no place to listen: give host:port or unix:/path")
        return cls(host.strip("[]"), int(port))

    def __str__(self) -> str:
        """Write it as it is read."""
        return f"unix:{self.path}" if self.path else f"{self.host}:{self.port}"


class Stop:
    """The end of the service: asked for, or with the error that caused it."""

    def __init__(self, *, ends_process: bool = False) -> None:
        """Begin without a reason to stop.

        Args:
            ends_process: end the process :data:`STOP_SECONDS` later, whatever it waits for; a
                broker that does not answer must not keep a fenced writer alive.

        """
        self._event = Event()
        self._deciding = RLock()
        self._ends_process = ends_process
        self.error: Exception | None = None

    def __call__(self, error: Exception | None = None) -> None:
        """Stop; the first reason counts."""
        with self._deciding:
            if not self._event.is_set():
                self.error = error
                self._event.set()
                if self._ends_process:
                    self._end_in_time()

    @property
    def is_set(self) -> bool:
        """Tell whether the end is near."""
        return self._event.is_set()

    def _end_in_time(self) -> None:
        code = getattr(self.error, "exit_code", 1 if self.error else 0)
        timer = Timer(STOP_SECONDS, os._exit, (code,))
        timer.daemon = True
        timer.start()


def run(
    standby: Standby,
    open_ledger: Callable[[], Ledger],
    server: Server,
    stop: Stop,
    tell: Callable[..., None],
) -> None:
    """Stand by, lead, serve, until told to stop.

    Args:
        standby: whose turn it is; closed at the end.
        open_ledger: takes the log over, once it is our turn.
        server: where clients come; closed at the end.
        stop: ends it.
        tell: is told the state (``standby``, ``leading``, ``stopped``) with what belongs to it.

    Raises:
        FencedError: another writer took over.
        LedgerError: what else ended it.

    """
    with contextlib.closing(standby), contextlib.closing(server):
        tell("standby")
        while not standby.wait(WAIT_SECONDS):
            if stop.is_set:
                tell("stopped")
                return
        with open_ledger() as ledger:
            standby.watch(stop)
            server.listen()
            tell("leading", chain=ledger.chain, size=ledger.head.size, address=str(server.address))
            server.serve(ledger, stop)
    tell("stopped")
    if stop.error is not None:
        raise stop.error


class Server:
    """A listening socket and the clients behind it."""

    def __init__(self, address: Address) -> None:
        """Take the address; nobody can connect before :meth:`listen`.

        Raises:
            AvailabilityError: the address is taken or not of this machine.

        """
        self.address = address
        self._clients: set[_Client] = set()
        is_path = address.path is not None
        self._socket = socket.socket(socket.AF_UNIX if is_path else _family(address))
        try:
            if address.path is None:
                self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                self._socket.bind((address.host, address.port))
                self.address = Address(address.host, self._socket.getsockname()[1])
        except OSError as error:
            self._socket.close()
            raise AvailabilityError(f"{address} can't be listened at: {error.strerror}") from error

    def listen(self) -> None:
        """Let clients connect; :meth:`serve` takes them.

        Raises:
            AvailabilityError: the address is taken.

        """
        try:
            if self.address.path is not None:
                self.address.path.unlink(missing_ok=True)  # of a leader that was killed
                before = os.umask(0o117)
                try:
                    self._socket.bind(str(self.address.path))
                finally:
                    os.umask(before)
            self._socket.listen(BACKLOG)
            self._socket.settimeout(ACCEPT_SECONDS)
        except OSError as error:
            text = f"{self.address} can't be listened at: {error.strerror}"
            raise AvailabilityError(text) from error

    def serve(self, ledger: Ledger, stop: Stop) -> None:
        """Serve clients until told to stop; what is on its way is answered before the return."""
        while not stop.is_set:
            try:
                connection, _ = self._socket.accept()
            except TimeoutError:
                continue
            self._clients = {client for client in self._clients if client.is_alive}
            client = _Client(connection, ledger, stop)
            if len(self._clients) < CLIENTS_MAX:
                self._clients.add(client)
                client.start()
            else:
                client.refuse(f"there are {CLIENTS_MAX} clients already: connect later")
        self.close()
        deadline = monotonic() + DRAIN_SECONDS
        for client in self._clients:
            client.stop_reading()
        for client in self._clients:
            client.join(max(deadline - monotonic(), 0))

    def close(self) -> None:
        """Stop listening; may be called twice."""
        self._socket.close()


class _Client:
    """One connection: a thread reads and submits, another answers in order."""

    def __init__(self, connection: socket.socket, ledger: Ledger, stop: Stop) -> None:
        self._connection = connection
        self._ledger = ledger
        self._stop = stop
        self._lines: Queue[Line | None] = Queue(IN_FLIGHT_MAX)
        self._reader = Thread(target=self._read, name="client-reader", daemon=True)
        self._writer = Thread(target=self._answer, name="client-writer", daemon=True)
        connection.settimeout(None)
        if connection.family != socket.AF_UNIX:
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        timeout = struct.pack("ll", SEND_SECONDS, 0)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, timeout)

    @property
    def is_alive(self) -> bool:
        return self._writer.is_alive()

    def start(self) -> None:
        self._reader.start()
        self._writer.start()

    def refuse(self, text: str) -> None:
        """Say why this client is not served, and hang up."""
        with contextlib.suppress(OSError):
            self._send({"line": 0, **error_answer(AvailabilityError(text))})
        self._connection.close()

    def stop_reading(self) -> None:
        """Take no further line; what was read is still answered."""
        with contextlib.suppress(OSError):
            self._connection.shutdown(socket.SHUT_RD)

    def join(self, timeout_seconds: float) -> None:
        self._writer.join(timeout_seconds)

    def _read(self) -> None:
        stream: IO[bytes]
        try:
            with self._connection.makefile("rb") as stream:
                for number, line in numbered(stream):
                    if self._stop.is_set:
                        break  # not submitted, so not answered: it is sent again elsewhere
                    self._lines.put(Line(number, begin(self._ledger, line)))
        except (OSError, ValueError):  # the client is gone, what it sent is decided
            pass
        except Exception as error:  # noqa: BLE001 - a bug of ours must not go unseen
            self._stop(error)
        finally:
            self._lines.put(None)

    def _answer(self) -> None:
        is_there = True
        with self._connection:
            while (line := self._lines.get()) is not None:
                answer = self._answer_of(line)
                try:
                    if is_there:
                        self._send(answer)
                except OSError:  # it hung up or does not read
                    is_there = False
                    self.stop_reading()

    def _answer_of(self, line: Line) -> dict[str, Any]:
        try:
            answer = answer_of(line)
        except Exception as error:  # noqa: BLE001 - a bug of ours: the others are served on
            print(f"gameledger: a command failed: {error!r}", file=sys.stderr, flush=True)
            return {"line": line.number, "status": "error", "kind": "error", "text": str(error)}
        if not isinstance(line.answer, dict):
            self._stop_if_over(line.answer)
        return answer

    def _stop_if_over(self, future: Future[Any]) -> None:
        error: BaseException | LedgerError | None = future.exception()
        if isinstance(error, FencedError | IntegrityError):
            self._stop(error)

    def _send(self, answer: dict[str, Any]) -> None:
        self._connection.sendall(f"{json_line(answer)}\n".encode())


def _family(address: Address) -> socket.AddressFamily:
    return socket.AF_INET6 if ":" in address.host else socket.AF_INET
