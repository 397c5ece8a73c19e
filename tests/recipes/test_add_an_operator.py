"""``docs/recipes/add-an-operator.md``: another operator plays, and is judged, by its own rules."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from ledger.core.clock import HOUR
from tests.recipes.recipe_cases import history
from tests.tools.cli_cases import run

if TYPE_CHECKING:
    from pathlib import Path

OPERATOR = "99999999"
OTHERWISE = {
    "play_minutes = { value = 120,": "play_minutes = { value = 30,",
    "break_minutes = { value = 15,": "break_minutes = { value = 20,",
    "panic_hours = { value = 48,": "panic_hours = { value = 72,",
    "cash_haler = { value = 1_000_000,": "cash_haler = { value = 200_000,",
    "complaint_answer = { days = 30,": "complaint_answer = { days = 3,",
    "SAZKA": "ACME",
}


def gameledger(*arguments: str, data: Path, lines: list[Any] | str = "") -> Any:
    """Run the program and return its answers in JSON."""
    done = run(*arguments, data=data, lines=lines)
    assert done.returncode in {0, 1, 2}, done.stderr + done.stdout
    if "record" in arguments:
        return [json.loads(line) for line in done.stdout.splitlines()]
    return json.loads(done.stdout)


@pytest.mark.search
def test_another_operator_has_limits_and_paragraphs_of_its_own(tmp_path: Path) -> None:
    data, file = tmp_path / "data", tmp_path / "acme.toml"
    history(data, OPERATOR)
    before = gameledger("reconcile", "--json", data=data)
    assert not [
        one for one in before["findings"] if "LIMIT" in one["code"] or "BREAK" in one["code"]
    ]

    # 1. and 2. A file of its own; what is missing or unknown in it is named.
    rules = run("rules", "show", "sazka", data=data).stdout
    for old, new in OTHERWISE.items():
        assert old in rules
        rules = rules.replace(old, new)
    file.write_text(rules.replace('UNDER_AGE = "ACME 7(1), 8(2)"\n', ""), encoding="utf-8")
    incomplete = run("rules", "show", str(file), data=data)
    assert incomplete.returncode == 2
    assert "acme.toml: [refusals] UNDER_AGE has no paragraph" in incomplete.stderr
    file.write_text(rules, encoding="utf-8")
    assert run("rules", "show", str(file), data=data).stdout == rules

    # 3. A chain begins with it, and with nothing that was not chosen.
    names = ("--operator", OPERATOR, "--name", "Acme a.s.", "--chain", "acme-live")
    other = tmp_path / "acme"
    silent = run("init", *names, data=other)
    assert (silent.returncode, other.exists()) == (2, False)
    assert "--rules" in silent.stderr
    assert gameledger("init", *names, "--rules", str(file), "--json", data=other)["rules"] == "acme"
    document = gameledger("rules", "show", str(file), "--json", data=data)
    assert gameledger("rules", "show", "--json", data=other) == document
    assert "would exceed 2 000.00 CZK" in run("record", "--help", "deposit", data=other).stdout
    none = run("record", "--help", "deposit", data=tmp_path / "none").stdout
    assert "would exceed {cash_haler}" in none

    # Rules that change are a decision of their own.
    publish = {"command": "publish_operator_rules", "name": "acme", "rules": document}
    changed, again = gameledger("record", lines=[publish, publish], data=data)
    assert changed["events"] == ["OperatorRulesPublished"]
    assert "in force already" in again["text"]

    # It refuses at its own limits, with its own paragraphs.
    pay = {"account": "a-1", "method": "cash", "document_shown": True, "amount": 250_000}
    refused, pressed = gameledger(
        "record",
        lines=[
            {"command": "deposit", "deposit": "d-3", **pay},
            {"command": "press_panic_button", "account": "a-1"},
        ], data=data,
    )  # fmt: skip
    assert json.loads(refused["refused"].pop("parameters"))["left"] == 200_000
    assert refused["refused"] == {
        "code": "CASH_LIMIT",
        "sentence": (
            "Cash deposits within 24 hours would exceed 2 000.00 CZK; 2 000.00 CZK are left."
        ),
        "paragraph": "ACME 10(1)a, 11(1)a",
    }
    story = gameledger("account", "show", "a-1", "--json", data=data)["account"]
    (panic,) = [block for block in story["blocks"] if block["kind"] == "panic"]
    assert pressed["recorded_at"] == panic["since"]
    assert panic["until"] - panic["since"] == 72 * HOUR

    # What was recorded before is projected and reconciled by the figures of its time.
    found = gameledger("reconcile", "--json", data=data)["findings"]
    by_figures = {"CASH_LIMIT_PASSED", "COMPLAINT_OVERDUE", "BREAK_VIOLATED"}
    assert by_figures.isdisjoint(one["code"] for one in found)
    assert "late-1" not in json.dumps(gameledger("play-time", "--json", data=data))

    # The same history under the file from its beginning is judged by it.
    chain = tmp_path / "judged"
    history(chain, OPERATOR, str(file))
    gameledger("record", lines=[{"command": "press_panic_button", "account": "a-1"}], data=chain)
    found = gameledger("reconcile", "--json", data=chain)["findings"]
    sentences = {one["code"]: (one["sentence"], one["paragraph"]) for one in found}
    assert sentences["COMPLAINT_OVERDUE"][0].startswith("A complaint was not decided in time: c-1")
    assert sentences["COMPLAINT_OVERDUE"][1].startswith("ACME 16")
