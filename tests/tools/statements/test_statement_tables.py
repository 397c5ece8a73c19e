"""Tables that say one thing and hold another are read as they are, or refused."""

from __future__ import annotations

import re
import zipfile
from io import BytesIO
from typing import TYPE_CHECKING

import pytest
from openpyxl import Workbook

from ledger.core.errors import InputError
from tests.tools.statements.statement_files import lines_of
from tools.statements.issuer import Columns, Issuer

if TYPE_CHECKING:
    from pathlib import Path

COLUMNS = Columns(booked="day", amount="sum", reference="ours")


def a_table(form: str, **facts: object) -> Issuer:
    """Settings of a payment provider whose table has few columns."""
    return Issuer(kind="PAYMENTS", format=form, **{"columns": COLUMNS, **facts})  # type: ignore[arg-type]


@pytest.mark.parametrize("said", ['<dimension ref="A1:C2"/>', '<dimension ref="A1"/>', ""])
def test_a_sheet_is_read_to_its_last_row_whatever_size_it_says(tmp_path: Path, said: str) -> None:
    book = Workbook()
    assert book.active
    for row in (("day", "sum", "ours"), ("2026-02-02", 1, "d-1"), ("2026-02-03", 2, None)):
        book.active.append(row)
    book.save(whole := BytesIO())
    out = BytesIO()
    with zipfile.ZipFile(whole) as before, zipfile.ZipFile(out, "w") as after:
        for name in before.namelist():
            text = before.read(name).decode()
            after.writestr(name, re.sub("<dimension [^>]*/>", said, text))
    lines = lines_of(tmp_path, out.getvalue(), a_table("xlsx"))
    assert [(line.amount, line.reference) for line in lines] == [(100, "d-1"), (200, "")]


GROUPED = {
    ".": ["12.50", "1.25", "1250.00", ".500", "1.25.000", "1,250.500"],
    " ": ["12 50", "1 25,00", "1,000 00", "1\xa025"],
}


@pytest.mark.parametrize(("sign", "text"), [(key, one) for key in GROUPED for one in GROUPED[key]])
def test_what_parts_thousands_parts_nothing_else(tmp_path: Path, sign: str, text: str) -> None:
    issuer = a_table("csv", decimal=",", thousands=sign)
    with pytest.raises(InputError, match=r"line 2, column 2 \(sum\): .* no thousands are parted"):
        lines_of(tmp_path, f"day;sum;ours\n2026-02-02;{text};d-1\n", issuer)
    good = f"-1{sign}234{sign}567,5"
    (line,) = lines_of(tmp_path, f"day;sum;ours\n2026-02-02;{good};d-1\n", issuer)
    assert line.amount == -123_456_750


def test_one_sign_parts_either_thousands_or_crowns() -> None:
    with pytest.raises(ValueError, match="decimal and thousands are the same sign"):
        a_table("csv", thousands=".")


SIDES = Columns(booked="day", credit="in", debit="out")
WAYS = {
    "columns": Columns(booked="day", amount="sum", direction="way"),
    "incoming": ("C",),
    "outgoing": ("D",),
}


@pytest.mark.parametrize(
    ("facts", "rows", "place"),
    [
        ({"columns": SIDES}, ["in;out", "-1;0"], r"line 2, column 2 \(in\): -1"),
        ({"columns": SIDES}, ["in;out", "0;1", "0;-1"], r"line 3, column 3 \(out\): -1"),
        (WAYS, ["way;sum", "C;-1"], r"line 2, column 3 \(sum\): -1"),
        (WAYS, ["way;sum", "D;-1", "D;1"], r"line 3, column 3 \(sum\): 1"),
    ],
)
def test_what_is_taken_back_is_no_further_amount(
    tmp_path: Path, facts: dict[str, object], rows: list[str], place: str
) -> None:
    text = "\n".join([f"day;{rows[0]}", *(f"2026-02-02;{row}" for row in rows[1:])])
    with pytest.raises(InputError, match=f"{place} has the other sign"):
        lines_of(tmp_path, text, a_table("csv", **facts))


def test_a_sign_that_says_the_side_once_more_is_taken_off(tmp_path: Path) -> None:
    text = "day;in;out\n2026-02-02;3;0\n2026-02-02;0;-1\n2026-02-02;0;-2\n"
    amounts = [line.amount for line in lines_of(tmp_path, text, a_table("csv", columns=SIDES))]
    assert amounts == [300, -100, -200]
    text = "day;way;sum\n2026-02-02;C;3\n2026-02-02;D;-1\n2026-02-02;D;-2\n"
    amounts = [line.amount for line in lines_of(tmp_path, text, a_table("csv", **WAYS))]
    assert amounts == [300, -100, -200]


def test_a_row_without_its_amount_is_a_fault(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"line 2, column 2 \(sum\): no amount"):
        lines_of(tmp_path, "day;sum;ours\n2026-02-02;;d-1\n", a_table("csv"))
    rows = '{"day":"2026-02-02","sum":1,"ours":"d-1"}\n{"day":"2026-02-02","ours":"d-2"}\n'
    with pytest.raises(InputError, match=r"line 2, column 2 \(sum\): no amount"):
        lines_of(tmp_path, rows, a_table("jsonl"))


@pytest.mark.parametrize(
    ("form", "text", "day"),
    [
        ("%d%m%Y", "01112026", "2026-11-01"),
        ("%d%m%Y", "1112026", ""),
        ("%Y%m%d", "2026111", ""),
        ("%d%m%y", "11126", ""),
        ("%Y%j", "202635", ""),
        ("%Y%m%d %H%M", "20261101 0930", "2026-11-01"),
        ("%Y%m%d %H%M", "20261101 930", ""),
        ("%Y%m%d%H%M%S%f", "20261101093000123", "2026-11-01"),
        ("%d.%m.%Y", "1.11.2026", "2026-11-01"),
        ("%d. %m. %Y", "1.  11. 2026", "2026-11-01"),
        ("%d%b%Y", "1nov2026", "2026-11-01"),
        ("%d.%m.%Y", "1.11.0001", ""),
        ("%Y-%m-%dT%H:%M%z", "2026-11-01T23:30+0000", "2026-11-02"),
        ("%Y-%m-%dT%H:%M%z", "0001-01-01T00:30+0200", ""),
    ],
)
@pytest.mark.parametrize("column", ["booked", "moment"])
def test_a_day_is_read_by_its_form_in_one_way(
    tmp_path: Path, form: str, text: str, day: str, column: str
) -> None:
    of = a_table(
        "csv",
        columns=Columns(amount="sum", **{column: "day"}),
        **{"day" if column == "booked" else "moment": form},
    )
    table = f"day;sum\n{text};1\n"
    if day:
        (line,) = lines_of(tmp_path, table, of)
        assert line.booked.isoformat() == day
    else:
        with pytest.raises(InputError, match=r"line 2, column 1 \(day\): .* is no (day|moment) as"):
            lines_of(tmp_path, table, of)


def test_fees_of_payments_with_both_signs_are_not_guessed(tmp_path: Path) -> None:
    columns = Columns(booked="day", amount="sum", fee="fee")
    text = "day;sum;fee\n2026-02-02;100;-1\n2026-02-02;100;2\n2026-02-02;-100;2\n"
    with pytest.raises(InputError, match=r"line 3, column 3 \(fee\): 2: .* `positive_fee`"):
        lines_of(tmp_path, text, a_table("csv", columns=columns))
    lines = lines_of(tmp_path, text, a_table("csv", columns=columns, positive_fee="withheld"))
    assert [line.fee for line in lines] == [-100, 200, 200]


@pytest.mark.parametrize("value", ['{"id":"d-1"}', '["d-1"]'])
def test_a_reference_is_a_text(tmp_path: Path, value: str) -> None:
    rows = f'{{"day":"2026-02-02","sum":1,"ours":{value}}}\n'
    with pytest.raises(InputError, match=r"line 1, column 3 \(ours\): no text"):
        lines_of(tmp_path, rows, a_table("jsonl"))


@pytest.mark.parametrize("figure", ["1e30000000", "-1e-30000000"])
def test_a_number_of_no_size_is_a_fault_at_once(tmp_path: Path, figure: str) -> None:
    rows = f'{{"day":"2026-02-02","sum":{figure},"ours":"d-1"}}\n'
    with pytest.raises(InputError, match=r"\(sum\): .{,20} is no amount"):
        lines_of(tmp_path, rows, a_table("jsonl"))
