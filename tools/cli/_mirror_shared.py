"""Questions over all logs that a mirror holds, and the tables with their answers."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from inspect import Parameter
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tools.access.questions.licences import QUESTIONS
from tools.cli._answering import emits
from tools.cli._mirror_ask import Folder, Seconds, show_missing
from tools.cli._options import Json
from tools.cli._output import counted, echo, emit
from tools.cli._questions import Source, command_of
from tools.cli._stop import stop_on_signals
from tools.mirror.asking import fill
from tools.mirror.folder import MirrorFolder
from tools.mirror.shared_tables import MissingCopy, SharedTables
from tools.signals import wait_for

if TYPE_CHECKING:
    from tools.access.questions.declaration import Question
    from tools.cli._help import Commands

__all__ = ["SharedProjection", "add_questions", "project"]

FOLLOW_SECONDS = 10.0


def _ask_shared(question: Question, given: dict[str, Any]) -> Any:
    """Bring the tables over all logs up to date, and ask them."""
    mirror = MirrorFolder(given["folder"])
    mirror.own_keys()
    with SharedTables(mirror) as shared:
        fill(mirror, shared, seconds=given["seconds"])
        return question.ask(shared, **{name: given[name] for name in question.parameters})


def _show_missing_of(found: Any) -> None:
    show_missing(found.missing)


def add_questions(app: Commands) -> None:
    """Add the commands of the questions over all logs."""
    options = (("folder", Folder, Parameter.empty), ("seconds", Seconds, 300.0))
    source = Source(options, _ask_shared, lambda found: int(bool(found.missing)))
    for question in QUESTIONS:
        name = question.command.removeprefix("mirror ")
        app.command(name)(command_of(question, source=source, footer=_show_missing_of))


@dataclass(frozen=True, slots=True)
class SharedProjection:
    """How many logs were summarized, and those of which not everything counts."""

    summarized: int
    missing: list[MissingCopy]


@emits(SharedProjection, is_line=True)
def project(
    folder: Folder,
    *,
    follow: Annotated[
        bool, typer.Option("--follow", help="Go on, every ten seconds, until SIGTERM.")
    ] = False,
    seconds: Seconds = 300,
    as_json: Json = False,
) -> None:
    """Bring the tables over all logs up to date: each copy that has advanced is summarized.

    The questions over all logs (`mirror totals`, `rates`, `devices`, `play-time`, `duties`) do it
    first, too; a page that shows their answers needs `--follow`.

    Example: `gameledger mirror project held --follow`
    """
    mirror = MirrorFolder(folder)
    mirror.own_keys()
    stop = stop_on_signals() if follow else None
    with SharedTables(mirror) as shared:
        while True:
            found = SharedProjection(fill(mirror, shared, seconds=seconds), shared.missing())
            is_shown = found.summarized or stop is None
            if is_shown and as_json:
                emit(found)
            elif is_shown:
                echo(f"{counted(found.summarized, 'log')} summarized.")
                show_missing(found.missing)
            sys.stdout.flush()
            if stop is None or wait_for(stop, FOLLOW_SECONDS):
                break
    if found.missing and stop is None:
        raise typer.Exit(1)
