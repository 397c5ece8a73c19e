"""The package of one period from the log to the seal, each step in a process of its own.

A chain with that many bets in one period is made and projected first, which is not counted;
then its package is built, validated, packed and sealed with practice keys.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.table import Table

from tools.sanitize import unguarded
from tools.workshop.bench.load import SEED
from tools.workshop.bench.machine import processor, show
from tools.workshop.bench.steps import peak_mb

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["run", "seal", "validate"]

BUILDING = ("chain", "build")
"""Steps of ``tools.workshop.bench.package``."""

COUNTED = ("build", "seal")
"""What a period takes: sealing packs and validates too."""


def run(*, bets: int, as_json: bool, folder: Path | None = None) -> None:
    """Measure every step and print it.

    Args:
        bets: how many the period has.
        as_json: print JSON instead of a table.
        folder: where to work; a temporary folder by default.
    """
    console = Console(file=unguarded(sys.stderr))
    figures: list[dict[str, Any]] = []
    with TemporaryDirectory(dir=folder) as place, console.status("") as status:
        for step in (*BUILDING, *STEPS):
            status.update(step)
            figures.append(_measure(step, Path(place), bets))
    machine = {
        "cpu": processor(),
        "seed": str(SEED),
        **{name: version(name) for name in ("chdb", "cryptography", "numpy", "pyhanko")},
    }
    if as_json:
        print(json.dumps({"bets": bets, "steps": figures, "machine": machine}, indent=2))
        return
    table = Table(title=f"the package of a period, {bets:,} bets", title_justify="left")
    for column in ("step", "seconds", "peak memory", "bytes"):
        table.add_column(column, justify="left" if column == "step" else "right")
    for one in figures:
        peak = f"{one['peak_mb']:,} MB" if "peak_mb" in one else ""
        size = f"{one['bytes']:,}" if "bytes" in one else ""
        table.add_row(one["step"], f"{one['seconds']:.1f}", peak, size)
    counted = sum(one["seconds"] for one in figures if one["step"] in COUNTED)
    table.add_row(" and ".join(COUNTED), f"{counted:.1f}", "", "")
    show(table, machine)


def _measure(step: str, folder: Path, bets: int) -> dict[str, Any]:
    module = "tools.workshop.bench.package" if step in BUILDING else "tools.workshop.bench.report"
    command = [sys.executable, "-m", module, "--step", step]
    command += ["--folder", str(folder), "--bets", str(bets)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)  # noqa: S603 - our own module
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def _package(folder: Path) -> Path:
    return next((folder / "packages").iterdir())


def validate(folder: Path) -> int:
    """Judge the folder as it was built; return its bytes."""
    from projections.packages.cz.validate import Options, validate

    package = _package(folder)
    verdict = validate(package, Options(earlier=(folder / "packages",)))
    _require_valid(verdict.is_valid)
    return sum(file.stat().st_size for file in package.iterdir())


def seal(folder: Path) -> int:
    """Do all that ``report seal`` does: pack, judge the archive, encrypt, sign."""
    from projections.packages.cz.pack import pack
    from projections.packages.cz.seal import seal as seal_content
    from projections.packages.cz.validate import Options
    from projections.packages.cz.validate import validate as judge
    from tools.practice.keys import practice_pair

    packed = pack(_package(folder), folder / "sealed")
    _require_valid(judge(packed.path, Options(earlier=(folder / "packages",))).is_valid)
    pair = practice_pair("bench", practice_pair("root"))
    sealed = seal_content(packed.path.read_bytes(), pair, [pair.certificate])
    (folder / "sealed" / f"{packed.path.name}.p7e.p7s").write_bytes(sealed)
    return len(sealed)


def _require_valid(is_valid: object) -> None:
    if not is_valid:
        raise RuntimeError("the package that was built is not valid: `gameledger report validate`")


STEPS: dict[str, Callable[[Path], int]] = {"validate": validate, "seal": seal}


def main() -> None:
    """Run the named step, or all, and print what they took."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--step", choices=tuple(STEPS), help="without it: every step, printed")
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--bets", type=int, default=1_000_000)
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    if asked.step is None:
        run(bets=asked.bets, as_json=asked.json, folder=asked.folder)
        return
    began = time.perf_counter()
    size = STEPS[asked.step](asked.folder)
    found = {
        "step": asked.step,
        "bytes": size,
        "seconds": round(time.perf_counter() - began, 1),
        "peak_mb": round(peak_mb()),
    }
    print(json.dumps(found))


if __name__ == "__main__":
    main()
