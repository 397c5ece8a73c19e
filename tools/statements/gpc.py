"""ABO/GPC, the form of statements that Czech banks have had since the nineties.

Records of fixed width: 074 begins a statement and has its balances and turnovers, 075 is a line,
076, 078 and 079 add texts to it. Amounts are haléř, days DDMMYY. Of the texts nothing is kept, so
that windows-1250, cp852 and UTF-8 read the same. A 075 says 1 debit, 2 credit, 4 and 5 when
these are taken back.
"""

from __future__ import annotations

from contextlib import suppress
from datetime import date
from typing import TYPE_CHECKING

from ledger.decisions.statements import StatementLine
from tools.statements.parts import End, fault, is_same_account, text_lines

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

    from tools.statements.issuer import Issuer

__all__ = ["read_gpc"]

HEADER_LENGTH, LINE_LENGTH = 114, 128
CURRENCIES = {"CZK": "203", "EUR": "978", "USD": "840", "GBP": "826", "PLN": "985", "HUF": "348"}
CODES = {"1": (-1, "payment"), "2": (1, "payment"), "4": (1, "reversal"), "5": (-1, "reversal")}
"""Sign and kind by the code of accounting; 4 takes a debit back, 5 a credit."""


def read_gpc(file: BinaryIO, issuer: Issuer) -> Iterator[StatementLine | End]:
    """Read a file; see :mod:`tools.statements.parts` for what comes out."""
    end: End | None = None
    number = 0
    for number, record in text_lines(file):
        kind = record[:3]
        if kind == "074":
            if end is not None:
                yield end
            end = _header(record, number, issuer)
        elif kind == "075":
            if end is None:
                raise fault(number, 1, "a 075 before the 074 of its statement")
            yield _line(record, number, issuer)
        elif record.strip(" \x1a") and kind not in {"076", "078", "079"}:
            raise fault(number, 1, f"{kind!r} is no record of ABO/GPC: 074, 075, 076, 078 or 079")
    if end is None:
        raise fault(max(number, 1), 1, "there is no 074: the file holds no statement")
    yield end


def _header(record: str, line: int, issuer: Issuer) -> End:
    if len(record.rstrip()) < HEADER_LENGTH:
        raise fault(line, len(record.rstrip()) + 1, f"a 074 has {HEADER_LENGTH} signs or more")
    if not is_same_account(issuer.account, record[3:19]):
        raise fault(line, 4, f"account {record[3:19]} is not {issuer.account} of the issuer")
    return End(
        place=line,
        number=record[105:108].strip(),
        last_day=_day(record, line, 109),
        opened_on=_day(record, line, 40),
        opening=_signed(record, line, 46),
        closing=_signed(record, line, 61),
        said_outgoing=_signed(record, line, 76),
        said_incoming=_signed(record, line, 91),
    )


def _line(record: str, line: int, issuer: Issuer) -> StatementLine:
    if len(record.rstrip()) < LINE_LENGTH:
        raise fault(line, len(record.rstrip()) + 1, f"a 075 has {LINE_LENGTH} signs")
    if not is_same_account(issuer.account, record[3:19]):
        raise fault(line, 4, f"account {record[3:19]} is not {issuer.account} of the issuer")
    if record[60] not in CODES:
        raise fault(line, 61, f"code {record[60]!r} is none of 1, 2, 4, 5")
    currency = record[118:122].strip().lstrip("0")
    if currency and currency != CURRENCIES.get(issuer.currency, "").lstrip("0"):
        raise fault(line, 119, f"currency {record[118:122]} is not {issuer.currency}")
    sign, kind = CODES[record[60]]
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
        counterparty=_counterparty(record, line),
    )


def _counterparty(record: str, line: int) -> str:
    """Read the account at the other end; one of another form, with letters, is not kept."""
    account = record[19:35].strip()
    if not account.isdigit():
        return ""
    prefix, number = divmod(_number(account, line, 20), 10**10)
    return f"{prefix}-{number}/{record[73:77]}" if prefix or number else ""


def _digits(record: str, line: int, first: int, last: int) -> int:
    text = record[first - 1 : last]
    return _number(text, line, first) if text.strip() else 0


def _number(text: str, line: int, first: int) -> int:
    """Read digits from 0 to 9; those of other scripts, raised ones and blanks are a fault."""
    if not (text.isascii() and text.isdigit()):
        raise fault(line, first, f"{text!r} is no number")
    return int(text)


def _signed(record: str, line: int, first: int) -> int:
    """Read 14 digits and a sign behind them."""
    sign = record[first + 13]
    if sign not in "+-0 ":
        raise fault(line, first + 14, f"{sign!r} is no sign")
    value = _digits(record, line, first, first + 13)
    return -value if sign == "-" else value


def _day(record: str, line: int, first: int) -> date:
    text = record[first - 1 : first + 5]
    if text.isascii() and text.isdigit():
        with suppress(ValueError):
            return date(2000 + int(text[4:]), int(text[2:4]), int(text[:2]))
    raise fault(line, first, f"{text!r} is no day as DDMMYY")
