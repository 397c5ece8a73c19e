"""Measure the cost of confirming the writer's right to answer, compared with an append.

``python -m tools.workshop.bench.confirming`` prints medians in milliseconds for SQLite on the disk
of the
temporary folder and for Kafka with one node and with three. The last column is the look-up of the
owner, which a partitioned broker answers from memory, so it is not sufficient (docs/adr/0048).
"""

from __future__ import annotations

import statistics
import tempfile
import time
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from rich.table import Table

from ledger.log.kafka.log import KafkaLog, KafkaSettings
from ledger.log.kafka.topic import last_writer_mark_of
from ledger.log.sqlite import SqliteLog
from tools.workshop.bench.appending import batches, messages_made
from tools.workshop.bench.load import SEED
from tools.workshop.bench.machine import machine, show
from tools.workshop.broker import Cluster

if TYPE_CHECKING:
    from collections.abc import Callable

    from ledger.core.message import Message
    from ledger.log.port import Log

__all__ = ["main"]

RUNS = 100


def main() -> None:
    """Measure and print."""
    table = Table(title="confirming, p50 in ms", title_justify="left")
    for column in ("log", "append of one decision", "confirm", "look-up of the owner"):
        table.add_column(column, justify="left" if column == "log" else "right")
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        messages = messages_made(RUNS, folder)
        with closing(SqliteLog(folder / "sqlite", writable=True)) as log:
            table.add_row("SQLite", *_measured(log, messages), "")
        for size in (1, 3):
            with Cluster(folder / f"of-{size}", size=size, is_quick=False) as cluster:
                url = cluster.url("chain")
                with closing(KafkaLog(url, folder / f"log-{size}", writable=True)) as log:
                    figures = _measured(log, messages)
                settings = KafkaSettings.from_url(url)
                owner = _median(lambda: last_writer_mark_of(settings))  # noqa: B023 - called at once
                table.add_row(f"Kafka, nodes: {size}", *figures, owner)
    show(table, machine(seed=str(SEED)))


def _measured(log: Log, messages: list[Message]) -> tuple[str, str]:
    """Append and confirm alternately; return the median milliseconds of each as text."""
    cut = batches(messages, 1)
    log.append(next(cut))
    times: dict[str, list[float]] = {"append": [], "confirm": []}
    for batch in cut:
        times["append"].append(_seconds(lambda: log.append(batch)))  # noqa: B023 - called at once
        times["confirm"].append(_seconds(log.confirm))
    append, confirm = (f"{1000 * statistics.median(each):.2f}" for each in times.values())
    return append, confirm


def _median(call: Callable[[], object]) -> str:
    """Return the median of some calls."""
    return f"{1000 * statistics.median(_seconds(call) for _ in range(RUNS)):.2f}"


def _seconds(call: Callable[[], object]) -> float:
    """Return how long a call takes."""
    began = time.perf_counter()
    call()
    return time.perf_counter() - began


if __name__ == "__main__":
    main()
