"""The generations of a chain's tables: which databases exist, and which one is in use.

What comes in: a connection and the name of the registry database. What goes out: numbers of
generations. Nothing is written here; ``projections.store.tables`` creates, activates and drops
generations.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from projections.store.connection import translating

if TYPE_CHECKING:
    from clickhouse_connect.driver.client import Client

__all__ = ["OURS", "generations", "in_use", "unfinished"]

OURS = "a generation of gameledger, deleted when another is in use"
"""Comment of a database that may be dropped."""


def generations(client: Client, name: str, cluster: str, *, ours: bool = False) -> list[int]:
    """Return the numbers of the existing generations; with ``ours`` only those created here.

    The numbers of all replicas are combined, because a statement may have reached only some of
    them.
    """
    databases = "system.databases"
    if cluster:
        databases = f"clusterAllReplicas(`{cluster}`, {databases})"
    with translating():
        result = client.query(f"SELECT DISTINCT name, comment FROM {databases}")  # noqa: S608 - own names
    found = (
        re.fullmatch(rf"{name}_(\d{{1,9}})", database)
        for database, comment in result.result_rows
        if not ours or comment.startswith(OURS)
    )
    return sorted(int(match[1]) for match in found if match)


def unfinished(client: Client, name: str, comment: str) -> int:
    """Return the number of a generation whose creation was interrupted; 0 if there is none.

    It has no notes of its tables, which are written when all exist, and no rows.

    Args:
        client: a connection.
        name: of the registry database.
        comment: of its database, which names the SQL that its tables are made by.

    """
    with translating():
        newest = client.query(
            "SELECT max(toUInt32(substring(name, {length:UInt32}))) FROM system.databases "
            "WHERE match(name, {pattern:String}) AND comment = {comment:String}",
            parameters={
                "length": len(name) + 2,
                "pattern": f"^{name}_[0-9]{{1,9}}$",
                "comment": comment,
            },
        )
        number = int(newest.result_rows[0][0])
        if not number:
            return 0
        rows = client.query(
            "SELECT sum(total_rows) FROM system.tables WHERE database = {database:String}",
            parameters={"database": f"{name}_{number}"},
        )
    return 0 if rows.result_rows[0][0] else number


def in_use(client: Client, name: str) -> int:
    """Return the number of the generation in use; 0 if there is none."""
    with translating():
        table = client.query(
            "SELECT count() FROM system.tables WHERE database = {name:String} "
            "AND name = 'generation'",
            parameters={"name": name},
        )
        if not table.result_rows[0][0]:
            return 0
        newest = client.query(f"SELECT max(number) FROM {name}.generation")  # noqa: S608 - own name
        return int(newest.result_rows[0][0])
