"""Every check with a header is run, and detects only what its header names."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from projections.findings.headers import CHECKS, headers, known_findings
from projections.reconciliation.checks import python_checks

ROOT = Path(__file__).parents[3]


def test_every_python_check_runs_or_is_part_of_a_settlement() -> None:
    run = {check.name for check in python_checks()}
    python = {name: header for name, header in headers().items() if name.endswith(".py")}
    assert run == {name for name, header in python.items() if not header.settled}


@pytest.mark.parametrize("name", [name for name in headers() if name.endswith(".py")])
def test_a_check_has_no_other_codes_than_its_header(name: str) -> None:
    tree = ast.parse((ROOT / CHECKS / name).read_text(encoding="utf-8"))
    constants = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)}
    assert constants & known_findings().keys() <= headers()[name].codes
