"""``make bench SCENARIO=serving``: readers beside a writer, in one run with what bare libraries do.

Makes a chain, starts `gameledger serve` over it and lets readers look at rounds, search and see the
front page, each with a pause like a person's between two pages (``--pause 0``: none), while a
writer records bets. Printed are the times to each answer, the writer's with and without readers,
and the memory of the service. Baselines: uvicorn and Starlette answering a constant to the same
readers, and the same questions put to the tables alone.
"""

from __future__ import annotations

import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from http import HTTPStatus
from http.client import HTTPConnection
from itertools import chain
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any
from urllib.parse import urlsplit

import httpx
from rich.console import Console
from rich.table import Table

from ledger.log.sqlite import SqliteLog
from tools.sanitize import unguarded
from tools.workshop.bench.concurrent import percentiles
from tools.workshop.bench.load import SEED, begin, lengthen, states_of
from tools.workshop.bench.machine import machine, show
from tools.workshop.bench.steps import command_of, memory_mb

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterator

__all__ = ["processor_seconds", "result_of", "run", "serve_folder", "start_step"]

READY_SECONDS_MAX = 1800
ANSWER_SECONDS_MAX = 60
PAGES = ("round",) * 4 + ("search",) * 3 + ("front",) * 3
"""How often each page is asked for."""
PIECE_BYTES = 1 << 20
"""Of a download, at a time."""
DOWNLOADS = ("csv", "ndjson", "arrow", "parquet")
TARGETS = {"round": 150, "search": 100, "front": 50}
"""Milliseconds that the 99th percentile should stay below."""


def run(asked: argparse.Namespace) -> None:
    """Measure and print."""
    console = Console(file=unguarded(sys.stderr))
    with tempfile.TemporaryDirectory() as place, console.status("") as status:
        figures = _measure(Path(place), asked, status.update)
    figures["machine"] = machine("chdb", "fastapi", "starlette", "uvicorn", seed=str(SEED))
    if asked.json:
        print(json.dumps(figures, indent=2))
    else:
        _print(figures, asked)


def _measure(folder: Path, asked: argparse.Namespace, say: Callable[[str], None]) -> dict[str, Any]:
    figures: dict[str, Any] = {}
    say(f"making a chain of {asked.events:,} events")
    begin(folder).close()
    states = states_of(folder)
    with closing(SqliteLog(folder, writable=True)) as log:
        lengthen(log, asked.events, states=states)
    serve_folder(folder, lambda *_: None)  # makes the tables
    os.sync()
    say("the writer alone")
    figures["writer_alone"] = result_of(_writer(folder, asked))

    def serving(process: subprocess.Popen[str], address: str, token: str) -> None:
        names = _rounds(address, token)
        say("the writer beside the service")
        before = processor_seconds(process.pid)
        figures["writer_beside"] = result_of(_writer(folder, asked))
        between = processor_seconds(process.pid)
        say(f"{asked.readers} readers beside the writer")
        with _ending(_writer(folder, asked)) as writer:
            found = _read(process.pid, address, token, names, asked)
            figures["writer_and_readers"] = result_of(writer)
        figures["pages"] = {
            kind: percentiles(seconds) for kind, seconds in found[0].items() if seconds
        }
        figures["memory_mb"] = found[1]
        reading = processor_seconds(process.pid) - between
        pages = sum(one["count"] for one in figures["pages"].values())
        figures["service_processor_seconds"] = {"projecting": between - before, "reading": reading}
        figures["page_processor_ms"] = (reading - (between - before)) / pages * 1000

    def downloading(process: subprocess.Popen[str], address: str, token: str) -> None:
        say("downloads of all postings")
        figures["download_seconds"] = {form: _download(address, token, form) for form in DOWNLOADS}
        figures["memory_mb_of_downloads"] = memory_mb("VmHWM", process.pid)

    figures["start"] = serve_folder(folder, serving)
    say("the tables alone, once they are merged")
    figures["tables"] = result_of(start_step("tables", folder))
    serve_folder(folder, downloading)
    say("uvicorn and Starlette with a constant")
    with _ending(start_step("bare", folder)) as bare:
        address = _first_line(bare)["address"]
        pages, _ = _read(bare.pid, address, "none", ["b1"], asked)
        figures["bare"] = percentiles([one for found in pages.values() for one in found])
    return figures


def serve_folder(
    folder: Path, act: Callable[[subprocess.Popen[str], str, str], None]
) -> dict[str, Any]:
    """Run the service, and return how long its start took."""
    began = time.perf_counter()
    command = [sys.executable, "-m", "tools.cli", "--data", str(folder)]
    command += ["serve", "--listen", "127.0.0.1:0", "--json"]
    process = subprocess.Popen(  # noqa: S603 - our own program
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    with _ending(process):
        said = _first_line(process)
        listening = time.perf_counter() - began
        _await_ready(said["address"])
        ready = time.perf_counter() - began
        act(process, said["address"], said["token"])
    return {"listening_seconds": listening, "ready_seconds": ready}


@contextmanager
def _ending(process: subprocess.Popen[str]) -> Iterator[subprocess.Popen[str]]:
    """End a process that has not ended by itself."""
    with process:
        try:
            yield process
        finally:
            process.terminate()


def _first_line(process: subprocess.Popen[str]) -> dict[str, str]:
    """Read what a service says first; what it logs from then on is read and forgotten."""
    if process.stdout is None:
        raise AssertionError("it was started with a pipe")
    found: dict[str, str] = json.loads(process.stdout.readline())
    threading.Thread(target=_forget, args=(process.stdout,), daemon=True).start()
    return found


def _forget(lines: IO[str]) -> None:
    """Read to the end, which may be that the file is closed."""
    with suppress(ValueError):
        deque(lines, 0)


def _await_ready(address: str) -> None:
    deadline = time.monotonic() + READY_SECONDS_MAX
    with httpx.Client(timeout=ANSWER_SECONDS_MAX) as client:
        while client.get(f"{address}ready").status_code != httpx.codes.OK:
            if time.monotonic() > deadline:
                raise RuntimeError("the service does not become ready: see `gameledger serve`")
            time.sleep(0.02)


def _download(address: str, token: str, form: str) -> float:
    began = time.perf_counter()
    with closing(HTTPConnection(urlsplit(address).netloc, timeout=ANSWER_SECONDS_MAX)) as line:
        where = f"/api/views/reader_postings?form={form}"
        line.request("GET", where, headers={"Authorization": f"Bearer {token}"})
        answer = line.getresponse()
        if answer.status != HTTPStatus.OK:
            raise RuntimeError(f"{form}: {answer.status} {answer.read()[:200]!r}")
        room = bytearray(PIECE_BYTES)
        while answer.readinto(room):
            pass
    return time.perf_counter() - began


def _rounds(address: str, token: str) -> list[str]:
    """Name the rounds of the chain that was made."""
    headers = {"Authorization": f"Bearer {token}"}
    with httpx.Client(headers=headers, timeout=ANSWER_SECONDS_MAX) as client:
        newest, span = 1, 1
        while span:
            found = client.get(f"{address}api/rounds/b{newest + span}")
            if found.status_code == httpx.codes.OK:
                newest, span = newest + span, span * 2
            else:
                span //= 2
    return [f"b{number}" for number in range(newest + 1)]


def start_step(step: str, folder: Path, *more: str) -> subprocess.Popen[str]:
    """Start a step of :mod:`tools.workshop.bench.concurrent`."""
    command = command_of("concurrent", step, folder, *more)
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)  # noqa: S603 - our own


def _writer(folder: Path, asked: argparse.Namespace) -> subprocess.Popen[str]:
    return start_step("write", folder, str(asked.rate), str(asked.seconds))


def result_of(process: subprocess.Popen[str]) -> dict[str, Any]:
    """Wait for such a process, and return what it printed.

    Raises:
        RuntimeError: it failed.

    """
    printed, _ = process.communicate()
    if process.returncode:
        raise RuntimeError(f"a process beside ended with {process.returncode}")
    found: dict[str, Any] = json.loads(printed.splitlines()[-1])
    return found


def _read(
    pid: int, address: str, token: str, names: list[str], asked: argparse.Namespace
) -> tuple[dict[str, list[float]], list[float]]:
    """Run the readers; return the seconds of each kind of page, and the memory over time.

    Each has a thread and the client of the standard library, which takes little of the processors
    that are measured.
    """
    end = time.monotonic() + asked.seconds
    headers = {"Authorization": f"Bearer {token}"}

    def reader(number: int) -> list[tuple[str, float]]:
        chance, seconds = random.Random(SEED + number), []
        with closing(HTTPConnection(urlsplit(address).netloc, timeout=ANSWER_SECONDS_MAX)) as line:
            time.sleep(chance.random() * asked.pause)
            while time.monotonic() < end:
                kind, name = chance.choice(PAGES), chance.choice(names)
                path = {"round": f"/rounds/{name}", "search": f"/search?q={name}", "front": "/"}
                began = time.perf_counter()
                line.request("GET", path[kind], headers=headers)
                answer = line.getresponse()
                text = answer.read()
                seconds.append((kind, time.perf_counter() - began))
                if answer.status not in {HTTPStatus.OK, HTTPStatus.SEE_OTHER}:
                    raise RuntimeError(f"{kind}: {answer.status} {text[:200]!r}")
                time.sleep(2 * chance.random() * asked.pause)
        return seconds

    memory: list[float] = []
    with ThreadPoolExecutor(asked.readers) as threads:
        reading = [threads.submit(reader, number) for number in range(asked.readers)]
        while time.monotonic() < end:
            memory.append(memory_mb("VmRSS", pid))
            time.sleep(asked.seconds / 20)
    found: dict[str, list[float]] = {kind: [] for kind in TARGETS}
    for kind, seconds in chain.from_iterable(one.result() for one in reading):
        found[kind].append(seconds)
    return found, memory


def processor_seconds(pid: int) -> float:
    """Return the processor time that a process took so far."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return sum(map(int, fields[11:13])) / os.sysconf("SC_CLK_TCK")


def _print(figures: dict[str, Any], asked: argparse.Namespace) -> None:
    title = f"{asked.readers} readers beside {asked.rate:,} bets/s, {asked.events:,} events"
    table = Table(title=title, title_justify="left")
    for column in ("what", "p50", "p99", "count", "target"):
        table.add_column(column, justify="left" if column == "what" else "right")

    def row(what: str, found: dict[str, Any], target: str = "") -> None:
        times = (f"{found[name]:.1f} ms" for name in ("p50_ms", "p99_ms"))
        table.add_row(what, *times, f"{found['count']:,}", target)

    for kind, found in figures["pages"].items():
        row(f"page: {kind}", found, f"p99 < {TARGETS[kind]} ms")
    row("baseline: a constant, uvicorn and Starlette", figures["bare"])
    row("baseline: a round from the log, one at a time", figures["tables"]["round"])
    row("baseline: the newest rounds from the tables", figures["tables"]["front"])
    bare = figures["tables"]["rows_per_second"]
    half = bare["rows"] / 2
    for form, seconds in figures["download_seconds"].items():
        rate = figures["tables"]["rows"] / seconds
        table.add_row(
            f"download: all postings as {form}", "", "", f"{rate:,.0f}/s", f"> {half:,.0f}/s"
        )
    for form, rate in bare.items():
        what = f"baseline: the same as {form}, bare clickhouse-connect"
        table.add_row(what, "", "", f"{rate:,.0f}/s")
    row("writer alone", figures["writer_alone"])
    row("writer beside the service", figures["writer_beside"])
    before = figures["writer_alone"]["p99_ms"]
    row("writer beside the readers", figures["writer_and_readers"], f"p99 < {before * 1.1:.1f} ms")
    memory, start = figures["memory_mb"], figures["start"]
    third = max(len(memory) // 3, 1)
    early, late = (statistics.median(part) for part in (memory[:third], memory[-third:]))
    table.add_row(
        "memory of the service: first third, last third", f"{early:.0f} MB", f"{late:.0f} MB"
    )
    took = figures["service_processor_seconds"]
    most = figures["memory_mb_of_downloads"]
    table.add_row("memory of the service during downloads, at most", f"{most:.0f} MB")
    table.add_row("processor time of the service, projecting only", f"{took['projecting']:.1f} s")
    table.add_row("processor time of a page", f"{figures['page_processor_ms']:.1f} ms")
    table.add_row(
        "start: listening, ready",
        f"{start['listening_seconds']:.1f} s",
        f"{start['ready_seconds']:.1f} s",
        "",
        "< 3 s",
    )
    show(table, figures["machine"])
