"""``mirror ask``: one question about all logs that a mirror holds, asked of each copy."""

from __future__ import annotations

import csv
import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tools.cli._answering import emits
from tools.cli._options import Csv, Json, finite
from tools.cli._output import echo, emit, table
from tools.mirror.asking import CopyReply, ask_copies, words_of
from tools.mirror.folder import MirrorFolder
from tools.mirror.shared_tables import MissingCopy

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

__all__ = ["CopyAnswer", "Folder", "MirrorAnswer", "Seconds", "ask", "show_missing"]

Folder = Annotated[Path, typer.Argument(metavar="DIR", help="Folder of the mirror.")]
Seconds = Annotated[
    float,
    typer.Option(
        min=1, callback=finite, help="Give up a copy that has not answered after so many seconds."
    ),
]


@dataclass(frozen=True, slots=True)
class CopyAnswer:
    """The JSON documents that a command wrote about one log."""

    log: str
    documents: list[Any]


@dataclass(frozen=True, slots=True)
class MirrorAnswer:
    """A question and its answers by log; logs that could not be asked are missing in it."""

    question: str
    answers: list[CopyAnswer]
    missing: list[MissingCopy]


def show_missing(missing: Iterable[MissingCopy]) -> None:
    """Name the logs that are missing in an answer."""
    for copy in missing:
        echo(f"NOT ASKED: {copy.log}: {copy.reason}", style="bold red")


def _documents(
    folder: Path, words: Sequence[str], seconds: float, missing: list[MissingCopy]
) -> Iterator[CopyAnswer]:
    """Yield the JSON of each log that answers, and add the others to what is missing."""
    for reply in _replies(folder, [*words, "--json"], seconds, missing):
        yield CopyAnswer(reply.log, [json.loads(line) for line in reply.text.splitlines()])


def _replies(
    folder: Path, words: Sequence[str], seconds: float, missing: list[MissingCopy]
) -> Iterator[CopyReply]:
    mirror = MirrorFolder(folder)
    mirror.own_keys()
    for reply in ask_copies(mirror, words, seconds=seconds):
        if reply.fault:
            missing.append(MissingCopy(reply.log, reply.fault))
        else:
            yield reply


@emits(MirrorAnswer)
def ask(
    folder: Folder,
    question: Annotated[
        str,
        typer.Argument(metavar="QUESTION", help="A command and its options, in quotation marks."),
    ],
    *,
    seconds: Seconds = 300,
    as_csv: Csv = False,
    as_json: Json = False,
) -> None:
    """Ask one question about all logs that are held, each over tables of its own copy.

    A question is a command that lists rows, with its options: `duty list`, `reconcile`,
    `report status`, `games fairness`; the rows of each log stand behind its name. A copy that can't
    be asked is named, with exit code 1, and holds no other up.

    Example: `gameledger mirror ask held "duty list"`
    """
    missing: list[MissingCopy] = []
    words = words_of(question)
    if as_json:
        found = list(_documents(folder, words, seconds, missing))
        emit(MirrorAnswer(question, found, missing))
    else:
        heads, rows = ["log"], []
        for reply in _replies(folder, [*words, "--csv"], seconds, missing):
            columns, *lines = csv.reader(reply.text.splitlines())
            heads = ["log", *columns]
            rows += [[reply.log, *line] for line in lines]
        table(heads, rows, nothing="Nothing is found in any log.", as_csv=as_csv)
        if not as_csv:
            show_missing(missing)
    if missing:
        raise typer.Exit(1)
