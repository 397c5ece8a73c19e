"""A service whose readers ask for what takes long: the others are answered, and it ends in time."""

from __future__ import annotations

import asyncio
import http.client
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import partial
from http import HTTPStatus
from threading import Event, Thread
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import pytest
from starlette.responses import Response

from ledger.core.clock import DAY, StoppedClock
from ledger.core.errors import AvailabilityError
from projections.reconciliation.reconcile import examine_on
from projections.store.as_of import place_in
from projections.words.catalogue import Language, Words
from tests.children import child
from tests.tools.access.access_cases import Service, handled
from tests.tools.cli_cases import ROOT, SECONDS_MAX
from tests.waiting import PATIENCE_SECONDS, until
from tools.access import api_findings, examiner, guard
from tools.access.guard import Guard, Metrics
from tools.access.serving import open_service
from tools.data import DataDirectory
from tools.data.locations import LOCAL
from tools.service.address import listening
from tools.web.framing import GONE
from tools.web.serving import config_of, in_thread

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SLOW_PATHS = ("/findings", "/api/findings", "/statements", "/api/days/2026-11-20")
CHECKED = frozenset({"CHAIN_SILENT"})
"""A quick check, for tests of when the service examines, not of what it finds."""
ORDINARY = ("/", "/rounds", "/tables", "/api/bets", "/api/balances", "/results")


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Event, Event]]:
    """Hold each examination from its begin until it is let go."""
    begun, let_go = Event(), Event()

    def examining(*arguments: Any, **more: Any) -> Any:
        begun.set()
        assert let_go.wait(SECONDS_MAX)
        return examine_on(*arguments, only=CHECKED, **more)

    monkeypatch.setattr(examiner, "examine_on", examining)
    yield begun, let_go
    let_go.set()


@pytest.fixture
def checked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let each examination run one check."""
    monkeypatch.setattr(examiner, "examine_on", partial(examine_on, only=CHECKED))


@pytest.fixture
def fresh(played: Path, tmp_path: Path) -> Iterator[Service]:
    """A service that has examined nothing."""
    with Service.over(unexamined(played, tmp_path / "data")) as service:
        yield service


def unexamined(played: Path, data: Path) -> Path:
    return shutil.copytree(played, data, symlinks=True, ignore=shutil.ignore_patterns("cache"))


def test_readers_of_findings_leave_the_connections_to_the_others(
    fresh: Service, held: tuple[Event, Event]
) -> None:
    begun, let_go = held
    with ThreadPoolExecutor(8) as readers:
        waiting = [readers.submit(fresh.get, path, "auditor") for path in SLOW_PATHS * 2]
        assert begun.wait(SECONDS_MAX)
        for path in ORDINARY:
            assert fresh.get(path, "auditor").status_code == HTTPStatus.OK, path
        assert not any(one.done() for one in waiting)
        let_go.set()
        statuses = [one.result(SECONDS_MAX).status_code for one in waiting]
    assert statuses == [HTTPStatus.OK] * 8


def test_an_examination_that_takes_too_long_is_answered_and_goes_on(
    fresh: Service, held: tuple[Event, Event], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(examiner, "WAIT_SECONDS", 0.1)
    late = fresh.get("/api/findings", "auditor")
    assert late.status_code == HTTPStatus.SERVICE_UNAVAILABLE
    assert late.headers["Retry-After"]
    assert late.headers["Content-Type"] == "application/problem+json"
    held[1].set()
    monkeypatch.undo()
    assert fresh.get("/api/findings", "auditor").status_code == HTTPStatus.OK
    newest = fresh.desk.examiner.last
    assert newest is not None
    later = fresh.desk.examiner.of(newest.position + 10**6, newest.moment, is_exact=False)
    assert later is newest, "a page shows what was examined last"


@pytest.mark.usefixtures("checked")
def test_a_question_about_the_past_does_not_make_its_findings_the_newest(fresh: Service) -> None:
    size, clock = fresh.desk.sources.projected.size, fresh.desk.clock
    with closing(examiner.Examiner(fresh.desk.sources, Event(), clock)) as one:
        for place, now in ((size - 100, 0), (size, clock.now() + DAY)):
            found = one.of(place, now, is_exact=True)
            assert found.position == place
            assert now in {0, found.moment}
            newest = one.last and (one.last.position, one.last.moment)
            assert newest != (place, found.moment)
        assert one.of(size, clock.now(), is_exact=False).position == size
        assert one.supervision is None or one.supervision.position == size


@pytest.mark.usefixtures("checked")
def test_findings_are_shown_though_the_chain_grew_before_they_were_examined(fresh: Service) -> None:
    size, clock = fresh.desk.sources.projected.size - 100, fresh.desk.clock
    with closing(examiner.Examiner(fresh.desk.sources, Event(), clock)) as one:
        assert one.of(size, clock.now(), is_exact=False).position in {size, size + 100}


@pytest.mark.usefixtures("checked")
def test_findings_of_a_silent_chain_are_judged_again(
    fresh: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is recorded; eight days later the service finds what is late by then."""
    monkeypatch.setattr(examiner, "REST_SECONDS", (0.0, 0.0))
    sources = fresh.desk.sources
    size = sources.projected.size
    begun = place_in(sources.log, None, size)[1]
    clock = StoppedClock(begun)
    with closing(examiner.Examiner(sources, Event(), clock)) as one:
        first = one.of(size, begun, is_exact=False)
        assert "CHAIN_SILENT" not in first.by_code
        clock.moment = begun + 8 * DAY
        ends = time.monotonic() + SECONDS_MAX
        while one.last is first and time.monotonic() < ends:
            time.sleep(0.05)
        assert one.last is not None
        assert (one.last.position, one.last.moment) == (size, begun + 8 * DAY)
        assert "CHAIN_SILENT" in one.last.by_code


def test_findings_are_maintained_while_the_chain_grows_and_no_page_examines(
    fresh: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[int, int]] = []

    def examining(store: Any, *, at: int, now: int, since: Any) -> Any:
        asked.append((0 if since is None else since.until, at))
        return examine_on(store, at=at, now=now, since=since)

    monkeypatch.setattr(examiner, "examine_on", examining)
    first = fresh.get("/api/findings", "auditor").json()
    assert asked == [(0, first["basis"]["position"])]
    handled(fresh.data, is_closed=False)
    grown = fresh.desk.sources.log.head().size
    while (last := fresh.desk.examiner.last) is None or last.position < grown:
        time.sleep(0.05)
    assert [since for since, _ in asked[1:]] == [at for _, at in asked[:-1]], "each goes on"
    runs = len(asked)
    newest = fresh.get("/api/findings", "auditor").json()
    assert newest["basis"]["position"] == grown
    told = {one["code"] for one in newest["answer"]["findings"]}
    assert told > {one["code"] for one in first["answer"]["findings"]}
    for path in SLOW_PATHS:
        assert fresh.get(path, "auditor").status_code == HTTPStatus.OK
    assert len(asked) == runs
    shown = Words(Language.EN).number(grown)
    assert f"up to position {shown}, " in fresh.get("/findings", "auditor").text


@pytest.mark.usefixtures("checked")
def test_a_service_that_starts_again_goes_on_from_what_it_kept(
    played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = unexamined(played, tmp_path / "data")
    with Service.over(data) as service:
        service.get("/api/findings", "auditor")
        first = service.desk.examiner.last
        assert first is not None

    def examining(*_: Any, **__: Any) -> Any:
        raise AvailabilityError("it examined again")

    monkeypatch.setattr(examiner, "examine_on", examining)
    monkeypatch.setenv("GAMELEDGER_CACHE", str(data / "cache"))
    with open_service(DataDirectory(data, LOCAL)) as (desk, _):
        assert desk.examiner.of(first.position, first.moment, is_exact=False) == first


def test_findings_come_in_pages_of_a_hundred(
    fresh: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    handled(fresh.data)
    fresh.get("/api/findings", "auditor")
    grown = fresh.desk.sources.log.head().size
    while (last := fresh.desk.examiner.last) is None or last.position < grown:
        time.sleep(0.05)
    every = fresh.get("/api/findings", "auditor").json()["answer"]["findings"]
    assert len(every) > 1
    monkeypatch.setattr(api_findings, "PAGE", 1)
    for number, one in enumerate(every, 1):
        (shown,) = fresh.get(f"/api/findings?page={number}", "auditor").json()["answer"]["findings"]
        assert shown == one
        assert f"Page {number} of {len(every)}" in fresh.get(f"/findings?page={number}").text
    beyond = fresh.get(f"/api/findings?page={len(every) + 1}", "auditor")
    assert beyond.status_code == HTTPStatus.BAD_REQUEST


def test_so_many_requests_wait_for_an_examination_and_no_more(
    fresh: Service, held: tuple[Event, Event], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(examiner, "WAITING_MAX", 2)
    one = examiner.Examiner(fresh.desk.sources, Event(), fresh.desk.clock)
    gone, size = Event(), fresh.desk.sources.projected.size
    with ThreadPoolExecutor(2) as readers:
        ask = {"is_exact": True, "gone": gone}
        waiting = [readers.submit(one.of, size, 0, **ask) for _ in range(2)]  # type: ignore[arg-type]
        assert held[0].wait(SECONDS_MAX)
        while one._waiting._value:
            Event().wait(0.01)
        with pytest.raises(AvailabilityError, match="too many"):
            one.of(size, 0, is_exact=True)
        gone.set()
        for each in waiting:
            with pytest.raises(AvailabilityError, match="still being examined"):
                each.result(SECONDS_MAX)
    held[1].set()
    one.close()


def test_what_is_queued_for_a_client_that_hung_up_does_not_start(fresh: Service) -> None:
    gone = Event()
    gone.set()
    with (
        pytest.raises(AvailabilityError),
        fresh.desk.sources.store(gone),
    ):
        pytest.fail("a connection was lent")


def test_the_front_page_counts_recorded_findings_before_anything_is_examined(
    played: Path, tmp_path: Path
) -> None:
    data = handled(unexamined(played, tmp_path / "data"), is_closed=False)
    with Service.over(data) as service:
        page = service.get("/", "reconciliation")
        assert service.desk.examiner.last is None
        (shown,) = re.findall(r"Recorded findings, open</dt><dd><a [^>]*>([^<]*)", page.text)
        assert shown == "1 finding"
        assert "Recorded findings" not in service.get("/", "data-protection").text


def test_an_answer_that_does_not_begin_in_time_is_a_problem(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(guard, "ANSWER_SECONDS", 0.05)

    async def never(scope: Any, receive: Any, send: Any) -> None:
        await over.wait()
        await Response("late")(scope, receive, send)

    sent: list[Any] = []

    async def sending(message: Any) -> None:
        sent.append(message)

    async def receiving() -> Any:
        return {"type": "http.request", "body": b""}

    async def asked() -> None:
        scope = {"type": "http", "method": "GET", "path": "/", "headers": []}
        guarded = Guard(never, metrics=Metrics("test"), is_secure=False)
        await guarded(scope, receiving, sending)
        over.set()
        await asyncio.gather(*guarded._left)

    over = asyncio.Event()
    asyncio.run(asked())
    assert [one["type"] for one in sent] == ["http.response.start", "http.response.body"]
    assert sent[0]["status"] == HTTPStatus.SERVICE_UNAVAILABLE
    assert b"retry-after" in dict(sent[0]["headers"])


BUSY = """
import sys
from threading import Event
from tools.access import examiner
from tools.cli import main

def examining(*_, **__):
    print("examining", file=sys.stderr, flush=True)
    Event().wait()

examiner.examine_on = examining
main()
"""


@pytest.mark.slow
def test_sigterm_ends_a_service_in_time_while_an_examination_never_ends(
    played: Path, tmp_path: Path
) -> None:
    data = shutil.copytree(played, tmp_path / "data", symlinks=True)
    environment = {
        "GAMELEDGER_DATA": str(data),
        "GAMELEDGER_CACHE": str(tmp_path / "cache"),
        "PATH": os.environ["PATH"],
    }
    program = [sys.executable, "-c", BUSY, "serve", "--listen", "127.0.0.1:0", "--json"]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with child(program, cwd=ROOT, env=environment, text=True, **pipes) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        said = json.loads(process.stdout.readline())
        place = said["address"].removeprefix("http://").rstrip("/")
        headers = {"Authorization": f"Bearer {said['token']}"}
        asking = []
        for path in SLOW_PATHS:
            connection = http.client.HTTPConnection(place, timeout=SECONDS_MAX)
            connection.request("GET", path, headers=headers)
            asking.append(connection)
        while "examining" not in process.stderr.readline():
            assert process.poll() is None
        reading = Thread(target=process.stderr.read, daemon=True)
        reading.start()
        health = http.client.HTTPConnection(place, timeout=SECONDS_MAX)
        health.request("GET", "/health")
        assert health.getresponse().status == HTTPStatus.OK
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE_SECONDS) == 0
        for connection in asking:
            connection.close()


ENDLESS = (
    "SELECT count() FROM reader_bet_placed AS a, reader_bet_placed AS b, reader_bet_placed AS c "
    "WHERE sipHash64(a.bet, b.bet, c.bet) = 1"
)
"""A question of minutes, which the SQL door ends after 20 seconds."""


@pytest.mark.slow
def test_a_client_that_hangs_up_ends_its_query(played: Path, tmp_path: Path) -> None:
    data = shutil.copytree(played, tmp_path / "data", symlinks=True)
    environment = {
        "GAMELEDGER_DATA": str(data),
        "GAMELEDGER_CACHE": str(tmp_path / "cache"),
        "PATH": os.environ["PATH"],
    }
    program = [sys.executable, "-m", "tools.cli", "serve", "--listen", "127.0.0.1:0", "--json"]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    with child(program, cwd=ROOT, env=environment, text=True, **pipes) as process:
        assert process.stdout is not None
        said = json.loads(process.stdout.readline())
        place = said["address"].removeprefix("http://").rstrip("/")
        headers = {"Authorization": f"Bearer {said['token']}"}
        path = f"/api/sql?{urlencode({'q': ENDLESS})}"
        used = partial(time.clock_gettime, (~process.pid << 3) | 2)  # of a process, by Linux
        askers = []
        for _ in range(4):  # as many as there are connections
            connection = http.client.HTTPConnection(place, timeout=SECONDS_MAX)
            connection.request("GET", path, headers=headers)
            askers.append(connection)
        before = used()
        while used() - before < 2:
            time.sleep(0.1)
        for connection in askers:
            connection.close()

        def is_idle() -> bool:
            before = used()
            time.sleep(0.5)
            return used() - before < 0.1

        until(is_idle)
        other = http.client.HTTPConnection(place, timeout=SECONDS_MAX)
        other.request("GET", "/api/sql?q=SELECT+count()+FROM+reader_bet_placed", headers=headers)
        assert other.getresponse().status == HTTPStatus.OK, "its connection answers the next one"


def test_a_connection_that_is_lost_is_known_to_what_works_for_it() -> None:
    begun, ended = Event(), Event()

    async def app(scope: Any, receive: Any, send: Any) -> None:
        del receive, send
        begun.set()
        await asyncio.to_thread(scope[GONE].wait, SECONDS_MAX)
        ended.set()

    with listening("127.0.0.1:0") as listener, in_thread(config_of(app), listener, "port"):
        with socket.create_connection(listener.getsockname()) as wire:
            wire.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert begun.wait(SECONDS_MAX)
        assert ended.wait(SECONDS_MAX)
