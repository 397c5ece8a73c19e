"""Which of our tables and views a generation has, and how those that it lacks are made.

What comes in: a connection to a generation, and names. What goes out: tables and views, and in the
table ``made`` which of them there were when the watermark was written. On a server all are made at
once, since others ask them there. In a data directory a table is made with the first row or
question that needs it, because each costs every start of the engine and every rebuild.

Promised: a table that gets rows has all views that fill others from it. Refused: to make again what
was there when the watermark was written, which is a table that was lost.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Lock
from typing import TYPE_CHECKING, Any

from ledger.core.errors import IntegrityError
from projections.store.cluster import on_cluster
from projections.store.connection import translating
from projections.store.definitions import all_names, needed

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from clickhouse_connect.driver.client import Client

__all__ = ["THERE", "Made", "command", "define", "define_all", "define_each", "is_complete"]

THERE = (
    "SELECT version() AS version, name, cityHash64(create_table_query) AS definition "
    "FROM system.tables AS there WHERE there.database = currentDatabase() "
    "AND NOT (there.engine = 'View' AND there.create_table_query LIKE '%{%')"
)
"""What is there that our queries name, as ``made`` has it: a view with parameters is not."""

NOTES = "SELECT * FROM made"


class Made:
    """What a generation has by now, for all connections of a process to it."""

    def __init__(self) -> None:
        """Know of nothing yet."""
        self._there: set[str] = set()
        self._lost: set[str] = set()
        self._looking = Lock()
        self._count = -1

    def provide(self, client: Client, names: Collection[str]) -> None:
        """Make tables or views that are lacking, with all that they need.

        Raises:
            IntegrityError: one of them was there before.
            ClickHouseError: the engine refused, or the generation is gone.
        """
        due = needed(frozenset(names))
        if due.keys() <= self._there:
            return
        with self._looking:
            if not self._there:
                self._look(client)
        lacking = due.keys() - self._there
        if lost := sorted(lacking & self._lost):
            raise IntegrityError(
                f"the table or view {lost[0]} was there and is lost: "
                "make the tables anew with `gameledger rebuild`"
            )
        for name in due:
            if name in lacking:
                client.command(due[name])
        self._there |= lacking

    def _look(self, client: Client) -> None:
        """Look what is there, and what of that which was noted is not: all, without the notes."""
        there, noted = _names(client), all_names()
        if not there:  # a generation begins
            return
        if "made" in there:
            rows = _rows(client, NOTES)
            noted = {row["name"] for row in rows if "name" in row}  # older tables note no names
        if not noted <= there:  # it was made and noted in the meantime, or is lost
            there |= _names(client)
        self._lost = noted - there
        self._there |= there

    def note(self, client: Client) -> None:
        """Write down what was made, so that it is missed when it is lost."""
        count = len(self._there)
        if count != self._count:
            command(
                client,
                f"INSERT INTO made (version, name, definition) {THERE} "  # noqa: S608 - our own
                "AND there.name NOT IN (SELECT name FROM made)",
            )
            self._count = count


def is_complete(client: Client) -> bool:
    """Is all there that was, as it was made?

    Another version of the engine may write definitions otherwise and proves nothing.
    """
    now = {row["name"]: row for row in _rows(client, THERE)}
    noted = _rows(client, "SELECT version, name, definition FROM made")
    return bool(noted) and all(
        (there := now.get(row["name"])) is not None
        and (row["version"] != there["version"] or row == there)
        for row in noted
    )


def _names(client: Client) -> set[str]:
    sql = "SELECT name FROM system.tables WHERE database = currentDatabase()"
    return {row["name"] for row in _rows(client, sql)}


def _rows(client: Client, sql: str) -> list[dict[str, Any]]:
    return list(client.query(sql).named_results())


def command(client: Client, sql: str, parameters: dict[str, Any] | None = None) -> None:
    """Run a statement that has no result.

    Raises:
        AvailabilityError, AuthorizationError: ClickHouse refused.
    """
    with translating():
        client.command(sql, parameters=parameters or None)


def define(client: Client, cluster: str, sql: str) -> None:
    """Run a statement that defines, on all replicas of a cluster if there is one."""
    command(client, on_cluster(sql, cluster))


def define_each(client: Client, cluster: str, statements: Iterable[str]) -> None:
    """Run several of them, one after the other."""
    for statement in statements:
        define(client, cluster, statement)


def define_all(client: Client, other: Client, cluster: str, statements: Sequence[str]) -> None:
    """Run statements that need nothing of each other over two connections; each waits for disks."""
    with ThreadPoolExecutor(1, "gameledger-define") as thread:
        rest = thread.submit(define_each, other, cluster, statements[1::2])
        define_each(client, cluster, statements[::2])
        rest.result()
