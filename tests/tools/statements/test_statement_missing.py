"""A missing value is a fault by line and column; a number is read as the file has it."""

from __future__ import annotations

import re
from datetime import date
from typing import TYPE_CHECKING

import pytest

from ledger.core.errors import InputError
from tests.tools.statements.sheet_files import DAY, HEAD, formula, number, row, sheet, text
from tests.tools.statements.statement_files import CSV, asked, examined, games, lines_of, provider
from tools.statements.importing import check
from tools.statements.issuer import Columns, Issuer, read_issuer
from tools.statements.tables import FAULTS_MAX

if TYPE_CHECKING:
    from pathlib import Path

COLUMNS = Columns(booked="day", amount="sum", reference="ours")
SIDES = Columns(booked="day", credit="in", debit="out")
FEES = Columns(booked="day", kind="kind", amount="sum", fee="fee")


def a_table(form: str = "csv", **facts: object) -> Issuer:
    """Settings of a payment provider whose table has few columns."""
    return Issuer(kind="PAYMENTS", format=form, **{"columns": COLUMNS, **facts})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("cell", "words"),
    [
        (formula("B2"), "the formula has no calculated value"),
        (formula("B2", ""), "the formula has no calculated value"),
        (formula("B2", "#REF!", "e"), "the cell has the error #REF!"),
        ("", "no amount"),
        ('<c r="B2"/>', "no amount"),
        (text("B2", " "), "no amount"),
        ('<c r="B2" t="b"><v>1</v></c>', "True is no amount"),
        (number("B2", "NaN"), "NaN is no amount"),
        (number("B2", "1_0"), "'1_0' is no number"),
        (number("B2", "100.004"), r"'100.004' has more than two decimal places"),
    ],
)
def test_a_cell_without_an_amount_is_refused(tmp_path: Path, cell: str, words: str) -> None:
    content = sheet(HEAD, row(2, DAY, cell, text("C2", "d-1")))
    with pytest.raises(InputError, match=rf"line 2, column 2 \(sum\): {words}"):
        examined(tmp_path, content, a_table("xlsx"))


def test_a_reference_that_was_not_calculated_is_refused_too(tmp_path: Path) -> None:
    content = sheet(HEAD, row(2, DAY, number("B2", "1"), formula("C2")))
    with pytest.raises(InputError, match=r"line 2, column 3 \(ours\): the formula"):
        examined(tmp_path, content, a_table("xlsx"))


def test_a_calculated_formula_counts(tmp_path: Path) -> None:
    content = sheet(HEAD, row(2, DAY, formula("B2", "1000"), formula("C2", "d-1", "str")))
    (line,) = lines_of(tmp_path, content, a_table("xlsx"))
    assert (line.amount, line.reference, line.booked) == (100_000, "d-1", date(2026, 11, 20))


@pytest.mark.parametrize(
    ("issuer", "rows", "place"),
    [
        (a_table(columns=SIDES), "day;in;out\n2026-11-20;;\n", r"line 2, column 2 \(in\)"),
        (a_table(columns=SIDES), "day;in;out\n2026-11-20; ;\xa0\n", r"line 2, column 2 \(in\)"),
        (
            a_table(columns=Columns(booked="day", credit="in")),
            "day;in;out\n2026-11-20;;5\n",
            r"line 2, column 2 \(in\)",
        ),
        (
            a_table(columns=Columns(booked="day", amount="sum", fee="fee")),
            "day;sum;fee\n2026-11-20;5;\n",
            r"line 2, column 3 \(fee\)",
        ),
        (
            games(),
            "at,bet,round,table,stake,win\n2026-02-02T20:00:00,b,r,t,,0\n",
            r"line 2, column 5 \(stake\)",
        ),
        (
            a_table("jsonl", columns=SIDES),
            '{"day":"2026-11-20","in":1,"out":null}\n{"day":"2026-11-20"}\n',
            r"line 2, column 2 \(in\)",
        ),
    ],
)
def test_a_missing_amount_is_never_zero(
    tmp_path: Path, issuer: Issuer, rows: str, place: str
) -> None:
    with pytest.raises(InputError, match=rf"{place}: no amount"):
        examined(tmp_path, rows, issuer)


def test_an_issuer_may_say_that_an_empty_fee_is_zero(tmp_path: Path) -> None:
    columns = Columns(booked="day", amount="sum", fee="fee")
    issuer = a_table(columns=columns, blank_is_zero=("fee",))
    (line,) = lines_of(tmp_path, "day;sum;fee\n2026-11-20;5;\n", issuer)
    assert (line.amount, line.fee) == (500, 0)


def test_a_key_that_no_object_has_is_a_fault_of_the_settings(tmp_path: Path) -> None:
    rows = '{"day":"2026-11-20","sum":1}\n{"day":"2026-11-20","sum":2}\n'
    with pytest.raises(InputError, match="no object of the file has the key 'ours'"):
        examined(tmp_path, rows, a_table("jsonl"))
    more = rows + '{"day":"2026-11-20","sum":3,"ours":"d-1"}\n'
    assert [line.reference for line in lines_of(tmp_path, more, a_table("jsonl"))] == [
        "",
        "",
        "d-1",
    ]


@pytest.mark.parametrize(
    ("cells", "words"),
    [
        ("2026-11-20;1;250.00;d-1", "line 3, column 4: 4 cells, 3 are due"),
        ("2026-11-20;5.00", "line 3, column 3: 2 cells, 3 are due"),
        ("2026-11-20;5.00;d-1;", "line 3, column 4: 4 cells, 3 are due"),
    ],
)
def test_a_row_has_as_many_cells_as_there_are_names(tmp_path: Path, cells: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        examined(tmp_path, f"day;sum;ours\n2026-11-20;1;d-1\n{cells}\n", a_table())


@pytest.mark.parametrize("delimiter", [";", ",", "\t", "|"])
def test_the_delimiter_is_the_one_by_which_the_columns_are_found(
    tmp_path: Path, delimiter: str
) -> None:
    rows = f'day;sum;ours\n2026-11-20;1.50;"a{delimiter}b"\n'.replace(";", delimiter)
    (line,) = lines_of(tmp_path, rows, a_table())
    assert (line.amount, line.reference) == (150, f"a{delimiter}b")
    with pytest.raises(InputError, match=r"column 'day' .* is missing"):
        examined(tmp_path, rows, a_table(delimiter="#"))


@pytest.mark.parametrize(
    ("value", "amount"),
    [
        ("1250.4999999999998", 125_050),
        ("0.30000000000000004", 30),
        ("-967.4999999999999", -96_750),
        ("1E3", 100_000),
        ("1250.500000002", None),
        ("12.345", None),
    ],
)
def test_the_noise_of_a_sum_is_rounded_and_nothing_more(
    tmp_path: Path, value: str, amount: int | None
) -> None:
    content = sheet(HEAD, row(2, DAY, number("B2", value), text("C2", "d-1")))
    if amount is None:
        with pytest.raises(InputError, match=rf"column 2 \(sum\): '{value}' has more than two"):
            examined(tmp_path, content, a_table("xlsx"))
    else:
        assert lines_of(tmp_path, content, a_table("xlsx"))[0].amount == amount


@pytest.mark.parametrize(
    ("value", "reference"),
    [
        ("123456789012345", "123456789012345"),
        ("42", "42"),
        ("1.5", "1.5"),
        ("1234567890123456", None),
        ("1.23456789012346E+17", None),
        ("90071992547409931", None),
    ],
)
def test_a_reference_is_not_a_number_that_lost_its_last_digits(
    tmp_path: Path, value: str, reference: str | None
) -> None:
    content = sheet(HEAD, row(2, DAY, number("B2", "1"), number("C2", value)))
    if reference is None:
        with pytest.raises(InputError, match=r"line 2, column 3 \(ours\): .* more than 15 digits"):
            examined(tmp_path, content, a_table("xlsx"))
    else:
        assert lines_of(tmp_path, content, a_table("xlsx"))[0].reference == reference


@pytest.mark.parametrize(
    "value",
    ["\u22121\u00a0250,50", "-1\u202f250,50", "- 1 250,50", "\u2212 1\u2009250,50", " -1250,50 "],
)
def test_signs_and_spaces_of_all_kinds_are_read(tmp_path: Path, value: str) -> None:
    issuer = a_table(decimal=",", thousands=" ")
    (line,) = lines_of(tmp_path, f"day;sum;ours\n2026-11-20;{value};d-1\n", issuer)
    assert line.amount == -125_050


KINDS = {"charge": "payment", "refund": "reversal", "hold": "skip"}


@pytest.mark.parametrize(("sign", "first"), [(1, "charge"), (-1, "charge"), (1, "refund")])
def test_a_fee_that_is_given_back_is_below_zero(tmp_path: Path, sign: int, first: str) -> None:
    """Whatever sign the file gives to fees: payments to us show which is withheld."""
    rows = [f"2026-11-20;charge;1000;{35 * sign}", f"2026-11-20;refund;-1000;{-35 * sign}"]
    if first == "refund":
        rows.reverse()
    content = "\n".join(["day;kind;sum;fee", *rows])
    lines = lines_of(tmp_path, content, a_table(columns=FEES, kinds=KINDS))
    assert sorted((line.amount, line.fee) for line in lines) == [
        (-100_000, -3_500),
        (100_000, 3_500),
    ]
    (one,) = examined(tmp_path, content, a_table(columns=FEES, kinds=KINDS)).statements
    assert (one.incoming, one.outgoing, one.fees) == (100_000, 100_000, 0)


def test_a_fee_whose_sign_nothing_shows_is_refused(tmp_path: Path) -> None:
    content = "day;kind;sum;fee\n2026-11-20;refund;-1000;35\n"
    issuer = a_table(columns=FEES, kinds=KINDS)
    with pytest.raises(InputError, match=r"column 4 \(fee\): 35: no payment .*`positive_fee`"):
        examined(tmp_path, content, issuer)
    given = a_table(columns=FEES, kinds=KINDS, positive_fee="returned")
    assert lines_of(tmp_path, content, given)[0].fee == -3_500


def test_rows_of_others_are_left_out_and_counted(tmp_path: Path) -> None:
    columns = Columns(booked="day", kind="kind", amount="sum", currency="money")
    issuer = a_table(columns=columns, kinds=KINDS, leave_out={"status": ("pending",)})
    content = (
        "day;kind;sum;money;status\n"
        "2026-11-20;charge;10;czk;paid\n"
        "2026-11-20;charge;20;EUR;paid\n"
        "2026-11-20;exchange;20;EUR;paid\n"
        "2026-11-20;hold;30;CZK;paid\n"
        "2026-11-20;charge;40;CZK;pending\n"
    )
    judged = check(asked(tmp_path, content, issuer), [])
    assert [one.lines for one in judged.parsed.statements] == [1]
    assert [*map(str, judged.notes)] == [
        "left out: 2 rows of currency EUR",
        "left out: 1 row of kind 'hold'",
        "left out: 1 row of status 'pending'",
    ]


def test_a_currency_may_be_written_in_small_letters(tmp_path: Path) -> None:
    (tmp_path / "one.toml").write_text(
        'kind = "PAYMENTS"\nformat = "csv"\ncurrency = "eur"\n[columns]\nbooked = "d"\namount = "a"'
    )
    assert read_issuer(tmp_path, "one").currency == "EUR"


MOMENTS = Columns(moment="when", amount="sum")


def test_a_moment_that_clocks_never_showed_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"line 2, column 1 \(when\): .* never showed"):
        examined(tmp_path, "when;sum\n2026-03-29T02:30:00;1\n", a_table(columns=MOMENTS))


def test_a_moment_that_clocks_showed_twice_needs_an_offset_or_a_setting(tmp_path: Path) -> None:
    content = "when;sum\n2026-10-25T02:30:00;1\n"
    with pytest.raises(InputError, match=r"line 2, column 1 \(when\): .* showed this moment twice"):
        examined(tmp_path, content, a_table(columns=MOMENTS))
    found = [
        lines_of(tmp_path, rows, a_table(columns=MOMENTS, repeated_hour=setting))[0].moment
        for rows, setting in (
            (content, "earlier"),
            (content, "later"),
            (content.replace(":00;", ":00+02:00;"), ""),
            (content.replace(":00;", ":00+01:00;"), ""),
        )
    ]
    assert found[0] == found[2]
    assert found[1] == found[3] == found[0] + 3_600_000_000


def test_all_rows_with_a_fault_are_told_at_once(tmp_path: Path) -> None:
    rows = ["day;sum;ours", "2026-11-20;1.00;d-1", "2026-11-31;1.00;d-2", "2026-11-20;x;d-3"]
    rows += ["2026-11-20;4.00", "2026-11-20;5.00;d-5"]
    with pytest.raises(InputError) as told:
        examined(tmp_path, "\n".join(rows).encode(), a_table(delimiter=";"))
    faults = str(told.value).split("; ")
    assert [one.rpartition("line ")[2].partition(",")[0] for one in faults] == ["3", "4", "5"]
    many = "\n".join([rows[0], *[rows[3]] * 50]).encode()
    with pytest.raises(InputError) as told:
        examined(tmp_path, many, a_table(delimiter=";"))
    assert str(told.value).count("line ") == FAULTS_MAX
    with pytest.raises(InputError) as told:  # the sign of fees is looked for first
        examined(tmp_path, CSV.replace("1 250,50;", "x;").replace("-100,00", "y"), provider())
    assert re.findall(r"line (\d+),", str(told.value)) == ["2", "3"]
