"""The head of a request has its bound whether it comes in many reads or in one."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from uvicorn.server import ServerState

from tools.web.protocol import HEADER_BYTES_MAX, Protocol
from tools.web.serving import config_of

SMALL = 1_000
BODY = b"b" * 3 * HEADER_BYTES_MAX


class Wire(asyncio.Transport):
    """Keeps what is written to it."""

    def __init__(self) -> None:
        super().__init__()
        self.written = b""
        self.is_answered = asyncio.Event()
        self._is_closing = False

    def write(self, data: Any) -> None:
        self.written += data
        self.is_answered.set()

    def close(self) -> None:
        self._is_closing = True

    def is_closing(self) -> bool:
        return self._is_closing

    def get_write_buffer_size(self) -> int:
        return 0  # everything is taken at once

    def pause_reading(self) -> None:
        """Nothing more comes anyway."""

    def resume_reading(self) -> None:
        """Nothing more comes anyway."""


async def echoed(scope: Any, receive: Any, send: Any) -> None:
    """Answer with the length of the body."""
    length, more = 0, True
    while more:
        message = await receive()
        length, more = length + len(message["body"]), message["more_body"]
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": f"{scope['method']} {length}".encode()})


def answer_to(sent: bytes) -> bytes:
    """Return what a connection answers to what came in one read."""

    async def asked() -> bytes:
        config = config_of(echoed)
        config.load()
        assert config.http_protocol_class is Protocol
        connection = Protocol(config=config, server_state=ServerState(), app_state={})
        wire = Wire()
        connection.connection_made(wire)
        connection.data_received(sent)
        await asyncio.wait_for(wire.is_answered.wait(), 30)
        return wire.written

    return asyncio.run(asked())


def request(padding: int, body: bytes = b"") -> bytes:
    length = f"Content-Length: {len(body)}\r\n".encode() if body else b""
    return (
        b"POST / HTTP/1.1\r\nHost: localhost\r\n"
        + length
        + b"X: "
        + b"y" * padding
        + b"\r\n\r\n"
        + body
    )


@pytest.mark.parametrize("padding", [2 * HEADER_BYTES_MAX, 40_000, 250_000])
def test_a_long_head_in_one_read_is_refused(padding: int) -> None:
    answer = answer_to(request(padding))
    assert answer.startswith(b"HTTP/1.1 400 ")
    assert answer.count(b"HTTP/1.1") == 1


@pytest.mark.parametrize("padding", [0, SMALL, HEADER_BYTES_MAX - SMALL])
@pytest.mark.parametrize("body", [b"", b"x", BODY])
def test_a_short_head_with_any_body_in_one_read_is_answered(padding: int, body: bytes) -> None:
    answer = answer_to(request(padding, body))
    assert answer.startswith(b"HTTP/1.1 200 ")
    assert f"POST {len(body)}".encode() in answer
