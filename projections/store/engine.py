"""The embedded engine: how it is loaded, set and named a folder."""

from __future__ import annotations

import os
import signal
import sys
from contextlib import contextmanager
from importlib import import_module
from threading import current_thread, main_thread
from typing import TYPE_CHECKING

from ledger.core.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from clickhouse_connect.driver.client import Client

__all__ = ["SETTINGS", "insert_avro", "load", "named"]

MARK = "?"
"""Separates the engine's settings from the path."""

SETTINGS = {
    "background_processing_pool_thread_sleep_seconds_if_nothing_to_do": 1,
    "background_streaming_processing_pool_thread_sleep_seconds_if_nothing_to_do": 600,
}
"""How long the engine waits at first until it looks again at a table without work.

It looks at every table on its own, by default up to ten times a second: 150 tables without any
query cost 4 % of a core. A mutation may wait for the next look, such as when rows of a killed
process are deleted. Nothing here streams.
"""


def named(folder: Path) -> str:
    """Return the name of a folder in a form that the engine accepts as a path.

    Raises:
        InputError: there is no such form.

    """
    name = str(folder.resolve())
    if MARK in name:
        raise InputError(
            f"there can be no tables in {folder}: the engine in the process takes what follows "
            f"{MARK} for settings. Name a directory without it"
        )
    return name


def load() -> None:
    """Import chDB without pyarrow, which it would import if installed.

    No query here uses its Arrow output, and pyarrow with numpy takes as long as all other imports
    of a query. In a thread, the import would change the working directory of all threads for a
    while.
    """
    if "chdb" not in sys.modules and "pyarrow" not in sys.modules:
        sys.modules["pyarrow"] = None  # type: ignore[assignment]
        try:
            with _uninterrupted():
                import_module("chdb.state")
        finally:
            del sys.modules["pyarrow"]


def insert_avro(client: Client, table: str, container: bytes) -> None:
    """Insert the rows of an Avro container file, which the engine reads from memory.

    Its client would write a temporary file, which a killed process leaves.
    """
    with os.fdopen(os.memfd_create("gameledger-rows"), "wb") as rows:
        rows.write(container)
        rows.flush()
        place = f"/proc/self/fd/{rows.fileno()}"
        client.command(f"INSERT INTO {table} FROM INFILE '{place}' FORMAT Avro")


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Defer an interruption to the end of the block: chDB considers its import as failed then."""
    if current_thread() is not main_thread():  # only the main thread is interrupted
        yield
        return
    came: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: came.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        if came:
            signal.raise_signal(signal.SIGINT)
