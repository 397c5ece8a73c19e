"""The one writer of a chain: commands in, receipts out.

A queue of commands is drained by one thread. It decides them in order, links their events
to the chain, appends everything that has gathered in one transaction (group commit), and
only then answers. Nothing is acknowledged before it is durable; nothing is visible before
its commit. Each ``command_id`` is decided once: a repeat gets the first receipt, other
content under the same identifier is an error.
"""

from __future__ import annotations

import os
import socket
import threading
import time
from concurrent.futures import Future
from hashlib import sha256
from queue import SimpleQueue
from typing import TYPE_CHECKING, NamedTuple, Protocol, Self
from uuid import UUID

from msgspec import Struct

import schemas
from ledger.core import chain
from ledger.core import events as e
from ledger.core.clock import DAY, SystemClock, from_datetime
from ledger.core.encoding import decode, decode_envelope
from ledger.core.errors import AvailabilityError, InputError, IntegrityError, LedgerError
from ledger.core.refusals import Refusal
from ledger.core.schema_book import SELF_DESCRIBED
from ledger.core.signing import CHAIN_NAME, Checkpoint
from ledger.core.version import VERSION
from ledger.decisions.balance import UnbalancedError, held, require_balanced
from ledger.decisions.decider import decide, read_command, write_command
from ledger.log.port import checkpoint_of
from ledger.state.world import World

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ledger.core.clock import Clock
    from ledger.core.command import Command
    from ledger.core.message import Head, Message
    from ledger.core.privacy import Entropy, KeyStore
    from ledger.log.port import Log
    from ledger.rules.operator import Figures

__all__ = ["Ledger", "Observer", "Receipt"]

BATCH_DECISIONS_MAX = 512
OCCURRED_AHEAD_MAX = 5_000_000
CLOSED = object()


class Receipt(Struct, frozen=True, gc=False):
    """Proof that a command was decided and its events are in the chain.

    ``hash`` is that of the last event, hexadecimal; ``refused`` is set for a refusal, which
    is recorded like any other decision.
    """

    chain: str
    command_id: str
    first_position: int
    last_position: int
    hash: str
    recorded_at: int
    events: tuple[str, ...]
    refused: Refusal | None = None


class Observer(Protocol):
    """Who is told what the writer does; it has to be quick and must not fail."""

    def committed(self, decisions: int, seconds: float) -> None:
        """Learn that so many decisions became durable together, in so many seconds."""


class _Task(NamedTuple):
    command: Command
    identifier: bytes
    digest: bytes
    moment: int
    answer: Future[Receipt]
    after: Future[Receipt] | None


class Ledger:
    """A chain that is open for writing. Use as a context manager, or call :meth:`close`.

    Args:
        log: the log; the ledger closes it.
        keys: key store; the ledger closes it.
        clock: gives the moment of each record; must not go back.
        entropy: random bytes for command identifiers that the caller left out.
        writer: name of this process in ``WriterStarted``.

    Raises:
        InputError: the log holds no chain; make one with :meth:`create`.
        AvailabilityError: the clock is behind the chain.

    """

    def __init__(
        self,
        log: Log,
        keys: KeyStore,
        *,
        clock: Clock | None = None,
        entropy: Entropy = os.urandom,
        writer: str | None = None,
    ) -> None:
        """Take over the chain; the first decision records it."""
        self._log = log
        self._keys = keys
        self._clock = clock or SystemClock()
        self._entropy = entropy
        self._writer = writer or socket.gethostname()
        self._queue: SimpleQueue[_Task | object] = SimpleQueue()
        self._submitting = threading.Lock()
        self._closed = False
        self._broken: LedgerError | None = None
        self._observers: list[Observer] = []
        self._head: Head = log.head()
        if not self._head.size:
            raise InputError("the log holds no chain: make one with `gameledger init`")
        self._last_moment = self._moment_of_tail()
        self._world = World(log, keys)
        keys.keep_only_without(self._world.house.erased)
        self._pending: list[Message] = []
        self._decided: dict[bytes, tuple[bytes, Receipt]] = {}
        self._thread = threading.Thread(target=self._run, name="ledger-writer", daemon=True)
        self._epoch = self._world.house.epoch + 1
        if self._clock.now() < self._last_moment:
            raise AvailabilityError(
                "the clock is behind the last record of the chain: set it by NTP and start again"
            )
        self._thread.start()

    @classmethod
    def create(
        cls,
        log: Log,
        keys: KeyStore,
        *,
        operator: str,
        operator_name: str,
        chain_name: str,
        clock: Clock | None = None,
        entropy: Entropy = os.urandom,
        writer: str | None = None,
    ) -> Ledger:
        """Begin a chain in an empty log and open it.

        Raises:
            InputError: the log is not empty, or the name has a space, a plus or other signs.

        """
        if log.head().size:
            raise InputError("the log holds a chain already: open it, or name another folder")
        if not CHAIN_NAME.fullmatch(chain_name):
            raise InputError(
                "the name of a chain is 1 to 128 signs of ASCII without space and plus, such as "
                "casino.example/live"
            )
        opened = e.ChainOpened(
            operator=operator,
            operator_name=operator_name,
            chain=chain_name,
            format_version=chain.FORMAT_VERSION,
            hash_algorithm=chain.HASH_ALGORITHM,
        )
        moment = (clock or SystemClock()).now()
        messages, _head = chain.link(
            log.head(),
            [opened],
            command_id=_system_id("create", 0),
            command_digest=bytes(16),
            recorded_at=moment,
            occurred_at=moment,
            actor="gameledger",
            source=writer or socket.gethostname(),
        )
        log.append(messages)
        return cls(log, keys, clock=clock, entropy=entropy, writer=writer)

    def __enter__(self) -> Self:
        """Return the ledger itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close it."""
        self.close()

    @property
    def chain(self) -> str:
        """Name of the chain."""
        return self._world.house.chain

    @property
    def head(self) -> Head:
        """Where the recorded chain ends."""
        return self._log.head()

    @property
    def waiting(self) -> int:
        """How many commands wait to be decided."""
        return self._queue.qsize()

    def observe(self, observer: Observer) -> None:
        """Tell somebody else of every commit from now on, in the thread that decides."""
        self._observers.append(observer)

    def checkpoint(self) -> Checkpoint:
        """Return what is to be signed of the recorded chain as it is now."""
        return checkpoint_of(self.chain, self._log)

    def execute(self, command: Command) -> Receipt:
        """Decide a command and wait for its receipt; see :meth:`submit`."""
        return self.submit(command).result()

    def submit(
        self, command: Command, *, at: int | None = None, after: Future[Receipt] | None = None
    ) -> Future[Receipt]:
        """Put a command into the queue; receipts come in the order of submission.

        Args:
            command: the command, of ``ledger.decisions.decider.COMMANDS``.
            at: moment of the record in microseconds; the clock is asked if it is left out.
            after: answer to an earlier command, without whose record this one is not decided: if
                that one could not be stored, neither is this, so that their order holds when
                both are sent again.

        Raises (from the future):
            InputError: it can't be decided, or its identifier was used for another one.
            AvailabilityError: it could not be stored; it is safe to send it again.

        """
        answer: Future[Receipt] = Future()
        with self._submitting:
            if self._closed:
                raise AvailabilityError("the ledger is closed")
            try:
                self._queue.put(self._task(command, at, answer, after))
            except LedgerError as error:
                answer.set_exception(error)
        return answer

    def _task(
        self,
        command: Command,
        at: int | None,
        answer: Future[Receipt],
        after: Future[Receipt] | None,
    ) -> _Task:
        _require_stored(after)
        text = write_command(command)
        checked = read_command(text)
        moment = self._clock.now() if at is None else at
        if moment < self._last_moment:
            behind = (self._last_moment - moment) / 1_000_000
            raise AvailabilityError(
                f"the clock went back: it is {behind:.6f} s behind the last record; "
                "set it by NTP and send the command again"
            )
        self._last_moment = moment
        identifier = checked.command_id or _time_ordered(moment, self._entropy(10))
        digest = self._keys.digest("command", text)[:16]
        return _Task(checked, identifier.bytes, digest, moment, answer, after)

    def close(self) -> None:
        """Decide what is in the queue, then stop and close log and key store."""
        with self._submitting:
            if self._closed:
                return
            self._closed = True
        self._queue.put(CLOSED)
        self._thread.join()
        self._log.close()
        self._keys.close()

    def _moment_of_tail(self) -> int:
        for _, message in self._log.read(self._head.size - 1):
            return decode_envelope(message).recorded_at
        raise IntegrityError("the log has a head and no last message")

    def _take_over(self, moment: int) -> None:
        """Say who writes from here on, before the first decision: who sends nothing leaves no mark.

        What the log holds tells whether it was said, so an append that failed repeats it.
        """
        if self._world.house.epoch == self._epoch:
            return
        published = self._world.house.schemas
        missing: list[e.Event] = [
            e.SchemaPublished(
                name=schema.name,
                version=schema.version,
                fingerprint=schema.fingerprint.hex(),
                schema=schema.text,
            )
            for schema in schemas.newest().values()
            if schema.name not in SELF_DESCRIBED and schema.fingerprint.hex() not in published
        ]
        started = e.WriterStarted(writer=self._writer, epoch=self._epoch, software_version=VERSION)
        for events in (missing, [started]):
            if events:
                identifier = _system_id("take over", self._head.size)
                self._link(
                    events,
                    identifier=identifier,
                    digest=bytes(16),
                    moment=moment,
                    occurred_at=moment,
                    actor="gameledger",
                    source=self._writer,
                )

    def _run(self) -> None:
        open_for_work = True
        while open_for_work:
            tasks: list[_Task] = []
            task = self._queue.get()
            while True:
                if not isinstance(task, _Task):
                    open_for_work = False
                    break
                tasks.append(task)
                if len(tasks) >= BATCH_DECISIONS_MAX or self._queue.empty():
                    break
                task = self._queue.get()
            self._work(tasks)

    def _work(self, tasks: Sequence[_Task]) -> None:
        answered: list[tuple[_Task, Receipt]] = []
        try:
            recorded = self._log.commands([task.identifier for task in tasks])
        except LedgerError as error:
            for task in tasks:
                task.answer.set_exception(error)
            return
        for task in tasks:
            try:
                answered.append((task, self._answer(task, recorded.get(task.identifier))))
            except Exception as error:  # noqa: BLE001 - the caller gets it
                if not isinstance(error, LedgerError) or isinstance(error, UnbalancedError):
                    # A bug of ours, perhaps in the middle of a decision.
                    self._commit(answered)
                    answered = []
                    self._read_again()
                task.answer.set_exception(error)
        self._commit(answered)
        self._decided.clear()

    def _answer(self, task: _Task, recorded: tuple[int, int] | None) -> Receipt:
        if self._broken is not None:
            raise self._broken
        _require_stored(task.after)
        known = self._decided.get(task.identifier)
        if known is None and recorded is not None:
            known = self._first_receipt(task.identifier, *recorded)
        if known is None:
            return self._decide(task)
        first_digest, receipt = known
        if first_digest != task.digest:
            raise InputError(
                f"command_id {receipt.command_id} was used at position {receipt.first_position} "
                "for a command with other content: give the new command an identifier of its own"
            )
        return receipt

    def _decide(self, task: _Task) -> Receipt:
        command = task.command
        occurred_at = _occurred_at(command, task.moment, self._world.rules.figures)
        decided = decide(self._world, command, task.moment)
        self._take_over(task.moment)
        first = self._link(
            decided.events,
            identifier=task.identifier,
            digest=task.digest,
            moment=task.moment,
            occurred_at=occurred_at,
            actor=command.actor,
            source=command.source,
        )
        receipt = Receipt(
            chain=self._world.house.chain,
            command_id=_in_groups(task.identifier),
            first_position=first,
            last_position=self._head.size - 1,
            hash=self._head.hash.hex(),
            recorded_at=task.moment,
            events=tuple(type(event).__name__ for event in decided.events),
            refused=decided.refusal,
        )
        self._decided[task.identifier] = (task.digest, receipt)
        return receipt

    def _link(
        self,
        events: Sequence[e.Event],
        *,
        identifier: bytes,
        digest: bytes,
        moment: int,
        occurred_at: int,
        actor: str,
        source: str,
    ) -> int:
        first = self._head.size
        messages, head = chain.link(
            self._head,
            events,
            command_id=identifier,
            command_digest=digest,
            recorded_at=moment,
            occurred_at=occurred_at,
            actor=actor,
            source=source,
        )
        chain.require_fits(messages)
        before = held(self._world, events)
        for event in events:
            self._world.apply(event, moment)
        require_balanced(self._world, events, before, identifier)
        self._head = head
        self._pending += messages
        return first

    def _commit(self, answered: Sequence[tuple[_Task, Receipt]]) -> None:
        try:
            if self._pending:
                begun = time.perf_counter()
                self._log.append(self._pending)
                seconds = time.perf_counter() - begun
                for observer in self._observers:
                    observer.committed(len(answered), seconds)
        except LedgerError as error:
            self._undo(error)
            for task, _ in answered:
                task.answer.set_exception(error)
            return
        except Exception as error:  # noqa: BLE001 - outcome unknown: stop for good
            self._broken = AvailabilityError(f"the log failed: {error}; start the writer again")
            for task, _ in answered:
                task.answer.set_exception(self._broken)
            return
        self._pending = []
        self._world.committed()
        for task, receipt in answered:
            try:
                if "PersonErased" in receipt.events:
                    self._keys.keep_only_without(self._world.house.erased)
            except LedgerError as error:
                # Recorded, but the key is still there: a repeat or the next start destroys it.
                task.answer.set_exception(error)
            else:
                task.answer.set_result(receipt)

    def _undo(self, error: LedgerError) -> None:
        """Go back to what the log holds, which is known: nothing of the batch."""
        self._pending = []
        self._decided.clear()
        if isinstance(error, IntegrityError):
            self._broken = error
            return
        self._read_again()

    def _read_again(self) -> None:
        """Forget what was decided in memory and take what the log holds."""
        try:
            self._head = self._log.head()
            self._world.reset()
        except LedgerError as error:
            self._broken = error

    def _first_receipt(self, identifier: bytes, first: int, size: int) -> tuple[bytes, Receipt]:
        messages = [message for _, message in self._log.read(first, first + size)]
        decided = [decode(message) for message in messages]
        return decided[0].envelope.command_digest, Receipt(
            chain=self._world.house.chain,
            command_id=str(UUID(bytes=identifier)),
            first_position=first,
            last_position=first + size - 1,
            hash=decided[-1].hash.hex(),
            recorded_at=decided[0].envelope.recorded_at,
            events=tuple(type(record.event).__name__ for record in decided),
            refused=next(filter(None, (_recorded_refusal(r.event) for r in decided)), None),
        )


def _time_ordered(moment: int, randomness: bytes) -> UUID:
    """Make a UUID of version 7, whose order in time keeps the index of commands fast."""
    tail = int.from_bytes(randomness) & (1 << 74) - 1
    number = moment // 1000 << 80 | 0x7 << 76 | (tail >> 62) << 64 | 0b10 << 62
    return UUID(int=number | tail & (1 << 62) - 1)


def _in_groups(identifier: bytes) -> str:
    """Write an identifier as a UUID is written."""
    text = identifier.hex()
    return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"


def _system_id(purpose: str, size: int) -> bytes:
    return sha256(f"gameledger|{purpose}|{size}".encode()).digest()[:16]


def _require_stored(earlier: Future[Receipt] | None) -> None:
    if (
        earlier is not None
        and earlier.done()
        and isinstance(earlier.exception(), AvailabilityError)
    ):
        raise AvailabilityError("a command before it could not be stored: send both again")


def _occurred_at(command: Command, moment: int, figures: Figures) -> int:
    if command.occurred_at is None:
        return moment
    occurred_at = from_datetime(command.occurred_at)
    if occurred_at > moment + OCCURRED_AHEAD_MAX:
        raise InputError(
            f"occurred_at {command.occurred_at.isoformat()} lies in the future: "
            "compare the clocks of the source and of the ledger"
        )
    days = figures.recorded_within_days.value
    if occurred_at < moment - days * DAY:
        raise InputError(
            f"occurred_at {command.occurred_at.isoformat()} lies more than {days} days back: "
            "set the clock of the source, or leave it out and say in words when it was"
        )
    return occurred_at


def _recorded_refusal(event: e.Event) -> Refusal | None:
    facts = [getattr(event, field, None) for field in ("code", "sentence", "paragraph")]
    return Refusal(*facts) if None not in facts else None  # type: ignore[arg-type]
