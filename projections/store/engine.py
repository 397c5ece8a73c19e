"""The embedded engine, and how it opens tables while Python still imports the program.

What comes in: a folder of tables that will be queried. What goes out: the lock on the folder, and
an engine that has opened it when a connection is needed. chDB's own connection holds the GIL while
it opens tables, which blocks all threads for a quarter of a second; its ADBC driver releases the
GIL. At most one folder at a time is opened in advance, if it is free and unchanged. An error in the
opening thread is raised by the following connection; an error before the thread starts is raised
immediately.
"""

from __future__ import annotations

import signal
import sys
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from importlib import import_module
from threading import Thread, current_thread, main_thread
from typing import TYPE_CHECKING

from ledger.core.errors import InputError
from projections.store import folders

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from typing import Any

    from ledger.storage.writer_lock import WriterLock

__all__ = ["SETTINGS", "connecting", "load", "lock_of", "named", "opening_early"]

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

AHEAD: dict[Path, _EarlyOpening] = {}
"""The folder that is being opened in advance, if there is one."""


class _EarlyOpening:
    """A folder that this process has locked and that the engine opens in a background thread."""

    def __init__(self, folder: Path, lock: WriterLock) -> None:
        import adbc_driver_manager as adbc
        from adbc_driver_chdb import driver_path
        from adbc_driver_chdb.dbapi import ENTRYPOINT

        self.lock = lock
        self._connections = ExitStack()
        options = {"driver": driver_path(), "entrypoint": ENTRYPOINT, "uri": named(folder)}
        options |= {f"chdb.{name}": str(value) for name, value in SETTINGS.items()}
        self._thread = Thread(target=self._open, args=(adbc, options))
        self._thread.start()

    def _open(self, adbc: Any, options: dict[str, str]) -> None:
        with suppress(adbc.Error, UnicodeError):
            database = adbc.AdbcDatabase(**options)
            self._connections.callback(database.close)
            self._connections.callback(adbc.AdbcConnection(database).close)

    @contextmanager
    def opened(self) -> Iterator[None]:
        """Wait until the engine is open, and close it with the other connections."""
        self._thread.join()
        with self._connections:
            yield


@contextmanager
def opening_early(folder: Path) -> Iterator[None]:
    """Open a folder of tables in the background, if it is free and unchanged.

    Raises:
        OSError: the folder cannot be read, or chDB cannot be loaded from the working directory.

    """
    try:
        if (
            not AHEAD
            and _may_be_opened(folder)
            and (lock := folders.lock_folder(folder)) is not None
        ):
            _begin(folder, lock)
        yield
    finally:
        with _uninterrupted():
            _release_unused()


def _may_be_opened(folder: Path) -> bool:
    return MARK not in str(folder.resolve()) and folder.is_dir() and folders.may_write(folder)


def _begin(folder: Path, lock: WriterLock) -> None:
    """Open a folder in a thread if it is unchanged; on failure the lock is released."""
    with ExitStack() as failed:
        failed.callback(lock.release)
        if folders.is_unchanged_since_close(folder):
            with _uninterrupted():
                load()
                AHEAD[folder] = _EarlyOpening(folder, lock)
                failed.pop_all()


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


def lock_of(folder: Path) -> WriterLock | None:
    """Return the lock of a folder that is being opened in advance; the caller must release it.

    Returns None if this folder is not opened in advance.
    """
    return AHEAD[folder].lock if folder in AHEAD else None


@contextmanager
def connecting(folder: Path) -> Iterator[None]:
    """Prepare the engine for a connection to a folder; close others opened in advance."""
    with _uninterrupted():
        load()
    with _uninterrupted() if AHEAD else nullcontext():
        ahead = AHEAD.pop(folder, None)
        _release_unused()
        with nullcontext() if ahead is None else ahead.opened():
            yield


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Defer an interruption to the end of the block.

    A process crashes if it ends while the engine opens tables, or before it has closed them; Python
    3.11 considers a thread finished when the wait for it was interrupted; chDB considers itself not
    installed when its import was.
    """
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


def _release_unused() -> None:
    """Close folders that were opened in advance and not used."""
    for folder in tuple(AHEAD):
        ahead = AHEAD.pop(folder)
        with ahead.opened():
            pass
        folders.record_close(folder)
        ahead.lock.release()


def load() -> None:
    """Import chDB without pyarrow, which it would import if installed.

    No query here uses its Arrow output, and pyarrow with numpy takes as long as all other imports
    of a query. In a thread, the import would change the working directory of all threads for a
    while.
    """
    if "chdb" not in sys.modules and "pyarrow" not in sys.modules:
        sys.modules["pyarrow"] = None  # type: ignore[assignment]
        try:
            import_module("chdb.state")
        finally:
            del sys.modules["pyarrow"]
