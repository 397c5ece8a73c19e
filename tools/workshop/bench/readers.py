"""``make bench SCENARIO=readers``: readers over all pages beside a writer, in one run.

Makes a chain (the synthetic one of ``bench``), serves it, and lets readers ask for each page of the
menu, for accounts, searches, and as often for a round, each with a pause between two pages, while a
writer records bets. Printed are the times of pages, answers that the service was too busy for, and
the writer's times alone, beside the service, and beside its readers.
"""

from __future__ import annotations

import json
import os
import random
import re
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from http import HTTPStatus
from http.client import HTTPConnection
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from rich.table import Table

from ledger.log.sqlite import SqliteLog
from tools.workshop.bench.concurrent import percentiles
from tools.workshop.bench.load import ACCOUNTS, SEED, begin, lengthen, states_of
from tools.workshop.bench.machine import machine, show
from tools.workshop.bench.serving import processor_seconds, result_of, serve_folder, start_step

if TYPE_CHECKING:
    import argparse
    import subprocess

__all__ = ["read", "run"]

MENU = re.compile(r'<li><a href="(/[a-z-]+)"')
ROUND = "/rounds/{round}"
BY_NAME = ("/", "/search?q={account}", "/accounts/{account}", "/accounts/{account}/play-time")
ANSWER_SECONDS_MAX = 120
ROUND_RATIO_MAX, WRITER_RATIO_MAX = 5.0, 1.2
"""The aim: p99 of a round page against its p50, p99 of the writer against its own alone."""


def run(asked: argparse.Namespace) -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as place:
        figures = _measured(Path(place), asked)
    if asked.json:
        print(json.dumps(figures, indent=2))
    else:
        _print(figures, asked)


def _measured(folder: Path, asked: argparse.Namespace) -> dict[str, Any]:
    begin(folder).close()
    states = states_of(folder)
    with closing(SqliteLog(folder, writable=True)) as log:
        lengthen(log, asked.events, states=states)
    serve_folder(folder, lambda *_: None)  # makes the tables
    os.sync()
    figures: dict[str, Any] = {"writer alone": _written(folder, asked.rate, asked.seconds)}

    def serving(process: subprocess.Popen[str], address: str, token: str) -> None:
        figures["writer beside the service"] = _written(folder, asked.rate, asked.seconds)
        before = processor_seconds(process.pid)
        with ThreadPoolExecutor(1) as thread:
            writer = thread.submit(_written, folder, asked.rate, asked.seconds)
            found = read(address, token, asked)
            figures["writer beside its readers"] = writer.result()
        figures["service_processor_seconds"] = processor_seconds(process.pid) - before
        figures["busy"] = {page: busy for page, (_, busy) in found.items()}
        figures["pages"] = {
            page: percentiles(seconds) for page, (seconds, _) in found.items() if seconds
        }

    serve_folder(folder, serving)
    return figures


def _written(folder: Path, rate: int, seconds: float) -> dict[str, Any]:
    """Record so many bets a second in a process beside, and return its times."""
    return result_of(start_step("write", folder, str(rate), str(seconds)))


def read(address: str, token: str, asked: argparse.Namespace) -> dict[str, tuple[list[float], int]]:
    """Run the readers; return the seconds of each page, and how often the service was busy.

    Raises:
        RuntimeError: a page was answered with another error.

    """
    place, end = urlsplit(address).netloc, time.monotonic() + asked.seconds
    headers = {"Authorization": f"Bearer {token}", "Accept-Language": "en"}
    menu = _asked(place, "/", headers)[1]
    rounds = json.loads(_asked(place, "/api/rounds?limit=100", headers)[1])["answer"]["rounds"]
    names = [one["round"] for one in rounds]
    pages = [*BY_NAME, *MENU.findall(menu)]
    pages += [ROUND] * len(pages)

    def reader(number: int) -> list[tuple[str, float, int]]:
        chance, found = random.Random(SEED + number), []
        time.sleep(chance.random() * asked.pause)
        while time.monotonic() < end:
            page = chance.choice(pages)
            path = page.format(round=chance.choice(names), account=chance.choice(ACCOUNTS))
            began = time.perf_counter()
            status, text = _asked(place, path, headers)
            found.append((page, time.perf_counter() - began, status))
            if status not in {HTTPStatus.OK, HTTPStatus.SEE_OTHER, HTTPStatus.SERVICE_UNAVAILABLE}:
                raise RuntimeError(f"{path}: {status} {text[:200]}")
            time.sleep(2 * chance.random() * asked.pause)
        return found

    by_page: dict[str, tuple[list[float], int]] = dict.fromkeys(pages, ([], 0))
    with ThreadPoolExecutor(asked.readers) as threads:
        reading = [threads.submit(reader, number) for number in range(asked.readers)]
        for page, seconds, status in [one for each in reading for one in each.result()]:
            known, busy = by_page[page]
            is_busy = status == HTTPStatus.SERVICE_UNAVAILABLE
            by_page[page] = ([*known, seconds], busy) if not is_busy else (known, busy + 1)
    return by_page


def _asked(place: str, path: str, headers: dict[str, str]) -> tuple[int, str]:
    with closing(HTTPConnection(place, timeout=ANSWER_SECONDS_MAX)) as line:
        line.request("GET", path, headers=headers)
        answer = line.getresponse()
        return answer.status, answer.read().decode("utf-8", "replace")


def _print(figures: dict[str, Any], asked: argparse.Namespace) -> None:
    title = f"{asked.readers} readers over all pages beside {asked.rate:,} bets/s"
    table = Table(title=f"{title}, {asked.events:,} events", title_justify="left")
    for column in ("what", "p50 ms", "p99 ms", "count", "busy", "aim"):
        table.add_column(column, justify="left" if column == "what" else "right")

    def row(what: str, found: dict[str, Any], busy: int | str, aim: str = "") -> None:
        times = (f"{found[name]:.1f}" for name in ("p50_ms", "p99_ms"))
        table.add_row(what, *times, f"{found['count']:,}", str(busy), aim)

    pages = figures["pages"]
    for page in sorted(pages, key=lambda page: (page != ROUND, -pages[page]["p99_ms"])):
        ratio = pages[page]["p99_ms"] / pages[page]["p50_ms"]
        aim = f"{ratio:.1f} times, at most {ROUND_RATIO_MAX:.0f}" if page == ROUND else ""
        row(page, pages[page], figures["busy"][page], aim)
    alone = figures["writer alone"]["p99_ms"]
    for what in ("writer alone", "writer beside the service", "writer beside its readers"):
        ratio = figures[what]["p99_ms"] / alone
        row(what, figures[what], "", f"{ratio:.2f} times, at most {WRITER_RATIO_MAX:.1f}")
    used = f"{figures['service_processor_seconds']:.1f} s"
    table.add_row("processor time of the service meanwhile", used)
    show(table, machine("chdb", "fastapi", "uvicorn", seed=str(SEED)))
