"""Client of a remote ledger: send commands to the writer that leads.

Input: commands, as for a ledger in this process. Output: their receipts and errors. A client that
knows several addresses of ``gameledger writer`` tries them in turn: ``https://host:port``, or
``unix:/path`` of a socket on its own machine.

Guaranteed: every command has a ``command_id``, assigned here where the caller gave none, so that an
unanswered command is sent again after a broken connection and is decided only once. Whatever a
writer answers, and even if none answers, every command has its receipt or error when
:class:`Timeouts` have elapsed. Received data is bounded by the length of the longest answer. A
writer that asks for a delay (``Retry-After``) is not contacted before it has passed; other writers
are tried meanwhile. Rejected: only what the writer rejects. A response that is not an answer of a
writer, or that answers another command, ends the connection and settles no command.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections import deque
from dataclasses import dataclass
from pathlib import Path
from threading import Condition, Event, Thread
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple, Protocol, Self
from uuid import uuid4

import msgspec

from ledger.core.errors import (
    AuthorizationError,
    AvailabilityError,
    InputError,
    LedgerError,
)
from ledger.decisions.decider import encode_command
from ledger.log.opening import opening_of
from ledger.log.port import checkpoint_of
from ledger.receipts import Receipt, ReceiptFuture
from tools.service.answers import ANSWER_BYTES_MAX, SHOWN_BYTES, NoAnswerError, decoded, outcome_of
from tools.service.http_writer import HttpWriter
from tools.service.lines import LINE_BYTES_MAX
from tools.service.wire import LineStream, Wire

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from concurrent.futures import Future

    from ledger.core.message import Head
    from ledger.events.command import Command
    from ledger.log.port import ReadableLog
    from ledger.tlog.signing import Checkpoint
    from tools.service.tls import TlsFiles

__all__ = ["AnyLedger", "LedgerClient", "Timeouts"]

SOCKET = "unix:"
"""Begins the address of a socket."""
WINDOW = 256
"""Lines on their way; fewer than a writer takes of one client, so neither waits for the other."""
WINDOW_BYTES = LINE_BYTES_MAX
"""Bytes of these lines, but for one that is longer alone; the same holds."""


class AnyLedger(Protocol):
    """Interface of a ledger that takes commands, in this process or remote."""

    @property
    def broken(self) -> LedgerError | None:
        """Error that stopped all decisions until the ledger is reopened; None while it works."""

    @property
    def chain(self) -> str:
        """Name of the chain."""

    @property
    def head(self) -> Head:
        """Position at which the recorded chain ends, with its hash."""

    def checkpoint(self, size: int | None = None) -> Checkpoint:
        """Return the unsigned checkpoint of the recorded chain, at a size or as it is now."""

    def execute(self, command: Command) -> Receipt:
        """Decide a command and wait for its receipt."""

    def submit(self, command: Command) -> Future[Receipt]:
        """Send a command; return the future of its receipt, in submission order."""

    def close(self) -> None:
        """Wait for commands in flight, then release all resources."""

    def __enter__(self) -> Self:
        """Return the ledger itself."""

    def __exit__(self, *_: object) -> None:
        """Close it."""


@dataclass(frozen=True, slots=True)
class Timeouts:
    """Timeouts of a client, in seconds."""

    connect: float = 5.0
    """For a connection, TLS included."""
    answer: float = 10.0
    """For the next answer of one writer, and for it to take what is sent."""
    pause: float = 0.2
    """Before the next address is tried."""
    total: float = 60.0
    """For an answer of anybody."""


@dataclass(slots=True, eq=False)
class _Attempt:
    """An address, and the earliest time of the next attempt, as its writer requested."""

    address: Path | str
    at: float = 0.0


class _PendingCommand(NamedTuple):
    text: bytes
    command_id: str
    answer: ReceiptFuture


class LedgerClient:
    """The ledger behind the addresses of its writers.

    Commands are those of ``ledger.decisions``, answers are receipts. :meth:`execute` blocks,
    :meth:`execute_async` is awaited, :meth:`submit` returns a future; any thread may call them::

        with LedgerClient(["https://writer-1:7412", "https://writer-2:7412"], tls=files) as ledger:
            receipt = ledger.execute(PlaceBet(…, command_id=uuid7))
    """

    def __init__(
        self,
        addresses: Sequence[str],
        open_log: Callable[[], ReadableLog] | None = None,
        *,
        tls: TlsFiles | None = None,
        token: str | None = None,
        patience: Timeouts | None = None,
    ) -> None:
        """Set the addresses of the writers; nothing is sent yet.

        Args:
            addresses: of leader and standbys, in any order.
            open_log: opens the log for reading; required by :attr:`chain`, :attr:`head` and
                :meth:`checkpoint`.
            tls: the client's certificate and the authority for writers, for HTTPS.
            token: authenticates the client at a socket or over plain HTTP.
            patience: timeouts.

        Raises:
            InputError: there is no address, or one is invalid.
            InputError, AuthorizationError, AvailabilityError: the TLS files can't be used.

        """
        self._context = None if tls is None else tls.for_client()
        self._token = token
        self._patience = patience or Timeouts()
        if not addresses:
            raise InputError("name the writers: a client without an address reaches no writer")
        self._turns = deque(_Attempt(self._writer_at(one)) for one in addresses)
        self._names = ", ".join(map(str, addresses))
        self._open_log = open_log
        self._changed = Condition()
        self._unanswered: deque[_PendingCommand] = deque()
        self._sent = 0
        self._sent_bytes = 0
        self._closed = False
        self._heard_at = monotonic()
        self._is_given_up = False
        self._thread = Thread(target=self._run, name="ledger-client", daemon=True)
        self._thread.start()

    @property
    def broken(self) -> None:
        """None: another writer may lead at any time."""
        return

    @property
    def chain(self) -> str:
        """Name of the chain, read from its log."""
        with contextlib.closing(self._log()) as log:
            return opening_of(log).chain

    @property
    def head(self) -> Head:
        """Position and hash at which the log ends now."""
        with contextlib.closing(self._log()) as log:
            return log.head()

    def checkpoint(self, size: int | None = None) -> Checkpoint:
        """Return the unsigned checkpoint of the chain as read on this machine, at a size or now."""
        with contextlib.closing(self._log()) as log:
            return checkpoint_of(self.chain, log, size)

    def execute(self, command: Command) -> Receipt:
        """Decide a command and wait for its receipt; see :meth:`submit`."""
        return self.submit(command).result()

    async def execute_async(self, command: Command) -> Receipt:
        """Decide a command and await its receipt; see :meth:`submit`."""
        return await asyncio.wrap_future(self.submit(command))

    def submit(self, command: Command) -> Future[Receipt]:
        """Send a command to the leader; return the future of its receipt, in submission order.

        Cancelling the wait does not cancel the command.

        Raises (from the future):
            LedgerError: the error that the writer returned.
            AuthorizationError: the writer does not admit this client, or its certificate is wrong.
            AvailabilityError: no writer answered; it is safe to send the command again.

        """
        identifier = command.command_id or uuid4()
        command = msgspec.structs.replace(command, command_id=identifier)
        line = _PendingCommand(encode_command(command) + b"\n", str(identifier), ReceiptFuture())
        with self._changed:
            if self._closed:
                raise AvailabilityError("the ledger is closed")
            if not self._unanswered and not self._is_given_up:
                self._heard_at = monotonic()
            self._unanswered.append(line)
            self._changed.notify_all()
        return line.answer

    def close(self) -> None:
        """Wait until every command is answered; closing twice is allowed."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        self._thread.join()

    def __enter__(self) -> Self:
        """Return the ledger itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close it."""
        self.close()

    def _log(self) -> ReadableLog:
        if self._open_log is None:
            raise InputError("this client sends commands only: name the log where it is read")
        return self._open_log()

    def _writer_at(self, address: str) -> Path | str:
        if address.startswith(SOCKET):
            return Path(address.removeprefix(SOCKET))
        with self._http_writer(address):
            return address

    def _http_writer(self, url: str) -> HttpWriter:
        return HttpWriter(url, self._context, self._token, self._patience.connect)

    def _run(self) -> None:
        while self._wait_for_work():
            error: LedgerError | None = None
            cause = "no writer leads"
            try:
                cause = self._try_next()
            except (OSError, NoAnswerError) as broken:
                cause = getattr(broken, "strerror", "") or str(broken) or type(broken).__name__
            except LedgerError as final:
                error = final
            except Exception as fault:  # noqa: BLE001 - a bug of ours: no caller must wait for ever
                error = LedgerError(f"the client failed: {fault!r}")
            if self._left() <= 0:
                error = error or AvailabilityError(
                    f"no writer answered at {self._names} ({cause}): see that one leads, then "
                    "send again what was not answered"
                )
            if error is not None:
                self._give_up(error)
            with self._changed:
                self._changed.wait_for(lambda: self._closed, self._patience.pause)

    def _try_next(self) -> str:
        """Try the next address that is due; wait first, if every writer asked for a delay."""
        now = monotonic()
        turn = min(self._turns, key=lambda one: max(one.at - now, 0.0))
        self._turns.remove(turn)
        self._turns.append(turn)
        Event().wait(max(min(turn.at - now, self._left()), 0.0))
        try:
            return self._try(turn.address)
        except NoAnswerError as busy:
            turn.at = monotonic() + busy.retry_seconds
            raise

    def _left(self) -> float:
        """Return the seconds left until the timeout for all writers."""
        return self._heard_at + self._patience.total - monotonic()

    def _until(self, seconds: float) -> Callable[[], float]:
        """Return a countdown of these seconds, or of the total timeout (1 s at least)."""
        end = monotonic() + min(seconds, max(self._left(), 1.0))
        return lambda: end - monotonic()

    def _wait_for_work(self) -> bool:
        """Wait for a line; return False when no more lines will come."""
        with self._changed:
            self._changed.wait_for(lambda: self._unanswered or self._closed)
            return bool(self._unanswered)

    def _try(self, address: Path | str) -> str:
        """Connect and exchange lines until the connection breaks; return the reason."""
        if isinstance(address, str):
            with self._http_writer(address) as writer:
                return self._ask(writer, address)
        left = self._until(self._patience.connect)
        wire = Wire(_connected(address, left()), self._patience.answer)
        try:
            if self._token is not None:
                wire.send(msgspec.json.encode({"token": self._token}) + b"\n")
            return self._talk(wire, f"{SOCKET}{address}")
        finally:
            wire.close()

    def _talk(self, wire: Wire, address: str) -> str:
        self._sent = self._sent_bytes = answered = 0
        left: Callable[[], float] = lambda: 0.0  # noqa: E731 - until something is sent
        lines = LineStream(wire, lambda _: left())
        while self._wait_for_work():
            left = self._until(self._patience.answer)
            with contextlib.suppress(OSError):  # it may have sent the reason before it closed
                wire.send(self._next_lines())
            answered += 1
            reason = self._take(_read(lines, address), answered, address)
            if reason:
                return reason
        return ""

    def _ask(self, writer: HttpWriter, address: str) -> str:
        """Send the waiting lines in one request after another."""
        while self._wait_for_work():
            self._sent = self._sent_bytes = answered = 0
            lines = self._next_lines()
            waited_for = self._sent
            for text in writer.ask(lines, self._until(self._patience.answer)):
                answered += 1
                reason = self._take(text, answered, address)
                if reason:
                    return reason
            if answered < waited_for:
                return f"{address} ended its answer early"
        return ""

    def _take(self, text: bytes, number: int, address: str) -> str:
        """Settle the next line with its answer; return the reason, if this writer is to be left."""
        answer = decoded(text, address)
        if answer.line == 0:
            if answer.kind == "authorization":
                raise AuthorizationError(f"{address}: {answer.text}")
            return answer.text
        if answer.kind == "fenced":
            return answer.text
        line = self._unanswered[0] if self._sent else None
        if line is None or answer.line != number or answer.command_id not in {"", line.command_id}:
            raise NoAnswerError(f"{address} answered another command than was sent")
        self._settle(outcome_of(answer, text, address))
        return ""

    def _next_lines(self) -> bytes:
        """Return the lines that may be sent now, within the window; a long line is sent alone."""
        found = []
        with self._changed:
            while self._sent < min(len(self._unanswered), WINDOW):
                text = self._unanswered[self._sent].text
                if self._sent and self._sent_bytes + len(text) > WINDOW_BYTES:
                    break
                found.append(text)
                self._sent += 1
                self._sent_bytes += len(text)
        return b"".join(found)

    def _settle(self, outcome: Receipt | LedgerError) -> None:
        self._heard_at, self._is_given_up = monotonic(), False
        with self._changed:
            line = self._unanswered.popleft()
        self._sent -= 1
        self._sent_bytes -= len(line.text)
        if isinstance(outcome, Receipt):
            line.answer.set_result(outcome)
        else:
            line.answer.set_exception(outcome)

    def _give_up(self, error: LedgerError) -> None:
        """Fail all waiting commands; a later command gets one attempt, not the whole timeout."""
        with self._changed:
            lines = list(self._unanswered)
            self._unanswered.clear()
            self._is_given_up = True
        for line in lines:
            line.answer.set_exception(error)


def _connected(path: Path, seconds: float) -> socket.socket:
    connection = socket.socket(socket.AF_UNIX)
    try:
        connection.settimeout(seconds)
        connection.connect(str(path))
    except BaseException:
        connection.close()
        raise
    return connection


def _read(lines: LineStream, address: str) -> bytes:
    try:
        text = lines.readline(ANSWER_BYTES_MAX)
    except TimeoutError as error:
        raise NoAnswerError(f"{address} gave no answer in time") from error
    if text.endswith(b"\n"):
        return text
    if not text:
        raise NoAnswerError("the connection broke")
    raise NoAnswerError(f"{address} gave no whole answer but {text[:SHOWN_BYTES]!r}")
