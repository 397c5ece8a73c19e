"""Take out what serves a requirement of law: ``python -m tests.mutation.law [REQUIREMENT…]``.

Each refusal, finding and figure that ``docs/law.md`` names for a proved requirement, and the
conditions of each of its duties, is taken out alone (`tests.mutation.without`), and the tests that
are marked with the requirement are run. A requirement of which something can be taken out unnoticed
is weak: it is printed with what was taken out. By default all requirements are tried, which takes
hours. The marked tests are run with all rules first: rejected is a test that fails even so, since
it would seem to notice everything.
"""

from __future__ import annotations

import argparse
import ast
import subprocess
import sys
from functools import cache
from typing import TYPE_CHECKING

from ledger.core.texts import REFUSALS
from ledger.rules.operator import shipped_rules
from projections.findings.headers import known_duties, known_findings
from tools.workshop.generate.law import ROOT, parts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tools.workshop.generate.law import Coverage

__all__ = ["main", "taken_out"]

PYTEST = (sys.executable, "-m", "pytest", "-q", "-n", "0", "--tb=no")
OPTIONS = ("-p", "tests.mutation.without", "-p", "no:cacheprovider", "-p", "no:randomly")
NOTICED, ALL_PASSED, NONE_MARKED = 1, 0, 5
TIMEOUT_SECONDS = 900
"""Tests that run so long without the rule notice that it is not there."""


def main() -> None:
    """Print what is unnoticed of each requirement, and how many are weak."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("requirements", nargs="*", help="such as L-35; all by default")
    asked = parser.parse_args().requirements
    lines = [
        line
        for _, found in parts()
        for line in found
        if line.requirement.standing == "proved" and (not asked or line.requirement.id in asked)
    ]
    _require_passing(lines)
    weak = untried = 0
    for line in lines:
        rules = [*taken_out(line)]
        unnoticed = [rule for rule in rules if not _is_noticed(rule, line)]
        weak, untried = weak + bool(unnoticed), untried + (not rules)
        found = ", ".join(unnoticed) or ("noticed" if rules else "no rule to take out")
        print(f"{line.requirement.id}: {found}", flush=True)
    print(f"{weak} of {len(lines)} requirements are weak; {untried} have no rule to take out")


def taken_out(line: Coverage) -> Iterator[str]:
    """Yield what is taken out for a requirement, as ``--without`` names it."""
    figures = shipped_rules()["sazka"].figures.__struct_fields__
    for name in line.decided_by:
        if name in REFUSALS and name in _raised():
            yield f"refusal:{name}"
        elif name in figures:
            yield f"figure:{name}"
    for code in line.found_by:
        if code in known_findings():
            yield f"finding:{code}"
        if (duty := known_duties().get(code)) and any(one.where for one in duty.done):
            yield f"condition:{code}"


@cache
def _raised() -> frozenset[str]:
    """Return the refusals that a statement of their own raises; others can't be taken out."""
    found = set[str]()
    for file in (ROOT / "ledger").rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            match node:
                case ast.Raise(
                    exc=ast.Call(func=ast.Name("RefusedError"), args=[ast.Constant(str(code)), *_])
                ):
                    found.add(code)
    return frozenset(found)


@cache
def _text(file: str) -> str:
    return (ROOT / file).read_text(encoding="utf-8")


def _require_passing(lines: Iterable[Coverage]) -> None:
    files = {test.partition("::")[0] for line in lines for test in line.tests}
    run = _run(sorted(files), *_marked(line.requirement.id for line in lines))
    if run.returncode != ALL_PASSED:
        raise SystemExit(f"these tests fail with all rules:\n{run.stdout}{run.stderr}")


def _is_noticed(rule: str, line: Coverage) -> bool:
    """Run the tests of the requirement until one fails; files that name the rule come first."""
    _, _, name = rule.partition(":")
    files = list(dict.fromkeys(test.partition("::")[0] for test in line.tests))
    files.sort(key=lambda file: name not in _text(file))
    law = _marked([line.requirement.id])
    try:
        run = _run(files, "-x", "--without", rule, *law, seconds=TIMEOUT_SECONDS)
    except subprocess.TimeoutExpired:
        return True
    if run.returncode not in {NOTICED, ALL_PASSED, NONE_MARKED}:
        raise SystemExit(f"{rule}: {run.stdout}{run.stderr}")
    return run.returncode == NOTICED


def _marked(requirements: Iterable[str]) -> Iterator[str]:
    for requirement in requirements:
        yield from ("--law", requirement)


def _run(
    files: Iterable[str], *options: str, seconds: float | None = None
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # noqa: S603 - our own command
        [*PYTEST, *OPTIONS, *options, *files],
        cwd=ROOT,
        check=False,
        capture_output=True,
        text=True,
        timeout=seconds,
    )


if __name__ == "__main__":
    main()
