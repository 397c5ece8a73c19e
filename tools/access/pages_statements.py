"""The page of statements: how the lines of each stand, what waits, what does not agree."""

from __future__ import annotations

from collections import Counter
from datetime import date, timedelta
from typing import Annotated, Any, NamedTuple

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from ledger.core.clock import in_prague
from projections.findings.finding import Finding
from projections.matching.match import StatementSums
from projections.matching.statement_states import foreign_currencies, imported_statements
from projections.matching.values import Waiting
from tools.access.access_service import may_act, serve_query, service_of
from tools.access.api_findings import known, paged
from tools.access.pages import page
from tools.access.parameters import PageNumber
from tools.access.query_context import QueryContext
from tools.access.scopes import Scope
from tools.data.matching_cache import cached_matching

__all__ = ["router"]

router = APIRouter()

PAGE = 20
"""Statements of a page."""


class _Statement(NamedTuple):
    """A statement as it was imported, how its lines stand while it counts, its open findings."""

    imported: dict[str, Any]
    matched: StatementSums | None
    findings: int


class _Statements(NamedTuple):
    """The statements of a page, what waits, and the findings that have a side outside."""

    listed: list[_Statement]
    pages: int
    waiting: list[tuple[date, Waiting]]
    today: date
    findings: list[Finding]
    currencies: dict[str, str]


@router.get("/statements")
def statements_page(
    request: Request, part: Annotated[PageNumber, Query(alias="page")] = 1
) -> Response:
    """Show what was imported, matched and not matched of each statement, and both sides."""
    service = service_of(request)

    def ask(context: QueryContext) -> _Statements:
        findings = context.examined.findings
        outside = [one for one in findings if one.ours is not None or one.theirs is not None]
        matching = cached_matching(
            service.sources.directory, context.store, at=context.size, now=context.now
        )
        by_name = {one.statement: one for one in matching.statements}
        open_of = Counter(
            one.theirs.statement
            for one in known(context, context.examined)
            if one.is_open and one.theirs is not None
        )
        imported, pages = paged(imported_statements(context.store, context.size), part, PAGE)
        return _Statements(
            [
                _Statement(one, by_name.get(one["statement"]), open_of[one["statement"]])
                for one in imported
            ],
            pages,
            [(date(1970, 1, 1) + timedelta(days=one.until), one) for one in matching.waiting],
            in_prague(context.recorded_at).date(),
            outside,
            foreign_currencies(context.store, context.size),
        )

    answer = serve_query(
        request,
        Scope.MONEY,
        ask,
        is_timed=True,
        is_slow=True,
        is_examined=True,
        rows=lambda found: len(found.listed),
    )
    found: _Statements = answer.found
    writers = request.app.state.writers
    return page(
        request,
        "statements.html",
        answer=answer,
        found=found,
        part=part,
        issuers=writers.issuer_names() if may_act(request, Scope.IMPORT) else None,
        may_fetch=may_act(request, Scope.IMPORT) and writers.has_sources(),
    )
