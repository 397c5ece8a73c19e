"""Deliberate bugs in the product, to see that the simulation finds each.

A bug is a change of one method, such as a mistake could make it. Each is found as a failure, within
a number of seeds that ``make simulate-bugs`` prints.
"""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, Any
from uuid import NAMESPACE_OID, UUID, uuid5

import msgspec
import pytest
from gameledger_client import _writer

from ledger import batch_decider
from ledger.batch_decider import BatchDecider
from ledger.core.errors import AvailabilityError
from ledger.log.kafka import note
from ledger.log.kafka.note import HeadNote
from ledger.log.kafka.writer import TopicWriter
from ledger.privacy import KeyStore
from ledger.receipts import Receipt, ReceiptFuture
from ledger.state.ledger_state import LedgerState
from ledger.steps import Steps, StoredBatch
from ledger.writer import Ledger
from tests.simulation import (
    simulated_mirror_bugs,  # noqa: F401 - they register their own
    simulated_service_bugs,  # noqa: F401 - the same
    simulated_storage_bugs,  # noqa: F401 - the same
)
from tests.simulation.bug_register import BUGS, SEEDS, bug, seeds_until_found, with_bug
from tools.feed import following
from tools.feed.following import Follower
from tools.service.http.stream import Stream

if TYPE_CHECKING:
    from collections.abc import Callable

    from ledger.core.errors import LedgerError
    from ledger.core.message import Head

__all__ = ["BUGS", "SEEDS", "seeds_until_found", "with_bug"]


@bug("answers are sent before the sync")
def _(patched: Any) -> None:
    def store(self: Steps, batch: Any) -> StoredBatch:
        for task, answer in batch.answers:
            self._deliver(task.answer, answer)
        return StoredBatch(batch, self._append(batch))

    patched.setattr(Steps, "store", store)


@bug("answers are sent although the append failed")
def _(patched: Any) -> None:
    def store(self: Steps, batch: Any) -> StoredBatch:
        fault = self._append(batch)
        for task, answer in batch.answers:
            self._deliver(task.answer, answer)
        return StoredBatch(batch, None if fault else fault)

    patched.setattr(Steps, "store", store)


@bug("an unknown outcome is taken for a failure", seed=46)
def _(patched: Any) -> None:
    append = Steps._append

    def forget(self: Steps, batch: Any) -> LedgerError | None:
        before = self.decider.broken
        fault = append(self, batch)
        self.decider.broken = before
        return fault

    patched.setattr(Steps, "_append", forget)


@bug("the state is not read again after a failure")
def _(patched: Any) -> None:
    patched.setattr(LedgerState, "reset", _once(LedgerState.reset))


@bug("the head is not read again after a failure")
def _(patched: Any) -> None:
    read = BatchDecider._reload_state

    def keep(self: BatchDecider) -> None:
        head = self._head
        read(self)
        self._head = head

    patched.setattr(BatchDecider, "_reload_state", keep)


@bug("what was decided on a failed batch is stored")
def _(patched: Any) -> None:
    undo = BatchDecider.undo

    def keep(self: BatchDecider, failed: Any, error: LedgerError) -> Any:
        ahead = self._batch
        tasks = undo(self, failed, error)
        self._batch = ahead
        return [task for task in tasks if False]

    patched.setattr(BatchDecider, "undo", keep)


@bug("repeats are not looked up in the log")
def _(patched: Any) -> None:
    answer = BatchDecider._answer
    patched.setattr(BatchDecider, "_answer", lambda self, task, _recorded: answer(self, task, None))


@bug("repeats are not looked up among what is being stored")
def _(patched: Any) -> None:
    answer = BatchDecider._answer

    def forget(self: BatchDecider, task: Any, recorded: Any) -> Any:
        self._decided.pop(task.identifier, None)
        return answer(self, task, recorded)

    patched.setattr(BatchDecider, "_answer", forget)


@bug("a repeat with other content gets the first receipt")
def _(patched: Any) -> None:
    first = BatchDecider._first_receipt

    def same(self: BatchDecider, identifier: bytes, *place: int) -> Any:
        digest, receipt = first(self, identifier, *place)
        return _Anything(digest), receipt

    patched.setattr(BatchDecider, "_first_receipt", same)


def _once(method: Callable[[Any], None]) -> Callable[[Any], None]:
    """Let a state be read once."""

    def call(self: Any) -> None:
        if not hasattr(self, "operator_state"):
            method(self)

    return call


class _Anything(bytes):
    __hash__ = bytes.__hash__

    def __eq__(self, _: object) -> bool:
        return True

    def __ne__(self, _: object) -> bool:
        return False


@bug("a client gets the receipt of another")
def _(patched: Any) -> None:
    next_batch = BatchDecider.next_batch

    def swap(self: BatchDecider) -> Any:
        batch = next_batch(self)
        given = [answer for _, answer in batch.answers]
        tasks = [task for task, _ in batch.answers]
        batch.answers[:] = list(zip(tasks, given[1:] + given[:1], strict=True))
        return batch

    patched.setattr(BatchDecider, "next_batch", swap)


@bug("half a decision is applied to the state")
def _(patched: Any) -> None:
    apply, counted = LedgerState.apply, [0]

    def half(self: LedgerState, event: Any, moment: int) -> None:
        counted[0] += 1
        if event.type != "AccountStatement" or counted[0] % 3:
            apply(self, event, moment)

    patched.setattr(LedgerState, "apply", half)


@bug("a command goes on although the one before it failed")
def _(patched: Any) -> None:
    patched.setattr(batch_decider, "require_stored", lambda _: None)
    patched.setattr("ledger.writer.require_stored", lambda _: None)


@bug("a cancelled wait takes the command back")
def _(patched: Any) -> None:
    patched.delattr(ReceiptFuture, "cancel")


@bug("the clock may go back")
def _(patched: Any) -> None:
    task = Ledger._task

    def back(self: Ledger, *given: Any) -> Any:
        self._last_moment = 0
        return task(self, *given)

    patched.setattr(Ledger, "_task", back)


@bug("a key is destroyed before the erasure is stored")
def _(patched: Any) -> None:
    decide = BatchDecider._decide

    def destroy(self: BatchDecider, task: Any) -> Receipt:
        receipt = decide(self, task)
        if "PersonErased" in receipt.events:
            self._ledger_state.destroy_keys_of_erased()
        return receipt

    patched.setattr(BatchDecider, "_decide", destroy)


@bug("a key that a crash left is kept")
def _(patched: Any) -> None:
    keep = KeyStore.destroy_keys_of
    given: Any = Steps._deliver

    def give(self: Steps, answer: Any, receipt: Any) -> None:
        with pytest.MonkeyPatch.context() as inner:
            inner.setattr(KeyStore, "destroy_keys_of", keep)
            given(self, answer, receipt)

    patched.setattr(Steps, "_deliver", give)
    patched.setattr(KeyStore, "destroy_keys_of", lambda *_: None)


@bug("a person who returns gets the old key, which is then destroyed")
def _(patched: Any) -> None:
    decide = BatchDecider._decide

    def go_on(self: BatchDecider, task: Any) -> Receipt:
        receipt = decide(self, task)
        self._has_to_wait = False
        return receipt

    patched.setattr(BatchDecider, "_decide", go_on)
    patched.setattr(KeyStore, "has_key", lambda *_: False)


@bug("an append of unclear outcome is sent again without a look")
def _(patched: Any) -> None:
    def again(self: TopicWriter, *_: Any) -> None:
        self._transactions.abandon()
        self._transactions = self._brokers.acquire(self._mark)
        self.end = self._tail().end

    patched.setattr(TopicWriter, "_settle", again)
    patched.setattr(TopicWriter, "_check_between", lambda *_: None)


@bug("an append of unclear outcome counts as done")
def _(patched: Any) -> None:
    settle = TopicWriter._settle

    def done(self: TopicWriter, error: Any, head: Head, deadline: float) -> None:
        settle(self, error, head, deadline)
        self.head = head

    patched.setattr(TopicWriter, "_settle", done)


@bug("a fenced writer goes on behind the newer one")
def _(patched: Any) -> None:
    learn = TopicWriter._learn

    def adopt(self: TopicWriter, tail: Any, head: Head) -> None:
        if tail.head.size > self.head.size and tail.head != head:
            self.end = tail.end
        else:
            learn(self, tail, head)

    patched.setattr(TopicWriter, "_learn", adopt)
    patched.setattr(
        "tests.simulation.simulated_broker.SimulatedBrokers.last_writer_mark", lambda _: None
    )


@bug("a fenced writer answers errors from its old state", seed=103)
def _(patched: Any) -> None:
    patched.setattr(TopicWriter, "confirm", lambda _: None)


@bug("the Idempotency-Key of a request is ignored", needs="http")
def _(patched: Any) -> None:
    patched.setattr("tools.service.http.app._command_id", lambda _: None)


@bug("a line of a stream gets the answer to the one before", needs="streams")
def _(patched: Any) -> None:
    take = Stream._take

    def shifted(self: Stream, number: int, text: bytes | None) -> Any:
        return take(self, number - (number > 1), text)

    patched.setattr(Stream, "_take", shifted)


@bug("a stream that ends within a line drops the receipts before it", needs="streams")
def _(patched: Any) -> None:
    read = Stream._read

    async def drop(self: Stream) -> None:
        try:
            await read(self)
        except TimeoutError:
            send = self._send

            async def send_the_end(message: Any) -> None:
                if not message.get("more_body"):
                    await send(message)

            self._send = send_the_end
            raise

    patched.setattr(Stream, "_read", drop)


@bug("the client library repeats a command under another identifier", needs="library")
def _(patched: Any) -> None:
    request, numbers = _writer._request, count()

    def renamed(step: Any) -> Any:
        name = str(uuid5(NAMESPACE_OID, f"{step.command_id}/{next(numbers)}"))
        return request(step._replace(command_id=name))

    def believed(response: Any, _: str) -> Any:
        return msgspec.json.decode(response.content, type=_writer.Receipt)

    patched.setattr(_writer, "_request", renamed)
    patched.setattr(_writer, "_receipt", believed)


@bug("the client library takes a standby's answer for a rejection", needs="library")
def _(patched: Any) -> None:
    patched.setattr("gameledger_client._errors.RETRY_STATUSES", set())


@bug("a command of a topic that could not be stored is answered", needs="topic")
def _(patched: Any) -> None:
    patched.setattr("tools.service.kafka.intake.UNANSWERED", set())


@bug("a message of a feed counts as followed although no writer answered", needs="feed")
def _(patched: Any) -> None:
    outcome = following._outcome

    def follow(sent: Any) -> Any:
        try:
            return outcome(sent)
        except AvailabilityError:
            return following.MessageOutcome(sent.stored)

    patched.setattr(following, "_outcome", follow)


@bug("a message of a feed gets another identifier each time", needs="feed")
def _(patched: Any) -> None:
    numbers = count()
    patched.setattr(Follower, "_identifier", lambda *_: UUID(int=next(numbers)))


@bug("a position is used again after a lost tail", seed=344)
def _(patched: Any) -> None:
    patched.setattr(
        HeadNote, "head", property(lambda _: note.EMPTY, lambda *_: None), raising=False
    )


@bug("a writer starts from what an old leader answers", seed=1_100)
def _(patched: Any) -> None:
    patched.setattr(TopicWriter, "_current_tail", lambda self: self._tail())


@bug("a commit without its marker counts as lost")
def _(patched: Any) -> None:
    patched.setattr(TopicWriter, "_tail_as_noted", lambda self: self._tail())


@bug("the key of a return that was not recorded stays", seed=1_190)
def _(patched: Any) -> None:
    read = BatchDecider._reload_state

    def read_again(self: BatchDecider) -> None:
        with pytest.MonkeyPatch.context() as inner:
            inner.setattr(KeyStore, "destroy_keys_of", lambda *_: None)
            read(self)

    patched.setattr(BatchDecider, "_reload_state", read_again)
    patched.setattr(batch_decider, "LeftKeyError", ())


@bug("persons of a failed batch stay new", seed=890)
def _(patched: Any) -> None:
    reset = LedgerState.reset

    def keep(self: LedgerState) -> None:
        persons = getattr(self, "_new_persons", {})
        reset(self)
        self._new_persons = persons

    patched.setattr(LedgerState, "reset", keep)


@bug("a take-over counts as recorded before it is stored")
def _(patched: Any) -> None:
    record = BatchDecider._record_writer_start

    def once(self: BatchDecider, moment: int) -> None:
        if not hasattr(self, "has_started"):
            self.has_started = True  # type: ignore[attr-defined]
            record(self, moment)

    patched.setattr(BatchDecider, "_record_writer_start", once)
