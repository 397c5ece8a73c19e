"""Detect commands that were recorded twice, exactly and in constant memory.

What comes in: the identifier of each decision, in the order of the chain. What goes out: nothing,
or the first decision that repeats an earlier identifier. Identifiers are collected in a temporary
database, which spills to disk and is sorted at the end.
"""

from __future__ import annotations

import sqlite3
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ledger.core.errors import AvailabilityError, IntegrityError
from ledger.core.phrases import Phrase

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["DuplicateCommandCheck", "temporary_file"]

_WAITING_MAX = 4096

_FIRST_REPEAT = """
SELECT position, first, identifier FROM (
    SELECT position, identifier, min(position) OVER (PARTITION BY identifier) AS first FROM decision
) WHERE position > first ORDER BY position LIMIT 1"""


class DuplicateCommandCheck:
    """Collects the identifiers of one chain."""

    def __init__(self) -> None:
        """Start empty."""
        self._connection = sqlite3.connect("", isolation_level=None)
        self._connection.execute("PRAGMA journal_mode = OFF")
        self._connection.execute(
            "CREATE TABLE decision (position INTEGER PRIMARY KEY, identifier BLOB NOT NULL) STRICT"
        )
        self._waiting: list[tuple[int, bytes]] = []

    def add(self, position: int, identifier: bytes) -> None:
        """Add a decision.

        Raises:
            AvailabilityError: the temporary file can't be written.

        """
        self._waiting.append((position, identifier))
        if len(self._waiting) >= _WAITING_MAX:
            self._store()

    def require_none(self) -> None:
        """Compare all identifiers.

        Raises:
            IntegrityError: a command was recorded twice; the position is that of the repeat.
            AvailabilityError: the temporary file can't be used.

        """
        self._store()
        with temporary_file():
            repeat = self._connection.execute(_FIRST_REPEAT).fetchone()
        if repeat is not None:
            again, first, identifier = repeat
            raise IntegrityError(
                Phrase("COMMAND_TWICE", at=again, command=identifier.hex(), other=first),
                position=again,
            )

    def close(self) -> None:
        """Delete the temporary file; closing twice is allowed."""
        self._connection.close()

    def _store(self) -> None:
        with temporary_file():
            self._connection.executemany("INSERT INTO decision VALUES (?, ?)", self._waiting)
        self._waiting.clear()


@contextmanager
def temporary_file() -> Iterator[None]:
    """Translate the errors of SQLite about a temporary file of the verification.

    Raises:
        AvailabilityError: the file can't be used.

    """
    try:
        yield
    except sqlite3.Error as error:
        raise AvailabilityError(
            f"the temporary file of the verification can't be used ({error}): free some room, or "
            "name another folder in TMPDIR, and repeat"
        ) from error
