"""The tables of a chain in ClickHouse, embedded (chDB) or on a server, with the same SQL.

What comes in: SQL of the projections and blocks of Avro. What goes out: rows as dictionaries.
Tables live in a *generation*, a database of its own such as ``gameledger_3``; the registry database
``gameledger`` names the one in use. SQL refers to tables without a database and means the
generation in use, so that a rebuild can prepare the next one and activate it by writing one row.

Guaranteed: a reader whose generation was replaced finds the new one by itself. Rejected: a chDB
directory that another process uses (the engine allows one process; its threads may open any number
of stores).
"""

from __future__ import annotations

import re
from contextlib import ExitStack, closing
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from ledger.core.errors import InputError
from ledger.core.message import EMPTY, Head
from projections.store.backup import back_up, restore_tables
from projections.store.clickhouse import DEFAULT_DATABASE, ClickHouseServer, is_server_url
from projections.store.connection import Connector, translating
from projections.store.definitions import (
    all_names,
    any_of,
    derivations,
    empty_views,
    needed,
    questions_in,
    statements,
    statements_in,
)
from projections.store.engine import insert_avro
from projections.store.generations import OURS, generations, in_use, unfinished
from projections.store.installed_tables import (
    ALWAYS,
    THERE,
    define,
    define_all,
    define_each,
    is_complete,
)
from projections.store.queries import Queries
from projections.store.reader_views import reader_views, view_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from clickhouse_connect.driver.client import Client


__all__ = ["POSITION_MAX", "PROJECTION_VERSION", "Store"]

NAME = re.compile(r"[a-z][a-z0-9_]{0,47}")
CREATES = re.compile(r"^(CREATE VIEW) (?!IF NOT EXISTS)")
LAZILY = "ENGINE = Atomic SETTINGS lazy_load_tables = 1 "
"""The embedded engine loads a table when it is first used, because loading all takes 0.3 s.

Until then ``system.tables`` calls its engine ``TableProxy`` and has no number of its rows.
"""
POSITION_MAX = 2**63 - 1
"""A number greater than every position."""

ROWS_HELD = (
    "SELECT sum(total_rows) FROM system.tables WHERE database = currentDatabase() "
    "AND engine LIKE '%MergeTree' AND name IN (SELECT table FROM system.columns "
    "WHERE database = currentDatabase() AND name = 'position')"
)
_VERSIONED = "\n".join([*statements(), *derivations(), THERE])
PROJECTION_VERSION = sha256(_VERSIONED.encode()).hexdigest()[:16]
"""Digest of the SQL, and of the code that derives rows; other tables are no longer extended."""


class Store(Queries):
    """One connection to the tables of one chain; open another one for each worker thread."""

    @classmethod
    def open(
        cls,
        location: str | Path | ClickHouseServer,
        *,
        name: str | None = None,
        creating: bool = True,
    ) -> Self:
        """Open the tables at a location and create them if there are none.

        Args:
            location: a directory for the embedded engine, or a ClickHouse server or its URL.
            name: registry database, by default that of the URL; generations are
                ``<name>_<number>``. One name per chain.
            creating: create missing tables; on a server, only the one process that projects may do
                this.

        Raises:
            InputError: the name is not valid for a database, or there are no tables.
            AvailabilityError: another process uses the directory, or the server is unavailable.
            AuthorizationError: the server rejects the user.

        """
        if isinstance(location, str):
            as_url = is_server_url(location)
            location = ClickHouseServer.parse(location) if as_url else Path(location)
        if name is None:
            name = DEFAULT_DATABASE
            if isinstance(location, ClickHouseServer):
                name = location.database
        if not NAME.fullmatch(name):
            raise InputError(f"{name!r} can't name a database: use a-z, 0-9 and _")
        connect = Connector(location)
        cluster = location.cluster if isinstance(location, ClickHouseServer) else ""
        with ExitStack() as opened:  # an engine lives as long as one of its connections
            store = cls(connect, name, 0, cluster)
            opened.callback(store.close)
            store.refresh()
            if store.generation:
                opened.pop_all()
                return store
            if not creating:
                raise InputError(
                    f"there are no tables at {location}: begin with `gameledger project`, or keep "
                    "`gameledger project --follow` running"
                )
            with ExitStack() as failed:
                fresh = cls._create(connect, name, cluster)
                failed.callback(fresh.close)
                fresh.activate()
                failed.pop_all()
            return fresh

    @classmethod
    def _create(cls, connect: Connector, name: str, cluster: str) -> Self:
        """Create a generation with an unused number; it is not yet in use.

        On a server one whose creation was interrupted, as by a replica that was away, is completed.
        """
        with closing(connect()) as client, ExitStack() as failed:
            make = partial(define, client, cluster)
            make(f"CREATE DATABASE IF NOT EXISTS {name}")
            make(
                f"CREATE TABLE IF NOT EXISTS {name}.generation "
                "(number UInt32 COMMENT 'of the database of tables; the greatest is in use', "
                "projection_version String COMMENT 'digest of the SQL that made them') "
                "ENGINE = MergeTree ORDER BY number COMMENT 'Generations of tables.'",
            )
            begun = unfinished(client, name, _comment()) if connect.serves_others else 0
            used = in_use(client, name)
            number = begun if begun > used else 1 + max([used, *generations(client, name, cluster)])
            made = f"CREATE DATABASE IF NOT EXISTS {name}_{number} "
            made += "" if connect.serves_others else LAZILY
            make(f"{made}COMMENT '{_comment()}'")
            store = cls(connect, name, number, cluster)
            failed.callback(store.close)
            store._complete()
            failed.pop_all()
        return store

    def _complete(self) -> None:
        """Create what a new generation lacks, and record it: on a server all views."""
        if not self.serves_others:
            self.provide(*ALWAYS)
        else:
            define_each(self._client, self._cluster, needed(ALWAYS).values())
            self._define_all(empty_views(ALWAYS))
            views = (one for one in statements_in(self.database) if one.startswith("CREATE VIEW "))
            define_each(
                self._client,
                self._cluster,
                (CREATES.sub(r"\1 IF NOT EXISTS ", one) for one in views),
            )
        self._installed.note(self._client)

    @property
    def head(self) -> Head:
        """Watermark: the number of projected messages, and the hash of the last one.

        Further queries are planned for this number.
        """
        found = self.value("SELECT (size, hash) FROM watermark ORDER BY size DESC LIMIT 1")
        head = Head(*found) if found else EMPTY
        self.plan_for(head.size)
        return head

    @property
    def position(self) -> int:
        """Number of projected messages; answers are computed from positions below it."""
        return self.head.size

    @property
    def is_current(self) -> bool:
        """Return whether this version's SQL created these tables; otherwise a rebuild is needed.

        Tables without an entry are being created by this process, and count as current.
        """
        version = self.value(
            f"SELECT projection_version FROM {self._name}.generation "  # noqa: S608 - own name
            "WHERE number = {number:UInt32} LIMIT 1",
            number=self.generation,
        )
        return version in {None, PROJECTION_VERSION}

    def insert_avro(self, table: str, container: bytes | Iterable[bytes]) -> None:
        """Insert the rows of an Avro container file, given as a whole or in pieces.

        Columns that are missing in its schema get their defaults.

        Raises:
            AvailabilityError: ClickHouse is unavailable or could not read a row; it is unknown
                whether rows of the block were written.
            AuthorizationError: the user lacks the privilege.

        """
        block: Any = container if isinstance(container, bytes) else b"".join(container)
        self.provide(table)
        self._connect.renew(self._client)
        with translating():
            if self.serves_others:
                self._client.raw_insert(table, insert_block=block, fmt="Avro")
            else:
                insert_avro(self._client, table, block)

    def set_head(self, head: Head, recorded_at: int) -> None:
        """Advance the watermark; every row of the messages below it must have been written.

        Args:
            head: number of messages, and hash of the last one.
            recorded_at: when the last one was recorded, in microseconds.

        """
        self._connect.renew(self._client)
        self._installed.note(self._client)
        self.command(
            "INSERT INTO watermark (size, hash, recorded_at, rows) SELECT {size:Int64}, "
            f"unhex({{hash:String}}), {{recorded_at:Int64}}, ({ROWS_HELD})",
            size=head.size,
            hash=head.hash.hex(),
            recorded_at=recorded_at,
        )

    def attach_tables(self) -> None:
        """Have the embedded engine load all tables, as counts and deletions of rows need them.

        A table that was loaded for a question rejects deletions, and has no parts to be seen.
        """
        if self.serves_others or self._installed.are_attached:
            return
        seen = self.rows("SELECT table FROM system.parts WHERE database = currentDatabase()")
        for table in set(self.tables()) - {row["table"] for row in seen}:
            self.command(f"DETACH TABLE {table}")
            self.command(f"ATTACH TABLE {table}")
        self._installed.are_attached = True

    @property
    def rows_due(self) -> int:
        """Total number of rows when the watermark was written; 0 without a watermark."""
        sql = "SELECT rows FROM watermark ORDER BY size DESC LIMIT 1"
        return int(self.value(sql) or 0)

    @property
    def rows_held(self) -> int:
        """Total number of rows in the tables with positions now; the engine stores this number."""
        return int(self.value(ROWS_HELD) or 0)

    @property
    def is_complete(self) -> bool:
        """Return whether all tables and views exist that existed at the last watermark."""
        with translating():
            return is_complete(self._client)

    def is_intact(self, table: str) -> bool:
        """Return whether the bytes of a table match its checksums."""
        sql = f"CHECK TABLE {table} SETTINGS check_query_single_value_result = 1"
        with translating():
            return self._client.command(sql) == 1

    def tables(self) -> list[str]:
        """Return the tables with rows of their own."""
        sql = (
            "SELECT name FROM system.tables WHERE database = currentDatabase() "
            "AND (engine LIKE '%MergeTree' OR engine = 'TableProxy') ORDER BY name"
        )
        return [row["name"] for row in self.rows(sql)]

    def tables_with_position(self) -> set[str]:
        """Return the tables with rows that have a log position, including those filled by views.

        Empty tables are left out: the cost of a query over all tables grows with their number.
        """
        rows = self.rows(
            "SELECT table FROM system.columns WHERE database = currentDatabase() "
            "AND name = 'position' AND table IN {filled:Array(String)}",
            filled=self.tables_with_rows(),
        )
        return {row["table"] for row in rows}

    def tables_with_rows(self) -> list[str]:
        """Return the tables with rows, the largest first; those that are not loaded are last.

        The latter are those that had rows when the watermark was written.
        """
        rows = self.rows(
            "SELECT name FROM system.tables WHERE database = currentDatabase() "
            "AND (engine LIKE '%MergeTree' AND total_rows > 0 "
            "OR engine = 'TableProxy' AND name IN (SELECT name FROM made)) "
            "ORDER BY total_rows DESC, name"
        )
        return [row["name"] for row in rows]

    def rows_in(self, tables: set[str]) -> int:
        """Count all rows of some tables; the engine stores the number."""
        sql = "SELECT count() FROM merge(currentDatabase(), {tables:String})"
        return int(self.value(sql, tables=any_of(tables))) if tables else 0

    def counted(
        self, tables: set[str], first: int, end: int = POSITION_MAX
    ) -> dict[str, tuple[int, int]]:
        """Count the rows of a range of positions and sum their positions, in one query.

        Args:
            tables: tables with positions.
            first: first position.
            end: position after the last one.

        Returns:
            Number of rows and sum of positions, by table, for tables with such rows.

        """
        if not tables:
            return {}
        rows = self.rows(
            "SELECT _table AS name, count() AS rows, sum(position) AS total "
            "FROM merge(currentDatabase(), {tables:String}) "
            "WHERE position >= {first:Int64} AND position < {end:Int64} GROUP BY name",
            tables=any_of(tables),
            first=first,
            end=end,
        )
        return {row["name"]: (row["rows"], row["total"]) for row in rows}

    def parts(self) -> dict[str, int]:
        """Count the parts of each table that has rows."""
        rows = self.rows(
            "SELECT table, count() AS parts FROM system.parts "
            "WHERE database = currentDatabase() AND active AND rows > 0 GROUP BY table"
        )
        return {row["table"]: row["parts"] for row in rows}

    def merge(self, table: str, *, is_on: bool) -> None:
        """Allow or stop the merges of a table; the embedded engine forgets a stop when it ends.

        Raises:
            AuthorizationError: the user lacks the privilege.

        """
        word = "START" if is_on else "STOP"
        sql = f"SYSTEM {word} MERGES {self.database}.{table}"
        define(self._client, self._cluster, sql)

    def stop_inserts(self) -> None:
        """Cancel all running inserts into this generation, such as those of a killed process."""
        kill = (
            f"KILL QUERY WHERE current_database = '{self.database}' AND query_kind = 'Insert' SYNC"
        )
        define(self._client, self._cluster, kill)

    def new_generation(self) -> Self:
        """Create an empty generation; :meth:`activate` puts it in use."""
        return self._create(self._connect, self._name, self._cluster)

    def back_up(self, disk: str, name: str) -> None:
        """Back up this generation on a server; see :func:`projections.store.backup.back_up`."""
        back_up(self._client, self.database, disk, name)

    def restored_generation(self, disk: str, name: str) -> Self:
        """Create a generation from a backup; it may have rows above its watermark.

        Raises:
            InputError: the SQL of another version created the tables of the backup.
            AvailabilityError, AuthorizationError: ClickHouse did not do it.

        """
        number = 1 + max([self.generation, *generations(self._client, self._name, self._cluster)])
        fresh = type(self)(self._connect, self._name, number, self._cluster)
        restore_tables(self._client, fresh.database, disk, name)
        sql = "SELECT comment FROM system.databases WHERE name = currentDatabase()"
        if fresh.value(sql) != _comment():
            fresh.close()
            self.drop_unused()
            raise InputError(
                f"the backup {name} was made by another version of the SQL: rebuild the tables "
                "with `gameledger rebuild`"
            )
        fresh._complete()  # noqa: SLF001 - its own
        return fresh

    def activate(self) -> None:
        """Put this generation in use, in one step: readers see the old one or this one.

        On a server the views for readers follow one by one; in a data directory they are created on
        demand.
        """
        self.command(
            f"INSERT INTO {self._name}.generation (number, projection_version) "
            "SELECT {number:UInt32}, {version:String}",
            number=self.generation,
            version=PROJECTION_VERSION,
        )
        if self.serves_others:
            self.make_views_for_readers()
        elif led_elsewhere := self.views_for_readers:
            names = ", ".join(f"{self._name}.{view}" for view in led_elsewhere)
            self.command(f"DROP VIEW {names}")

    def make_views_for_readers(self) -> None:
        """Create the views for readers, or redirect existing ones to this generation.

        In a data directory they are created on demand only: our own queries do not use them, and
        each one slows every start of the engine.
        """
        self._make_questions()
        self._define_all(list(reader_views(self._name, self.database)))

    def _make_questions(self) -> None:
        """Create all tables and views, as SQL users may query any of them."""
        if not self.serves_others:
            self.provide(*all_names())
        named = self.rows("SELECT name FROM system.tables WHERE database = currentDatabase()")
        there = {row["name"] for row in named}
        missing = [sql for name, sql in questions_in(self.database).items() if name not in there]
        define_each(self._client, self._cluster, missing)

    @property
    def views_for_readers(self) -> list[str]:
        """Return the existing views for readers."""
        sql = (
            "SELECT name FROM system.tables WHERE database = {registry:String} "
            "AND startsWith(name, {begins:String})"
        )
        return [row["name"] for row in self.rows(sql, registry=self._name, begins=view_name(""))]

    def _define_all(self, statements: Sequence[str]) -> None:
        with closing(self._connect()) as other:
            other.database = self.database
            define_all(self._client, other, self._cluster, statements)

    def drop_unused(self) -> None:
        """Drop every generation except this one and the one in use; never during a rebuild.

        On a shared server, only databases with this program's comment are dropped.
        """
        kept = {in_use(self._client, self._name), self.generation}
        for number in generations(self._client, self._name, self._cluster, ours=True):
            if number not in kept:
                unused = f"DROP DATABASE IF EXISTS {self._name}_{number} SYNC"
                define(self._client, self._cluster, unused)

    def for_readers(self) -> Client:
        """Return a connection for SQL users, to a database without tables of facts.

        The views with parameters are in that database, because the user of a server may not create
        any.
        """
        if not self.serves_others:
            self._make_questions()
        client = self._new_client()
        client.database = self._name
        return client


def _comment() -> str:
    """Return the comment of a database with tables that this version's SQL creates."""
    return f"{OURS}; SQL {PROJECTION_VERSION}"
