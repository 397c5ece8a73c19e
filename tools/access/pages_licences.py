"""The page over all logs of a mirror, of a service that is given the folder of the mirror."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, NamedTuple

from fastapi import APIRouter, Request
from starlette.responses import Response

from ledger.core.clock import in_prague
from ledger.core.units import Unit, units_of
from projections.words.catalogue import Words
from tools.access.access_service import require_scopes, serve_query
from tools.access.cells import heading_of, in_words
from tools.access.language import words_of
from tools.access.pages import moment_of, page
from tools.access.query_context import QueryContext
from tools.access.questions.declaration import Question
from tools.access.questions.licences import QUESTIONS
from tools.access.scopes import Scope
from tools.mirror.folder import MirrorFolder
from tools.mirror.shared_tables import MissingCopy, SharedTables
from tools.mirror.status import CopyStatus, copies_of

__all__ = ["LICENCES", "router"]

router = APIRouter()

LICENCES = "/licences"
ROWS_MAX = 100
"""Rows of one answer that are shown; commands and their CSV have all."""


class _Section(NamedTuple):
    """An answer: the question's words on the command line, the period, and a table."""

    question: Question
    period: str
    rows: list[Any]


class _Licences(NamedTuple):
    copies: list[CopyStatus]
    sections: list[_Section]
    missing: list[MissingCopy]


@router.get(LICENCES)
def licences_page(request: Request) -> Response:
    """Show the state of all logs, and the answers to the questions over all of them."""
    words = words_of(request)
    require_scopes(request, Scope.ROUNDS, Scope.ACCOUNTS)
    mirror: MirrorFolder = request.app.state.mirror

    def ask(context: QueryContext) -> _Licences:
        month = in_prague(context.now).date().isoformat()[:7]
        with SharedTables(mirror) as shared:
            sections = []
            for question in QUESTIONS:
                given = {"period": month} if "period" in question.parameters else {}
                rows = list(question.rows_of(question.ask(shared, **given)))
                sections.append(_Section(question, month if given else "", rows[:ROWS_MAX]))
            return _Licences(copies_of(mirror, context.now), sections, shared.missing())

    answer = serve_query(
        request,
        Scope.MONEY,
        ask,
        is_of_chain=False,
        with_scopes=(Scope.ROUNDS, Scope.ACCOUNTS),
        rows=lambda found: len(found.copies),
    )
    tables = [
        (one.question.command, one.period, *_table(words, one.question.row, one.rows))
        for one in answer.found.sections
    ]
    found = answer.found
    return page(request, "licences.html", answer=answer, found=found, tables=tables)


def _table(words: Words, kind: type, rows: list[Any]) -> tuple[list[str], list[list[Any]]]:
    """Return the headings of a table in the words of the reader, and its cells."""
    names = [one.name for one in fields(kind)]
    headings = [heading_of(words, kind, name) for name in names]
    columns = [_cells(words, kind, name, [getattr(row, name) for row in rows]) for name in names]
    return headings, [list(row) for row in zip(*columns, strict=True)]


def _cells(words: Words, kind: type, name: str, values: list[Any]) -> list[Any]:
    unit = units_of(kind)[name]

    def cell(value: Any) -> Any:
        if value is None:
            return ""
        if unit is Unit.HALER:
            return words.money(value)
        if unit is Unit.MOMENT:
            return moment_of(words, value)
        if isinstance(value, list):
            return ", ".join(value)
        return words.rounded(value) if isinstance(value, float) else value

    return [cell(value) for value in in_words(words, kind, name, values)]
