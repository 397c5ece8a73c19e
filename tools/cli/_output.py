"""Format answers: money, timestamps, tables, progress. Tables and text go to stdout."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rich.box import SIMPLE_HEAD
from rich.cells import cell_len
from rich.console import Console
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from ledger.core.clock import SystemClock
from tools.data.notation import (
    FormattedNumber,
    FormattedValue,
    Heading,
    clock,
    counted,
    duration,
    hashed,
    minute,
    moment,
    money,
    number,
    right,
    wrapped,
)
from tools.sanitize import csv_line, escape_controls, for_spreadsheet, json_line, unguarded

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

__all__ = [
    "FormattedValue",
    "Heading",
    "ProgressMessage",
    "clock",
    "counted",
    "duration",
    "echo",
    "echo_each",
    "echo_position",
    "echo_progress",
    "emit",
    "facts",
    "hashed",
    "minute",
    "moment",
    "money",
    "number",
    "progress",
    "right",
    "table",
    "wrapped",
]

WIDTH_OF_FILES = 120
WIDTH_MAX = 10_000
WRAPPED_LEAST = 24
PLAIN_STEPS = 10


def _console(width: int | None = None) -> Console:
    """Return a console; output to a file or a pipe is not limited to 80 columns."""
    if width is None and not sys.stdout.isatty():
        width = WIDTH_OF_FILES
    return Console(highlight=False, soft_wrap=False, width=width)


def emit(document: Any) -> None:
    """Print a JSON document on one line."""
    sys.stdout.write(json_line(document) + "\n")


def echo(text: str = "", style: str = "") -> None:
    """Print a line of text."""
    _console().print(Text(escape_controls(text), style=style), soft_wrap=True)


def echo_each(lines: Iterable[object], nothing: str = "") -> None:
    """Print each of a list on its own line, or what stands for an empty list."""
    for line in lines or [nothing] * bool(nothing):
        echo(str(line))


def echo_position(position: int, recorded_at: int) -> None:
    """Print the position in the chain of an answer; nothing before the first message."""
    if position:
        echo(f"As of position {position}, {moment(recorded_at)} in Prague.")
    else:
        echo("Nothing was recorded by then.")


@dataclass(frozen=True, slots=True)
class ProgressMessage:
    """What a program at work tells its operator."""

    at: int
    text: str


def echo_progress(text: str, *, as_json: bool) -> None:
    """Report progress of a running program: a line of JSON, or text next to its output."""
    now = SystemClock().now()
    if as_json:
        emit(ProgressMessage(now, text))
        sys.stdout.flush()
    else:
        print(f"{moment(now)} {escape_controls(text)}", file=sys.stderr, flush=True)


def table(
    columns: Iterable[str | Heading],
    rows: Iterable[Iterable[object]],
    *,
    total: bool = False,
    nothing: str = "",
    as_csv: bool = False,
) -> None:
    """Print a table.

    Args:
        columns: headings; a column of numbers is aligned to the right.
        rows: cells, converted with ``str``.
        total: the last row is a sum.
        nothing: text printed if there are no rows.
        as_csv: print CSV for a spreadsheet, always with a line of headings.

    """
    heads = [one if isinstance(one, Heading) else Heading(one) for one in columns]
    if as_csv:
        _write_csv(heads, rows)
        return
    cells = [tuple(row) for row in rows]
    lines = [[_cell(cell) for cell in row] for row in cells]
    if not lines and nothing:
        echo(nothing)
        return
    shown = Table(
        box=SIMPLE_HEAD,
        padding=(0, 1, 0, 0),
        pad_edge=False,
    )
    for index, (name, is_right, may_wrap) in enumerate(heads):
        widest = max(cell_len(name), *(line[index].cell_len for line in lines), 0)
        shown.add_column(
            name,
            justify="right" if is_right or _are_numbers(row[index] for row in cells) else "left",
            no_wrap=not may_wrap,
            overflow="fold",
            width=None if may_wrap else widest,
            min_width=min(widest, WRAPPED_LEAST) if may_wrap else None,
        )
    for index, line in enumerate(lines):
        is_before_total = total and index == len(lines) - 2
        shown.add_row(*line, end_section=is_before_total)
    _print_whole(shown)


def _are_numbers(cells: Iterable[object]) -> bool:
    """Return whether the cells of a column that are not empty are numbers."""
    return all(isinstance(cell, int | FormattedNumber) for cell in cells if cell != "")


def _write_csv(columns: Iterable[Heading], rows: Iterable[Iterable[object]]) -> None:
    sys.stdout.write(csv_line((column.text for column in columns), "\n"))
    for row in rows:
        sys.stdout.write(csv_line(map(_csv_cell, row), "\n"))


def _csv_cell(value: object) -> str:
    """Return a number unchanged; escape a text that a spreadsheet would evaluate."""
    if isinstance(value, FormattedValue):
        return value.exact
    return str(value) if isinstance(value, int) else for_spreadsheet(str(value))


def _cell(value: object) -> Text:
    return Text(escape_controls(str(value)))


def _print_whole(shown: Table) -> None:
    """Print a table; lines wider than the terminal are wrapped, not cut."""
    console, wide = _console(), Console(width=WIDTH_MAX)
    narrowest = Measurement.get(wide, wide.options, shown).minimum
    if narrowest > console.width:
        console = _console(narrowest)
    console.print(shown, soft_wrap=False, crop=False)


def facts(rows: Iterable[tuple[str, object]], *, dim_first: bool = True) -> None:
    """Print names and values, one pair on each line."""
    lines = [(_cell(name), _cell(value)) for name, value in rows]
    grid = Table.grid(padding=(0, 3, 0, 0))
    widest = max((name.cell_len for name, _ in lines), default=0)
    grid.add_column(no_wrap=True, style="dim" if dim_first else "", width=widest)
    grid.add_column(overflow="fold")
    for line in lines:
        grid.add_row(*line)
    _print_whole(grid)


@contextmanager
def progress(label: str) -> Iterator[Callable[[int, int], None]]:
    """Show progress on stderr: a bar on a terminal, plain lines otherwise.

    Yields:
        a function that takes the amount done and the total.

    """
    if not sys.stderr.isatty():
        yield _plain_progress(label)
        return
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TaskProgressColumn(),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=Console(file=unguarded(sys.stderr))) as bar:
        task = bar.add_task(label, total=None)

        def advance(done: int, total: int) -> None:
            bar.update(task, completed=min(done, total), total=total)

        yield advance
        bar.update(task, total=1, completed=1)


def _plain_progress(label: str) -> Callable[[int, int], None]:
    print(f"{label} ...", file=sys.stderr, flush=True)
    told = 0

    def advance(done: int, total: int) -> None:
        nonlocal told
        done = min(done, total)  # the log may grow meanwhile
        step = done * PLAIN_STEPS // total if total else 0
        if step > told:
            told = step
            print(f"{label}: {100 * done // total} %", file=sys.stderr, flush=True)

    return advance
