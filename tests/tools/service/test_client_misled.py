"""A client that is connected to anything but a writer ends in time, with a sentence."""

from __future__ import annotations

import json
import socket
import threading
from contextlib import contextmanager, suppress
from tempfile import TemporaryDirectory
from time import monotonic
from typing import TYPE_CHECKING, Any

import pytest

from ledger.core.errors import AvailabilityError, LedgerError
from ledger.decisions.payments.payments import Deposit
from ledger.log.memory import MemoryLog
from tests.waiting import PATIENCE_SECONDS
from tools.service.client import LedgerClient, Timeouts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

PATIENCE = Timeouts(connect=0.5, answer=0.5, pause=0.01, total=1.0)
COMMAND = Deposit(account="a", deposit="d", amount=1, method="m")
RECEIPT = {
    "line": 1,
    "status": "recorded",
    "chain": "test",
    "command_id": "019a9f6e-7f4e-7c9a-9d5e-0d9f3b1c2a44",
    "first_position": 1,
    "last_position": 1,
    "hash": "00",
    "recorded_at": 1,
    "events": ["Deposited"],
}


@contextmanager
def answering(answer: Callable[[socket.socket], None]) -> Iterator[str]:
    """Let something answer every connection to a socket, one thread each."""
    over = threading.Event()
    threads: list[threading.Thread] = []

    def work(connection: socket.socket) -> None:
        connection.settimeout(PATIENCE_SECONDS)
        with connection, suppress(OSError):
            answer(connection)

    def accept() -> None:
        while not over.is_set():
            with suppress(TimeoutError):
                threads.append(threading.Thread(target=work, args=(listening.accept()[0],)))
                threads[-1].start()

    with TemporaryDirectory() as folder, socket.socket(socket.AF_UNIX) as listening:
        listening.bind(f"{folder}/socket")
        listening.listen()
        listening.settimeout(0.05)
        accepting = threading.Thread(target=accept)
        accepting.start()
        yield f"unix:{folder}/socket"
        over.set()
        accepting.join()
    for thread in threads:
        thread.join()


def http(connection: socket.socket) -> None:
    connection.recv(1 << 16)
    connection.sendall(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
    connection.recv(1 << 20)


def garbage(connection: socket.socket) -> None:
    connection.sendall(bytes(range(256)) * 40 + b"\n")
    _listen(connection)


def endless_line(connection: socket.socket) -> None:
    while True:
        connection.sendall(b"x" * (1 << 20))


def drip(connection: socket.socket) -> None:
    """Each byte in time, the line never."""
    over = threading.Event()
    while True:
        connection.sendall(b" ")
        over.wait(0.05)


def silence(connection: socket.socket) -> None:
    _listen(connection)


def half_closed(connection: socket.socket) -> None:
    connection.shutdown(socket.SHUT_WR)
    _listen(connection)


def deaf(_: socket.socket) -> None:
    """It takes nothing and says nothing, until the client hangs up."""
    threading.Event().wait(PATIENCE.total)


def half_an_answer(connection: socket.socket) -> None:
    connection.recv(1 << 16)
    connection.sendall(json.dumps(RECEIPT).encode()[:-20])


def saying(document: Any) -> Callable[[socket.socket], None]:
    def say(connection: socket.socket) -> None:
        connection.recv(100)
        connection.sendall(json.dumps(document).encode() + b"\n")
        _listen(connection)

    return say


def _listen(connection: socket.socket) -> None:
    while connection.recv(1 << 16):
        pass


@pytest.mark.slow
@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        (http, "is no writer: it said b'HTTP/1.1 400 Bad Request"),
        (garbage, "is no writer"),
        (endless_line, "no whole answer"),
        (drip, "no answer in time"),
        (silence, "no answer in time"),
        (half_closed, "the connection broke"),
        (deaf, "no answer in time|the connection broke|timed out"),
        (half_an_answer, "no whole answer"),
        (saying([]), "is no writer"),
        (saying({"line": "1"}), "is no writer"),
        (saying({"line": 1}), "is no writer"),
        (saying({"line": 1, "status": "recorded"}), "is no writer"),
        (saying({"line": 1, "status": "valid"}), "is no writer"),
        (saying(RECEIPT), "another command"),
        (saying({**RECEIPT, "line": 2}), "another command"),
        (saying({"line": -1, "status": "error", "kind": "input"}), "another command"),
        (saying({"line": 0, "status": "error", "kind": "availability", "text": "full"}), "full"),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_client_of_no_writer_gives_up_in_time(
    answer: Callable[[socket.socket], None], sentence: str
) -> None:
    began = monotonic()
    with answering(answer) as address:
        with LedgerClient([address], MemoryLog, patience=PATIENCE) as remote:
            futures = [remote.submit(COMMAND) for _ in range(3)]
            for future in futures:
                with pytest.raises(AvailabilityError, match=sentence):
                    future.result(PATIENCE_SECONDS)
        assert monotonic() - began < PATIENCE_SECONDS


def test_answers_that_nobody_asked_for_settle_nothing_later() -> None:
    """The second answer came before its command: it must not be taken for the command's."""

    def eager(connection: socket.socket) -> None:
        sent = json.loads(connection.makefile("rb").readline())
        first = {**RECEIPT, "command_id": sent["command_id"]}
        second = {**RECEIPT, "line": 2}
        connection.sendall(b"".join(json.dumps(one).encode() + b"\n" for one in (first, second)))
        _listen(connection)

    with (
        answering(eager) as address,
        LedgerClient([address], MemoryLog, patience=PATIENCE) as remote,
    ):
        assert remote.execute(COMMAND).last_position == 1
        # Sent again over a new connection, where it is the first line.
        assert remote.execute(COMMAND).last_position == 1


def test_after_giving_up_the_next_command_does_not_wait_as_long_again() -> None:
    with answering(silence) as address:
        patience = Timeouts(connect=0.2, answer=0.2, pause=0.01, total=6.0)
        with LedgerClient([address], MemoryLog, patience=patience) as remote:
            for least, most in ((6.0, PATIENCE_SECONDS), (0.0, 6.0)):
                began = monotonic()
                with pytest.raises(AvailabilityError):
                    remote.execute(COMMAND)
                assert least <= monotonic() - began < most


def test_bug_of_the_client_ends_the_wait() -> None:
    """Whatever its thread meets, nobody waits for ever."""
    with LedgerClient(["unix:/absent"], MemoryLog, patience=PATIENCE) as remote:
        remote._turns.clear()
        with pytest.raises(LedgerError, match="the client failed"):
            remote.execute(COMMAND)
