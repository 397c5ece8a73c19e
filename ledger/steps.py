"""The work of a writer as separate steps, which threads or a simulator call.

``decide`` and ``decide_ahead`` are the steps of the deciding side, ``store`` is the step of the
storing side. Each side may have one caller at a time; both sides may run at once. Pass the batch
that ``decide`` returns to ``store``, and pass the result of ``store`` to ``decide`` among its
items. No step waits for anything but the log.
"""

from __future__ import annotations

import time
from collections import deque
from typing import TYPE_CHECKING, NamedTuple, Protocol

from ledger.core.errors import AvailabilityError, LedgerError
from ledger.receipts import CommandTask, Receipt

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ledger.batch_decider import Batch, BatchDecider
    from ledger.log.port import Log
    from ledger.receipts import ReceiptFuture
    from ledger.state.ledger_state import LedgerState

__all__ = ["Observer", "StepScheduler", "Steps", "StoredBatch"]


class Observer(Protocol):
    """Receives the commits of a writer; it must return quickly and must not raise."""

    def committed(self, decisions: int, seconds: float) -> None:
        """Handle a commit.

        Args:
            decisions: number of decisions that became durable together.
            seconds: duration of the commit.

        """


class StepScheduler(Protocol):
    """Scheduler that calls the steps of a writer."""

    def put(self, task: CommandTask) -> None:
        """Queue a task; it gets an answer in every case."""

    @property
    def waiting(self) -> int:
        """Number of queued tasks that the deciding side has not taken yet."""

    def close(self) -> None:
        """Wait until all queued tasks are answered; called once."""


class StoredBatch(NamedTuple):
    """Result of storing a batch; ``fault`` is None if the batch is durable."""

    batch: Batch
    fault: LedgerError | None


class Steps:
    """The steps of one writer.

    Args:
        log: the log to which ``store`` appends.
        ledger_state: the state, which each decision advances; ``store`` destroys keys of persons
            once their erasure is recorded.
        decider: decides commands on that state.

    """

    def __init__(self, log: Log, ledger_state: LedgerState, decider: BatchDecider) -> None:
        """Start with nothing to decide."""
        self._log = log
        self._ledger_state = ledger_state
        self.decider = decider
        self.observers: list[Observer] = []
        self.tasks: deque[CommandTask] = deque()
        self._is_storing = False

    @property
    def is_idle(self) -> bool:
        """Whether every task that the deciding side took is answered."""
        return not self.tasks and not self._is_storing

    def decide(self, items: Iterable[CommandTask | StoredBatch]) -> Batch | None:
        """Take new items, and decide tasks unless a batch is being stored.

        Returns:
            The next batch to store; ``None`` if there is nothing to store, or the last batch is not
            stored yet.

        """
        for item in items:
            if isinstance(item, CommandTask):
                self.tasks.append(item)
            else:
                self._is_storing = False
                if item.fault is not None:
                    self.tasks.extendleft(reversed(self.decider.undo(item.batch, item.fault)))
        if self._is_storing:
            return None
        while not self.decider.has_batch:
            self.decider.settle()
            if not self.tasks:
                return None
            self.decider.decide_batch(self.tasks, is_ahead=False)
        self._is_storing = True
        return self.decider.next_batch()

    def decide_ahead(self) -> None:
        """Decide tasks while a batch is being stored."""
        if self._is_storing:
            self.decider.decide_batch(self.tasks, is_ahead=True)

    def store(self, batch: Batch) -> StoredBatch:
        """Make a batch durable, and only then answer its tasks."""
        fault = self._append(batch)
        if fault is None:
            for task, answer in batch.answers:
                self._deliver(task.answer, answer)
        return StoredBatch(batch, fault)

    def _deliver(self, answer: ReceiptFuture, result: Receipt | Exception) -> None:
        if isinstance(result, Exception):
            answer.set_exception(result)
            return
        try:
            if result.destroys_a_key:
                self._ledger_state.destroy_keys_of_erased()
        except Exception as error:  # noqa: BLE001 - the caller gets it
            # Recorded, but the key is still there: a repeat or the next start destroys it.
            answer.set_exception(error)
        else:
            answer.set_result(result)

    def _append(self, batch: Batch) -> LedgerError | None:
        """Make a batch durable or confirm the head it rests on; return the error, or None."""
        try:
            if not batch.messages:
                if batch.depends_on_log:
                    self._log.confirm()
                return None
            begun = time.perf_counter()
            self._log.append(batch.messages)
            seconds = time.perf_counter() - begun
            for observer in self.observers:
                observer.committed(batch.decisions, seconds)
        except LedgerError as error:
            return error
        except Exception as error:  # noqa: BLE001 - outcome unknown: stop for good
            text = f"the log failed: {error}; start the writer again"
            self.decider.broken = AvailabilityError(text)
            return self.decider.broken
        return None
