"""Every server of ours refuses a request that another reader could end elsewhere."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from threading import Event
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

import pytest

from ledger.core.clock import SystemClock
from ledger.core.errors import InputError
from tests.children import child
from tests.tools.cli_cases import ROOT
from tests.tools.feed_cases import adapter
from tests.tools.framing_cases import AMBIGUOUS, require_closed_unread, require_refused
from tests.tools.witness_cases import House
from tools.feed import server as feed_server
from tools.feed.server import Intake
from tools.service.address import Address, listening
from tools.service.authentication import ClientAuthenticator
from tools.service.http.serving import HttpListener
from tools.web.framing import fault_of
from tools.web.hosts import VARIABLE, allowed_hosts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

SECONDS_MAX = 60
SECRET = b"s" * 32
ANY_PORT = Address("127.0.0.1", 0)
ALLOWED = "ledger.example"
PLACES_MAX = 260
"""More than any server here has connections; the writer, which has more, admits a client first."""


class Served(NamedTuple):
    """A server: how to connect to it, and a path that reads a body and needs no right to it."""

    connect: Callable[[], socket.socket]
    path: str


def connecting(place: tuple[str, int]) -> Callable[[], socket.socket]:
    return partial(socket.create_connection, place, SECONDS_MAX)


@contextmanager
def read_only_service(folder: Path) -> Iterator[Served]:
    data = folder / "data"
    environment = {"GAMELEDGER_DATA": str(data), "PATH": os.environ["PATH"]}
    environment["GAMELEDGER_CACHE"] = str(folder / "cache")
    program = [sys.executable, "-m", "tools.cli"]
    begin = [*program, "init", "--operator", "26493993", "--name", "Test", "--chain", "test"]
    more = {"cwd": ROOT, "env": environment}
    subprocess.run(begin, check=True, capture_output=True, **more)  # type: ignore[call-overload]  # noqa: S603 - ours
    serve = [*program, "--allow-host", ALLOWED, "serve", "--listen", "127.0.0.1:0", "--json"]
    with child(serve, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, **more) as process:
        assert process.stdout is not None
        place = urlsplit(json.loads(process.stdout.readline())["address"])
        yield Served(connecting((str(place.hostname), int(place.port or 0))), "/sign-in")


@contextmanager
def writer(_: Path) -> Iterator[Served]:
    door = HttpListener(ANY_PORT, ClientAuthenticator())
    try:
        yield Served(connecting((door.address.host, door.address.port)), "/v1/commands")
    finally:
        door.close()


@contextmanager
def feed(folder: Path) -> Iterator[Served]:
    with adapter(folder) as one, listening("127.0.0.1:0") as listener:
        intake = Intake(one.spool, one.provider, [SECRET], SystemClock(), Event())
        with feed_server.serving(intake, listener):
            yield Served(connecting(listener.getsockname()), feed_server.PATH)


@contextmanager
def witness(folder: Path) -> Iterator[Served]:
    with House(folder / "witness").serving() as url:
        place = urlsplit(url)
        yield Served(connecting((str(place.hostname), int(place.port or 0))), "/add-checkpoint")


SERVERS = {"service": read_only_service, "writer": writer, "feed": feed, "witness": witness}
"""The fifth, for the authority, is in ``tests/tools/delivery``, as it wants certificates."""


@pytest.fixture(scope="module", params=SERVERS)
def served(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Served]:
    with SERVERS[request.param](tmp_path_factory.mktemp(request.param)) as found:
        yield found


@pytest.mark.parametrize("fields", AMBIGUOUS.values(), ids=AMBIGUOUS.keys())
def test_a_request_that_can_be_read_in_two_ways_is_refused_on_every_path(
    served: Served, fields: bytes
) -> None:
    for path in (served.path, "/nothing", "/health"):
        require_refused(served.connect, path, fields)


def test_an_answer_before_the_body_was_read_closes_the_connection(served: Served) -> None:
    require_closed_unread(served.connect, "/nothing")


def test_half_bodies_as_many_as_there_are_places_keep_no_reader_out(served: Served) -> None:
    head = (
        f"POST {served.path} HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\n"
        "Content-Type: application/x-www-form-urlencoded\r\n"
    )
    with ExitStack() as stack:
        for number in range(PLACES_MAX):
            wire = stack.enter_context(served.connect())
            framing = ("Content-Length: 99", "Transfer-Encoding: chunked")[number % 2]
            wire.sendall(f"{head}{framing}\r\n\r\n".encode())
            assert wire.recv(1 << 12), "its body is read, or it is answered"
            with suppress(OSError):
                wire.sendall(b"1\r\n{")
        for _ in range(3):
            assert answered(served, "GET", "/health", "Host: localhost") in {200, 404}


def test_a_head_is_judged_once_it_is_whole() -> None:
    head = b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\n"
    for length in range(len(head)):
        assert not fault_of(head[:length])
    assert "twice" in fault_of(head)
    assert not fault_of(b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\n\r\n")
    assert not fault_of(b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n")


def answered(served: Served, method: str, path: str, *headers: str) -> int:
    """Ask, and return the status; 0 where nothing came back."""
    head = "".join(f"{line}\r\n" for line in headers)
    length = "" if method == "GET" else "Content-Length: 0\r\n"
    with served.connect() as wire:
        wire.sendall(
            f"{method} {path} HTTP/1.1\r\n{head}{length}Connection: close\r\n\r\n".encode()
        )
        found = wire.makefile("rb").readline().split()
    return int(found[1]) if len(found) > 1 else 0


MISDIRECTED, FORBIDDEN = 421, 403


@pytest.mark.parametrize(
    "host",
    ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "10.0.0.1", "[::2]"],
)
def test_another_name_that_leads_to_this_machine_is_refused(served: Served, host: str) -> None:
    for name in (host, f"{host}:80", host.upper()):
        for method, path in (("GET", "/health"), ("GET", "/nothing"), ("POST", served.path)):
            assert answered(served, method, path, f"Host: {name}") == MISDIRECTED


@pytest.mark.parametrize(
    "host", ["localhost", "LOCALHOST:1", "127.0.0.1", "127.0.0.2:99", "[::1]:5", "localhost."]
)
def test_names_of_this_machine_are_answered(served: Served, host: str) -> None:
    assert answered(served, "GET", "/health", f"Host: {host}") not in {0, MISDIRECTED, FORBIDDEN}


@pytest.mark.parametrize(
    ("headers", "is_taken"),
    [
        (["Sec-Fetch-Site: cross-site"], False),
        (["Sec-Fetch-Site: same-site"], False),
        (["Sec-Fetch-Site: same-origin"], True),
        (["Sec-Fetch-Site: none"], True),
        (["Sec-Fetch-Site: cross-site", "Origin: http://localhost"], False),
        (["Origin: https://evil.example"], False),
        (["Origin: null"], False),
        (["Origin: http://localhost:81"], False),
        (["Origin: http://localhost"], True),
        ([], True),
    ],
)
def test_what_another_site_sends_is_refused(
    served: Served, headers: list[str], is_taken: bool
) -> None:
    status = answered(served, "POST", served.path, "Host: localhost", *headers)
    assert (status != FORBIDDEN) is is_taken
    assert answered(served, "GET", "/health", "Host: localhost", *headers) != FORBIDDEN


def test_a_name_is_allowed_by_the_operator(tmp_path: Path) -> None:
    with read_only_service(tmp_path) as served:
        assert answered(served, "GET", "/health", f"Host: {ALLOWED}:8443") != MISDIRECTED
        assert answered(served, "GET", "/health", "Host: evil.example") == MISDIRECTED


def test_names_of_hosts_are_read_from_a_list() -> None:
    allowed = allowed_hosts({VARIABLE: " ledger.example, Other.example"})
    assert allowed == {"ledger.example", "other.example"}
    for wrong in ("ledger.example:80", "https://ledger.example", "a b"):
        with pytest.raises(InputError, match="is no name of a host"):
            allowed_hosts({VARIABLE: wrong})
