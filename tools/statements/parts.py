"""What readers of all formats share: places, days, amounts, symbols, and lines of text.

A reader takes a file and an issuer and gives lines, each statement's end behind them. What is wrong
is an ``InputError`` that begins with line and column.
"""

from __future__ import annotations

import re
from datetime import date, datetime
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from ledger.core.command import NAME_MAX
from ledger.core.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import BinaryIO

    from ledger.decisions.statements import StatementLine
    from tools.statements.issuer import Issuer

    Reader = Callable[[BinaryIO, Issuer], Iterator[StatementLine | "End"]]

__all__ = [
    "LINE_BYTES_MAX",
    "End",
    "Reader",
    "account_key",
    "crowns",
    "day_of",
    "fault",
    "is_same_account",
    "minor",
    "named",
    "text_lines",
    "variable_symbol_in",
]

LINE_BYTES_MAX = 1 << 20
AMOUNT = re.compile(r"([+-]?)(\d{1,13})(?:[.,](\d{1,5}))?", re.ASCII)
SYMBOL = re.compile(r"(?<![A-Z0-9])VS[:/ ]?\s*(\d{1,10})(?!\d)", re.ASCII)


class End(NamedTuple):
    """The end of a statement: its period and balances, and what it says of its lines.

    ``opened_on`` is the day of the opening balance where the file names no first day. Amounts are
    hundredths of the currency; None is what the file does not say.
    """

    place: int
    number: str = ""
    first_day: date | None = None
    last_day: date | None = None
    opening: int | None = None
    closing: int | None = None
    opened_on: date | None = None
    said_incoming: int | None = None
    said_outgoing: int | None = None


def fault(line: int, column: int | str, text: str) -> InputError:
    """Return an error that names its place; a column is a number, from 1, or a name."""
    return InputError(f"line {line}, column {column}: {text}")


def minor(text: str, line: int, column: int | str) -> int:
    """Read an amount in crowns, with a point or a comma, as haléř."""
    found = AMOUNT.fullmatch(text.strip())
    if found is None:
        raise fault(line, column, f"{text!r} is no amount")
    sign, whole, part = found.groups()
    part = part or ""
    if part[2:].strip("0"):
        raise fault(line, column, f"{text!r} has more than two decimal places")
    value = int(whole) * 100 + int(part[:2].ljust(2, "0"))
    return -value if sign == "-" else value


def crowns(amount: int) -> str:
    """Write hundredths as a file would, such as ``-1234.50``, whatever the currency."""
    return f"{'-' if amount < 0 else ''}{abs(amount) // 100}.{abs(amount) % 100:02d}"


@lru_cache(maxsize=4096)
def _day(text: str, form: str) -> date | None:
    try:
        return date.fromisoformat(text) if form == "iso" else datetime.strptime(text, form).date()  # noqa: DTZ007 - a day has no zone
    except ValueError:
        return None


def day_of(text: str, form: str, line: int, column: int | str) -> date:
    """Read a day in one form, as ``strptime`` has it, or ``iso``; another form is no day."""
    found = _day(text.strip(), form)
    if found is None or not 1970 <= found.year < 2200:  # noqa: PLR2004 - the years of the format
        shown = "year-month-day" if form == "iso" else form
        raise fault(line, column, f"{text!r} is no day as {shown}")
    return found


def named(text: str | None, line: int, column: int | str) -> str:
    """Return a reference without blanks at its ends; one that is too long is a fault."""
    name = (text or "").strip()
    if len(name) > NAME_MAX:
        raise fault(line, column, f"a reference of {len(name)} characters, {NAME_MAX} at most")
    return name


def variable_symbol_in(text: str) -> str:
    """Find a variable symbol as Czech banks write it: ``/VS123``, ``VS:123``, ``VS 123``."""
    found = SYMBOL.search(text)
    return found[1].lstrip("0") if found else ""


@lru_cache(maxsize=4096)
def account_key(text: str) -> str:
    """Write an account in one form, ``prefix-number/bank``: a Czech IBAN, ``bank/number``, too."""
    plain = re.sub(r"\s", "", text).upper()
    if iban := re.fullmatch(r"CZ\d{2}(\d{4})(\d{6})(\d{10})", plain, re.ASCII):
        bank, prefix, number = iban.groups()
    elif domestic := re.fullmatch(r"(?:(\d{1,6})-)?(\d{1,10})/(\d{4})", plain, re.ASCII):
        prefix, number, bank = domestic.groups()
    elif swift := re.fullmatch(r"(\d{4})/(?:(\d{1,6})-)?(\d{1,16})", plain, re.ASCII):
        bank, prefix, number = swift.groups()
        prefix, number = prefix or number[:-10], number[-10:]
    else:
        return plain
    return f"{int(prefix or 0)}-{int(number)}/{bank}"


def is_same_account(ours: str, theirs: str) -> bool:
    """Compare accounts, also where a file leaves out the bank and fills up with zeros."""
    one, other = account_key(ours), account_key(theirs)
    ours_alone = one.partition("/")[0]
    if one == other or "/" in other or not ours_alone.replace("-", "").isdigit():
        return one == other
    prefix, _, number = ours_alone.partition("-")
    digits = f"{int(prefix):06d}{int(number):010d}" if number else one
    return other.replace("-", "").lstrip("0") == digits.lstrip("0")


def text_lines(file: BinaryIO, encoding: str = "") -> Iterator[tuple[int, str]]:
    """Give the lines of a text with their numbers, from 1, without what ends them.

    A byte order mark of UTF-8 is taken off, and says that the file is UTF-8. Without an encoding a
    line is UTF-8 if it can be, and else any encoding with a byte a sign: texts are not kept then.

    Raises:
        InputError: bytes that the encoding does not have, another byte order mark, or a line
            without an end.

    """
    number = 0
    while raw := file.readline(LINE_BYTES_MAX + 1):
        number += 1
        if number == 1:
            if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
                raise fault(1, 1, "the file is UTF-16: save it as UTF-8")
            if raw.startswith(b"\xef\xbb\xbf"):
                raw, encoding = raw[3:], "utf-8"
        if len(raw) > LINE_BYTES_MAX:
            raise fault(number, LINE_BYTES_MAX, "the line is longer than 1 MiB: it has no end")
        try:
            text = raw.decode(encoding or "utf-8")
        except UnicodeDecodeError as error:
            if not encoding:
                yield number, raw.decode("latin-1").rstrip("\r\n")
                continue
            byte = raw[error.start]
            raise fault(number, error.start + 1, f"byte {byte:02x} is not {encoding}") from error
        if "\x00" in text:
            raise fault(number, text.index("\x00") + 1, "a zero byte: this is no text")
        yield number, text.rstrip("\r\n")
