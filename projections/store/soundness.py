"""Are the tables in a folder what was left there? Looked at in a process of its own.

What comes in: a folder of the engine that changed behind our back: a crash, a half copy, a bad
disk. What goes out: what is wrong with it, or nothing. A folder that the engine could not open
keeps the engine from opening any other in the same process, and a damaged one may end the
process; hence the child. It looks for tables that are missing or made otherwise, parts that the
engine set aside, bytes that do not fit their checksums, and rows that were there when the
watermark was written.

Not found: what was written wrong in the first place, which the twins of the tests are for.
"""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

from ledger.core.errors import InputError, LedgerError
from projections.store.connection import holder_of
from projections.store.tables import Store

__all__ = ["fault_of", "holder_of"]

SECONDS_MAX = 3600
TEXT_MAX = 300
FAULTY = 10


def fault_of(folder: Path) -> str:
    """Return what is wrong with the tables in a folder; nothing if they can be relied on.

    The folder has to be one that nobody uses now.
    """
    command = [sys.executable, "-m", "projections.store.soundness", str(folder.resolve())]
    try:
        done = subprocess.run(command, capture_output=True, timeout=SECONDS_MAX, check=False)  # noqa: S603 - our own program
    except subprocess.TimeoutExpired:
        return "the engine does not answer"
    if done.returncode == 0:
        return ""
    if done.returncode == FAULTY:
        return done.stdout.decode(errors="replace").strip()
    if done.returncode < 0:
        return f"the engine ends with {signal.Signals(-done.returncode).name}"
    return f"the engine ends with exit code {done.returncode}"


def _fault_at(folder: Path) -> str:
    try:
        with Store.open(folder, creating=False) as store:
            return _fault_in(store) if store.is_current else ""
    except InputError:
        return "there are none"
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
    for table in store.tables():
        if not store.is_intact(table):
            return f"{table} does not fit its checksums"
    found = store.counted(store.tables_with_position(), 0, store.position)
    due, held = store.rows_due, sum(rows for rows, _ in found.values())
    if due != held:
        return f"they hold {held} rows where {due} were written"
    return ""


def main() -> None:
    """Look at the folder that is named, and say on standard output what is wrong with it."""
    fault = _fault_at(Path(sys.argv[1]))
    if fault:
        sys.stdout.buffer.write(fault.encode(errors="replace"))
        sys.exit(FAULTY)


if __name__ == "__main__":
    main()
