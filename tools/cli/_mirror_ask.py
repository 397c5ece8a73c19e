"""``mirror ask``, ``shared`` and ``totals``: one question about all logs that a mirror holds."""

from __future__ import annotations

import csv
import json
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ledger.core.errors import InputError
from projections.books.period import read_period
from tools.cli._answering import answers, emits
from tools.cli._options import Csv, Json, finite
from tools.cli._output import counted, echo, emit, money, right, table
from tools.mirror.asking import CopyReply, ask_copies, words_of
from tools.mirror.folder import MirrorFolder

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

__all__ = [
    "CopyAnswer",
    "Folder",
    "GameTotal",
    "MirrorAnswer",
    "MirrorTotals",
    "MissingCopy",
    "SharedValue",
    "SharedValues",
    "ask",
    "find_shared",
    "shared",
    "totals",
]

EVENTS_MAX = 100_000
"""Events of one log that a comparison takes."""

Folder = Annotated[Path, typer.Argument(metavar="DIR", help="Folder of the mirror.")]
Seconds = Annotated[
    float,
    typer.Option(
        min=1, callback=finite, help="Give up a copy that has not answered after so many seconds."
    ),
]


@dataclass(frozen=True, slots=True)
class MissingCopy:
    """A log that could not be asked, and why."""

    log: str
    reason: str


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


@dataclass(frozen=True, slots=True)
class SharedValue:
    """A value of a fact, and the logs in which it was recorded."""

    value: str
    logs: list[str]


@dataclass(frozen=True, slots=True)
class SharedValues:
    """Values of a fact that several logs recorded; logs that could not be asked are missing."""

    fact: str
    values: list[SharedValue]
    missing: list[MissingCopy]


@dataclass(frozen=True, slots=True)
class GameTotal:
    """Play of a game at one operator, in haléř: stakes less what was returned, winnings, result."""

    log: str
    game: str
    stakes: int
    winnings: int
    result: int


@dataclass(frozen=True, slots=True)
class MirrorTotals:
    """Play of a period by operator and game; logs that could not be asked are missing in it."""

    period: str
    games: list[GameTotal]
    missing: list[MissingCopy]


def _show_missing(missing: Iterable[MissingCopy]) -> None:
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
            _show_missing(missing)
    if missing:
        raise typer.Exit(1)


def _show_shared(shared: SharedValues) -> None:
    rows = [(one.value, ", ".join(one.logs)) for one in shared.values]
    nothing = f"No {shared.fact} is in more than one log."
    table((shared.fact, "logs"), rows, nothing=nothing)
    _show_missing(shared.missing)


@answers(_show_shared, end=lambda found: int(bool(found.missing)))
def shared(
    folder: Folder,
    event: Annotated[str, typer.Argument(metavar="EVENT", help="Type, as DeviceAssigned.")],
    fact: Annotated[str, typer.Argument(metavar="FACT", help="Name of a fact, as serial.")],
    *,
    seconds: Seconds = 300,
) -> SharedValues:
    """Find values of a fact that several logs recorded: the same device at two operators.

    Pseudonyms and keyed digests (persons, dealers) are of each operator and never agree: without
    the operators' keys no person can be followed from one log to another.

    Example: `gameledger mirror shared held DeviceAssigned serial`
    """
    return find_shared(folder, event, fact, seconds)


def find_shared(folder: Path, event: str, fact: str, seconds: float = 300) -> SharedValues:
    """Return the values of a fact that several logs of a mirror recorded; see :func:`shared`."""
    missing: list[MissingCopy] = []
    logs: dict[str, list[str]] = defaultdict(list)
    words = ["log", "show", "--type", event, "--limit", str(EVENTS_MAX)]
    for answer in _documents(folder, words, seconds, missing):
        if len(answer.documents) == EVENTS_MAX:
            reason = f"it has more than {EVENTS_MAX} events of this type"
            missing.append(MissingCopy(answer.log, reason))
        values = {str(one["facts"].get(fact) or "") for one in answer.documents} - {""}
        for value in values:
            logs[value].append(answer.log)
    several = [SharedValue(value, logs[value]) for value in sorted(logs) if len(logs[value]) > 1]
    return SharedValues(fact, several, missing)


def _show_totals(totals: MirrorTotals) -> None:
    rows = [(one.log, one.game, *_amounts([one])) for one in totals.games]
    operators: dict[str, list[GameTotal]] = defaultdict(list)
    for one in totals.games:
        operators[one.game].append(one)
    rows += [
        (counted(len(found), "log"), game, *_amounts(found))
        for game, found in operators.items()
        if len(found) > 1
    ]
    columns = ("log", "game", "staked CZK", "won CZK", "house result CZK", "% of stakes")
    table(columns, rows, nothing=f"Nothing was played in {totals.period}.")
    _show_missing(totals.missing)


def _amounts(lines: list[GameTotal]) -> tuple[object, ...]:
    stakes, result = sum(one.stakes for one in lines), sum(one.result for one in lines)
    won = money(sum(one.winnings for one in lines))
    share = f"{100 * result / stakes:.1f}" if stakes else ""
    return money(stakes), won, money(result, sign=True), right(share)


@answers(_show_totals, end=lambda totals: int(bool(totals.missing)))
def totals(
    folder: Folder,
    period: Annotated[str, typer.Argument(metavar="PERIOD", help="Day or month, as 2026-11.")],
    *,
    seconds: Seconds = 300,
) -> MirrorTotals:
    """Sum up play by game over all logs that are held, each from tables of its own copy.

    A copy that can't be asked is named, with exit code 1, and holds no other up.

    Example: `gameledger mirror totals held 2026-11`
    """
    kind = read_period(period).kind
    if kind not in {"day", "month"}:
        raise InputError(f"{period} is a {kind}: name a day or a month")
    missing: list[MissingCopy] = []
    lines: list[GameTotal] = []
    for answer in _documents(folder, ["books", kind, period], seconds, missing):
        by_game: dict[str, Counter[str]] = defaultdict(Counter)
        for line in answer.documents[0]["games"]:
            sums = by_game[line["game"]]
            sums["stakes"] += line["stakes"] - line["returned"]
            sums["winnings"] += line["winnings"]
            sums["result"] += line["result"]
        lines += [
            GameTotal(answer.log, game, sums["stakes"], sums["winnings"], sums["result"])
            for game, sums in sorted(by_game.items())
            if game
        ]
    return MirrorTotals(period, lines, missing)
