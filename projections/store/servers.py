"""Several servers with the same tables, each filled by a projector of its own.

What comes in: the servers. What goes out: the tables of the one with the highest watermark, and a
comparison of all rows that several of them must have. The servers share nothing, so that a fault
of one can neither stop the others nor reach their tables.
"""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING, NamedTuple

from ledger.core.errors import AvailabilityError, InputError, LedgerError
from projections.store.tables import POSITION_MAX, Store

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ledger.core.message import Head
    from projections.store.clickhouse import ClickHouseServer

__all__ = ["TableDigest", "compare", "digests_of", "open_newest"]


class TableDigest(NamedTuple):
    """Number of rows of a table, and a digest of them that does not depend on their order."""

    rows: int
    digest: int


def open_newest(servers: Sequence[ClickHouseServer]) -> Store:
    """Open the tables with the highest watermark; servers that do not answer are left out.

    Raises:
        InputError, AvailabilityError, AuthorizationError: that of the first server, if none
            answers.

    """
    errors: list[LedgerError] = []
    with ExitStack() as opened:
        found: list[tuple[int, Store]] = []
        for server in servers:
            try:
                store = opened.enter_context(Store.open(server, creating=False))
                found.append((store.position, store))
            except (AvailabilityError, InputError) as error:
                errors.append(error)
        if not found:
            raise errors[0]
        newest = max(found, key=lambda one: one[0])[1]
        opened.pop_all()
        for _, store in found:
            if store is not newest:
                store.close()
        return newest


def digests_of(store: Store, size: int = POSITION_MAX) -> dict[str, TableDigest]:
    """Compute the digest of the rows of the first ``size`` messages in each table that has any.

    Hashes are compared as hexadecimal digits, because text drops their trailing zero bytes. Every
    row is read.

    Raises:
        AvailabilityError, AuthorizationError: as :meth:`projections.store.queries.Queries.rows`.

    """
    tables: dict[str, list[str]] = {}
    filled = store.tables_with_position()
    for row in store.rows(
        "SELECT table, name, type FROM system.columns WHERE database = currentDatabase() "
        "ORDER BY table, position"
    ):
        if row["table"] in filled:
            is_hash = row["type"].startswith("FixedString")
            column = f"hex(`{row['name']}`)" if is_hash else f"`{row['name']}`"
            tables.setdefault(row["table"], []).append(column)
    sql = " UNION ALL ".join(
        f"SELECT '{name}' AS digest_of, count() AS digest_rows, "  # noqa: S608 - own names
        f"sum(sipHash64({', '.join(columns)})) AS digest_sum FROM {name} "
        "WHERE position < {size:Int64}"
        for name, columns in tables.items()
    )
    return {
        row["digest_of"]: TableDigest(row["digest_rows"], row["digest_sum"])
        for row in (store.rows(sql, size=size) if sql else ())
        if row["digest_rows"]
    }


def compare(servers: Sequence[ClickHouseServer]) -> tuple[Head, list[dict[str, TableDigest]]]:
    """Compute the digests of the tables on each server, up to the lowest watermark.

    Returns:
        That watermark, and the digests for each server by table.

    Raises:
        InputError: a server has no tables, or the SQL of another version created them.
        AvailabilityError, AuthorizationError: a server did not answer.

    """
    with ExitStack() as opened:
        stores = [opened.enter_context(Store.open(one, creating=False)) for one in servers]
        for server, store in zip(servers, stores, strict=True):
            if not store.is_current:
                raise InputError(
                    f"the tables at {server} were made by another version of the SQL: rebuild them"
                )
        head = min((store.head for store in stores), key=lambda one: one.size)
        return head, [digests_of(store, head.size) for store in stores]
