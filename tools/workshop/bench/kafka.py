"""``make bench SCENARIO=kafka``: the log on a real Kafka beside bare kafka-python, in one run.

Starts brokers on loopback, measures and prints. The baselines use kafka-python as it comes (its
consumer) or set exactly like the log's own producer, with the same bytes in transactions of the
same size.
"""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
import time
from contextlib import closing
from functools import partial
from importlib.metadata import version
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kafka import KafkaConsumer, KafkaProducer, TopicPartition
from kafka.errors import KafkaError
from rich.console import Console
from rich.table import Table

from ledger.log.kafka.log import KafkaLog, KafkaSettings
from ledger.log.kafka.producer import producer_options
from ledger.log.kafka.topic import make_topic
from ledger.verification import verify as verification
from tools.garbage import collect_seldom
from tools.sanitize import unguarded
from tools.workshop.bench.appending import batches, messages_made
from tools.workshop.bench.kafka_latency import latencies
from tools.workshop.bench.load import SEED
from tools.workshop.bench.machine import machine, show
from tools.workshop.bench.steps import StepMeasurement
from tools.workshop.broker import Cluster

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    from ledger.core.message import Message

__all__ = ["run"]

EVENTS = 1_000_000
RUNS = 3
TRANSACTIONS = (1, 100, 1_000)
"""Messages of a transaction."""

APPENDED = {1: 400, 100: 20_000, 1_000: 100_000}
"""Messages of one run, about, by messages of a transaction."""


def run(asked: argparse.Namespace) -> None:
    """Measure and print."""
    collect_seldom()
    console = Console(file=unguarded(sys.stderr))
    figures: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as place, console.status("") as status:
        folder = Path(place)
        status.update("making the messages")
        messages = messages_made(asked.events, folder)
        status.update("starting one node")
        with Cluster(folder / "one", is_quick=False) as cluster:
            figures["append"] = _append(cluster, messages, folder, status.update)
            figures["read"] = _read(cluster, messages, folder, status.update)
            figures["disk"] = _disk(cluster, messages, folder, status.update)
        status.update("starting three nodes")
        with Cluster(folder / "three", size=3, is_quick=False) as cluster:
            figures["latency"] = latencies(cluster, folder / "latency", status.update)
    figures["machine"] = _machine()
    if asked.json:
        print(json.dumps(figures, indent=2))
    else:
        _print(figures)


def _append(
    cluster: Cluster, messages: list[Message], folder: Path, say: Callable[[str], None]
) -> dict[int, dict[str, float]]:
    """Append in transactions of several sizes, ours and bare by turns."""
    found: dict[int, dict[str, float]] = {}
    for size in TRANSACTIONS:
        rates: dict[str, list[float]] = {"ours": [], "bare": []}
        for run in range(RUNS):
            say(f"append in transactions of {size:,}, run {run + 1} of {RUNS}")
            cut = list(islice(batches(messages, size), APPENDED[size] // size))
            name = f"append-{size}-{run}"
            rates["bare"].append(_bare_append(cluster, f"{name}-bare", cut))
            rates["ours"].append(_our_append(cluster, f"{name}-ours", cut, folder / name))
        found[size] = {whose: statistics.median(values) for whose, values in rates.items()}
    return found


def _our_append(cluster: Cluster, topic: str, batches: list[list[Message]], folder: Path) -> float:
    with closing(KafkaLog(cluster.url(topic), folder, writable=True)) as log:
        started = time.perf_counter()
        for batch in batches:
            log.append(batch)
        return sum(map(len, batches)) / (time.perf_counter() - started)


def _disk(
    cluster: Cluster, messages: list[Message], folder: Path, say: Callable[[str], None]
) -> dict[str, dict[int, float]]:
    """Append with each compression; return bytes a message on the broker's disk, by size.

    The beginning, which is schemas, is not counted.
    """
    data = cluster.nodes[0].folder / "data"
    begin, *_ = batches(messages, TRANSACTIONS[-1])
    found: dict[str, dict[int, float]] = {}
    for compression in ("none", "gzip"):
        found[compression] = {}
        for size in TRANSACTIONS:
            say(f"append in transactions of {size:,}, compression {compression}")
            topic = f"disk-{compression}-{size}"
            cut = list(islice(batches(messages[len(begin) :], size), APPENDED[size] // size))
            url = cluster.url(topic, compression=compression)
            with closing(KafkaLog(url, folder / topic, writable=True)) as log:
                log.append(begin)
                (segment,) = data.glob(f"{topic}-0/*.log")
                before = segment.stat().st_size
                for batch in cut:
                    log.append(batch)
            found[compression][size] = (segment.stat().st_size - before) / sum(map(len, cut))
    return found


def _bare_append(cluster: Cluster, topic: str, batches: list[list[Message]]) -> float:
    settings = KafkaSettings.from_url(cluster.url(topic))
    make_topic(settings)
    producer = KafkaProducer(**producer_options(settings))
    producer.init_transactions()
    started = time.perf_counter()
    for batch in batches:
        producer.begin_transaction()
        for message in batch:
            producer.send(topic, message.body, partition=0)
        producer.commit_transaction()
    seconds = time.perf_counter() - started
    producer.close()
    return sum(map(len, batches)) / seconds


def _read(
    cluster: Cluster, messages: list[Message], folder: Path, say: Callable[[str], None]
) -> dict[str, float]:
    """Verify and rebuild from the topic, and consume it with bare kafka-python."""
    url = cluster.url("read", scan_client="kafka-python")
    fast = cluster.url("read", scan_client="confluent")
    say(f"writing {len(messages):,} messages")
    with closing(KafkaLog(url, folder / "read", writable=True)) as log:
        for batch in batches(messages, 1_000):
            log.append(batch)
        size = log.head().size
    steps: dict[str, Callable[[], StepMeasurement]] = {
        "bare": lambda: _bare_consume(cluster, "read"),
        "read": lambda: _our_read(url, folder),
        "verify": lambda: _our_verify(url, folder),
        "rebuild": lambda: _our_rebuild(url, folder),
    }
    if find_spec("confluent_kafka") is not None:
        steps["verify, fast client"] = lambda: _our_verify(fast, folder)
        steps["rebuild, fast client"] = lambda: _our_rebuild(fast, folder)
    found: dict[str, list[float]] = {name: [] for name in steps}
    for run in range(RUNS):
        for name, measure in steps.items():
            say(f"{name}, run {run + 1} of {RUNS}")
            count, seconds = measure()
            if not size - 1_000 <= count <= size:
                raise KafkaError(f"{name} met {count} messages of {size}")
            found[name].append(count / seconds)
    return {name: statistics.median(rates) for name, rates in found.items()}


def _bare_consume(cluster: Cluster, topic: str) -> StepMeasurement:
    partition = TopicPartition(topic, 0)
    with KafkaConsumer(
        bootstrap_servers=cluster.bootstrap.split(","),
        isolation_level="read_committed",
        group_id=None,
        auto_offset_reset="earliest",
    ) as consumer:
        consumer.assign([partition])
        consumer.seek(partition, 0)
        end = consumer.end_offsets([partition])[partition]
        started, count = time.perf_counter(), 0
        while consumer.position(partition) < end:
            count += sum(map(len, consumer.poll(1000).values()))
        return StepMeasurement(count, time.perf_counter() - started)


def _our_read(url: str, folder: Path) -> StepMeasurement:
    with closing(KafkaLog(url, folder / "reader", writable=False)) as log:
        started = time.perf_counter()
        return StepMeasurement(sum(1 for _ in log.read()), time.perf_counter() - started)


def _our_verify(url: str, folder: Path) -> StepMeasurement:
    with closing(KafkaLog(url, folder / "reader", writable=False)) as log:
        started = time.perf_counter()
        return StepMeasurement(
            verification.verify(log.read()).head.size, time.perf_counter() - started
        )


def _our_rebuild(url: str, folder: Path) -> StepMeasurement:
    from projections.store.rebuild import rebuild
    from projections.store.tables import Store

    opened = partial(KafkaLog, url, folder / "reader", writable=False)
    with (
        closing(opened()) as log,
        tempfile.TemporaryDirectory(dir=folder) as place,
        Store.open(place) as store,
    ):
        started = time.perf_counter()
        size = rebuild(log, store, opened=opened).head.size
        return StepMeasurement(size, time.perf_counter() - started)


def _machine() -> dict[str, str]:
    is_fast = find_spec("confluent_kafka") is not None
    return {
        **machine(seed=str(SEED)),
        "kafka-python": version("kafka-python"),
        "confluent-kafka": version("confluent-kafka") if is_fast else "not installed",
        "CRC of kafka-python": "in C" if find_spec("crc32c") else "in Python",
        "brokers": "Apache Kafka, acks=all, no flush per message",
    }


def _print(figures: dict[str, Any]) -> None:
    table = Table(title="kafka", title_justify="left")
    for column in ("what", "figure", "baseline", "ratio"):
        table.add_column(column, justify="left" if column == "what" else "right")
    for size, rates in figures["append"].items():
        ours, bare = rates["ours"], rates["bare"]
        table.add_row(
            f"append in transactions of {size:,} messages, one node (baseline: bare kafka-python)",
            f"{ours:,.0f}/s",
            f"{bare:,.0f}/s",
            f"{ours / bare:.2f}",
        )
    bare = figures["read"]["bare"]
    for name, ours in figures["read"].items():
        if name == "bare":
            continue
        table.add_row(
            f"{name} from the topic (baseline: bare kafka-python consumes)",
            f"{ours:,.0f}/s",
            f"{bare:,.0f}/s",
            f"{ours / bare:.2f}",
        )
    for size, plain in figures["disk"]["none"].items():
        packed = figures["disk"]["gzip"][size]
        table.add_row(
            f"bytes a message, gzip, transactions of {size:,} messages (baseline: none)",
            f"{packed:,.0f}",
            f"{plain:,.0f}",
            f"{packed / plain:.2f}",
        )
    for found in figures["latency"]:
        table.add_row(
            f"decision through three nodes at {found['asked']}: p50, p99 of {found['count']:,}",
            f"{found['p50_ms']:,.1f} ms, {found['p99_ms']:,.1f} ms",
            f"{found['rate']:,.0f}/s",
            "",
        )
    show(table, figures["machine"])
