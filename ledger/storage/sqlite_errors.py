"""Classification of SQLite errors for all files: damaged, or not usable now."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

from ledger.core.errors import AvailabilityError, IntegrityError

if TYPE_CHECKING:
    from pathlib import Path

    from ledger.core.errors import LedgerError

__all__ = ["explain", "is_damage"]

_AWAY = {
    sqlite3.SQLITE_ABORT,
    sqlite3.SQLITE_AUTH,
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_INTERRUPT,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_MISUSE,
    sqlite3.SQLITE_NOLFS,
    sqlite3.SQLITE_NOMEM,
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_PROTOCOL,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_SCHEMA,
}
"""Errors caused by the disk, the system or another process.

Our statements are few and tested, so every other error means that the file is damaged.
"""

_FILE_SYSTEM_DAMAGE = {sqlite3.SQLITE_IOERR_SHORT_READ, sqlite3.SQLITE_IOERR_CORRUPTFS}

_FULL = {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_SHMSIZE}
"""Errors of a disk without room; the second one for the memory that connections share."""


def is_damage(error: sqlite3.Error) -> bool:
    """Return whether an error means that the file is damaged."""
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_MISUSE)
    return code & 0xFF not in _AWAY or code in _FILE_SYSTEM_DAMAGE


def explain(error: sqlite3.Error, path: Path) -> LedgerError:
    """Return the ledger error for an SQLite error of a log, with the next step."""
    if is_damage(error):
        cause = getattr(error, "sqlite_errorname", type(error).__name__)
        text = f"{path} is damaged ({cause}): keep it, and restore it from a copy"
        return IntegrityError(text)
    if getattr(error, "sqlite_errorcode", None) in _FULL:
        return AvailabilityError(f"no room is left to write {path}: free some and repeat")
    return AvailabilityError(f"{path} can't be used ({error}): repair the cause and repeat")
