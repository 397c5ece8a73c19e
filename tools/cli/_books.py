"""``books``: closings of days and months, their trial balance, the base of the gambling tax."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ledger.core.clock import SystemClock
from ledger.core.errors import IntegrityError
from projections.books.agreement import agreement
from projections.books.closing import close
from projections.books.period import read_period
from projections.books.sheets import of_agreement, of_closing, of_tax, of_trial
from projections.books.tax import tax_base
from projections.packages.country import CZ, country_of
from projections.words.catalogue import Language, Words
from tools.cli._help import Commands
from tools.cli._options import DATA, Csv, Data, Json
from tools.cli._output import counted, echo, emit, money, number, table
from tools.cli._project import up_to_date
from tools.cli._report_options import CountryCode
from tools.cli._when import ListAt, position
from tools.data import DataDirectory
from tools.data.moments import now_of_question
from tools.data.workbook import as_csv as csv_of
from tools.data.workbook import as_workbook
from tools.whole_files import write_whole

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from projections.books.closing import Closing
    from projections.books.period import Period
    from projections.books.sheets import Sheet
    from projections.store.tables import Store
    from tools.data.moments import AsOfPoint

__all__ = ["app"]

FOUND = 1
ENGLISH = Words(Language.EN)
WRITTEN: dict[str, Callable[[Any], str]] = {"text": str, "money": money, "count": number}

app = Commands("Books: day, month, trial, tax, check.")

ADay = Annotated[str, typer.Argument(metavar="DAY", help="Day in Prague, such as 2026-11-20.")]
AMonth = Annotated[str, typer.Argument(metavar="MONTH", help="Month, such as 2026-11.")]
APeriod = Annotated[
    str, typer.Argument(metavar="PERIOD", help="Day, month, or quarter such as 2026-Q4.")
]
Xlsx = Annotated[
    Path | None,
    typer.Option("--xlsx", metavar="FILE", help="Write a workbook with all sheets besides."),
]
Speech = Annotated[
    Language, typer.Option("--language", help="Language of CSV and workbook: cs or en.")
]


@app.command()
def day(
    *,
    period: ADay,
    at: ListAt = None,
    xlsx: Xlsx = None,
    language: Speech = Language.EN,
    data: Data = DATA,
    as_json: Json = False,
    as_csv: Csv = False,
) -> None:
    """Print the books of a day: trial balance, games and tables, channels, floor, corrections.

    Nothing is closed or recorded by it: later corrections change later answers, and `--at` gives
    the books as they were. With `--csv` each sheet follows a line with its title.

    Example: `gameledger books day 2026-11-20 --xlsx 2026-11-20.xlsx`
    """
    _print(_of_kind(period, "day"), at, xlsx, language, data, as_json=as_json, as_csv=as_csv)


@app.command()
def month(
    *,
    period: AMonth,
    at: ListAt = None,
    xlsx: Xlsx = None,
    language: Speech = Language.EN,
    data: Data = DATA,
    as_json: Json = False,
    as_csv: Csv = False,
) -> None:
    """Print the books of a month, as `books day` does of a day; it closes nothing.

    Example: `gameledger books month 2026-11`
    """
    _print(_of_kind(period, "month"), at, xlsx, language, data, as_json=as_json, as_csv=as_csv)


@app.command()
def trial(
    *,
    period: APeriod,
    at: ListAt = None,
    language: Speech = Language.EN,
    data: Data = DATA,
    as_json: Json = False,
    as_csv: Csv = False,
) -> None:
    """Return the trial balance of a period: opening, debits, credits and closing of each account.

    Example: `gameledger books trial 2026-11 --csv`
    """
    with _tables_at(data, at) as (store, size):
        closing = close(store, read_period(period), at=size, now=_now(at))
    if as_json:
        emit({**_about(closing), "trial": closing.trial, "totals": closing.totals})
    elif as_csv:
        sys.stdout.write(_csv(of_trial(closing, Words(language))))
    else:
        _print_note(closing)
        _show([of_trial(closing, ENGLISH)])
    _end(closing)


@app.command()
def tax(
    *,
    period: APeriod,
    at: ListAt = None,
    xlsx: Xlsx = None,
    language: Speech = Language.EN,
    data: Data = DATA,
    as_json: Json = False,
) -> None:
    """Return the base of the gambling tax: stakes, less what went back, less winnings paid.

    The tax asks for a quarter. How the base is read from the chain, and what is assumed, stands in
    docs/books.md.

    Example: `gameledger books tax 2026-Q4`
    """
    with _tables_at(data, at) as (store, size):
        found = tax_base(store, read_period(period), at=size)
    _write(xlsx, of_tax(found, Words(language)))
    if as_json:
        emit(found)
        return
    echo(f"Gambling tax of {found.period} as of position {found.position}", style="bold")
    if not found.is_over:
        echo("The period is not over yet.")
    _show(of_tax(found, ENGLISH))
    for currency in found.unconverted:
        echo(f"Not in the base: what was won in {currency}, no rate of which is recorded.")


@app.command()
def check(
    *,
    period: APeriod,
    at: ListAt = None,
    country: CountryCode = CZ,
    data: Data = DATA,
    as_json: Json = False,
) -> None:
    """Compare the regulator's packages of a period with the books, sum by sum.

    Exit code 1 when something differs, or a package of the period was not built.

    Example: `gameledger books check 2026-11`
    """
    with _tables_at(data, at) as (store, size):
        found = agreement(store, read_period(period), country_of(country), at=size, now=_now(at))
    if as_json:
        emit(found)
    else:
        echo(f"Packages of {found.period} as of position {found.position}", style="bold")
        if not found.is_over:
            echo("The period is not over yet.")
        _show([of_agreement(found, ENGLISH)])
        for name in found.missing:
            echo(f"No package was built: `gameledger report build --period {name}`.")
        if found.unreported:
            echo(f"In no package: {money(found.unreported)} CZK of play by account at tables.")
        differences = counted(len(found.differences), "difference")
        if found.compared:
            echo(f"{differences}.", style="red" if found.differences else "green")
        else:
            echo("Nothing was compared: no package of the period was built.")
    if not found.is_sound:
        raise typer.Exit(FOUND)


def _print(
    period: Period,
    at: AsOfPoint | None,
    xlsx: Path | None,
    language: Language,
    data: DataDirectory,
    *,
    as_json: bool,
    as_csv: bool,
) -> None:
    with _tables_at(data, at) as (store, size):
        closing = close(store, period, at=size, now=_now(at))
    sheets = of_closing(closing, Words(language))
    _write(xlsx, sheets)
    if as_json:
        emit(closing)
    elif as_csv:
        _print_csv(sheets)
    else:
        _print_note(closing)
        _show(of_closing(closing, ENGLISH))
    _end(closing)


def _print_csv(sheets: Iterable[Sheet]) -> None:
    """Write sheets one after another, each below its title."""
    sys.stdout.write("\n".join(f"{sheet.title}\n{_csv(sheet)}" for sheet in sheets))


def _csv(sheet: Sheet) -> str:
    return csv_of(sheet).decode().replace("\r", "")


def _of_kind(text: str, kind: str) -> Period:
    found = read_period(text)
    if found.kind != kind:
        raise typer.BadParameter(f"{text} is a {found.kind}: use `gameledger books {found.kind}`")
    return found


@contextmanager
def _tables_at(data: DataDirectory, at: AsOfPoint | None) -> Iterator[tuple[Store, int | None]]:
    with up_to_date(data) as (store, log):
        yield store, position(log, at, size=store.position)


def _now(at: AsOfPoint | None) -> int | None:
    return now_of_question(SystemClock(), at)


def _about(closing: Closing) -> dict[str, Any]:
    return {
        "period": closing.period,
        "position": closing.position,
        "head": closing.head,
        "first": closing.first,
        "end": closing.end,
        "is_over": closing.is_over,
    }


def _print_note(closing: Closing) -> None:
    echo(
        f"Books of {closing.period}, positions {closing.first} to {closing.end}, as of position "
        f"{closing.position}",
        style="bold",
    )
    if not closing.is_over:
        echo("The period is not over yet.")


def _show(sheets: Iterable[Sheet]) -> None:
    for sheet in sheets:
        echo()
        echo(sheet.title, style="bold")
        heads = [head.text if head.kind == "text" else f">{head.text}" for head in sheet.heads]
        rows = [
            [
                "" if value in {"", None} else WRITTEN[head.kind](value)
                for head, value in zip(sheet.heads, row, strict=True)
            ]
            for row in sheet.rows
        ]
        table(heads, rows, total=sheet.sums == 1)


def _write(path: Path | None, sheets: Iterable[Sheet]) -> None:
    if path is not None:
        write_whole(path, as_workbook(sheets))


def _end(closing: Closing) -> None:
    """End with what says that the books don't balance, which no chain of ours leads to."""
    if not closing.is_even:
        totals = ", ".join(
            f"{of.currency} {of.debit} against {of.credit}" for of in closing.totals.values()
        )
        raise IntegrityError(f"debits and credits of {closing.period} do not agree: {totals}")
