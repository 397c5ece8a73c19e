"""Parse the cells of a table: amounts, days, timestamps and references, exactly as written.

Input: a cell as text, as a number, as a day or timestamp of a spreadsheet, or as a spreadsheet
error. Output: the value, or an ``InputError`` with line and column. An unclear cell is never
guessed, and a missing amount is never zero.
"""

from __future__ import annotations

import re
import unicodedata
from datetime import date, datetime, timedelta, timezone
from decimal import Decimal
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from ledger.core.clock import moments_of
from ledger.core.phrases import Phrase  # noqa: TC001 - a field's type
from tools.statements.parts import day_of, fault, minor, parsed_by

if TYPE_CHECKING:
    from zoneinfo import ZoneInfo

    from tools.statements.issuer import Issuer

__all__ = ["Unreadable", "amount_in", "day_in", "is_blank", "moment_in", "text_in"]

GROUP = 3
DIGITS_MAX = 30
NUMBER_DIGITS_MAX = 15
"""Digits of a number that a spreadsheet keeps."""
NOISE_MAX = Decimal("1e-9")
"""How far the sum of a spreadsheet may be from whole haléř."""
OFFSET = re.compile(r"Z|(?=.)(?:UTC|GMT)?(?:([+-])([01]?\d)(?::?([0-5]\d))?)?", re.ASCII)
MINUS = str.maketrans(dict.fromkeys("\u2212\ufe63\uff0d", "-"))


class Unreadable(NamedTuple):
    """A cell without a usable value: a formula that was not calculated, an error such as #REF!."""

    why: Phrase


def is_blank(value: Any) -> bool:
    """Return whether a cell is empty; a formula without a value is not."""
    return value is None or (isinstance(value, str) and not value.strip())


def amount_in(value: Any, issuer: Issuer, line: int, column: str) -> int:
    """Parse an amount, in hundredths of the currency.

    Raises:
        InputError: the cell is empty or holds something else.

    """
    _require_readable(value, line, column)
    if is_blank(value):
        raise fault(line, column, "AMOUNT_MISSING")
    if isinstance(value, str):
        text = _plain(value, issuer, line, column)
    elif isinstance(value, int | float | Decimal) and not isinstance(value, bool):
        text = _of_number(value, issuer, line, column)
    else:
        raise fault(line, column, "AMOUNT_MALFORMED", text=repr(value))
    found = minor(text, line, column, as_written=str(value))
    if issuer.unit == "major":
        return found
    if found % 100:
        raise fault(line, column, "AMOUNT_NOT_WHOLE", text=repr(value))
    return found // 100


def _plain(value: str, issuer: Issuer, line: int, column: str) -> str:
    """Convert the text of an amount to a decimal point without separators."""
    text, sign = "".join(map(_space, value)).strip().translate(MINUS), issuer.thousands
    wrong = "," if issuer.decimal == "." else "."
    if wrong != sign and wrong in text:
        raise fault(
            line,
            column,
            "AMOUNT_WITH_OTHER_POINT",
            text=repr(value),
            found=repr(wrong),
            due=repr(issuer.decimal),
        )
    text = re.sub(r"^([+-]) +", r"\1", text)
    if (plain := _ungrouped(text, issuer.decimal, sign)) is None:
        raise fault(line, column, "AMOUNT_GROUPED_WRONG", text=repr(value), found=repr(sign))
    return plain.replace(issuer.decimal, ".")


def _space(character: str) -> str:
    return " " if unicodedata.category(character) == "Zs" else character


def _ungrouped(text: str, decimal: str, sign: str) -> str | None:
    """Remove thousands separators; None if one has another position, as a decimal point would."""
    if not sign:
        return text
    if unicodedata.category(sign) == "Zs":
        sign = " "
    whole, point, part = text.partition(decimal)
    first, *groups = whole.lstrip("+-").split(sign)
    if sign in part or (groups and (not first or any(len(one) != GROUP for one in groups))):
        return None
    return whole.replace(sign, "") + point + part


def _of_number(value: float | Decimal, issuer: Issuer, line: int, column: str) -> str:
    """Convert a number to two decimal places, if only floating-point noise is rounded off."""
    exact = Decimal(str(value))
    if not exact.is_finite() or abs(exact.adjusted()) > DIGITS_MAX:
        raise fault(line, column, "AMOUNT_MALFORMED", text=exact)
    whole = exact.quantize(Decimal(1) if issuer.unit == "minor" else Decimal("0.01"))
    return format(whole if abs(whole - exact) <= NOISE_MAX else exact, "f")


def text_in(value: Any, line: int, column: str) -> str:
    """Parse a reference, a kind or a currency; empty for an empty cell.

    Raises:
        InputError: the cell is a number with more digits than a spreadsheet keeps, or no text.

    """
    _require_readable(value, line, column)
    if isinstance(value, dict | list):
        raise fault(line, column, "CELL_WITHOUT_TEXT")
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, float):
        value = Decimal(str(value))
    if isinstance(value, Decimal):
        if not value.is_finite() or value.adjusted() >= NUMBER_DIGITS_MAX:
            raise fault(line, column, "CELL_NUMBER_TOO_LONG", text=value, digits=NUMBER_DIGITS_MAX)
        return format(value.to_integral_value(), "f") if value == int(value) else str(value)
    return "" if value is None else str(value)


def day_in(value: Any, form: str, line: int, column: str) -> date | None:
    """Parse a day; None for an empty cell."""
    _require_readable(value, line, column)
    if is_blank(value):
        return None
    if isinstance(value, datetime):
        return value.date()
    if isinstance(value, date):
        return value
    return day_of(str(value), form, line, column)


def moment_in(
    value: Any, issuer: Issuer, zone: ZoneInfo, line: int, column: str, *, stated: str | None = None
) -> datetime | None:
    """Parse a timestamp with its zone; None for an empty cell.

    ``stated`` is what the file says about the zone, in a column of its own.

    Raises:
        InputError: the text is not a timestamp, its zone is unclear, the local time never occurred,
            or it occurred twice and nothing decides.

    """
    _require_readable(value, line, column)
    if is_blank(value):
        return None
    found = value if isinstance(value, datetime) else _moment(str(value), issuer.moment)
    if found is None or not 1970 <= found.year < 2200:  # noqa: PLR2004 - the years of the format
        form = "ISO 8601" if issuer.moment == "iso" else issuer.moment
        raise fault(line, column, "MOMENT_NOT_READ_AS", text=repr(value), form=form)
    if found.tzinfo:
        return found
    if stated is not None:
        return _in_stated_zone(found, stated, zone, line, column)
    moments = moments_of(found, zone)
    if not moments:
        raise fault(line, column, "MOMENT_NEVER_SHOWN", text=repr(value), zone=zone.key)
    if len(moments) > 1 and not issuer.repeated_hour:
        raise fault(line, column, "MOMENT_SHOWN_TWICE", text=repr(value), zone=zone.key)
    return moments[-1 if issuer.repeated_hour == "later" else 0]


def _in_stated_zone(
    found: datetime, stated: str, zone: ZoneInfo, line: int, column: str
) -> datetime:
    """Place a local time by UTC, by an offset, or by the name of the issuer's zone at that time."""
    if offset := OFFSET.fullmatch(stated):
        sign = -1 if offset[1] == "-" else 1
        hours, minutes = int(offset[2] or 0), int(offset[3] or 0)
        return found.replace(tzinfo=timezone(sign * timedelta(hours=hours, minutes=minutes)))
    named = [one for one in moments_of(found, zone) if stated in {one.tzname(), zone.key}]
    if len(named) == 1:
        return named[0]
    raise fault(line, column, "ZONE_UNKNOWN", stated=repr(stated), zone=zone.key, text=found)


def _require_readable(value: Any, line: int, column: str) -> None:
    if isinstance(value, Unreadable):
        raise fault(line, column, value.why)


@lru_cache(maxsize=1024)
def _moment(text: str, form: str) -> datetime | None:
    if form != "iso":
        return parsed_by(text.strip(), form)
    if ":" not in text:  # a day is no moment
        return None
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return None
