"""``docs/recipes/add-an-operator.md``: another operator plays, and is judged, by its own rules."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest
from recipe_cases import history

from ledger.core.clock import MINUTE

if TYPE_CHECKING:
    from pathlib import Path

    from recipe_cases import Tree

OPERATOR = "99999999"
SAZKA = "ledger/rules/operators/sazka.toml"
ACME = "ledger/rules/operators/acme.toml"
OTHERWISE = {
    'operators = ["26493993", "*"]': f'operators = ["{OPERATOR}"]',
    "play_minutes = { value = 120,": "play_minutes = { value = 30,",
    "break_minutes = { value = 15,": "break_minutes = { value = 5,",
    "panic_hours = { value = 48,": "panic_hours = { value = 1,",
    "cash_haler = { value = 1_000_000,": "cash_haler = { value = 200_000,",
    "complaint_answer = { days = 30,": "complaint_answer = { days = 3,",
    "SAZKA": "ACME",
}


@pytest.mark.slow
def test_another_operator_has_limits_and_paragraphs_of_its_own(tree: Tree, tmp_path: Path) -> None:
    data = tmp_path / "data"
    history(data, OPERATOR)
    before = tree.gameledger("--data", str(data), "reconcile", "--json")
    assert not [
        one for one in before["findings"] if "LIMIT" in one["code"] or "BREAK" in one["code"]
    ]

    # 1. A file of its own; what is missing or unknown in it is named.
    rules = tree.read(SAZKA)
    for old, new in OTHERWISE.items():
        assert old in rules
        rules = rules.replace(old, new)
    tree.write(ACME, rules.replace('UNDER_AGE = "ACME 7(1), 8(2)"\n', ""))
    assert "acme.toml: [refusals] UNDER_AGE has no paragraph" in tree.stale()
    (tree.path / ACME).unlink()
    tree.write(ACME, rules)

    # 2. The generator names the view of the figures, and makes it.
    assert "projections/sql/0300_operator_figures.sql is not what" in tree.stale()
    tree.generate()
    figures = tree.read("projections/sql/0300_operator_figures.sql")
    assert re.search(rf"'{OPERATOR}'.*\b1800000000\b.* AS longest_play", figures)

    # 3. It refuses at its own limits, with its own paragraphs.
    pay = {"account": "a-1", "method": "cash", "document_shown": True, "amount": 250_000}
    refused, pressed = tree.gameledger(
        "--data", str(data), "record",
        lines=[
            {"command": "deposit", "deposit": "d-3", **pay},
            {"command": "press_panic_button", "account": "a-1"},
        ],
    )  # fmt: skip
    assert refused["refused"] == {
        "code": "CASH_LIMIT",
        "sentence": "Cash deposits of 24 hours would pass 2,000 CZK; 200000 haléř are left.",
        "paragraph": "ACME 10(1)a, 11(1)a",
    }
    story = tree.gameledger("--data", str(data), "account", "show", "a-1", "--json")["account"]
    (panic,) = [block for block in story["blocks"] if block["kind"] == "panic"]
    assert pressed["recorded_at"] == panic["since"]
    assert panic["until"] - panic["since"] == 60 * MINUTE

    # 4. What was recorded is projected and reconciled by its figures.
    found = tree.gameledger("--data", str(data), "reconcile", "--json")["findings"]
    told = {one["code"]: (one["sentence"], one["paragraph"]) for one in found}
    assert told["CASH_LIMIT_PASSED"] == (
        "Cash deposits of 24 hours passed 2,000 CZK by 1 000.00 CZK.", "ACME 10(1)a, 11(1)a",
    )  # fmt: skip
    assert told["COMPLAINT_OVERDUE"][0] == "Complaint c-1 was not decided within 3 days."
    assert told["COMPLAINT_OVERDUE"][1].startswith("ACME 16")
    assert told["BREAK_VIOLATED"][1] == "ACME 5a(3)"
    play = tree.gameledger("--data", str(data), "play-time", "--json")
    assert "late-1" in json.dumps(play)
