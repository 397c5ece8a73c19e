"""How long the package of one period takes, by its number of bets.

A chain with that many bets in one period is made and projected first; then the package is
built in a process of its own, so that its peak memory is its own. One JSON object each.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import chdb

from ledger.core.clock import SECOND, StoppedClock
from ledger.log.sqlite import SqliteLog
from projections.packages.cz.build import build, cut_of
from projections.packages.cz.periods import operator_of, period_of
from projections.packages.cz.settings import Settings
from projections.packages.status import series_of
from projections.store.projector import Projector
from projections.store.tables import Store
from tools.workshop.bench.load import ROUND_MICROSECONDS, SEED, START, begin, lengthen
from tools.workshop.bench.steps import peak_mb

EVENTS_PER_BET, EVENTS_PER_ROUND = 3, 5


def make(folder: Path, bets: int) -> dict[str, Any]:
    """Make and project a chain whose only bets lie in one period."""
    began = time.monotonic()
    name = period_of("26493993", START).following
    begin(folder, clock=StoppedClock(name.start + SECOND)).close()
    log = SqliteLog(folder, writable=True)
    rounds = (name.end - name.start) // ROUND_MICROSECONDS - 1
    per_round = -(-bets // rounds)
    events = -(-bets // per_round) * (EVENTS_PER_BET * per_round + EVENTS_PER_ROUND)
    start = name.start + SECOND
    lengthen(log, log.head().size + events, start=start, bets_per_round=per_round)
    with Store.open(folder / "projection") as store:
        Projector(log, store).catch_up()
        size = store.position
    log.close()
    seconds = round(time.monotonic() - began, 1)
    return {"step": "chain", "events": size, "seconds": seconds, "seed": SEED}


def build_one(folder: Path) -> dict[str, Any]:
    """Build the package of that period."""
    with Store.open(folder / "projection") as store:
        began = time.monotonic()
        operator, _ = operator_of(store)
        name = period_of(operator, START).following
        built = build(store, cut_of(store, name, Settings()), folder / "packages")
        seconds = time.monotonic() - began
    return {
        "step": "build",
        "package": series_of(name),
        "bets": next(one.rows for one in built.files if one.name == "hra_toky.csv"),
        "bytes": sum(file.stat().st_size for file in built.folder.iterdir()),
        "seconds": round(seconds, 1),
        "peak_mb": round(peak_mb()),
        "python": platform.python_version(),
        "chdb": chdb.__version__,
        "cores": os.cpu_count(),
    }


def main() -> None:
    """Run both steps."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bets", type=int, default=1_000_000)
    parser.add_argument("--step", choices=("chain", "build"))
    parser.add_argument("--folder", type=Path)
    asked = parser.parse_args()
    if asked.step:
        done = make(asked.folder, asked.bets) if asked.step == "chain" else build_one(asked.folder)
        print(json.dumps(done), flush=True)
        return
    with TemporaryDirectory() as folder:
        for step in ("chain", "build"):
            command = [sys.executable, "-m", "tools.workshop.bench.package", "--step", step]
            arguments = ["--folder", folder, "--bets", str(asked.bets)]
            subprocess.run([*command, *arguments], check=True)  # noqa: S603 - our own module


if __name__ == "__main__":
    main()
