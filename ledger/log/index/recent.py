"""What the writer's index has not written yet: the last messages, found by tag in memory."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from ledger.log.index.search import EVERY, entries_of_run, entry_of_command, run_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

    from ledger.core.message import Head, Message
    from ledger.log.port import Query

__all__ = ["Recent", "joined"]


class Recent:
    """Messages that end at ``head``, which is ``None`` when there are none."""

    def __init__(self) -> None:
        """Begin without messages."""
        self.head: Head | None = None
        self._runs: defaultdict[str, defaultdict[str, list[int]]] = defaultdict(
            lambda: defaultdict(list)
        )
        self._commands: list[tuple[bytes, int, int]] = []
        self._first: dict[bytes, tuple[int, int]] = {}

    def add(self, messages: Sequence[Message], head: Head) -> None:
        """Take note of messages that end at a head; their bytes are not kept."""
        for message in messages:
            position = message.position
            for tag in {EVERY, *message.tags}:
                self._runs[tag][message.type].append(position)
            if message.command_id is not None:
                self._commands.append((message.command_id, position, message.decision_size))
                self._first.setdefault(message.command_id, (position, message.decision_size))
        self.head = head

    def entries(self) -> list[tuple[bytes, bytes]]:
        """Return the entries of all messages, in order."""
        return sorted([*self._tagged(), *(entry_of_command(*one) for one in self._commands)])

    def find(self, query: Query, *, after: int, before: int) -> list[int]:
        """Return the positions of matching events between two positions, ascending."""
        tags = query.tags or (EVERY,)
        if any(tag not in self._runs for tag in tags):
            return []
        tag, *others = tags
        runs = self._runs[tag]
        return sorted(
            position
            for kind in dict.fromkeys(query.types or runs)
            for position in runs.get(kind, ())
            if after < position < before
            and all(position in self._runs[other].get(kind, ()) for other in others)
        )

    def commands(self, command_ids: Collection[bytes]) -> dict[bytes, tuple[int, int]]:
        """Return (first position, size) of the decisions of commands among the messages."""
        known = self._first
        return {found: known[found] for found in command_ids if found in known}

    def _tagged(self) -> Iterator[tuple[bytes, bytes]]:
        for tag, runs in self._runs.items():
            for kind, positions in runs.items():
                yield from entries_of_run(run_of(tag, kind), positions)


def joined(
    older: Callable[[int | None], list[int]],
    tail: list[int],
    *,
    limit: int | None,
    backwards: bool,
) -> list[int]:
    """Put together what is found before a place, up to a number, and all that is behind it."""
    if not backwards:
        return [*older(limit), *tail][:limit]
    newest = tail[::-1]
    if limit is None:
        return [*newest, *older(None)]
    return newest[:limit] if len(newest) >= limit else [*newest, *older(limit - len(newest))]
