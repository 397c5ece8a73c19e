"""The ledger at the other end of a line: commands go to the writer that leads.

What comes in: commands, as for a ledger in this process. What goes out: its receipts and
errors. A client of ``gameledger writer`` (see ``service``) that knows several addresses tries
them in turn. Promised: every command has a ``command_id``, given here where there is none, so
what was not answered is sent again after a broken line and is decided once. Refused: nothing
more than the writer refuses; when nobody leads for :data:`PATIENCE_SECONDS`, the error says that
a repeat is safe.
"""

from __future__ import annotations

import contextlib
import json
import socket
from collections import deque
from concurrent.futures import Future
from itertools import cycle
from threading import Condition, Thread
from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, Self
from uuid import uuid4

import msgspec

from ledger.decider import write_command
from ledger.encoding import decode
from ledger.errors import (
    AuthorizationError,
    AvailabilityError,
    InputError,
    IntegrityError,
    LedgerError,
)
from ledger.events import ChainOpened
from ledger.writer import Receipt

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ledger.command import Command
    from ledger.log.port import Head, ReadableLog
    from tools.service import Address

__all__ = ["AnyLedger", "RemoteLedger"]

WINDOW = 256
"""Lines on their way; fewer than a writer takes of one client, so neither waits for the other."""
CONNECT_SECONDS = 5.0
ANSWER_SECONDS = 30.0
PAUSE_SECONDS = 0.2
PATIENCE_SECONDS = 60.0
KINDS = {
    "input": InputError,
    "integrity": IntegrityError,
    "availability": AvailabilityError,
    "authorization": AuthorizationError,
}


class AnyLedger(Protocol):
    """What a command needs of a ledger, in this process or elsewhere."""

    @property
    def chain(self) -> str:
        """Name of the chain."""

    @property
    def head(self) -> Head:
        """Where the recorded chain ends."""

    def execute(self, command: Command) -> Receipt:
        """Decide a command and wait for its receipt."""

    def submit(self, command: Command) -> Future[Receipt]:
        """Send a command; receipts come in the order of submission."""

    def close(self) -> None:
        """Wait for what is on its way, then let go."""

    def __enter__(self) -> Self:
        """Give the ledger itself."""

    def __exit__(self, *_: object) -> None:
        """Close it."""


class _Line(NamedTuple):
    text: bytes
    answer: Future[Receipt]


class RemoteLedger:
    """The ledger behind the addresses of its writers."""

    def __init__(self, addresses: Sequence[Address], open_log: Callable[[], ReadableLog]) -> None:
        """Name the writers; nothing is sent yet.

        Args:
            addresses: of leader and standbys, in any order.
            open_log: opens the log for reading, for :attr:`chain` and :attr:`head`.

        """
        self._addresses = cycle(addresses)
        self._names = ", ".join(map(str, addresses))
        self._open_log = open_log
        self._changed = Condition()
        self._unanswered: deque[_Line] = deque()
        self._sent = 0
        self._closed = False
        self._heard_at = monotonic()
        self._thread = Thread(target=self._run, name="ledger-client", daemon=True)
        self._thread.start()

    @property
    def chain(self) -> str:
        """Name of the chain, as its log has it."""
        with contextlib.closing(self._open_log()) as log:
            for _, message in log.read(0, 1):
                event = decode(message).event
                if isinstance(event, ChainOpened):
                    return event.chain
        raise InputError("the log holds no chain: make one with `gameledger init`")

    @property
    def head(self) -> Head:
        """Where the log ends now."""
        with contextlib.closing(self._open_log()) as log:
            return log.head()

    def execute(self, command: Command) -> Receipt:
        """Decide a command and wait for its receipt; see :meth:`submit`."""
        return self.submit(command).result()

    def submit(self, command: Command) -> Future[Receipt]:
        """Send a command to whoever leads; receipts come in the order of submission.

        Raises (from the future):
            LedgerError: as the writer says.
            AvailabilityError: nobody answered; it is safe to send it again.

        """
        if command.command_id is None:
            command = msgspec.structs.replace(command, command_id=uuid4())
        line = _Line(write_command(command) + b"\n", Future())
        with self._changed:
            if self._closed:
                raise AvailabilityError("the ledger is closed")
            if not self._unanswered:
                self._heard_at = monotonic()
            self._unanswered.append(line)
            self._changed.notify_all()
        return line.answer

    def close(self) -> None:
        """Wait until everything is answered; closing twice is allowed."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        self._thread.join()

    def __enter__(self) -> Self:
        """Give the ledger itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close it."""
        self.close()

    def _run(self) -> None:
        while self._wait_for_work():
            self._sent = 0
            cause = "nobody leads"
            try:
                with _connected(next(self._addresses)) as connection:
                    cause = self._talk(connection)
            except OSError as error:
                cause = error.strerror or str(error) or type(error).__name__
            if monotonic() - self._heard_at > PATIENCE_SECONDS:
                self._give_up(cause)
            with self._changed:
                self._changed.wait_for(lambda: self._closed, PAUSE_SECONDS)

    def _wait_for_work(self) -> bool:
        """Wait for a line; false when there will be none."""
        with self._changed:
            self._changed.wait_for(lambda: self._unanswered or self._closed)
            return bool(self._unanswered)

    def _talk(self, connection: socket.socket) -> str:
        """Send and hear until the line breaks; say why it did."""
        answers = connection.makefile("rb")
        while self._wait_for_work():
            connection.sendall(self._next_lines())
            text = answers.readline()
            if not text.endswith(b"\n"):
                return "the connection broke"
            answer = json.loads(text)
            if answer.get("kind") == "fenced" or not answer["line"]:
                return str(answer["text"])
            self._heard_at = monotonic()
            with self._changed:
                line = self._unanswered.popleft()
            self._sent -= 1
            _settle(line.answer, answer)
        return ""

    def _next_lines(self) -> bytes:
        with self._changed:
            count = min(len(self._unanswered), WINDOW)
            lines = [self._unanswered[at].text for at in range(self._sent, count)]
        self._sent += len(lines)
        return b"".join(lines)

    def _give_up(self, cause: str) -> None:
        with self._changed:
            lines = list(self._unanswered)
            self._unanswered.clear()
        error = AvailabilityError(
            f"no writer answered at {self._names} ({cause}): see that one leads, then send again "
            "what was not answered"
        )
        for line in lines:
            line.answer.set_exception(error)


def _connected(address: Address) -> socket.socket:
    if address.path is None:
        connection = socket.create_connection((address.host, address.port), CONNECT_SECONDS)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    else:
        connection = socket.socket(socket.AF_UNIX)
        connection.connect(str(address.path))
    connection.settimeout(ANSWER_SECONDS)
    return connection


def _settle(future: Future[Receipt], answer: dict[str, Any]) -> None:
    if answer["status"] == "error":
        future.set_exception(KINDS.get(answer["kind"], LedgerError)(answer["text"]))
    else:
        future.set_result(msgspec.convert(answer, Receipt))
