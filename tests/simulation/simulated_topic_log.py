"""The product's log of a topic, over a simulated broker and disk, with its index in memory."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ledger.core.errors import AvailabilityError
from ledger.core.message import EMPTY
from ledger.log.index.tag_index import message_of
from ledger.log.kafka.log import KafkaLog
from ledger.log.kafka.note import HeadNote, _pack
from ledger.log.kafka.reader import TopicReaders
from ledger.log.kafka.settings import KafkaSettings
from ledger.log.kafka.writer import TopicWriter
from ledger.log.memory import MemoryLog
from tests.simulation.simulated_broker import SimulatedBrokers, SimulatedReader
from tests.simulation.simulated_threads import SimulatedCondition
from tests.simulation.simulated_world import SECOND

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from ledger.core.message import Head, Message
    from ledger.log.port import Query
    from ledger.tlog.tag_map import TagProof
    from tests.simulation.simulated_broker import Broker
    from tests.simulation.simulated_disk import Disk

SETTINGS = KafkaSettings.from_url("kafka://simulated:1/chain?scan_client=kafka-python")
NOTE = "head.note"


class SimulatedNote(HeadNote):
    """The product's note, in two sectors of a simulated disk."""

    def __init__(self, disk: Disk) -> None:
        self.path = Path(disk.name) / NOTE
        self._disk, self._place, self._descriptor = disk, 0, -1
        if not disk.read(NOTE):
            disk.put(NOTE, _pack(EMPTY) * 2)
        try:
            self._begin()
        except OSError as error:
            raise AvailabilityError(f"the note can't be used ({error.strerror})") from error
        disk.on_noted(self.head)

    def write(self, head: Head) -> None:
        """Store a head, which is judged."""
        super().write(head)
        self._disk.on_noted(head)

    def _put(self, held: bytes, offset: int) -> None:
        self._disk.write(NOTE, offset, held)
        self._disk.sync(NOTE)

    def _get(self, length: int, offset: int) -> bytes:
        return self._disk.read(NOTE)[offset : offset + length]


class SimulatedTopicLog(KafkaLog):
    """Appends, reads and recovers as the product; only what carries the bytes is simulated."""

    def __init__(
        self, broker: Broker, disk: Disk | None = None, begin: Sequence[Message] = ()
    ) -> None:
        """Open to read, or as the writer with a disk; ``begin`` are messages decoded before."""
        self._broker, self._disk = broker, disk
        self._known = {message.body: message for message in begin}
        self._memory = MemoryLog()
        super().__init__(SETTINGS, Path(), writable=disk is not None)
        if disk is None:
            self._changed = SimulatedCondition(broker.world)  # type: ignore[assignment]

    def _now(self) -> float:  # type: ignore[override]
        return self._broker.world.now / SECOND

    def find(self, query: Query, **bounds: Any) -> list[int]:
        """Return the positions of matching events."""
        return self._indexed().find(query, **bounds)

    def commands(self, command_ids: Collection[bytes]) -> dict[bytes, tuple[int, int]]:
        """Return the decisions of recorded commands."""
        return self._indexed().commands(command_ids)

    def node(self, level: int, index: int) -> bytes:
        """Return the hash of a node of the tree."""
        return self._indexed().node(level, index)

    def map_root(self, size: int) -> bytes:
        """Return the root of the tag map."""
        return self._indexed().map_root(size)

    def tag_proofs(self, tags: Iterable[str], size: int) -> list[TagProof]:
        """Return proofs of the tag map."""
        return self._indexed().tag_proofs(tags, size)

    def _open(self, *, writable: bool, creating: bool) -> None:  # noqa: ARG002 - of the product
        self._readers = TopicReaders(
            self._settings,
            lambda settings, **_: SimulatedReader(self._broker, settings),
        )
        if writable and self._disk is not None:
            self._lock = NoLock()  # type: ignore[assignment]
            self._note = SimulatedNote(self._disk)
            self._writer = TopicWriter(
                self._settings,
                self._readers,
                self._places,
                self._note,
                SimulatedBrokers(self._broker, partial(self._disk.on_death, False)),
            )
            self._indexed()

    def _keep_up(self, messages: Sequence[Message], head: Head) -> None:  # noqa: ARG002 - of the product
        if self._memory.head().size == messages[0].position:
            self._memory.append(messages)

    def _close_index(self) -> None:
        """There is no file to close."""

    def _indexed(self) -> MemoryLog:
        self._require_usable()
        found = list(self.read(self._memory.head().size))
        known = self._memory.head().size  # another part may have read, too
        self._memory.append(
            [
                self._known.get(body) or message_of(position, body)
                for position, body in found
                if position >= known
            ]
        )
        return self._memory


class NoLock:
    """Two writers of one folder do not occur in a simulation of two hosts."""

    def release(self) -> None:
        """Do nothing."""
