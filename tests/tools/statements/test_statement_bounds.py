"""What a file from outside may cost, and amounts that it does not hold: no guess and no hang."""

from __future__ import annotations

import os
import zipfile
from io import BytesIO
from typing import TYPE_CHECKING, Any

import pytest
from openpyxl import Workbook
from statement_files import asked, examined, games, provider

from ledger.core.errors import InputError
from tools.statements import confined
from tools.statements.issuer import Columns, Issuer
from tools.statements.reading import ReadRequest, examine

if TYPE_CHECKING:
    from pathlib import Path

HEAD = ("day", "in", "out", "fee")
PAIR = Columns(booked="day", credit="in", debit="out", fee="fee")
AMOUNT = Columns(booked="day", amount="sum")


def a_table(form: str, columns: Columns = PAIR, **facts: Any) -> Issuer:
    return Issuer(kind="PAYMENTS", format=form, columns=columns, **facts)  # type: ignore[arg-type]


def a_sheet(*rows: tuple[object, ...], **parts: str) -> bytes:
    """Write a sheet; texts of its XML can be put in place of others."""
    book = Workbook()
    assert book.active is not None
    for row in rows:
        book.active.append(row)
    book.save(plain := BytesIO())
    out = BytesIO()
    with zipfile.ZipFile(plain) as before, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as after:
        for name in before.namelist():
            text = before.read(name)
            if name == "xl/worksheets/sheet1.xml":
                text = text.replace(parts.get("old", "").encode(), parts.get("new", "").encode(), 1)
            after.writestr(name, text)
    return out.getvalue()


@pytest.mark.parametrize(
    ("content", "issuer", "place"),
    [
        ("day;in;out;fee\n2026-02-02;;;0\n", a_table("csv"), r"line 2, column 2 \(in\)"),
        ("day;in;out;fee\n2026-02-02;1;;\n", a_table("csv"), r"line 2, column 4 \(fee\)"),
        ("day;sum\n2026-02-02;\n", a_table("csv", AMOUNT), r"line 2, column 2 \(sum\)"),
        ('{"day": "2026-02-02", "sum": 1}\n{"day": "2026-02-02"}\n', a_table("jsonl", AMOUNT),
         r"line 2, column 2 \(sum\)"),
        ('{"day": "2026-02-02", "in": 1, "out": null}\n', a_table("jsonl"),
         r"line 1, column 4 \(fee\)"),
        (a_sheet(HEAD, ("2026-02-02", "=1+1", None, 0)), a_table("xlsx"),
         r"line 2, column 2 \(in\)"),
        (a_sheet(HEAD, ("2026-02-02", 1, None, "=B2*0.01")), a_table("xlsx"),
         r"line 2, column 4 \(fee\)"),
        ("at,bet,round,table,stake,win\n2026-02-02T20:00:00,b-1,r,t,1,\n",
         games(delimiter=","), r"line 2, column 6 \(win\)"),
    ],
)  # fmt: skip
def test_an_amount_that_is_not_there_is_never_zero(
    tmp_path: Path, content: str | bytes, issuer: Issuer, place: str
) -> None:
    with pytest.raises(InputError, match=rf"^file, {place}: no amount"):
        examined(tmp_path, content, issuer)


def test_one_of_credit_and_debit_may_be_blank(tmp_path: Path) -> None:
    text = "day;in;out;fee\n2026-02-02;1;;0\n2026-02-02;;2;0\n"
    (statement,) = examined(tmp_path, text, a_table("csv")).statements
    assert (statement.incoming, statement.outgoing) == (100, 200)


@pytest.mark.parametrize("row", ["2026-02-02;1;;0;", "2026-02-02;1;;0;7", "2026-02-02;1;0"])
def test_a_row_with_more_or_fewer_cells_is_refused_by_line(tmp_path: Path, row: str) -> None:
    with pytest.raises(InputError, match=r"^file, line 3, column [45]: \d cells, 4 are due"):
        examined(tmp_path, f"day;in;out;fee\n2026-02-02;1;;0\n{row}\n", a_table("csv"))


def test_a_sheet_may_leave_out_empty_cells_at_the_end_and_hold_none_beyond(tmp_path: Path) -> None:
    head = ("day", "sum", "note")
    sheet = a_sheet(head, ("2026-02-02", 1))
    assert examined(tmp_path, sheet, a_table("xlsx", AMOUNT)).statements[0].incoming == 100
    with pytest.raises(InputError, match=r"line 2, column 4: 4 cells, 3 are due"):
        examined(tmp_path, a_sheet(head, ("2026-02-02", 1, "", 9)), a_table("xlsx", AMOUNT))


def test_a_row_number_beyond_all_sheets_ends(tmp_path: Path) -> None:
    sheet = a_sheet(("day", "sum"), ("2026-02-02", 1), old='<row r="2"', new=f'<row r="{10**18}"')
    with pytest.raises(InputError, match=r"line 1048577, column 1: a sheet has 1,048,576 rows"):
        examined(tmp_path, sheet, a_table("xlsx", AMOUNT))


def test_a_small_file_that_unpacks_into_memory_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(confined, "MEMORY_BYTES_MAX", 400 << 20)
    text = "x" * (1 << 20)
    huge = f"<c r='A2' t='inlineStr'><is><t>{text * 300}</t></is></c>"
    sheet = a_sheet(("day", "sum"), ("2026-02-02", 1), old="</sheetData>",
                    new=f"<row r='3'>{huge}</row></sheetData>")  # fmt: skip
    assert len(sheet) < 1 << 20
    with pytest.raises(InputError, match=r"line 1, column 1: reading takes more than \d+ s or 400"):
        examined(tmp_path, sheet, a_table("xlsx", AMOUNT))


def test_a_pipe_a_device_and_a_folder_are_no_files(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for path in (pipe, tmp_path, type(tmp_path)("/dev/zero")):
        with pytest.raises(InputError, match="no file, but a pipe, a device or a folder"):
            examine(ReadRequest(path, "psp", provider()))
    assert asked(tmp_path, "x", provider()).path.is_file()
