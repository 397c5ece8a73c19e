"""``project`` and ``rebuild``, and how every question gets a projection that is up to date."""

from __future__ import annotations

import contextlib
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from projections.projector import Projector
from projections.rebuild import rebuild as rebuild_all
from projections.store import Store
from tools.cli._options import Data, Json  # noqa: TC001 - typer reads the annotations
from tools.cli._output import emit, number, progress, say
from tools.data import DataDirectory

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ledger.log.port import Log
    from projections.projector import Projected

__all__ = ["bring_up_to_date", "project", "rebuild", "up_to_date"]


@contextmanager
def up_to_date(data: Path | DataDirectory) -> Iterator[tuple[Store, Log]]:
    """Open log and projection, and project what is new; tables of an older version anew."""
    directory = data if isinstance(data, DataDirectory) else DataDirectory(data)
    with contextlib.ExitStack() as stack:
        log = directory.read()
        stack.callback(log.close)
        store = stack.enter_context(Store.open(directory.projection()))
        bring_up_to_date(log, store)
        yield store, log


def bring_up_to_date(log: Log, store: Store) -> Projected:
    """Project what is new, or everything when the tables are of another version."""
    size = log.head().size
    if store.is_current and store.position == size:
        return Projector(log, store).catch_up()
    with progress("projecting") as tell:
        if not store.is_current:
            return rebuild_all(log, store, progress=lambda head: tell(head.size, size))
        return Projector(log, store).catch_up(lambda head: tell(head.size, size))


def project(*, data: Data = Path("data"), as_json: Json = False) -> None:
    """Bring the projection up to date with the log.

    Questions such as `balances` do this by themselves.

    Example: `gameledger project`
    """
    _work(data, as_json=as_json, anew=False)


def rebuild(*, data: Data = Path("data"), as_json: Json = False) -> None:
    """Make the projection anew from the log; readers see the old one until it is done.

    Example: `gameledger rebuild`
    """
    _work(data, as_json=as_json, anew=True)


def _work(data: Path, *, as_json: bool, anew: bool) -> None:
    directory = DataDirectory(data)
    with contextlib.ExitStack() as stack:
        log = directory.read()
        stack.callback(log.close)
        store = stack.enter_context(Store.open(directory.projection()))
        began, before = time.monotonic(), 0 if anew else store.position
        if anew:
            size = log.head().size
            tell = stack.enter_context(progress("rebuilding"))
            done = rebuild_all(log, store, progress=lambda head: tell(head.size, size))
        else:
            done = bring_up_to_date(log, store)
    seconds = time.monotonic() - began
    count = done.head.size - before
    if as_json:
        emit({"position": done.head.size, "projected": count, "torn": done.torn})
        return
    say(f"{number(count)} events projected in {seconds:.1f} s; position {done.head.size}.")
    if done.torn:
        say(f"{done.torn} messages at the end begin a decision without completing it.")
