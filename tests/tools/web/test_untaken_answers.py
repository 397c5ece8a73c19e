"""An answer that nobody takes holds no connection; who takes it slowly gets all of it."""

from __future__ import annotations

import socket
from contextlib import ExitStack
from functools import partial
from threading import Event
from typing import TYPE_CHECKING, Any

import h11
import pytest

from tests.waiting import PATIENCE_SECONDS
from tools.service.address import listening
from tools.web import protocol
from tools.web.protocol import Protocol
from tools.web.serving import config_of, in_thread

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SMALL, LARGE = 40_000, 16_000_000
"""Bytes that wait in the program below the mark at which it stops to write, and above."""


class _Noting(Protocol):
    """Notes that a connection ended: the client would learn it only when it reads."""

    ended = Event()
    sends_at_once = 0

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        connection = transport.get_extra_info("socket")
        type(self).sends_at_once = connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self.ended.set()


@pytest.fixture
def asking(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[int], socket.socket]]:
    """Ask for so many bytes, of a port that waits for little and has small buffers."""
    monkeypatch.setattr(protocol, "TAKEN_BYTES", 1 << 16)
    _Noting.ended.clear()

    async def answered(scope: Any, _: Any, send: Any) -> None:
        size = int(scope["path"][1:])
        await send({"type": "http.response.start", "status": 200, "headers": []})
        for part in (b"x" * size, b""):
            await send({"type": "http.response.body", "body": part, "more_body": bool(part)})

    settings = {"seconds": 60, "untaken_seconds": 0.3, "waited_for": frozenset({h11.IDLE})}
    config = config_of(answered, http=partial(_Noting, **settings), timeout_keep_alive=1)
    with ExitStack() as stack:
        port = stack.enter_context(listening("127.0.0.1:0"))
        port.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
        stack.enter_context(in_thread(config, port, "port"))

        def ask(size: int) -> socket.socket:
            client = stack.enter_context(socket.socket())
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            client.settimeout(PATIENCE_SECONDS)
            client.connect(port.getsockname())
            client.sendall(b"GET /%d HTTP/1.1\r\nHost: localhost\r\n\r\n" % size)
            return client

        yield ask


@pytest.mark.parametrize("size", [SMALL, LARGE])
def test_a_connection_ends_whose_answer_is_not_taken(
    asking: Callable[[int], socket.socket], size: int
) -> None:
    asking(size)
    assert _Noting.ended.wait(PATIENCE_SECONDS), "it is held as long as the client likes"


def test_who_takes_an_answer_slowly_gets_all_of_it(
    asking: Callable[[int], socket.socket],
) -> None:
    client, taken = asking(1_000_000), 0
    while taken < 1_000_000:
        part = client.recv(1 << 15)
        assert part, f"it ended after {taken} bytes"
        taken += len(part)
        Event().wait(0.01)


def test_a_part_of_an_answer_does_not_wait_for_the_one_before(
    asking: Callable[[int], socket.socket],
) -> None:
    _Noting.sends_at_once = 0
    assert asking(SMALL).recv(1)
    assert _Noting.sends_at_once, "40 ms, with delayed acknowledgements"
