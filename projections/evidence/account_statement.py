"""Write the statement of an account for its player: movements with the balance after each.

What comes in: the movements of a period, and whose letterhead it bears. What goes out: one document
as text and as PDF, in Czech or English, the earliest movement first. It contains nothing about
other players; name and address of the player are encrypted, so the sender has to add them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from fpdf.enums import XPos, YPos

from projections.evidence.page import cleaned
from projections.evidence.pdf_text import FAMILY, on_letterhead, write_heading, write_line
from projections.words.names import named

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fpdf import FPDF

    from projections.questions.account_movements import AccountMovements
    from projections.store.period import Period
    from projections.words.catalogue import Words

__all__ = ["AccountStatement", "as_pdf", "as_text"]

COLUMNS = (
    ("moment", 50, "L"),
    ("event", 50, "L"),
    ("round", 34, "L"),
    ("amount", 28, "R"),
    ("balance", 28, "R"),
)
"""Names of the columns, their width in millimetres, and their side; together the width of A4."""
SIZE, ROW_MM = 7.5, 5.0


class AccountStatement(NamedTuple):
    """A statement: lines of the letterhead, the period, its movements, and what it rests on."""

    sender: tuple[str, ...]
    period: Period
    found: AccountMovements
    head: str
    recorded_at: int


def as_text(words: Words, statement: AccountStatement) -> str:
    """Return a statement as plain text, whose movements are rows with tabulators."""
    rows = [_headings(words), *_rows(words, statement)]
    lines = [
        *statement.sender,
        "",
        _title(words, statement),
        *_sums(words, statement),
        "",
        *(rows if statement.found.movements else []),
        "",
        *_end(words, statement),
    ]
    cells = ((one,) if isinstance(one, str) else one for one in lines)
    return "\n".join("\t".join(map(cleaned, row)) for row in cells)


def as_pdf(words: Words, statement: AccountStatement) -> bytes:
    """Return a statement as PDF/A; the same one gives the same bytes."""
    title, at = _title(words, statement), statement.recorded_at
    document = on_letterhead(title, statement.sender, at, words.language)
    write_heading(document, title)
    for line in _sums(words, statement):
        write_line(document, line, size=10)
    document.ln(3)
    if statement.found.movements:
        _write_row(document, _headings(words), style="B")
    for row in _rows(words, statement):
        if document.will_page_break(ROW_MM):
            document.add_page()
            _write_row(document, _headings(words), style="B")
        _write_row(document, row)
    document.ln(3)
    for line in _end(words, statement):
        write_line(document, line)
    return bytes(document.output())


def _title(words: Words, statement: AccountStatement) -> str:
    return words.text("account_statement.title", account=statement.found.account)


def _sums(words: Words, statement: AccountStatement) -> Iterator[str]:
    found, period = statement.found, statement.period
    first, last = words.date(period.first_day), words.date(period.last_day)
    yield words.text("account_statement.period", first=first, last=last)
    if statement.recorded_at < period.ends:
        at = words.moment(statement.recorded_at)
        yield words.text("account_statement.until", moment=at)
    for name in ("opening", "credits", "debits", "closing"):
        yield f"{words.text(f'access.{name}')}: {words.money(getattr(found, name))}"
    if not found.movements:
        yield words.text("account_statement.nothing")


def _headings(words: Words) -> tuple[str, ...]:
    return tuple(words.text(f"access.{name}") for name, _, _ in COLUMNS)


def _rows(words: Words, statement: AccountStatement) -> Iterator[tuple[str, ...]]:
    for one in reversed(statement.found.movements):
        event, money = named(words, "events", one.event), words.money
        yield words.moment(one.recorded_at), event, one.round, money(one.amount), money(one.balance)


def _end(words: Words, statement: AccountStatement) -> Iterator[str]:
    position, head = statement.found.position, statement.head
    yield words.text("letter.basis", position=position, head=head)


def _write_row(document: FPDF, row: tuple[str, ...], *, style: str = "") -> None:
    """Write a row; a text wider than its column becomes smaller, so that nothing is cut off."""
    for (name, width, side), text in zip(COLUMNS, map(cleaned, row), strict=True):
        document.set_font(FAMILY, style, SIZE)
        needed = document.get_string_width(text) + 2 * document.c_margin
        if needed > width:
            document.set_font(FAMILY, style, SIZE * width / needed)
        is_last = name == COLUMNS[-1][0]
        document.cell(
            width,
            ROW_MM,
            text,
            border="B",
            align=side,
            new_x=XPos.LMARGIN if is_last else XPos.RIGHT,
            new_y=YPos.NEXT if is_last else YPos.TOP,
        )
