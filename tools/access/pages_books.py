"""The pages of the books: a period closed, with its downloads; open items by age."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from fastapi import APIRouter, Request
from starlette.responses import Response

from ledger.core.clock import in_prague
from projections.books.before_closing import MissingDays, missing_days, pending_write_offs
from projections.books.closing import Closing, close
from projections.books.sheets import Sheet, of_closing, of_tax
from projections.books.tax import tax_base
from projections.store.period import Period, read_period
from tools.access.access_service import serve_query, service_of
from tools.access.addresses import serve_question
from tools.access.api_findings import known
from tools.access.language import words_of
from tools.access.pages import page
from tools.access.parameters import AsOf as When
from tools.access.parameters import Named
from tools.access.query_context import QueryContext
from tools.access.questions.duties import items_by_age
from tools.access.scopes import Scope

__all__ = ["router"]

router = APIRouter()


class _Open(NamedTuple):
    """What is open before a period closes: findings by code, days without a statement.

    ``write_offs`` is the number of those that wait for a second person.
    """

    findings: dict[str, int]
    missing: list[MissingDays]
    write_offs: int


class _Books(NamedTuple):
    """A period closed, its sheets, and what is open; None for an earlier place.

    ``is_over``: nothing can be added to the closing nor to the base of the tax.
    """

    closing: Closing
    is_over: bool
    sheets: list[Sheet]
    open: _Open | None


@router.get("/books")
def books_page(request: Request, period: Named = "", as_of: When = "") -> Response:
    """Show the books of a period; of the day of the last record where none is named."""
    words = words_of(request)

    def compute_books(context: QueryContext) -> _Books:
        text = period or in_prague(context.recorded_at).date().isoformat()
        found = read_period(text)
        closing = close(context.store, found, at=context.size, now=context.now)
        sheets = of_closing(closing, words)
        tax = tax_base(context.store, found, closing=closing)
        is_open = None if as_of else _open(context, found, closing)
        return _Books(closing, tax.is_over, sheets + of_tax(tax, words), is_open)

    def _open(context: QueryContext, found: Period, closing: Closing) -> _Open:
        last = service_of(request).examiner.last
        findings = known(context, last) if last else ()
        codes = (one.code for one in findings if one.is_open and one.position < closing.end)
        today = in_prague(context.now).date()
        return _Open(
            dict(sorted(Counter(codes).items())),
            missing_days(context.store, found, size=context.size, today=today),
            len(pending_write_offs(context.store, context.size)),
        )

    answer = serve_query(
        request,
        Scope.MONEY,
        compute_books,
        at=as_of,
        is_timed=True,
        is_slow=True,
        rows=lambda it: len(it.closing.trial),
    )
    found: _Books = answer.found
    return page(
        request,
        "books.html",
        answer=answer,
        closing=found.closing,
        is_over=found.is_over,
        sheets=found.sheets,
        open=found.open,
        last_day=read_period(found.closing.period).last_day,
        as_of=as_of,
    )


@router.get("/open-items")
def open_items_page(request: Request, as_of: When = "") -> Response:
    """Show what is open by its age, now or at the end of a day."""
    answer = serve_question(request, items_by_age, as_of=as_of)
    return page(request, "open_items.html", answer=answer, found=answer.found)
