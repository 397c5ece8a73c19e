"""A log in memory for tests and trials, with the same contract as the other logs."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from contextlib import closing
from threading import Condition
from typing import TYPE_CHECKING

from ledger.core.errors import AvailabilityError, InputError
from ledger.core.message import EMPTY, Head
from ledger.log.continuity import continue_head
from ledger.log.index.tag_map_file import map_in_memory
from ledger.tlog.merkle import leaf_hash, node_hash

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from ledger.core.message import Message
    from ledger.log.port import Query
    from ledger.tlog.tag_map import TagProof

__all__ = ["MemoryLog"]


class MemoryLog:
    """Keeps messages in a list; safe to use from several threads."""

    def __init__(self, start: Head = EMPTY) -> None:
        """Start after a head, by default empty; earlier messages are not available."""
        self._messages: list[Message] = []
        self._by_tag: defaultdict[str, list[int]] = defaultdict(list)
        self._by_type: defaultdict[str, list[int]] = defaultdict(list)
        self._commands: dict[bytes, tuple[int, int]] = {}
        self._head = start
        self._first = start.size
        self._changed = Condition()
        self._is_closed = False

    def head(self) -> Head:
        """Return the current head."""
        self._require_open()
        return self._head

    def read(self, start: int = 0, stop: int | None = None) -> Iterator[tuple[int, bytes]]:
        """Return the current (position, message), in order."""
        self._require_open()
        end = self._head.size if stop is None else min(stop, self._head.size)
        first = self._first
        return ((at, self._messages[at - first].body) for at in range(max(start, first), end))

    def node(self, level: int, index: int) -> bytes:
        """Return the hash of a full node of the tree; those above leaves are computed per call."""
        if level:
            return node_hash(self.node(level - 1, 2 * index), self.node(level - 1, 2 * index + 1))
        for _, body in self.read(index, index + 1):
            return leaf_hash(body)
        raise InputError(f"the log has no message {index}")

    def map_root(self, size: int) -> bytes:
        """Return the root of the tag map at a size, recomputed at each call."""
        with closing(map_in_memory(self, size)) as tag_map:
            return tag_map.root()

    def tag_proofs(self, tags: Iterable[str], size: int) -> list[TagProof]:
        """Return the values of some tags in the tag map at a size, with proofs."""
        with closing(map_in_memory(self, size)) as tag_map:
            return [tag_map.prove(tag.encode()) for tag in tags]

    def append(self, messages: Sequence[Message]) -> Head:
        """Append whole decisions, all or none."""
        with self._changed:
            self._require_open()
            head = continue_head(self._head, messages)
            for message in messages:
                self._messages.append(message)
                self._by_type[message.type].append(message.position)
                for tag in dict.fromkeys(message.tags):
                    self._by_tag[tag].append(message.position)
                if message.command_id is not None:
                    place = (message.position, message.decision_size)
                    self._commands.setdefault(message.command_id, place)
            self._head = head
            self._changed.notify_all()
            return head

    def confirm(self) -> None:
        """Check that this log is open; no other process can append to it."""
        self._require_open()

    def find(
        self,
        query: Query,
        *,
        after: int = -1,
        before: int | None = None,
        limit: int | None = None,
        backwards: bool = False,
    ) -> list[int]:
        """Return the positions of matching events."""
        with self._changed:
            self._require_open()
            first = max(after + 1, self._first)
            end = self._head.size if before is None else min(before, self._head.size)
            rarest = min((self._by_tag.get(tag, []) for tag in query.tags), key=len, default=None)
            if rarest is not None:
                positions = rarest[bisect_right(rarest, after) : bisect_left(rarest, end)]
            elif query.types:
                runs = (self._by_type.get(name, []) for name in dict.fromkeys(query.types))
                positions = sorted(at for run in runs for at in run if first <= at < end)
            else:
                positions = list(range(first, end))
            positions = [at for at in positions if self._matches(at, query)]
        if backwards:
            positions.reverse()
        return positions if limit is None else positions[: max(limit, 0)]

    def commands(self, command_ids: Collection[bytes]) -> dict[bytes, tuple[int, int]]:
        """Return (first position, size) of the decisions of recorded commands."""
        self._require_open()
        known = self._commands
        return {command_id: known[command_id] for command_id in command_ids if command_id in known}

    def wait(self, size: int, timeout_seconds: float) -> bool:
        """Wait until the log is longer than ``size``."""
        with self._changed:
            return self._changed.wait_for(lambda: self._head.size > size, timeout_seconds)

    def close(self) -> None:
        """Reject further use; the appended messages are lost with the object."""
        self._is_closed = True

    def _matches(self, position: int, query: Query) -> bool:
        message = self._messages[position - self._first]
        is_of_type = not query.types or message.type in query.types
        return is_of_type and set(query.tags) <= set(message.tags)

    def _require_open(self) -> None:
        if self._is_closed:
            raise AvailabilityError("the log in memory was closed: make a new one")
