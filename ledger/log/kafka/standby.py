"""Election of the writer on Kafka: membership in a consumer group is the lease.

All writers of a topic are members of one group, to which Kafka assigns the single partition: the
member that has the partition leads. A member without heartbeats for ``lease_seconds`` loses it, a
member that leaves the group releases it at once, and the sticky assignor keeps the assignment when
another member joins. The group reads no message and commits no offset.

A standby also follows the topic: it updates the index in its local folder and notes the head.
Therefore a take-over takes only seconds, however long the chain is, and a standby detects lost
messages, too. The folder belongs to one process: two writers never share it.
"""

from __future__ import annotations

from contextlib import closing, suppress
from threading import Condition, Event, Thread
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any

from kafka import ConsumerRebalanceListener, KafkaConsumer
from kafka.coordinator.assignors.sticky.sticky_assignor import StickyPartitionAssignor
from kafka.errors import GroupIdNotFoundError, KafkaError
from kafka.structs import MemberState

from ledger.core.errors import AvailabilityError, FencedError, InputError
from ledger.log.index.readers import INDEX
from ledger.log.index.tag_index import TagIndex
from ledger.log.index.tree import TREE, Tree
from ledger.log.kafka.client import connect, require_parts
from ledger.log.kafka.log import KafkaLog
from ledger.log.kafka.note import HeadNote
from ledger.log.kafka.topic import admin_of, fault_of, unreachable
from ledger.log.kafka.transactions import open_transaction_of
from ledger.storage.durable import make_folder
from ledger.storage.writer_lock import WriterLock

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from ledger.core.errors import LedgerError
    from ledger.log.kafka.settings import KafkaSettings

__all__ = ["KafkaStandby", "has_writers"]

POLL_MS = 200
RETRY_SECONDS = 1.0
GROUP_SECONDS = 0.2
OPEN_COMMITS_MIN = 3.0
"""A transaction that is open for so many times the limit of a commit is not one of a leader."""
CLOSE_SECONDS = 10.0
LEASE_SECONDS_MIN = 6.0
"""The brokers' default minimum (``group.min.session.timeout.ms``)."""


class KafkaStandby:
    """Waits for the lease of a topic and follows it; see :class:`ledger.log.standby.Standby`."""

    def __init__(self, settings: KafkaSettings, directory: Path, *, lease_seconds: float) -> None:
        """Join the group of the lease.

        Args:
            settings: the topic.
            directory: local folder of this process.
            lease_seconds: how long a leader may be silent; also the duration of a take-over.

        Raises:
            InputError: the lease is shorter than brokers allow, or the topic could lose messages.
            AvailabilityError: another process uses the folder, or no broker answers.

        """
        if lease_seconds < LEASE_SECONDS_MIN:
            raise InputError(f"a lease on Kafka lasts {LEASE_SECONDS_MIN:.0f} seconds or more")
        self._settings = settings
        self._follower: _Follower | None = _Follower(settings, directory)
        try:
            self._lease = _Lease(settings, lease_seconds)
        except BaseException:
            self._follower.close()
            raise

    def wait(self, timeout_seconds: float) -> bool:
        """Follow the topic, then wait for the lease; see ``ledger.log.standby.Standby``."""
        if self._follower is not None:
            with suppress(AvailabilityError):  # brokers recover; the lease waits for them, too
                self._follower.follow()
        if not self._lease.wait(timeout_seconds):
            return False
        if self._follower is not None:
            self._follower.close()
            self._follower = None
        return True

    def watch(self, notify: Callable[[LedgerError], None]) -> None:
        """Call a function when the lease is lost; at once if it already is."""
        self._lease.watch(notify)

    def fault(self) -> InputError | None:
        """Read settings and transactions of the topic again; see ``ledger.log.standby.Standby``.

        A transaction of the leader ends within ``commit_seconds``.
        """
        fault = fault_of(self._settings)
        if fault is not None:
            return fault
        try:
            return open_transaction_of(
                self._settings, seconds_min=OPEN_COMMITS_MIN * self._settings.commit_seconds
            )
        except KafkaError as error:
            raise unreachable(self._settings, error) from error

    def has_others(self) -> bool:
        """Return whether another writer is a member of the group."""
        return _members(self._settings) > 1

    def close(self) -> None:
        """Leave the group, so that another member leads at once."""
        self._lease.close()
        if self._follower is not None:
            self._follower.close()
            self._follower = None


def has_writers(settings: KafkaSettings) -> bool:
    """Return whether a leader or a standby of a topic is active, or was until a lease ago.

    Raises:
        AvailabilityError: no broker answers.

    """
    return _members(settings) > 0


def _members(settings: KafkaSettings) -> int:
    group = _group_of(settings)
    deadline = monotonic() + settings.commit_seconds
    while True:
        try:
            with closing(admin_of(settings)) as admin:
                return len(admin.describe_groups([group])[group]["members"])
        except GroupIdNotFoundError:
            return 0
        except KafkaError as error:
            # Right after a cluster is created, the first query is answered once its groups are
            # loaded.
            if not error.retriable or monotonic() > deadline:
                raise unreachable(settings, error) from error
        sleep(GROUP_SECONDS)


def _group_of(settings: KafkaSettings) -> str:
    return f"gameledger-{settings.topic}-writer"


def _require_safe(log: KafkaLog) -> None:
    if log.fault is not None:
        raise log.fault


class _Follower:
    """Keeps index, tree and note of a folder near the end of the topic."""

    def __init__(self, settings: KafkaSettings, directory: Path) -> None:
        make_folder(directory)
        self._index: TagIndex | None = None
        self._tree: Tree | None = None
        self._log: KafkaLog | None = None
        self._note: HeadNote | None = None
        self._lock = WriterLock(directory / "writer.lock")
        try:
            self._note = HeadNote(directory / "head.note")
            self._log = KafkaLog(settings, directory, writable=False)
            _require_safe(self._log)
            self._index = TagIndex(directory / INDEX, self._log)
            self._tree = Tree(directory / TREE, self._log, writable=True)
        except BaseException:
            self.close()
            raise

    def follow(self) -> None:
        """Catch up with the topic, and note the head.

        Only committed messages are read, so their head may be noted as acknowledged.
        """
        if not (self._log and self._index and self._tree and self._note):
            raise AvailabilityError("the standby was closed: start it again")
        head = self._log.head()
        if head.size > self._note.head.size:
            self._index.write()
            self._tree.node(0, head.size - 1)
            try:
                self._note.write(head)
            except OSError as error:
                raise AvailabilityError(f"the head can't be noted: {error.strerror}") from error

    def close(self) -> None:
        for part in (self._index, self._tree, self._log, self._note):
            if part is not None:
                part.close()
        self._lock.release()


class _Lease:
    """The group membership, kept alive by its own thread."""

    def __init__(self, settings: KafkaSettings, lease_seconds: float) -> None:
        self._settings = settings
        self._changed = Condition()
        self._closing = Event()
        self._leads = False
        self._failed: LedgerError | None = None
        self._notify: Callable[[LedgerError], None] | None = None
        lease_ms = int(lease_seconds * 1000)
        try:
            self._consumer = connect(
                KafkaConsumer,
                **settings.connection(),
                group_id=_group_of(settings),
                enable_auto_commit=False,
                allow_auto_create_topics=False,
                partition_assignment_strategy=[StickyPartitionAssignor],
                session_timeout_ms=lease_ms,
                heartbeat_interval_ms=lease_ms // 4,
                max_poll_interval_ms=3 * lease_ms,
            )
        except KafkaError as error:
            raise unreachable(settings, error) from error
        try:
            require_parts(self._consumer, ["_coordinator.request_rejoin"])
        except InputError:
            self._consumer.close(timeout_ms=0)
            raise
        self._thread = Thread(target=self._run, name="lease", daemon=True)
        self._thread.start()

    def wait(self, timeout_seconds: float) -> bool:
        with self._changed:
            self._changed.wait_for(lambda: self._leads or self._failed, timeout_seconds)
            if self._failed is not None:
                raise self._failed
            return self._leads

    def watch(self, notify: Callable[[LedgerError], None]) -> None:
        with self._changed:
            self._notify = notify
            is_over = not self._leads
        if is_over:
            notify(self._failed or self._lost())

    def close(self) -> None:
        with self._changed:
            self._notify = None
        self._closing.set()
        self._thread.join(CLOSE_SECONDS)

    def assigned(self, partitions: Any) -> None:
        """Handle the result of a rebalance; called on the consumer's own thread.

        The partition of the chain is the lease, whatever other partitions were added.
        """
        self._consumer.pause(*partitions)
        leads = any(one.partition == 0 for one in partitions)
        with self._changed:
            is_lost, self._leads = self._leads and not leads, leads
            notify = self._notify
            self._changed.notify_all()
        if is_lost and notify is not None:
            notify(self._lost())

    def _lost(self) -> FencedError:
        return FencedError(
            f"the lease of topic {self._settings.topic} went to another writer: this one has "
            "stopped; send what was not answered to the other"
        )

    def _run(self) -> None:
        try:
            self._consumer.subscribe([self._settings.topic], listener=_Listener(self))
            while not self._closing.is_set():
                self._poll()
        except Exception as error:  # noqa: BLE001 - a lease without heartbeats must be reported
            self._fail(unreachable(self._settings, error))
        finally:
            with suppress(KafkaError):
                self._consumer.close(timeout_ms=int(CLOSE_SECONDS * 1000))

    def _poll(self) -> None:
        try:
            self._consumer.poll(timeout_ms=POLL_MS)
            if self._consumer.group_metadata().state is MemberState.REBALANCING:
                # A poll that ends while its answer to the group is in flight may lose the pending
                # join (kafka-python 3.0.12, caused by new metadata of the topic): no later poll
                # would receive the assignment, and the member would stand by for ever.
                self._consumer._coordinator.request_rejoin()  # noqa: SLF001 - no public way
        except KafkaError as error:
            if not error.retriable:
                raise
            self._closing.wait(RETRY_SECONDS)

    def _fail(self, error: LedgerError) -> None:
        with self._changed:
            self._leads, self._failed = False, error
            notify = self._notify
            self._changed.notify_all()
        if notify is not None:
            notify(error)


class _Listener(ConsumerRebalanceListener):  # type: ignore[misc]  # the library has no types
    """Handles rebalances.

    A revocation alone does not end the lease: every member gives up its partitions when another one
    joins, and usually gets them back.
    """

    def __init__(self, lease: _Lease) -> None:
        self._lease = lease

    def on_partitions_revoked(self, revoked: Any) -> None:
        """Wait for the new assignment."""

    def on_partitions_assigned(self, assigned: Any) -> None:
        """Lead if the partition is assigned."""
        self._lease.assigned(assigned)
