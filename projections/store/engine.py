"""The engine in the process, and how it opens tables while Python still imports the program.

What comes in: a folder of tables that somebody will ask. What goes out: the right to it, and an
engine that has opened it when a connection is wanted. The connection of chDB keeps Python's lock
while it opens tables, a quarter of a second in which nothing else goes on; its ADBC driver lets
go of it. One folder at a time is opened ahead, if it is free and as it was left. What goes wrong
in the thread is told by the connection that follows, and what goes wrong before it is raised.
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

    from ledger.core.writer_lock import WriterLock

__all__ = ["connecting", "load", "named", "opening_ahead", "right_to"]

MARK = "?"
"""Behind it the engine reads settings."""

AHEAD: dict[Path, _Ahead] = {}
"""The folder that is opened ahead, if one is."""


class _Ahead:
    """A folder that this process holds, and that the engine opens in a thread."""

    def __init__(self, folder: Path, lock: WriterLock) -> None:
        import adbc_driver_manager as adbc
        from adbc_driver_chdb import driver_path
        from adbc_driver_chdb.dbapi import ENTRYPOINT

        self.lock = lock
        self._connections = ExitStack()
        options = {"driver": driver_path(), "entrypoint": ENTRYPOINT, "uri": named(folder)}
        self._thread = Thread(target=self._open, args=(adbc, options))
        self._thread.start()

    def _open(self, adbc: Any, options: dict[str, str]) -> None:
        with suppress(adbc.Error, UnicodeError):
            database = adbc.AdbcDatabase(**options)
            self._connections.callback(database.close)
            self._connections.callback(adbc.AdbcConnection(database).close)

    @contextmanager
    def opened(self) -> Iterator[None]:
        """Wait until the engine is there, and let it end with the connections of others."""
        self._thread.join()
        with self._connections:
            yield


@contextmanager
def opening_ahead(folder: Path) -> Iterator[None]:
    """Let the engine open a folder of tables meanwhile, if nobody uses it and it is as it was left.

    Raises:
        OSError: the folder can't be looked at, or chDB not be read from the working directory.

    """
    try:
        if not AHEAD and _may_be_opened(folder) and (lock := folders.held(folder)) is not None:
            _begin(folder, lock)
        yield
    finally:
        with _uninterrupted():
            _let_go()


def _may_be_opened(folder: Path) -> bool:
    return MARK not in str(folder.absolute()) and folder.is_dir() and folders.may_write(folder)


def _begin(folder: Path, lock: WriterLock) -> None:
    """Open a folder in a thread if it is as it was left; the lock is let go of if that fails."""
    with ExitStack() as failed:
        failed.callback(lock.release)
        if folders.is_as_left(folder):
            with _uninterrupted():
                load()
                AHEAD[folder] = _Ahead(folder, lock)
                failed.pop_all()


def named(folder: Path) -> str:
    """Name a folder so that the engine takes all of the name for a path.

    Raises:
        InputError: it would not.

    """
    name = str(folder.absolute())
    if MARK in name:
        raise InputError(
            f"there can be no tables in {folder}: the engine in the process takes what follows "
            f"{MARK} for settings. Name a directory without it"
        )
    return name


def right_to(folder: Path) -> WriterLock | None:
    """Return the right to a folder that is opened ahead; its release is the caller's now."""
    return AHEAD[folder].lock if folder in AHEAD else None


@contextmanager
def connecting(folder: Path) -> Iterator[None]:
    """Have the engine ready for a connection to a folder, and nothing opened ahead afterwards."""
    with _uninterrupted():
        load()
    with _uninterrupted() if AHEAD else nullcontext():
        ahead = AHEAD.pop(folder, None)
        _let_go()
        with nullcontext() if ahead is None else ahead.opened():
            yield


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Let an interruption wait until the end of the block.

    A process crashes if it ends while the engine opens tables, or before it has closed them;
    Python 3.11 takes a thread for ended when the wait for it was interrupted; and chDB takes itself
    for not installed when its import was.
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


def _let_go() -> None:
    """Leave what was opened ahead, and nobody connected to."""
    for folder in tuple(AHEAD):
        ahead = AHEAD.pop(folder)
        with ahead.opened():
            pass
        folders.note_left(folder)
        ahead.lock.release()


def load() -> None:
    """Import chDB without pyarrow, which it reads if it can: nothing here asks it for Arrow.

    With numpy behind it, pyarrow takes as long as all the rest of a question's imports. In a thread
    it would change the working directory of the others for a while.
    """
    if "chdb" not in sys.modules and "pyarrow" not in sys.modules:
        sys.modules["pyarrow"] = None  # type: ignore[assignment]
        try:
            import_module("chdb.state")
        finally:
            del sys.modules["pyarrow"]
