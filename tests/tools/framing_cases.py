"""Requests whose end can be read in two ways, and answers before the body was read."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable

__all__ = ["AMBIGUOUS", "require_closed_unread", "require_refused"]

NEXT = b"GET /smuggled HTTP/1.1\r\nHost: localhost\r\n\r\n"
CHUNKED = b"0\r\n\r\n"
LENGTH = b"Content-Length: %d\r\n" % len(CHUNKED + NEXT)
CODING = b"Transfer-Encoding: chunked\r\n"
HOST = b"Host: localhost\r\n"

AMBIGUOUS = {
    "length, coding": HOST + LENGTH + CODING,
    "coding, length": HOST + CODING + LENGTH,
    "coding in capitals, length": HOST + CODING.upper() + LENGTH,
    "length twice": HOST + LENGTH + LENGTH,
    "two lengths": HOST + LENGTH + b"Content-Length: 5\r\n",
    "list of lengths": HOST + b"Content-Length: 5, 5\r\n",
    "signed length": HOST + b"Content-Length: +5\r\n",
    "coding twice": HOST + CODING + CODING,
    "unknown coding": HOST + b"Transfer-Encoding: xchunked\r\n",
    "coding before its name ends": HOST + b"Transfer-Encoding : chunked\r\n" + LENGTH,
    "folded coding": HOST + LENGTH + b"Transfer-Encoding:\r\n chunked\r\n",
    "line of LF": HOST + b"X: y\n" + CODING,
    "coding behind LF": HOST + LENGTH + b"X: y\nTransfer-Encoding: chunked\r\n",
    "two hosts": HOST + HOST + LENGTH,
}


def received(wire: socket.socket) -> bytes:
    """Read until the other end closes the connection."""
    found = b""
    with suppress(ConnectionResetError):
        while part := wire.recv(1 << 16):
            found += part
    return found


def require_refused(connect: Callable[[], socket.socket], path: str, fields: bytes) -> None:
    """Require that a request is refused and its connection closes, also where one went before."""
    for version in (b"1.1", b"1.0"):
        for before in (b"", b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"):
            head = b"POST %s HTTP/%s\r\n" % (path.encode(), version) + fields + b"\r\n"
            with connect() as wire:
                wire.sendall(before + head + CHUNKED + NEXT)
                answers = re.findall(rb"HTTP/1\.1 (\d+) ", received(wire))
            assert len(answers) == 1 + bool(before), (version, before, answers)
            assert answers[-1] in {b"400", b"501"}, (version, before, answers)


def require_closed_unread(connect: Callable[[], socket.socket], path: str) -> None:
    """Require that nothing is answered behind an answer to a body that was not read."""
    for method in (b"GET", b"POST"):
        for fields, body in ((LENGTH, CHUNKED + NEXT), (CODING, CHUNKED)):
            head = b"%s %s HTTP/1.1\r\n" % (method, path.encode()) + HOST + fields + b"\r\n"
            with connect() as wire:
                wire.sendall(head + body + NEXT)
                found = received(wire)
            answers = re.findall(rb"HTTP/1\.1 (\d+) ", found)
            assert len(answers) == 1, (method, fields, answers)
            assert b"connection: close" in found.lower(), (method, fields)
