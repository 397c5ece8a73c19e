"""``tables``: compare the tables of a chain that several servers hold."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from ledger.core.errors import IntegrityError
from projections.store.projector import check_continues
from projections.store.servers import compare as compare_servers
from tools.cli._answering import answers
from tools.cli._help import Commands
from tools.cli._options import DATA, Data
from tools.cli._output import counted, echo, number, table

__all__ = ["ComparedTables", "DifferingTable", "app"]

app = Commands("Tables of a chain: compare those on several servers.")


@app.callback()
def tables() -> None:
    """Tables on servers of ClickHouse."""


@dataclass(frozen=True, slots=True)
class DifferingTable:
    """A table that differs, and its number of rows on each server."""

    table: str
    rows: list[int]


@dataclass(frozen=True, slots=True)
class ComparedTables:
    """Servers whose tables were compared, up to the lowest watermark, and what differs.

    There are no servers where less than two were named. ``tables`` and ``rows`` are those of the
    first server.
    """

    servers: list[str]
    size: int
    tables: int
    rows: int
    differing: list[DifferingTable]


def _show_compared(found: ComparedTables) -> None:
    if not found.servers:
        echo("Less than two servers are named: there is nothing to compare.")
        return
    echo(
        f"{counted(len(found.servers), 'server', 'servers')} compared up to position {found.size}: "
        f"{number(found.rows)} rows of {counted(found.tables, 'table', 'tables')}."
    )
    if found.differing:
        rows = [(one.table, *map(number, one.rows)) for one in found.differing]
        table(("table that differs", *found.servers), rows)
    else:
        echo("All are equal.")


def _end_of_comparison(found: ComparedTables) -> int:
    if found.differing:
        names = ", ".join(one.table for one in found.differing)
        raise IntegrityError(
            f"the servers differ in {names}: rebuild the tables on each of them with "
            "`gameledger --clickhouse URL rebuild`, and compare again"
        )
    return 0


@app.command()
@answers(_show_compared, end=_end_of_comparison)
def compare(*, data: Data = DATA) -> ComparedTables:
    """Compare all rows of the tables on several servers, each filled by its own projector.

    Name the servers with `--clickhouse URL,URL`. Rows above the lowest watermark are left out, so
    that the projectors need not stop. Exit code 3 if tables differ.

    Example: `gameledger tables compare`
    """
    places = data.tables_to_read()
    if isinstance(places, Path) or places == places[:1]:
        return ComparedTables([], 0, 0, 0, [])
    head, found = compare_servers(places)
    with closing(data.read()) as log:
        check_continues(log, head)
    first = found[0]
    tables = sorted({name for one in found for name in one})
    return ComparedTables(
        [str(one) for one in places],
        head.size,
        len(first),
        sum(one.rows for one in first.values()),
        [
            DifferingTable(name, [one[name].rows if name in one else 0 for one in found])
            for name in tables
            if len({one.get(name) for one in found}) > 1
        ],
    )
