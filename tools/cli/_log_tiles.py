"""``log tiles``: the log as files that any web server can serve."""

from __future__ import annotations

import sys
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from prometheus_client import Gauge

from ledger.log.checkpoints import last_note
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
        note = last_note(log)
        done = _publish(log, note, folder)
        _print_tiles(done, folder, as_json=as_json)
        if follow:
            from tools.service.health import ProcessHealth, health_port
            from tools.web.metrics import ChainRegistry

            registry = ChainRegistry(data.chain_name())
            mirrored = Gauge(
                "gameledger_mirrored_messages", "Messages in the tiles.", registry=registry
            )
            mirrored.set(done.size)
            watched = ProcessHealth("tiles", registry, folder)
            with health_port(health, watched, data.hosts):
                watched.enter("following", ready=True)
                _follow(log, note, folder, mirrored, as_json=as_json)


def _publish(log: Log, note: str, folder: Path) -> PublishResult:
    with progress("writing tiles") as advance:
        return publish(log, note, folder, progress=advance)


def _follow(log: Log, note: str, folder: Path, mirrored: Gauge, *, as_json: bool) -> None:
    """Publish each checkpoint as it is recorded, until told to stop."""
    stop = stop_on_signals()
    while not stop.wait(FOLLOW_SECONDS):
        if (newest := last_note(log)) != note:
            note = newest
            done = _publish(log, note, folder)
            mirrored.set(done.size)
            _print_tiles(done, folder, as_json=as_json)
            sys.stdout.flush()


def _print_tiles(done: PublishResult, folder: Path, *, as_json: bool) -> None:
    if as_json:
        emit(Tiled(done.size, done.size - done.before, str(folder)))
        return
    new = counted(done.size - done.before, "message")
    echo(f"{new} written to {folder}, which now holds the first {number(done.size)}.")
    facts([("verify", f"gameledger log verify {folder}")])
