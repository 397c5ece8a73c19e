"""Measure the time and memory for importing a large statement.

A report of a game provider with many lines is written, then imported into a new chain on this disk.
The baseline of the same run is Python's ``csv`` reading the same file without processing it.
"""

from __future__ import annotations

import csv
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from ledger.log.sqlite import SqliteLog
from ledger.privacy import KeyStore
from ledger.writer import Ledger
from tools.statements.importing import check, import_file
from tools.statements.issuer import Columns, Issuer
from tools.statements.reading import ReadRequest
from tools.workshop.bench.machine import machine
from tools.workshop.bench.steps import peak_mb

if TYPE_CHECKING:
    import argparse

__all__ = ["run"]

ISSUER = Issuer(
    kind="GAMES",
    format="csv",
    delimiter=",",
    columns=Columns(
        moment="at", stake="stake", paid="win", bet="bet", round="round", table="table"
    ),
)


def _write(path: Path, lines: int) -> None:
    with path.open("x", encoding="utf-8") as file:
        file.write("at,bet,round,table,stake,win\n")
        for at in range(lines):
            clock = f"2026-11-{1 + at % 28:02d}T20:{at // 60 % 60:02d}:{at % 60:02d}"
            file.write(
                f"{clock},evo-1-{at // 20}-{at % 20},evo-1-{at // 20},evo-1,{at % 997}.50,0\n"
            )


def _ledger(folder: Path) -> Ledger:
    return Ledger.create(
        SqliteLog(folder, writable=True),
        KeyStore(folder / "keys"),
        operator="26493993",
        operator_name="SAZKA a.s.",
        chain_name="bench",
    )


def run(options: argparse.Namespace) -> None:
    """Measure, and print a table for docs/performance.md."""
    print(machine())
    with TemporaryDirectory() as folder:
        path = Path(folder) / "report.csv"
        _write(path, options.lines)
        data = Path(folder) / "data"
        asked = ReadRequest(path, "provider", ISSUER)
        print(f"{options.lines:,} lines, {path.stat().st_size / 1e6:.0f} MB")
        print("| what | processor time | time | memory at most |\n|---|---|---|---|")

        def print_row(name: str, cpu: float, wall: float) -> None:
            spent = (time.process_time() - cpu, time.perf_counter() - wall)
            print(
                f"| {name} | {spent[0]:.1f} s | {spent[1]:.1f} s | {peak_mb():.0f} MiB |",
                flush=True,
            )

        begun = time.process_time(), time.perf_counter()
        with path.open(encoding="utf-8", newline="") as file:
            for _ in csv.reader(file):
                pass
        print_row("bare csv", *begun)
        begun = time.process_time(), time.perf_counter()
        check(asked, [])
        print_row("check", *begun)
        begun = time.process_time(), time.perf_counter()
        import_file(asked, [], lambda: _ledger(data))
        print_row("import", *begun)
        size = (data / "log.sqlite").stat().st_size
        print(f"{size / options.lines:.0f} bytes a line in the chain")
