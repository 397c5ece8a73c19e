"""A log for dry runs: the messages of another log, followed by messages in memory only.

A dry run uses the real writer. It reads the chain as it was when the dry run began, appends to
memory, and sees its own appends; the underlying log is never written.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from ledger.log.memory import MemoryLog

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from ledger.log.port import Log, Query

__all__ = ["DryRunLog"]


class DryRunLog(MemoryLog):
    """Reads another log and keeps appended messages in memory."""

    def __init__(self, log: Log) -> None:
        """Start at the end of a log; closing this object closes that log, too."""
        super().__init__(log.head())
        self._behind = log
        self._begun_at = self._head.size

    def read(self, start: int = 0, stop: int | None = None) -> Iterator[tuple[int, bytes]]:
        """Return (position, message) of both, in order."""
        end = self._begun_at if stop is None else min(stop, self._begun_at)
        behind = self._behind.read(start, end) if start < end else iter(())
        return chain(behind, super().read(max(start, self._begun_at), stop))

    def node(self, level: int, index: int) -> bytes:
        """Return the hash of a full node of the tree over both."""
        is_behind = (index + 1) << level <= self._begun_at
        return self._behind.node(level, index) if is_behind else super().node(level, index)

    def find(
        self,
        query: Query,
        *,
        after: int = -1,
        before: int | None = None,
        limit: int | None = None,
        backwards: bool = False,
    ) -> list[int]:
        """Return the positions of matching events of both."""
        end = self._begun_at if before is None else min(before, self._begun_at)
        new = super().find(query, after=after, before=before, backwards=backwards)
        old = self._behind.find(query, after=after, before=end, limit=limit, backwards=backwards)
        positions = [*new, *old] if backwards else [*old, *new]
        return positions if limit is None else positions[: max(limit, 0)]

    def commands(self, command_ids: Collection[bytes]) -> dict[bytes, tuple[int, int]]:
        """Return (first position, size) of the decisions of commands of both."""
        return {**super().commands(command_ids), **self._behind.commands(command_ids)}

    def close(self) -> None:
        """Close both; the appended messages are lost."""
        super().close()
        self._behind.close()
