"""Queries over the tables of a chain, with the objects that each query needs.

SQL refers to tables without a database and means the generation in use. Guaranteed: a query whose
generation was replaced meanwhile is run again on the new one.
"""

from __future__ import annotations

import time
from contextlib import ExitStack, contextmanager
from copy import copy
from functools import partial
from typing import TYPE_CHECKING, Any, Self, TypeVar

from ledger.core.errors import IntegrityError
from projections.store.connection import engine_error, is_gone, translating, whole_lines
from projections.store.definitions import filled_by, inlined, named_in
from projections.store.generations import in_use
from projections.store.installed_tables import InstalledTables, command

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from contextlib import AbstractContextManager
    from types import TracebackType

    from clickhouse_connect.driver.client import Client
    from clickhouse_connect.driver.query import QueryResult
    from pyarrow import RecordBatch

    from ledger.log.port import ReadableLog
    from projections.store.connection import Connector

__all__ = ["Queries"]

CREATED_SECONDS = 0.1
"""How long a table that gets its first row may be missing on a server."""
SMALL = 200_000
"""Number of messages up to which planning a query takes longer than reading its rows."""
OF_SMALL = {"max_threads": 1, "query_plan_enable_optimizations": 0}
"""Settings of the embedded engine for a small chain: a better plan takes longer to make."""
OF_LARGE = {"max_threads": 0, "query_plan_enable_optimizations": 1}
"""Its own settings: as many threads as there are cores."""

_Answer = TypeVar("_Answer")


class Queries:
    """A connection that queries the tables of one chain; one for each worker thread.

    ``database`` is the generation to which unqualified names refer; ``log`` is the source of the
    tables, if it is available and fast to read, otherwise None.
    """

    log: ReadableLog | None = None

    def __init__(
        self,
        connect: Connector,
        name: str,
        generation: int,
        cluster: str = "",
        installed: InstalledTables | None = None,
    ) -> None:
        """Store a connector, the number of a generation (0 for none), and its known objects.

        Use :meth:`projections.store.tables.Store.open` instead.
        """
        self._connect = connect
        self._name = name
        self._cluster = cluster
        self._client = connect()
        self._unused: list[Client] | None = []
        self._original: Self | None = None
        self.generation = generation
        if generation:
            self._client.database = self.database
        self._installed = installed or self._none_installed()
        self._settings: dict[str, Any] = {}
        self._answers: dict[tuple[str, str], Any] | None = None

    @property
    def database(self) -> str:
        """Database to which unqualified names refer."""
        return f"{self._name}_{self.generation}"

    def rows(self, sql: str, **parameters: Any) -> list[dict[str, Any]]:
        """Run a query whose result fits in memory.

        Args:
            sql: with parameters as ``{name:Type}``.
            parameters: by name; values never become part of the text.

        Returns:
            One dictionary per row. ``FixedString`` is returned as bytes.

        Raises:
            AvailabilityError: ClickHouse rejected it or is unavailable.
            AuthorizationError: the user lacks the privilege.
        """

        def ask() -> QueryResult:
            return self._client.query(inlined(sql), parameters=parameters or None)

        return list(self._follow(ask, sql).named_results())

    def value(self, sql: str, **parameters: Any) -> Any:
        """Return the first column of the first row; None if there is no row.

        Raises:
            AvailabilityError, AuthorizationError: as :meth:`rows`.
        """
        if self._answers is None:
            return self._first_value(sql, parameters)
        question = sql, repr(parameters)
        if question not in self._answers:
            self._answers[question] = self._first_value(sql, parameters)
        return self._answers[question]

    def _first_value(self, sql: str, parameters: dict[str, Any]) -> Any:
        return next((value for row in self.rows(sql, **parameters) for value in row.values()), None)

    @contextmanager
    def repeatable(self) -> Iterator[None]:
        """Cache results of :meth:`value` within the block, so that repeated queries agree."""
        before = self._answers
        self._answers = {} if before is None else before
        try:
            yield
        finally:
            self._answers = before

    def stream(self, sql: str, **parameters: Any) -> Iterator[dict[str, Any]]:
        """Run a query with a result of any size, row by row, over a separate connection.

        A query on a connection with an open stream would silently return nothing; hence the second
        connection. It is used again after the last row, and closed if the iterator ends before.

        Raises:
            AvailabilityError, AuthorizationError: as :meth:`rows`, while iterating too.
        """
        with self._streaming(
            lambda client, *asked: client.query_row_block_stream(*asked), sql, parameters
        ) as blocks:
            names = blocks.source.column_names
            for block in blocks:
                for row in block:
                    yield dict(zip(names, row, strict=True))

    def blocks(self, sql: str, **parameters: Any) -> Iterator[Sequence[Sequence[Any]]]:
        """Run a query with a result of any size, block by block: the values of each column.

        Raises:
            AvailabilityError, AuthorizationError: as :meth:`stream`.
        """
        with self._streaming(
            lambda client, *asked: client.query_column_block_stream(*asked), sql, parameters
        ) as blocks:
            yield from blocks

    def written(self, sql: str, form: str, **parameters: Any) -> Iterator[bytes]:
        """Run a query with a result of any size in a line-based format, as pieces of whole lines.

        ``form`` is the name of a format of ClickHouse.

        Raises:
            AvailabilityError, AuthorizationError: as :meth:`stream`.

        """
        with self._streaming(
            lambda client, *asked: client.raw_stream(*asked, fmt=form), sql, parameters
        ) as stream:
            yield from whole_lines(stream)

    def batches(self, sql: str, **parameters: Any) -> Iterator[RecordBatch]:
        """Run a query with a result of any size in batches of Arrow.

        Raises:
            AvailabilityError, AuthorizationError: as :meth:`stream`.
        """
        from projections.store.arrow import batches

        with self._streaming(batches, sql, parameters) as found:
            yield from found

    @contextmanager
    def _streaming(
        self,
        ask: Callable[[Client, str, dict[str, Any] | None], AbstractContextManager[Any]],
        sql: str,
        parameters: dict[str, Any],
    ) -> Iterator[Any]:
        opened, client = ExitStack(), self._new_client()

        def asked() -> Any:
            client.database = self.database
            return opened.enter_context(ask(client, inlined(sql), parameters or None))

        try:
            with translating(), opened:
                yield self._follow(asked, sql)
        except BaseException:
            client.close()
            raise
        self._take_back(client, self._settings)

    def command(self, sql: str, **parameters: Any) -> None:
        """Run a statement without result.

        Raises:
            AvailabilityError, AuthorizationError: as :meth:`rows`.
        """
        self.provide(*(filled_by(sql) if self.serves_others else named_in(sql)))
        command(self._client, sql, parameters)

    def provide(self, *names: str) -> None:
        """Create missing tables, with all their dependencies.

        Raises:
            IntegrityError: one of them existed when the watermark was written, and is lost.
            AvailabilityError: ClickHouse rejected it.

        """
        with translating():
            self._installed.provide(self._client, names)

    def refresh(self) -> None:
        """Switch to the generation that is in use now."""
        before = self.generation
        self.generation = in_use(self._client, self._name)
        if self.generation != before:
            self._client.database = self.database
            self._installed = self._none_installed()

    def _none_installed(self) -> InstalledTables:
        return InstalledTables(is_server=self.serves_others, cluster=self._cluster)

    @property
    def serves_others(self) -> bool:
        """Whether other processes can use these tables at the same time (a server)."""
        return self._connect.serves_others

    @property
    def elsewhere(self) -> Callable[[], Self]:
        """Return a function that opens the same tables in this or another process."""
        return partial(type(self), self._connect, self._name, self.generation, self._cluster)

    def clone(self, **settings: int) -> Self:
        """Open the same tables over another connection.

        Its queries have these settings of ClickHouse beside those of this connection.
        """
        other, client = copy(self), self._new_client()
        _set(client, settings)
        settings = self._settings | settings
        client.database = self._client.database
        vars(other).update(
            _original=self, _unused=[], _answers=None, _settings=settings, _client=client
        )
        return other

    def plan_for(self, size: int) -> None:
        """Let the embedded engine plan further queries for a chain with this number of messages."""
        settings = OF_SMALL if size <= SMALL else OF_LARGE
        if not self.serves_others and not settings.items() <= self._settings.items():
            self._settings = self._settings | settings
            _set(self._client, settings)

    def mark(self, text: str) -> None:
        """Tag all queries of this connection, and of those cloned from it, for :meth:`kill`."""
        self._settings["log_comment"] = text
        _set(self._client, self._settings)

    def kill(self, mark: str) -> None:
        """Cancel the queries with a tag; on a cluster only on the connected replica.

        Raises:
            AvailabilityError, AuthorizationError: as :meth:`rows`.

        """
        sql = "KILL QUERY WHERE Settings['log_comment'] = {mark:String} ASYNC"
        with translating():
            self._client.command(sql, parameters={"mark": mark})

    def _new_client(self) -> Client:
        """Return another connection with the settings of this one, one that is unused if any."""
        client = self._unused.pop() if self._unused else self._connect()
        _set(client, self._settings)
        return client

    def _take_back(self, client: Client, settings: dict[str, Any]) -> None:
        """Keep a connection for the next that needs one, because opening it takes 40 ms.

        One with other settings than this one is closed.
        """
        if self._unused is None or settings != self._settings:
            client.close()
        else:
            self._unused.append(client)

    def close(self) -> None:
        """Close the connection, which a clone gives back; closing twice is allowed."""
        unused, self._unused, original = self._unused, None, self._original
        for client in unused or ():
            client.close()
        if unused is not None and original is not None:
            original._take_back(self._client, self._settings)  # noqa: SLF001 - of its own kind
        else:
            self._client.close()

    def __enter__(self) -> Self:
        """Close at the end of the block."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close."""
        self.close()

    def _follow(self, ask: Callable[[], _Answer], sql: str) -> _Answer:
        """Run a query with the objects it needs; retry if the generation was replaced meanwhile."""

        def asked() -> _Answer:
            if not self.serves_others:  # there views stand for tables without rows
                self._installed.provide(self._client, named_in(sql))
            return ask()

        with translating():
            try:
                return asked()
            except (engine_error(), IntegrityError) as error:
                before, is_missing = self.generation, isinstance(error, IntegrityError)
                if not isinstance(error, IntegrityError):
                    is_missing = is_gone(error)
                if is_missing:
                    self.refresh()
                if self.generation == before:
                    if not (is_missing and self.serves_others):
                        raise
                    time.sleep(CREATED_SECONDS)
            return asked()


def _set(client: Client, settings: dict[str, Any]) -> None:
    for name, value in settings.items():
        client.set_client_setting(name, value)
