"""``project`` and ``rebuild``, and how every question gets a projection that is up to date."""

from __future__ import annotations

import contextlib
import sys
import time
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from msgspec import UNSET, UnsetType

from ledger.core.errors import InputError
from projections.store.projector import Projector, check_continues
from projections.store.rebuild import is_due, is_of
from projections.store.rebuild import rebuild as rebuild_all
from tools.cli._answering import emits
from tools.cli._options import (
    DATA,
    Data,
    HealthPort,
    Json,
)
from tools.cli._output import echo, emit, number, progress
from tools.cli._stop import stop_on_signals
from tools.data import DataDirectory

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ledger.log.port import Log
    from projections.store.projector import Projected
    from projections.store.tables import Store
    from tools.data.projector_metrics import ProjectorMetrics

__all__ = ["ProjectedTables", "bring_up_to_date", "project", "rebuild", "up_to_date"]

FOLLOW_SECONDS = 1.0
GATHER_SECONDS = 2.0
"""How long a follower gathers messages for a server, whose tables get parts with each step."""
BEHIND_SECONDS = 5.0
"""How long a question waits for the process that writes the tables on a server."""
LOOK_SECONDS = 0.1


@contextmanager
def up_to_date(data: DataDirectory) -> Iterator[tuple[Store, Log]]:
    """Open log and projection, and project what is new; rebuild tables of an older version.

    Tables on a server have one process that writes them (``project --follow``); here it is only
    waited for, for a moment. Of several servers the one with the highest watermark is queried.

    Raises:
        InputError: the server has no projection yet.

    """
    from projections.store.servers import open_newest
    from tools.data import tables

    with contextlib.ExitStack() as stack:
        log = stack.enter_context(contextlib.closing(data.read()))
        place = data.tables_to_read()
        if isinstance(place, Path):
            questions = tables.for_questions(place, data.cache, partial(is_of, log))
            store = stack.enter_context(questions)
            if not _is_up_to_date(log, store):
                bring_up_to_date(log, store, data.read)
            store.log = data.at_hand(log)
        else:
            store = stack.enter_context(open_newest(place))
            _wait_for_projector(log, store)
        yield store, log


def _is_up_to_date(log: Log, store: Store) -> bool:
    """Return whether sound tables hold the whole log; then none of their rows is counted again."""
    head = store.head
    if head.size != log.head().size or not store.is_current or not is_of(log, store):
        return False
    check_continues(log, head)
    return True


def _wait_for_projector(log: Log, store: Store) -> None:
    size, deadline = log.head().size, time.monotonic() + BEHIND_SECONDS
    while (position := store.position) < size and time.monotonic() < deadline:
        time.sleep(LOOK_SECONDS)
    if position < size:
        print(
            f"gameledger: the tables are {size - position} messages behind the log; is "
            "`gameledger project --follow` running?",
            file=sys.stderr,
        )


def bring_up_to_date(log: Log, store: Store, opened: Callable[[], Log] | None = None) -> Projected:
    """Project what is new, or all of it where the tables are of another version, or hold nothing.

    Args:
        log: what is projected.
        store: its tables.
        opened: opens the log in other processes.
    """
    size = log.head().size
    if not is_of(log, store):
        raise InputError(
            "the tables are those of another chain: name another directory, or rebuild them "
            "with `gameledger rebuild`"
        )
    if store.is_current and store.position == size:
        return Projector(log, store).catch_up()
    with progress("projecting") as advance:
        if is_due(log, store):
            return rebuild_all(
                log, store, opened=opened, progress=lambda head: advance(head.size, size)
            )
        return Projector(log, store).catch_up(lambda head: advance(head.size, size))


@dataclass(frozen=True, slots=True)
class ProjectedTables:
    """How far the tables are; with ``--follow`` one such document each time.

    ``parts`` is the number of parts of the table that has most of them.
    """

    position: int
    projected: int
    torn: int | UnsetType = UNSET
    parts: int | UnsetType = UNSET


@emits(ProjectedTables, is_line=True)
def project(
    *,
    follow: Annotated[
        bool,
        typer.Option(
            "--follow", envvar="GAMELEDGER_FOLLOW", help="Go on with the log until SIGTERM."
        ),
    ] = False,
    health: HealthPort = None,
    backup: Annotated[
        Path | None,
        typer.Option(
            envvar="GAMELEDGER_BACKUP",
            metavar="DIR",
            help="Copy of the log that `log copy` keeps, whose age is measured.",
        ),
    ] = None,
    views: Annotated[
        bool,
        typer.Option(
            "--views",
            help="Keep the views of docs/sql.md in the data directory, too, for other programs "
            "with chDB; a server has them always.",
        ),
    ] = False,
    data: Data = DATA,
    as_json: Json = False,
) -> None:
    """Bring the projection up to date with the log.

    Questions such as `balances` do this by themselves; with the tables on a server, let one
    process `--follow` instead.

    Example: `gameledger project`
    """
    watched = (health, backup)
    _work(
        data, as_json=as_json, from_scratch=False, follow=follow, with_views=views, watched=watched
    )


@emits(ProjectedTables)
def rebuild(*, data: Data = DATA, as_json: Json = False) -> None:
    """Rebuild the projection from the log; readers see the old one until it is done.

    Example: `gameledger rebuild`
    """
    _work(data, as_json=as_json, from_scratch=True)


def _work(
    data: DataDirectory,
    *,
    as_json: bool,
    from_scratch: bool,
    follow: bool = False,
    with_views: bool = False,
    watched: tuple[str | None, Path | None] = (None, None),
) -> None:
    from tools.data import tables
    from tools.data.projector_metrics import ProjectorMetrics
    from tools.service.health import ProcessHealth, health_port

    with contextlib.ExitStack() as stack:
        log = stack.enter_context(contextlib.closing(data.read()))
        stack.enter_context(data.projecting())
        store = stack.enter_context(_to_write(data, log, from_scratch=from_scratch))
        if with_views and isinstance(folder := data.projection(), Path):
            tables.want_views(folder)
        began, before = time.monotonic(), 0 if from_scratch else store.position
        if from_scratch:
            size = log.head().size
            advance = stack.enter_context(progress("rebuilding"))
            done = rebuild_all(
                log, store, opened=data.read, progress=lambda head: advance(head.size, size)
            )
        else:
            done = bring_up_to_date(log, store, data.read)
        if follow:
            if as_json:
                _print_projected(done, before)
            port, backup = watched
            metrics = ProjectorMetrics(data.chain_name(), data.path, backup)
            health = ProcessHealth("project", metrics.registry, data.path, data.certificates)
            stack.enter_context(health_port(port, health, data.hosts))
            health.enter("following", ready=True)
            done = _follow(log, store, done, metrics, as_json=as_json)
        most, parts = max(store.parts().items(), key=lambda one: one[1], default=("", 0))
    seconds = time.monotonic() - began
    count = done.head.size - before
    if as_json:
        emit(ProjectedTables(done.head.size, count, done.torn, parts))
        return
    echo(f"{number(count)} events projected in {seconds:.1f} s; position {done.head.size}.")
    echo(f"The table with most parts is {most or 'none'}: {number(parts)}.")
    if with_views:
        echo("The views of docs/sql.md are made, and rebuilds keep them.")
    if done.torn:
        echo(f"{done.torn} messages at the end begin a decision without completing it.")


def _to_write(
    directory: DataDirectory, log: Log, *, from_scratch: bool
) -> contextlib.AbstractContextManager[Store]:
    from projections.store.tables import Store
    from tools.data import tables

    place = directory.projection()
    if not isinstance(place, Path):
        return Store.open(place)
    if from_scratch:
        return tables.for_rebuilding(place, lambda store: is_of(log, store))
    return tables.for_writing(place)


def _follow(
    log: Log, store: Store, done: Projected, metrics: ProjectorMetrics, *, as_json: bool
) -> Projected:
    """Project what is appended, until told to stop; a log that was replaced need not grow."""
    stop = stop_on_signals()
    projector = Projector(log, store)
    gather_seconds = GATHER_SECONDS if store.serves_others else 0.0
    began = -gather_seconds
    while not stop.is_set():
        metrics.seen(store, done.head.size, log.head().size)
        seen = done.head.size + done.torn
        log.wait(seen, FOLLOW_SECONDS)
        stop.wait(began + gather_seconds - time.monotonic())
        began = time.monotonic()
        done = projector.catch_up()
        if as_json and done.head.size + done.torn > seen:
            _print_projected(done, seen)
    return done


def _print_projected(done: Projected, before: int) -> None:
    emit(ProjectedTables(done.head.size, done.head.size - before))
    sys.stdout.flush()
