"""The package of one period from the log to the seal, each step in a process of its own.

A chain with that many bets in one period is made and projected first, which is not counted;
then its package is built, validated, packed and sealed with practice keys.
"""

from __future__ import annotations

import json
import sys
import time
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.table import Table

from ledger.core.clock import SECOND, StoppedClock
from ledger.log.sqlite import SqliteLog
from projections.packages.cz.build import build, cut_of
from projections.packages.cz.periods import operator_of, period_of
from projections.packages.cz.settings import Settings
from projections.packages.status import series_of
from projections.store.projector import Projector
from projections.store.tables import Store
from tools.sanitize import unguarded
from tools.workshop.bench.load import ROUND_MICROSECONDS, SEED, START, begin, lengthen
from tools.workshop.bench.machine import processor, show
from tools.workshop.bench.steps import measure

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

__all__ = ["run"]

EVENTS_PER_BET, EVENTS_PER_ROUND = 3, 5
COUNTED = ("build", "seal")
"""What a period takes: sealing packs and validates too."""


def run(asked: argparse.Namespace) -> None:
    """Measure every step and print it."""
    console = Console(file=unguarded(sys.stderr))
    figures: list[dict[str, Any]] = []
    with TemporaryDirectory(dir=asked.folder or None) as place, console.status("") as status:
        for step in STEPS:
            status.update(step)
            more = [str(asked.bets)] if step == "chain" else []
            measured = measure(step, Path(place), *more, module="report")
            figures.append({"step": step, **measured})
    machine = {
        "cpu": processor(),
        "seed": str(SEED),
        **{name: version(name) for name in ("chdb", "cryptography", "numpy", "pyhanko")},
    }
    if asked.json:
        print(json.dumps({"bets": asked.bets, "steps": figures, "machine": machine}, indent=2))
        return
    table = Table(title=f"the package of a period, {asked.bets:,} bets", title_justify="left")
    for column in ("step", "seconds", "peak memory", "bytes"):
        table.add_column(column, justify="left" if column == "step" else "right")
    for one in figures:
        peak = f"{one['peak_mb']:,.0f} MB"
        size = f"{one['bytes']:,}" if "bytes" in one else ""
        table.add_row(one["step"], f"{one['seconds']:.1f}", peak, size)
    counted = sum(one["seconds"] for one in figures if one["step"] in COUNTED)
    table.add_row(" and ".join(COUNTED), f"{counted:.1f}", "", "")
    show(table, machine)


def _make(folder: Path, bets: str) -> dict[str, Any]:
    """Make and project a chain whose only bets lie in one period."""
    began = time.monotonic()
    name = period_of("26493993", START).following
    begin(folder, clock=StoppedClock(name.start + SECOND)).close()
    log = SqliteLog(folder, writable=True)
    rounds = (name.end - name.start) // ROUND_MICROSECONDS - 1
    per_round = -(-int(bets) // rounds)
    events = -(-int(bets) // per_round) * (EVENTS_PER_BET * per_round + EVENTS_PER_ROUND)
    start = name.start + SECOND
    lengthen(log, log.head().size + events, start=start, bets_per_round=per_round)
    with Store.open(folder / "projection") as store:
        Projector(log, store).catch_up()
        size = store.position
    log.close()
    seconds = round(time.monotonic() - began, 1)
    return {"events": size, "seconds": seconds}


def _build(folder: Path) -> dict[str, Any]:
    """Build the package of that period."""
    with Store.open(folder / "projection") as store:
        began = time.monotonic()
        operator, _ = operator_of(store)
        name = period_of(operator, START).following
        built = build(store, cut_of(store, name, Settings()), folder / "packages")
        seconds = time.monotonic() - began
    return {
        "package": series_of(name),
        "bets": next(one.rows for one in built.files if one.name == "hra_toky.csv"),
        "bytes": sum(file.stat().st_size for file in built.folder.iterdir()),
        "seconds": round(seconds, 1),
    }


def _package(folder: Path) -> Path:
    return next((folder / "packages").iterdir())


def _validate(folder: Path) -> dict[str, Any]:
    """Judge the folder as it was built."""
    from projections.packages.cz.validate import Options, validate

    package, began = _package(folder), time.monotonic()
    verdict = validate(package, Options(earlier=(folder / "packages",)))
    _require_valid(verdict.is_valid)
    size = sum(file.stat().st_size for file in package.iterdir())
    return {"bytes": size, "seconds": round(time.monotonic() - began, 1)}


def _seal(folder: Path) -> dict[str, Any]:
    """Do all that ``report seal`` does: pack, judge the archive, encrypt, sign."""
    from projections.packages.cz.pack import pack
    from projections.packages.cz.seal import seal as seal_content
    from projections.packages.cz.validate import Options
    from projections.packages.cz.validate import validate as judge
    from tools.practice.keys import practice_pair

    began = time.monotonic()
    packed = pack(_package(folder), folder / "sealed")
    _require_valid(judge(packed.path, Options(earlier=(folder / "packages",))).is_valid)
    pair = practice_pair("bench", practice_pair("root"))
    sealed = seal_content(packed.path.read_bytes(), pair, [pair.certificate])
    (folder / "sealed" / f"{packed.path.name}.p7e.p7s").write_bytes(sealed)
    return {"bytes": len(sealed), "seconds": round(time.monotonic() - began, 1)}


def _require_valid(is_valid: object) -> None:
    if not is_valid:
        raise RuntimeError("the package that was built is not valid: `gameledger report validate`")


STEPS: dict[str, Callable[..., dict[str, Any]]] = {
    "chain": _make,
    "build": _build,
    "validate": _validate,
    "seal": _seal,
}
