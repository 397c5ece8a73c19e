"""Run the tests that a change reaches, nearest first: ``make near``.

What comes in: the Python files that differ from a revision, with those not committed. What goes
out: pytest over the test modules that import one of them, directly or through others, ordered by
the length of the chain of imports, until a time has passed. Tests on engine, broker, program or
page are left out, and the nearest modules named. Changes of other files (schemas, SQL, texts) reach
the modules of their package. What was not run for lack of time is named.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from collections import deque
from pathlib import Path

import grimp

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("schemas", "ledger", "projections", "tools", "tests")
BATCH = 12
"""Test modules of one run of pytest; between two runs the time is looked at."""


def changed_files(since: str) -> list[str]:
    """Return the files that differ from a revision, with new ones that Git does not ignore."""
    names: list[str] = []
    for command in (
        ("diff", "--name-only", "--diff-filter=d", since),
        ("ls-files", "--others", "--exclude-standard"),
    ):
        done = subprocess.run(  # noqa: S603 - fixed arguments
            ["git", *command],  # noqa: S607 - of the machine
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        )
        names += done.stdout.splitlines()
    return sorted({name for name in names if name.partition("/")[0] in PACKAGES})


def modules_of(names: list[str], known: set[str]) -> set[str]:
    """Return the modules of files; a file that is no module stands for its nearest package."""
    found = set()
    for name in names:
        path = Path(name)
        module = ".".join((path.with_suffix("") if path.suffix == ".py" else path.parent).parts)
        module = module.removesuffix(".__init__")
        while module and module not in known:
            module = module.rpartition(".")[0]
        found.add(module)
    return found - {""}


def reached(graph: grimp.ImportGraph, changed: set[str]) -> list[str]:
    """Return the test modules that import a changed module, nearest first."""
    distance = dict.fromkeys(changed, 0)
    waiting = deque(sorted(changed))
    while waiting:
        module = waiting.popleft()
        for importer in sorted(graph.find_modules_that_directly_import(module)):
            if importer not in distance:
                distance[importer] = distance[module] + 1
                waiting.append(importer)
    tests = [one for one in distance if one.rpartition(".")[2].startswith("test_")]
    return sorted(tests, key=lambda one: (distance[one], one))


def main() -> int:
    """Run the tests; return the exit code of the first run that failed."""
    parser = argparse.ArgumentParser(prog="make near", description=__doc__)
    parser.add_argument("--since", default="HEAD", help="revision to compare with")
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--list", action="store_true", help="print the modules, run nothing")
    asked = parser.parse_args()
    graph = grimp.build_graph(*PACKAGES)
    changed = modules_of(changed_files(asked.since), graph.modules)
    tests = [f"{name.replace('.', '/')}.py" for name in reached(graph, changed)]
    print(f"{len(changed)} changed modules reach {len(tests)} test modules", file=sys.stderr)
    if asked.list:
        print("\n".join(tests))
        return 0
    if tests:
        nearest = " ".join(tests[:SHOWN])
        print(
            f"tests on engine, broker, program or page are left out: pytest {nearest}",
            file=sys.stderr,
        )
    until = time.monotonic() + asked.seconds
    for at in range(0, len(tests), BATCH):
        if time.monotonic() > until:
            print(f"not run for lack of time: {' '.join(tests[at:])}", file=sys.stderr)
            break
        command = [sys.executable, "-m", "pytest", "-q", "-m", "not slow and not search"]
        command += ["-n", "2", "--dist", "loadfile", *tests[at : at + BATCH]]
        done = subprocess.run(command, cwd=ROOT, check=False)  # noqa: S603 - our own tests
        if done.returncode not in {0, NOTHING_SELECTED}:
            return done.returncode
    return 0


SHOWN = 6
"""Nearest modules that are named, of which some tests may not have run."""
NOTHING_SELECTED = 5
"""Exit code of pytest where all tests of the modules are in other rings."""


if __name__ == "__main__":
    sys.exit(main())
