"""The writer's side of a topic: appends, and recovery from those that failed.

An append is one transaction. After any error within it, its outcome is unknown and is looked up in
the topic: a new producer makes the broker end the open transaction, then the last committed
message decides. If it is ours, the append succeeded. If it is the one before ours, the same bytes
are sent again. Otherwise this writer stops for good. The commit itself is issued only when the sent
messages directly follow the tail, so a topic changed by another writer is detected in time.
"""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, NoReturn

from kafka.errors import KafkaError

from ledger.core.errors import AvailabilityError, FencedError, IntegrityError, LedgerError
from ledger.core.message import EMPTY, Head
from ledger.events.encoding import decode, decode_envelope, hash_of
from ledger.events.event_types import ChainOpened
from ledger.log.kafka.brokers import KafkaBrokers
from ledger.log.kafka.offset_index import read_in_order
from ledger.log.kafka.topic import unreachable

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ledger.core.message import Message
    from ledger.events.encoding import Envelope
    from ledger.log.kafka.brokers import Brokers
    from ledger.log.kafka.note import HeadNote
    from ledger.log.kafka.offset_index import OffsetIndex
    from ledger.log.kafka.reader import Tail, TopicReaders
    from ledger.log.kafka.settings import KafkaSettings

__all__ = ["STALE_SECONDS", "TopicWriter"]

MARKER_OFFSETS = 1
"""The marker that ends a transaction takes one offset."""

TAKE_OVER_SECONDS = 1.0
"""A writer that takes over first ends open transactions and then signs with its own mark."""
STALE_SECONDS = 10.0
"""Time for which a broker that was cut off may answer with stale data after it returns."""
PAUSE_SECONDS = 0.2
PLACE_MARK = b"a writer takes over"
"""Sent in a transaction that is aborted, so that no reader gets it."""
SAME_FAULTS_MAX = 4


class TopicWriter:
    """Appends to a topic; the caller allows one thread at a time.

    ``head`` is the acknowledged head, ``end`` the offset after it. Once ``stopped`` is set,
    nothing may be appended any more.
    """

    def __init__(
        self,
        settings: KafkaSettings,
        readers: TopicReaders,
        places: OffsetIndex,
        note: HeadNote,
        brokers: Brokers | None = None,
    ) -> None:
        """Check the tail, take over from an older writer, and check again.

        The first check prevents a writer that may not continue from fencing one that may. The
        second reads a tail that is known to be current.

        Raises:
            IntegrityError: the tail is torn or foreign, or behind what was acknowledged.
            AvailabilityError: the broker does not answer.

        """
        self._settings = settings
        self._readers = readers
        self._places = places
        self._note = note
        self._name = f"topic {settings.topic}"
        self._brokers = brokers or KafkaBrokers(settings)
        self._mark = self._brokers.new_writer_mark()
        self.stopped: LedgerError | None = None
        self._adopt(self._tail_as_noted())
        try:
            self._transactions = self._brokers.acquire(self._mark)
        except KafkaError as error:
            raise unreachable(settings, error) from error
        try:
            self._adopt(self._current_tail())
            self._acknowledge(self.head)
        except BaseException:
            self._transactions.abandon()
            raise

    def append(self, messages: Sequence[Message], head: Head) -> None:
        """Append messages that end in a head; on return they are committed and noted.

        Raises:
            FencedError: another writer took over; this one has stopped.
            IntegrityError: the topic was changed; this writer has stopped.
            AvailabilityError: nothing was appended, or, if this writer has stopped, the outcome
                could not be determined.

        """
        self._repeat(partial(self._try, messages, head), head)

    def confirm(self) -> None:
        """Check that no other writer has taken over; see the port.

        The writer raises the epoch of its producer. Only the newest writer can do that, and only
        through brokers that are connected to the others. Two cheaper ways would be wrong: a broker
        that was cut off answers a look-up of the owner from memory; and after an aborted
        transaction, a late request to commit the one before could commit the message of the aborted
        one.

        Raises:
            FencedError, IntegrityError: as ``append``.
            AvailabilityError: the right could not be confirmed.

        """
        self._repeat(self._renew, self.head)

    def close(self) -> None:
        """Disconnect."""
        if self.stopped is None:
            self._transactions.close()
        else:
            self._transactions.abandon()

    def interrupt(self) -> LedgerError:
        """Stop for good because an append was interrupted."""
        return self._stop(self._unknown("it was interrupted"))

    def _repeat(self, attempt: Callable[[], None], head: Head) -> None:
        """Attempt a transaction until it succeeds, or is found to have led to a new head."""
        try:
            self._attempt(attempt, head)
        except IntegrityError as fault:
            self._stop(fault)
            with suppress(KafkaError):  # an open transaction would hide later messages from readers
                self._transactions.abort()
            self._transactions.abandon()
            raise

    def _attempt(self, attempt: Callable[[], None], head: Head) -> None:
        patience = self._settings.commit_seconds + self._settings.settle_seconds
        deadline = self._brokers.now() + patience
        faults: list[str] = []
        appends = head != self.head
        while True:
            try:
                attempt()
            except LedgerError:
                raise
            except Exception as cause:  # noqa: BLE001 - whatever it was, the outcome is unknown
                error = (
                    cause
                    if isinstance(cause, KafkaError)
                    else KafkaError(str(cause) or repr(cause))
                )
                self._settle(error, head, deadline)
                if appends and self.head == head:
                    return
                faults.append(str(error))
                is_hopeless = not error.retriable and faults.count(faults[-1]) > SAME_FAULTS_MAX
                if is_hopeless or self._brokers.now() > deadline:
                    raise unreachable(self._settings, error) from error
            else:
                return

    def _try(self, messages: Sequence[Message], head: Head) -> None:
        offsets = self._transactions.send([message.body for message in messages])
        self._check_between(offsets[0])
        self._transactions.commit()
        self.end = offsets[-1] + 1 + MARKER_OFFSETS
        self._places.add(messages[0].position, offsets[0])
        self._acknowledge(head)

    def _renew(self) -> None:
        self._transactions.renew()

    def _check_between(self, offset: int) -> None:
        """Check that no message lies between the tail and the sent messages.

        Normally there is not even an offset. After a failover there may be a second marker, or the
        rest of an aborted transaction; neither holds a message. A message there was written by
        another process, or by this one in a commit that was thought to have failed.
        """
        if offset < self.end:
            text = f"{self._name} took a message at offset {offset} and had ended at {self.end}"
            raise IntegrityError(
                f"{text}: it was truncated or recreated behind the writer's back; stop every "
                "writer, restore it from a copy",
                position=self.head.size,
            )
        if offset == self.end:
            return
        with self._readers.reader() as reader:
            deadline = self._brokers.now() + self._settings.commit_seconds
            while reader.end() < offset:
                if self._brokers.now() > deadline:
                    raise self._unstable(offset)
            foreign = reader.first(self.end, offset)
        if foreign is not None:
            raise KafkaError(f"a message that was not expected stands at offset {foreign[0]}")

    def _unstable(self, offset: int) -> KafkaError:
        """Return the error that readers do not reach an offset, with what is open before it."""
        text = f"what lies before offset {offset} did not become stable"
        with suppress(KafkaError):
            if (held := self._brokers.open_transaction()) is not None:
                text = "; ".join([text, str(held), *held.__notes__])
        return KafkaError(text)

    def _settle(self, error: KafkaError, head: Head, deadline: float) -> None:
        """Determine the outcome of a transaction; the head advances if it was committed.

        The owner of the right to write is looked up first, so that this does not fence a newer
        writer. The owner may be this writer, if the broker answered its request too late.
        """
        if self._transactions.is_fenced_by(error):
            self._brokers.sleep(TAKE_OVER_SECONDS)
        self._transactions.abandon()
        cause: Exception = error
        stale_until = min(deadline, self._brokers.now() + STALE_SECONDS)
        while True:
            try:
                if self._brokers.last_writer_mark() not in {None, self._mark}:
                    self._fence(error)
                self._transactions = self._brokers.acquire(self._mark)
                tail = self._tail()
                if tail.head.size >= self.head.size or self._brokers.now() > stale_until:
                    self._learn(tail, head)
                    return
            except (KafkaError, AvailabilityError) as again:
                if self.stopped is not None:
                    raise
                cause = again
            if self._brokers.now() > deadline:
                raise self._stop(self._unknown(str(cause))) from cause
            self._brokers.sleep(PAUSE_SECONDS)

    def _learn(self, tail: Tail, head: Head) -> None:
        if tail.head == head:
            self.end = tail.end
            self._acknowledge(head)
        elif tail.head == self.head and tail.offset < self.end:
            self.end = tail.end
        elif tail.head.size > self.head.size and self._holds(self.head, tail):
            self._fence(None)
        else:
            text = f"{self._name} ends with message {tail.head.size - 1} at offset {tail.offset}"
            raise IntegrityError(
                f"{text} and the writer was at {self.head.size}: it was truncated, recreated or "
                "written to behind the writer's back; stop every writer, verify the log",
                position=min(tail.head.size, self.head.size),
            )

    def _adopt(self, tail: Tail) -> None:
        """Continue after a tail, unless it is incomplete or ends before the acknowledged head."""
        if tail.head.size:
            envelope: Envelope = decode_envelope(tail.body)
            if envelope.decision_index + 1 != envelope.decision_size:
                at = tail.head.size - 1
                text = f"the last decision of {self._name} is torn at position {at}"
                raise IntegrityError(f"{text}: stop every writer, verify the log", position=at)
        noted = self._note.head
        if noted.size > tail.head.size:
            text = f"{self._name} ends at {tail.head.size}, and {noted.size} were acknowledged"
            raise IntegrityError(
                f"{text}, says {self._note.path}: the brokers lost messages, or this is another "
                "topic; do not write to it, restore it from a copy",
                position=tail.head.size,
            )
        chain_head = self._head_at(noted.size, tail)
        if chain_head != noted:
            at, chain = noted.size - 1, self._chain()
            raise IntegrityError(
                f"message {at} of {self._name} is not the one acknowledged: {self._note.path} "
                f"remembers {noted.hash.hex()}, and chain {chain} has {chain_head.hash.hex()} "
                "there. It is another chain or was recreated; do not write to it, verify it",
                position=at,
            )
        self.head, self.end = tail.head, tail.end

    def _holds(self, head: Head, tail: Tail) -> bool:
        """Return whether the topic once ended at a head that is at or before its tail."""
        return self._head_at(head.size, tail) == head

    def _head_at(self, size: int, tail: Tail) -> Head:
        """Return the head that the topic had at a size, which is not behind its tail."""
        if size in {EMPTY.size, tail.head.size}:
            return tail.head if size else EMPTY
        with self._readers.reader() as reader:
            (digest,) = (
                hash_of(body)
                for _, body in read_in_order(
                    reader,
                    self._places,
                    start=size - 1,
                    stop=size,
                    head=tail.head,
                    end=tail.end,
                )
            )
        return Head(size, digest)

    def _acknowledge(self, head: Head) -> None:
        """Store a head on disk before it is acknowledged."""
        try:
            self._note.write(head)
        except OSError as error:
            text = f"{self._name} was appended to, but its head can't be noted ({error.strerror})"
            raise self._stop(
                AvailabilityError(
                    f"{text}: repair the disk, start the writer again and repeat; what was "
                    "recorded gets its first receipt"
                )
            ) from error
        self.head = head

    def _chain(self) -> str:
        """Return the name of the chain of the topic, read from its first message."""
        tail = self._tail()
        with self._readers.reader() as reader:
            for _, body in read_in_order(
                reader, self._places, start=0, stop=1, head=tail.head, end=tail.end
            ):
                opened = decode(body).event
                if isinstance(opened, ChainOpened):
                    return opened.chain
        return "without a name"

    def _tail(self) -> Tail:
        with self._readers.reader(is_checked=True) as reader:
            return reader.tail()

    def _tail_as_noted(self) -> Tail:
        """Read the tail; wait for a limited time until it includes the acknowledged head.

        A broker answers a commit before it writes the marker, so readers see the messages later;
        and a broker that was cut off does not know the newest messages.
        """
        deadline = self._brokers.now() + STALE_SECONDS
        while (tail := self._tail()).head.size < self._note.head.size:
            if self._brokers.now() > deadline:
                break
            self._brokers.sleep(PAUSE_SECONDS)
        return tail

    def _current_tail(self) -> Tail:
        """Read the tail after everything that was committed before this writer took over.

        To find it, this writer sends a message, waits until it is replicated, and aborts it: a
        broker that was cut off cannot accept the message, and a reader that sees its offset sees
        all committed messages before it.

        Raises:
            AvailabilityError: the brokers did not accept it, or it did not become visible in time.

        """
        try:
            (offset,) = self._transactions.send([PLACE_MARK])
            self._transactions.abort()
        except KafkaError as error:
            raise unreachable(self._settings, error) from error
        deadline = self._brokers.now() + self._settings.commit_seconds
        while (tail := self._tail()).end <= offset:
            if self._brokers.now() > deadline:
                late = self._unstable(offset)
                raise unreachable(self._settings, late) from late
            self._brokers.sleep(PAUSE_SECONDS)
        return tail

    def _fence(self, error: Exception | None) -> NoReturn:
        text = f"another writer took over {self._name}: this one has stopped for good"
        raise self._stop(FencedError(f"{text}; send what was not answered to the other")) from error

    def _unknown(self, cause: str) -> AvailabilityError:
        text = f"the outcome of an append to {self._name} is unknown ({cause})"
        return AvailabilityError(f"{text}: this log is closed for good, start the writer again")

    def _stop(self, fault: LedgerError) -> LedgerError:
        self.stopped = fault
        return fault
