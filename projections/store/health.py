"""Examine whether the tables in a folder are undamaged; runs as a process for ``folders``.

What comes in: a folder of the engine that changed: by a crash, a partial copy, a bad disk. What
goes out: its fault, or nothing. It detects tables that are missing or have another definition,
parts that the engine detached, bytes that do not match their checksums, and lost rows below the
watermark.

Not detected: rows with wrong values; independent implementations in the tests check these.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from ledger.core.errors import InputError, LedgerError
from projections.store.folders import BUSY, FAULTY, NO_TABLES, holder_of
from projections.store.tables import Store

__all__ = ["main"]

TEXT_MAX = 300


def _fault_at(folder: Path) -> str:
    try:
        with Store.open(folder, creating=False) as store:
            return _fault_in(store) if store.is_current else ""
    except InputError:
        return NO_TABLES
    except LedgerError as error:
        return " ".join(str(error).split())[:TEXT_MAX]


def _fault_in(store: Store) -> str:
    if not store.is_complete:
        return "a table is missing, or made otherwise"
    aside = store.rows(
        "SELECT table FROM system.detached_parts "
        "WHERE database = currentDatabase() AND startsWith(reason, 'broken') LIMIT 1"
    )
    if aside:
        return f"a part of {aside[0]['table']} can't be read"
    store.attach_tables()
    for table in store.tables():
        if not store.is_intact(table):
            return f"{table} does not fit its checksums"
    found = store.counted(store.tables_with_position(), 0, store.position)
    due, held = store.rows_due, sum(rows for rows, _ in found.values())
    if due != held:
        return f"they hold {held} rows where {due} were written"
    return ""


def _is_others(folder: Path) -> bool:
    """Return whether another process uses the folder, such as a health check whose parent died."""
    return holder_of(folder) not in {"", f"process {os.getpid()}"}


def main() -> None:
    """Examine the named folder, and print its fault on standard output."""
    folder = Path(sys.argv[1])
    if _is_others(folder):
        sys.exit(BUSY)
    fault = _fault_at(folder)
    if fault and _is_others(folder):
        sys.exit(BUSY)
    if fault:
        sys.stdout.buffer.write(fault.encode(errors="replace"))
        sys.exit(FAULTY)


if __name__ == "__main__":
    main()
