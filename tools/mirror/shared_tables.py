"""A few tables over all logs of a mirror, each with the log as its first column.

What comes in: the summary of one copy at a time, made from its own tables. What goes out: rows of
all logs, without opening a copy. Guaranteed: the rows of a log are replaced as a whole, with the
number of messages that they count; the file may be deleted, and is filled again from the copies.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from msgspec import Struct
from msgspec.structs import asdict

from ledger.core.errors import LedgerError
from tools.data.spool_file import SpoolFile

if TYPE_CHECKING:
    from tools.mirror.folder import MirrorFolder

__all__ = [
    "FILE",
    "NOTHING",
    "CopySummary",
    "DeviceRow",
    "DutyRow",
    "FilledLog",
    "LongPlayRow",
    "MissingCopy",
    "PlayRow",
    "SharedTables",
]

SCHEMA = """
CREATE TABLE IF NOT EXISTS filled
(
    log TEXT PRIMARY KEY, size INTEGER NOT NULL, last_day TEXT NOT NULL, reason TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS judged
(
    log TEXT PRIMARY KEY, day TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS play
(
    log TEXT, day TEXT, game TEXT,
    stakes INTEGER NOT NULL, winnings INTEGER NOT NULL, result INTEGER NOT NULL,
    PRIMARY KEY (log, day, game)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS devices
(
    log TEXT, kind TEXT, serial TEXT, PRIMARY KEY (log, kind, serial)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS long_play
(
    log TEXT, account TEXT, started_at INTEGER, length INTEGER NOT NULL,
    PRIMARY KEY (log, account, started_at)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS duties
(
    log TEXT, code TEXT, until INTEGER, open INTEGER NOT NULL, PRIMARY KEY (log, code, until)
) STRICT, WITHOUT ROWID;
"""
FILE = "shared.sqlite"


class PlayRow(NamedTuple):
    """Play of a game on a day: stakes less what was returned, winnings, result of the house."""

    day: str
    game: str
    stakes: int
    winnings: int
    result: int


class DeviceRow(NamedTuple):
    """A device that was assigned to a table."""

    kind: str
    serial: str


class LongPlayRow(NamedTuple):
    """Continuous play that reached the limit, in microseconds."""

    account: str
    started_at: int
    length: int


class DutyRow(NamedTuple):
    """How many duties of a kind are open that end at a moment."""

    code: str
    until: int
    open: int


class CopySummary(Struct, frozen=True):
    """What the shared tables take of a copy of ``size`` messages.

    ``play`` has the days from ``since`` on, all of them if it is empty, up to ``last_day``. Duties
    are those of the day ``judged``: some begin by the passing of time alone.
    """

    size: int
    since: str
    last_day: str
    judged: str
    play: list[PlayRow]
    devices: list[DeviceRow]
    long_play: list[LongPlayRow]
    duties: list[DutyRow]


TABLES = tuple(CopySummary.__struct_fields__[4:])


class FilledLog(NamedTuple):
    """Messages of a log that count, their last day, the last fault, and the day of its duties."""

    size: int
    last_day: str
    reason: str
    judged: str


NOTHING = FilledLog(0, "", "", "")
"""Of a log that was never summarized."""


@dataclass(frozen=True, slots=True)
class MissingCopy:
    """A log that is missing in an answer, or is older in it than the copy, and why."""

    log: str
    reason: str


class SharedTables:
    """A connection to the tables."""

    def __init__(self, folder: MirrorFolder) -> None:
        """Open the file of a mirror, or make it.

        Raises:
            InputError: it is no such file.
            AvailabilityError: it can't be used.

        """
        self._folder = folder
        self._file = SpoolFile(folder.path / FILE, SCHEMA)

    def __enter__(self) -> Self:
        """Begin to use it."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the file."""
        self._file.close()

    def rows(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        """Run a query."""
        return self._file.rows(sql, *values)

    def put(self, log: str, summary: CopySummary) -> None:
        """Replace the rows of a log."""
        contents = asdict(summary)
        with self._file.transaction() as file:
            for table in TABLES:
                later = "AND day >= ?" if table == "play" and summary.since else ""
                given = (summary.since,) if later else ()
                file.execute(f"DELETE FROM {table} WHERE log = ? {later}", (log, *given))  # noqa: S608 - own text
                for row in contents[table]:
                    places = ", ".join("?" * (1 + len(row)))
                    file.execute(f"INSERT INTO {table} VALUES ({places})", (log, *row))  # noqa: S608
            filled = (log, summary.size, summary.last_day, "")
            file.execute("INSERT OR REPLACE INTO filled VALUES (?, ?, ?, ?)", filled)
            file.execute("INSERT OR REPLACE INTO judged VALUES (?, ?)", (log, summary.judged))

    def put_fault(self, log: str, reason: str) -> None:
        """Store why the rows of a log could not be replaced; they stay."""
        with self._file.transaction() as file:
            file.execute(
                "INSERT INTO filled VALUES (?, 0, '', ?) "
                "ON CONFLICT (log) DO UPDATE SET reason = excluded.reason",
                (log, reason),
            )

    def filled(self) -> dict[str, FilledLog]:
        """Return what counts of each log."""
        found = self.rows(
            "SELECT log, size, last_day, reason, ifnull(day, '') "
            "FROM filled LEFT JOIN judged USING (log) ORDER BY log"
        )
        return {log: FilledLog(*values) for log, *values in found}

    def missing(self) -> list[MissingCopy]:
        """Return the logs of which not everything that is signed counts."""
        missing, filled = [], self.filled()
        for memory in self._folder.remembered():
            size, _, reason, _ = filled.get(memory.origin, NOTHING)
            if not reason:
                try:
                    signed = self._folder.signed(memory.origin)
                except LedgerError as error:
                    missing.append(MissingCopy(memory.origin, str(error)))
                    continue
                held = signed.head.size if signed else 0
                if not held:
                    reason = "nothing of it is held yet"
                elif size < held:
                    reason = f"{size} of {held} messages count: `gameledger mirror project`"
            if reason:
                missing.append(MissingCopy(memory.origin, reason))
        return missing
