"""Write sheets of the books as a workbook (XLSX).

Input: sheets with money in hundredths. Output: bytes; the same sheets give the same bytes. Money is
written in units of its currency with two decimals, as an accountant reads it; no text is a formula.
"""

from __future__ import annotations

import io
from datetime import datetime
from decimal import Decimal
from typing import TYPE_CHECKING

from tools.sanitize import for_spreadsheet

if TYPE_CHECKING:
    from collections.abc import Iterable

    from projections.books.sheets import Sheet

__all__ = ["as_workbook"]

HUNDREDTH = Decimal("0.01")
MADE = datetime(2000, 1, 1)  # noqa: DTZ001 - a workbook has no zone; that of the making would differ
TITLE_MAX = 31
WIDTHS = {"text": 26, "money": 18, "count": 10}


def as_workbook(sheets: Iterable[Sheet]) -> bytes:
    """Write sheets as a workbook, sums in bold."""
    import xlsxwriter

    out = io.BytesIO()
    options = {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False}
    with xlsxwriter.Workbook(out, options) as book:
        book.set_properties({"created": MADE})
        forms = {
            (kind, is_bold): book.add_format({"bold": is_bold, **number})
            for kind, number in (
                ("text", {}),
                ("count", {"num_format": "#,##0"}),
                ("money", {"num_format": "#,##0.00"}),
            )
            for is_bold in (False, True)
        }
        for sheet in sheets:
            page = book.add_worksheet(sheet.title[:TITLE_MAX])
            page.freeze_panes(1, 1)
            for place, head in enumerate(sheet.heads):
                page.set_column(place, place, WIDTHS[head.kind])
                page.write_string(0, place, head.text, forms["text", True])
            for line, row in enumerate(sheet.rows, 1):
                is_sum = line > len(sheet.rows) - sheet.sums
                for place, (head, value) in enumerate(zip(sheet.heads, row, strict=True)):
                    form = forms[head.kind, is_sum]
                    if isinstance(value, int):
                        number = value * HUNDREDTH if head.kind == "money" else value
                        page.write_number(line, place, number, form)
                    elif value is not None:
                        page.write_string(line, place, for_spreadsheet(value), form)
    return out.getvalue()
