"""Bytes from outside give a value or an error of the ledger's own tree, never anything else.

Each target is fuzzed with coverage for ``GAMELEDGER_FUZZ_SECONDS`` (1 by default; `make fuzz` for
longer), from the seeds of the repository; what was found once is tried in every run.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from tests.fuzz import fuzz_targets
from tests.fuzz.fuzz_targets import FOUND, TARGETS, Target, give

SECONDS = os.environ.get("GAMELEDGER_FUZZ_SECONDS", "1")
FUZZ = Path(fuzz_targets.__file__).with_name("fuzz.py")


@pytest.mark.parametrize("name", TARGETS)
def test_every_seed_is_read_without_another_error(name: str) -> None:
    seeds = list(TARGETS[name].seeds())
    assert seeds
    for seed in seeds:
        give(name, seed)


@pytest.mark.parametrize("name", ["gpc", "mt940", "camt", "csv", "plan"])
def test_a_line_of_any_width_is_read_or_refused(name: str) -> None:
    for seed in TARGETS[name].seeds():
        lines = seed.splitlines(keepends=True)
        for at, line in enumerate(lines):
            for width in range(len(line)):
                give(name, b"".join((*lines[:at], line[:width] + b"\n", *lines[at + 1 :])))


def test_what_was_found_once_stays_mended() -> None:
    for found in sorted(FOUND.rglob("*/*")):
        give(found.parent.name, found.read_bytes())


def test_another_error_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    def read(_: bytes) -> Any:
        raise ValueError("no answer")

    monkeypatch.setitem(TARGETS, "note", Target(read, list))
    with pytest.raises(ValueError, match="no answer"):
        give("note", b"")


@pytest.mark.search
@pytest.mark.skipif(find_spec("atheris") is None, reason="atheris is not made for this Python")
def test_mutated_bytes_are_read_without_another_error(tmp_path: Path) -> None:
    done = subprocess.run(  # noqa: S603 - this program
        [sys.executable, FUZZ, "--seconds", SECONDS, "--corpus", tmp_path],
        capture_output=True,
        check=False,
    )
    said = done.stderr.decode("utf-8", "replace")
    assert done.returncode == 0, said[-4_000:]
    for name in TARGETS:
        (runs,) = re.findall(
            rf"^{name}\n(?s:.*?)number_of_executed_units: (\d+)", said, re.MULTILINE
        )
        assert int(runs) > len(list((tmp_path / name).glob("seed-*"))), f"only seeds of {name}"
