"""Track the tables and views of a generation, and create missing ones on demand.

What comes in: a connection to a generation, and names. What goes out: tables and views, and in the
table ``made`` those that existed when the watermark was written; tables only if they had rows. In a
data directory a table is created with its first row or query, because each one slows a rebuild. On
a server it is created with its first row; until then a view without rows has its name
and its columns, since other clients may query it and may not create anything.

Guaranteed: a table that gets rows has all views that fill others from it. Rejected: recreating what
existed when the watermark was written, because its absence means that it was lost.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Lock
from typing import TYPE_CHECKING, Any

from ledger.core.errors import IntegrityError
from projections.store.cluster import on_cluster
from projections.store.connection import engine_error, translating
from projections.store.definitions import all_names, needed

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from clickhouse_connect.driver.client import Client

__all__ = [
    "ALWAYS",
    "THERE",
    "InstalledTables",
    "command",
    "define",
    "define_all",
    "define_each",
    "is_complete",
]

ALWAYS = frozenset({"watermark", "made"})
"""Tables of every generation, noted without rows too."""

IS_EMPTY = "(engine = 'View' AND create_table_query LIKE '% AS SELECT defaultValueOfTypeName(%')"
"""Whether an object of ``system.tables`` stands for a table without rows."""

THERE = (
    "SELECT version() AS version, name, cityHash64(create_table_query) AS definition "  # noqa: S608 - own text
    "FROM system.tables AS there WHERE there.database = currentDatabase() "
    "AND NOT (there.engine = 'View' AND there.create_table_query LIKE '%{%') "
    f"AND NOT {IS_EMPTY}"
)
"""The existing objects that our queries name, as in ``made``.

Views with parameters and those that stand for tables are left out.
"""

NOTES = "SELECT * FROM made"
NOT_NOTED = (
    "SELECT name FROM system.tables WHERE database = currentDatabase() "
    "AND engine LIKE '%MergeTree' AND name NOT IN (SELECT name FROM made) LIMIT 1"
)
NO_VIEW = 80
"""Error code of dropping a table as a view."""


class InstalledTables:
    """The known objects of a generation, shared by all connections of a process to it."""

    def __init__(self, *, is_server: bool = False, cluster: str = "") -> None:
        """Start with no known objects; on a server views may stand for tables without rows."""
        self.are_attached = False
        """Whether the embedded engine has loaded all that existed; it loads what is created."""
        self._is_server, self._cluster = is_server, cluster
        self._there: set[str] = set()
        self._lost: set[str] = set()
        self._looking = Lock()
        self._count, self._are_all_noted = -1, False

    def provide(self, client: Client, names: Collection[str]) -> None:
        """Create missing tables or views, with all their dependencies.

        Raises:
            IntegrityError: one of them existed before.
            ClickHouseError: the engine rejected it, or the generation is gone.
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
                "rebuild the tables with `gameledger rebuild`"
            )
        for name in due:
            if name in lacking:
                self._create(client, name, due[name])
        self._there |= lacking

    def _create(self, client: Client, name: str, statement: str) -> None:
        """Create a table or view; on a server a view that stands for the table is dropped before.

        Several processes may do this at once, and a table with rows is never dropped.
        """
        if self._is_server and statement.startswith("CREATE TABLE "):
            try:
                client.command(on_cluster(f"DROP VIEW IF EXISTS {name}", self._cluster))
            except engine_error() as error:
                if getattr(error, "code", None) != NO_VIEW:
                    raise
        client.command(on_cluster(statement, self._cluster))

    def _look(self, client: Client) -> None:
        """Read which objects exist, and note the recorded ones that are missing as lost."""
        there, noted = self._names(client), all_names()
        if not there:  # the generation is new
            return
        if "made" in there:
            rows = _rows(client, NOTES)
            noted = {row["name"] for row in rows if "name" in row}  # older tables lack names
        if not noted <= there:  # created and recorded in the meantime, or lost
            there |= self._names(client)
        self._lost = noted - there
        self._there |= there

    def _names(self, client: Client) -> set[str]:
        sql = "SELECT name FROM system.tables WHERE database = currentDatabase()"
        if self._is_server:  # the engine writes out the definition of each object for this
            sql = f"{sql} AND NOT {IS_EMPTY}"
        return {row["name"] for row in _rows(client, sql)}

    def note(self, client: Client) -> None:
        """Record the views, and the tables with rows, in ``made``, so that their loss is detected.

        A table without rows is created again if it is lost.
        """
        count = len(self._there)
        if count != self._count or not self._are_all_noted:
            command(
                client,
                f"INSERT INTO made (version, name, definition) {THERE} "  # noqa: S608 - our own
                "AND (there.engine LIKE '%View' OR there.total_rows > 0 "
                f"OR there.name IN {tuple(sorted(ALWAYS))}) "
                "AND there.name NOT IN (SELECT name FROM made)",
            )
            self._count, self._are_all_noted = count, not _rows(client, NOT_NOTED)


def is_complete(client: Client) -> bool:
    """Return whether all recorded objects exist with their definitions.

    Definitions recorded by another version of the engine are not compared, as it may format them
    differently.
    """
    now = {row["name"]: row for row in _rows(client, THERE)}
    noted = _rows(client, "SELECT version, name, definition FROM made")
    return bool(noted) and all(
        (there := now.get(row["name"])) is not None
        and (row["version"] != there["version"] or row == there)
        for row in noted
    )


def _rows(client: Client, sql: str) -> list[dict[str, Any]]:
    return list(client.query(sql).named_results())


def command(client: Client, sql: str, parameters: dict[str, Any] | None = None) -> None:
    """Run a statement without result.

    Raises:
        AvailabilityError, AuthorizationError: ClickHouse rejected it.
    """
    with translating():
        if parameters:
            # `command` puts them into the URL, whose length servers bound; this, into the body.
            client.raw_query(sql, parameters=parameters)
        else:
            client.command(sql)


def define(client: Client, cluster: str, sql: str) -> None:
    """Run a DDL statement, on all replicas if there is a cluster."""
    command(client, on_cluster(sql, cluster))


def define_each(client: Client, cluster: str, statements: Iterable[str]) -> None:
    """Run several DDL statements in order."""
    for statement in statements:
        define(client, cluster, statement)


def define_all(client: Client, other: Client, cluster: str, statements: Sequence[str]) -> None:
    """Run independent DDL statements over two connections, because each of them waits for disks."""
    with ThreadPoolExecutor(1, "gameledger-define") as thread:
        rest = thread.submit(define_each, other, cluster, statements[1::2])
        define_each(client, cluster, statements[::2])
        rest.result()
