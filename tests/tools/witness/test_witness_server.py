"""The port of a witness: whatever a client sends, or does not send, it goes on answering."""

from __future__ import annotations

import socket
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest

from tests.tools.witness_cases import TRUE, House
from tools.web import serving as web_serving
from tools.web.protocol import HEADER_BYTES_MAX
from tools.witness import server
from tools.witness.web import send_request
from tools.witness.witness import log_path

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> House:
    return House(tmp_path_factory.mktemp("witness") / "w")


@pytest.fixture(scope="module")
def url(house: House) -> Iterator[str]:
    with house.serving() as url:
        yield url


def post(url: str, body: bytes, path: str = "/add-checkpoint") -> tuple[int, str]:
    answer = send_request(f"{url}{path}", body, seconds=10, bytes_max=1 << 16)
    return answer.status, answer.body.decode()


def raw(url: str, *parts: bytes) -> bytes:
    """Send bytes as they are, and read until the other end hangs up."""
    where = urlsplit(url)
    with socket.create_connection((str(where.hostname), int(where.port or 0)), timeout=10) as wire:
        for part in parts:
            wire.sendall(part)
        received = b""
        with suppress(ConnectionResetError):  # what it did not read, it resets
            while part := wire.recv(4096):
                received += part
        return received


def test_it_speaks_as_c2sp_has_it(url: str, house: House) -> None:
    status, line = post(url, TRUE.submission(0, 5))
    assert (status, line[:2]) == (200, "— ")
    assert post(url, TRUE.submission(0, 7)) == (409, "5\n")
    body = TRUE.submission(0, 7)
    head = f"POST /add-checkpoint HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}\r\n"
    answer = raw(url, head.encode(), b"Connection: close\r\n\r\n", body)
    assert b"\r\ncontent-type: text/x.tlog.size\r\n" in answer
    for address in (f"{url}/{log_path(TRUE.name)}", f"{url}/logs/{log_path(TRUE.name)}"):
        shown = send_request(f"{address}/checkpoint", seconds=10, bytes_max=1 << 16)
        assert (shown.status, line in shown.body.decode()) == (200, True)
    assert post(url, b"", "/elsewhere")[0] == 404
    assert send_request(f"{url}/add-checkpoint", seconds=10, bytes_max=1 << 16).status == 405
    assert house.told == []


def test_a_body_is_bounded(url: str) -> None:
    assert post(url, bytes(server.BODY_BYTES_MAX + 1))[0] == 413
    assert post(url, bytes(server.BODY_BYTES_MAX))[0] == 400
    assert b" 200 " not in raw(url, b"x" * (2 * HEADER_BYTES_MAX))
    assert post(url, b"")[0] == 400


def test_of_many_at_once_each_is_answered_and_none_signed_back(tmp_path: Path) -> None:
    house = House(tmp_path / "busy")
    with house.serving() as url, ThreadPoolExecutor(8) as pool:
        assert post(url, TRUE.submission(0, 1))[0] == 200
        bodies = [TRUE.submission(1, size) for size in range(2, 30)]
        answers = list(pool.map(lambda body: post(url, body), bodies))
    assert sorted({status for status, _ in answers}) == [200, 409]
    [winner] = [at for at, (status, _) in enumerate(answers, 2) if status == 200]
    assert {body for status, body in answers if status == 409} == {f"{winner}\n"}


def test_a_slow_body_is_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    house = House(tmp_path / "slow")
    monkeypatch.setattr(web_serving, "BODY_SECONDS", 0.5)
    with house.serving() as url:
        head = b"POST /add-checkpoint HTTP/1.1\r\nHost: localhost\r\nContent-Length: 50\r\n\r\nold"
        assert b"408 Request Timeout" in raw(url, head)
        assert post(url, TRUE.submission(0, 5))[0] == 200


@pytest.mark.parametrize(
    "sent", [b"", b"POST /add-ch", b"GET /x HTTP/1.1\r\nHost: localhost\r\n\r\n"]
)
def test_a_silent_connection_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sent: bytes
) -> None:
    monkeypatch.setattr(server, "CONNECTION_SECONDS", 0.2)
    with House(tmp_path / "silent").serving() as url:
        assert raw(url, sent)[:12] in {b"", b"HTTP/1.1 404"}


def test_connections_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "CONNECTIONS_MAX", 2)
    with House(tmp_path / "few").serving() as url:
        where = urlsplit(url)
        place = (str(where.hostname), int(where.port or 0))
        with socket.create_connection(place), socket.create_connection(place):
            assert post(url, TRUE.submission(0, 5))[0] == 200, "silent ones are let go"
        assert threading.active_count() < 50


def test_what_goes_wrong_inside_is_told_to_the_operator_alone(tmp_path: Path) -> None:
    house = House(tmp_path / "lost")
    with house.serving() as url:
        (house.folder.path / "state.sqlite").unlink()
        assert post(url, TRUE.submission(0, 5)) == (
            503,
            "no answer is possible now: ask again later\n",
        )
    [told] = house.told
    assert "is gone: restore it from a copy" in told
