"""A broker with one partition and one transactional identifier, as Kafka 3.9 behaves.

Requests may be lost, come late or twice, and their answers may be lost. A transaction that is ended
gets its marker a while after the answer. A leader that fails takes along what was not replicated;
for a while the old one may still answer readers. It may reject messages for a while, such as after
a change of access rights. Outside of its contract it may lose what was
acknowledged. Not modelled: KIP-890, which no client here speaks, so a late request to end a
transaction reaches the next one of the same epoch.
"""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

from kafka.errors import (
    InvalidProducerEpochError,
    InvalidTxnStateError,
    KafkaConnectionError,
    KafkaError,
    KafkaTimeoutError,
    OutOfOrderSequenceNumberError,
    ProducerFencedError,
    TopicAuthorizationFailedError,
)

from ledger.log.kafka.reader import TopicReader
from tests.simulation.simulated_world import SECOND

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ledger.log.kafka.settings import KafkaSettings
    from tests.simulation.simulated_disk import Faults
    from tests.simulation.simulated_world import World

REQUEST = 10 * SECOND
LATE_MAX = 60 * SECOND
STALE = 10 * SECOND
CHUNK_MESSAGES = 64


class Entry:
    """One offset of the partition: a message or a marker."""

    __slots__ = ("body", "epoch", "is_committed")

    def __init__(self, body: bytes | None, epoch: int, *, is_committed: bool) -> None:
        self.body, self.epoch, self.is_committed = body, epoch, is_committed


class Broker:
    """The partition and its coordinator of transactions."""

    def __init__(self, world: World, faults: Faults) -> None:
        self.world, self.happens = world, faults
        self.chance = world.stream("broker")
        self.entries: list[Entry] = []
        self.replicated = 0
        self.epoch, self.mark = -1, None
        self.state = "empty"
        self.opened: int | None = None
        self.sequence: dict[tuple[int, int], int] = {}
        self.down_until = self.stale_until = self.rejects_until = 0
        self.stale_end = 0
        self.is_committing = self.is_violated = False
        self.is_split = False

    def put(self, bodies: Sequence[bytes]) -> None:
        """Hold committed messages, and their marker."""
        self.entries += [Entry(body, 0, is_committed=True) for body in (*bodies, None)]
        self.replicated = len(self.entries)

    @property
    def stable(self) -> int:
        """The last stable offset: the end of what a reader of committed messages sees."""
        return self.replicated if self.opened is None else min(self.opened, self.replicated)

    @property
    def decided(self) -> int:
        """The end of what is committed for good, whether readers see it yet or not."""
        return len(self.entries) if self.is_committing else self.stable

    # Requests

    def init(self, mark: int) -> int:
        """Fence older producers, end their transaction; return the new epoch."""
        if self.state == "ending":
            raise _busy()
        if self.state == "ongoing":
            self._mark_end(is_commit=False)
        self.mark = mark
        return self._raise_epoch()

    def renew(self, epoch: int) -> int:
        """Raise the epoch of the newest producer, which has no transaction."""
        self._require(epoch)
        if self.state == "ending":
            raise _busy()
        if self.state == "ongoing":  # a request for the last one came late
            self._mark_end(is_commit=False)
        return self._raise_epoch()

    def owner(self) -> int | None:
        """Return the mark of the newest producer."""
        return self.mark

    def add_partition(self, epoch: int) -> None:
        """Begin a transaction."""
        self._require(epoch)
        if self.state == "ending":
            raise _busy()
        self.state = "ongoing"

    def produce(self, epoch: int, number: int, bodies: Sequence[bytes]) -> int:
        """Append messages to the open transaction once; return the first offset."""
        if epoch != self.epoch:
            raise InvalidProducerEpochError
        if self.world.now >= self.rejects_until and self.happens("broker rejects"):
            self.rejects_until = self.world.now + self.chance.randrange(4 * SECOND)
        if self.world.now < self.rejects_until:
            raise TopicAuthorizationFailedError
        first = self.sequence.get((epoch, number))
        if first is not None:
            return first
        if self.state != "ongoing":
            raise InvalidTxnStateError
        if number and (epoch, number - 1) not in self.sequence:
            raise OutOfOrderSequenceNumberError
        first = self.sequence[epoch, number] = len(self.entries)
        if self.opened is None:
            self.opened = first
        self.entries += [Entry(body, epoch, is_committed=False) for body in bodies]
        self.world.log("broker", f"epoch {epoch} at offsets {first} to {len(self.entries) - 1}")
        return first

    def replicate(self, epoch: int, first: int, size: int) -> None:
        """Let all replicas have messages, unless a new leader lacks them."""
        end = first + size
        if len(self.entries) < end or self.entries[first].epoch != epoch:
            raise KafkaConnectionError("the leader changed")
        self.replicated = max(self.replicated, end)

    def end_transaction(self, epoch: int, *, is_commit: bool) -> None:
        """End the open transaction; the last one is ended again without effect."""
        self._require(epoch)
        if self.state == ("committed" if is_commit else "aborted"):
            return
        if self.state == "ending":
            raise _busy()
        if self.state != "ongoing":
            raise InvalidTxnStateError
        self.state = "ending"
        self.is_committing = is_commit
        self._decide(is_commit=is_commit)
        delay = self.chance.randrange(SECOND // 10)
        if self.happens("marker is late"):
            delay = self.chance.randrange(8 * SECOND)
        self.world.call_in(delay, lambda: self._mark_end(is_commit=is_commit))

    def begin_offset(self) -> int:
        """Return the first offset."""
        return 0

    def end_offset(self) -> int:
        """Return the last stable offset; an old leader may answer."""
        if self.world.now < self.stale_until and self.happens("stale answer"):
            return min(self.stale_end, self.stable)
        return self.stable

    def fetch(self, offset: int, end: int) -> list[tuple[int, bytes]]:
        """Return the committed messages between two offsets."""
        return [
            (at, entry.body)
            for at in range(offset, min(end, self.stable))
            if (entry := self.entries[at]).is_committed and entry.body is not None
        ]

    # Faults

    def fail_over(self) -> None:
        """Elect another leader, which may lack what was not replicated."""
        self.stale_until, self.stale_end = self.world.now + STALE, self.stable
        self.down_until = self.world.now + self.chance.randrange(3 * SECOND)
        del self.entries[self.replicated :]
        if self.opened is not None and self.opened >= len(self.entries):
            self.opened = None
        self.sequence = {
            key: first for key, first in self.sequence.items() if first < len(self.entries)
        }
        if self.happens("acknowledged messages are lost"):
            self.is_violated = True
            del self.entries[max(1, len(self.entries) - self.chance.randrange(1, 12)) :]
            self.replicated = min(self.replicated, len(self.entries))
            self.opened = None
        self.world.log("broker", f"another leader, whose end is offset {len(self.entries)}")

    def _mark_end(self, *, is_commit: bool) -> None:
        self._decide(is_commit=is_commit)
        self.opened, self.is_committing = None, False
        what = "commits" if is_commit else "aborts"
        self.world.log("broker", f"epoch {self.epoch} {what} at offset {len(self.entries)}")
        self.entries.append(Entry(None, self.epoch, is_committed=is_commit))
        self.replicated = len(self.entries)
        self.state = "committed" if is_commit else "aborted"

    def _decide(self, *, is_commit: bool) -> None:
        for entry in self.entries[len(self.entries) if self.opened is None else self.opened :]:
            entry.is_committed = is_commit

    def _raise_epoch(self) -> int:
        self.epoch, self.state = self.epoch + 1, "empty"
        self.world.log("broker", f"epoch {self.epoch} of writer {self.mark}")
        return self.epoch

    def _require(self, epoch: int) -> None:
        if epoch != self.epoch:
            raise ProducerFencedError


class Client:
    """Sends requests of one process."""

    def __init__(self, broker: Broker, die: Callable[[], None] = lambda: None) -> None:
        self.broker, self.world, self._die = broker, broker.world, die
        self._chance = broker.world.stream("network")

    def ask(self, request: Callable[[], Any]) -> Any:
        """Send a request and wait for its answer, as kafka-python does, which repeats when busy.

        Raises:
            KafkaError: it was rejected, or no answer came.

        """
        broker, happens = self.broker, self.broker.happens
        for _ in range(100):
            self.world.pause(self._chance.randrange(200, 3_000))
            if happens("process dies at a request"):
                if self._chance.random() < 0.5:
                    self._later(request)
                self._die()
            if self.world.now < broker.down_until or happens("request is lost"):
                break
            if happens("request is late"):
                self._later(request)
                break
            if happens("request is doubled"):
                self._later(request)
            try:
                answer = request()
            except _BusyError:
                self.world.pause(SECOND // 50)
                continue
            if happens("answer is lost"):
                break
            self.world.pause(self._chance.randrange(200, 3_000))
            return answer
        self.world.pause(REQUEST)
        raise KafkaTimeoutError("no answer")

    def _later(self, request: Callable[[], Any]) -> None:
        delay = int(LATE_MAX ** self._chance.random())
        self.world.call_in(delay, lambda: _ignoring_errors(request))


class _BusyError(KafkaError):
    """A transaction is being ended; the client repeats by itself."""


def _busy() -> _BusyError:
    return _BusyError("concurrent transactions")


def _ignoring_errors(request: Callable[[], Any]) -> None:
    with suppress(KafkaError):
        request()


class SimulatedRight:
    """A transactional producer; see ``ledger.log.kafka.brokers.WriteLease``."""

    def __init__(self, client: Client, mark: int) -> None:
        self._client, self._broker = client, client.broker
        self._epoch: int = client.ask(lambda: self._broker.init(mark))
        self._number = 0
        self._is_fenced = self._is_abandoned = self.is_closed = False

    def send(self, bodies: Sequence[bytes]) -> list[int]:
        """Send messages in one or several requests; return their offsets."""
        broker = self._broker
        pieces = 1 if not broker.is_split else min(len(bodies), 3)
        if pieces > 1:
            self.renew()
        epoch = self._epoch
        self._ask(lambda: broker.add_partition(epoch))
        offsets: list[int] = []
        size = -(-len(bodies) // pieces)
        for start in range(0, len(bodies), size):
            part, number = bodies[start : start + size], self._number
            self._number += 1
            first = self._ask(partial(broker.produce, epoch, number, part))
            self._ask(partial(broker.replicate, epoch, first, len(part)))
            offsets += range(first, first + len(part))
        return offsets

    def commit(self) -> None:
        """Commit what was sent."""
        self._end(is_commit=True)

    def abort(self) -> None:
        """Abort what was sent."""
        self._end(is_commit=False)

    def renew(self) -> None:
        """Confirm the right."""
        epoch = self._epoch
        self._epoch, self._number = self._ask(lambda: self._broker.renew(epoch)), 0

    def _end(self, *, is_commit: bool) -> None:
        epoch = self._epoch  # of the request, also of a copy that arrives later
        self._ask(lambda: self._broker.end_transaction(epoch, is_commit=is_commit))

    def abandon(self) -> None:
        """Send nothing more."""
        self._is_abandoned = True

    def close(self) -> None:
        """Send nothing more, and leave in order."""
        self._is_abandoned = self.is_closed = True

    def is_fenced_by(self, error: BaseException) -> bool:
        """Return whether another producer took the right."""
        return self._is_fenced or isinstance(error, ProducerFencedError | InvalidProducerEpochError)

    def _ask(self, request: Callable[[], Any]) -> Any:
        assert not self._is_abandoned, "an abandoned producer is not used again"
        try:
            return self._client.ask(request)
        except (ProducerFencedError, InvalidProducerEpochError):
            self._is_fenced = True
            raise


class SimulatedBrokers:
    """See ``ledger.log.kafka.brokers.Brokers``."""

    def __init__(self, broker: Broker, die: Callable[[], None]) -> None:
        self._broker, self._client = broker, Client(broker, die)

    def new_writer_mark(self) -> int:
        """Return a random number."""
        return self._broker.chance.randrange(30_000)

    def acquire(self, mark: int) -> SimulatedRight:
        """Take the right to write."""
        return SimulatedRight(self._client, mark)

    def last_writer_mark(self) -> int | None:
        """Return the mark of the last writer."""
        found: int | None = self._client.ask(self._broker.owner)
        return found

    def open_transaction(self) -> None:
        """Return None: no other program writes to the simulated topic."""

    def now(self) -> float:
        """Return virtual seconds."""
        return self._broker.world.now / SECOND

    def sleep(self, seconds: float) -> None:
        """Let virtual time pass."""
        self._broker.world.pause(int(seconds * SECOND))


class SimulatedReader(TopicReader):
    """A consumer; the search for the tail is that of the product."""

    def __init__(self, broker: Broker, settings: KafkaSettings) -> None:
        self._settings = settings
        self._broker, self._client = broker, Client(broker)

    def begin(self) -> int:
        """Return the first offset."""
        return int(self._client.ask(self._broker.begin_offset))

    def end(self) -> int:
        """Return the last stable offset."""
        return int(self._client.ask(self._broker.end_offset))

    def messages(self, offset: int, end: int) -> Iterator[list[tuple[int, bytes]]]:
        """Return committed messages in chunks."""
        while offset < end:
            stop = min(end, offset + CHUNK_MESSAGES)
            found = self._client.ask(partial(self._broker.fetch, offset, stop))
            if found:
                yield found
            offset = stop

    def close(self) -> None:
        """Disconnect."""
