"""``evidence close``, ``balance`` and ``verify-balance`` on the evening of the demo."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING, Any

import pytest

from tests.tools.cli_cases import run_here
from tests.verifier.verifier_cases import asked

if TYPE_CHECKING:
    from pathlib import Path

    from tests.tools.conftest import Demo

DAY = "2026-11-20"


def answer(data: Path, *words: str, code: int = 0) -> Any:
    done = run_here(*words, "--json", data=data)
    assert done.returncode == code, done.stderr
    return json.loads(done.stdout)


@pytest.mark.slow(reason="the demo, and its chain verified twice")
def test_a_balance_of_an_evening_is_closed_and_proved(demo: Demo, tmp_path: Path) -> None:
    data = shutil.copytree(demo.data, tmp_path / "data", symlinks=True)
    file = tmp_path / "balance.txt"
    words = ("evidence", "balance", "a-0001", DAY, "--out", str(file))
    assert "no closing of 2026-11-20 is recorded" in run_here(*words, data=data).stderr
    assert "is not over" in run_here("evidence", "close", "2199-01", data=data).stderr
    assert "is a quarter" in run_here("evidence", "close", "2026-Q3", data=data).stderr
    closed = answer(data, "evidence", "close", DAY)
    assert "is not covered" in run_here(*words, data=data).stderr
    signed = run_here("log", "checkpoint", data=data)
    keys = tmp_path / "keys.txt"
    keys.write_text(signed.stderr.splitlines()[-1])
    made = answer(data, *words)
    statements = run_here(
        *("log", "show", "--type", "AccountStatement", "--account", "a-0001"), "--json", data=data
    ).stdout.splitlines()
    closings = [json.loads(line)["facts"] for line in statements]
    [closing] = [one["closing"] for one in closings if one["gaming_day"] == DAY][-1:]
    assert made["balance"] == closing
    assert made["bytes"] == file.stat().st_size < 2048
    found = answer(tmp_path, "evidence", "verify-balance", str(file), "--key", str(keys))
    assert (found["balance"], found["period"], found["closings"]) == (closing, DAY, 1)
    assert "No key was given" in run_here("evidence", "verify-balance", str(file), data=data).stdout
    other = asked("balance", file, "--key", keys)
    assert json.loads(other.stdout)["balance"] == closing, other.stderr
    file.write_text(file.read_text().replace(f"amount {closing}", f"amount {closing + 1}"))
    for code in (
        run_here("evidence", "verify-balance", str(file), data=data).returncode,
        asked("balance", file).returncode,
    ):
        assert code == 3
    assert closed["total"] > closing
    assert run_here("log", "verify", data=data).returncode == 0
    assert asked("log", data).returncode == 0
