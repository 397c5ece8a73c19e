"""Run the benchmarks and print them: figures, baselines, machine, versions, seed."""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.table import Table

from ledger.log.sqlite import SqliteLog
from tools.sanitize import unguarded
from tools.workshop.bench.appending import appends
from tools.workshop.bench.load import SEED, begin, lengthen
from tools.workshop.bench.machine import machine, show
from tools.workshop.bench.stand_alone import binary, compare, evenings, rows, verify_alone
from tools.workshop.bench.steps import measure
from tools.workshop.bench.writing import (
    bet_decisions,
    latencies,
    library_decisions,
    old_and_new_account,
)

if TYPE_CHECKING:
    import argparse

__all__ = ["run"]

RUNS = 3
LIBRARY_SHARE = 5
"""Share of the bets that the library decides, which is slower."""
TIMES = 5

VERIFICATIONS = {
    "links": "links, envelopes and tree of {events:,} events",
    "verify": "verify {events:,} events by the reference",
    "verify_index": "verify {events:,} events and their index by the reference",
}


REBUILDS = {
    "rebuild": (
        "rebuild {events:,} events",
        {
            "decode_rows": "the same checks and tables, decoded in Python by the ledger's decoder",
            "decode_bare": "the same checks and tables, decoded in Python by fastavro",
            "without_views": "the same blocks into the same tables without views",
        },
    ),
}
"""What each is called, and what it is compared with beside plain."""


def run(asked: argparse.Namespace) -> None:
    """Measure everything and print it; memory is compared with a chain five times as long."""
    console = Console(file=unguarded(sys.stderr))
    with (
        tempfile.TemporaryDirectory(dir=asked.folder or None) as place,
        console.status("") as status,
    ):
        figures = _measure(Path(place), asked, status.update)
    figures["machine"] = machine(
        *("chdb", "clickhouse-connect", "eventsourcing", "fastavro", "msgspec"),
        sqlite="WAL, synchronous=FULL",
        seed=str(SEED),
    )
    if asked.json:
        print(json.dumps(figures, indent=2))
    else:
        _print(figures, asked.events)


class _Figures(dict[str, Any]):
    """Prints each figure on standard error as soon as it is there."""

    def __setitem__(self, name: str, figure: Any) -> None:
        super().__setitem__(name, figure)
        print(f"{name}: {json.dumps(figure)}", file=unguarded(sys.stderr), flush=True)


def _measure(place: Path, asked: argparse.Namespace, say: Any) -> dict[str, Any]:
    events: int = asked.events
    figures = _Figures()
    rates, library_rates = [], []
    for number in range(RUNS):
        say(f"bet decisions, run {number + 1} of {RUNS}")
        rates.append(bet_decisions(_folder(place, f"write-{number}"), asked.bets))
        library_rates.append(
            library_decisions(_folder(place, f"library-{number}"), asked.bets // LIBRARY_SHARE)
        )
    for name, found in (("ledger", rates), ("library", library_rates)):
        figures[f"{name}_bets_placed_per_second"] = statistics.median(r.placed for r in found)
        figures[f"{name}_bets_played_per_second"] = statistics.median(r.played for r in found)
    say("how long receipts take")
    figures["latency"] = latencies(_folder(place, "latency"))
    say("appends to the log and to raw SQLite")
    figures["append"] = appends(_folder(place, "appends"))
    say("an account with a long history and a new one")
    figures["place_bet_microseconds"] = old_and_new_account(
        _folder(place, "accounts"), events, 1_000
    )
    say("settling a recorded evening again")
    figures["resettle"] = measure("resettle", _folder(place, "evening"))
    program = binary()
    alone = _stand_alone(place, program, say) if program else None
    for factor in (1, TIMES):
        say(f"making a chain of {events * factor:,} events")
        folder = _chain(place / f"chain-{factor}", events * factor)
        runs: dict[str, list[dict[str, Any]]] = {}
        for number in range(RUNS if factor == 1 else 1):
            baselines = [name for _, beside in REBUILDS.values() for name in beside]
            for step in (*VERIFICATIONS, "plain", *REBUILDS, *baselines):
                say(f"{step} of {events * factor:,} events, run {number + 1}")
                measured = runs.setdefault(step, [])
                measured.append(measure(step, folder))
                figures[f"{step}_{factor}"] = sorted(measured, key=_rate)[len(measured) // 2]
        if program and alone:
            verified = verify_alone(program, folder)
            name = "few" if factor == 1 else "many"
            alone |= {f"events_{name}": verified["events"], f"peak_mb_{name}": verified["peak_mb"]}
    figures["stand_alone"] = alone
    return figures


def _stand_alone(place: Path, program: str, say: Any) -> dict[str, Any]:
    say("playing evenings for the stand-alone verifier")
    folder = _folder(place, "evenings")
    evenings(folder)
    say("the stand-alone verifier")
    return compare(program, folder)


def _folder(place: Path, name: str) -> Path:
    folder = place / name
    folder.mkdir()
    return folder


def _chain(folder: Path, events: int) -> Path:
    folder.mkdir()
    begin(folder).close()
    log = SqliteLog(folder, writable=True)
    lengthen(log, events)
    log.close()
    return folder


def _rate(found: dict[str, Any]) -> float:
    return float(found["events"] / found["seconds"])


def _print(figures: dict[str, Any], events: int) -> None:
    table = Table(title="make bench", title_justify="left")
    for column in ("what", "figure", "baseline", "ratio"):
        table.add_column(column, justify="left" if column == "what" else "right")
    for name, what in (
        ("placed", "bets placed, group commit, all checks (baseline: eventsourcing one by one)"),
        ("played", "bets placed, concluded and settled (baseline: the same)"),
    ):
        ours = figures[f"ledger_bets_{name}_per_second"]
        theirs = figures[f"library_bets_{name}_per_second"]
        table.add_row(what, f"{ours:,.0f}/s", f"{theirs:,.0f}/s", f"{ours / theirs:.1f}")
    for found in figures["latency"]:
        table.add_row(
            f"commands of whole rounds at {found['asked']}, receipts after p50 and p99",
            f"{found['p50_ms']:,.1f} ms, {found['p99_ms']:,.1f} ms",
            "",
            "",
        )
    for size, rates in figures["append"].items():
        table.add_row(
            f"append in transactions of {size:,} messages, index and tree (baseline: raw SQLite)",
            f"{rates['ours']:,.0f}/s",
            f"{rates['raw']:,.0f}/s",
            f"{rates['ours'] / rates['raw']:.2f}",
        )
    cost = figures["place_bet_microseconds"]
    for label, suffix in (("in memory", ""), ("first after a restart", "_cold")):
        old, new = cost[f"old{suffix}"], cost[f"new{suffix}"]
        table.add_row(
            f"place_bet on an account with {events:,} events, {label} (baseline: a new account)",
            f"{old:,.0f} µs",
            f"{new:,.0f} µs",
            f"{old / new:.2f}",
        )
    table.add_row(
        "bets of a recorded evening of seven games settled again, one core",
        f"{_rate(figures['resettle']):,.0f}/s",
        "",
        "",
    )
    plain = _rate(figures["plain_1"])
    for step, what in VERIFICATIONS.items():
        verified = _rate(figures[f"{step}_1"])
        table.add_row(
            f"{what.format(events=events)} (baseline: SHA-256 of each message, one core)",
            f"{verified:,.0f}/s",
            f"{plain:,.0f}/s",
            f"{verified / plain:.2f}",
        )
    for row in rows(figures["stand_alone"]):
        table.add_row(*row)
    for factor in (1, TIMES):
        for step, (what, beside) in REBUILDS.items():
            rebuilt = _rate(figures[f"{step}_{factor}"])
            baselines = {"plain": "SHA-256 of each message, one core", **beside}
            for baseline, text in baselines.items():
                theirs = _rate(figures[f"{baseline}_{factor}"])
                table.add_row(
                    f"{what.format(events=events * factor)} (baseline: {text})",
                    f"{rebuilt:,.0f}/s",
                    f"{theirs:,.0f}/s",
                    f"{rebuilt / theirs:.2f}",
                )
    for step in ("verify", "rebuild"):
        few, many = figures[f"{step}_1"]["peak_mb"], figures[f"{step}_{TIMES}"]["peak_mb"]
        table.add_row(
            f"peak memory of {step}, {events * TIMES:,} events (baseline: {events:,})",
            f"{many:,.0f} MB",
            f"{few:,.0f} MB",
            f"{many / few:.2f}",
        )
    show(table, figures["machine"])
