"""The API of the books: a period closed, the base of the tax, and both as a workbook."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastapi import APIRouter, Depends, Request
from starlette.responses import Response

from projections.books.closing import Closing, close
from projections.books.sheets import of_closing, of_tax
from projections.books.tax import TaxBase, tax_base
from projections.store.period import read_period
from tools.access.addresses import add_addresses
from tools.access.downloads import Content, download, of_bytes
from tools.access.formats import choose
from tools.access.language import words_of
from tools.access.openapi import gives_files
from tools.access.parameters import AsOf, Name, form_wished
from tools.access.query_context import QueryContext
from tools.access.questions.declaration import question
from tools.access.scopes import Scope
from tools.access.writers import XLSX
from tools.data.workbook import as_workbook

if TYPE_CHECKING:
    from projections.books.sheets import Sheet
    from projections.words.catalogue import Words

__all__ = ["router", "sheets_of"]

router = APIRouter(prefix="/api/books", dependencies=[Depends(form_wished)])


@question("/{period}", Scope.MONEY, rows="trial", is_timed=True)
def closing(context: QueryContext, period: str) -> Closing:
    """Close a day, month or quarter, such as 2026-11-20, 2026-11 or 2026-Q4.

    As a list it is the trial balance. Balances are debit above zero.
    """
    return close(context.store, read_period(period), at=context.size, now=context.now)


@question("/{period}/tax", Scope.MONEY, is_timed=True, serving={"is_slow": True})
def tax(context: QueryContext, period: str) -> TaxBase:
    """Give the base of the gambling tax of a period (act 187/2016), with its parts."""
    return tax_base(context.store, read_period(period), at=context.size, now=context.now)


add_addresses(router, closing, tax)


@router.get("/{period}/workbook", response_class=Response, responses=gives_files(XLSX))
def workbook(request: Request, period: Name, as_of: AsOf = "") -> Response:
    """Give trial balance, games, channels, floor, corrections and tax as sheets of a workbook.

    Money is in units of its currency; words are in the language of the reader.
    """
    choose(request, {XLSX: "xlsx"})
    words = words_of(request)

    def prepare(context: QueryContext) -> Content:
        content = as_workbook(sheets_of(context, period, words))
        return Content(of_bytes(content), XLSX, f"books-{period}.xlsx")

    return download(request, Scope.MONEY, prepare, at=as_of, is_named=True)


def sheets_of(context: QueryContext, period: str, words: Words) -> list[Sheet]:
    """Return all sheets of a period."""
    found = read_period(period)
    closed = close(context.store, found, at=context.size, now=context.now)
    return [
        *of_closing(closed, words),
        *of_tax(tax_base(context.store, found, closing=closed), words),
    ]
