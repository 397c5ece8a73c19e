"""The feed as a program: over real HTTP, signed, killed again and again."""

from __future__ import annotations

import base64
import json
import os
import signal
import subprocess
import sys
import time
from contextlib import ExitStack, closing
from datetime import UTC, datetime
from http import HTTPStatus
from random import Random
from threading import Event
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from docs.examples.aurora_evening import evening
from ledger.core.clock import SystemClock
from ledger.decisions.decider import decode_command
from ledger.events.encoding import decode
from ledger.log.sqlite import SqliteLog
from ledger.verification.verify import verify
from tests.search import amount
from tests.tools.cli_cases import ROOT, started
from tests.tools.feed_cases import PLAYERS, SECRET, TABLES, adapter, house, not_followed, unmapped
from tests.tools.writer_cases import ANY_PORT, SECONDS_MAX, free_port, serving
from tools.data import DataDirectory
from tools.feed import server as feed_server
from tools.feed.server import PATH, Intake
from tools.feed.spool import Spool
from tools.service.address import listening
from tools.service.authentication import ClientAuthenticator
from tools.service.http.serving import HttpListener
from tools.web import serving as web_serving
from tools.web.webhooks import headers_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

EXAMPLES = ROOT / "docs/examples"
KILLS = amount(2, 5)
ROUNDS = 8
SEED = 20261122


@pytest.fixture
def port(tmp_path: Path) -> Iterator[tuple[Any, httpx.Client]]:
    """An adapter over a ledger in memory, and a client at its port."""
    with adapter(tmp_path) as one, ExitStack() as stack:
        intake = Intake(one.spool, one.provider, [SECRET], SystemClock(), Event())
        address = f"127.0.0.1:{free_port()}"
        listener = stack.enter_context(listening(address))
        stack.enter_context(feed_server.serving(intake, listener))
        url = f"http://{address}"
        yield one, stack.enter_context(httpx.Client(base_url=url, timeout=SECONDS_MAX))


def signed(message: Any, body: bytes | None = None) -> dict[str, Any]:
    headers = headers_of(message.identifier, message.body, secret=SECRET, at=SystemClock().now())
    return {"headers": headers, "content": message.body if body is None else body}


def test_a_message_is_acknowledged_once_it_is_stored(port: tuple[Any, httpx.Client]) -> None:
    one, client = port
    (message, *_), _ = evening(seed=1, tables=dict(PLAYERS), rounds=1, at=datetime.now(UTC))
    for _ in range(2):
        assert client.post(PATH, **signed(message)).status_code == HTTPStatus.ACCEPTED
        assert one.spool.waiting() == 1
    changed = client.post(PATH, **signed(message, message.body + b" "))
    assert (changed.status_code, one.spool.waiting()) == (HTTPStatus.UNAUTHORIZED, 1)
    assert changed.json()["type"] == "urn:gameledger:problem:authorization"
    assert client.post(PATH, content=message.body).status_code == HTTPStatus.UNAUTHORIZED
    assert client.get("/health").status_code == HTTPStatus.OK
    assert client.get(PATH).status_code == HTTPStatus.METHOD_NOT_ALLOWED


def test_bodies_too_large_and_a_full_spool_are_refused(
    port: tuple[Any, httpx.Client], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, client = port
    large = b"x" * (feed_server.BODY_BYTES_MAX + 1)
    for content in (large, iter([large[:100]] * 1_000)):
        answer = client.post(PATH, content=content)
        assert answer.status_code == HTTPStatus.REQUEST_ENTITY_TOO_LARGE
    monkeypatch.setattr(feed_server, "WAITING_MAX", 0)
    (message, *_), _ = evening(seed=1, tables=dict(PLAYERS), rounds=1, at=datetime.now(UTC))
    full = client.post(PATH, **signed(message))
    assert full.status_code == HTTPStatus.SERVICE_UNAVAILABLE
    assert full.headers["Retry-After"]
    assert one.spool.waiting() == 0


def test_a_body_that_is_slow_ends_in_time(
    port: tuple[Any, httpx.Client], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(web_serving, "BODY_SECONDS", 0.2)
    done = Event()

    def slowly() -> Iterator[bytes]:
        yield b"{"
        done.wait(5)

    assert port[1].post(PATH, content=slowly()).status_code == HTTPStatus.REQUEST_TIMEOUT
    done.set()


class Program:
    """``gameledger feed``, which can be killed and begun anew."""

    def __init__(self, folder: Path, url: str) -> None:
        self.url = f"http://127.0.0.1:{(port := free_port())}"
        self._folder, self._writer = folder, url
        (folder / "secret").write_text(
            "whsec_" + base64.b64encode(SECRET).decode(), encoding="ascii"
        )
        (folder / "secret").chmod(0o600)
        tables = "".join(f'{name} = "{ours}"\n' for name, ours in TABLES.items())
        (folder / "feed.toml").write_text(
            f'provider = "{EXAMPLES}/aurora.py:Aurora"\nname = "aurora"\n'
            'secrets = ["secret"]\nspool = "spool.sqlite"\n'
            f'listen = "127.0.0.1:{port}"\n[tables]\n{tables}',
            encoding="utf-8",
        )
        self.start()

    def start(self) -> None:
        self.process = started(
            "feed",
            str(self._folder / "feed.toml"),
            data=self._folder / "none",
            environment={"GAMELEDGER_WRITERS": self._writer},
        )

    def wait_until_it_answers(self) -> None:
        """Wait for whoever was begun last; only then a signal asks it to end."""
        end = time.monotonic() + SECONDS_MAX
        while True:
            try:
                httpx.get(self.url)
            except httpx.TransportError:
                assert time.monotonic() < end
                time.sleep(0.05)
            else:
                return

    def kill(self) -> None:
        self.process.kill()
        self.process.wait(SECONDS_MAX)
        self.process.close()

    def simulated(self, *more: str) -> subprocess.Popen[bytes]:
        """Start the provider."""
        tables = [f"--table={name}={','.join(players)}" for name, players in PLAYERS.items()]
        return subprocess.Popen(  # noqa: S603 - our own program
            [
                *(sys.executable, str(EXAMPLES / "aurora_evening.py"), f"{self.url}{PATH}"),
                *("--secret", str(self._folder / "secret"), *tables, *more),
            ],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            env={"PATH": os.environ["PATH"]},
        )


def _wait_until_followed(path: Path) -> None:
    with closing(Spool(path)) as spool:
        end = time.monotonic() + SECONDS_MAX
        while spool.waiting() or spool.aside():
            assert time.monotonic() < end
            time.sleep(0.05)


@pytest.mark.slow
def test_a_killed_adapter_loses_and_doubles_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Kill -9 the adapter again and again while the provider sends, out of order and doubled."""
    data = tmp_path / "data"
    with DataDirectory(data).create(
        operator="26493993", operator_name="SAZKA a.s.", chain="feed"
    ) as ledger:
        for line in house():
            assert ledger.execute(decode_command(json.dumps(line))).refused is None
        begun = ledger.head.size
    chance = Random(SEED)
    with closing(HttpListener(ANY_PORT, ClientAuthenticator())) as http, serving(data, http=http):
        program = Program(tmp_path, http.url)
        provider = program.simulated("--faults", f"--rounds={ROUNDS}", f"--seed={SEED}")
        for _ in range(KILLS):
            time.sleep(chance.uniform(0.1, 0.6))
            program.kill()
            program.start()
        out, _ = provider.communicate(timeout=SECONDS_MAX)
        assert provider.returncode == 0
        _wait_until_followed(tmp_path / "spool.sqlite")
        program.wait_until_it_answers()
        program.process.send_signal(signal.SIGTERM)
        assert program.process.wait(SECONDS_MAX) == 0
        program.process.close()
    sent = evening(
        seed=SEED, tables=dict(PLAYERS), rounds=ROUNDS, at=datetime.now(UTC), faults=True
    )
    expected = [message for messages in sent for message in messages]
    with closing(SqliteLog(data, writable=False)) as log:
        verify(log.read())
        events = [decode(body) for _, body in log.read(begun)]
    told = unmapped(events)
    assert {message for message, _ in told} == not_followed(expected)
    assert set(told.values()) == {1}
    bets = [one.event.bet for one in events if type(one.event).__name__ == "BetPlaced"]
    assert len(bets) == len(set(bets)) > ROUNDS
    with capsys.disabled():
        print(f"\n{KILLS} kills, {json.loads(out)}, {len(told)} not followed")  # noqa: T201
