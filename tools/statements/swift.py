"""MT940, the statement of SWIFT, as banks send it in files.

Fields are split here, so that a fault has its line and a file of any size is read in little memory;
each is read by the ``mt-940`` library. Messages of one statement that go on from page to page
(``60M``, ``62M``) are one. Of the text in field 86 a variable symbol and the reference from end to
end (``EREF+`` or ``/EREF/``, else ``KREF+``) are kept. Lines such as
``GIBACZPX 0800``, by which MultiCash heads a file, and its control characters are passed over.
"""

from __future__ import annotations

import logging
import re
from contextlib import contextmanager
from datetime import date
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace
from mt940 import tags
from mt940.models import Transactions
from mt940.processors import transaction_details_post_processor

from ledger.decisions.statements import StatementLine
from tools.statements.parts import (
    End,
    fault,
    is_same_account,
    minor,
    named,
    text_lines,
    variable_symbol_in,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

    from tools.statements.issuer import Issuer

__all__ = ["read_mt940"]

FIELD = re.compile(r":(\d\d[A-Z]?):")
BLOCK = re.compile(r"\{\d:|-|\}$")
HEADING = re.compile(r"[A-Z]{6}[A-Z0-9]{2,5} ?\d{4}|940 ?\d{0,2}|\d{1,20}", re.ASCII)
"""Bank, type of message and number of the client, where there is no block 1."""
NO_REFERENCE = {"", "NONREF", "NOTPROVIDED"}
END_TO_END = re.compile(r"/EREF/([^/]*)")
SUBFIELD = re.compile(r"\?\d\d")
FIELD_LINES_MAX = 100
WIDTH = 65
"""Signs of a line of field 86 that goes on in the next one in the midst of a word."""
IDENTIFIERS = {"CHG": "fee", "CHK": "payment", "INT": "interest", "RTI": "reversal"}
"""Kinds by the last three letters of the transaction type."""

_STATEMENT, _OPENING, _CLOSING = tags.Statement(), tags.OpeningBalance(), tags.FinalClosingBalance()
_NUMBER = tags.StatementNumber()
_NOBODY = Transactions()
_NOBODY.data["currency"] = None
logging.getLogger("mt940").setLevel(logging.CRITICAL)  # it tells every fault, which we raise


def read_mt940(file: BinaryIO, issuer: Issuer) -> Iterator[StatementLine | End]:
    """Read a file; see :mod:`tools.statements.parts` for what comes out."""
    reading = _Reading(issuer)
    is_any, line = False, 1
    for line, tag, value in _fields(file):
        for part in reading.take(line, tag, value):
            is_any = is_any or isinstance(part, End)
            yield part
    yield from reading.waiting()
    if reading.opening is not None:
        raise fault(line, 1, "the file ends before the closing balance, field 62F")
    if not is_any:
        raise fault(1, 1, "there is no statement: no field 60F and 62F")


class _Reading:
    """The statement that is being read: its balance, and the line whose field 86 may follow."""

    def __init__(self, issuer: Issuer) -> None:
        self.issuer = issuer
        self.opening: tuple[int, date] | None = None
        self._line: StatementLine | None = None
        self._number = ""
        self._has_account = False

    def take(self, line: int, tag: str, value: str) -> Iterator[StatementLine | End]:
        """Take the next field; return what is whole by it."""
        if tag == "86" and self._line is not None:
            symbol = variable_symbol_in(_text_of(value))
            self._line = replace(
                self._line,
                variable_symbol=self._line.variable_symbol or symbol,
                end_to_end=_end_to_end(value, line) or self._line.end_to_end,
            )
            return
        yield from self.waiting()
        match tag:
            case "25" | "25P":
                account = value.split("\n", maxsplit=1)[0].strip()
                if not is_same_account(self.issuer.account, account):
                    text = f"account {account} is not {self.issuer.account} of the issuer"
                    raise fault(line, len(tag) + 3, text)
                self._has_account = True
            case "28" | "28C":
                self._number = str(_read(_NUMBER, line, value)["statement_number"])
            case "60F":
                if self.opening is not None:
                    raise fault(line, 1, "another statement begins before field 62F of this one")
                self.opening = self._balance(_OPENING, line, value)
            case "60M" | "62M":
                if self.opening is None:
                    raise fault(line, 1, f"field {tag} before the opening balance, field 60F")
                self._balance(_OPENING, line, value)
            case "61":
                if self.opening is None:
                    raise fault(line, 1, "a line before the opening balance, field 60F")
                self._line = self._movement(line, value)
            case "62F":
                yield self._end(line, value)

    def waiting(self) -> Iterator[StatementLine]:
        """Give the line that waits for its field 86."""
        if self._line is not None:
            yield self._line
        self._line = None

    def _balance(self, tag: tags.Tag, line: int, value: str) -> tuple[int, date]:
        found = _read(tag, line, value)
        if found["currency"] != self.issuer.currency:
            text = f"currency {found['currency']} is not {self.issuer.currency} of the issuer"
            raise fault(line, 13, text)
        amount = minor(found["amount"].rstrip(","), line, 16)
        return -amount if found["status"] == "D" else amount, _day(found, line)

    def _movement(self, line: int, value: str) -> StatementLine:
        found = _read(_STATEMENT, line, value)
        with _read_by_library(line, value):
            whole: dict[str, Any] = _STATEMENT(_NOBODY, dict(found))
        valued = whole["date"]
        booked = whole.get("entry_date") or valued
        status, kind = found["status"].upper(), (found["id"] or "").upper()[-3:]
        amount = minor(found["amount"].rstrip(","), line, "amount")
        reference = named(found["customer_reference"], line, "reference of the customer")
        is_symbol = reference.isascii() and reference.isdigit() and len(reference) <= 10  # noqa: PLR2004 - digits of a symbol
        return StatementLine(
            place=line,
            kind="reversal" if "R" in status else IDENTIFIERS.get(kind, "payment"),  # type: ignore[arg-type]
            booked=date(booked.year, booked.month, booked.day),
            valued=date(valued.year, valued.month, valued.day),
            amount=amount if status in {"C", "RD"} else -amount,
            end_to_end="" if is_symbol or reference in NO_REFERENCE else reference,
            variable_symbol=reference.lstrip("0") if is_symbol else "",
            their_reference=named(found["bank_reference"], line, "reference of the bank"),
        )

    def _end(self, line: int, value: str) -> End:
        if self.opening is None:
            raise fault(line, 1, "a closing balance without an opening one, field 60F")
        if not self._has_account:
            raise fault(line, 1, "the statement has no account, field 25")
        closing, last = self._balance(_CLOSING, line, value)
        opening, opened_on = self.opening
        self.opening, self._has_account = None, False
        return End(
            line,
            self._number,
            last_day=last,
            opening=opening,
            closing=closing,
            opened_on=opened_on,
        )


def _text_of(value: str) -> str:
    """Write the lines of field 86 as one; its subfields begin words."""
    lines = (line if len(line) == WIDTH else f"{line} " for line in value.split("\n"))
    return SUBFIELD.sub(" ", "".join(lines))


def _end_to_end(value: str, line: int) -> str:
    """Find the reference that the payer gave, in subfields of field 86 or between its slashes."""
    text = {"transaction_details": value}
    found = transaction_details_post_processor(_NOBODY, _STATEMENT, text, dict(text))
    slashed = END_TO_END.search("".join(value.split("\n")))
    for stated in (
        found.get("end_to_end_reference"),
        slashed and slashed[1],
        found.get("customer_reference"),
    ):
        reference = named(stated or "", line, "reference from end to end")
        if reference not in NO_REFERENCE:
            return reference
    return ""


def _fields(file: BinaryIO) -> Iterator[tuple[int, str, str]]:
    """Give each field with its line, its tag and its value, whose lines stay lines."""
    begun, tag, lines = 0, "", [""]
    for number, line in text_lines(file):
        text = line.strip("\x01\x03")
        if found := FIELD.match(text):
            if tag:
                yield begun, tag, "\n".join(lines)
            begun, tag, lines = number, found[1], [text[found.end() :]]
        elif BLOCK.match(text) or not text.strip():
            if tag:
                yield begun, tag, "\n".join(lines)
            tag = ""
        elif not tag and HEADING.fullmatch(text.strip()):
            continue
        elif not tag:
            raise fault(number, 1, f"{text[:20]!r} belongs to no field such as :61:")
        else:
            lines.append(text)
            if len(lines) > FIELD_LINES_MAX:
                raise fault(number, 1, f"field {tag} has more than {FIELD_LINES_MAX} lines")
    if tag:
        yield begun, tag, "\n".join(lines)


def _read(tag: tags.Tag, line: int, value: str) -> dict[str, Any]:
    with _read_by_library(line, value):
        return dict(tag.parse(_NOBODY, value))
    raise AssertionError


@contextmanager
def _read_by_library(line: int, value: str) -> Iterator[None]:
    """Name the place of what the library can't read."""
    try:
        yield
    except (RuntimeError, ValueError, ArithmeticError) as error:
        raise fault(line, 5, f"{value[:60]!r} is not as MT940 has it") from error


def _day(found: dict[str, Any], line: int) -> date:
    try:
        return date(2000 + int(found["year"]), int(found["month"]), int(found["day"]))
    except ValueError as error:
        text = f"{found['year']}{found['month']}{found['day']}"
        raise fault(line, 6, f"{text!r} is no day as YYMMDD") from error
