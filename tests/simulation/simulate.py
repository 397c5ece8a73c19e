"""Run seeds for a time, or look at one: `make simulate HOURS=8`, or `SECONDS=60`.

Prints each seed that fails, its smallest form as a regression, and in the end seeds, simulated
hours, steps, faults by kind and failures. Its exit code is 1 if anything failed.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from contextlib import suppress
from pathlib import Path
from time import monotonic, process_time

from tests.simulation.simulated_bugs import BUGS, seeds_until_found
from tests.simulation.simulated_plan import Plan
from tests.simulation.simulation import Result, shrunk, simulate, simulate_seed

HERE = Path(__file__).parent
REGRESSIONS = HERE / "regressions"
FRESH = 1_000_000
"""Seeds of nights begin here; the suite's fixed ones lie below."""


class Tally:
    """What seeds came to."""

    def __init__(self) -> None:
        self.seeds = self.steps = self.receipts = self.named = 0
        self.seconds = 0.0
        self._begun = process_time()
        self.faults: Counter[str] = Counter()
        self.failures: Counter[str] = Counter()

    def add(self, result: Result) -> None:
        """Count one more."""
        self.seeds += 1
        self.steps += result.steps
        self.seconds += result.seconds
        self.receipts += result.receipts
        self.named += result.is_named
        self.faults += result.faults
        if result.failure:
            self.failures[result.failure] += 1

    def __str__(self) -> str:
        """Say it in lines."""
        lines = [
            f"seeds               {self.seeds}",
            f"processor seconds   {process_time() - self._begun:.0f}",
            f"simulated hours     {self.seconds / 3600:.1f}",
            f"steps               {self.steps}",
            f"receipts            {self.receipts}",
            f"damage named        {self.named}",
            f"faults              {self.faults.total()}",
        ]
        lines += [f"  {number:9} {kind}" for kind, number in self.faults.most_common()]
        lines += [f"failures            {self.failures.total()}"]
        lines += [f"  {number:9} {kind}" for kind, number in self.failures.most_common()]
        return "\n".join(lines)


def run(first: int, seconds: float, *, shrinks: bool = True, has_engine: bool = False) -> Tally:
    """Run seeds from one on, for so many seconds or until Ctrl-C; some with the engine."""
    tally, end, seed = Tally(), monotonic() + seconds, first
    with suppress(KeyboardInterrupt):
        _run_until(end, tally, seed, shrinks=shrinks, has_engine=has_engine)
    return tally


def _run_until(end: float, tally: Tally, seed: int, *, shrinks: bool, has_engine: bool) -> None:
    while monotonic() < end:
        result = simulate(Plan.draw(seed)) if has_engine else simulate_seed(seed)
        tally.add(result)
        if result.failure:
            print(f"seed {seed}: {result.text}", flush=True)
            if shrinks and tally.failures[result.failure] == 1:
                print(f"regression: {shrunk(result.plan).to_json(result.failure)}", flush=True)
        seed += 1


def bugs(runs: int) -> None:
    """Print after how many seeds each deliberate bug is found: median of some runs."""
    print("| Bug | Found as | Seeds (median) |\n|---|---|---|")
    for name in BUGS:
        found = [seeds_until_found(name, FRESH * (number + 2)) for number in range(runs)]
        seeds = sorted(number for number, _ in found)
        ((kind, _),) = Counter(kind for _, kind in found).most_common(1)
        print(f"| {name} | {kind} | {seeds[len(seeds) // 2]} |", flush=True)


def main() -> None:
    """Read the arguments and run."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hours", type=float, default=0.0)
    parser.add_argument("--seconds", type=float, default=0.0)
    parser.add_argument("--first", type=int, default=FRESH)
    parser.add_argument("--seed", type=int, help="run one, and print its trace")
    parser.add_argument("--regression", type=Path, help="run one, and print its trace")
    parser.add_argument("--bugs", type=int, default=0, help="runs per deliberate bug")
    chosen = parser.parse_args()
    if chosen.bugs:
        bugs(chosen.bugs)
        return
    if chosen.seed is not None or chosen.regression is not None:
        plan = (
            Plan.draw(chosen.seed)
            if chosen.regression is None
            else Plan.from_json(chosen.regression.read_text())
        )
        result = simulate(plan)
        print("\n".join(result.trace))
        print(plan)
        print(result.failure or "everything held", result.text)
        sys.exit(bool(result.failure))
    tally = run(chosen.first, chosen.hours * 3600 + chosen.seconds, has_engine=True)
    print(tally)
    sys.exit(bool(tally.failures))


if __name__ == "__main__":
    main()
