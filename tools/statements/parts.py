"""Common parts of the readers of all formats: places, days, amounts, symbols, and lines of text.

A reader takes a file and an issuer and yields lines, and after the lines of each statement its end.
Errors are ``InputError`` whose text begins with line and column.
"""

from __future__ import annotations

import re
from datetime import date, datetime
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from ledger.core.clock import PRAGUE
from ledger.core.errors import InputError
from ledger.core.phrases import Phrase
from ledger.decisions.statement_sequence import account_key, is_same_account
from ledger.events.command import NAME_MAX

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import BinaryIO

    from ledger.decisions.statements import StatementLine
    from tools.statements.issuer import Issuer

    Reader = Callable[[BinaryIO, Issuer], Iterator[StatementLine | "End" | "Note"]]

__all__ = [
    "LINE_BYTES_MAX",
    "End",
    "Note",
    "Reader",
    "RowFaultsError",
    "account_key",
    "crowns",
    "day_of",
    "fault",
    "is_same_account",
    "minor",
    "named",
    "other_accounts",
    "parsed_by",
    "text_lines",
    "variable_symbol_in",
]

LINE_BYTES_MAX = 1 << 20
ACCOUNTS_MAX = 20
"""Other accounts of a file that are named."""
AMOUNT = re.compile(r"([+-]?)0{0,30}(\d{1,13})(?:[.,](\d{1,30}))?", re.ASCII)
YEARS = range(1970, 2200)
MOMENT_LENGTH_MAX = 100
DIRECTIVE = re.compile(r"%(.)")
DIGITS = {"Y": "{4}", "j": "{3}", "f": "{1,6}", **dict.fromkeys("dmyHIMS", "{2}")}
"""How many digits the numbers of ``strptime`` forms have."""
BEHIND = (-1, -1, "")
SYMBOL = re.compile(r"(?<![A-Z0-9])VS[:/ ]?\s*(\d{1,10})(?!\d)", re.ASCII)


class RowFaultsError(InputError):
    """Several rows of a table are invalid; each error begins with its line and column."""

    def __init__(self, faults: Sequence[str | Phrase], file: str = "") -> None:
        """Join the errors, after the name of the file if it is given."""
        self.faults = tuple(faults)
        super().__init__(", ".join(filter(None, (file, "; ".join(map(str, self.faults))))))


class End(NamedTuple):
    """The end of a statement: its period and balances, and its totals of lines.

    ``account`` is the account as the file names it. ``opened_on`` is the day of the opening balance
    if the file names no first day. Amounts are in hundredths of the currency; None for what the
    file does not state. ``turnovers``, incoming and outgoing, are those of its entries where an
    entry may be several lines; None where each is one.
    """

    place: int
    number: str = ""
    account: str = ""
    first_day: date | None = None
    last_day: date | None = None
    opening: int | None = None
    closing: int | None = None
    opened_on: date | None = None
    stated_incoming: int | None = None
    stated_outgoing: int | None = None
    turnovers: tuple[int, int] | None = None


class Note(NamedTuple):
    """Content of a file other than the issuer's lines, to be reported."""

    text: Phrase


def other_accounts(
    accounts: Mapping[str, tuple[int, int]], issuer: Issuer, *, is_any: bool
) -> Iterator[Note]:
    """Report the other accounts of a file, which are given with line and column.

    Raises:
        InputError: the file has other accounts only.

    """
    names = list(accounts)
    shown, are_more = ", ".join(names[:ACCOUNTS_MAX]), len(names) > ACCOUNTS_MAX
    if not is_any and names:
        code = "ACCOUNT_OF_OTHERS" if are_more else "ACCOUNT_OF_ANOTHER"
        raise fault(*accounts[names[0]], code, text=shown, due=issuer.account)
    if names:
        code = "MORE_ACCOUNTS_LEFT_OUT" if are_more else "ACCOUNTS_LEFT_OUT"
        yield Note(Phrase(code, text=shown))


def fault(line: int, column: int | str, why: str | Phrase, **values: object) -> InputError:
    """Return an error that names its place.

    Args:
        line: its number, from 1.
        column: its number, from 1, or its name.
        why: the fault, or the code of its text.
        values: of the text.

    """
    why = why if isinstance(why, Phrase) else Phrase(why, **values)
    return InputError(Phrase("FAULT_AT", line=line, column=column, why=why))


def minor(text: str, line: int, column: int | str, *, as_written: str = "") -> int:
    """Parse an amount in crowns, with a point or a comma, as haléř.

    ``as_written`` is the text in the file, for the error message.
    """
    found = AMOUNT.fullmatch(text.strip())
    if found is None:
        raise fault(line, column, "AMOUNT_MALFORMED", text=repr(as_written or text))
    sign, whole, part = found.groups()
    part = part or ""
    if part[2:].strip("0"):
        raise fault(line, column, "AMOUNT_TOO_FINE", text=repr(as_written or text))
    value = int(whole) * 100 + int(part[:2].ljust(2, "0"))
    return -value if sign == "-" else value


def crowns(amount: int) -> str:
    """Format hundredths as in a file, such as ``-1234.50``, whatever the currency."""
    return f"{'-' if amount < 0 else ''}{abs(amount) // 100}.{abs(amount) % 100:02d}"


@lru_cache(maxsize=4096)
def _day(text: str, form: str) -> date | None:
    if form != "iso":
        found = parsed_by(text, form)
        return found and (found.astimezone(PRAGUE) if found.tzinfo else found).date()
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def parsed_by(text: str, form: str) -> datetime | None:
    """Parse a text by a form of ``strptime``; None if it has another one.

    Numbers that nothing parts have all their digits: ``1112026`` would be 11 January as well as 1
    November.
    """
    if len(text) > MOMENT_LENGTH_MAX or not _shape_of(form).fullmatch(text):
        return None
    try:
        found = datetime.strptime(text, form)  # noqa: DTZ007 - the form may have a zone
    except ValueError:
        return None
    return found if found.year in YEARS else None


@lru_cache(maxsize=64)
def _shape_of(form: str) -> re.Pattern[str]:
    """Return the shape of texts of a form: how many digits numbers have that nothing parts."""
    shape, at, digits_before = "", 0, ""
    directives = [(*one.span(), DIGITS.get(one[1], "")) for one in DIRECTIVE.finditer(form)]
    for (begin, end, digits), (following, _, digits_behind) in pairwise([*directives, BEHIND]):
        literal = re.escape(form[at:begin]).replace(r"\ ", r"\s+")
        is_parted = not ((digits_before and at == begin) or (digits_behind and end == following))
        shape += literal + (".*" if is_parted or not digits else rf"\d{digits}")
        at, digits_before = end, digits
    literal = re.escape(form[at:]).replace(r"\ ", r"\s+")
    return re.compile(shape + literal, re.IGNORECASE | re.DOTALL)


def day_of(text: str, form: str, line: int, column: int | str) -> date:
    """Parse a day in one format, of ``strptime`` or ``iso``; other formats are an error.

    The day of a moment with a zone is that in Prague.
    """
    found = _day(text.strip(), form)
    if found is None or found.year not in YEARS:
        if form == "iso":
            raise fault(line, column, "DAY_NOT_READ_ISO", text=repr(text))
        raise fault(line, column, "DAY_NOT_READ", text=repr(text), form=form)
    return found


def named(text: str | None, line: int, column: int | str) -> str:
    """Return a reference without blanks at its ends; one that is too long is a fault."""
    name = (text or "").strip()
    if len(name) > NAME_MAX:
        raise fault(line, column, "REFERENCE_TOO_LONG", found=len(name), most=NAME_MAX)
    return name


def variable_symbol_in(text: str) -> str:
    """Find a variable symbol as Czech banks write it: ``/VS123``, ``VS:123``, ``VS 123``."""
    found = SYMBOL.search(text)
    return found[1].lstrip("0") if found else ""


def text_lines(file: BinaryIO, encoding: str = "") -> Iterator[tuple[int, str]]:
    """Yield the lines of a text with their numbers, from 1, without line ends.

    A byte order mark of UTF-8 is removed and selects UTF-8. Without a given encoding a line is
    decoded as UTF-8 if possible, else as any single-byte encoding: texts are not kept then.

    Raises:
        InputError: bytes are invalid in the encoding, another byte order mark, or a line
            without an end.

    """
    number = 0
    while raw := file.readline(LINE_BYTES_MAX + 1):
        number += 1
        if number == 1:
            if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
                raise fault(1, 1, "TEXT_UTF16")
            if raw.startswith(b"\xef\xbb\xbf"):
                raw, encoding = raw[3:], "utf-8"
        if len(raw) > LINE_BYTES_MAX:
            raise fault(number, LINE_BYTES_MAX, "TEXT_LINE_ENDLESS")
        try:
            text = raw.decode(encoding or "utf-8")
        except UnicodeDecodeError as error:
            if not encoding:
                yield number, raw.decode("latin-1").rstrip("\r\n")
                continue
            byte = f"{raw[error.start]:02x}"
            raise fault(
                number, error.start + 1, "TEXT_BYTE_WRONG", byte=byte, encoding=encoding
            ) from error
        if "\x00" in text:
            raise fault(number, text.index("\x00") + 1, "TEXT_ZERO_BYTE")
        yield number, text.rstrip("\r\n")
