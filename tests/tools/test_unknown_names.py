"""Every command about one thing refuses a name that the chain does not know."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import typer

from tests.tools.cli_cases import begin, run_here
from tests.tools.test_wrong_options import commands_of_program
from tools.cli._app import app

if TYPE_CHECKING:
    from pathlib import Path

CREATING = {"reader add"}
"""Commands whose argument names what they make."""
PERIODS = {"DAY", "MONTH", "PERIOD"}
"""A period always exists, even if nothing was recorded in it."""
FILES = {"FILE", "FILE|-", "[FILE|-]", "[FILE]...", "DIR", "[DIR|URL]", "SOURCE", "folder", "file"}
VALUES = {"--until": "2199-01-01", "--role": "auditor", "--issuer": "no-such"}


def _cases() -> dict[str, Any]:
    found = {" ".join(path): one for path, one in commands_of_program(typer.main.get_command(app))}
    return {
        name: one
        for name, one in found.items()
        if not name.startswith(("practice-", "completion", "mirror", "witness"))
        if name not in CREATING
        and any(
            parameter.param_type_name == "argument" and _metavar(parameter) not in FILES | PERIODS
            for parameter in one.params
        )
        and not any(
            parameter.param_type_name == "argument" and _metavar(parameter) in FILES
            for parameter in one.params
            if name != "report explain"
        )
    }


def _metavar(parameter: Any) -> str:
    return str(parameter.metavar or parameter.human_readable_name)


@pytest.fixture(scope="module")
def books(tmp_path_factory: pytest.TempPathFactory) -> Path:
    data = tmp_path_factory.mktemp("books") / "data"
    begin(data)
    assert run_here("log", "checkpoint", data=data).returncode == 0
    return data


@pytest.mark.parametrize("name", _cases())
def test_a_name_that_the_chain_does_not_know_is_refused(
    books: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    words = name.split()
    for one in _cases()[name].params:
        if one.param_type_name == "argument":
            words.append("1" if one.name in {"row", "position"} else "no-such")
        elif one.required:
            words += [one.opts[0], VALUES.get(one.opts[0], "x")]
    if name == "hold place":
        words += ["--account", "no-such"]
    done = run_here(*words, data=books)
    assert (done.returncode, done.stdout) == (2, ""), done
    lines = [one for one in done.stderr.splitlines() if not one.startswith("gameledger ")]
    assert lines[-1].startswith("gameledger: "), done.stderr
    assert not list(tmp_path.iterdir())


def test_a_proof_of_absence_is_written_when_it_is_asked_for(books: Path, tmp_path: Path) -> None:
    for kind in ("round", "account"):
        file = str(tmp_path / kind)
        made = run_here("evidence", kind, "no-such", "--absent", "--out", file, data=books)
        assert made.returncode == 0, made.stderr
        assert run_here("evidence", "verify", file, data=books).returncode == 0
