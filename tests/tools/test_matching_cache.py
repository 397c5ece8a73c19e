"""How statements stand is computed once for the same messages, and anew after the next."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tests.tools.cli_cases import begin, bet, run, run_here
from tools.data import DataDirectory

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def matched(data: Path) -> Any:
    done = run_here("statement", "matched", "--json", data=data)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_the_standing_of_statements_is_computed_once_for_the_same_messages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is kept is told as it is, so a mark in it shows whether it was."""
    monkeypatch.setenv("GAMELEDGER_CACHE", str(tmp_path / "cache"))
    data = tmp_path / "data"
    begin(data)
    assert matched(data) == []
    path = DataDirectory(data).cache / "matched.json"
    kept = json.loads(path.read_bytes())
    kept["matching"][0] = [["mark", [1, 2, 3, 4, 5], {"by_reference": [1, 2, 3, 4, 5]}]]
    path.write_text(json.dumps(kept))
    (one,) = matched(data)
    assert (one["statement"], one["matched"]["amount"]) == ("mark", 2)
    assert run("record", data=data, lines=[bet(1, stake=10_000, bet_code="red")]).returncode == 0
    assert matched(data) == []
    path.write_text("torn")
    assert matched(data) == []
