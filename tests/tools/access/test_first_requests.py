"""A service that starts while readers wait: its first requests come together, of every kind."""

from __future__ import annotations

import http.client
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus
from statistics import median
from threading import Barrier, Event
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest

from tests.children import child
from tests.tools.access.first_requests import addresses
from tests.tools.cli_cases import ROOT, SECONDS_MAX
from tests.waiting import PATIENCE_SECONDS

if TYPE_CHECKING:
    from pathlib import Path

TOGETHER = 32
STARTS = int(os.environ.get("GAMELEDGER_STARTS", "0"))
"""Starts of the service; by default as many as ask for every address once."""
HEALTH_SECONDS_MAX = 2.0
"""Half of the looks at `/health` take less. It is 5 to 20 ms on two cores that are not shared; the
service gives way to all other processes, so a single look says nothing on a busy machine."""
ANSWERS = {
    HTTPStatus.OK,
    HTTPStatus.SEE_OTHER,
    HTTPStatus.BAD_REQUEST,
    HTTPStatus.FORBIDDEN,
    HTTPStatus.NOT_FOUND,
}


def answer_of(address: str, path: str, token: str = "") -> int:
    """Ask until there is an answer that is not `repeat in a moment`; return its status."""
    deadline = time.monotonic() + SECONDS_MAX
    while True:
        place = urlsplit(address)
        assert place.hostname is not None
        connection = http.client.HTTPConnection(place.hostname, place.port, timeout=SECONDS_MAX)
        try:
            connection.request("GET", path, headers={"Authorization": f"Bearer {token}"})
            answer = connection.getresponse()
            answer.read()
        finally:
            connection.close()
        if answer.status != HTTPStatus.SERVICE_UNAVAILABLE:
            return answer.status
        assert answer.headers["Retry-After"], path
        assert time.monotonic() < deadline, f"{path} is not answered"


def looks(address: str, over: Event) -> list[float]:
    """Look at `/health` until the others are answered; return how long each look took."""
    found = []
    while not over.is_set():
        began = time.monotonic()
        assert answer_of(address, "/health") == HTTPStatus.OK
        found.append(time.monotonic() - began)
        over.wait(0.05)
    return found


@pytest.mark.search
def test_first_requests_of_every_kind_are_answered_however_many_come_together(
    played: Path, tmp_path: Path
) -> None:
    data = shutil.copytree(played, tmp_path / "data", ignore=shutil.ignore_patterns("projection*"))
    paths = addresses(data)
    command = [sys.executable, "-m", "tools.cli", "serve", "--listen", "127.0.0.1:0", "--json"]
    environment = {
        "GAMELEDGER_DATA": str(data),
        "GAMELEDGER_CACHE": str(tmp_path / "cache"),
        "PATH": os.environ["PATH"],
    }
    for start in range(STARTS or -(-len(paths) // TOGETHER)):
        first = start * TOGETHER
        asked = [paths[(first + one) % len(paths)] for one in range(TOGETHER)]
        with (
            child(
                command,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                cwd=ROOT,
                env=environment,
                text=True,
            ) as process,
            ThreadPoolExecutor(TOGETHER + 1) as readers,
        ):
            assert process.stdout is not None
            said = json.loads(process.stdout.readline())
            together, over = Barrier(TOGETHER), Event()

            def ask(path: str) -> int:
                together.wait(SECONDS_MAX)  # noqa: B023 - each start waits for its own
                return answer_of(said["address"], path, said["token"])  # noqa: B023 - the same

            healths = readers.submit(looks, said["address"], over)
            answers = dict(zip(asked, readers.map(ask, asked), strict=True))
            over.set()
            middle = median(healths.result(SECONDS_MAX))
            process.send_signal(signal.SIGTERM)
            assert process.wait(PATIENCE_SECONDS) == 0
        wrong = {path: status for path, status in answers.items() if status not in ANSWERS}
        assert not wrong, f"start {start}"
        assert middle < HEALTH_SECONDS_MAX, f"start {start}"


ALL_MODULES = """
import sys
from pathlib import Path
from tools.access.warm_up import load_engine, warm_up
load_engine()
from tests.tools.access.access_cases import Service
from tests.tools.access.first_requests import addresses
data = Path(sys.argv[1])
with Service.over(data) as service:
    warm_up()
    service.get("/health")  # loads what the client of this test needs
    before = set(sys.modules)
    for path in addresses(data):
        service.get(path, "auditor")
    print("loaded:", *sorted(set(sys.modules) - before))
"""


@pytest.mark.search
@pytest.mark.slow("a program asks for every address")
def test_no_request_loads_a_module(played: Path, tmp_path: Path) -> None:
    data = shutil.copytree(played, tmp_path / "data", symlinks=True)
    done = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-W", "ignore", "-c", ALL_MODULES, str(data)],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)},
        timeout=SECONDS_MAX,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    (loaded,) = (line for line in done.stdout.splitlines() if line.startswith("loaded:"))
    assert loaded == "loaded:", "add them to tools/access/warm_up.py"
