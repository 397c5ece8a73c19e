"""Run a benchmark: ``python -m tools.workshop.bench [SCENARIO] [OPTIONS]``, or ``--help``."""

from __future__ import annotations

import argparse
import json
import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from tools.garbage import collect_seldom
from tools.workshop.bench.steps import STEP, peak_mb

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["SCENARIOS", "Scenario", "main"]

FOLDER = ("", "where to work; a temporary folder by default")
JSON = (False, "print JSON instead of a table")
BESIDE = {
    "events": (100_000, "length of the chain"),
    "readers": (50, "readers at once"),
    "seconds": (30.0, "length of each measurement"),
    "rate": (1_000, "bets a second"),
    "pause": (3.0, "seconds between two pages of a reader"),
    "json": JSON,
}
BESIDE_SMALL = (
    *("--events", "9000", "--readers", "2", "--seconds", "3", "--rate", "50", "--pause", "0"),
    "--json",
)


class Scenario(NamedTuple):
    """A benchmark, its options with default and meaning, and those with which it takes seconds.

    Its module has the name of the scenario and a function ``run``, which takes the options.
    """

    options: Mapping[str, tuple[str | float, str]]
    small: Sequence[str] = ()


SCENARIOS: Mapping[str, Scenario] = {
    "main": Scenario(
        {
            "events": (1_000_000, "length of the chain"),
            "bets": (30_000, "bets that are decided"),
            "folder": FOLDER,
            "json": JSON,
        },
        ("--events", "3000", "--bets", "300", "--json"),
    ),
    "fairness": Scenario(
        {
            "years": (10_000, "years of fair wheels"),
            "wheels": (200, "leaning wheels of each kind"),
            "limit": (10_000, "evidence of a finding"),
            "seed": (1, "of the random numbers"),
        },
        ("--years", "2", "--wheels", "2", "--limit", "10"),
    ),
    "games": Scenario(
        {"rounds": (1_000, "rounds of each game"), "json": JSON}, ("--rounds", "1", "--json")
    ),
    "growth": Scenario(
        {
            "sizes": ("100000,400000,1000000", "events, ascending"),
            "folder": ("", "where the chains are made, or are"),
            "times": (5, "how often each is asked"),
            "flat": (False, "leave out what reads everything"),
            "json": ("", "a file for the figures, too"),
        },
        ("--sizes", "1500", "--times", "1", "--flat"),
    ),
    "kafka": Scenario(
        {"events": (1_000_000, "length of the chain that is read"), "json": JSON},
        ("--events", "3000", "--json"),
    ),
    "lag": Scenario(
        {
            "rate": (1000, "events a second"),
            "events": (600_000, "events that there are to record"),
            "seconds": (20.0, "how long each fault lasts"),
            "times": (1, "how often each fault comes"),
            "json": JSON,
        },
        ("--events", "300000", "--seconds", "2", "--json"),
    ),
    "mirror": Scenario(
        {
            "licences": (10, "chains that are held"),
            "hours": (0.5, "length of the evening of each"),
            "json": JSON,
        },
        ("--licences", "2", "--hours", "0.05", "--json"),
    ),
    "matching": Scenario({"lines": (1_000_000, "bets, and lines about them")}, ("--lines", "400")),
    "questions": Scenario(
        {"data": ("", "the directory of a demo that is there"), "times": (7, "how often each")},
        ("--times", "1"),
    ),
    "readers": Scenario(BESIDE, BESIDE_SMALL),
    "report": Scenario(
        {"bets": (1_000_000, "bets of the period"), "folder": FOLDER, "json": JSON},
        ("--bets", "400", "--json"),
    ),
    "scale": Scenario(
        {
            "sizes": ("1000000,2000000,5000000", "events, ascending"),
            "folder": ("", "where the log is made, or goes on"),
        },
        ("--sizes", "6000"),
    ),
    "serving": Scenario(BESIDE, BESIDE_SMALL),
    "statements": Scenario({"lines": (1_000_000, "lines of the statement")}, ("--lines", "400")),
}
"""The benchmarks by name."""


def main(arguments: Sequence[str]) -> None:
    """Run a scenario, or a step of one in this process, which was started for it."""
    if arguments[:1] == [STEP]:
        _, module, name, folder, *more = arguments
        collect_seldom()
        found = _module(module).STEPS[name](Path(folder), *more)
        print(json.dumps({**found, "peak_mb": peak_mb()}))
        return
    parser = argparse.ArgumentParser(prog="python -m tools.workshop.bench")
    scenarios = parser.add_subparsers(dest="scenario", required=True)
    for name, scenario in SCENARIOS.items():
        command = scenarios.add_parser(name)
        for option, (default, meaning) in scenario.options.items():
            if default is False:
                command.add_argument(f"--{option}", action="store_true", help=meaning)
            else:
                kind = type(default)
                command.add_argument(f"--{option}", type=kind, default=default, help=meaning)
    asked = parser.parse_args(arguments or ["main"])
    _module(asked.scenario).run(asked)


def _module(name: str) -> Any:
    return import_module(f"tools.workshop.bench.{name}")


if __name__ == "__main__":
    main(sys.argv[1:])
