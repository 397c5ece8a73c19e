"""One measured step in a process of its own, so that its peak memory is its own.

``python -m tools.bench.steps NAME FOLDER`` prints one JSON object: seconds, events, peak_mb.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["measure"]

BLOCK = 100_000


def measure(name: str, folder: Path) -> dict[str, Any]:
    """Run a step in a process of its own and give what it measured."""
    command = [sys.executable, "-m", "tools.bench.steps", name, str(folder)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)  # noqa: S603 - our own module
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def verify(folder: Path) -> int:
    """Verify the whole chain."""
    from ledger import chain
    from ledger.log.sqlite import SqliteLog

    log = SqliteLog(folder, writable=False)
    size = chain.verify(log.read()).head.size
    log.close()
    return size


def rebuild(folder: Path) -> int:
    """Rebuild all tables in a new store."""
    from ledger.log.sqlite import SqliteLog
    from projections.rebuild import rebuild as rebuild_all
    from projections.store import Store

    log = SqliteLog(folder, writable=False)
    with tempfile.TemporaryDirectory(dir=folder) as place, Store.open(place) as store:
        size = rebuild_all(log, store).head.size
    log.close()
    return size


def decode_rows(folder: Path) -> int:
    """Baseline of the rebuild: decode rows in Python and insert columns, no checks."""
    import clickhouse_connect
    import fastavro

    import schemas
    from ledger.log.sqlite import SqliteLog

    log = SqliteLog(folder, writable=False)
    with tempfile.TemporaryDirectory(dir=folder) as place:
        client = clickhouse_connect.get_client(interface="chdb", path=place)
        _create_tables(client)
        groups: dict[bytes, list[Any]] = {}
        size = 0
        from io import BytesIO

        catalogue = schemas.catalogue()
        for _, message in log.read():
            schema = catalogue[message[2:10]]
            row: Any = fastavro.schemaless_reader(BytesIO(message[10:]), schema.parsed, None)
            groups.setdefault(message[2:10], []).append(tuple(row.values()))
            size += 1
            if not size % BLOCK:
                _insert(client, groups)
        _insert(client, groups)
        client.close()
    log.close()
    return size


def _create_tables(client: Any) -> None:
    sql = Path(__file__).parents[2] / "projections" / "sql" / "0100_events.sql"
    for statement in sql.read_text(encoding="utf-8").split(";"):
        if statement.strip():
            client.command(statement)


def _insert(client: Any, groups: dict[bytes, list[Any]]) -> None:
    import schemas

    for fingerprint, rows in groups.items():
        schema = schemas.catalogue()[fingerprint]
        names = [field["name"] for field in schema.raw["fields"]]
        client.insert(schema.name, rows, column_names=names)
    groups.clear()


STEPS: dict[str, Callable[[Path], int]] = {
    "verify": verify,
    "rebuild": rebuild,
    "decode_rows": decode_rows,
}


def main(arguments: list[str]) -> None:
    """Run the named step and print what it took."""
    name, folder = arguments
    started = time.perf_counter()
    events = STEPS[name](Path(folder))
    seconds = time.perf_counter() - started
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"seconds": seconds, "events": events, "peak_mb": peak}))


if __name__ == "__main__":
    main(sys.argv[1:])
