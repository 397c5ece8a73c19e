"""A full port: connections that ask for nothing, or never end their request, keep no reader out."""

from __future__ import annotations

import asyncio
import json
import socket
import ssl
from contextlib import ExitStack, suppress
from threading import Event, Semaphore
from typing import TYPE_CHECKING, Any

import pytest
from starlette.responses import Response
from starlette.routing import Route

from tests.waiting import PATIENCE_SECONDS
from tools.practice.certificates import write_practice_certificates
from tools.service.address import listening
from tools.service.tls import TlsFiles
from tools.web import handshakes, serving
from tools.web.handshakes import HANDSHAKES_MAX
from tools.web.serving import config_of, in_thread, read_body, starlette_app

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from starlette.requests import Request

MOST = 4
REQUEST = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"


@pytest.fixture
def at_work() -> Semaphore:
    """Count the requests that the application has begun to answer."""
    return Semaphore(0)


@pytest.fixture
def let_go() -> Event:
    """Let the application answer what it holds."""
    return Event()


@pytest.fixture
def connected(at_work: Semaphore, let_go: Event) -> Iterator[Callable[[], socket.socket]]:
    """Connect to a port that takes four; answers come after the body, and of /wait when let go."""

    async def answered(scope: Any, receive: Any, send: Any) -> None:
        at_work.release()
        while (await receive()).get("more_body"):
            pass
        if scope["path"] == "/wait":
            await asyncio.to_thread(let_go.wait, PATIENCE_SECONDS)
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    config = config_of(answered, limit_concurrency=MOST)
    with ExitStack() as stack:
        port = stack.enter_context(listening("127.0.0.1:0"))
        stack.enter_context(in_thread(config, port, "port"))

        def connect() -> socket.socket:
            client = stack.enter_context(socket.socket())
            client.settimeout(PATIENCE_SECONDS)
            client.connect(port.getsockname())
            return client

        yield connect


def asked(client: socket.socket) -> bytes:
    client.sendall(REQUEST)
    return client.recv(1 << 12)


def test_silent_connections_let_others_in(connected: Callable[[], socket.socket]) -> None:
    silent = [connected() for _ in range(3 * MOST)]
    for _ in range(2 * MOST):
        assert asked(connected()).startswith(b"HTTP/1.1 204"), "shut out"
    assert silent[0].recv(1) == b"", "the oldest silent one is let go"


def test_who_was_answered_is_let_go_after_those_who_never_asked(
    connected: Callable[[], socket.socket],
) -> None:
    reader = connected()
    assert asked(reader).startswith(b"HTTP/1.1 204")
    flood = [connected() for _ in range(5 * MOST)]
    assert asked(reader).startswith(b"HTTP/1.1 204"), "its place was taken"
    assert flood


@pytest.mark.parametrize("framing", [b"Content-Length: 9", b"Transfer-Encoding: chunked"])
def test_requests_that_never_end_let_others_in(
    connected: Callable[[], socket.socket], at_work: Semaphore, framing: bytes
) -> None:
    reader = connected()
    assert asked(reader).startswith(b"HTTP/1.1 204")
    assert at_work.acquire(timeout=PATIENCE_SECONDS)
    half = []
    for _ in range(2 * MOST):
        half.append(connected())
        half[-1].sendall(b"POST / HTTP/1.1\r\nHost: localhost\r\n" + framing + b"\r\n\r\n1\r\n1")
        assert at_work.acquire(timeout=PATIENCE_SECONDS), "shut out"
    assert asked(reader).startswith(b"HTTP/1.1 204"), "its place was taken"
    for _ in range(2 * MOST):
        assert asked(connected()).startswith(b"HTTP/1.1 204"), "shut out"
    assert gone(half[0]), "the oldest one is let go"


def test_requests_behind_one_at_work_let_others_in(
    connected: Callable[[], socket.socket], at_work: Semaphore, let_go: Event
) -> None:
    hasty = [connected() for _ in range(MOST)]
    for client in hasty:
        client.sendall(b"GET /wait HTTP/1.1\r\nHost: localhost\r\n\r\n" + REQUEST)
        assert at_work.acquire(timeout=PATIENCE_SECONDS)
    assert asked(connected()).startswith(b"HTTP/1.1 204"), "shut out"
    assert gone(hasty[0]), "the oldest one is let go"
    let_go.set()


def test_bytes_that_drip_do_not_prolong_the_time_of_a_body(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "BODY_SECONDS", 0.5)

    async def answered(request: Request) -> Response:
        return Response(await read_body(request, bytes_max=1 << 20))

    app = starlette_app([Route("/", answered, methods=["POST"])])
    with (
        listening("127.0.0.1:0") as port,
        in_thread(config_of(app), port, "port"),
        socket.create_connection(port.getsockname(), PATIENCE_SECONDS) as client,
    ):
        client.sendall(b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9999\r\n\r\n")
        client.settimeout(0.05)
        for _ in range(PATIENCE_SECONDS * 20):
            client.sendall(b"1")
            with suppress(TimeoutError):
                assert client.recv(1 << 12).startswith(b"HTTP/1.1 408 ")
                break
        else:
            pytest.fail("the body has no end")


def test_connections_at_work_stay_and_one_more_is_told_when_to_come_again(
    connected: Callable[[], socket.socket], at_work: Semaphore, let_go: Event
) -> None:
    working = [connected() for _ in range(MOST)]
    for client in working:
        client.sendall(b"GET /wait HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert at_work.acquire(timeout=PATIENCE_SECONDS)
    client = connected()
    client.sendall(REQUEST)
    head, _, body = client.makefile("rb").read().partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 503")
    assert b"retry-after: " in head.lower()
    assert json.loads(body)["status"] == 503
    let_go.set()
    for one in working:
        assert one.recv(1 << 12).startswith(b"HTTP/1.1 204")


@pytest.fixture(scope="module")
def secured(tmp_path_factory: pytest.TempPathFactory) -> Iterator[socket.socket]:
    """Serve a port with TLS."""
    keys = tmp_path_factory.mktemp("tls")
    write_practice_certificates(keys, ["127.0.0.1"], ["client"])
    context = TlsFiles(keys / "ca.crt", keys / "writer.crt", keys / "writer.pem").for_writer()
    context.verify_mode = ssl.CERT_NONE

    async def answered(_: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    with (
        listening("127.0.0.1:0") as port,
        in_thread(config_of(answered, context, limit_concurrency=MOST), port, "port"),
    ):
        yield port


def asked_over_tls(port: socket.socket) -> bytes:
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    with socket.create_connection(port.getsockname(), PATIENCE_SECONDS) as plain:
        return asked(context.wrap_socket(plain))


def test_handshakes_that_nobody_continues_let_others_in(secured: socket.socket) -> None:
    with ExitStack() as stack:
        silent = [
            stack.enter_context(socket.create_connection(secured.getsockname(), PATIENCE_SECONDS))
            for _ in range(HANDSHAKES_MAX + 3)
        ]
        assert asked_over_tls(secured).startswith(b"HTTP/1.1 204"), "shut out"
        for one in silent[:4]:
            assert gone(one), "the oldest ones are let go"
        silent[4].setblocking(False)
        with pytest.raises(BlockingIOError):
            silent[4].recv(1)


def test_a_handshake_has_a_bound_in_time(
    secured: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(handshakes, "HANDSHAKE_SECONDS", 0.1)
    with socket.create_connection(secured.getsockname(), PATIENCE_SECONDS) as silent:
        assert gone(silent)


def test_what_comes_with_the_end_of_a_handshake_is_answered(secured: socket.socket) -> None:
    """The request is sent in one piece with the last part of the handshake."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    coming, going = ssl.MemoryBIO(), ssl.MemoryBIO()
    client = context.wrap_bio(coming, going)
    with socket.create_connection(secured.getsockname(), PATIENCE_SECONDS) as plain:
        with pytest.raises(ssl.SSLWantReadError):
            client.do_handshake()
        plain.sendall(going.read())
        while True:
            coming.write(plain.recv(1 << 14))
            with suppress(ssl.SSLWantReadError):
                client.do_handshake()
                break
        client.write(REQUEST)
        plain.sendall(going.read())
        answer = b""
        while not answer.startswith(b"HTTP/1.1 204"):
            coming.write(plain.recv(1 << 14))
            with suppress(ssl.SSLWantReadError):
                answer += client.read()


def gone(connection: socket.socket) -> bool:
    try:
        return connection.recv(1) == b""
    except ConnectionResetError:
        return True
