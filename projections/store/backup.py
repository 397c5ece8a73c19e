"""Backups of a generation on a server by ClickHouse, with the watermark that its rows reach.

What comes in: a generation, and a disk of the server that is allowed for backups. What goes out: a
backup of the watermark, made first, and one of all tables with rows and the views that fill them.
So a projector need not stop: rows above the watermark are deleted after the restore, as after a
crash. Views are not in the backup, because they name their database.
"""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING

from ledger.core.errors import AvailabilityError, InputError
from projections.store.connection import translating

if TYPE_CHECKING:
    from clickhouse_connect.driver.client import Client

__all__ = ["back_up", "restore_tables"]

NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
RUNNING = {"CREATING_BACKUP", "RESTORING"}
LOOK_SECONDS = 0.5
HEAD, TABLES = "head", "tables"


def back_up(client: Client, database: str, disk: str, name: str) -> None:
    """Back up a generation.

    Args:
        client: a connection to the generation.
        database: of the generation.
        disk: disk of the server, allowed by its setting ``backups.allowed_disk``.
        name: folder on it, which must not exist.

    Raises:
        InputError: the name of disk or folder is invalid.
        AvailabilityError, AuthorizationError: ClickHouse did not do it.

    """
    head, tables = _places(disk, name)
    left_out = (
        "SELECT name FROM system.tables WHERE database = {database:String} "
        "AND (engine = 'View' OR name IN ('watermark', 'made')) ORDER BY name"
    )
    with translating():
        rows = client.query(left_out, parameters={"database": database}).result_rows
    _finish(client, f"BACKUP TABLE {database}.watermark AS backup.watermark TO {head}")
    names = ", ".join(name for (name,) in rows)
    _finish(client, f"BACKUP DATABASE {database} AS backup EXCEPT TABLES {names} TO {tables}")


def restore_tables(client: Client, database: str, disk: str, name: str) -> None:
    """Restore a generation, without its views, as a database that does not exist.

    Raises:
        InputError, AvailabilityError, AuthorizationError: as :func:`back_up`.

    """
    head, tables = _places(disk, name)
    _finish(client, f"RESTORE DATABASE backup AS {database} FROM {tables}")
    _finish(client, f"RESTORE TABLE backup.watermark AS {database}.watermark FROM {head}")


def _places(disk: str, name: str) -> tuple[str, str]:
    for text in (disk, name):
        if not NAME.fullmatch(text):
            raise InputError(
                f"{text!r} can't name a disk or a backup: use letters, digits, _ and -"
            )
    return f"Disk('{disk}', '{name}/{HEAD}')", f"Disk('{disk}', '{name}/{TABLES}')"


def _finish(client: Client, statement: str) -> None:
    """Run a statement in the background of the server, and wait for its end."""
    with translating():
        answer = client.command(f"{statement} ASYNC")
        number = str(answer[0] if isinstance(answer, (list, tuple)) else answer).split("\t")[0]
        while True:
            ((status, error),) = client.query(
                "SELECT status, error FROM system.backups WHERE id = {id:String}",
                parameters={"id": number},
            ).result_rows
            if status not in RUNNING:
                break
            time.sleep(LOOK_SECONDS)
    if error:
        raise AvailabilityError(f"ClickHouse did not do it: {error}")
