"""A full port: connections that ask for nothing do not keep readers out."""

from __future__ import annotations

import json
import socket
import ssl
from contextlib import ExitStack, suppress
from threading import Semaphore
from typing import TYPE_CHECKING, Any

import pytest

from tools.practice.certificates import write_practice_certificates
from tools.service.address import listening
from tools.service.tls import TlsFiles
from tools.web import handshakes
from tools.web.handshakes import HANDSHAKES_MAX
from tools.web.serving import config_of, in_thread

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

MOST = 4
SECONDS_MAX = 20
REQUEST = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"


@pytest.fixture
def at_work() -> Semaphore:
    """Count the requests that the application has begun to answer."""
    return Semaphore(0)


@pytest.fixture
def connected(at_work: Semaphore) -> Iterator[Callable[[], socket.socket]]:
    """Connect to a port that takes four; a path of /wait is answered when its body has come."""

    async def answered(scope: Any, receive: Any, send: Any) -> None:
        at_work.release()
        while scope["path"] == "/wait" and (await receive()).get("more_body"):
            pass
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    config = config_of(answered, limit_concurrency=MOST)
    with ExitStack() as stack:
        port = stack.enter_context(listening("127.0.0.1:0"))
        stack.enter_context(in_thread(config, port, "port"))

        def connect() -> socket.socket:
            client = stack.enter_context(socket.socket())
            client.settimeout(SECONDS_MAX)
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


def test_connections_at_work_stay_and_one_more_is_told_when_to_come_again(
    connected: Callable[[], socket.socket], at_work: Semaphore
) -> None:
    working = [connected() for _ in range(MOST)]
    for client in working:
        client.sendall(b"POST /wait HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n1")
        assert at_work.acquire(timeout=SECONDS_MAX)
    client = connected()
    client.sendall(REQUEST)
    head, _, body = client.makefile("rb").read().partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 503")
    assert b"retry-after: " in head.lower()
    assert json.loads(body)["status"] == 503
    for one in working:
        one.sendall(b"2")
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
    with socket.create_connection(port.getsockname(), SECONDS_MAX) as plain:
        return asked(context.wrap_socket(plain))


def test_handshakes_that_nobody_continues_let_others_in(secured: socket.socket) -> None:
    with ExitStack() as stack:
        silent = [
            stack.enter_context(socket.create_connection(secured.getsockname(), SECONDS_MAX))
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
    with socket.create_connection(secured.getsockname(), SECONDS_MAX) as silent:
        assert gone(silent)


def test_what_comes_with_the_end_of_a_handshake_is_answered(secured: socket.socket) -> None:
    """The request is sent in one piece with the last part of the handshake."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    coming, going = ssl.MemoryBIO(), ssl.MemoryBIO()
    client = context.wrap_bio(coming, going)
    with socket.create_connection(secured.getsockname(), SECONDS_MAX) as plain:
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
