"""Tables of payment providers and game providers: CSV, JSON Lines and XLSX, by an issuer's columns.

Rows come one by one, so that a file of any size takes little memory. A day or amount in another
form than the issuer's file says is a fault, and so is a kind or a currency that it does not name:
what isn't understood is not guessed. A row whose kind is ``sum`` has to be the sum of those before
it.
"""

from __future__ import annotations

import csv
import zipfile
import zlib
from datetime import date, datetime
from decimal import Decimal
from functools import lru_cache
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

import msgspec

from ledger.core.clock import PRAGUE, from_datetime
from ledger.core.errors import InputError
from ledger.core.json_keys import require_keys_once
from ledger.decisions.statements import StatementLine
from tools.statements.issuer import SUM, Columns, Issuer
from tools.statements.parts import End, account_key, crowns, day_of, fault, minor, named, text_lines

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

__all__ = ["read_csv", "read_jsonl", "read_xlsx"]

UNPACKED_MAX = 8 << 30
"""Bytes of an XLSX when unpacked; a million rows have about one eighth of it."""
BROKEN = (
    zipfile.BadZipFile,
    zlib.error,
    ArithmeticError,
    AttributeError,
    EOFError,
    LookupError,
    NotImplementedError,
    OSError,
    RuntimeError,
    SyntaxError,
    TypeError,
    ValueError,
)
"""What ``openpyxl`` and what it stands on raise over a file that is not as it should be."""
TEXTS = (
    "reference",
    "end_to_end",
    "variable_symbol",
    "their_reference",
    "settlement",
    "round",
    "bet",
    "game",
    "table",
    "account",
    "counterparty",
)
GROUP = 3
DIGITS_MAX = 30
AMOUNTS = ("amount", "credit", "debit", "fee", "stake", "paid")


def read_csv(file: BinaryIO, issuer: Issuer) -> Iterator[StatementLine | End]:
    """Read comma-separated values; see :mod:`tools.statements.parts` for what comes out."""
    place = 0

    def texts() -> Iterator[str]:
        nonlocal place
        for number, text in text_lines(file, issuer.encoding):
            place = number
            yield f"{text}\n"

    rows = csv.reader(texts(), delimiter=issuer.delimiter, strict=True)
    try:
        for _ in range(issuer.skip):
            next(rows, None)
        names = [name.strip() for name in next(rows, [])]
        table = _Table(issuer, names, max(place, 1))
        for row in rows:
            if row:
                yield from table.take(place, row)
    except csv.Error as error:
        raise fault(place, 1, f"no CSV: {error}") from error
    yield table.end(place)


def read_jsonl(file: BinaryIO, issuer: Issuer) -> Iterator[StatementLine | End]:
    """Read an object a line; see :mod:`tools.statements.parts` for what comes out."""
    wanted = [name for name in msgspec.structs.astuple(issuer.columns) if name]
    table, place = _Table(issuer, wanted, 1), 1
    decoder = msgspec.json.Decoder(dict[str, Any], float_hook=Decimal)
    for place, text in text_lines(file, issuer.encoding):
        if not text.strip():
            continue
        try:
            row = decoder.decode(text)
            require_keys_once(text.encode())
        except (msgspec.DecodeError, InputError, RecursionError) as error:
            raise fault(place, 1, f"no JSON object: {error}") from error
        yield from table.take(place, [row.get(name) for name in wanted])
    yield table.end(place)


def read_xlsx(file: BinaryIO, issuer: Issuer) -> Iterator[StatementLine | End]:
    """Read a sheet; see :mod:`tools.statements.parts` for what comes out."""
    from openpyxl import load_workbook

    try:
        with zipfile.ZipFile(file) as archive:
            if sum(one.file_size for one in archive.infolist()) > UNPACKED_MAX:
                raise fault(1, 1, "the file would unpack to more than 8 GiB")
        book = load_workbook(file, read_only=True, data_only=True)
    except BROKEN as error:
        raise fault(1, 1, f"no XLSX: {_first_line(error)}") from error
    if issuer.sheet and issuer.sheet not in book.sheetnames:
        raise fault(1, 1, f"there is no sheet {issuer.sheet!r}")
    if not book.worksheets:
        raise fault(1, 1, "there is no sheet")
    sheet = book[issuer.sheet] if issuer.sheet else book.worksheets[0]
    place, table = issuer.skip + 1, None
    try:
        for place, row in _rows(sheet):
            if place <= issuer.skip:
                continue
            if table is None:
                names = ["" if name is None else str(name).strip() for name in row]
                table = _Table(issuer, names, place)
            elif any(value is not None for value in row):
                left_out = len(table.names) - len(row)
                yield from table.take(place, (*row, *[None] * left_out))
    finally:
        book.close()
    if table is None:
        raise fault(place, 1, "the sheet has no row with the names of columns")
    yield table.end(place)


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]


def _rows(sheet: Any) -> Iterator[tuple[int, Any]]:
    """Give each row of a sheet with its number, from 1, whatever size the sheet says it has."""
    place = 0
    sheet.reset_dimensions()
    rows = sheet.iter_rows(values_only=True)
    while True:
        try:
            row = next(rows, None)
        except BROKEN as error:
            raise fault(place + 1, 1, f"no XLSX: {_first_line(error)}") from error
        if row is None:
            return
        place += 1
        yield place, row


class _Table:
    """Rows of one table to lines, with the sums that a row of sums is compared with."""

    def __init__(self, issuer: Issuer, names: list[str], place: int) -> None:
        """Find the columns.

        Raises:
            InputError: one is missing or there twice.

        """
        self.issuer, self.names, self.place = issuer, names, place
        self._at: dict[str, int] = {}
        for field in Columns.__struct_fields__:
            name = getattr(issuer.columns, field)
            if name and names.count(name) != 1:
                there = "is missing" if name not in names else "is there twice"
                raise fault(place, 1, f"column {name!r} ({field}) {there}")
            if name:
                self._at[field] = names.index(name)
        self._labels = {field: f"{at + 1} ({names[at]})" for field, at in self._at.items()}
        self._texts = [(field, self._at[field]) for field in TEXTS if field in self._at]
        self._cells_min = max(self._at.values(), default=0) + 1
        self._zone = ZoneInfo(issuer.zone)
        self._sums = dict.fromkeys(AMOUNTS, 0)
        self._has_sum = False
        self._is_above: dict[tuple[str, bool], bool] = {}

    def take(self, place: int, row: Any) -> Iterator[StatementLine]:
        """Read a row."""
        if len(row) < self._cells_min:
            raise fault(place, len(row) + 1, f"{len(row)} cells, {len(self.names)} are due")
        if self._has_sum:
            raise fault(place, 1, "a row behind the row with the sums")
        issuer, at = self.issuer, self._at
        kind = issuer.usual_kind
        if "kind" in at:
            told = _text(row[at["kind"]])
            if told not in issuer.kinds:
                raise self._fault(place, "kind", f"{told!r} is none of `kinds` of the issuer")
            kind = issuer.kinds[told]
        if "currency" in at and (told := _text(row[at["currency"]])) != issuer.currency:
            raise self._fault(place, "currency", f"{told!r} is not {issuer.currency} of the issuer")
        amounts = {field: self._amount(place, field, row) for field in AMOUNTS if field in at}
        if kind == SUM:
            self._compare(place, amounts)
            return
        for field, amount in amounts.items():
            self._sums[field] += amount
        moment = self._moment(place, row) if "moment" in at else None
        booked = self._day(place, "booked", row) if "booked" in at else None
        valued = self._day(place, "valued", row) if "valued" in at else None
        if booked is None:
            if moment is None:
                raise self._fault(place, "booked" if "booked" in at else "moment", "no day")
            booked = moment.astimezone(PRAGUE).date()
        texts = {field: self._name(place, field, row[column]) for field, column in self._texts}
        if "variable_symbol" in texts:
            texts["variable_symbol"] = texts["variable_symbol"].lstrip("0")
        if texts.get("counterparty"):
            texts["counterparty"] = account_key(texts["counterparty"])
        yield StatementLine(
            place=place,
            kind=kind,  # type: ignore[arg-type]
            booked=booked,
            amount=self._signed(place, row, amounts),
            fee=self._unsigned(place, "fee", amounts.get("fee", 0)),
            stake=self._above(place, "stake", amounts),
            paid=self._above(place, "paid", amounts),
            valued=valued,
            moment=from_datetime(moment) if moment else 0,
            **texts,
        )

    def end(self, place: int) -> End:
        """Return the end of the one statement that a table is; its period is that of its lines."""
        return End(max(place, self.place))

    def _fault(self, place: int, field: str, text: str) -> Exception:
        """Return a fault of a cell, with number and name of its column."""
        return fault(place, self._labels[field], text)

    def _amount(self, place: int, field: str, row: Any) -> int:
        value = row[self._at[field]]
        column = self._labels[field]
        if value is None or value == "":
            if field == "amount":
                raise fault(place, column, "no amount")
            return 0
        if isinstance(value, str):
            text, sign = value.strip(), self.issuer.thousands
            wrong = "," if self.issuer.decimal == "." else "."
            if wrong != sign and wrong in text:
                raise fault(place, column, f"{value!r} has {wrong!r}, not {self.issuer.decimal!r}")
            if (plain := self._ungrouped(text, sign)) is None:
                raise fault(place, column, f"{value!r} has {sign!r} where no thousands are parted")
            text = plain.replace(self.issuer.decimal, ".")
        elif isinstance(value, int | float | Decimal) and not isinstance(value, bool):
            exact = Decimal(str(value))
            if not exact.is_finite() or abs(exact.adjusted()) > DIGITS_MAX:
                raise fault(place, column, f"{exact} is no amount")
            text = format(exact, "f")
        else:
            raise fault(place, column, f"{value!r} is no amount")
        found = minor(text, place, column)
        if self.issuer.unit == "major":
            return found
        if found % 100:
            raise fault(place, column, f"{value!r} is no whole number of haléř")
        return found // 100

    def _ungrouped(self, text: str, sign: str) -> str | None:
        """Take out what parts thousands; None if it stands elsewhere, as a decimal point would."""
        if not sign:
            return text
        if sign == " ":
            text = text.replace("\xa0", " ").replace("\u202f", " ")
        whole, decimal, part = text.partition(self.issuer.decimal)
        first, *groups = whole.lstrip("+- ").split(sign)
        if sign in part or (groups and (not first or any(len(one) != GROUP for one in groups))):
            return None
        return whole.replace(sign, "") + decimal + part

    def _signed(self, place: int, row: Any, amounts: dict[str, int]) -> int:
        """Return what came to us; below zero what left us."""
        if "amount" not in amounts:
            credit = self._unsigned(place, "credit", amounts.get("credit", 0), is_ours=True)
            return credit - self._unsigned(place, "debit", amounts.get("debit", 0))
        amount = amounts["amount"]
        if "direction" in self._at:
            told = _text(row[self._at["direction"]])
            if told not in self.issuer.incoming + self.issuer.outgoing:
                text = f"{told!r} is none of `incoming` and `outgoing` of the issuer"
                raise self._fault(place, "direction", text)
            is_ours = told in self.issuer.incoming
            size = self._unsigned(place, "amount", amount, is_ours=is_ours)
            return size if is_ours else -size
        return amount if self.issuer.sign == "ours" else -amount

    def _unsigned(self, place: int, field: str, amount: int, *, is_ours: bool = False) -> int:
        """Take off a sign that the column says anyway; one that turns the amount is a fault."""
        is_above = amount > 0
        is_turned = is_ours and amount < 0 and self.issuer.sign == "ours"
        if is_turned or (
            amount and self._is_above.setdefault((field, is_ours), is_above) != is_above
        ):
            text = f"{crowns(amount)} has the other sign: what is taken back is not told like that"
            raise self._fault(place, field, text)
        return abs(amount)

    def _above(self, place: int, field: str, amounts: dict[str, int]) -> int:
        amount = amounts.get(field, 0)
        if amount < 0:
            raise self._fault(place, field, f"{field} is below zero")
        return amount

    def _compare(self, place: int, amounts: dict[str, int]) -> None:
        """Refuse a row of sums that are not those of the rows before it."""
        for field, said in amounts.items():
            if said != self._sums[field]:
                text = f"the sum is {crowns(said)}, the rows make {crowns(self._sums[field])}"
                raise self._fault(place, field, text)
        self._has_sum = True

    def _day(self, place: int, field: str, row: Any) -> date | None:
        value = row[self._at[field]]
        if value is None or value == "":
            return None
        if isinstance(value, datetime):
            return value.date()
        if isinstance(value, date):
            return value
        column = self._labels[field]
        return day_of(str(value), self.issuer.day, place, column)

    def _moment(self, place: int, row: Any) -> datetime | None:
        value = row[self._at["moment"]]
        if value is None or value == "":
            return None
        found = value if isinstance(value, datetime) else _moment(str(value), self.issuer.moment)
        if found is None or not 1970 <= found.year < 2200:  # noqa: PLR2004 - the years of the format
            form = "ISO 8601" if self.issuer.moment == "iso" else self.issuer.moment
            raise self._fault(place, "moment", f"{value!r} is no moment as {form}")
        return found if found.tzinfo else found.replace(tzinfo=self._zone)

    def _name(self, place: int, field: str, value: Any) -> str:
        return named(_text(value), place, self._labels[field])


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return "" if value is None else str(value)


@lru_cache(maxsize=1024)
def _moment(text: str, form: str) -> datetime | None:
    if form == "iso" and ":" not in text:  # a day is no moment
        return None
    try:
        return (
            datetime.fromisoformat(text) if form == "iso" else datetime.strptime(text.strip(), form)  # noqa: DTZ007 - the issuer's zone is put in
        )
    except ValueError:
        return None
