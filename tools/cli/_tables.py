"""``tables``: compare the tables of a chain on several servers, back them up, restore them."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from ledger.core.errors import InputError, IntegrityError
from projections.store.clickhouse import ClickHouseServer
from projections.store.projector import check_continues, recover
from projections.store.servers import compare as compare_servers
from projections.store.tables import Store
from tools.cli._answering import answers
from tools.cli._help import Commands
from tools.cli._options import DATA, Data
from tools.cli._output import counted, echo, number, table
from tools.data import DataDirectory

__all__ = ["BackedUpTables", "ComparedTables", "DifferingTable", "RestoredTables", "app"]

app = Commands("Tables on ClickHouse servers: compare, back up, restore.")


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


Name = Annotated[str, typer.Argument(help="Name of the backup: letters, digits, _ and -.")]
Disk = Annotated[
    str, typer.Option(help="Disk of the server that its setting backups.allowed_disk names.")
]


@dataclass(frozen=True, slots=True)
class BackedUpTables:
    """A backup, and the position at which its tables end."""

    name: str
    position: int


@dataclass(frozen=True, slots=True)
class RestoredTables:
    """The backup that was restored, and the position from which the projector goes on."""

    name: str
    position: int


def _show_backup(done: BackedUpTables) -> None:
    echo(f"The tables are backed up as {done.name}, up to position {done.position}.")


@app.command()
@answers(_show_backup)
def backup(*, name: Name, disk: Disk = "backups", data: Data = DATA) -> BackedUpTables:
    """Let the server back up the tables with their watermark; the projector need not stop.

    Example: `gameledger tables backup 2026-11-29`
    """
    with Store.open(_server_of(data), creating=False) as store:
        position = store.position
        store.back_up(disk, name)
    return BackedUpTables(name, position)


def _show_restored(done: RestoredTables) -> None:
    echo(f"The tables of {done.name} are in use, up to position {done.position}.")
    echo("`gameledger project` adds what the log has since.")


@app.command()
@answers(_show_restored)
def restore(*, name: Name, disk: Disk = "backups", data: Data = DATA) -> RestoredTables:
    """Put the tables of a backup in use, on the same server or another one.

    Stop the projector first. The tables must be of this chain and of this version of the program.

    Example: `gameledger tables restore 2026-11-29`
    """
    with (
        closing(data.read()) as log,
        data.projecting(),
        Store.open(_server_of(data)) as store,
    ):
        with store.restored_generation(disk, name) as fresh:
            head = recover(log, fresh)
            fresh.activate()
        store.refresh()
        store.drop_unused()
    return RestoredTables(name, head.size)


def _server_of(data: DataDirectory) -> ClickHouseServer:
    place = data.projection()
    if isinstance(place, Path):
        raise InputError(
            "the tables are in the data directory: `gameledger rebuild` makes them again; name a "
            "server with --clickhouse"
        )
    return place
