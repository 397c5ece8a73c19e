"""Read tables of payment and game providers: CSV, JSON Lines and XLSX, by an issuer's columns.

Rows are read one by one, so that a file of any size takes little memory. A day or amount in another
format than the issuer's settings is an error, and so are a missing amount, a row with more or fewer
cells than there are names, and a kind that the settings do not name: unclear values are not
guessed. Rows of other currencies, and rows that the settings leave out, are counted and reported. A
row whose kind is ``sum`` must be the sum of those before it.
"""

from __future__ import annotations

import csv
from collections import Counter
from contextlib import suppress
from decimal import Decimal
from itertools import islice
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

import msgspec

from ledger.core.clock import PRAGUE, from_datetime
from ledger.core.errors import InputError
from ledger.core.json_keys import require_keys_once
from ledger.core.phrases import Phrase
from ledger.decisions.statements import StatementLine
from tools.statements.cells import amount_in, day_in, is_blank, moment_in, text_in
from tools.statements.issuer import CURRENCY, SKIP, SUM, Columns, Issuer
from tools.statements.parts import (
    End,
    Note,
    RowFaultsError,
    account_key,
    crowns,
    fault,
    named,
    text_lines,
)
from tools.statements.workbook import Sheet

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import date
    from typing import BinaryIO

    Rows = Iterator[tuple[int, list[Any]]]

__all__ = ["FAULTS_MAX", "read_csv", "read_jsonl", "read_xlsx"]

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
    "counterparty_bank",
)
AMOUNTS = ("amount", "credit", "debit", "fee", "stake", "paid")
DELIMITERS = ";,\t|"
HEAD_ROWS_MAX = 50
"""Rows among which the names of the columns are looked for."""
FAULTS_MAX = 20
"""Faulty rows that are reported of one file."""
FEE_ROWS_MAX = 100_000
"""Rows that are searched for the sign of a fee."""
VALUES_MAX = 100
"""Different reasons for leaving out rows that are counted one by one."""


def read_csv(file: BinaryIO, issuer: Issuer) -> Iterator[StatementLine | End | Note]:
    """Read comma-separated values; see :mod:`tools.statements.parts` for what comes out."""
    delimiter = _delimiter(file, issuer)
    names, place = _head_of_csv(file, issuer, delimiter)

    def rows() -> Rows:
        return _csv_rows(file, issuer, delimiter, place)

    yield from _read(rows, names, place, issuer, is_exact=True)


def read_jsonl(file: BinaryIO, issuer: Issuer) -> Iterator[StatementLine | End | Note]:
    """Read an object a line; see :mod:`tools.statements.parts` for what comes out."""
    names = _wanted(issuer)
    yield from _read(lambda: _json_rows(file, issuer, names), names, 1, issuer)


def read_xlsx(file: BinaryIO, issuer: Issuer) -> Iterator[StatementLine | End | Note]:
    """Read a sheet; see :mod:`tools.statements.parts` for what comes out."""
    sheet = Sheet(file, issuer.sheet)

    def rows(names: list[str]) -> Rows:
        for place, row in sheet.rows():
            if place > head:
                if len(row) > len(names) and any(cell is not None for cell in row[len(names) :]):
                    raise fault(place, len(names) + 1, "CELL_WITHOUT_NAME")
                yield place, [*row[: len(names)], *[None] * (len(names) - len(row))]

    behind = ((place, list(row)) for place, row in sheet.rows() if place > issuer.skip)
    head, cells = _head(behind, issuer)
    if not cells:
        raise fault(issuer.skip + 1, 1, "COLUMNS_UNNAMED")
    names = [text_in(cell, head, str(at)) for at, cell in enumerate(cells, 1)]
    yield from _read(lambda: rows(names), names, head, issuer)


def _head(rows: Rows, issuer: Issuer) -> tuple[int, list[Any]]:
    """Find the row with the names of the columns, and its place.

    If the issuer's `skip` counts the rows before it, it follows them; otherwise it is the first row
    that has all columns of the settings, or the first row of all if none has them.
    """
    first: tuple[int, list[Any]] | None = None
    wanted = set(_wanted(issuer))
    for place, row in islice(rows, 1 if issuer.skip else HEAD_ROWS_MAX):
        first = first or (place, row)
        if wanted <= {cell.strip() for cell in row if isinstance(cell, str)}:
            return place, row
    return first or (1, [])


def _read(
    rows: Callable[[], Rows],
    names: list[str],
    place: int,
    issuer: Issuer,
    *,
    is_exact: bool = False,
) -> Iterator[StatementLine | End | Note]:
    """Read the rows of a table, whose period is that of its lines.

    The rows are read twice if the sign of fees has to be found. Errors of the first invalid rows
    are reported together; after the first of them no line is returned.

    Args:
        rows: each with its place.
        names: of the columns.
        place: of the row with the names.
        issuer: the settings.
        is_exact: a row with more or fewer cells than there are names is an error.

    """
    table, faults = _Table(issuer, names, place), list[str | Phrase]()
    if table.needs_fee_sign:
        whole = (one for one in rows() if not is_exact or len(one[1]) == len(names))
        table.find_fee_sign(islice(whole, FEE_ROWS_MAX))
    for place, row in rows():  # noqa: PLR1704 - the last row is where the table ends
        try:
            if is_exact and len(row) != len(names):
                column = min(len(row), len(names)) + 1
                raise fault(place, column, "CELLS_MISCOUNTED", found=len(row), due=len(names))
            if faults and table.is_sum(place, row):
                continue
            lines = list(table.take(place, row))
        except InputError as error:
            faults.append(error.args[0])
            if len(faults) == FAULTS_MAX:
                break
            continue
        if not faults:
            yield from lines
    if faults:
        raise RowFaultsError(faults)
    yield from table.left_out()
    yield End(place)


def _csv_texts(file: BinaryIO, issuer: Issuer) -> Iterator[tuple[int, str]]:
    file.seek(0)
    return text_lines(file, issuer.encoding)


def _csv_cells(file: BinaryIO, issuer: Issuer, delimiter: str) -> Rows:
    """Yield the rows of a CSV behind those to skip, the one with the names first."""
    place = 0

    def texts() -> Iterator[str]:
        nonlocal place
        for number, text in _csv_texts(file, issuer):
            place = number
            yield f"{text}\n"

    rows = csv.reader(texts(), delimiter=delimiter, strict=True)
    try:
        for row in islice(rows, issuer.skip, None):
            yield place, list(row)
    except csv.Error as error:
        raise fault(place, 1, "NO_CSV", text=error) from error


def _wanted(issuer: Issuer) -> list[str]:
    """Name the columns that the issuer's settings name, each once."""
    columns = filter(None, msgspec.structs.astuple(issuer.columns))
    return list(dict.fromkeys((*columns, *issuer.further_fees, *issuer.leave_out)))


def _head_of_csv(file: BinaryIO, issuer: Issuer, delimiter: str) -> tuple[list[str], int]:
    """Read the names of the columns, and their line."""
    place, row = _head(_csv_cells(file, issuer, delimiter), issuer)
    return [name.strip() for name in row], place


def _delimiter(file: BinaryIO, issuer: Issuer) -> str:
    """Return the delimiter: the one that is set, or the first by which all columns are found."""
    if issuer.delimiter:
        return issuer.delimiter
    wanted = set(_wanted(issuer))
    for delimiter in DELIMITERS:
        try:
            names, _ = _head_of_csv(file, issuer, delimiter)
        except InputError:
            continue
        if wanted <= set(names):
            return delimiter
    return DELIMITERS[0]


def _csv_rows(file: BinaryIO, issuer: Issuer, delimiter: str, at: int) -> Rows:
    """Yield the rows behind the one with the names."""
    for place, row in _csv_cells(file, issuer, delimiter):
        if place > at and row:
            yield place, row


def _json_rows(file: BinaryIO, issuer: Issuer, names: list[str]) -> Rows:
    decoder = msgspec.json.Decoder(dict[str, Any], float_hook=Decimal)
    seen: set[str] = set()
    place = 1
    for place, text in _csv_texts(file, issuer):
        if not text.strip():
            continue
        try:
            row = decoder.decode(text)
            require_keys_once(text.encode())
        except (msgspec.DecodeError, InputError, RecursionError) as error:
            raise fault(place, 1, "NO_JSON", text=error) from error
        if len(seen) < len(names):
            seen.update(row.keys() & set(names))
        yield place, [row.get(name) for name in names]
    if seen and (missing := [name for name in names if name not in seen]):
        raise fault(place, 1, "KEY_MISSING", name=repr(missing[0]))


class _Table:
    """Convert the rows of a table to lines, with the sums to compare with a row of sums."""

    def __init__(self, issuer: Issuer, names: list[str], place: int) -> None:
        """Find the columns.

        Raises:
            InputError: one is missing or there twice.

        """
        self.issuer, self.names, self.place = issuer, names, place
        self._at: dict[str, int] = {}
        for field in Columns.__struct_fields__:
            if name := getattr(issuer.columns, field):
                self._at[field] = self._column(name, f" ({field})")
        self._left_out_by = {
            self._column(name, " (leave_out)"): frozenset(values)
            for name, values in issuer.leave_out.items()
        }
        self._further = [self._column(name, " (further_fees)") for name in issuer.further_fees]
        self._labels = {field: f"{at + 1} ({names[at]})" for field, at in self._at.items()}
        self._texts = [(field, self._at[field]) for field in TEXTS if field in self._at]
        self._amounts = [field for field in AMOUNTS if field in self._at]
        self._zone = ZoneInfo(issuer.zone)
        self._sums = dict.fromkeys(AMOUNTS, 0)
        self._has_sum = False
        self._is_above: dict[tuple[str, bool], bool] = {}
        self._fee_sign = {"withheld": 1, "returned": -1, "": 0}[issuer.positive_fee]
        self._left_out: Counter[Phrase] = Counter()

    def _column(self, name: str, field: str) -> int:
        if self.names.count(name) != 1:
            code = "COLUMN_TWICE" if name in self.names else "COLUMN_MISSING"
            raise fault(self.place, 1, code, name=repr(name), field=field)
        return self.names.index(name)

    @property
    def needs_fee_sign(self) -> bool:
        """Return whether rows have to show which sign a withheld fee has."""
        return "fee" in self._at and not self._fee_sign

    def find_fee_sign(self, rows: Rows) -> None:
        """Find the sign of a withheld fee: that of the first payment to us with a fee.

        Invalid rows are skipped: they are reported when the rows are processed.
        """
        for place, row in rows:
            with suppress(InputError):
                if (sign := self._fee_sign_of(place, row)) is not None:
                    self._fee_sign = sign
                    break
        self._is_above.clear()

    def _fee_sign_of(self, place: int, row: list[Any]) -> int | None:
        if self._reason_to_leave_out(place, row) or self._kind(place, row) != "payment":
            return None
        amounts = self._amounts_of(place, row)
        if not amounts.get("fee") or self._signed(place, row, amounts) <= 0:
            return None
        return 1 if amounts["fee"] > 0 else -1

    def take(self, place: int, row: list[Any]) -> Iterator[StatementLine]:
        """Process a row."""
        if self._has_sum:
            raise fault(place, 1, "ROW_BEHIND_SUMS")
        if reason := self._reason_to_leave_out(place, row):
            is_known = len(self._left_out) < VALUES_MAX
            self._left_out[reason if is_known else Phrase("REASON_OTHER")] += 1
            return
        kind = self._kind(place, row)
        amounts = self._amounts_of(place, row, is_sum=kind == SUM)
        if kind == SUM:
            self._compare(place, row, amounts)
            return
        for field, amount in amounts.items():
            self._sums[field] += amount
        moment = None
        if "moment" in self._at:
            value, label = row[self._at["moment"]], self._labels["moment"]
            stated = None
            if "zone" in self._at:
                stated = text_in(row[self._at["zone"]], place, self._labels["zone"])
            moment = moment_in(value, self.issuer, self._zone, place, label, stated=stated)
        booked, valued = (self._day(place, field, row) for field in ("booked", "valued"))
        if booked is None:
            if moment is None:
                raise self._fault(
                    place, "booked" if "booked" in self._at else "moment", "DAY_MISSING"
                )
            booked = moment.astimezone(PRAGUE).date()
        fee = self._fee(place, row, amounts.get("fee", 0))
        signed = self._signed(place, row, amounts)
        if fee < 0 < signed and kind == "payment" and not self.issuer.positive_fee:
            raise self._fault(place, "fee", "FEE_SIGNS_OF_BOTH", text=self._written(row, "fee"))
        yield StatementLine(
            place=place,
            kind=kind,  # type: ignore[arg-type]
            booked=booked,
            amount=signed + fee if self.issuer.amounts_are == "net" else signed,
            fee=fee,
            stake=self._above(place, row, "stake", amounts),
            paid=self._above(place, row, "paid", amounts),
            valued=valued,
            moment=from_datetime(moment) if moment else 0,
            **self._names(place, row),
        )

    def is_sum(self, place: int, row: list[Any]) -> bool:
        """Return whether a row has the sums of the others."""
        return not self._reason_to_leave_out(place, row) and self._kind(place, row) == SUM

    def left_out(self) -> Iterator[Note]:
        """Report how many rows were left out, and why."""
        for reason, count in sorted(self._left_out.items(), key=lambda one: str(one[0])):
            if count == 1:
                yield Note(Phrase("ROW_LEFT_OUT", reason=reason))
            else:
                yield Note(Phrase("ROWS_LEFT_OUT", count=count, reason=reason))

    def _kind(self, place: int, row: list[Any]) -> str:
        if "kind" not in self._at:
            return self.issuer.usual_kind
        value = text_in(row[self._at["kind"]], place, self._labels["kind"])
        if value not in self.issuer.kinds:
            raise self._fault(place, "kind", "KIND_NOT_NAMED", text=repr(value))
        return self.issuer.kinds[value]

    def _currency(self, place: int, row: list[Any]) -> str:
        if "currency" not in self._at:
            return self.issuer.currency
        value = text_in(row[self._at["currency"]], place, self._labels["currency"])
        if not CURRENCY.fullmatch(value.upper()):
            raise self._fault(place, "currency", "CURRENCY_MALFORMED", text=repr(value))
        return value.upper()

    def _reason_to_leave_out(self, place: int, row: list[Any]) -> Phrase | None:
        """Return why a row is none of the issuer's lines; None for a line."""
        for at, values in self._left_out_by.items():
            label = f"{at + 1} ({self.names[at]})"
            if (value := text_in(row[at], place, label)) in values:
                return Phrase("REASON_COLUMN", column=self.names[at], text=repr(value))
        if (currency := self._currency(place, row)) != self.issuer.currency:
            return Phrase("REASON_CURRENCY", text=currency)
        if self._kind(place, row) == SKIP:
            word = text_in(row[self._at["kind"]], place, self._labels["kind"])
            return Phrase("REASON_KIND", text=repr(word))
        return None

    def _fault(self, place: int, field: str, code: str, **values: object) -> Exception:
        """Return a fault of a cell, with number and name of its column."""
        return fault(place, self._labels[field], code, **values)

    def _amounts_of(self, place: int, row: list[Any], *, is_sum: bool = False) -> dict[str, int]:
        """Read all amounts of a row; one that is missing is a fault.

        ``credit`` and ``debit`` need one of the two, a sum only what it states.
        """
        sides = [field for field in ("credit", "debit") if field in self._at]
        found: dict[str, int] = {}
        for field in self._amounts:
            value = row[self._at[field]]
            if is_blank(value):
                if is_sum or (len(sides) > 1 and field in sides):
                    continue
                if field in self.issuer.blank_is_zero:
                    found[field] = 0
                    continue
            found[field] = amount_in(value, self.issuer, place, self._labels[field])
        if "fee" in found:
            found["fee"] += sum(self._further_fee(place, row, at) for at in self._further)
        if is_sum and not found:
            raise self._fault(place, self._amounts[0], "SUM_MISSING")
        if sides and not is_sum and not any(field in found for field in sides):
            raise self._fault(place, sides[0], "AMOUNT_MISSING_ON_SIDES")
        return found

    def _further_fee(self, place: int, row: list[Any], at: int) -> int:
        if is_blank(row[at]) and "fee" in self.issuer.blank_is_zero:
            return 0
        return amount_in(row[at], self.issuer, place, f"{at + 1} ({self.names[at]})")

    def _written(self, row: list[Any], field: str) -> str:
        """Return an amount as the file has it."""
        return str(row[self._at[field]]).strip()

    def _signed(self, place: int, row: list[Any], amounts: dict[str, int]) -> int:
        """Return the amount; positive if it came to us, negative if it left us."""
        if "credit" in self._at or "debit" in self._at:
            credit = self._unsigned(place, row, "credit", amounts.get("credit", 0), is_ours=True)
            return credit - self._unsigned(place, row, "debit", amounts.get("debit", 0))
        amount = amounts.get("amount", 0)
        if "direction" in self._at:
            value = text_in(row[self._at["direction"]], place, self._labels["direction"])
            if value not in self.issuer.incoming + self.issuer.outgoing:
                raise self._fault(place, "direction", "DIRECTION_NOT_NAMED", text=repr(value))
            is_ours = value in self.issuer.incoming
            size = self._unsigned(place, row, "amount", amount, is_ours=is_ours)
            return size if is_ours else -size
        return amount if self.issuer.sign == "ours" else -amount

    def _unsigned(
        self, place: int, row: list[Any], field: str, amount: int, *, is_ours: bool = False
    ) -> int:
        """Remove a sign that repeats the column's meaning; a sign that reverses it is an error."""
        is_above = amount > 0
        is_turned = is_ours and amount < 0 and self.issuer.sign == "ours"
        if is_turned or (
            amount and self._is_above.setdefault((field, is_ours), is_above) != is_above
        ):
            raise self._fault(place, field, "AMOUNT_TURNED", text=self._written(row, field))
        return abs(amount)

    def _fee(self, place: int, row: list[Any], fee: int) -> int:
        """Return the withheld fee; negative if it was returned."""
        if fee and not self._fee_sign:
            raise self._fault(place, "fee", "FEE_SIGN_UNCLEAR", text=self._written(row, "fee"))
        return fee * self._fee_sign

    def _above(self, place: int, row: list[Any], field: str, amounts: dict[str, int]) -> int:
        amount = amounts.get(field, 0)
        if amount < 0:
            raise self._fault(place, field, "AMOUNT_BELOW_ZERO", text=self._written(row, field))
        return amount

    def _compare(self, place: int, row: list[Any], amounts: dict[str, int]) -> None:
        """Refuse a row of sums that are not those of the rows before it."""
        for field, stated in amounts.items():
            if stated != self._sums[field]:
                written, found = self._written(row, field), crowns(self._sums[field])
                raise self._fault(place, field, "SUM_DIFFERS", stated=written, found=found)
        self._has_sum = True

    def _day(self, place: int, field: str, row: list[Any]) -> date | None:
        if field not in self._at:
            return None
        return day_in(row[self._at[field]], self.issuer.day, place, self._labels[field])

    def _names(self, place: int, row: list[Any]) -> dict[str, str]:
        """Read the references of a row."""
        found = {
            field: named(text_in(row[at], place, self._labels[field]), place, self._labels[field])
            for field, at in self._texts
        }
        if "variable_symbol" in found:
            found["variable_symbol"] = found["variable_symbol"].lstrip("0")
        bank = found.pop("counterparty_bank", "")
        if account := found.get("counterparty"):
            found["counterparty"] = account_key(f"{account}/{bank}" if bank else account)
        return found
