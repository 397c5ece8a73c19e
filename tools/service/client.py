"""The ledger at the other end of a line: commands go to the writer that leads.

What comes in: commands, as for a ledger in this process. What goes out: its receipts and
errors. A client of ``gameledger writer`` that knows several addresses tries them in turn.
Promised: every command has a ``command_id``, given here where there is none, so what was not
answered is sent again after a broken line and is decided once; whatever answers at an address,
or does not, every command has its receipt or error when :class:`Patience` is over, and no more is
held than the longest answer. Refused: nothing more than the writer refuses; an answer that is
none of a writer's, or to another command, ends the connection and settles nothing.
"""

from __future__ import annotations

import contextlib
import re
import socket
import ssl
from collections import deque
from concurrent.futures import Future
from dataclasses import dataclass
from itertools import cycle
from threading import Condition, Thread
from time import monotonic
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol, Self
from uuid import uuid4

import msgspec

from ledger.core.errors import (
    KINDS,
    AuthorizationError,
    AvailabilityError,
    InputError,
    LedgerError,
)
from ledger.core.events import ChainOpened
from ledger.decisions.decider import write_command
from ledger.log.port import checkpoint_of, events_at
from ledger.writer import Receipt
from tools.service.lines import LINE_BYTES_MAX
from tools.service.wire import LineStream, Wire

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ledger.core.command import Command
    from ledger.core.message import Head
    from ledger.core.signing import Checkpoint
    from ledger.log.port import ReadableLog
    from tools.service.address import Address
    from tools.service.tls import TlsFiles

__all__ = ["AnyLedger", "Patience", "RemoteLedger"]

WINDOW = 256
"""Lines on their way; fewer than a writer takes of one client, so neither waits for the other."""
WINDOW_BYTES = LINE_BYTES_MAX
"""Bytes of these lines, but for one that is longer alone; the same holds."""
ANSWER_BYTES_MAX = 16 << 20
SHOWN_BYTES = 60
REFUSED = re.compile("ALERT.*(CERT|CA$)")
"""How OpenSSL names the alert with which a writer refuses our certificate."""
SAYS_TLS = b"\x15\x03"
"""What a port begins with that expected TLS and got none."""


class AnyLedger(Protocol):
    """What a command needs of a ledger, in this process or elsewhere."""

    @property
    def chain(self) -> str:
        """Name of the chain."""

    @property
    def head(self) -> Head:
        """Where the recorded chain ends."""

    def checkpoint(self) -> Checkpoint:
        """Return what is to be signed of the recorded chain as it is now."""

    def execute(self, command: Command) -> Receipt:
        """Decide a command and wait for its receipt."""

    def submit(self, command: Command) -> Future[Receipt]:
        """Send a command; receipts come in the order of submission."""

    def close(self) -> None:
        """Wait for what is on its way, then let go."""

    def __enter__(self) -> Self:
        """Return the ledger itself."""

    def __exit__(self, *_: object) -> None:
        """Close it."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a client waits, in seconds."""

    connect: float = 5.0
    """For a connection, TLS included."""
    answer: float = 30.0
    """For the next answer of one writer, and for it to take what is sent."""
    pause: float = 0.2
    """Before the next address is tried."""
    total: float = 60.0
    """For an answer of anybody."""


class _Line(NamedTuple):
    text: bytes
    command_id: str
    answer: Future[Receipt]


class _Answer(msgspec.Struct, frozen=True):
    """What every answer of a writer has; ``line`` 0 is for the connection."""

    line: int
    status: Literal["recorded", "refused", "error"]
    command_id: str = ""
    kind: str = ""
    text: str = ""


class _NoAnswerError(Exception):
    """What came is no answer of a writer; the text says what it is."""


class RemoteLedger:
    """The ledger behind the addresses of its writers."""

    def __init__(
        self,
        addresses: Sequence[Address],
        open_log: Callable[[], ReadableLog],
        *,
        tls: TlsFiles | None = None,
        token: str | None = None,
        patience: Patience | None = None,
    ) -> None:
        """Name the writers; nothing is sent yet.

        Args:
            addresses: of leader and standbys, in any order.
            open_log: opens the log for reading, for :attr:`chain` and :attr:`head`.
            tls: our certificate and the writers' authority, for addresses with a port.
            token: says who we are where there is no TLS.
            patience: how long to wait.

        Raises:
            InputError, AuthorizationError, AvailabilityError: the files of TLS can't be used.

        """
        self._context = None if tls is None else tls.for_client()
        self._token = token
        self._addresses = cycle(addresses)
        self._names = ", ".join(map(str, addresses))
        self._open_log = open_log
        self._patience = patience or Patience()
        self._changed = Condition()
        self._unanswered: deque[_Line] = deque()
        self._sent = 0
        self._sent_bytes = 0
        self._closed = False
        self._heard_at = monotonic()
        self._is_given_up = False
        self._thread = Thread(target=self._run, name="ledger-client", daemon=True)
        self._thread.start()

    @property
    def chain(self) -> str:
        """Name of the chain, as its log has it."""
        with contextlib.closing(self._open_log()) as log:
            for recorded in events_at(log, [0]):
                if isinstance(recorded.event, ChainOpened):
                    return recorded.event.chain
        raise InputError("the log holds no chain: make one with `gameledger init`")

    @property
    def head(self) -> Head:
        """Where the log ends now."""
        with contextlib.closing(self._open_log()) as log:
            return log.head()

    def checkpoint(self) -> Checkpoint:
        """Return what is to be signed of the chain as this machine reads it."""
        with contextlib.closing(self._open_log()) as log:
            return checkpoint_of(self.chain, log)

    def execute(self, command: Command) -> Receipt:
        """Decide a command and wait for its receipt; see :meth:`submit`."""
        return self.submit(command).result()

    def submit(self, command: Command) -> Future[Receipt]:
        """Send a command to whoever leads; receipts come in the order of submission.

        Raises (from the future):
            LedgerError: as the writer says.
            AuthorizationError: the writer does not let us in, or is not whom it should be.
            AvailabilityError: nobody answered; it is safe to send it again.

        """
        identifier = command.command_id or uuid4()
        command = msgspec.structs.replace(command, command_id=identifier)
        line = _Line(write_command(command) + b"\n", str(identifier), Future())
        with self._changed:
            if self._closed:
                raise AvailabilityError("the ledger is closed")
            if not self._unanswered and not self._is_given_up:
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
        """Return the ledger itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close it."""
        self.close()

    def _run(self) -> None:
        while self._wait_for_work():
            error: LedgerError | None = None
            cause = "nobody leads"
            try:
                cause = self._try(next(self._addresses))
            except (OSError, _NoAnswerError) as broken:
                cause = getattr(broken, "strerror", "") or str(broken) or type(broken).__name__
            except LedgerError as final:
                error = final
            except Exception as fault:  # noqa: BLE001 - a bug of ours: nobody must wait for ever
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

    def _left(self) -> float:
        """Return the seconds until patience with all writers is over."""
        return self._heard_at + self._patience.total - monotonic()

    def _until(self, seconds: float) -> Callable[[], float]:
        """Return how many of these seconds are left; one of them, if patience is over already."""
        end = monotonic() + min(seconds, max(self._left(), 1.0))
        return lambda: end - monotonic()

    def _wait_for_work(self) -> bool:
        """Wait for a line; false when there will be none."""
        with self._changed:
            self._changed.wait_for(lambda: self._unanswered or self._closed)
            return bool(self._unanswered)

    def _try(self, address: Address) -> str:
        """Connect and talk until the line breaks; say why it did."""
        left = self._until(self._patience.connect)
        wire = Wire(_connected(address, left()), self._patience.answer)
        try:
            if self._context is not None and address.path is None:
                _secure(wire, self._context, left, address)
            elif self._token is not None:
                wire.send(msgspec.json.encode({"token": self._token}) + b"\n")
            return self._talk(wire, address)
        finally:
            wire.close()

    def _talk(self, wire: Wire, address: Address) -> str:
        self._sent = self._sent_bytes = answered = 0
        left: Callable[[], float] = lambda: 0.0  # noqa: E731 - until something is sent
        lines = LineStream(wire, lambda _: left())
        while self._wait_for_work():
            left = self._until(self._patience.answer)
            with contextlib.suppress(OSError):  # it may have said why before it hung up
                wire.send(self._next_lines())
            text = _read(lines, address)
            answer = _decoded(text, address)
            if answer.line == 0:
                if answer.kind == "authorization":
                    raise AuthorizationError(f"{address}: {answer.text}")
                return answer.text
            if answer.kind == "fenced":
                return answer.text
            line = self._unanswered[0]
            if answer.line != answered + 1 or answer.command_id not in {"", line.command_id}:
                raise _NoAnswerError(f"{address} answered another command than was sent")
            outcome = _outcome(answer, text, address)
            answered += 1
            self._settle(outcome)
        return ""

    def _next_lines(self) -> bytes:
        """Take what may be sent now: a window of lines, and of bytes unless it is one line."""
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
        """Answer all that waits; what comes later gets one try, not all the patience again."""
        with self._changed:
            lines = list(self._unanswered)
            self._unanswered.clear()
            self._is_given_up = True
        for line in lines:
            line.answer.set_exception(error)


def _connected(address: Address, seconds: float) -> socket.socket:
    if address.path is None:
        return socket.create_connection((address.host, address.port), seconds)
    connection = socket.socket(socket.AF_UNIX)
    try:
        connection.settimeout(seconds)
        connection.connect(str(address.path))
    except BaseException:
        connection.close()
        raise
    return connection


def _secure(
    wire: Wire, context: ssl.SSLContext, left: Callable[[], float], address: Address
) -> None:
    try:
        wire.secure(context, left, address.host)
    except ssl.SSLCertVerificationError as error:
        raise AuthorizationError(
            f"{address} is not whom it should be: {error.verify_message}; nothing was sent. See "
            "that --tls-ca vouches for the writer, and that its certificate names this host"
        ) from error
    except ssl.SSLError as error:
        raise _NoAnswerError(f"{address} does not speak TLS 1.3: {error.reason}") from error


def _read(lines: LineStream, address: Address) -> bytes:
    try:
        text = lines.readline(ANSWER_BYTES_MAX)
    except ssl.SSLError as error:  # with TLS 1.3 the writer judges us after our handshake
        if REFUSED.search(error.reason or ""):
            raise AuthorizationError(
                f"{address} does not accept the certificate of --tls-cert: {error.reason}"
            ) from error
        raise _NoAnswerError(f"{address} broke TLS: {error.reason}") from error
    except TimeoutError as error:
        raise _NoAnswerError(f"{address} gave no answer in time") from error
    if text.endswith(b"\n"):
        return text
    if text.startswith(SAYS_TLS):
        raise _NoAnswerError(f"{address} speaks TLS: give --tls-ca, --tls-cert and --tls-key")
    if not text:
        raise _NoAnswerError("the connection broke")
    raise _NoAnswerError(f"{address} gave no whole answer but {text[:SHOWN_BYTES]!r}")


def _decoded(text: bytes, address: Address) -> _Answer:
    try:
        return msgspec.json.decode(text, type=_Answer)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise _no_writer(text, address) from error


def _outcome(answer: _Answer, text: bytes, address: Address) -> Receipt | LedgerError:
    if answer.status == "error":
        return KINDS.get(answer.kind, LedgerError)(answer.text)
    try:
        return msgspec.json.decode(text, type=Receipt)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise _no_writer(text, address) from error


def _no_writer(text: bytes, address: Address) -> _NoAnswerError:
    return _NoAnswerError(f"{address} is no writer: it said {text[:SHOWN_BYTES]!r}")
