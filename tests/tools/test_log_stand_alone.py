"""``log verify`` by the stand-alone verifier: the answers and exit codes are the reference's."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from ledger.log.index import entries
from ledger.log.sqlite_file import connect
from ledger.tlog.signing import SigningKey
from tests.tools.cli_cases import PROGRAM, run
from tests.verifier.verifier_cases import verifier
from tools.cli import _stand_alone_verifier as stand_alone

if TYPE_CHECKING:
    from collections.abc import Callable

    Asked = Callable[..., subprocess.CompletedProcess[str]]


def install(folder: Path, program: Path, version: str) -> dict[str, str]:
    """Install a package with this program; return the environment in which it is found."""
    record = folder / f"gameledger_verify-{version}.dist-info"
    record.mkdir(parents=True)
    text = f"Metadata-Version: 2.1\nName: {stand_alone.DISTRIBUTION}\nVersion: {version}\n"
    (record / "METADATA").write_text(text)
    (record / "RECORD").write_text(f"{stand_alone.DISTRIBUTION},,\n")
    shutil.copy(program, folder / stand_alone.DISTRIBUTION)
    return os.environ | {"PYTHONPATH": str(folder)}


def asked_in(environment: dict[str, str], studio: Path) -> Asked:
    def ask(*words: str | Path) -> subprocess.CompletedProcess[str]:
        command = [*PROGRAM, "log", "verify", "--json", "--data", str(studio), *map(str, words)]
        return subprocess.run(  # noqa: S603 - our own program
            command, check=False, capture_output=True, text=True, env=environment
        )

    return ask


@pytest.fixture
def alone(studio: Path, tmp_path: Path) -> Asked:
    """Ask a program beside which the stand-alone verifier is installed."""
    version = metadata.version("gameledger")
    return asked_in(install(tmp_path / "site", Path(verifier()), version), studio)


def answer(done: subprocess.CompletedProcess[str]) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(done.stdout)
    return {name: value for name, value in found.items() if name != "verifier"}


def alter(studio: Path, file: str, statement: str) -> None:
    with closing(sqlite3.connect(studio / file)) as database, database:
        assert database.execute(statement).rowcount == 1


@pytest.mark.parametrize("options", [(), ("--links",), ("--jobs", "1")])
def test_a_whole_chain_gets_the_same_answer(
    alone: Asked, studio: Path, options: tuple[str, ...]
) -> None:
    other = run("log", "verify", "--json", *options, data=studio)
    done = alone(*options)
    assert (done.returncode, answer(done)) == (other.returncode, answer(other))
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["verifier"] == stand_alone.DISTRIBUTION
    assert json.loads(other.stdout)["verifier"] == "gameledger"


@pytest.mark.parametrize("is_signed", [True, False])
def test_a_note_and_keys_get_the_same_answer(
    alone: Asked, studio: Path, tmp_path: Path, *, is_signed: bool
) -> None:
    """Keys that signed it, or one that signed no checkpoint."""
    note, keys = tmp_path / "note.txt", tmp_path / "keys.txt"
    signed = run("log", "checkpoint", data=studio)
    note.write_text(signed.stdout)
    keys.write_text(signed.stderr.splitlines()[-1])
    words: tuple[str, ...] = ("--since", str(note), "--key", str(keys))
    if not is_signed:
        chain = json.loads(run("log", "verify", "--json", data=studio).stdout)["chain"]
        keys.write_text(SigningKey(chain, bytes(32)).public.text)
        words = ("--key", str(keys))
    done, other = alone(*words), run("log", "verify", "--json", *words, data=studio)
    assert (done.returncode, answer(done)) == (other.returncode, answer(other))
    assert done.returncode == int(not is_signed)


@pytest.mark.parametrize(
    ("file", "statement"),
    [
        ("log.sqlite", "UPDATE message SET body = CAST(body || x'00' AS BLOB) WHERE position = 50"),
        ("log.sqlite", "DELETE FROM message WHERE position = 50"),
        ("index.sqlite", "DELETE FROM entry WHERE key = (SELECT max(key) FROM entry)"),
    ],
)
def test_a_fault_has_the_texts_and_codes_of_the_reference(
    alone: Asked, studio: Path, file: str, statement: str
) -> None:
    alter(studio, file, statement)
    done, other = alone(), run("log", "verify", "--json", data=studio)
    assert (done.returncode, done.stderr) == (other.returncode, other.stderr)
    assert done.returncode == 3


def test_an_index_that_holds_other_entries_is_found(alone: Asked, studio: Path) -> None:
    """Its sums are right, so only the comparison with the messages shows it."""
    with closing(connect(studio / "index.sqlite", writable=True)) as file:
        rows = file.execute("SELECT key, more, next FROM entry ORDER BY key").fetchall()
        (before, more, taken), following = rows[-3], rows[-2][2]
        file.execute("DELETE FROM entry WHERE key = ?", (taken,))
        check = entries._sum(before, more, following)
        values = (following, check, before)
        file.execute("UPDATE entry SET next = ?, sum = ? WHERE key = ?", values)
    done, other = alone(), run("log", "verify", "--json", data=studio)
    assert (done.returncode, done.stderr) == (other.returncode, other.stderr)
    assert "does not hold what the messages give: it holds" in done.stderr


def test_another_version_is_not_used(studio: Path, tmp_path: Path) -> None:
    ask = asked_in(install(tmp_path / "site", Path(verifier()), "0.0.1"), studio)
    assert json.loads(ask().stdout)["verifier"] == "gameledger"


def test_verifiers_that_disagree_are_reported(studio: Path, tmp_path: Path) -> None:
    program = tmp_path / "false"
    program.write_text(f"#!{sys.executable}\nraise SystemExit(3)\n")
    program.chmod(0o755)
    environment = install(tmp_path / "site", program, metadata.version("gameledger"))
    done = asked_in(environment, studio)()
    assert done.returncode == 3
    assert "gameledger finds none" in done.stderr
