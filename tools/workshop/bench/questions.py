"""``make bench SCENARIO=questions``: how long people wait for an answer to a question from cold.

Asks each question of the README in a process of its own, in turn, of the evening of the demo, which
is made first if no directory is named. The baselines of the same run are Python alone, and the
engine alone: chDB imported, and the tables of that directory opened.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from rich.progress import track
from rich.table import Table

from tools.workshop.bench.machine import machine, show

if TYPE_CHECKING:
    import argparse

__all__ = ["run"]

PROGRAM = (sys.executable, "-m", "tools.cli")
ENGINE = "import sys; sys.modules['pyarrow'] = None; import chdb; chdb.connect(sys.argv[1]).close()"
DONE = 0, 1
"""Exit codes of an answer; 1 means findings."""


def run(asked: argparse.Namespace) -> None:
    """Measure and print; a question that is not answered ends it."""
    with tempfile.TemporaryDirectory() as place:
        data = Path(asked.data) if asked.data else Path(place) / "demo"
        if not asked.data:
            _run([*PROGRAM, "demo", "--data", str(data)])
        waits = _waits(_commands(data), asked.times)
    table = Table(title="From cold, seconds", title_justify="left")
    for column in ("what", "median", "least", "greatest"):
        table.add_column(column, justify="left" if column == "what" else "right")
    for name, seconds in waits.items():
        figures = statistics.median(seconds), min(seconds), max(seconds)
        table.add_row(name, *(f"{figure:.2f}" for figure in figures))
    show(table, machine("chdb", "clickhouse-connect", times=str(asked.times)))


def _commands(data: Path) -> dict[str, list[str]]:
    """Return what is run, by its name; of names of the evening the first that answers give."""
    asked = [*PROGRAM, "--data", str(data)]
    (round_, *_) = json.loads(_run([*asked, "round", "list", "--json"]))["rounds"]
    (balance, *_) = json.loads(_run([*asked, "balances", "--json"]))["balances"]
    (built, *_) = sorted((data / "packages").glob("*-Z-*"))
    account, day = balance["account"], "2026-11-20"
    questions = (
        "--help",
        "log show --type BetRefused",
        "log verify",
        "complaint list",
        "balances",
        f"balances --at {day}T20:00",
        f"bet list --account {account} --day {day}",
        "round list --limit 5",
        f"round replay {round_['round']}",
        f"account show {account}",
        "play-time",
        "finding list --all",
        "statement matched",
        f"report status --until {day}T23:59",
        f"report explain {built.name} hra_toky 1",
        f"books day {day}",
        f"books month {day[:7]}",
        "games fairness",
        "reconcile",
    )
    return {
        "Python alone": [sys.executable, "-c", "pass"],
        "the engine alone": [sys.executable, "-c", ENGINE, str(data / "projection")],
        **{question: [*asked, *question.split()] for question in questions},
    }


def _waits(commands: dict[str, list[str]], times: int) -> dict[str, list[float]]:
    """Run all of them in turn, so many times, once before they count."""
    waits: dict[str, list[float]] = {name: [] for name in commands}
    for number in track(range(times + 1), "asking", disable=not sys.stderr.isatty()):
        for name, command in commands.items():
            begun = time.perf_counter()
            _run(command)
            if number:
                waits[name].append(time.perf_counter() - begun)
    return waits


def _run(command: list[str]) -> bytes:
    setting = {name: text for name, text in os.environ.items() if "GAMELEDGER" not in name}
    done = subprocess.run(command, capture_output=True, env=setting, check=False)  # noqa: S603 - our own
    if done.returncode not in DONE:
        sys.exit(f"{' '.join(command)}: {done.stderr.decode(errors='replace')}")
    return done.stdout
