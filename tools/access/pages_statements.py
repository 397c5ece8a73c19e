"""The page of statements: how the lines of each stand, and what does not agree, with both sides."""

from __future__ import annotations

from typing import NamedTuple

from fastapi import APIRouter, Request
from starlette.responses import Response

from projections.matching.match import Matched
from projections.reconciliation.findings import Finding
from tools.access.access_service import serve_query, service_of
from tools.access.pages import page
from tools.access.query_context import QueryContext
from tools.access.scopes import Scope
from tools.data.matched import matched_once

__all__ = ["router"]

router = APIRouter()


class _Statements(NamedTuple):
    """How each statement stands, and the findings that have a side outside."""

    matched: tuple[Matched, ...]
    findings: list[Finding]


@router.get("/statements")
def statements_page(request: Request) -> Response:
    """Show what was imported, matched and not matched of each statement, and both sides."""
    service = service_of(request)

    def ask(context: QueryContext) -> _Statements:
        findings = context.examined.findings
        outside = [one for one in findings if one.ours is not None or one.theirs is not None]
        standing = matched_once(service.sources.directory, context.store, at=context.size)
        return _Statements(standing, outside)

    answer = serve_query(
        request,
        Scope.MONEY,
        ask,
        is_slow=True,
        is_examined=True,
        rows=lambda found: len(found.matched),
    )
    found: _Statements = answer.found
    return page(request, "statements.html", answer=answer, found=found)
