"""Tag index in memory for messages that the writer has not written to the index file yet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.log.index.search import EVERY, entries_of_run, entry_of_command, run_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

    from ledger.core.message import Head, Message
    from ledger.log.port import Query

__all__ = ["RecentEntries", "merge_results"]


class RecentEntries:
    """Index of messages that end at ``head``; ``head`` is ``None`` when there are none."""

    def __init__(self) -> None:
        """Start empty."""
        self.head: Head | None = None
        self._runs: dict[str, dict[str, list[int]]] = {}
        self._commands: list[tuple[bytes, int, int]] = []
        self._first: dict[bytes, tuple[int, int]] = {}

    def add(self, messages: Sequence[Message], head: Head) -> None:
        """Add messages that end at a head; their bytes are not stored."""
        for message in messages:
            position, command_id = message.position, message.command_id
            runs = self._runs.get(message.type)
            if runs is None:
                runs = self._runs[message.type] = {EVERY: []}
            runs[EVERY].append(position)
            for tag in message.tags:
                positions = runs.get(tag)
                if positions is None:
                    runs[tag] = [position]
                elif positions[-1] != position:
                    positions.append(position)
            if command_id is not None:
                size = message.decision_size
                self._commands.append((command_id, position, size))
                self._first.setdefault(command_id, (position, size))
        self.head = head

    def entries(self) -> list[tuple[bytes, bytes]]:
        """Return the entries of all messages, in order."""
        return sorted(
            [*self._tagged(), *(entry_of_command(*command) for command in self._commands)]
        )

    def find(self, query: Query, *, after: int, before: int) -> list[int]:
        """Return the positions of matching events between two positions, ascending."""
        tag, *others = query.tags or (EVERY,)
        return sorted(
            position
            for kind in dict.fromkeys(query.types or self._runs)
            if (runs := self._runs.get(kind))
            for position in runs.get(tag, ())
            if after < position < before
            and all(position in runs.get(other, ()) for other in others)
        )

    def commands(self, command_ids: Collection[bytes]) -> dict[bytes, tuple[int, int]]:
        """Return (first position, size) of the decisions of commands among the messages."""
        known = self._first
        return {command_id: known[command_id] for command_id in command_ids if command_id in known}

    def _tagged(self) -> Iterator[tuple[bytes, bytes]]:
        for kind, runs in self._runs.items():
            for tag, positions in runs.items():
                yield from entries_of_run(run_of(tag, kind), positions)


def merge_results(
    older: Callable[[int | None], list[int]],
    tail: list[int],
    *,
    limit: int | None,
    backwards: bool,
) -> list[int]:
    """Join two results: ``older`` returns earlier positions up to a limit, ``tail`` is the rest."""
    if not backwards:
        return [*older(limit), *tail][:limit]
    newest = tail[::-1]
    if limit is None:
        return [*newest, *older(None)]
    return newest[:limit] if len(newest) >= limit else [*newest, *older(limit - len(newest))]
