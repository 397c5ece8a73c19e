"""Generate commands from declared questions.

Input: a :class:`~tools.access.questions.declaration.Question`, and what a command shows besides
its table. Output: a function with the signature that typer reads.
"""

from __future__ import annotations

from dataclasses import replace
from inspect import Parameter as Signed
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from ledger.core.clock import SystemClock
from tools.access.questions.declaration import Column, Context, Parameter, sign
from tools.cli._answering import emits
from tools.cli._cuts import cut, cut_before
from tools.cli._options import Csv, Data, Json
from tools.cli._output import counted, echo, echo_position, emit, facts, table
from tools.cli._project import up_to_date
from tools.cli._when import At, Day, First, ListAt, Now, Span, Until, position
from tools.data.case_texts import with_texts
from tools.data.moments import now_of_question

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from projections.reconciliation.complaints import CaseRegister
from tools.access.questions.declaration import Question

__all__ = ["Source", "command_of"]


def command_of(
    question: Question,
    *,
    at: Any = None,
    show: Callable[[Any], None] | None = None,
    show_csv: Callable[[Any], None] | None = None,
    footer: Callable[[Any], None] | None = None,
    source: Source | None = None,
) -> Callable[..., None]:
    """Create the command of a question.

    Args:
        question: the declaration.
        at: option for the position in the chain, by default the common one.
        show: prints the answer; None prints what the question declares: a table, or one thing.
        show_csv: prints CSV, if the answer is not a table.
        footer: prints the text below what is declared.
        source: what is asked in place of a data directory.

    """

    def command(*, as_json: bool, as_csv: bool = False, **given: Any) -> None:
        with_words = as_json or bool(show or question.title)
        if source:
            found = source.ask(question, given)
        else:
            found = _query(question, given, with_words=with_words)
        shown = _shown_part(question, found, given.get("limit"))
        if as_json:
            emit(shown)
        elif as_csv and show_csv:
            show_csv(shown)
        elif show:
            show(shown)
        else:
            if question.title:
                _show_things(question, shown)
            else:
                nothing = (given.get("ended") and question.nothing_ended) or question.nothing
                rows = question.rows_of(shown)
                _table(question.columns, rows, nothing=nothing, as_csv=as_csv)
            if not as_csv:
                _show_end(question, found)
                if footer:
                    footer(found)
        if source and (code := source.end(found)):
            raise typer.Exit(code)

    has_csv = (show is None and question.title is None) or show_csv is not None
    own = (at or (ListAt if question.has_span else At), *([Csv] if has_csv else []))
    sign(command, _options(question, *own, source=source))
    words = " ".join(filter(None, ("gameledger", question.command, question.example)))
    paragraphs = (question.description, question.more, f"Example: `{words}`")
    command.__doc__ = "\n\n".join(filter(None, paragraphs))
    return emits(question.answer)(command)


class Source(NamedTuple):
    """What is asked in place of a data directory.

    ``options`` are name, type and default of what names it; ``ask`` answers a question by their
    values and the question's own; ``end`` returns the exit code of an answer.
    """

    options: tuple[tuple[str, Any, Any], ...]
    ask: Callable[[Question, dict[str, Any]], Any]
    end: Callable[[Any], int]


def _table(columns: tuple[Column, ...], rows: Iterable[Any], **more: Any) -> None:
    cells = [[column.cell(row) for column in columns] for row in rows]
    table([column.head for column in columns], cells, **more)


def _show_things(question: Question, found: Any) -> None:
    """Print each thing of an answer: its title, its lines, its tables."""
    for one in getattr(found, question.things):
        echo(question.title(one) if question.title else "", style="bold")
        lines = [(column.heading, column.cell(one)) for column in question.columns]
        facts([(name, text) for name, text in lines if text != ""])
        for part in question.parts:
            _table(part.columns, getattr(one, part.rows))


def _show_end(question: Question, found: Any) -> None:
    """Print what is overdue in an answer, and at which position it is given."""
    if question.overdue[0]:
        overdue = sum(row.is_overdue for row in question.rows_of(found))
        if overdue:
            echo(f"{counted(overdue, *question.overdue)} overdue.", style="bold red")
    if question.names_position:
        echo_position(found.position, found.recorded_at)


def _options(
    question: Question, at: Any, *csv: Any, source: Source | None = None
) -> Iterator[tuple[str, Any, Any]]:
    """Yield name, type and default of the options of a command."""
    if source:
        yield from source.options
    for name, (kind, declared, default) in question.parameters.items():
        one = declared or Parameter()
        shown: Any = typer.Argument(metavar=one.metavar, help=one.help)
        if default is not Signed.empty:
            names = (one.option,) if one.option else ()
            shown = typer.Option(*names, metavar=one.metavar, help=one.help)
        yield name, Annotated[kind, shown], default
    if question.paged:
        before = typer.Option(help=f"Only {question.paged} before this position.")
        limit = typer.Option(min=1, max=question.limit_max, help="How many at most.")
        yield "before", Annotated[int | None, before], None
        yield "limit", Annotated[int, limit], question.limit
    if question.bounded:
        limit = typer.Option(min=1, help="How many at most; all of them by default.")
        yield "limit", Annotated[int | None, limit], None
    if question.has_span:
        yield from (("day", Day, None), ("first", First, None), ("until", Until, None))
    if question.is_timed:
        yield "now", Now, None
    if not source:
        yield from (("at", at, None), ("data", Data, Path("data")))
    yield "as_json", Json, False
    yield from (("as_csv", one, False) for one in csv)


def _query(question: Question, given: dict[str, Any], *, with_words: bool) -> Any:
    """Answer a question from a data directory; texts of cases are decrypted if they are shown."""
    with up_to_date(given["data"]) as (store, log), store.repeatable():

        def opened(cases: CaseRegister) -> CaseRegister:
            with given["data"].keys_at_hand() as keys:
                return with_texts(cases, log, keys) if with_words else cases

        span = Span.of(log, store.position, *(given.get(one) for one in ("day", "first", "until")))
        part = (span.first, span.before(given.get("before")), given.get("limit"))
        size = position(log, given["at"], size=store.position)
        own = {name: given[name] for name in question.parameters}
        now = now_of_question(SystemClock(), given["at"], given.get("now"))
        return question.ask(Context(log, store, size, opened, *part, now), **own)


def _shown_part(question: Question, found: Any, limit: int | None) -> Any:
    """Return the part of a list that the command shows; report on stderr what is left out."""
    if question.paged:
        cut_before(found.before, limit or 0)
    rows = question.rows_of(found) if question.bounded else ()
    if limit is None or len(rows) <= limit:
        return found
    cut(f"the first {limit} of {len(rows)} {question.bounded} are shown: --limit")
    return replace(found, **{question.rows: rows[:limit]})
