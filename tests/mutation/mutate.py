"""Change code a little and see whether its tests notice: ``python tests/mutation/mutate.py FILE…``.

cosmic-ray makes the changes in a copy of the working tree; the tests of each file run on each.
What no test noticed is printed with its difference: a test is missing, or the change changes
nothing. Types in annotations are left alone, as nothing evaluates them.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing
from pathlib import Path
from random import Random

ROOT = Path(__file__).resolve().parents[2]
TESTS = {
    "ledger/core/message.py": ("ledger/log/test_log_contract.py", "ledger/core/test_chain.py"),
    "ledger/core/json_keys.py": ("ledger/core/test_json_keys.py",),
    "ledger/core/decoders.py": ("ledger/core/test_decoders.py",),
    "ledger/core/clock.py": ("ledger/core/test_clock.py",),
    "ledger/log/continuity.py": ("ledger/log/test_log_contract.py",),
    "ledger/log/kafka/places.py": ("ledger/log/kafka/test_kafka_parts.py",),
    "ledger/log/kafka/note.py": ("ledger/log/kafka/test_kafka_parts.py",),
    "ledger/storage/durable.py": ("ledger/log/test_durable_names.py",),
    "ledger/storage/secret_files.py": ("tools/test_secret_files.py", "ledger/core/test_signing.py"),
    "ledger/decisions/balance.py": ("ledger/decisions/test_decisions_balance.py",),
    "ledger/decisions/slices.py": ("ledger/decisions",),
    "ledger/decisions/decision_time.py": ("ledger/decisions/test_decisions_moments.py",),
}
"""Tests of a file, in ``tests/``, without those on real brokers; --tests names others."""
LEFT_ALONE = ("core/ReplaceBinaryOperator_BitOr_.*",)
TIMEOUT_SECONDS = 60


def main() -> None:
    """Print a score for each file, and each survivor."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("files", nargs="+")
    parser.add_argument("--tests", nargs="*", help="in tests/; by default those known of a file")
    parser.add_argument("--most", type=int, default=100, help="changes of a file, drawn at random")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--cosmic-ray", default=shutil.which("cosmic-ray"), help="the program")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="mutate-") as place:
        tree = Path(place, "tree")
        _copy(tree)
        for file in asked.files:
            tests = asked.tests or TESTS.get(file) or sys.exit(f"name the tests of {file}")
            _score(tree, file, tests, asked)


def _copy(tree: Path) -> None:
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"],  # noqa: S607 - found by PATH
        cwd=ROOT, check=True, capture_output=True, text=True,
    )  # fmt: skip
    for name in listed.stdout.splitlines():
        if (ROOT / name).is_file():
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, tree / name)


def _score(tree: Path, file: str, tests: list[str], asked: argparse.Namespace) -> None:
    session, config = tree / "session.sqlite", tree / "mutate.toml"
    session.unlink(missing_ok=True)
    run = f"{sys.executable} -m pytest -x -q -p no:cacheprovider -p no:randomly -m 'not slow' "
    run += " ".join(f"tests/{one}" for one in tests)
    config.write_text(
        f"[cosmic-ray]\nmodule-path = {json.dumps(file)}\ntimeout = {TIMEOUT_SECONDS}\n"
        f"excluded-modules = []\ntest-command = {json.dumps(run)}\n"
        '[cosmic-ray.distributor]\nname = "local"\n'
        f"[cosmic-ray.filters.operators-filter]\nexclude-operators = {json.dumps(LEFT_ALONE)}\n"
    )

    def call(name: str, *arguments: object) -> str:
        program = Path(asked.cosmic_ray).with_name(name)
        return subprocess.run(  # noqa: S603 - our own arguments
            [program, *map(str, arguments)], cwd=tree, check=True, stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": str(tree)},
            text=True,
        ).stdout  # fmt: skip

    call("cosmic-ray", "init", config, session)
    call("cr-filter-operators", session, config)
    _sample(session, asked.most, Random(asked.seed))
    call("cosmic-ray", "baseline", config)
    call("cosmic-ray", "exec", config, session)
    pairs = [json.loads(line) for line in call("cosmic-ray", "dump", session).splitlines()]
    done = [(item, result) for item, result in pairs if result and result["test_outcome"]]
    left = [(item, result) for item, result in done if result["test_outcome"] == "survived"]
    for item, result in left:
        (mutation,) = item["mutations"]
        print(f"{file}:{mutation['start_pos'][0]}: {mutation['operator_name']}")
        changes = (result["diff"] or "").splitlines()[2:]
        print("\n".join(line for line in changes if line[:1] in "+-"))
    share = 100 * (len(done) - len(left)) / max(len(done), 1)
    print(
        f"{file}: {len(done)} changes, {len(left)} not noticed, {share:.0f} % noticed", flush=True
    )


def _sample(session: Path, most: int, chance: Random) -> None:
    """Leave so many changes at random."""
    with closing(sqlite3.connect(session)) as file:
        known = [one for (one,) in file.execute("SELECT job_id FROM work_items ORDER BY job_id")]
        skipped = {one for (one,) in file.execute("SELECT job_id FROM work_results")}
        todo = [one for one in known if one not in skipped]
        drop = chance.sample(todo, max(0, len(todo) - most))
        for table in ("mutation_specs", "work_items"):
            sql = f"DELETE FROM {table} WHERE job_id = ?"  # noqa: S608 - one of two names
            file.executemany(sql, [(one,) for one in drop])
        file.commit()


if __name__ == "__main__":
    main()
