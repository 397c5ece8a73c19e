"""``docs/recipes/add-an-event-type.md``: each step is named by what fails after the one before."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.recipes.recipe_cases import Tree

SETUP = "ledger/decisions/operator/setup.py"
TELLING = "from projections.facts.rendering import in_english;"
TEXTS = """\
[commands]
clean_table = ["studio"]

[name]
en = "Table cleaned"
cs = "Úklid stolu"

[sentence]
en = "Table {table} was cleaned by {by}[ for {cost}]."
cs = "Stůl {table} uklidil {by}[ za {cost}]."

[columns]
by = "kdo uklízel"
cost = "náklady kasina"
"""
DECIDER = "ledger/decisions/decider.py"
COMMAND = '''

class CleanTable(Command, frozen=True):
    """Record that a table was cleaned between rounds."""

    table: Id
    by: Name
    cost: Haler


@refuses("ROUND_RUNNING")
def clean_table(ledger_state: LedgerState, command: CleanTable, _: int) -> list[e.Event]:
    """Decide :class:`CleanTable`."""
    if running := ledger_state.operator_state.tables[command.table].round:
        raise RefusedError("ROUND_RUNNING", round=running)
    return [e.TableCleaned(table=command.table, by=command.by, cost=command.cost)]
'''


@pytest.mark.search
def test_a_new_event_type_is_recorded_shown_and_projected(tree: Tree, tmp_path: Path) -> None:
    data = ("--data", str(tmp_path / "data"))

    # 1. One schema file with the facts.
    schema = json.loads(tree.read("schemas/TableClosed.v1.json"))
    schema |= {"name": "TableCleaned", "doc": "A gaming table cleaned between rounds."}
    schema["facts"][-1:] = [
        {"name": "by", "type": "string", "doc": "who cleaned it"},
        {"name": "cost", "type": "long", "unit": "haler", "doc": "what it cost the house"},
    ]
    tree.write("schemas/TableCleaned.v1.json", json.dumps(schema, indent=2) + "\n")

    # 2. Its texts, which the generator misses until then.
    assert "add schemas/TableCleaned.toml" in tree.stale()
    tree.write("schemas/TableCleaned.toml", TEXTS.replace('by = "kdo uklízel"\n', ""))
    assert "schemas/TableCleaned.toml does not describe by" in tree.stale()
    tree.replace("schemas/TableCleaned.toml", "cost = ", 'by = "kdo uklízel"\ncost = ')
    tree.generate()

    # 3. One command with its decision, and its line in the table of commands.
    tree.replace(SETUP, "\n\ndef list_game(", f"{COMMAND}\n\ndef list_game(")
    tree.replace(
        DECIDER,
        "    on(setup.CloseTable, setup.close_table),\n",
        "    on(setup.CloseTable, setup.close_table),\n"
        "    on(setup.CleanTable, setup.clean_table),\n",
    )
    clients = "tests/tools/service/test_writer_clients.py"
    roles = ("-m", "pytest", "-q", "-p", "no:randomly", clients, "-k", "belongs_to_a_role")
    assert tree.python(*roles).returncode == 0

    # 5. The generator names the files that follow, and writes them; a test names the golden bytes.
    assert "docs/commands.openapi.json" in tree.stale()
    tree.generate()
    assert tree.stale() == ""
    golden = ("-m", "pytest", "-q", "-x", "-p", "no:randomly", "tests/schemas/test_golden_bytes.py")
    assert "TableCleaned" in tree.python(*golden).stdout
    assert tree.python("tests/schemas/golden.py").returncode == 0
    assert tree.python(*golden).returncode == 0
    assert tree.changed() == {
        "docs/commands.openapi.json",
        "docs/events.md",
        "ledger/decisions/decider.py",
        "ledger/decisions/operator/setup.py",
        "schemas/TableCleaned.toml",
        "schemas/TableCleaned.v1.json",
        "schemas/pins.txt",
        "tests/schemas/golden.jsonl",
    }

    # 6. Another test names the money, until it moves or has its reason.
    money = "tests/ledger/decisions/test_movements.py"
    asked = ("-m", "pytest", "-q", "-p", "no:randomly", money, "-k", "every_money_column")
    assert "('TableCleaned', 'cost')" in tree.python(*asked).stdout
    reason = '    "of nobody who plays": {"TableCleaned": "cost"},\n'
    tree.replace(money, '    "refused": {"BetRefused"', f'{reason}    "refused": {{"BetRefused"')
    assert tree.python(*asked).returncode == 0

    # It is recorded, projected and shown.
    tree.gameledger(
        *data, "init", "--operator", "26493993", "--name", "N", "--chain", "c", "--json"
    )
    lines = [json.loads(line) for line in tree.read("docs/first-round.jsonl").splitlines()]
    answers = tree.gameledger(
        *data,
        "record",
        lines=[*lines, {"command": "clean_table", "table": "t1", "by": "Eva", "cost": 90_000}],
    )
    assert answers[-1]["events"] == ["TableCleaned"]
    shown = tree.gameledger(*data, "log", "show", "--type", "TableCleaned", "--json")
    assert "Eva" in json.dumps(shown)

    assert tree.python("-m", "tools.cli", *data, "project").returncode == 0
    assert tree.gameledger(*data, "reconcile", "--json")["findings"] == []
    for cost, told in ((90_000, " for 900.00 CZK"), (0, "")):
        facts = {"table": "t1", "by": "Eva", "cost": cost}
        shown = tree.python("-c", f"{TELLING} print(in_english('TableCleaned', {facts}))")
        assert shown.stdout == f"Table t1 was cleaned by Eva{told}.\n", shown.stderr
