"""The page for questions in SQL: the same door as that of the API, and what may be asked."""

from __future__ import annotations

from contextlib import closing
from http import HTTPStatus
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from projections.store.reader_views import shown, view_name
from projections.words.descriptions import translate_column, translate_view
from tools.access.access_service import serve_query
from tools.access.api_chain import SQL_MAX
from tools.access.language import words_of
from tools.access.pages import page
from tools.access.query_context import QueryContext
from tools.access.scopes import Scope
from tools.access.sql_gateway import TablesVersion, read_answer, run_sql
from tools.web.problems import ProblemError

__all__ = ["router"]

router = APIRouter()

ROWS_MAX = 500
"""Rows on the page; the API gives all."""
OF_THE_GATEWAY = frozenset({"sql", "sql-limit"})
"""Problems that the page tells beside the question."""


@router.get("/sql")
def sql_page(request: Request, q: Annotated[str, Query(max_length=SQL_MAX)] = "") -> Response:
    """Ask one SELECT; without a question, show what there is to ask."""

    def ask(context: QueryContext) -> dict[str, Any] | None:
        if not q.strip():
            return None
        with closing(context.store.for_readers()) as client:
            version = TablesVersion(context.size, context.store.database)
            return read_answer(run_sql(client, q, "JSONCompact", version=version))

    words = words_of(request)
    views = [
        (
            view_name(one.name),
            translate_view(words, one.name, one.meaning),
            [(name, kind, translate_column(words, text)) for name, kind, text in columns],
        )
        for one, columns in shown()
    ]
    try:
        answer = serve_query(
            request, Scope.SQL, ask, rows=lambda found: found["rows"] if found else 0
        )
    except ProblemError as problem:
        if problem.kind not in OF_THE_GATEWAY:
            raise
        return page(
            request,
            "sql.html",
            status=HTTPStatus.BAD_REQUEST,
            answer=None,
            found=None,
            fault=problem.reason,
            question=q,
            views=views,
        )
    found = answer.found and {**answer.found, "data": answer.found["data"][:ROWS_MAX]}
    return page(request, "sql.html", answer=answer, found=found, fault="", question=q, views=views)
