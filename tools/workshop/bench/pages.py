"""``make bench SCENARIO=pages``: processor time of every page beside that of the median page.

``python -m tools.workshop.bench.pages DATA [--times N]`` starts `gameledger serve` over a data
directory,
such as that of the demo, asks for each page so many times, and prints the processor time of the
service for one. It ends with 1 where a page takes more than :data:`RATIO_MAX` times that of the
median page. Pages are those of the menu, and of one thing of each kind that the chain has; a kind
without any is named.
"""

from __future__ import annotations

import argparse
import re
import statistics
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import httpx
from rich.console import Console
from rich.table import Table

from tools.workshop.bench.machine import machine, show
from tools.workshop.bench.serving import processor_seconds, serve_folder

if TYPE_CHECKING:
    import subprocess

__all__ = ["main"]

RATIO_MAX = 5.0
TIMES = 20
EXAMINED_SECONDS_MAX = 120
MENU = re.compile(r'<li><a href="(/[a-z-]+)"')
"""Pages without a name in their address: the menu leads to each."""


def main() -> None:
    """Measure the pages of a data directory, and print them."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.workshop.bench.pages", description=__doc__
    )
    parser.add_argument("data", type=Path)
    parser.add_argument("--times", type=int, default=TIMES)
    asked = parser.parse_args()
    figures: dict[str, float] = {}

    def measure(process: subprocess.Popen[str], address: str, token: str) -> None:
        headers = {"Authorization": f"Bearer {token}", "Accept-Language": "en"}
        with httpx.Client(base_url=address, headers=headers, timeout=60) as client:
            pages = _pages(client)
            _await_examined(client)
            for pattern, page in pages.items():
                _require(client.get(page))
                before = processor_seconds(process.pid)
                for _ in range(asked.times):
                    _require(client.get(page))
                figures[pattern] = (processor_seconds(process.pid) - before) / asked.times

    serve_folder(asked.data, measure)
    sys.exit(_print(figures))


def _pages(client: httpx.Client) -> dict[str, str]:
    """Return an address of each page, by its pattern."""

    def answer(path: str) -> Any:
        return _require(client.get(f"/api/{path}")).json()["answer"]

    lists = {
        "/rounds/{name}": [one["round"] for one in answer("rounds?limit=1")["rounds"]],
        "/accounts/{name}": [one["account"] for one in answer("bets?limit=1")["bets"]],
        "/cases/{name}": [one["case"] for one in answer("cases?ended=yes")["cases"]],
        "/findings/{name}": [one["identity"] for one in answer("findings")["findings"]],
        "/tournaments/{name}": [one["tournament"] for one in answer("tournaments")],
        "/packages/{name}": [one["package"] for one in answer("packages") if one["version"]],
        "/events/{position}": [7],
    }
    lists["/accounts/{name}/play-time"] = lists["/accounts/{name}"]
    found = {page: page for page in ("/", "/search", *MENU.findall(client.get("/").text))}
    for pattern, names in lists.items():
        if names:
            name = quote(str(names[0]))
            found[pattern] = pattern.replace("{name}", name).replace("{position}", name)
        else:
            Console().print(f"{pattern}: nothing of this kind is in the chain")
    return found


def _await_examined(client: httpx.Client) -> None:
    """Wait until the findings are examined, so that no page is charged with it."""
    ends = time.monotonic() + EXAMINED_SECONDS_MAX
    while client.get("/api/findings").status_code != httpx.codes.OK and time.monotonic() < ends:
        time.sleep(1)
    time.sleep(2)


def _require(found: httpx.Response) -> httpx.Response:
    found.raise_for_status()
    return found


def _print(figures: dict[str, float]) -> int:
    """Print each page beside the median one; return 1 where one takes too long."""
    median = statistics.median(figures.values())
    table = Table("page", "ms of a processor", "times the median page")
    for pattern, seconds in sorted(figures.items(), key=lambda one: -one[1]):
        table.add_row(pattern, f"{seconds * 1_000:.1f}", f"{seconds / median:.1f}")
    show(table, machine("uvicorn", "chdb"))
    return int(max(figures.values()) > RATIO_MAX * median)


if __name__ == "__main__":
    main()
