"""An answer in the cache is used only by the program that computed it."""

from __future__ import annotations

import json
import shutil
from contextlib import closing
from pathlib import Path

import pytest

from tests.tools.cli_cases import begin, run_here
from tools.data import DataDirectory, examination_cache
from tools.data.cache_files import PACKAGES, program_digest
from tools.data.examination_cache import RECONCILED, stored_examination
from tools.data.locations import LOCAL

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    "file",
    [
        "projections/checks/rounds.py",
        "projections/checks/MEASURE_PASSED.sql",
        "projections/checks/PANIC_NOT_REPORTED.toml",
        "ledger/rules/operators/sazka.toml",
        "ledger/games/settlement.py",
        "schemas/__init__.py",
    ],
)
def test_every_file_that_decides_an_answer_changes_the_digest(tmp_path: Path, file: str) -> None:
    package = file.partition("/")[0]
    copy = shutil.copytree(
        ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__")
    )
    before = program_digest([copy])
    assert before == program_digest([ROOT / package]), "compiled modules do not count"
    with (tmp_path / file).open("a", encoding="utf-8") as changed:
        changed.write("\n")
    assert program_digest([copy]) != before
    assert [one.name for one in PACKAGES] == ["schemas", "ledger", "projections"]


def test_a_changed_check_does_not_answer_from_an_old_examination(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GAMELEDGER_CACHE", str(tmp_path / "cache"))
    data = tmp_path / "data"
    begin(data)
    assert run_here("reconcile", "--record", data=data).returncode == 0
    directory = DataDirectory(data, LOCAL)
    with closing(directory.read()) as log:
        assert stored_examination(directory, log, RECONCILED) is not None
        monkeypatch.setattr(examination_cache, "MADE_BY", program_digest([]))
        assert stored_examination(directory, log, RECONCILED) is None
    last = ("reconcile", "--since", "last", "--record", "--json")
    assert json.loads(run_here(*last, data=data).stdout)["since"] == 0
    assert json.loads(run_here(*last, data=data).stdout)["since"] > 0
