"""Decide commands in memory; return batches of linked messages with the receipts to send.

Decisions are made in order, each on the state that its predecessor left; nothing is written
here. The state may be ahead of the log: while one batch is being stored, the next one is decided,
as long as its commands need only data in memory (``AHEAD``). The storing side reports the result
of each batch: ``settle`` once everything is in the log, ``undo`` if a batch was not stored; the
state is then rebuilt from the log. Each ``command_id`` is decided once: a repeated command gets
the receipt of the first one; different content under the same identifier is an error.
"""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

import schemas
from ledger import chain
from ledger.core.clock import DAY, from_datetime
from ledger.core.errors import (
    AvailabilityError,
    FencedError,
    InputError,
    IntegrityError,
    LedgerError,
)
from ledger.core.refusals import Refusal
from ledger.core.version import VERSION
from ledger.decisions.balance import UnbalancedError, balances_of, require_balanced
from ledger.decisions.decider import AHEAD, decide
from ledger.events import event_types as e
from ledger.events.encoding import decode
from ledger.events.schema_book import SELF_DESCRIBED, publication_of
from ledger.log.port import linked_messages
from ledger.privacy import LeftKeyError
from ledger.receipts import Receipt, require_stored

if TYPE_CHECKING:
    from collections import deque
    from collections.abc import Sequence

    from ledger.core.message import Message
    from ledger.events.command import Command
    from ledger.log.port import Log
    from ledger.receipts import CommandTask
    from ledger.rules.operator import Figures
    from ledger.state.ledger_state import LedgerState

__all__ = ["Batch", "BatchDecider", "system_id"]

BATCH_DECISIONS_MAX = 512
AHEAD_DECISIONS_MAX = 4_096
"""After this many decisions, a batch waits until all earlier ones are stored, to release memory."""

OCCURRED_AHEAD_MAX = 5_000_000
RESOURCE_ERRORS = OSError, RuntimeError
"""Raised when disks, descriptors or threads are exhausted; not the command's fault."""


class Batch(NamedTuple):
    """A unit of storage: messages, and the response to each task once they are stored."""

    messages: list[Message]
    answers: list[tuple[CommandTask, Receipt | Exception]]

    @property
    def decisions(self) -> int:
        """Number of tasks that get a receipt."""
        return sum(isinstance(answer, Receipt) for _, answer in self.answers)

    @property
    def depends_on_log(self) -> bool:
        """Whether an answer of this batch is correct only if no other writer has appended since."""
        return any(isinstance(answer, Receipt | InputError) for _, answer in self.answers)


class BatchDecider:
    """Decides the commands of one writer; may be used by one thread only.

    Args:
        log: searched for commands that were recorded earlier; nothing is appended to it.
        ledger_state: the state, which each decision advances.
        writer: name of this process in ``WriterStarted``.

    """

    def __init__(self, log: Log, ledger_state: LedgerState, writer: str) -> None:
        """Start at the end of the log."""
        self._log = log
        self._ledger_state = ledger_state
        self._writer = writer
        self._head = log.head()
        self._epoch = ledger_state.operator_state.epoch + 1
        self._batch = Batch([], [])
        self._decided: dict[bytes, tuple[bytes, Receipt]] = {}
        self._failed: list[tuple[CommandTask, Exception]] = []
        self._has_to_wait = False
        self._must_reload = False
        self._is_key_left = False
        self.broken: LedgerError | None = None

    def decide_batch(self, tasks: deque[CommandTask], *, is_ahead: bool) -> None:
        """Decide tasks from the left of the queue, until the batch is full or a task must wait.

        ``is_ahead`` is true while an earlier decision is not stored yet.
        """
        if self._has_to_wait or (is_ahead and len(self._decided) >= AHEAD_DECISIONS_MAX):
            return
        free_slots = BATCH_DECISIONS_MAX - len(self._batch.answers)
        batch_tasks: list[CommandTask] = []
        while (
            tasks
            and len(batch_tasks) < free_slots
            and not (is_ahead and type(tasks[0].command) not in AHEAD)
        ):
            batch_tasks.append(tasks.popleft())
        if not batch_tasks:
            return
        try:
            recorded = self._log.commands([task.identifier for task in batch_tasks])
        except Exception as error:  # noqa: BLE001 - the callers get it
            fault = _as_ledger_error(error) if isinstance(error, RESOURCE_ERRORS) else error
            self._batch.answers.extend((task, fault) for task in batch_tasks)
            self._has_to_wait = True  # later tasks see its failure first
            return
        for number, task in enumerate(batch_tasks, start=1):
            answer = self._answer(task, recorded.get(task.identifier))
            if self._must_reload and isinstance(answer, Exception):
                self._failed.append((task, answer))
            else:
                self._batch.answers.append((task, answer))
            if self._has_to_wait:
                tasks.extendleft(reversed(batch_tasks[number:]))
                return

    @property
    def has_batch(self) -> bool:
        """Whether there are decisions that :meth:`next_batch` has not returned yet."""
        return bool(self._batch.answers)

    def next_batch(self) -> Batch:
        """Return the decisions since the last call, and begin a new batch."""
        batch, self._batch = self._batch, Batch([], [])
        return batch

    def settle(self) -> None:
        """Answer the waiting tasks; call it once all decisions are in the log or undone."""
        if self._has_to_wait:
            self._notice_stopped_log()
        self._has_to_wait = False
        self._decided.clear()
        if self._must_reload:
            if self.broken is None:
                self._reload_state()
        else:
            self._ledger_state.committed()
        if self._is_key_left:
            self._destroy_left_keys()
        for task, error in self._failed:
            task.answer.set_exception(error)
        self._failed.clear()

    def undo(self, failed: Batch, error: LedgerError) -> list[CommandTask]:
        """Discard the state after a batch was not stored; return the tasks to decide again."""
        if isinstance(error, IntegrityError | FencedError):
            self.broken = error
        if not failed.messages:  # the state did not change; later decisions remain valid
            self._notice_stopped_log()
            for task, _ in failed.answers:
                task.answer.set_exception(error)
            return []
        self._failed += [(task, error) for task, _ in failed.answers]
        self._must_reload = True
        return [task for task, _ in self.next_batch().answers]

    def _reload_state(self) -> None:
        """Discard the state in memory and reload it from the log."""
        self._batch = Batch([], [])
        try:
            self._head = self._log.head()
            self._ledger_state.reset()
            self._destroy_left_keys()  # a return that was not recorded leaves one
            self._must_reload = False
        except Exception as error:  # noqa: BLE001 - no decision is possible without the state
            self.broken = _as_ledger_error(error)

    def _notice_stopped_log(self) -> None:
        """Stop with the log, wherever it stopped: in an append, or for a look at who leads."""
        try:
            self._log.head()
        except Exception as stopped:  # noqa: BLE001 - it has stopped for good
            self.broken = _as_ledger_error(stopped)

    def _destroy_left_keys(self) -> None:
        self._is_key_left = False
        try:
            self._ledger_state.destroy_keys_of_erased()
        except AvailabilityError:
            return  # the return of such a person asks for it again
        except LedgerError as error:
            self.broken = error

    def _answer(self, task: CommandTask, recorded: tuple[int, int] | None) -> Receipt | Exception:
        try:
            if self.broken is not None:
                return self.broken
            require_stored(task.after)
            known = self._decided.get(task.identifier)
            if known is None and recorded is not None:
                known = self._first_receipt(task.identifier, *recorded)
            if known is None:
                return self._decide(task)
        except Exception as error:  # noqa: BLE001 - the caller gets it
            if not isinstance(error, LedgerError) or isinstance(error, UnbalancedError):
                # A bug of ours, perhaps in the middle of a decision.
                self._must_reload = self._has_to_wait = True
            if isinstance(error, AvailabilityError):
                self._has_to_wait = True  # later tasks see its failure first
            self._is_key_left |= isinstance(error, LeftKeyError)
            return _as_ledger_error(error) if isinstance(error, OSError) else error
        first_digest, receipt = known
        if first_digest != task.digest:
            return InputError(
                f"command_id {receipt.command_id} was used at position {receipt.first_position} "
                "for a command with other content: give the new command an identifier of its own"
            )
        return receipt

    def _decide(self, task: CommandTask) -> Receipt:
        command = task.command
        occurred_at = _occurred_at(command, task.moment, self._ledger_state.rules.figures)
        decided = decide(self._ledger_state, command, task.moment)
        self._record_writer_start(task.moment)
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
            chain=self._ledger_state.operator_state.chain,
            command_id=_format_uuid(task.identifier),
            first_position=first,
            last_position=self._head.size - 1,
            hash=self._head.hash.hex(),
            recorded_at=task.moment,
            events=tuple([type(event).__name__ for event in decided.events]),
            refused=decided.refusal,
        )
        self._decided[task.identifier] = (task.digest, receipt)
        if receipt.destroys_a_key:
            # Its key is destroyed once this is stored; a person who returns gets a new key then.
            self._has_to_wait = True
        return receipt

    def _record_writer_start(self, moment: int) -> None:
        """Record the change of writer just before its first decision.

        A writer that decides nothing records no event. The log shows whether the event was
        recorded, so an append that failed repeats it.
        """
        if self._ledger_state.operator_state.epoch == self._epoch:
            return
        published = self._ledger_state.operator_state.schemas
        missing: list[e.Event] = [
            publication_of(schema.name)
            for schema in schemas.newest().values()
            if schema.name not in SELF_DESCRIBED and schema.fingerprint.hex() not in published
        ]
        started = e.WriterStarted(writer=self._writer, epoch=self._epoch, software_version=VERSION)
        for events in (missing, [started]):
            if events:
                self._link(
                    events,
                    identifier=system_id("take over", self._head.size),
                    digest=bytes(16),
                    moment=moment,
                    occurred_at=moment,
                    actor="gameledger",
                    source=self._writer,
                )

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
        before = balances_of(self._ledger_state, events)
        for event in events:
            self._ledger_state.apply(event, moment)
        require_balanced(self._ledger_state, events, before, identifier)
        self._head = head
        self._batch.messages.extend(messages)
        return first

    def _first_receipt(self, identifier: bytes, first: int, size: int) -> tuple[bytes, Receipt]:
        messages = [message for _, message in linked_messages(self._log, first, first + size)]
        decided = [decode(message) for message in messages]
        return decided[0].envelope.command_digest, Receipt(
            chain=self._ledger_state.operator_state.chain,
            command_id=_format_uuid(identifier),
            first_position=first,
            last_position=first + size - 1,
            hash=decided[-1].hash.hex(),
            recorded_at=decided[0].envelope.recorded_at,
            events=tuple(type(record.event).__name__ for record in decided),
            refused=next(filter(None, (_recorded_refusal(r.event) for r in decided)), None),
        )


def _as_ledger_error(error: Exception) -> LedgerError:
    """Return any error of a log as a ledger error; an unknown one is not the command's fault."""
    if isinstance(error, LedgerError):
        return error
    text = f"the log, or what belongs to it, can't be read ({error!r})"
    return AvailabilityError(f"{text}: repeat, or start the writer again")


def system_id(purpose: str, size: int) -> bytes:
    """Return the 16-byte command identifier of a decision that the writer itself makes.

    It is derived from the purpose and the size of the chain, so a repeated attempt has the same
    one.
    """
    return sha256(f"gameledger|{purpose}|{size}".encode()).digest()[:16]


def _format_uuid(identifier: bytes) -> str:
    """Format an identifier as a UUID."""
    text = identifier.hex()
    return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"


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
    facts = [getattr(event, field, None) for field in ("code", "parameters", "paragraph")]
    return Refusal.recorded(*facts) if None not in facts else None  # type: ignore[arg-type]
