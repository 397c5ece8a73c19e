"""The only writer of a chain: it takes commands and returns receipts.

One thread decides commands in order and links their events (``ledger.batch_decider``). Another
thread appends all decisions that were made meanwhile in one transaction (group commit) and only
then sends their receipts; the next batch is decided while the last one is being synced. Nothing is
acknowledged before it is durable; nothing is visible before its commit. If a batch cannot be
stored, its senders get an error, and the later decisions that depended on it are made again from
the content of the log.
"""

from __future__ import annotations

import os
import socket
import threading
from queue import SimpleQueue
from typing import TYPE_CHECKING, Self
from uuid import UUID

from ledger import chain
from ledger.batch_decider import BatchDecider, system_id
from ledger.core.clock import SECOND, SystemClock
from ledger.core.errors import AvailabilityError, InputError, IntegrityError, LedgerError
from ledger.decisions.decider import decode_command, encode_command
from ledger.events import event_types as e
from ledger.events.encoding import decode_envelope
from ledger.events.schema_book import publication_of
from ledger.log.port import checkpoint_of
from ledger.receipts import CommandTask, Receipt, ReceiptFuture, require_stored
from ledger.rules.operator import rules_for
from ledger.state.ledger_state import LedgerState
from ledger.steps import Observer, Steps, StoredBatch
from ledger.tlog.signing import CHAIN_NAME, Checkpoint

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from concurrent.futures import Future

    from ledger.batch_decider import Batch
    from ledger.core.clock import Clock
    from ledger.core.entropy import Entropy
    from ledger.core.message import Head
    from ledger.events.command import Command
    from ledger.log.port import Log
    from ledger.privacy import KeyStore
    from ledger.rules.operator import NamedRules, OperatorRules
    from ledger.steps import StepScheduler

__all__ = ["Ledger", "Observer", "Receipt", "WriterThreads"]

CLOSED = object()


class Ledger:
    """A chain opened for writing. Use as a context manager, or call :meth:`close`.

    Args:
        log: the log; the ledger closes it.
        keys: key store; the ledger closes it.
        clock: gives the moment of each record; must not go back.
        entropy: random bytes for command identifiers that the caller left out.
        writer: name of this process in ``WriterStarted``.
        scheduler: what calls the steps of this writer; two threads by default.
        clock_wait_seconds: how long to wait for a clock that is behind the chain.

    Raises:
        InputError: the log holds no chain; create one with :meth:`create`.
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
        scheduler: Callable[[Steps], StepScheduler] | None = None,
        clock_wait_seconds: float = 0,
    ) -> None:
        """Take over the chain; the first decision records the change of writer."""
        self._log = log
        self._keys = keys
        self._clock = clock or SystemClock()
        self._entropy = entropy
        self._submitting = threading.Lock()
        self._closed = False
        size = log.head().size
        if not size:
            raise InputError("the log holds no chain: make one with `gameledger init`")
        self._last_moment = self._moment_of(size - 1)
        self._ledger_state = LedgerState(log, keys)
        self._ledger_state.destroy_keys_of_erased()
        decider = BatchDecider(log, self._ledger_state, writer or socket.gethostname())
        self._steps = Steps(log, self._ledger_state, decider)
        self._await_clock(clock_wait_seconds)
        self._drive = (scheduler or WriterThreads)(self._steps)

    @classmethod
    def create(
        cls,
        log: Log,
        keys: KeyStore,
        *,
        operator: str,
        operator_name: str,
        chain_name: str,
        rules: NamedRules | None = None,
        clock: Clock | None = None,
        entropy: Entropy = os.urandom,
        writer: str | None = None,
        scheduler: Callable[[Steps], StepScheduler] | None = None,
    ) -> Ledger:
        """Create a chain in an empty log and open it.

        Its first decision opens it and publishes the operator's rules: ``rules``, or those that
        ship for the operator.

        Raises:
            InputError: the log is not empty, the name has a space, a plus or other signs, or no
                rules ship for the operator.

        """
        if log.head().size:
            raise InputError("the log holds a chain already: open it, or name another folder")
        if not CHAIN_NAME.fullmatch(chain_name):
            raise InputError(
                "the name of a chain is 1 to 128 signs of ASCII without space and plus, such as "
                "casino.example/live"
            )
        chosen = rules or rules_for(operator)
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
            [opened, publication_of("OperatorRulesPublished"), chosen.event],
            command_id=system_id("create", 0),
            command_digest=bytes(16),
            recorded_at=moment,
            occurred_at=moment,
            actor="gameledger",
            source=writer or socket.gethostname(),
        )
        log.append(messages)
        return cls(log, keys, clock=clock, entropy=entropy, writer=writer, scheduler=scheduler)

    def __enter__(self) -> Self:
        """Return the ledger itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close it."""
        self.close()

    @property
    def chain(self) -> str:
        """Name of the chain."""
        return self._ledger_state.operator_state.chain

    @property
    def head(self) -> Head:
        """Head of the recorded chain."""
        return self._log.head()

    @property
    def rules(self) -> OperatorRules:
        """The operator's rules of operation that are in force."""
        return self._ledger_state.rules

    @property
    def broken(self) -> LedgerError | None:
        """Error that stops this writer until the chain is reopened; None while it works."""
        return self._steps.decider.broken

    @property
    def waiting(self) -> int:
        """Number of commands that are not decided yet."""
        return self._drive.waiting + len(self._steps.tasks)

    def observe(self, observer: Observer) -> None:
        """Add an observer of commits; the storing thread calls it."""
        self._steps.observers.append(observer)

    def checkpoint(self, size: int | None = None) -> Checkpoint:
        """Return the unsigned checkpoint of the recorded chain, at a size or as it is now."""
        return checkpoint_of(self.chain, self._log, size)

    def execute(self, command: Command) -> Receipt:
        """Decide a command and wait for its receipt; see :meth:`submit`."""
        return self.submit(command).result()

    def submit(
        self, command: Command, *, at: int | None = None, after: Future[Receipt] | None = None
    ) -> Future[Receipt]:
        """Queue a command; receipts come in the order of submission.

        Args:
            command: the command, of ``ledger.decisions.decider.COMMANDS``.
            at: moment of the record in microseconds; by default that of the clock.
            after: future of an earlier command on whose record this one depends: if that one cannot
                be stored, neither is this one, so that their order holds when both are sent again.

        Raises (from the future):
            InputError: it cannot be decided, or its identifier belongs to another command.
            AvailabilityError: it could not be stored; it is safe to send again.

        """
        answer = ReceiptFuture()
        with self._submitting:
            if self._closed:
                raise AvailabilityError("the ledger is closed")
            try:
                self._drive.put(self._task(command, at, answer, after))
            except LedgerError as error:
                answer.set_exception(error)
        return answer

    def _task(
        self,
        command: Command,
        at: int | None,
        answer: ReceiptFuture,
        after: Future[Receipt] | None,
    ) -> CommandTask:
        require_stored(after)
        text = encode_command(command)
        checked = decode_command(text)
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
        return CommandTask(checked, identifier.bytes, digest, moment, answer, after)

    def _await_clock(self, seconds: float) -> None:
        """Wait at most ``seconds`` for the clock to reach the timestamp of the last record.

        A previous writer whose clock was slightly ahead may have dated that record.
        """
        behind = self._last_moment - self._clock.now()
        if 0 < behind <= seconds * SECOND:
            threading.Event().wait((behind + 1) / SECOND)
            behind = self._last_moment - self._clock.now()
        if behind > 0:
            raise AvailabilityError(
                "the clock is behind the last record of the chain: set it by NTP and start again"
            )

    def close(self) -> None:
        """Decide all queued commands, then stop and close log and key store."""
        with self._submitting:
            if self._closed:
                return
            self._closed = True
        self._drive.close()
        self._log.close()
        self._keys.close()

    def _moment_of(self, position: int) -> int:
        for _, message in self._log.read(position):
            return decode_envelope(message).recorded_at
        raise IntegrityError("the log has a head and no last message")


class WriterThreads:
    """Calls the steps of a writer from two threads: one decides, the other stores."""

    def __init__(self, steps: Steps) -> None:
        """Start the threads."""
        self._steps = steps
        self._queue: SimpleQueue[object] = SimpleQueue()
        self._decided: SimpleQueue[Batch | None] = SimpleQueue()
        self._threads = [
            threading.Thread(target=self._decide, name="ledger-writer", daemon=True),
            threading.Thread(target=self._store, name="ledger-storing", daemon=True),
        ]
        for thread in self._threads:
            thread.start()

    def put(self, task: CommandTask) -> None:
        """Queue a task."""
        self._queue.put(task)

    @property
    def waiting(self) -> int:
        """Number of queued items."""
        return self._queue.qsize()

    def close(self) -> None:
        """Answer all queued tasks, then end the threads."""
        self._queue.put(CLOSED)
        for thread in self._threads:
            thread.join()

    def _decide(self) -> None:
        """Decide incoming commands; hand them over for storage when the last batch is stored."""
        steps, is_ending = self._steps, False
        while not (is_ending and steps.is_idle):
            items = list(self._items())
            is_ending = is_ending or CLOSED in items
            batch = steps.decide(
                item for item in items if isinstance(item, CommandTask | StoredBatch)
            )
            if batch is not None:
                self._decided.put(batch)
            steps.decide_ahead()
        self._decided.put(None)

    def _items(self) -> Iterator[object]:
        """Wait for the next item; return it with all items queued by then."""
        yield self._queue.get()
        while not self._queue.empty():
            yield self._queue.get()

    def _store(self) -> None:
        """Store batch after batch."""
        while (batch := self._decided.get()) is not None:
            self._queue.put(self._steps.store(batch))


def _time_ordered(moment: int, randomness: bytes) -> UUID:
    """Return a UUID of version 7; its time order keeps insertions into the command index fast."""
    tail = int.from_bytes(randomness) & (1 << 74) - 1
    number = moment // 1000 << 80 | 0x7 << 76 | (tail >> 62) << 64 | 0b10 << 62
    return UUID(int=number | tail & (1 << 62) - 1)
