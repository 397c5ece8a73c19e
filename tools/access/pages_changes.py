"""The page of changes: what was added, ended or changed in an answer between two places."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from tools.access.access_service import service_of
from tools.access.api_changes import add_comparisons, title_of
from tools.access.api_findings import paged
from tools.access.changes_shown import filled, shown_changes
from tools.access.language import words_of
from tools.access.pages import page
from tools.access.parameters import PageNumber
from tools.access.scopes import Scope

if TYPE_CHECKING:
    from tools.access.answer import Answer
    from tools.access.changes import Compared

__all__ = ["router"]

router = APIRouter(prefix="/changes")


def _respond(request: Request, compared: Compared, answer: Answer, part: int) -> Response:
    scopes = service_of(request).visitor(request).reader.scopes
    changes = shown_changes(
        words_of(request), compared, answer.found, links_accounts=Scope.ACCOUNTS in scopes
    )
    rows = list(changes)
    shown, pages = paged(rows, part)
    return page(
        request,
        "changes.html",
        answer=answer,
        found=answer.found,
        rows=shown,
        count=len(rows),
        part=part,
        pages=pages,
        of=title_of(request, compared),
        origin=filled(compared.page or compared.path, request.path_params),
        has_day=compared.question.has_span,
    )


add_comparisons(router, _respond, [("part", Annotated[PageNumber, Query(alias="page")], 1)])
