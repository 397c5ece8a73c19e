"""A host needs the packages of its role only; what is missing is named with its extra."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from typing import TYPE_CHECKING

import pytest

from ledger.core.extras import EXTRAS, MissingExtraError, require_module
from tests.tools.cli_cases import ROOT, studio
from tools.workshop.release import LOCKS, locks

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

WITHOUT = f"""
import sys
class Without:
    def find_spec(self, name, *_):
        if name.partition(".")[0] in {set(EXTRAS)!r}:
            raise ModuleNotFoundError(name, name=name)
sys.meta_path.insert(0, Without())
from tools.cli import main
main()
"""
DISTRIBUTIONS = {
    "clickhouse_connect": "clickhouse-connect",
    "fpdf": "fpdf2",
    "mt940": "mt-940",
    "pyhanko_certvalidator": "pyhanko",  # its requirement
}


def gameledger(
    *arguments: str, folder: Path, lines: Sequence[object] = ()
) -> subprocess.CompletedProcess[str]:
    """Run the program as if no extra were installed."""
    return subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-c", WITHOUT, *arguments],
        input="".join(f"{json.dumps(line)}\n" for line in lines),
        env={**os.environ, "GAMELEDGER_DATA": str(folder), "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.slow
def test_a_writer_works_without_any_extra(tmp_path: Path) -> None:
    data = tmp_path / "data"
    named = ("--operator", "26493993", "--name", "Test", "--chain", "test")
    assert gameledger("init", *named, folder=data).returncode == 0
    done = gameledger("record", folder=data, lines=studio())
    assert done.returncode == 0, done.stderr
    assert '"refused"' not in done.stdout
    for command in ("verify", "checkpoint", "status"):
        assert gameledger("log", command, folder=data).returncode == 0
    addresses = ("--http", "127.0.0.1:0")
    served = subprocess.Popen(  # noqa: S603 - our own program
        [sys.executable, "-c", WITHOUT, "writer", *addresses],
        env={**os.environ, "GAMELEDGER_DATA": str(data), "PYTHONPATH": str(ROOT)},
        stderr=subprocess.PIPE,
        text=True,
    )
    assert served.stderr is not None
    with served.stderr:
        assert any("leading: chain test" in line for line in served.stderr)
        served.terminate()
    assert served.wait(30) == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "extra"),
    [(["balance", "a-1"], "tables"), (["games", "show", "69games.omaha_cash"], "poker")],
)
def test_what_is_missing_is_named_with_its_extra(
    tmp_path: Path, command: list[str], extra: str
) -> None:
    named = ("--operator", "26493993", "--name", "Test", "--chain", "test")
    gameledger("init", *named, folder=tmp_path / "data")
    done = gameledger(*command, folder=tmp_path / "data")
    assert done.returncode == 2
    assert f"install gameledger[{extra}]" in done.stderr


def test_a_missing_module_is_an_input_error() -> None:
    require_module("pokerkit")
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(EXTRAS, "no_such_module", "poker")
        with pytest.raises(MissingExtraError, match=r"install gameledger\[poker\]"):
            require_module("no_such_module")


def test_every_package_of_an_extra_is_one_that_the_program_imports() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    of_extra = {
        (re.split(r"[\[>]", text)[0], extra)
        for extra in set(EXTRAS.values())
        for text in project["optional-dependencies"][extra]
        if not text.startswith("gameledger[")
    }
    assert of_extra == {(DISTRIBUTIONS.get(one, one), extra) for one, extra in EXTRAS.items()}


def test_the_locks_of_hosts_are_parts_of_the_lock() -> None:
    """`python -m tools.workshop.release --locks` writes them."""
    for path, text in locks().items():
        assert path.read_text(encoding="utf-8") == text, path
    everything, writer, _ = LOCKS
    named = re.compile(r"^([\w.-]+)==", re.MULTILINE)
    names = [set(named.findall(locks()[path])) for path in (writer, everything)]
    assert names[0] < names[1]
    assert not names[0] & {"fpdf2", "xlsxwriter", "pokerkit", "pyhanko", "chdb", "fastapi"}
