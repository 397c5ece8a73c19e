"""Names of commands: suggested where they are mistyped, completed by shells."""

from __future__ import annotations

import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from tests.tools.cli_cases import run

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("typed", "meant"), [("rounds", "round"), ("reconsile", "reconcile"), ("acount", "account")]
)
def test_a_mistyped_command_is_suggested(tmp_path: Path, typed: str, meant: str) -> None:
    done = run(typed, data=tmp_path)
    assert done.returncode == 2
    assert f"Did you mean '{meant}'" in done.stderr.replace("\n", " ")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_of_a_shell_is_one_that_the_shell_reads(tmp_path: Path, shell: str) -> None:
    script = run("completion", shell, data=tmp_path).stdout
    assert "gameledger" in script
    if (program := shutil.which(shell)) is not None:
        file = tmp_path / "script"
        file.write_text(script)
        subprocess.run([program, "-n", str(file)], check=True)  # noqa: S603 - of the machine


@pytest.mark.parametrize(
    ("words", "offered"),
    [("gameledger ro", {"round"}), ("gameledger round ", {"list", "show", "replay"})],
)
def test_a_shell_completes_commands(tmp_path: Path, words: str, offered: set[str]) -> None:
    asked = {
        "_GAMELEDGER_COMPLETE": "complete_bash",
        "COMP_WORDS": words,
        "COMP_CWORD": str(words.count(" ")),
    }
    done = run(data=tmp_path, environment=asked)
    assert set(done.stdout.split()) == offered
