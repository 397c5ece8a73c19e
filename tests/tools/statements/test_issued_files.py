"""Files of simulated issuers: what each form has room for, and who sends which."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING

import pytest

from ledger.core.errors import InputError
from ledger.decisions.statements import StatementLine
from tests.tools.statements.statement_files import lines_of
from tools.simulator import IssuedStatement, write
from tools.statements.issuer import read_issuer

if TYPE_CHECKING:
    from pathlib import Path

DAY = date(2026, 3, 1)
NAMES = ("0042", "dep-a & b", "a-name-of-20-signs-xy")
LINES = [
    StatementLine(1, "payment", DAY, amount, end_to_end=name, their_reference=f"{number:013d}")
    for number, (name, amount) in enumerate(zip(NAMES, (150, -250, 350), strict=True))
]
BANK = IssuedStatement("bank", "BANK", ("account",), DAY, DAY, LINES)
LOST, SYMBOL = "", ("", "42")


@pytest.mark.parametrize(
    ("form", "told"),
    [
        ("camt.053", [SYMBOL, (NAMES[1], ""), (NAMES[2], "")]),
        ("mt940", [SYMBOL, (NAMES[1], ""), (LOST, "")]),
        ("gpc", [SYMBOL, (LOST, ""), (LOST, "")]),
    ],
)
def test_a_bank_passes_on_what_its_form_has_room_for(
    tmp_path: Path, form: str, told: list[tuple[str, str]]
) -> None:
    content = write(BANK, form, tmp_path).read_bytes()
    lines = lines_of(tmp_path, content, read_issuer(tmp_path, "bank"))
    assert [(line.end_to_end, line.variable_symbol) for line in lines] == told
    assert [line.amount for line in lines] == [150, -250, 350]
    with pytest.raises(FileExistsError):
        write(BANK, form, tmp_path)


def test_a_form_that_an_issuer_does_not_send_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="a bank sends no csv"):
        write(BANK, "csv", tmp_path)
    with pytest.raises(InputError, match="GAMES send no gpc"):
        write(replace(BANK, kind="GAMES"), "gpc", tmp_path)
    assert not list(tmp_path.iterdir())
