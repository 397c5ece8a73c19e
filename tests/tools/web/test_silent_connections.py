"""A full port: connections that ask for nothing do not keep readers out."""

from __future__ import annotations

import json
import socket
from contextlib import ExitStack
from threading import Semaphore
from typing import TYPE_CHECKING, Any

import pytest

from tools.service.address import listening
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
