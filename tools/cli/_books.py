"""``books``: closings of days and months, their trial balance, the base of the gambling tax."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from ledger.core.clock import SystemClock
from ledger.core.errors import IntegrityError
from projections.books.agreement import Agreement, agreement
from projections.books.closing import Closing, TrialLine, close
from projections.books.sheets import of_agreement, of_closing, of_tax, of_trial
from projections.books.tax import TaxBase, tax_base
from projections.packages.country import CZ, country_of
from projections.store.period import read_period
from projections.words.catalogue import Language, Words
from tools.access.questions.duties import items_by_age
from tools.access.writers import SPELLINGS, Column, csv_writer
from tools.cli._answering import answers
from tools.cli._help import Commands
from tools.cli._options import DATA, Csv, Data
from tools.cli._output import counted, echo, money, number, table
from tools.cli._project import up_to_date
from tools.cli._questions import command_of
from tools.cli._report_options import CountryCode
from tools.cli._when import ListAt, position
from tools.data import DataDirectory
from tools.data.moments import now_of_question
from tools.data.workbook import as_workbook
from tools.sanitize import unguarded
from tools.whole_files import write_whole

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from projections.books.sheets import Sheet
    from projections.store.period import Period
    from projections.store.tables import Store
    from tools.data.moments import AsOfPoint

__all__ = ["TrialBalanceOf", "app", "csv_of"]

FOUND = 1
ENGLISH = Words(Language.EN)
WRITTEN: dict[str, Callable[[Any], str]] = {"text": str, "money": money, "count": number}

app = Commands("Books: day, month, trial, tax, check, open items.")

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


@dataclass(frozen=True, slots=True)
class TrialBalanceOf:
    """The trial balance of a period; ``totals`` by currency."""

    period: str
    position: int
    head: str
    first: int
    end: int
    is_over: bool
    trial: tuple[TrialLine, ...]
    totals: dict[str, TrialLine]


def _show_closing(closing: Closing, *, language: Language, as_csv: Csv = False) -> None:
    if as_csv:
        sheets = of_closing(closing, Words(language))
        _write_csv("\n".join(f"{one.title}\n{csv_of(one, language)}" for one in sheets), language)
    else:
        _show_heading(closing)
        _show(of_closing(closing, ENGLISH))


def _show_heading(closing: Closing | TrialBalanceOf) -> None:
    echo(
        f"Books of {closing.period}, positions {closing.first} to {closing.end}, as of position "
        f"{closing.position}",
        style="bold",
    )
    if not closing.is_over:
        echo("The period is not over yet.")


def _require_even(closing: Closing | TrialBalanceOf) -> int:
    """Refuse books that don't balance, which no chain of ours leads to."""
    totals = closing.totals.values()
    if not all(of.is_even for of in totals):
        sums = ", ".join(f"{of.currency} {of.debit} against {of.credit}" for of in totals)
        raise IntegrityError(f"debits and credits of {closing.period} do not agree: {sums}")
    return 0


@app.command()
@answers(_show_closing, end=_require_even)
def day(
    *,
    period: ADay,
    at: ListAt = None,
    xlsx: Xlsx = None,
    language: Speech = Language.EN,
    data: Data = DATA,
) -> Closing:
    """Print the books of a day: trial balance, games and tables, channels, floor, corrections.

    Nothing is closed or recorded by it: later corrections change later answers, and `--at` gives
    the books as they were. With `--csv` each sheet follows a line with its title.

    Example: `gameledger books day 2026-11-20 --xlsx 2026-11-20.xlsx`
    """
    return _closing(_of_kind(period, "day"), at, xlsx, language, data)


@app.command()
@answers(_show_closing, end=_require_even)
def month(
    *,
    period: AMonth,
    at: ListAt = None,
    xlsx: Xlsx = None,
    language: Speech = Language.EN,
    data: Data = DATA,
) -> Closing:
    """Print the books of a month, as `books day` does of a day; it closes nothing.

    Example: `gameledger books month 2026-11`
    """
    return _closing(_of_kind(period, "month"), at, xlsx, language, data)


def _show_trial(
    trial: TrialBalanceOf, *, language: Speech = Language.EN, as_csv: Csv = False
) -> None:
    if as_csv:
        sheet = of_trial(trial.trial, trial.totals, Words(language))
        _write_csv(csv_of(sheet, language), language)
    else:
        _show_heading(trial)
        _show([of_trial(trial.trial, trial.totals, ENGLISH)])


@app.command()
@answers(_show_trial, end=_require_even)
def trial(
    *,
    period: APeriod,
    at: ListAt = None,
    data: Data = DATA,
) -> TrialBalanceOf:
    """Return the trial balance of a period: opening, debits, credits and closing of each account.

    Example: `gameledger books trial 2026-11 --csv`
    """
    with _tables_at(data, at) as (store, size):
        closing = close(store, read_period(period), at=size, now=_now(at))
    return TrialBalanceOf(
        period=closing.period,
        position=closing.position,
        head=closing.head,
        first=closing.first,
        end=closing.end,
        is_over=closing.is_over,
        trial=closing.trial,
        totals=closing.totals,
    )


def _show_tax(found: TaxBase) -> None:
    echo(f"Gambling tax of {found.period} as of position {found.position}", style="bold")
    if not found.is_over:
        echo("The period is not over yet.")
    _show(of_tax(found, ENGLISH))
    for currency in found.unconverted:
        echo(f"Not in the base: what was won in {currency}, no rate of which is recorded.")


@app.command()
@answers(_show_tax)
def tax(
    *,
    period: APeriod,
    at: ListAt = None,
    xlsx: Xlsx = None,
    language: Speech = Language.EN,
    data: Data = DATA,
) -> TaxBase:
    """Return the base of the gambling tax: stakes, less what went back, less winnings paid.

    The tax asks for a quarter. How the base is read from the chain, and what is assumed, stands in
    docs/books.md.

    Example: `gameledger books tax 2026-Q4`
    """
    with _tables_at(data, at) as (store, size):
        found = tax_base(store, read_period(period), at=size, now=_now(at))
    _write(xlsx, of_tax(found, Words(language)))
    return found


def _show_agreement(found: Agreement) -> None:
    echo(f"Packages of {found.period} as of position {found.position}", style="bold")
    if not found.is_over:
        echo("The period is not over yet.")
    _show([of_agreement(found, ENGLISH)])
    for one in found.outdated:
        echo(
            f"{one.package} was built before facts of it were corrected ({', '.join(one.files)}): "
            f"`gameledger report build --period {one.period} --known-at {found.position} "
            "--cause …`."
        )
    for name in found.missing:
        echo(f"No package was built: `gameledger report build --period {name}`.")
    if found.unreported:
        echo(f"In no package: {money(found.unreported)} CZK of play by account at tables.")
    differences = counted(len(found.differences), "difference")
    if found.compared:
        echo(f"{differences}.", style="red" if found.differences else "green")
    else:
        echo("Nothing was compared: no package of the period was built.")


@app.command()
@answers(_show_agreement, end=lambda found: 0 if found.is_sound else FOUND)
def check(
    *,
    period: APeriod,
    at: ListAt = None,
    country: CountryCode = CZ,
    data: Data = DATA,
) -> Agreement:
    """Compare the regulator's packages of a period with the books, sum by sum.

    Exit code 1 when something differs, a package of the period was not built, or facts of a
    casino's month were corrected since its package was built.

    Example: `gameledger books check 2026-11`
    """
    with _tables_at(data, at) as (store, size):
        return agreement(store, read_period(period), country_of(country), at=size, now=_now(at))


def _closing(
    period: Period,
    at: AsOfPoint | None,
    xlsx: Path | None,
    language: Language,
    data: DataDirectory,
) -> Closing:
    with _tables_at(data, at) as (store, size):
        closing = close(store, period, at=size, now=_now(at))
    _write(xlsx, of_closing(closing, Words(language)))
    return closing


def _write_csv(text: str, language: Language) -> None:
    """Write CSV behind its byte order mark, which a terminal would be shown as a code."""
    unguarded(sys.stdout).write(SPELLINGS[language].begin.decode())
    sys.stdout.write(text)


def csv_of(sheet: Sheet, language: Language) -> str:
    """Return a sheet as CSV in the form of a language, as the service writes it."""
    kinds: dict[str, Literal["money", "number", "text"]] = {"money": "money", "count": "number"}
    columns = [Column(head.text, kinds.get(head.kind, "text")) for head in sheet.heads]
    blocks = [list(map(_texts, columns, zip(*sheet.rows, strict=True)))] if sheet.rows else []
    written = b"".join(csv_writer(language)(columns, blocks))
    return written.removeprefix(SPELLINGS[language].begin).decode().replace("\r", "")


def _texts(column: Column, values: Iterable[Any]) -> list[Any]:
    """Return the values of a column of a sheet; an empty text is no number."""
    if column.kind == "text":
        return [None if value is None else str(value) for value in values]
    return [None if value == "" else value for value in values]


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


def _show(sheets: Iterable[Sheet]) -> None:
    for sheet in sheets:
        echo()
        echo(sheet.title, style="bold")
        heads = [head.text for head in sheet.heads]
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


app.command("open-items")(command_of(items_by_age))
