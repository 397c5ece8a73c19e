"""Change code a little and see whether tests notice: ``python -m tests.mutation.mutate PLACE…``.

A place is a folder or a file. cosmic-ray makes the changes in a copy of the working tree: lines
are drawn at random, and of each line one change. Each is met by the tests that reach its line,
which are recorded once for a state of the tree (`tests.mutation.lines`), or by those that
``--tests`` names. What no test noticed is printed with its difference: a test is missing, or the
change changes nothing. Types in annotations are left alone, as nothing evaluates them.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shlex
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections import defaultdict
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

from tests.mutation.noticed import UNREACHED

ROOT = Path(__file__).resolve().parents[2]
PYTEST = (sys.executable, "-m", "pytest")
FAILED = re.compile(r"^(?:FAILED|ERROR) (tests/[^\s\[]+)", re.MULTILINE)
"""Tests that failed, without their parameters."""
QUIET = ("-q", "-rfE", "--tb=no", "-p", "no:cacheprovider", "-p", "no:randomly")
TESTS = (
    "tests/ledger",
    "tests/projections/matching",
    "tests/projections/reconciliation",
    "tests/simulation/test_fixed_seeds.py",
    "tests/simulation/test_simulation.py",
    "tests/tools/statements/test_statement_periods.py",
)
"""What is recorded: the tests that drive the write side and its twin, without brokers."""
MET = {"killed", "survived"}
"""What became of a change that cosmic-ray could make."""
LEFT_ALONE = ("core/ReplaceBinaryOperator_BitOr_.*",)
SECONDS_MAX = 60
"""So long may the tests of a change take, by the times at which they were recorded."""
TIMEOUT_SECONDS = 240
"""A change that makes a test run so long was noticed."""


def main() -> None:
    """Print a score for each place, and each survivor."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("places", nargs="+")
    parser.add_argument("--tests", nargs="*", help="run these for every change")
    parser.add_argument("--most", type=int, default=60, help="lines of a place, drawn at random")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--cosmic-ray", default=shutil.which("cosmic-ray"), help="the program")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="mutate-") as place:
        tree = Path(place, "tree")
        names = _copy(tree)
        store = None if asked.tests else _recorded(tree, names)
        for each in asked.places:
            _Score(tree, each, store, asked).run()


def _copy(tree: Path) -> list[str]:
    """Copy the working tree, and name its files."""
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"],  # noqa: S607 - found by PATH
        cwd=ROOT, check=True, capture_output=True, text=True,
    )  # fmt: skip
    names = [name for name in sorted(listed.stdout.splitlines()) if (ROOT / name).is_file()]
    for name in names:
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, tree / name)
    return names


def _recorded(tree: Path, names: list[str]) -> Path:
    """Return what was recorded for this state of code and tests; record it if nothing was."""
    digest = sha256()
    for name in names:
        if name.endswith(".py") and name.startswith(("ledger/", "projections/", *TESTS)):
            digest.update(name.encode() + (tree / name).read_bytes())
    store = ROOT / ".cache" / "mutation" / f"lines-{digest.hexdigest()[:16]}.sqlite"
    if not store.exists():
        print(f"recording which tests reach which line, in {store}", file=sys.stderr, flush=True)
        store.parent.mkdir(parents=True, exist_ok=True)
        part = store.with_suffix(".part")
        part.unlink(missing_ok=True)
        _run([*PYTEST, *QUIET, "-p", "tests.mutation.lines", "--lines", str(part), *TESTS], tree)
        part.rename(store)
    return store


def _run(command: list[str], tree: Path, *, check: bool = False) -> str:
    return subprocess.run(  # noqa: S603 - our own arguments
        command, cwd=tree, check=check, stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(tree)},
        text=True,
    ).stdout  # fmt: skip


class _Score:
    """The changes of one place."""

    def __init__(
        self, tree: Path, place: str, store: Path | None, asked: argparse.Namespace
    ) -> None:
        self.tree, self.place, self.asked = tree, place, asked
        self.session, self.config = tree / "session.sqlite", tree / "mutate.toml"
        self.session.unlink(missing_ok=True)
        command = [*PYTEST, "-x", *QUIET, *(asked.tests or ())]
        if store is not None:
            options = [str(ROOT), str(store), str(SECONDS_MAX), *self._files()]
            command = [sys.executable, "-m", "tests.mutation.noticed", *options]
        self.config.write_text(
            f"[cosmic-ray]\nmodule-path = {json.dumps(place)}\ntimeout = {TIMEOUT_SECONDS}\n"
            f"excluded-modules = []\ntest-command = {json.dumps(shlex.join(command))}\n"
            '[cosmic-ray.distributor]\nname = "local"\n'
            f"[cosmic-ray.filters.operators-filter]\nexclude-operators = {json.dumps(LEFT_ALONE)}\n"
        )

    def run(self) -> None:
        """Make the changes, and print what came of them."""
        self._call("cosmic-ray", "init", self.config, self.session)
        self._call("cr-filter-operators", self.session, self.config)
        self._sample(Random(self.asked.seed))
        self._call("cosmic-ray", "exec", self.config, self.session)
        dumped = map(json.loads, self._call("cosmic-ray", "dump", self.session).splitlines())
        done = [
            (item, result) for item, result in dumped if result and result["test_outcome"] in MET
        ]
        failing = self._failing([result["output"] for _, result in done])
        left = 0
        for item, result in done:
            noticed = FAILED.findall(result["output"] or "")
            if result["test_outcome"] != "survived" and not failing.intersection(noticed):
                continue
            left += 1
            self._print(item, result)
        share = 100 * (len(done) - left) / max(len(done), 1)
        print(f"{self.place}: {len(done)} changes, {left} not noticed, {share:.0f} % noticed")
        sys.stdout.flush()

    def _print(self, item: Any, result: Any) -> None:
        (mutation,) = item["mutations"]
        note = f" ({UNREACHED})" if UNREACHED in result["output"] else ""
        where = f"{mutation['module_path']}:{mutation['start_pos'][0]}"
        print(f"{where}: {mutation['operator_name']}{note}")
        changes = (result["diff"] or "").splitlines()[2:]
        print("\n".join(line for line in changes if line[:1] in "+-"))

    def _failing(self, outputs: list[str]) -> set[str]:
        """Return the tests that noticed a change and fail without one, too, and prove nothing."""
        tests = sorted({test for output in outputs for test in FAILED.findall(output or "")})
        return set(FAILED.findall(_run([*PYTEST, *QUIET, *tests], self.tree)) if tests else ())

    def _call(self, name: str, *arguments: object) -> str:
        program = Path(self.asked.cosmic_ray).with_name(name)
        return _run([str(program), *map(str, arguments)], self.tree, check=True)

    def _files(self) -> list[str]:
        given = self.tree / self.place
        files = [given] if given.is_file() else sorted(given.rglob("*.py"))
        return [str(file.relative_to(self.tree)) for file in files]

    def _sample(self, chance: Random) -> None:
        """Leave one change of each of so many lines, drawn at random."""
        lines = defaultdict[tuple[str, int], list[str]](list)
        sql = (
            "SELECT module_path, start_pos_row, job_id FROM mutation_specs "
            "WHERE job_id NOT IN (SELECT job_id FROM work_results) ORDER BY 1, 2, 3"
        )
        with closing(sqlite3.connect(self.session)) as file:
            for path, row, job in file.execute(sql):
                if "TYPE_CHECKING" not in (self.tree / path).read_text().splitlines()[row - 1]:
                    lines[path, row].append(job)
            drawn = chance.sample(sorted(lines), min(self.asked.most, len(lines)))
            kept = [(chance.choice(lines[place]),) for place in drawn]
            file.execute("CREATE TEMPORARY TABLE kept (job_id TEXT)")
            file.executemany("INSERT INTO kept VALUES (?)", kept)
            for table in ("mutation_specs", "work_items", "work_results"):
                sql = f"DELETE FROM {table} WHERE job_id NOT IN (SELECT job_id FROM kept)"  # noqa: S608 - one of three names
                file.execute(sql)
            file.commit()


if __name__ == "__main__":
    main()
