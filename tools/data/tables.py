"""Open the tables of a process that uses the embedded engine.

Input: a data directory. Output: a folder of tables used by this process alone, checked first if
anything changed in it since it was closed. A process that only queries waits briefly for another
that holds the tables of the directory; then, or without write permission, it keeps its own tables
in a cache (``GAMELEDGER_CACHE``, else ``gameledger`` in ``XDG_CACHE_HOME`` or ``~/.cache``).
Copies there are bounded: those that a chain's processes use, and one more for a week.
Rejected: damaged tables, which `gameledger rebuild` creates again. Only files that the engine
created are deleted.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
import time
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from ledger.core.errors import AuthorizationError, AvailabilityError, InputError, IntegrityError
from projections.store import folders
from projections.store.connection import engine_error
from projections.store.tables import Store

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from ledger.storage.writer_lock import WriterLock

__all__ = ["for_questions", "for_rebuilding", "for_writing", "keep_tables_open", "want_views"]

PATIENCE_SECONDS = 10.0
"""How long a process waits for another that holds the tables."""
LOOK_SECONDS = 0.1
CACHES_MAX = 16
"""Processes of one user that may ask at once with tables of their own."""
UNUSED_SECONDS_MAX = 7 * 24 * 3600
"""How long the last unused copy of a chain's tables is kept: the night's work is due each day."""
COPY = re.compile(r"projection-\d+")
PRIVATE = 0o700
KEPT: set[Path] = set()
"""Folders whose tables this process keeps open."""
PART_BYTES_MIN = 2 << 20
"""With less room on the disk the engine creates no part of a table."""
MADE_BY_THE_ENGINE = {"data", "flags", "metadata", "metadata_dropped", "status", "store", "tmp"}


@contextmanager
def for_questions(folder: Path, cache: Path, is_ours: Callable[[Store], bool]) -> Iterator[Store]:
    """Open the tables in a folder, or others in a cache if they can't be used from here.

    Those in the cache are made again if they are damaged, or not ours: of a chain that was in this
    folder before.

    Raises:
        IntegrityError: the tables are damaged.
        AvailabilityError: too many processes query at once, or the cache can't be used.

    """
    _remove_unused(cache.parent.glob("*/projection-*"), seconds_min=UNUSED_SECONDS_MAX)
    with ExitStack() as stack:
        if folder in KEPT:
            yield stack.enter_context(Store.open(folder))
            return
        if folders.may_write(folder):
            lock = _waited_for(folder, patience=_patience_with(folder))
            if lock is not None:
                stack.callback(lock.release)
                yield stack.enter_context(_opened(folder))
                return
        own = _cache_folder(folder, cache, stack)
        _remove_unused(cache.glob("projection-*"))
        if folders.fault_since_close(own):
            _delete(own)
        with _opened(own) as store:
            if is_ours(store):
                yield store
                return
        _delete(own)
        yield stack.enter_context(_opened(own))


@contextmanager
def for_writing(folder: Path) -> Iterator[Store]:
    """Open the tables in a folder for writing.

    Raises:
        IntegrityError: the tables are damaged.
        AuthorizationError: this user may not write there.
        AvailabilityError: another process holds them.

    """
    with _locked(folder), _opened(folder) as store:
        yield store


@contextmanager
def keep_tables_open(folder: Path) -> Iterator[None]:
    """Keep the tables in a folder open, so that the engine starts once for all queries.

    Raises:
        IntegrityError, AuthorizationError, AvailabilityError: as :func:`for_writing`.

    """
    with for_writing(folder):
        KEPT.add(folder)
        try:
            yield
        finally:
            KEPT.discard(folder)


@contextmanager
def for_rebuilding(folder: Path, is_ours: Callable[[Store], bool]) -> Iterator[Store]:
    """Open tables that are to be rebuilt, whatever exists there now.

    Damaged tables, and tables of another chain, are moved aside first. Afterwards damaged tables
    are deleted if the engine created all files of the folder; all others are kept, with a warning.

    Raises:
        AuthorizationError, AvailabilityError: as :func:`for_writing`.

    """
    with _locked(folder):
        aside, is_faulty, is_foreign = None, bool(_fault(folder)), False
        if folders.is_occupied(folder) and not is_faulty:
            with _opened(folder) as store:
                is_foreign = not is_ours(store)
        if is_faulty or is_foreign:
            aside = _set_aside(folder)
        with _opened(folder) as store:
            yield store
        if aside is not None and not is_foreign and _is_of_the_engine(aside):
            _delete(aside)
        elif aside is not None:
            _warn(f"what lay at {folder} is not of this chain's tables and lies at {aside} now")


@contextmanager
def _opened(folder: Path) -> Iterator[Store]:
    """Open undamaged tables, and record how they were closed."""
    _require_room(folder)
    fault = _fault(folder)
    if fault:
        raise _damaged(folder, fault)
    wrong: InputError | None = None
    try:
        with Store.open(folder) as store:
            try:
                yield store
            except InputError as error:  # of what was asked; it is no matter of the tables
                wrong = error
            if _views_request_of(folder).exists() and not store.views_for_readers:
                store.make_views_for_readers()
    except AvailabilityError as error:
        if isinstance(error.__cause__, engine_error()):
            _require_room(folder)
            if fault := folders.fault_of(folder):
                folders.forget(folder)
                raise _damaged(folder, fault) from error
        raise
    folders.record_close(folder)
    if wrong is not None:
        raise wrong


def _require_room(folder: Path) -> None:
    """Refuse to open tables on a full disk, where the engine would truncate what it replaces."""
    place = folder if folder.exists() else folder.parent
    if shutil.disk_usage(place).free < PART_BYTES_MIN:
        raise AvailabilityError(f"no room is left for the tables in {folder}: free some and repeat")


def want_views(folder: Path) -> None:
    """Make the tables in a folder always have the views for readers, for other programs.

    The process that opened the tables creates missing views when it closes them.
    """
    _views_request_of(folder).touch()


def _damaged(folder: Path, fault: str) -> IntegrityError:
    return IntegrityError(
        f"the tables in {folder} are damaged, not the log ({fault}): "
        "make them again with `gameledger rebuild`"
    )


def _fault(folder: Path) -> str:
    """Return what is wrong with a folder, unless it was checked and has been open since.

    Tables whose first creation was interrupted are created now.
    """
    if folder in KEPT:
        return ""
    fault = folders.fault_since_close(folder)
    is_begun = fault == folders.NO_TABLES and not folders.was_closed(folder)
    return "" if is_begun and _is_of_the_engine(folder) else fault


def _views_request_of(folder: Path) -> Path:
    return folder.with_name(f"{folder.name}.views")


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    if folder in KEPT:
        yield
        return
    folder.parent.mkdir(parents=True, exist_ok=True)
    if not folders.may_write(folder):
        raise AuthorizationError(
            f"{folder} can't be written by this user: leave it to a user who can; questions are "
            "answered from tables of your own"
        )
    lock = _waited_for(folder)
    if lock is None:
        raise AvailabilityError(
            f"the tables in {folder} are in use by another process: stop it and repeat"
        )
    try:
        yield
    finally:
        lock.release()


def _patience_with(folder: Path) -> float:
    """Return how long a query waits for tables that another process holds, in seconds.

    A process that has held them longer than any query waits is a service, and keeps them.
    """
    is_kept = time.time() - folders.opened_at(folder) > PATIENCE_SECONDS
    return 0.0 if is_kept else PATIENCE_SECONDS


def _waited_for(folder: Path, *, patience: float = PATIENCE_SECONDS) -> WriterLock | None:
    """Wait briefly for the lock that allows a folder to be opened; None if it is not free."""
    deadline, is_told = time.monotonic() + patience, False
    while (lock := folders.lock_folder(folder)) is None and time.monotonic() < deadline:
        if not is_told:
            _warn(f"another process uses {folder}: waiting for it up to {patience:.0f} s")
            is_told = True
        time.sleep(LOOK_SECONDS)
    return lock


def _cache_folder(folder: Path, cache: Path, stack: ExitStack) -> Path:
    """Find a folder in the cache that no other process uses, and lock it."""
    try:
        cache.mkdir(mode=PRIVATE, parents=True, exist_ok=True)
        for number in range(1, CACHES_MAX + 1):
            own = cache / f"projection-{number}"
            is_new = not own.exists()
            lock = folders.lock_folder(own)
            if lock is not None:
                stack.callback(lock.release)
                if is_new:
                    _warn(f"{folder} can't be used from here: tables of your own are in {own}")
                return own
    except OSError as error:
        raise AvailabilityError(
            f"{folder} can't be used from here, nor the cache {cache} ({error.strerror}): name "
            "a folder of your own with GAMELEDGER_CACHE"
        ) from error
    raise AvailabilityError(f"{CACHES_MAX} processes use {cache}: wait for one of them to end")


def _remove_unused(copies: Iterable[Path], *, seconds_min: float = 0) -> None:
    """Delete copies that no process uses and none has used for some time.

    A copy that this user may not delete is left.
    """
    for copy in copies:
        if not COPY.fullmatch(copy.name) or time.time() - folders.last_used_at(copy) < seconds_min:
            continue
        with suppress(OSError):
            lock = folders.lock_folder(copy) if _is_of_the_engine(copy) else None
            if lock is not None:
                try:
                    folders.forget(copy)
                    _delete(copy)
                finally:
                    lock.release()


def _set_aside(folder: Path) -> Path:
    numbers = (folder.with_name(f"{folder.name}.aside-{number}") for number in range(1, 1000))
    aside = next(path for path in numbers if not path.exists() and not path.is_symlink())
    folders.forget(folder)
    return folder.rename(aside)


def _is_of_the_engine(folder: Path) -> bool:
    """Return whether all names in a folder are those of files that the engine creates."""
    return (
        folder.is_dir()
        and not folder.is_symlink()
        and {path.name for path in folder.iterdir()} <= MADE_BY_THE_ENGINE
    )


def _delete(folder: Path) -> None:
    """Delete a folder, even without write permission on its content."""
    for place, names, _ in os.walk(folder):
        for name in names:
            path = Path(place) / name
            if not path.is_symlink():
                path.chmod(PRIVATE)
    shutil.rmtree(folder)


def _warn(text: str) -> None:
    print(f"gameledger: {text}", file=sys.stderr)
