"""The product's log on SQLite with its index and tree, in a folder in memory, as a part of a seed.

What runs is the product. Appends take time and fail as those of a disk do; a process is killed
before or behind a commit, with what SQLite has written by then. What a loss of power may leave of
these files is tried in ``tests/crashes``.
"""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from ledger.log.memory import MemoryLog
from ledger.log.port import Query
from ledger.log.sqlite import SqliteLog
from tests.simulation.simulated_template import template
from tests.simulation.simulated_threads import SimulatedCondition

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ledger.core.message import Head, Message
    from tests.simulation.simulated_checks import Checks
    from tests.simulation.simulated_disk import Disk

GAP = 3_000
"""Another thread may ask within so long after a commit, before the index is updated."""


class SimulatedSqliteLog(SqliteLog):
    """The log of a writer, whose disk has the faults of a simulated one."""

    def __init__(self, folder: Path, disk: Disk) -> None:
        """Open the log; the first one begins with the template."""
        self._disk, self._world = disk, disk.world
        self._chance = disk.world.stream("log on SQLite")
        if not folder.exists():
            folder.mkdir()
            for name, content in _files().items():
                (folder / name).write_bytes(content)
        super().__init__(folder, writable=True)
        self._changed = SimulatedCondition(disk.world)  # type: ignore[assignment]

    def end(self) -> None:
        """Close the files as the system does when it kills a process: nothing more is written."""
        with tempfile.TemporaryDirectory(dir=self._directory.parent) as place:
            left = shutil.copytree(self._directory, Path(place) / "left")
            self._changed = SimulatedCondition(self._world)  # type: ignore[assignment]
            self.close()
            shutil.rmtree(self._directory)
            left.rename(self._directory)
        for shared in self._directory.glob("*-shm"):
            shared.unlink()

    def _write(self, writer: sqlite3.Connection, messages: Sequence[Message]) -> None:
        disk = self._disk
        self._world.pause(self._chance.randrange(1, 2 * disk.latency))
        if disk.happens("process dies at a write"):
            if self._chance.random() < 0.5:
                super()._write(writer, messages)
            disk.on_death(False)
        if disk.happens("disk full"):
            raise sqlite3.OperationalError("database or disk is full")
        if disk.happens("write fails"):
            writer.execute("BEGIN IMMEDIATE")
            raise sqlite3.OperationalError("disk I/O error")
        super()._write(writer, messages)
        if disk.happens("sync fails with the data there"):
            raise sqlite3.OperationalError("disk I/O error")

    def _keep_up(self, messages: Sequence[Message], head: Head) -> None:
        self._world.pause(self._chance.randrange(GAP))
        super()._keep_up(messages, head)


def require_index(log: SqliteLog, messages: Sequence[Message], checks: Checks) -> None:
    """Judge that the index finds the messages of each tag and type, each once."""
    plain = MemoryLog()
    plain.append(messages)
    queries = [Query(tags=(tag,)) for tag in plain._by_tag]
    for query in [*queries, *(Query(types=(name,)) for name in plain._by_type)]:
        if (found := log.find(query)) != (expected := plain.find(query)):
            checks.fail("index", f"{query} has {found}, and the log {expected}")


@cache
def _files() -> dict[str, bytes]:
    with tempfile.TemporaryDirectory() as place:
        with closing(SqliteLog(place, writable=True)) as log:
            log.append(template().messages)
        return {path.name: path.read_bytes() for path in Path(place).iterdir()}
