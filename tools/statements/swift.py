"""MT940, the statement of SWIFT, as banks send it in files.

A message begins with field 20 and ends with a line that is ``-``, ``-}`` or ``-XXX``; what banks
write before and behind it is no part of a statement. Messages of one statement that go on from
page to page (``60M``, ``62M``) are one, and statements of other accounts, or of other currencies of
the account, are left out and reported.
Of the text in field 86, or in ``NS`` of German and Hungarian banks, a variable symbol and the
reference from end to end (``EREF+`` or ``/EREF/``, else ``KREF+``) are kept.
"""

from __future__ import annotations

import logging
import re
from calendar import monthrange
from datetime import date, timedelta
from typing import TYPE_CHECKING

from msgspec.structs import replace
from mt940 import tags
from mt940.models import Transactions
from mt940.processors import transaction_details_post_processor

from ledger.decisions.statements import StatementLine
from tools.statements.parts import (
    End,
    Note,
    crowns,
    fault,
    is_same_account,
    minor,
    named,
    other_accounts,
    text_lines,
    variable_symbol_in,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

    from tools.statements.issuer import Issuer

__all__ = ["is_own_mt940", "read_mt940"]

FIELD = re.compile(r":(\d\d[A-Z]?|NS):", re.ASCII)
TAGS = frozenset(
    "13 13D 20 21 25 25P 28 28C 34F 60F 60M 61 62F 62M 64 65 86 90C 90D NS".split()  # noqa: SIM905 - a list of 18 quoted words is harder to read
)
"""Fields of MT940 and MT942. Others are the text of a field 86 or NS where they stand in one."""
TEXT_TAGS = frozenset({"86", "NS"})
END = re.compile(r"-(XXX)?|-\}.*")
BLOCK = re.compile(r"\{[1-5]:")
SIZE = r"0{0,30}\d{1,13}(?:[,.]\d{0,5})?(?![\d,.])"
MOVEMENT = re.compile(
    rf"(?P<valued>\d{{6}})(?:(?P<entry>\d{{4}})| {{4}})?(?P<mark>R?[CD])[A-Z]?\s*(?P<amount>{SIZE})"
    r"(?:[A-Z](?P<kind>[A-Z0-9]{3}))?(?P<reference>.*?)(?://(?P<bank>.*))?",
    re.ASCII | re.IGNORECASE,
)
MARK_ALONE = re.compile(r"^(\d{6}(?:\d{4}| {4})?R?[CD][A-Z]?) *\n", re.ASCII | re.IGNORECASE)
"""A field 61 whose amount is on the next line."""
BALANCE = re.compile(rf"([CD])(\d{{6}})([A-Z]{{3}})({SIZE})", re.ASCII | re.IGNORECASE)
CHARGES = rf"/{{}}/([A-Z]{{{{3}}}})({SIZE.replace('{', '{{').replace('}', '}}')})(?=/|$)"
NUMBER = re.compile(r"(\d{1,12})(?:/(\d{1,12}))?", re.ASCII)
NO_REFERENCE = {"", "NONREF", "NOTPROVIDED"}
END_TO_END = re.compile(r"/EREF/([^/]*)")
SUBFIELD = re.compile(r"\?\d\d")
FIELD_LINES_MAX = 100
MONTHS = 12
MONTH_DAYS_MAX = 31
VALUE_DAYS_MAX = timedelta(days=92)
"""Usual distance of a value day from the day of booking, at most."""
WIDTH = 65
"""Signs of a line of field 86 that goes on in the next one in the midst of a word."""
IDENTIFIERS = {"CHG": "fee", "CHK": "payment", "INT": "interest", "RTI": "reversal"}
"""Kinds by the last three letters of the transaction type."""

_STATEMENT = tags.Statement()
_NOBODY = Transactions()
_NOBODY.data["currency"] = None
logging.getLogger("mt940").setLevel(logging.CRITICAL)  # its faults are raised here with their place


def read_mt940(file: BinaryIO, issuer: Issuer) -> Iterator[StatementLine | End | Note]:
    """Read a file; see :mod:`tools.statements.parts` for the output."""
    reading = _Reading(issuer)
    is_any, line = False, 1
    for line, tag, value in _fields(file):
        for part in reading.take(line, tag, value):
            is_any = is_any or isinstance(part, End)
            yield part
    yield from reading.waiting()
    if reading.opening is not None:
        raise fault(line, 1, "FILE_ENDS_EARLY")
    yield from other_accounts(reading.others, issuer, is_any=is_any)
    if not is_any:
        raise fault(1, 1, "NO_STATEMENT", field=": no field 60F and 62F")


def is_own_mt940(account: str, issuer: Issuer) -> bool:
    """Return whether an account, as a file names it, is that of an issuer.

    Some banks write the currency behind the number.
    """
    plain = account.removesuffix(issuer.currency).strip()
    return any(is_same_account(issuer.account, one) for one in (account, plain))


class _Reading:
    """The statement being read: its balance, and the line that a field 86 may follow."""

    def __init__(self, issuer: Issuer) -> None:
        self.issuer = issuer
        self.opening: tuple[int, date] | None = None
        self.others: dict[str, tuple[int, int]] = {}
        self._line: StatementLine | None = None
        self._number = ""
        self._page: tuple[int, int] | None = None
        self._reached = 0
        self._account_named = ""
        self._is_other = False

    def take(self, line: int, tag: str, value: str) -> Iterator[StatementLine | End]:
        """Process the next field; return the lines and ends that it completes."""
        if tag in TEXT_TAGS:
            if self._line is not None:
                self._line = _with_text(self._line, tag, value, line)
                self._line = _with_charges(self._line, value, self.issuer.currency)
            return
        yield from self.waiting()
        if tag in {"25", "25P"}:
            self._account(line, tag, value)
        if self._is_other:
            self._is_other = tag != "20"
            return
        if self.opening is None and tag in {"60M", "61", "62M", "62F"}:
            raise fault(line, 1, "FIELD_BEFORE_OPENING", field=tag)
        match tag:
            case "28" | "28C":
                self._begin_page(line, value)
            case "60F":
                if self.opening is not None:
                    raise fault(line, 1, "STATEMENT_NOT_ENDED")
                if (currency := self._other_currency(value)) and self._account_named:
                    self._is_other = True
                    self.others.setdefault(f"{self._account_named} in {currency}", (line, 13))
                    self._account_named = ""
                    return
                self.opening = self._balance(line, value)
                self._reached = self.opening[0]
            case "60M" | "62M":
                self._require_reached(line, tag, self._balance(line, value)[0])
            case "61":
                self._line = self._movement(line, value)
                self._reached += self._line.amount
                self._line = _with_charges(self._line, value, self.issuer.currency)
            case "62F":
                yield self._end(line, value)

    def waiting(self) -> Iterator[StatementLine]:
        """Yield the line that waits for its field 86."""
        if self._line is not None:
            yield self._line
        self._line = None

    def _begin_page(self, line: int, value: str) -> None:
        """Read the number of a statement and its page; a page that is left out is a fault."""
        found = NUMBER.match(value.strip())
        page = (int(found[1]), int(found[2])) if found and found[2] else None
        if self.opening is None:
            self._number = _number(value, line)
        elif self._page and page and page[0] == self._page[0]:
            before = self._page[1]
            if not before <= page[1] <= before + 1:
                raise fault(line, 6, "PAGE_MISSING", page=page[1], number=page[0], before=before)
        self._page = page

    def _require_reached(self, line: int, tag: str, balance: int) -> None:
        if balance != self._reached:
            raise fault(
                line,
                6,
                "INTERIM_NOT_REACHED",
                reached=crowns(self._reached),
                field=f", field {tag},",
                stated=crowns(balance),
            )

    def _account(self, line: int, tag: str, value: str) -> None:
        account = value.split("\n", maxsplit=1)[0].strip()
        self._is_other = not is_own_mt940(account, self.issuer)
        if not self._is_other:
            self._account_named = account
        elif self.opening is None:
            self.others.setdefault(account, (line, len(tag) + 3))
        else:
            raise fault(line, len(tag) + 3, "ACCOUNT_BEFORE_CLOSING", text=account)

    def _other_currency(self, value: str) -> str:
        """Return the currency of a balance, if it is not that of the issuer.

        An account may have a statement in each of its currencies.
        """
        found = BALANCE.fullmatch(value.strip())
        currency = found[3].upper() if found else self.issuer.currency
        return "" if currency == self.issuer.currency else currency

    def _balance(self, line: int, value: str) -> tuple[int, date]:
        found = BALANCE.fullmatch(value.strip())
        if found is None:
            raise _unread(line, value)
        mark, day, currency, amount = found.groups()
        if currency.upper() != self.issuer.currency:
            due = self.issuer.currency
            raise fault(line, 13, "CURRENCY_OF_ANOTHER", text=currency, due=due)
        size = minor(amount.rstrip(",."), line, 16)
        return -size if mark.upper() == "D" else size, _day(day, line, value)

    def _movement(self, line: int, value: str) -> StatementLine:
        text = MARK_ALONE.sub(r"\1", value, count=1)
        found = MOVEMENT.fullmatch(text.split("\n", maxsplit=1)[0].rstrip())
        if found is None:
            raise _unread(line, value)
        valued = _day(found["valued"], line, value, is_value=True)
        booked = valued
        if found["entry"] and self.opening is not None:
            booked = _entry_day(found["entry"], valued, self.opening[1], line, value)
        mark, kind = found["mark"].upper(), (found["kind"] or "").upper()
        amount = minor(found["amount"].rstrip(",."), line, "amount")
        reference = named(found["reference"], line, "reference of the customer")
        is_symbol = reference.isascii() and reference.isdigit() and len(reference) <= 10  # noqa: PLR2004 - digits of a symbol
        return StatementLine(
            place=line,
            kind="reversal" if "R" in mark else IDENTIFIERS.get(kind, "payment"),  # type: ignore[arg-type]
            booked=booked,
            valued=valued,
            amount=amount if mark in {"C", "RD"} else -amount,
            end_to_end="" if is_symbol or reference in NO_REFERENCE else reference,
            variable_symbol=reference.lstrip("0") if is_symbol else "",
            their_reference=named(found["bank"], line, "reference of the bank"),
        )

    def _end(self, line: int, value: str) -> End:
        if self.opening is None:
            raise AssertionError("a closing balance without an opening one")
        if not self._account_named:
            raise fault(line, 1, "STATEMENT_UNNAMED", field="field 25")
        closing, last = self._balance(line, value)
        opening, opened_on = self.opening
        currency = self.issuer.currency
        account = f"{self._account_named.removesuffix(currency).strip()} {currency}"
        self._account_named = ""
        self.opening = None
        return End(
            line,
            self._number,
            account,
            last_day=last,
            opening=opening,
            closing=closing,
            opened_on=opened_on,
        )


def _number(value: str, line: int) -> str:
    """Return the number of a statement; that of its message where it has several."""
    found = NUMBER.match(value.strip())
    if found is None:
        return named(value, line, "number of the statement")
    number, part = int(found[1]), int(found[2] or 1)
    return str(number) if part <= 1 else f"{number}/{part}"


def _with_text(line: StatementLine, tag: str, value: str, place: int) -> StatementLine:
    """Add the text of field 86 or NS to a line."""
    if tag == "NS":
        text = " ".join(one[2:] if one[:2].isdigit() else one for one in value.split("\n"))
        return replace(line, variable_symbol=line.variable_symbol or variable_symbol_in(text))
    return replace(
        line,
        variable_symbol=line.variable_symbol or variable_symbol_in(_text_of(value)),
        end_to_end=_end_to_end(value, place) or line.end_to_end,
    )


def _with_charges(line: StatementLine, value: str, currency: str) -> StatementLine:
    """Take the charges that the amount includes out of it, if the text has both amounts.

    ``/OCMT/`` is the amount before ``/CHGS/``, the charges, of either direction.
    """
    text = "".join(value.split("\n"))
    stated = [
        found for code in ("OCMT", "CHGS") for found in re.findall(CHARGES.format(code), text)
    ]
    if line.fee or [unit for unit, _ in stated] != [currency] * 2:
        return line
    whole, fee = (minor(size.rstrip(",."), line.place, "charges") for _, size in stated)
    gross = line.amount + fee
    return replace(line, amount=gross, fee=fee) if abs(gross) == whole else line


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
    """Yield each field with its line, its tag and its value, whose lines stay lines."""
    begun, tag, lines = 0, "", [""]
    is_inside = False
    for number, line in text_lines(file):
        text = line.strip("\x01\x03")
        found = FIELD.match(text)
        if found and tag in TEXT_TAGS and found[1] not in TAGS:
            found = None
        if END.fullmatch(text.rstrip()) or BLOCK.match(text):
            if tag:
                yield begun, tag, "\n".join(lines)
            tag, is_inside = "", False
        elif found:
            if tag:
                yield begun, tag, "\n".join(lines)
            is_inside = is_inside or found[1] == "20"
            if not is_inside:
                raise fault(number, 1, "FIELD_BEFORE_START", field=found[1])
            begun, tag, lines = number, found[1], [text[found.end() :]]
        elif is_inside:
            lines.append(text)
            if len(lines) > FIELD_LINES_MAX:
                raise fault(number, 1, "FIELD_TOO_LONG", field=tag, most=FIELD_LINES_MAX)
    if tag:
        yield begun, tag, "\n".join(lines)


def _unread(line: int, value: str) -> Exception:
    return fault(line, 5, "FIELD_MALFORMED", text=repr(value[:60]))


def _day(text: str, line: int, value: str, *, is_value: bool = False) -> date:
    """Read a day as YYMMDD; a value day behind the end of its month is the last one of it.

    German banks count interest in months of 30 days, and write a 30 February.
    """
    year, month, day = 2000 + int(text[:2]), int(text[2:4]), int(text[4:])
    if not (1 <= month <= MONTHS and 1 <= day <= MONTH_DAYS_MAX):
        raise _unread(line, value)
    last = monthrange(year, month)[1]
    if day > last and not is_value:
        raise _unread(line, value)
    return date(year, month, min(day, last))


def _entry_day(text: str, valued: date, opened: date, line: int, value: str) -> date:
    """Read the day of booking as MMDD, whose year the field leaves out.

    It is the nearest to the value day, unless this is far from the day of the opening balance: what
    is booked may have the value of another year, but not before the statement begins.
    """
    found = []
    years = sorted({valued.year, opened.year})
    for year in range(years[0] - 1, years[-1] + 2):
        month, day = int(text[:2]), int(text[2:])
        if 1 <= month <= MONTHS and 1 <= day <= monthrange(year, month)[1]:
            found.append(date(year, month, day))
    if not found:
        raise _unread(line, value)
    nearest = min(found, key=lambda one: abs(one - valued))
    if opened <= nearest and abs(nearest - valued) <= VALUE_DAYS_MAX:
        return nearest
    return min(found, key=lambda one: abs(one - opened))
