"""Play evenings for weeks in one process and see whether it grows: ``python tests/soak/soak.py``.

The real writer on SQLite, a reader and the projector with the real engine, and a new reader for
every look; the same players come each evening. Looks are taken at equal numbers of events. Fails if
handles, threads or journals grow behind the first third, or the memory by more than a share.
"""

from __future__ import annotations

import argparse
import gc
import os
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from ledger.core.clock import in_prague
from ledger.events.encoding import decode_envelope
from ledger.log import Query, SqliteLog
from projections.store.projector import Projector
from projections.store.tables import Store
from tools.simulator import create, run

SEED = 11
HOURS, PLAYERS = 0.5, 25
"""Of an evening: short ones, because every day has work of its own."""
MORE_MEMORY_MAX = 0.15
MORE_JOURNAL_BYTES = 128 << 20
PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")


class Look(NamedTuple):
    """What the process holds at a moment; memory and bytes in MB."""

    day: str
    events: int
    memory: float
    handles: int
    threads: int
    files: int
    journals: float
    log: float


def look(folder: Path, log: SqliteLog) -> Look:
    """Measure this process and the files of its data directory."""
    gc.collect()
    size = log.head().size
    (last,) = (decode_envelope(body).recorded_at for _, body in log.read(size - 1))
    sizes = {one: one.stat().st_size for one in folder.glob("*") if one.is_file()}
    resident = int(Path("/proc/self/statm").read_text().split()[1])
    return Look(
        str(in_prague(last).date()),
        size,
        resident * PAGE_BYTES / 1e6,
        sum(1 for _ in Path("/proc/self/fd").iterdir()),
        sum(1 for _ in Path("/proc/self/task").iterdir()),
        len(sizes),
        sum(size for one, size in sizes.items() if one.name.endswith("-wal")) / 1e6,
        (folder / "log.sqlite").stat().st_size / 1e6,
    )


def soak(folder: Path, events: int, looks: int) -> list[Look]:
    """Play so many events; look so many times."""
    found: list[Look] = []
    data = folder / "data"
    with (
        create(SqliteLog(data, writable=True), data / "keys", seed=SEED) as ledger,
        closing(SqliteLog(data, writable=False)) as reader,
        Store.open(folder / "tables") as store,
    ):
        projector = Projector(reader, store)

        def progress(done: int, of: int) -> None:
            if done < of * (len(found) + 1) / looks:
                return
            projector.catch_up()
            with closing(SqliteLog(data, writable=False)) as other:
                other.find(Query(types=("RoundResulted",)), limit=100, backwards=True)
            found.append(look(data, reader))
            texts = (f"{one:.0f}" if isinstance(one, float) else str(one) for one in found[-1])
            print("  ".join(texts), flush=True)

        run(ledger, seed=SEED, hours=HOURS, events_max=events, players=PLAYERS, progress=progress)
    return found


def faults(looks: list[Look]) -> list[str]:
    """Compare the last look with that after a third."""
    before, after = looks[len(looks) // 3], looks[-1]
    grown = [
        f"{name}: {getattr(before, name)}, then {getattr(after, name)}"
        for name in ("handles", "threads", "files")
        if getattr(after, name) > getattr(before, name)
    ]
    if after.memory > before.memory * (1 + MORE_MEMORY_MAX):
        grown.append(f"memory: {before.memory:.0f} MB, then {after.memory:.0f}")
    if after.journals > before.journals + MORE_JOURNAL_BYTES / 1e6:
        grown.append(f"journals: {before.journals:.0f} MB, then {after.journals:.0f}")
    return grown


def main() -> None:
    """Print each look, and what grew."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--events", type=int, default=300_000)
    parser.add_argument("--looks", type=int, default=15)
    asked = parser.parse_args()
    begun = time.monotonic()
    print("  ".join(Look._fields))
    with tempfile.TemporaryDirectory() as folder:
        found = soak(Path(folder), asked.events, asked.looks)
    grown = faults(found)
    print(f"{time.monotonic() - begun:.0f} s; grew: {'; '.join(grown) or 'nothing'}")
    sys.exit(bool(grown))


if __name__ == "__main__":
    main()
