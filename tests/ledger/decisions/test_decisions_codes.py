"""The codes of the refusals: all are known, listed by who refuses, and produced by some test."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import TYPE_CHECKING

import ledger
from ledger.core.refusals import Refusal, RefusedError
from ledger.core.texts import REFUSALS
from ledger.decisions.decider import COMMANDS, DECISIONS, refusals_of
from ledger.decisions.protection.blocks import block_of, require_no_panic, require_not_blocked
from ledger.events.event_types import EVENTS
from ledger.rules.operator import shipped_rules
from tests.ledger.decisions.decisions_paragraphs import PARAGRAPHS
from tests.ledger.decisions.refusals_reached import reached

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ledger.state.account import AccountState

HERE = Path(__file__).parent


def test_every_code_has_a_sentence_and_the_source_that_the_tests_expect() -> None:
    assert set(REFUSALS) == set(PARAGRAPHS)
    from_plan = {"BET_NOT_ALLOWED", "DECISION_NOT_ALLOWED", "LIMITS_NOT_ALLOWED"}
    for code, sentence in REFUSALS.items():
        assert sentence
        assert shipped_rules()["sazka"].paragraph(code) == (
            "game plan" if code in from_plan else PARAGRAPHS[code]
        )


def test_every_decision_lists_its_refusals_in_the_order_of_judgement() -> None:
    """Compare docstrings with the source; `Casino.send` compares them with what happens."""
    listed = {name: refusals_of(command) for name, command in COMMANDS.items()}
    assert listed == {name: reached(DECISIONS[command]) for name, command in COMMANDS.items()}


def test_what_was_read_is_not_altered() -> None:
    """Commands, events and refusals go through many hands between decoding and recording."""
    values = [Refusal, *COMMANDS.values(), *EVENTS.values()]
    assert [kind.__name__ for kind in values if not kind.__struct_config__.frozen] == []


def test_nothing_below_the_decisions_refuses() -> None:
    """What is followed to find refusals is all that there is."""
    rooms = Path(ledger.__file__).parent
    refusing = {file.parent.name for file in rooms.rglob("*.py") if "raise Ref" in file.read_text()}
    homes = {file.parent.name for file in (rooms / "decisions").rglob("*.py")}
    assert refusing <= homes


def test_refusals_are_found_in_the_order_in_which_they_are_judged() -> None:
    assert reached(_strange_decision) == [
        *("NOT_SEATED", "DISCONNECTED", "CASH_LIMIT", "PANIC_BLOCK"),
        *("EXCLUDED", "TEMPORARY_OVER", "UNDER_AGE"),
    ]


def _strange_decision(account: AccountState, now: int) -> None:
    """Refuse in every way in which a decision might; EXCLUDED is caught at first."""
    try:
        require_not_blocked(account, now)
    except RefusedError:
        block_of(account, now)
    if any(table != ("NOT_SEATED" if now else "DISCONNECTED") for table in account.tables):
        raise RefusedError("NOT_SEATED")
    print(require_no_panic(account, len("CASH_LIMIT")))  # type: ignore[func-returns-value] # noqa: T201
    checks = {"all": require_not_blocked}
    checks["all"](account, now)
    raise RefusedError("UNDER_AGE", paragraph="SAZKA 12")


def test_every_refusal_is_required_by_a_test() -> None:
    required = {code for path in HERE.glob("test_*.py") for code in _required_in(path)}
    assert set(REFUSALS) - required == set()


def _required_in(path: Path) -> Iterator[str]:
    """Yield the texts that tests of a module give to ``refuse`` and its relatives, or as cases."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for function in (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)):
        codes = [
            call.args[0]
            for call in ast.walk(function)
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute)
            if call.func.attr.startswith("refuse") and call.args
        ]
        cases = function.decorator_list if any(isinstance(c, ast.Name) for c in codes) else []
        for node in (part for source in (*codes, *cases) for part in ast.walk(source)):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield node.value
