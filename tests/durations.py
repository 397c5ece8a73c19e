"""Which tests take long, and whether that is allowed: ``python -m tests.durations whole.xml``.

What comes in: the JUnit file of a whole run (``make test`` with ``--junit-xml=whole.xml``). What
goes out: ``durations.json``, seconds by file, by which ``conftest.py`` orders the files of a run;
those that took less than ``SECONDS_MIN`` are left out and come last. Printed are the seconds of
each folder next to its budget (``budgets.toml``), the tests over ``LONG_SECONDS`` without a reason,
which ``@pytest.mark.slow("…")`` gives, and what each task in a browser took. A folder is at fault
that took twice as much of its budget as the whole run of its own: a machine that is slow, or busy
with other work, is slow everywhere.
"""

from __future__ import annotations

import json
import sys
import tomllib
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree.ElementTree import parse

SECONDS_MIN = 3
LONG_SECONDS = 5
"""A test whose call takes longer needs a reason."""
PACE_MIN, PACE_MAX = 1.5, 3
"""How much of its budgets a whole run may take: less than the first is as good, more is a fault."""
TOLERANCE = 2
"""What a folder may take more of its budget than the whole run."""
FAULT_SECONDS_MIN = 60
"""What a folder may take whatever its budget: short ones vary most."""
DEALT = {"ledger", "projections", "tools"}
"""Folders whose own folders have budgets."""
CALL_SECONDS, REASON = "call_seconds", "reason"
"""Properties that ``conftest.py`` gives to a long test."""
EFFORT = "effort"
"""Property of a task in a browser: its clicks, fields and seconds, with spaces between."""
HERE = Path(__file__).parent
BUDGETS = HERE / "budgets.toml"


@dataclass
class Run:
    """What a run took: seconds by file, and by test those of long calls without a reason."""

    seconds: Counter[str] = field(default_factory=Counter)
    unexplained: dict[str, float] = field(default_factory=dict)
    efforts: dict[str, str] = field(default_factory=dict)

    @classmethod
    def read(cls, file: str | Path) -> Run:
        """Read a JUnit file of our own."""
        run = cls()
        for case in parse(file).iter("testcase"):  # noqa: S314 - a file of our own
            name = file_of(case.attrib.get("classname", ""))
            run.seconds[name] += float(case.attrib["time"])
            found = {one.attrib["name"]: one.attrib["value"] for one in case.iter("property")}
            if EFFORT in found:
                run.efforts[f"{name}::{case.attrib['name']}"] = found[EFFORT]
            if CALL_SECONDS in found and not found.get(REASON):
                run.unexplained[f"{name}::{case.attrib['name']}"] = float(found[CALL_SECONDS])
        return run

    def by_folder(self) -> dict[str, float]:
        """Return the seconds of each folder that has a budget."""
        found: Counter[str] = Counter()
        for name, took in self.seconds.items():
            found[folder_of(name)] += took
        return dict(found)


def file_of(name: str) -> str:
    """Return the file of a name with dots, which may go on with classes."""
    parts = name.split(".")
    while parts and not HERE.parent.joinpath(*parts).with_suffix(".py").is_file():
        parts.pop()
    return "/".join(parts) + ".py"


def folder_of(name: str) -> str:
    """Return the folder whose budget a file uses."""
    folders = name.split("/")[1:-1]
    return "/".join(["tests", *folders[: 2 if folders[:1] and folders[0] in DEALT else 1]])


def budgets() -> dict[str, float]:
    """Return the seconds that each folder may take."""
    found: dict[str, float] = tomllib.loads(BUDGETS.read_text(encoding="utf-8"))["seconds"]
    return found


def faults_of(run: Run, allowed: dict[str, float]) -> list[str]:
    """Return what is far too slow, in sentences."""
    whole, took_of = sum(allowed.values()), run.by_folder()
    pace = sum(took_of.values()) / whole
    factor = TOLERANCE * min(max(pace, PACE_MIN), PACE_MAX)
    limits = {folder: factor * allowed.get(folder, 0) for folder in sorted(took_of)}
    faults = [
        f"{folder} took {took_of[folder]:.0f} s; its budget is {allowed.get(folder, 0):.0f} s"
        for folder, limit in limits.items()
        if took_of[folder] > max(limit, FAULT_SECONDS_MIN)
    ]
    if pace > PACE_MAX:
        faults.append(f"all folders took {pace:.1f} times their budgets, of {PACE_MAX} at most")
    return faults


def main() -> int:
    """Print the durations of a run and write those of its files; return 1 for a fault."""
    run, allowed = Run.read(sys.argv[1]), budgets()
    for folder, took in sorted(run.by_folder().items(), key=lambda one: -one[1]):
        print(f"{took:6.0f} s of {allowed.get(folder, 0):4.0f}  {folder}")
    print(f"{run.seconds.total():6.0f} s of {sum(allowed.values()):4.0f}  all folders")
    for test, took in sorted(run.unexplained.items(), key=lambda one: -one[1]):
        print(f"{took:6.1f} s without a reason: {test}")
    for task, effort in sorted(run.efforts.items()):
        clicks, fields, took = effort.split()
        print(f"{clicks:>3} clicks {fields:>2} fields {float(took):5.1f} s  {task}")
    found = {name: round(took) for name, took in sorted(run.seconds.items()) if took >= SECONDS_MIN}
    HERE.joinpath("durations.json").write_text(json.dumps(found, indent=1) + "\n")
    faults = faults_of(run, allowed)
    print(*faults, sep="\n", file=sys.stderr)
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main())
