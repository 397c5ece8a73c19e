"""The client over HTTP: receipts, fail-over, and writers that are killed while it sends."""

from __future__ import annotations

import asyncio
import json
import random
import threading
import time
from contextlib import ExitStack, closing
from http.server import BaseHTTPRequestHandler, HTTPServer
from itertools import count
from typing import TYPE_CHECKING, Any

import pytest

from ledger.core.errors import AuthorizationError, AvailabilityError, InputError
from ledger.decisions.rounds.betting import PlaceBet
from ledger.log.sqlite import SqliteLog
from tests.search import amount
from tests.tools.cli_cases import answers, bet, command, run
from tests.tools.failover_cases import OneByOne, Pair, Sender, deposit, require_once
from tests.tools.writer_cases import ANY_PORT, free_port, serving
from tools.service.authentication import ClientAuthenticator
from tools.service.client import LedgerClient, Timeouts
from tools.service.http.serving import HttpListener

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ledger.writer import Receipt

PATIENCE = Timeouts(total=5.0)
KILLS = amount(2, 8)
SEED = 20261122
WINDOW = 20
NUMBERS = count()


@pytest.fixture
def url(studio: Path) -> Iterator[str]:
    with closing(HttpListener(ANY_PORT, ClientAuthenticator())) as http, serving(studio, http=http):
        yield http.url


def test_receipts_come_in_order_and_errors_as_in_the_process(url: str) -> None:
    with LedgerClient([url], patience=PATIENCE) as ledger:
        futures = [ledger.submit(deposit(f"d-{number}")) for number in range(700)]
        positions = [one.result().last_position for one in futures]
        assert positions == sorted(positions)
        refused = ledger.execute(
            PlaceBet(bet="q1-1", account="a-1", round="q1", bet_code="red", stake=10**9)
        )
        assert refused.refused is not None
        with pytest.raises(InputError, match="exists already"):
            ledger.execute(deposit("d-1"))
        with pytest.raises(InputError, match="commands only"):
            _ = ledger.head


def test_it_can_be_awaited_and_who_stops_waiting_takes_nothing_back(url: str) -> None:
    async def send(ledger: LedgerClient) -> list[Receipt]:
        given_up = asyncio.create_task(ledger.execute_async(deposit("d-0")))
        await asyncio.sleep(0)
        given_up.cancel()
        names = (f"d-{number}" for number in range(1, 50))
        return await asyncio.gather(*(ledger.execute_async(deposit(name)) for name in names))

    with LedgerClient([url], patience=PATIENCE) as ledger:
        receipts = asyncio.run(send(ledger))
        assert len({one.last_position for one in receipts}) == 49
        with pytest.raises(InputError, match="d-0 exists already"):
            ledger.execute(deposit("d-0"))


def test_it_passes_by_standbys_and_addresses_where_nobody_is(url: str) -> None:
    with closing(HttpListener(ANY_PORT, ClientAuthenticator())) as standby:
        addresses = [standby.url, f"http://127.0.0.1:{free_port()}", url]
        with LedgerClient(addresses, patience=PATIENCE) as ledger:
            assert ledger.execute(deposit("d-1")).refused is None
        with (
            LedgerClient([standby.url], patience=Timeouts(total=0.5)) as ledger,
            pytest.raises(AvailabilityError, match="does not lead"),
        ):
            ledger.execute(deposit("d-2"))


class Busy(BaseHTTPRequestHandler):
    """A writer that wants to be left alone for half a minute."""

    asked = 0

    def do_POST(self) -> None:
        type(self).asked += 1
        body = b'{"type": "urn:gameledger:problem:availability", "detail": "busy"}'
        self.send_response(503)
        self.send_header("Retry-After", "30")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def test_who_asks_for_time_is_left_alone_and_the_others_are_asked(url: str) -> None:
    with HTTPServer(("127.0.0.1", 0), Busy) as busy:
        threading.Thread(target=busy.serve_forever, daemon=True).start()
        addresses = [f"http://127.0.0.1:{busy.server_port}", f"http://127.0.0.1:{free_port()}"]
        patience = Timeouts(total=1.0, pause=0.01)
        with (
            LedgerClient(addresses, patience=patience) as ledger,
            pytest.raises(AvailabilityError),
        ):
            ledger.execute(deposit("d-1"))
        assert Busy.asked == 1
        with LedgerClient([addresses[0], url], patience=PATIENCE) as ledger:
            assert ledger.execute(deposit("d-2")).refused is None
        with LedgerClient(addresses[:1], patience=patience) as ledger:
            begun = time.monotonic()
            with pytest.raises(AvailabilityError, match="busy"):
                ledger.execute(deposit("d-3"))
            assert time.monotonic() - begun >= 1.0
        assert Busy.asked == 4, "once more when there is no more time to wait"
        busy.shutdown()


@pytest.mark.parametrize(
    "wrong",
    ["http://", "https://u:p@h:1", "https://h:1/x", "h", "http://[::1", "https://h:65536"],
)
def test_an_address_that_is_none_is_refused(wrong: str) -> None:
    with pytest.raises(InputError):
        LedgerClient([wrong])


@pytest.mark.parametrize("token", ["", "two\nlines", " kept", "žluť"])
def test_a_token_that_no_header_takes_is_refused_and_not_shown(url: str, token: str) -> None:
    with pytest.raises(InputError, match="--token-file") as refused:
        LedgerClient([url], token=token)
    assert not token or token not in str(refused.value)


def test_the_command_line_writes_over_http(url: str, studio: Path, tmp_path: Path) -> None:
    clients = tmp_path / "clients.toml"
    clients.write_text('[clients.x]\ntoken_sha256 = "' + "0" * 64 + '"\nroles = []\n', "utf-8")
    lines = [command("deposit", account="a-1", deposit="d9", amount=100, method="card-1"), bet(1)]
    done = run("--writers", url, "record", data=studio, lines=lines)
    assert [one["status"] for one in answers(done)] == ["recorded", "recorded"]
    with (
        closing(HttpListener(ANY_PORT, ClientAuthenticator(clients))) as guarded,
        ExitStack() as stack,
    ):
        other = tmp_path / "other"
        run("init", "--operator", "26493993", "--name", "T", "--chain", "t", data=other)
        stack.enter_context(serving(other, http=guarded))
        with (
            LedgerClient([guarded.url], token="no", patience=PATIENCE) as ledger,  # noqa: S106
            pytest.raises(AuthorizationError, match="not on the writer's list"),
        ):
            ledger.execute(deposit("d-1"))


@pytest.mark.slow
def test_killing_writers_loses_and_doubles_nothing_that_came_over_http(
    studio: Path, record_property: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    """Kill -9 the leader again and again while three clients send, each in its own way."""
    chance = random.Random(SEED)
    stop = threading.Event()
    with ExitStack() as stack:
        pair = Pair([studio, studio], stack)
        senders = [Sender(f"k{number}", pair.urls, stop) for number in range(2)]
        one = OneByOne("one", pair.urls, stop)
        senders.append(one)
        for kill in range(KILLS):
            stop.wait(chance.uniform(0.2, 1.0))
            pair.kill_leader(kill % 2)
        stop.set()
        for sender in senders:
            sender.join()
    acknowledged = {name: at for sender in senders for name, at in sender.acknowledged.items()}
    with closing(SqliteLog(studio, writable=False)) as log:
        require_once(log, acknowledged)
    assert len(one.acknowledged) > KILLS
    counts = {"kills": KILLS, "acknowledged": len(acknowledged), "sent_again": one.again}
    record_property("counts", json.dumps(counts))
    with capsys.disabled():
        print(f"\n{counts}")  # noqa: T201 - what it came to is to be seen
