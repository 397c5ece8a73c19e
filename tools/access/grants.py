"""Grants of a ClickHouse server: a user for the service that can only read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tools.access.sql_gateway import LIMITS

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["grants"]


def grants(database: str, user: str) -> Iterator[str]:
    """Return the SQL statements, which an administrator of the server runs.

    The user may read the views and the databases of the tables, whose number changes with each
    rebuild; the limits of the SQL gateway are a profile that the user can't change.
    """
    limits = ", ".join(
        f"{name} = {f'{value!r}' if isinstance(value, str) else value} CONST"
        for name, value in LIMITS.items()
        if name != "readonly"
    )
    yield f"CREATE SETTINGS PROFILE IF NOT EXISTS {user}_limits SETTINGS {limits}, readonly = 2"
    yield (
        f"CREATE USER IF NOT EXISTS {user} IDENTIFIED WITH sha256_password BY 'CHANGE ME' "
        f"SETTINGS PROFILE '{user}_limits'"
    )
    yield f"GRANT SELECT ON {database}.* TO {user}"
    yield f"GRANT SELECT ON {database}_*.* TO {user}"
