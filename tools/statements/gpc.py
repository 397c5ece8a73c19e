"""Read ABO/GPC, the statement format of Czech banks since the nineties.

Records have fixed width: 074 begins a statement and has its balances and turnovers, 075 is a line,
076, 078 and 079 add texts to it. Amounts are in haléř, days DDMMYY. Texts are not kept, so that
windows-1250, cp852 and UTF-8 are read alike: the width of a record shows how many bytes a letter
has. A 075 has the code 1 for a debit and 2 for a credit; their reversals have the codes 4 and 5, or
3 and 4.
"""

from __future__ import annotations

import re
from contextlib import suppress
from datetime import date
from typing import TYPE_CHECKING

from ledger.decisions.statements import StatementLine
from tools.statements.parts import End, Note, fault, is_same_account, other_accounts, text_lines

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

    from tools.statements.issuer import Issuer

__all__ = ["is_own_gpc", "read_gpc"]

LENGTHS = {"074": (114, "RECORD_HEADER_TOO_SHORT"), "075": (128, "RECORD_TOO_SHORT")}
CURRENCIES = {"CZK": "203", "EUR": "978", "USD": "840", "GBP": "826", "PLN": "985", "HUF": "348"}
BOOKED = {"1": (-1, "payment"), "2": (1, "payment")}
REVERSALS = {
    "45": BOOKED | {"4": (1, "reversal"), "5": (-1, "reversal")},
    "34": BOOKED | {"3": (1, "reversal"), "4": (-1, "reversal")},
}
"""Sign and kind by the code of accounting. Most banks take a debit back by 4 and a credit by 5,
some by 3 and 4."""

INTERNAL = (*range(10, 16), 4, 5, 6, 7, 8, 3, 9, 1, 2, 0)
"""Where the digits of prefix and number stand in the internal form of an account."""

KIND_OF_DATA = re.compile(r"1[0-9]{3}", re.ASCII)
"""What some banks have in place of the currency; its second digit is 1 for crowns."""


def read_gpc(file: BinaryIO, issuer: Issuer) -> Iterator[StatementLine | End | Note]:
    """Read a file; see :mod:`tools.statements.parts` for the output.

    Statements of other accounts are skipped and reported.
    """
    codes = _codes_of(file, issuer)
    end: End | None = None
    others: dict[str, tuple[int, int]] = {}
    other, number, place = "", 0, 0
    for number, record in _records(file):
        kind = record[:3]
        if kind == "074":
            if end is not None:
                yield end
            other = "" if is_own_gpc(record[3:19], issuer) else record[3:19]
            if other:
                others.setdefault(other, (number, 4))
            end = None if other else _header(record, number)
            place = number
        elif kind == "075" and other:
            if is_own_gpc(record[3:19], issuer):
                raise fault(number, 4, "ACCOUNT_UNDER_ANOTHER", text=record[3:19], header=other)
        elif kind == "075":
            if end is None:
                raise fault(number, 1, "RECORD_BEFORE_HEADER")
            yield _line(record, number, issuer, REVERSALS[codes[place]])
        elif record.strip(" \x1a") and kind not in {"075", "076", "078", "079"}:
            raise fault(number, 1, "RECORD_UNKNOWN", text=repr(kind))
    if end is not None:
        yield end
    yield from other_accounts(others, issuer, is_any=bool(codes))
    if not codes and not others:
        raise fault(max(number, 1), 1, "RECORD_HEADER_MISSING")


def _codes_of(file: BinaryIO, issuer: Issuer) -> dict[int, str]:
    """Find the codes that the bank uses for reversals, for each statement of the account.

    Code 4 has two meanings: a 3 or a 5 in the same statement decides, or else the balances.
    """
    found: dict[int, str] = {}
    sums: dict[str, int] = {}
    header: End | None = None
    for number, record in _records(file):
        if record[:3] == "074":
            if header is not None:
                found[header.place] = _which_codes(header, sums)
            is_own = is_own_gpc(record[3:19], issuer)
            header, sums = _header(record, number) if is_own else None, {}
        elif record[:3] == "075" and header is not None:
            code = record[60]
            sums[code] = sums.get(code, 0) + _digits(record, number, 49, 60)
    if header is not None:
        found[header.place] = _which_codes(header, sums)
    file.seek(0)
    return found


def _which_codes(header: End, sums: dict[str, int]) -> str:
    if "3" in sums and "5" in sums:
        raise fault(header.place, 1, "CODES_OF_TWO_FORMS")
    if "3" in sums or "5" in sums or "4" not in sums:
        return "34" if "3" in sums else "45"
    opening, closing = header.opening or 0, header.closing or 0
    return "34" if opening + sums.get("2", 0) - sums.get("1", 0) - sums["4"] == closing else "45"


def _records(file: BinaryIO) -> Iterator[tuple[int, str]]:
    """Yield the records with their numbers; refuse one that is too short for its fields.

    Two letters of windows-1250 or cp852 may be one of UTF-8: then the record is too short as UTF-8.
    """
    for number, record in text_lines(file, "latin-1"):
        length, code = LENGTHS.get(record[:3], (0, ""))
        with suppress(UnicodeError):
            as_utf8 = record.encode("latin-1").decode()
            if len(as_utf8.rstrip()) >= length:
                yield number, as_utf8
                continue
        if len(record.rstrip()) < length:
            raise fault(number, len(record.rstrip()) + 1, code, text=record[:3], length=length)
        yield number, record


def _header(record: str, line: int) -> End:
    return End(
        place=line,
        number=record[105:108].strip(),
        account=record[3:19],
        last_day=_day(record, line, 109),
        opened_on=_day(record, line, 40),
        opening=_signed(record, line, 46),
        closing=_signed(record, line, 61),
        stated_outgoing=_signed(record, line, 76),
        stated_incoming=_signed(record, line, 91),
    )


def _line(
    record: str, line: int, issuer: Issuer, codes: dict[str, tuple[int, str]]
) -> StatementLine:
    if not is_own_gpc(record[3:19], issuer):
        raise fault(line, 4, "ACCOUNT_OF_ANOTHER", text=record[3:19], due=issuer.account)
    if record[60] not in codes:
        raise fault(line, 61, "CODE_UNKNOWN", text=repr(record[60]), due=", ".join(sorted(codes)))
    _require_currency(record[118:122], line, issuer)
    sign, kind = codes[record[60]]
    valued = _day(record, line, 92) if record[91:97].strip(" 0") else None
    due = _day(record, line, 123) if record[122:128].strip(" 0") else valued
    return StatementLine(
        place=line,
        kind=kind,  # type: ignore[arg-type]
        booked=due or _day(record, line, 92),
        valued=valued,
        amount=sign * _digits(record, line, 49, 60),
        variable_symbol=str(_digits(record, line, 62, 71) or ""),
        their_reference=record[35:48].strip(),
        counterparty=_counterparty(record, line, issuer),
    )


def _require_currency(field: str, line: int, issuer: Issuer) -> None:
    """Refuse another currency; some banks write the data type in this field."""
    if KIND_OF_DATA.fullmatch(field):
        if (field[1] == "1") is not (issuer.currency == "CZK"):
            raise fault(line, 119, "DATA_OF_ANOTHER_CURRENCY", text=field, due=issuer.currency)
        return
    currency = field.strip().lstrip("0")
    if currency and currency != CURRENCIES.get(issuer.currency, "").lstrip("0"):
        raise fault(line, 119, "CURRENCY_NOT_DUE", text=field, due=issuer.currency)


def is_own_gpc(account: str, issuer: Issuer) -> bool:
    """Return whether an account of a record is that of an issuer, in plain or internal form."""
    return is_same_account(issuer.account, account) or (
        is_same_account(issuer.account, _from_internal(account))
    )


def _from_internal(account: str) -> str:
    """Convert an account number from the internal digit order of banks."""
    return "".join(account[at] for at in INTERNAL)


def _counterparty(record: str, line: int, issuer: Issuer) -> str:
    """Parse the account of the counterparty; one of another form, with letters, is not kept."""
    account = record[19:35].strip()
    if not account.isdigit():
        return ""
    is_plain = is_same_account(issuer.account, record[3:19])
    if not is_plain and len(account) == len(INTERNAL):
        account = _from_internal(account)
    prefix, number = divmod(_number(account, line, 20), 10**10)
    return f"{prefix}-{number}/{record[73:77]}" if prefix or number else ""


def _digits(record: str, line: int, first: int, last: int) -> int:
    text = record[first - 1 : last]
    return _number(text, line, first) if text.strip() else 0


def _number(text: str, line: int, first: int) -> int:
    """Parse ASCII digits; digits of other scripts, superscripts and blanks are an error."""
    if not (text.isascii() and text.isdigit()):
        raise fault(line, first, "CELL_NO_NUMBER", text=repr(text))
    return int(text)


def _signed(record: str, line: int, first: int) -> int:
    """Parse 14 digits followed by a sign."""
    sign = record[first + 13]
    if sign not in "+-0 ":
        raise fault(line, first + 14, "SIGN_UNKNOWN", text=repr(sign))
    value = _digits(record, line, first, first + 13)
    return -value if sign == "-" else value


def _day(record: str, line: int, first: int) -> date:
    text = record[first - 1 : first + 5]
    if text.isascii() and text.isdigit():
        with suppress(ValueError):
            return date(2000 + int(text[4:]), int(text[2:4]), int(text[:2]))
    raise fault(line, first, "DAY_NOT_READ", text=repr(text), form="DDMMYY")
