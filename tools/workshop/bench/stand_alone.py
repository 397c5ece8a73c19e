"""Compare the stand-alone verifier with plain reading, on a simulated evening.

The step ``compare`` prints the figures of an existing log.
"""

from __future__ import annotations

import json
import shutil
import statistics
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

from ledger.log.sqlite import SqliteLog
from tools.workshop.bench.steps import measure

__all__ = ["binary", "compare", "evenings", "rows", "verify_alone"]

ROOT = Path(__file__).parents[3]
PLACES = (ROOT / "dist", ROOT / "verifier" / "target" / "release")
NAME = "gameledger-verify"
EVENTS = 250_000
SEED = 20261121
RUNS = 5


def binary() -> str | None:
    """Return the verifier that `make verifier` built or that is installed, if there is one."""
    built = (str(folder / NAME) for folder in PLACES if (folder / NAME).exists())
    return next(built, None) or shutil.which(NAME)


def evenings(folder: Path, events: int = EVENTS) -> None:
    """Play evenings of all games until there are so many events."""
    from tools import simulator

    with (
        closing(SqliteLog(folder, writable=True)) as log,
        simulator.create(log, folder / "keys", seed=SEED) as ledger,
    ):
        simulator.run(ledger, seed=SEED, events_max=events)


_ONCE = """\
import json, os, subprocess, sys, time
started = time.perf_counter()
process = subprocess.Popen(sys.argv[1:], stdout=subprocess.PIPE)
answer = process.stdout.read()
_, status, used = os.wait4(process.pid, 0)
if status:
    sys.exit(f"{sys.argv[1]} ended with {os.waitstatus_to_exitcode(status)}")
print(json.dumps({
    "seconds": time.perf_counter() - started,
    "events": json.loads(answer)["size"],
    "peak_mb": used.ru_maxrss / 1024,
    "processor_seconds": used.ru_utime + used.ru_stime,
}))
"""
"""Runs in a small process of its own: a child's peak of memory counts that of its parent."""


def verify_alone(program: str, folder: Path) -> dict[str, Any]:
    """Verify a log with all facts, tree and tag map, a thread for each core; the start counts."""
    command = [sys.executable, "-c", _ONCE, program, "--json", "log", str(folder)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)  # noqa: S603 - built here
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def compare(program: str, folder: Path) -> dict[str, Any]:
    """Measure plain and the verifier in turn; medians of the ratios and of each."""
    runs = [(measure("plain", folder), verify_alone(program, folder)) for _ in range(RUNS)]
    plain, alone = ([run[at] for run in runs] for at in (0, 1))
    return {
        "events": alone[0]["events"],
        "plain_seconds": statistics.median(one["seconds"] for one in plain),
        "seconds": statistics.median(one["seconds"] for one in alone),
        "processor_seconds": statistics.median(one["processor_seconds"] for one in alone),
        "ratio": statistics.median(one["seconds"] / other["seconds"] for one, other in runs),
        "peak_mb": max(one["peak_mb"] for one in alone),
    }


def rows(found: dict[str, Any] | None) -> list[tuple[str, str, str, str]]:
    """Return the rows of the table of `make bench`."""
    if found is None:
        return [(f"{NAME}: not measured; `make verifier` builds it", "", "", "")]
    events = found["events"]
    few, many = found["events_few"], found["events_many"]
    what = f"{NAME} on {events:,} simulated events, a thread for each core"
    return [
        (
            f"{what} (baseline: SHA-256 of each message, one core)",
            f"{events / found['seconds']:,.0f}/s",
            f"{events / found['plain_seconds']:,.0f}/s",
            f"{found['ratio']:.2f}",
        ),
        (
            f"peak memory of {NAME}, {many:,} events (baseline: {few:,})",
            f"{found['peak_mb_many']:,.0f} MB",
            f"{found['peak_mb_few']:,.0f} MB",
            f"{found['peak_mb_many'] / found['peak_mb_few']:.2f}",
        ),
    ]


def _compare(folder: Path) -> dict[str, Any]:
    return compare(binary() or NAME, folder)


STEPS = {"compare": _compare}
