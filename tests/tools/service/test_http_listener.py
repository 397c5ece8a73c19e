"""Commands over HTTP: what is answered to right ones, wrong ones, and to those who may not."""

from __future__ import annotations

import contextlib
import json
import re
import secrets
import shutil
import socket
import ssl
import threading
from concurrent.futures import Future
from contextlib import ExitStack, closing, suppress
from hashlib import sha256
from itertools import count
from time import process_time
from typing import TYPE_CHECKING, Any
from uuid import UUID, uuid4

import httpx
import pytest

from ledger.core.errors import AvailabilityError, FencedError, IntegrityError
from ledger.events.encoding import decode_envelope
from ledger.log.sqlite import SqliteLog
from tests.tools.cli_cases import bet, command
from tests.tools.writer_cases import ANY_PORT, SECONDS_MAX, ask, is_ended, serving, socket_of
from tools.practice.certificates import write_practice_certificates
from tools.service.authentication import ClientAuthenticator
from tools.service.http.serving import HttpListener
from tools.service.limits import Limits
from tools.service.lines import LINE_BYTES_MAX
from tools.service.tls import TlsFiles

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

COMMANDS = "/v1/commands"
NUMBERS = count()
NDJSON = {"Content-Type": "application/x-ndjson"}
POST = b"POST /v1/commands HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/%b\r\n"
STREAM = POST % b"x-ndjson"
CHUNKED_END = b"0\r\n\r\n"
BRISK = Limits(line_seconds=0.4, idle_seconds=0.8, send_seconds=0.6, linger_seconds=0.2)
CAGE, STRANGER = "cage.example.cz", "stranger.example.cz"
TOKEN = secrets.token_urlsafe(32)
LIST = f"""
[clients.cage-1]
certificate = "{CAGE}"
token_sha256 = "{sha256(TOKEN.encode()).hexdigest()}"
roles = ["cage"]
"""


class Listeners:
    """A writer with both listeners in this process."""

    def __init__(
        self,
        data: Path,
        stack: ExitStack,
        *,
        authenticator: ClientAuthenticator | None = None,
        limits: Limits | None = None,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self.data, self.notified = data, list[dict[str, Any]]()
        authenticator, limits = authenticator or ClientAuthenticator(), limits or Limits()
        self.http = HttpListener(ANY_PORT, authenticator, limits)
        stack.callback(self.http.close)
        settings = {"authenticator": authenticator, "notify": self._notify}
        self.server, self.ledger, self.stop = stack.enter_context(
            serving(data, limits=limits, http=self.http, **settings)
        )
        self.client = stack.enter_context(
            httpx.Client(base_url=self.http.url, timeout=SECONDS_MAX, verify=tls or False)
        )

    def _notify(self, state: str, **facts: Any) -> None:
        self.notified.append({"state": state, **facts})

    def send(self, document: Any, **headers: str) -> httpx.Response:
        """Send one command."""
        return self.client.post(COMMANDS, json=document, headers=headers)

    def stream(self, *lines: Any) -> list[dict[str, Any]]:
        """Send many and return the answers."""
        text = "".join(f"{one if isinstance(one, str) else json.dumps(one)}\n" for one in lines)
        found = self.client.post(COMMANDS, content=text, headers=NDJSON)
        assert found.status_code == httpx.codes.OK
        assert found.headers["content-type"] == NDJSON["Content-Type"]
        return [json.loads(line) for line in found.text.splitlines()]

    def raw(self, *parts: bytes) -> bytes:
        """Send bytes and return all that is answered before the other end hangs up."""
        with socket.create_connection(self.http.address[:2], SECONDS_MAX) as connection:
            for part in parts:
                connection.sendall(part)
            found = b""
            while part := connection.recv(1 << 16):
                found += part
            return found


@pytest.fixture(scope="module")
def listeners(studio_once: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Listeners]:
    """One for all tests that leave it as it is."""
    data = shutil.copytree(studio_once, tmp_path_factory.mktemp("listeners") / "data")
    with ExitStack() as stack:
        yield Listeners(data, stack)


@pytest.fixture
def alone(studio: Path) -> Iterator[Listeners]:
    with ExitStack() as stack:
        yield Listeners(studio, stack)


@pytest.fixture
def brisk(studio: Path) -> Iterator[Listeners]:
    """One with little patience."""
    with ExitStack() as stack:
        yield Listeners(studio, stack, limits=BRISK)


def deposit(**more: Any) -> dict[str, Any]:
    """Return a deposit that nobody made before."""
    name = f"d-{next(NUMBERS)}"
    return command("deposit", account="a-1", deposit=name, amount=100, method="card-1", **more)


def chunk(content: bytes) -> bytes:
    return b"%x\r\n%b\r\n" % (len(content), content)


def problem(found: httpx.Response, status: int, kind: str) -> str:
    """Require a problem document and return its detail."""
    assert (found.status_code, found.headers["content-type"]) == (
        status,
        "application/problem+json",
    ), found.text
    document = found.json()
    assert (document["type"], document["status"]) == (f"urn:gameledger:problem:{kind}", status)
    return str(document["detail"])


def test_a_command_is_recorded_and_a_repeat_gets_the_first_answer(listeners: Listeners) -> None:
    key, line = str(uuid4()), deposit()
    first = listeners.send(line, **{"Idempotency-Key": key})
    assert first.status_code == httpx.codes.CREATED
    receipt = first.json()
    assert (receipt["status"], receipt["command_id"]) == ("recorded", key)
    size = listeners.ledger.head.size
    quoted = {"Idempotency-Key": f'"{key}"'}
    for again in (
        listeners.send(line, **quoted),
        listeners.send(line | {"command_id": key}),
        listeners.send(line | {"command_id": key}, **quoted),
    ):
        assert (again.status_code, again.json()) == (httpx.codes.CREATED, receipt)
    assert listeners.ledger.head.size == size
    other = listeners.send(deposit(), **{"Idempotency-Key": key})
    assert "other content" in problem(other, 400, "input")


def test_both_doors_give_the_same_answer(listeners: Listeners) -> None:
    line = deposit(command_id=str(uuid4()))
    (at_socket,) = ask(socket_of(listeners.server), line)
    assert listeners.send(line).json() == {k: v for k, v in at_socket.items() if k != "line"}
    assert listeners.stream(line) == [at_socket]


def test_a_refusal_is_a_decision(listeners: Listeners) -> None:
    found = listeners.send(bet(1, stake=10**9))
    assert (found.status_code, found.json()["status"]) == (httpx.codes.OK, "refused")
    assert set(found.json()["refused"]) == {"code", "sentence", "paragraph", "parameters"}


def test_many_are_answered_in_order_while_they_come(listeners: Listeners) -> None:
    """Each line is sent when the one before is answered, over one request."""
    with socket.create_connection(listeners.http.address[:2], SECONDS_MAX) as connection:
        connection.sendall(STREAM + b"Transfer-Encoding: chunked\r\n\r\n")
        stream = connection.makefile("rb")
        while stream.readline() != b"\r\n":
            pass
        numbers = []
        for _ in range(3):
            connection.sendall(chunk(json.dumps(deposit()).encode() + b"\n\n"))
            size = int(stream.readline(), 16)
            numbers.append(json.loads(stream.read(size + 2))["line"])
        connection.sendall(chunk(b""))
        assert (numbers, stream.readline()) == ([1, 3, 5], b"0\r\n")


def test_wrong_lines_are_answered_and_stop_nobody(listeners: Listeners) -> None:
    answers = listeners.stream(
        deposit(), "nonsense", deposit() | {"amount": 0}, "", "x" * (LINE_BYTES_MAX + 1), deposit()
    )
    assert [(one["line"], one["status"]) for one in answers] == [
        (1, "recorded"),
        (2, "error"),
        (3, "error"),
        (5, "error"),
        (6, "recorded"),
    ]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "not a JSON object"),
        (b'{"command": "place_bet", "selection": ' + b"[" * 99_999, "deeply"),
        (b"\xff{}", "not a JSON object"),
        (json.dumps(deposit(amont=1)), "unknown field `amont`"),
        (json.dumps(deposit() | {"amount": 10**16}), "amount"),
        (json.dumps(deposit() | {"amount": 1e400}).replace("Infinity", "1e400"), "amount"),
        (json.dumps(deposit() | {"amount": 1.5}), "amount"),
        (json.dumps({"command": "hack"}), "no command 'hack'"),
        (json.dumps(deposit(command_id="x")), "command_id"),
        (json.dumps(deposit())[:-1] + ', "amount": 20}', 'the key "amount" twice'),
    ],
)
def test_what_cant_be_decided_is_a_bad_request(
    listeners: Listeners, content: str | bytes, says: str
) -> None:
    size = listeners.ledger.head.size
    headers = {"Content-Type": "application/json"}
    found = listeners.client.post(COMMANDS, content=content, headers=headers)
    assert says in problem(found, 400, "input")
    assert listeners.ledger.head.size == size


def test_a_key_is_the_commands_own(listeners: Listeners) -> None:
    key = {"Idempotency-Key": str(uuid4())}
    assert "UUID" in problem(listeners.send(deposit(), **{"Idempotency-Key": "7"}), 400, "input")
    found = listeners.send(deposit(command_id=str(uuid4())), **key)
    assert "give one of them" in problem(found, 400, "input")
    found = listeners.client.post(COMMANDS, content=b"", headers=NDJSON | key)
    assert "each line" in problem(found, 400, "input")


@pytest.mark.parametrize("name", ["Idempotency-Key", "Content-Type", "Authorization"])
def test_a_header_that_says_two_things_decides_nothing(listeners: Listeners, name: str) -> None:
    """Readers don't agree about which one counts: one key more would decide a bet once more."""
    size = listeners.ledger.head.size
    values = {
        "Idempotency-Key": [str(uuid4()), str(uuid4())],
        "Content-Type": ["application/x-ndjson", "application/json"],
        "Authorization": ["Bearer a", "Bearer b"],
    }
    single = {"Content-Type": "application/json"}
    single.pop(name, None)
    headers = [*single.items(), *((name, value) for value in values[name])]
    found = listeners.client.post(COMMANDS, content=json.dumps(deposit()), headers=headers)
    assert f"{name} is given twice" in problem(found, 400, "http")
    assert listeners.ledger.head.size == size


@pytest.mark.parametrize(
    "headers",
    [
        {"Content-Type": "text/plain"},
        {"Content-Type": "application/x-www-form-urlencoded"},
        {"Content-Type": "application/json; charset=latin-1"},
        {"Content-Type": "application/json", "Content-Encoding": "gzip"},
        {"Content-Type": ""},
    ],
)
def test_another_media_type_is_refused(listeners: Listeners, headers: dict[str, str]) -> None:
    found = listeners.client.post(COMMANDS, content=b"{}", headers=headers)
    assert "application/json" in problem(found, 415, "media-type")


def test_addresses_and_methods_that_are_not_there(listeners: Listeners) -> None:
    problem(listeners.client.get("/"), 404, "address")
    found = listeners.client.get(COMMANDS)
    assert (problem(found, 405, "method"), found.headers["allow"]) == ("ask with POST", "POST")
    assert listeners.client.get("/ready").text == "ready\n"
    assert listeners.client.get("/openapi.json").json()["openapi"] == "3.1.0"


def test_a_body_too_large_is_refused_however_it_comes(listeners: Listeners) -> None:
    large = b" " * (LINE_BYTES_MAX + 1)
    headers = {"Content-Type": "application/json"}
    problem(listeners.client.post(COMMANDS, content=large, headers=headers), 413, "too-large")
    chunks = (large[:65_536] for _ in range(20))
    problem(listeners.client.post(COMMANDS, content=chunks, headers=headers), 413, "too-large")
    assert listeners.send(deposit()).status_code == httpx.codes.CREATED


def test_slow_and_broken_bodies_end_in_time(brisk: Listeners) -> None:
    length, chunked = (
        b"Content-Length: 99\r\n\r\n{",
        b"Transfer-Encoding: chunked\r\n\r\n" + chunk(b"{"),
    )
    assert b" 408 " in brisk.raw(POST % b"json", length)
    assert b" 408 " in brisk.raw(POST % b"json", chunked)
    assert b'"line":0' in brisk.raw(POST % b"x-ndjson", chunked)
    assert b'"line":0' in brisk.raw(POST % b"x-ndjson", b"Transfer-Encoding: chunked\r\n\r\n")
    assert brisk.raw(b"POST /v1/comm") == b""
    broken = brisk.raw(POST % b"json", b"Transfer-Encoding: chunked\r\n\r\nxyz\r\n")
    assert b" 400 " in broken
    smuggled = b"Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
    assert b" 400 " in brisk.raw(POST % b"json", smuggled)
    assert b" 400 " in brisk.raw(b"\x16\x03\x01 what is this\r\n\r\n")
    assert brisk.send(deposit()).status_code == httpx.codes.CREATED


def test_bodies_that_are_cut_decide_nothing_and_disturb_nobody(listeners: Listeners) -> None:
    size = listeners.ledger.head.size
    line = json.dumps(deposit()).encode()
    for kind in (b"json", b"x-ndjson"):
        for sent in (
            b"Content-Length: %d\r\n\r\n" % len(line) + line[:-1],
            b"Transfer-Encoding: chunked\r\n\r\n" + chunk(line)[:-5],
            b"Transfer-Encoding: chunked\r\n\r\n" + chunk(line[:-1]),
        ):
            with socket.create_connection(listeners.http.address[:2], SECONDS_MAX) as connection:
                connection.sendall(POST % kind + sent)
                connection.shutdown(socket.SHUT_WR)
                while connection.recv(1 << 16):
                    pass
    assert listeners.ledger.head.size == size
    assert listeners.send(deposit()).status_code == httpx.codes.CREATED


def test_bodies_chunked_to_death_are_bounded(listeners: Listeners) -> None:
    """Byte by byte is slow to send and quick to read; what has no end of its own is refused."""
    chunked = b"Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
    one = json.dumps(deposit()).encode() + b" " * 50_000
    begun = process_time()
    found = listeners.raw(
        POST % b"json",
        chunked,
        b"".join(chunk(one[at : at + 1]) for at in range(len(one))),
        CHUNKED_END,
    )
    assert b" 201 " in found
    lines = b"".join(json.dumps(deposit()).encode() + b" " * 50_000 + b"\n" for _ in range(2))
    found = listeners.raw(
        POST % b"x-ndjson",
        chunked,
        b"".join(chunk(lines[at : at + 1]) for at in range(len(lines))),
        CHUNKED_END,
    )
    assert found.count(b'"status":"recorded"') == 2
    assert process_time() - begun < SECONDS_MAX / 4
    for endless in (
        b"1;" + b"x" * 100_000,
        b"0" * 100_000,
        b"-1\r\n",
        CHUNKED_END[:-2] + b"X: y\r\n" * 20_000,
    ):
        with suppress(OSError):  # it may hang up before all was sent
            assert b" 400 " in listeners.raw(POST % b"json", chunked, endless)
    assert listeners.send(deposit()).status_code == httpx.codes.CREATED


def test_headers_that_are_too_many_or_too_long_are_refused(listeners: Listeners) -> None:
    for more in (b"X: " + b"y" * 100_000, b"X: y\r\n" * 20_000):
        with suppress(OSError):  # it may hang up before all was sent
            assert b" 400 " in listeners.raw(POST % b"json", more, b"\r\n\r\n")


def test_requests_sent_ahead_are_answered_in_order(listeners: Listeners) -> None:
    lines = [json.dumps(deposit()).encode() for _ in range(200)]
    ahead = b"".join(
        POST % b"json" + b"Content-Length: %d\r\n\r\n" % len(one) + one for one in lines
    )
    last = b"GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    found = listeners.raw(ahead, last)
    positions = [int(one) for one in re.findall(rb'"last_position":(\d+)', found)]
    assert len(positions) == 200
    assert positions == sorted(positions)
    assert found.endswith(b"alive\n")


def test_who_reads_no_answers_is_cut_off_and_all_that_was_taken_is_decided(
    brisk: Listeners,
) -> None:
    """The answers are larger than what system and server hold for one connection."""
    line = deposit(command_id=str(UUID(int=7)), source="x" * 200)
    body = (json.dumps(line) + "\n").encode() * 60_000
    with socket.socket() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.settimeout(SECONDS_MAX)
        connection.connect(brisk.http.address[:2])
        with pytest.raises(OSError):  # noqa: PT011 - reset or broken pipe, as the system likes
            connection.sendall(STREAM + b"Content-Length: %d\r\n\r\n" % len(body) + body)
    assert brisk.send(line).status_code == httpx.codes.CREATED


def test_too_many_requests_of_one_client_and_of_all(studio: Path) -> None:
    few = Limits(client_requests=1, requests=2)
    with ExitStack() as stack:
        listeners = Listeners(studio, stack, limits=few)
        held, begun = Future[Any](), threading.Event()

        def submit(_: Any, **_more: Any) -> Future[Any]:
            begun.set()
            return held

        stack.enter_context(pytest.MonkeyPatch.context()).setattr(
            listeners.ledger, "submit", submit
        )
        first = threading.Thread(target=listeners.send, args=(deposit(),))
        first.start()
        assert begun.wait(SECONDS_MAX)
        found = listeners.send(deposit())
        problem(found, 429, "availability")
        assert found.headers["retry-after"] == "2"
        held.set_exception(IntegrityError("made up"))
        first.join()


def test_a_line_has_its_time_also_where_the_one_before_waited_for_room(studio: Path) -> None:
    """The client is not slow: each line comes whole before the next is asked for."""
    held, is_read, never = Future[Any](), threading.Event(), threading.Event()
    with ExitStack() as stack:
        listeners = Listeners(studio, stack, limits=Limits(lines=1, line_seconds=1.5))
        into_ledger, receipts = listeners.ledger.submit, list[Future[Any]]()

        def submit(one: Any, **more: Any) -> Future[Any]:
            receipts.append(into_ledger(one, **more))
            is_read.set()
            return receipts[-1] if len(receipts) > 1 else held

        def cut_within_lines() -> Iterator[bytes]:
            first, second, third = (f"{json.dumps(deposit())}\n".encode() for _ in range(3))
            yield first + second[:9]
            assert is_read.wait(SECONDS_MAX)
            yield second[9:] + third[:9]
            never.wait(1.0)
            held.set_result(receipts[0].result())
            never.wait(1.0)
            yield third[9:]

        stack.enter_context(pytest.MonkeyPatch.context()).setattr(
            listeners.ledger, "submit", submit
        )
        found = listeners.client.post(COMMANDS, content=cut_within_lines(), headers=NDJSON)
        answers = [json.loads(line) for line in found.text.splitlines()]
    assert [(one["line"], one["status"]) for one in answers] == [
        (number, "recorded") for number in (1, 2, 3)
    ]


def test_a_line_that_does_not_end_takes_no_receipt_along(studio: Path) -> None:
    """The one before it is decided only after the request was given up."""
    held, is_read, never = Future[Any](), threading.Event(), threading.Event()
    with ExitStack() as stack:
        listeners = Listeners(studio, stack, limits=Limits(line_seconds=0.2))
        into_ledger, receipts = listeners.ledger.submit, list[Future[Any]]()

        def submit(one: Any, **more: Any) -> Future[Any]:
            receipts.append(into_ledger(one, **more))
            is_read.set()
            return held

        def stall_within_a_line() -> Iterator[bytes]:
            first, second = (f"{json.dumps(deposit())}\n".encode() for _ in range(2))
            yield first + second[:9]
            assert is_read.wait(SECONDS_MAX)
            never.wait(0.6)
            held.set_result(receipts[0].result())
            never.wait(0.3)

        stack.enter_context(pytest.MonkeyPatch.context()).setattr(
            listeners.ledger, "submit", submit
        )
        found = listeners.client.post(COMMANDS, content=stall_within_a_line(), headers=NDJSON)
        answers = [json.loads(line) for line in found.text.splitlines()]
    assert [(one["line"], one["status"]) for one in answers] == [(1, "recorded"), (0, "error")]
    assert "did not end in time" in answers[1]["text"]


def test_a_body_bound_of_all_together(studio: Path) -> None:
    with ExitStack() as stack:
        listeners = Listeners(studio, stack, limits=Limits(body_bytes=50))
        found = listeners.send(deposit())
        problem(found, 503, "availability")
        assert found.headers["retry-after"] == "2"


@pytest.mark.parametrize(
    ("error", "status", "again"),
    [(FencedError("another leads"), 503, "2"), (IntegrityError("damaged"), 500, None)],
)
def test_a_ledger_that_is_over_says_so_and_ends_the_service(
    alone: Listeners, monkeypatch: pytest.MonkeyPatch, error: Any, status: int, again: str | None
) -> None:
    broken = Future[Any]()
    broken.set_exception(error)
    monkeypatch.setattr(alone.ledger, "submit", lambda _, **_more: broken)
    found = alone.send(deposit())
    assert problem(found, status, error.kind) == str(error)
    assert found.headers.get("retry-after") == again
    assert alone.stop.error is error


def test_a_ledger_that_can_not_go_on_ends_the_service(
    alone: Listeners, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else it would lead for ever, answer every command so, and no standby would take over."""

    def failing(_: object) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(alone.ledger._log, "append", failing)
    assert "start new thread" in problem(alone.send(deposit()), 503, "availability")
    assert is_ended(alone.stop)
    assert isinstance(alone.stop.error, AvailabilityError)


def test_a_standby_answers_that_it_does_not_lead() -> None:
    with closing(HttpListener(ANY_PORT, ClientAuthenticator())) as standby:
        for found in (
            httpx.post(f"{standby.url}{COMMANDS}", json=deposit()),
            httpx.get(f"{standby.url}/ready"),
        ):
            assert "does not lead" in problem(found, 503, "availability")
            assert found.headers["retry-after"] == "1"
        assert httpx.get(f"{standby.url}/health").text == "alive\n"


def test_a_client_that_repeats_for_ever_adds_nothing(listeners: Listeners) -> None:
    line = deposit(command_id=str(uuid4()))
    first = listeners.send(line).json()
    size = listeners.ledger.head.size
    assert all(
        answer == {"line": number, **first}
        for number, answer in enumerate(listeners.stream(*[line] * 1_000), 1)
    )
    assert listeners.ledger.head.size == size


def test_the_end_of_the_service_answers_what_was_read(alone: Listeners) -> None:
    """A stream that is open ends when the service does, and its lines are answered."""
    line = json.dumps(deposit()).encode() + b"\n"
    with socket.create_connection(alone.http.address[:2], SECONDS_MAX) as connection:
        connection.sendall(STREAM + b"Transfer-Encoding: chunked\r\n\r\n")
        connection.sendall(chunk(line))
        found = b""
        while b"recorded" not in found:
            found += connection.recv(1 << 16)
        alone.stop()
        while part := connection.recv(1 << 16):
            found += part
    assert found.endswith(b"0\r\n\r\n")


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tls")
    write_practice_certificates(folder, ["localhost", "127.0.0.1"], [CAGE, STRANGER])
    return folder


@pytest.fixture
def clients(tmp_path: Path) -> Path:
    path = tmp_path / "clients.toml"
    path.write_text(LIST, encoding="utf-8")
    return path


def files(keys: Path, name: str) -> TlsFiles:
    return TlsFiles(keys / "ca.crt", keys / f"{name}.crt", keys / f"{name}.pem")


@pytest.mark.law("L-21")
def test_certificate_and_role_are_asked_for_as_at_the_socket(
    studio: Path, keys: Path, clients: Path
) -> None:
    with ExitStack() as stack:
        authenticator = ClientAuthenticator(clients, files(keys, "writer"))
        listeners = Listeners(
            studio, stack, authenticator=authenticator, tls=files(keys, CAGE).for_client()
        )
        recorded = listeners.send(deposit(source="me"))
        assert recorded.status_code == httpx.codes.CREATED
        refused = listeners.send(bet(1))
        assert "cage-1 may not send place_bet" in problem(refused, 403, "authorization")
        (line,) = listeners.stream(bet(1))
        assert (line["status"], line["kind"]) == ("error", "authorization")
        strange = httpx.post(
            f"{listeners.http.url}{COMMANDS}",
            json=deposit(),
            verify=files(keys, STRANGER).for_client(),
        )
        assert "not on the writer's list" in problem(strange, 403, "authorization")
        authority = ssl.create_default_context(cafile=str(keys / "ca.crt"))
        with pytest.raises(httpx.TransportError):  # TLS without a certificate
            httpx.post(f"{listeners.http.url}{COMMANDS}", json=deposit(), verify=authority)
        counted = {(one["client"], one["why"]) for one in listeners.notified}
        assert counted == {("cage-1", "command"), ("", "unknown")}
        clients.write_text(LIST.replace(CAGE, "nobody.example.cz"), encoding="utf-8")
        listeners.http.reload()
        problem(_until_asked_again(listeners), 403, "authorization")
    with closing(SqliteLog(studio, writable=False)) as log:
        envelopes = [decode_envelope(message) for _, message in log.read()]
    position = recorded.json()["last_position"]
    assert envelopes[position].source == "cage-1/me"


@pytest.mark.law("L-21")
def test_a_token_is_asked_for_where_there_is_no_tls(studio: Path, clients: Path) -> None:
    with ExitStack() as stack:
        listeners = Listeners(studio, stack, authenticator=ClientAuthenticator(clients))
        found = listeners.send(deposit(), Authorization=f"Bearer {TOKEN}")
        assert found.status_code == httpx.codes.CREATED
        for headers in ({}, {"Authorization": "Bearer wrong"}, {"Authorization": f"Basic {TOKEN}"}):
            found = listeners.send(deposit(), **headers)
            problem(found, 401, "authorization")
            assert found.headers["www-authenticate"] == "Bearer"


def _until_asked_again(listeners: Listeners) -> httpx.Response:
    """Send until a connection is new; those of before end soon."""
    while True:
        with contextlib.suppress(httpx.TransportError):
            found = listeners.send(deposit())
            if found.status_code != httpx.codes.CREATED:
                return found
