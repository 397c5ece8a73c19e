"""Writers as processes, and clients that send again what was not answered."""

from __future__ import annotations

import contextlib
import json
import socket
import subprocess
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self
from uuid import UUID

from ledger.core.clock import SystemClock
from ledger.log.sqlite import SqliteLog
from ledger.log.standby import LockStandby
from ledger.privacy import KeyStore
from ledger.writer import Ledger
from tests.tools.cli_cases import PROGRAM, ROOT, command
from tools.service.address import Address
from tools.service.leader_health import LeaderHealth
from tools.service.server import Server
from tools.service.stop import Stop

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ledger.core.clock import Clock

SECONDS_MAX = 180
ANSWER_SECONDS = 4.0
WINDOW = 25
SOCKET = "writer.sock"
ANY_PORT = Address("127.0.0.1", 0)


class Writer:
    """One ``gameledger writer``, which may lead or stand by."""

    def __init__(
        self,
        data: Path,
        *arguments: str,
        environment: dict[str, str],
        program: Sequence[str] = PROGRAM,
    ) -> None:
        self.states: dict[str, dict[str, Any]] = {}
        self._changed = threading.Condition()
        self._process = subprocess.Popen(  # noqa: S603 - our own program
            [*program, "writer", "--json", "--data", str(data), *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=ROOT,
            env={"PATH": "/usr/bin:/bin", **environment},
        )
        self._words = b""
        self._threads = [
            threading.Thread(target=work, daemon=True) for work in (self._listen, self._hear)
        ]
        for thread in self._threads:
            thread.start()

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def words(self) -> str:
        """What it wrote to stderr."""
        return self._words.decode()

    def wait_for(self, state: str, *, seconds: float = SECONDS_MAX) -> dict[str, Any]:
        """Wait until it says that it is in a state."""
        with self._changed:
            is_there = self._changed.wait_for(lambda: state in self.states, seconds)
        assert is_there, f"not {state}: {self.states}, {self.words}"
        return self.states[state]

    def send_signal(self, number: int) -> None:
        self._process.send_signal(number)

    def wait(self, seconds: float = SECONDS_MAX) -> int:
        """Wait for its end and return the exit code."""
        code = self._process.wait(seconds)
        for thread in self._threads:
            thread.join(SECONDS_MAX)
            assert not thread.is_alive(), "a process that it started keeps its streams open"
        return code

    def kill(self) -> None:
        """Kill -9; killing twice is allowed."""
        self._process.kill()
        self.wait()
        for stream in (self._process.stdout, self._process.stderr):
            if stream is not None:
                stream.close()

    def _listen(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            document = json.loads(line)
            with self._changed:
                self.states[document["state"]] = document
                self._changed.notify_all()

    def _hear(self) -> None:
        assert self._process.stderr is not None
        self._words = self._process.stderr.read()


def healthy(server: Server, stop: Stop) -> LeaderHealth:
    """Return the health of a leader on one machine, reported to no one."""
    return LeaderHealth(LockStandby(Path()), stop, lambda *_, **__: None, server.metrics)


@contextlib.contextmanager
def serving(
    studio: Path, path: Path | None = None, clock: Clock | None = None, **settings: Any
) -> Iterator[tuple[Server, Ledger, Stop]]:
    """Serve in this process, by a socket in the folder; ``settings`` are those of the server."""
    server, stop = Server(path or studio / SOCKET, **settings), Stop()
    log, keys = SqliteLog(studio, writable=True), KeyStore(studio / "keys")
    with Ledger(log, keys, clock=clock or SystemClock()) as ledger:
        server.listen()
        thread = threading.Thread(target=server.serve, args=(ledger, stop, healthy(server, stop)))
        thread.start()
        try:
            yield server, ledger, stop
        finally:
            stop()
            thread.join()
            server.close()


def is_ended(stop: Stop) -> bool:
    """Wait for the end of a service."""
    return stop._event.wait(SECONDS_MAX)


class Client:
    """Sends commands to whoever leads until each is answered; a few are on their way at a time."""

    def __init__(self, addresses: Sequence[Path], name: str) -> None:
        self.acknowledged: dict[str, dict[str, Any]] = {}
        self.answered_at: list[float] = []
        self.resent = 0
        self.errors: list[dict[str, Any]] = []
        self.stop = threading.Event()
        self._addresses = addresses
        self._name = name
        self._number = 0
        self._unanswered: list[dict[str, Any]] = []
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.finish()

    def finish(self) -> None:
        """Begin nothing new, and wait until all that was begun is answered."""
        self.stop.set()
        self._thread.join(SECONDS_MAX)
        assert not self._thread.is_alive(), "the client got no answer"

    def _run(self) -> None:
        turn = 0
        while self._unanswered or not self.stop.is_set():
            turn += 1
            with contextlib.suppress(OSError):
                address = self._addresses[turn % len(self._addresses)]
                with connecting(address, ANSWER_SECONDS) as connection:
                    self._talk(connection)
            time.sleep(0.05)

    def _talk(self, connection: socket.socket) -> None:
        self.resent += len(self._unanswered)
        stream = connection.makefile("rwb")
        for line in self._unanswered:
            stream.write(json.dumps(line).encode() + b"\n")
        while self._unanswered or not self.stop.is_set():
            while len(self._unanswered) < WINDOW and not self.stop.is_set():
                self._unanswered.append(self._next())
                stream.write(json.dumps(self._unanswered[-1]).encode() + b"\n")
            stream.flush()
            line = stream.readline()
            if not line.endswith(b"\n"):
                return
            answer = json.loads(line)
            if answer["status"] == "error":
                self.errors.append(answer)
                return
            sent = self._unanswered.pop(0)
            assert answer["command_id"] == sent["command_id"]
            self.acknowledged[answer["command_id"]] = answer
            self.answered_at.append(time.monotonic())

    def _next(self) -> dict[str, Any]:
        self._number += 1
        return command(
            "deposit",
            account="a-1",
            deposit=f"{self._name}-{self._number}",
            amount=100,
            method="card-1",
            command_id=str(UUID(int=(hash(self._name) & 0xFFFFFFFF) << 64 | self._number)),
        )


@contextlib.contextmanager
def connecting(path: Path, seconds: float = SECONDS_MAX) -> Iterator[socket.socket]:
    """Connect to the socket of a writer."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(str(path))  # with a time-out it would not wait for a place
        connection.settimeout(seconds)
        yield connection


def ask(path: Path, *lines: Any) -> list[dict[str, Any]]:
    """Send lines over one connection and read as many answers."""
    with connecting(path) as connection:
        stream = connection.makefile("rwb")
        for line in lines:
            stream.write((line if isinstance(line, str) else json.dumps(line)).encode() + b"\n")
        stream.flush()
        return [json.loads(stream.readline()) for _ in lines]


def socket_of(server: Server) -> Path:
    """Return the path of a server that has a socket."""
    assert server.path is not None
    return server.path


def free_port() -> int:
    """Find a port that nobody uses now."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])
