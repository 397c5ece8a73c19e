"""The stand-alone verifier as a second judge: how it is built, run, and compared with ours."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from ledger.core.errors import AvailabilityError, InputError, IntegrityError, LedgerError
from ledger.log import SqliteLog
from ledger.log.index.check import verify_log
from ledger.log.sqlite import APPLICATION_ID, LAYOUT_VERSION
from tests.tools.cli_cases import SECONDS_MAX

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ledger.tlog.signing import Checkpoint

ROOT = Path(__file__).parents[2]
CRATE = ROOT / "verifier"
TABLE = "CREATE TABLE message (position INTEGER PRIMARY KEY, body BLOB NOT NULL) STRICT"

Stored = list[tuple[int, bytes]]


class Verdict(NamedTuple):
    """What a judge found: the exit code, and the position or place of a fault."""

    code: int
    where: int | str | None = None
    found: tuple[Any, ...] = ()


@cache
def verifier() -> str:
    """Build the stand-alone verifier, or skip the test loudly where cargo is missing."""
    cargo = shutil.which("cargo") or str(Path.home() / ".cargo/bin/cargo")
    if not Path(cargo).exists():
        if os.environ.get("CI"):
            pytest.fail("cargo is missing: apt-get install cargo-web rustc-web")
        pytest.skip("cargo is missing, so the stand-alone verifier was NOT tested")
    done = subprocess.run(  # noqa: S603 - our own crate
        [cargo, "build", "--release", "--locked", "--quiet"],
        cwd=CRATE,
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return str(CRATE / "target/release/gameledger-verify")


def asked(*words: str | Path, form: str = "--json") -> subprocess.CompletedProcess[str]:
    """Run the stand-alone verifier, which answers in JSON unless another form is asked."""
    command = [verifier(), *filter(None, [form]), *map(str, words)]
    return subprocess.run(  # noqa: S603 - our own crate
        command, check=False, capture_output=True, text=True, timeout=SECONDS_MAX
    )


def theirs(*words: str | Path) -> Verdict:
    """Return what the stand-alone verifier finds."""
    done = asked(*words)
    assert done.returncode in {0, 1, 2, 3, 4}, done.stderr
    if done.returncode > 1:
        error = json.loads(done.stderr.splitlines()[-1])
        return Verdict(done.returncode, error.get("position", error.get("place")))
    found = json.loads(done.stdout)
    if "head" not in found:
        return Verdict(done.returncode)
    names = ("chain", "size", "head", "root", "decisions", "checkpoints", "covered")
    return Verdict(done.returncode, None, tuple(found[name] for name in names))


def ours(
    folder: Path, *, keys: Mapping[str, bytes] | None = None, since: Checkpoint | None = None
) -> Verdict:
    """Return what ``gameledger log verify`` finds, by the same code in this process."""
    try:
        with closing(SqliteLog(folder, writable=False)) as log:
            found, _ = verify_log(log, folder / "none", keys=keys, since=since)
    except LedgerError as error:
        return Verdict(code_of(error), getattr(error, "position", None))
    return Verdict(
        1 if any(one.events for one in found.unknown) else 0,
        None,
        (
            found.chain,
            found.head.size,
            found.head.hash.hex(),
            found.root.hex(),
            found.decisions,
            found.checkpoints,
            found.covered,
        ),
    )


def code_of(error: LedgerError) -> int:
    """Return the exit code of an error."""
    codes = {InputError: 2, IntegrityError: 3, AvailabilityError: 4}
    return next(code for kind, code in codes.items() if isinstance(error, kind))


def write_log(folder: Path, stored: Sequence[tuple[int, bytes]]) -> Path:
    """Write messages as a log, whatever they are."""
    folder.mkdir(parents=True)
    with closing(sqlite3.connect(folder / "log.sqlite")) as file:
        file.execute(TABLE)
        file.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        file.execute(f"PRAGMA user_version = {LAYOUT_VERSION}")
        file.executemany("INSERT INTO message VALUES (?, ?)", stored)
        file.commit()
    return folder
