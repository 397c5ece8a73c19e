"""Names of commands: suggested where they are mistyped, completed by shells."""

from __future__ import annotations

import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from tests.tools.cli_cases import begin, run, run_here

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def first_round(tmp_path_factory: pytest.TempPathFactory) -> Path:
    data = tmp_path_factory.mktemp("books") / "data"
    begin(data)
    return data


@pytest.mark.parametrize(
    ("typed", "meant"), [("rounds", "round"), ("reconsile", "reconcile"), ("acount", "account")]
)
def test_a_mistyped_command_is_suggested(tmp_path: Path, typed: str, meant: str) -> None:
    done = run(typed, data=tmp_path)
    assert done.returncode == 2
    assert f"Did you mean '{meant}'" in done.stderr.replace("\n", " ")


@pytest.mark.parametrize(
    ("typed", "step"),
    [
        ("account a-0001", "gameledger account has list, movements, show."),
        ("evidence r-1", "gameledger evidence has close, "),
        ("replay r-1", "Did you mean 'round replay'?"),
        ("fairness", "Did you mean 'games fairness'?"),
        ("letter", "Did you mean 'complaint letter'?"),
        ("help", "`gameledger --help` lists the commands."),
        ("sql", "`gameledger --help` lists the commands."),
        ("balance a-9999", "gameledger account list"),
        ("round replay 00013", "gameledger round list"),
        ("round list --table nowhere", "gameledger log show --type TableOpened"),
        ("tournament show cup", "gameledger tournament list"),
    ],
)
def test_unknown_commands_and_names_are_answered_with_the_next_step(
    first_round: Path, typed: str, step: str
) -> None:
    done = run_here(*typed.split(), data=first_round)
    assert done.returncode == 2
    assert step in " ".join(done.stderr.split())


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
