"""No test waits for ever for a program that it started."""

from __future__ import annotations

import ast
from pathlib import Path

HERE = Path(__file__).parent


def test_whoever_starts_a_program_for_a_block_has_it_killed_behind() -> None:
    found = [
        f"{path.relative_to(HERE)}:{item.context_expr.lineno}"
        for path in sorted(HERE.rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.With)
        for item in node.items
        if ast.unparse(item.context_expr).startswith(("subprocess.Popen(", "Popen("))
    ]
    assert [place.rpartition(":")[0] for place in found] == ["children.py"], found
