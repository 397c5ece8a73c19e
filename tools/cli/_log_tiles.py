"""``log tiles``: the log as files that any web server can serve."""

from __future__ import annotations

import sys
from contextlib import closing
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from prometheus_client import Gauge

from ledger.log.checkpoints import checkpoints, last_note
from ledger.log.tiles import PublishResult, publish
from tools.cli._answering import emits
from tools.cli._options import (
    DATA,
    Data,
    HealthPort,
    Json,
)
from tools.cli._output import counted, echo, emit, facts, number, progress
from tools.cli._stop import stop_on_signals

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ledger.log.port import Log

__all__ = ["Tiled", "tiles"]

FOLLOW_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class Tiled:
    """How far a folder of tiles goes; with ``--follow`` one such document each time."""

    size: int
    written: int
    folder: str


@emits(Tiled, is_line=True)
def tiles(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Where the files go.")],
    *,
    follow: Annotated[
        bool,
        typer.Option(
            "--follow", envvar="GAMELEDGER_FOLLOW", help="Go on with each checkpoint until SIGTERM."
        ),
    ] = False,
    health: HealthPort = None,
    data: Data = DATA,
    as_json: Json = False,
) -> None:
    """Write the log up to its last checkpoint as a folder that any web server can serve.

    The files are those of C2SP tlog-tiles: the signed checkpoint, the tree in tiles, all messages
    in bundles. Who has them verifies the log without asking us: `gameledger log verify DIR`, or
    any other tool for such logs. What is there already is left alone, so the folder grows with
    the log; personal data in it is sealed as in the log itself.

    Example: `gameledger log tiles /var/www/log --follow`
    """
    with closing(data.read()) as log:
        if not follow:
            _print_tiles(_publish(log, last_note(log), folder), folder, as_json=as_json)
            return
        from tools.service.health import ProcessHealth, health_port
        from tools.web.metrics import ChainRegistry

        registry = ChainRegistry(data.chain_name())
        mirrored = Gauge(
            "gameledger_mirrored_messages", "Messages in the tiles.", registry=registry
        )
        watched = ProcessHealth("tiles", registry, folder)
        with health_port(health, watched, data.hosts):
            for done in _followed(log, folder):
                mirrored.set(done.size)
                _print_tiles(done, folder, as_json=as_json)
                sys.stdout.flush()
                watched.enter("following", ready=True)


def _publish(log: Log, note: str, folder: Path) -> PublishResult:
    with progress("writing tiles") as advance:
        return publish(log, note, folder, progress=advance)


def _followed(log: Log, folder: Path) -> Iterator[PublishResult]:
    """Publish each checkpoint as it is recorded, until told to stop; a new chain has none yet."""
    stop, published = stop_on_signals(), ""
    if next(checkpoints(log), None) is None:
        print("gameledger: waiting for the first checkpoint", file=sys.stderr, flush=True)
    while True:
        for newest in islice(checkpoints(log), 1):
            if (note := str(newest.note)) != published:
                published = note
                yield _publish(log, note, folder)
        if stop.wait(FOLLOW_SECONDS):
            return


def _print_tiles(done: PublishResult, folder: Path, *, as_json: bool) -> None:
    if as_json:
        emit(Tiled(done.size, done.size - done.before, str(folder)))
        return
    new = counted(done.size - done.before, "message")
    echo(f"{new} written to {folder}, which now holds the first {number(done.size)}.")
    facts([("verify", f"gameledger log verify {folder}")])
