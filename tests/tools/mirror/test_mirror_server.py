"""A mirror by HTTP: uploads that are cut, pressed or too long, and copies that are read."""

from __future__ import annotations

import gzip
import socket
from contextlib import ExitStack, closing, suppress
from resource import RUSAGE_SELF, getrusage
from typing import TYPE_CHECKING

import httpx

from ledger.core.errors import AvailabilityError
from ledger.log.copying import copy
from ledger.log.sqlite import SqliteLog
from ledger.log.tiles import TiledLog
from ledger.tlog.mirroring import MirrorInfo, Upload
from tests.waiting import until
from tools.mirror import server
from tools.witness.uploading import HttpMirror, upload_entries
from tools.witness.witness import log_path

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from tests.tools.mirror_cases import Authority, Operator


def test_a_log_is_sent_and_restored_byte_for_byte(
    authority: Authority, operator: Operator, tmp_path: Path
) -> None:
    """The operator that lost everything but its keys reads the copy, and goes on with it."""
    note = operator.note_at(900)
    with authority.serving() as url:
        answer = httpx.post(f"{url}/add-checkpoint", content=operator.submission(0, note))
        assert (answer.status_code, answer.text) == (200, "")
        done: list[tuple[int, int]] = []
        lines = upload_entries(
            HttpMirror(url, 10).add_entries,
            operator.log,
            note.head,
            progress=lambda *at: done.append(at),
        )
        assert lines.startswith("— authority.example/mirror ")
        assert done[0] == (0, 900)
        assert done[-1] == (900, 900)
        source = TiledLog(f"{url}/{log_path(operator.name)}")
        assert lines in source.note
        with closing(SqliteLog(tmp_path / "restored", writable=True)) as log:
            copy(source, log)
            assert list(log.read()) == list(operator.log.read(0, 900))


def test_what_arrived_of_an_upload_is_used(
    authority: Authority, operator: Operator, monkeypatch: pytest.MonkeyPatch
) -> None:
    note = operator.note_at(600)
    body = operator.body(0, 600).getvalue()
    monkeypatch.setattr(server, "UPLOAD_BYTES_MAX", len(body) - 1000)
    with authority.serving() as url:
        httpx.post(f"{url}/add-checkpoint", content=operator.submission(0, note))
        for content, headers in (
            (body, {}),
            (gzip.compress(body), {"Content-Encoding": "gzip"}),
        ):
            answer = httpx.post(f"{url}/add-entries", content=content, headers=headers)
            assert answer.status_code == 202
            assert answer.headers["content-type"] == "text/x.tlog.mirror-info"
            assert answer.headers["accept-encoding"] == "gzip"
            assert MirrorInfo.parse(answer.text) == MirrorInfo(600, 512)
        answer = httpx.post(f"{url}/add-entries", content=operator.body(512, 600).getvalue())
        assert answer.status_code == 200
    authority.require_held(operator, 600)


def test_a_connection_that_is_cut_leaves_whole_packages(
    authority: Authority, operator: Operator
) -> None:
    note = operator.note_at(600)
    body = operator.body(0, 600).getvalue()
    with authority.serving() as url:
        httpx.post(f"{url}/add-checkpoint", content=operator.submission(0, note))
        host, port = url.removeprefix("http://").split(":")
        with socket.create_connection((host, int(port))) as connection:
            head = f"POST /add-entries HTTP/1.1\r\nHost: {host}\r\nContent-Length: {len(body)}\r\n"
            connection.sendall(f"{head}\r\n".encode() + body[: len(body) // 2])
        lines = upload_entries(HttpMirror(url, 10).add_entries, operator.log, note.head)
    assert lines
    authority.require_held(operator, 600)


def test_uploads_that_are_held_open_take_bounded_memory_and_keep_no_other_out(
    authority: Authority, operator: Operator, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Compressed, 32 MiB are sent in 32 KiB; the connections stay open until others are served."""
    monkeypatch.setattr(server, "UPLOADS_BYTES_MAX", 4 << 20)
    header = Upload(operator.name, 0, 600).raw
    bomb = gzip.compress(header + bytes(server.UPLOAD_BYTES_MAX))
    note = operator.note_at(600)
    with authority.serving() as url, ExitStack() as stack:
        httpx.post(f"{url}/add-checkpoint", content=operator.submission(0, note))
        host, port = url.removeprefix("http://").split(":")
        head = f"POST /add-entries HTTP/1.1\r\nHost: {host}\r\nContent-Encoding: gzip\r\n"
        before = getrusage(RUSAGE_SELF).ru_maxrss
        for _ in range(30):
            connection = stack.enter_context(socket.create_connection((host, int(port))))
            length = f"Content-Length: {len(bomb)}\r\n\r\n"
            connection.sendall((head + length).encode() + bomb[:-1])

        def is_sent() -> bool:
            with suppress(AvailabilityError):  # two of the others are answered: try again later
                return bool(
                    upload_entries(HttpMirror(url, 20).add_entries, operator.log, note.head)
                )
            return False

        until(is_sent)
        assert getrusage(RUSAGE_SELF).ru_maxrss - before < 300 << 10
    authority.require_held(operator, 600)


def test_what_is_not_there_is_named(authority: Authority) -> None:
    with authority.serving() as url:
        for path in (
            "",
            "/add-entries",
            "/state.sqlite",
            "/../state.sqlite",
            f"/{log_path('other')}/checkpoint",
        ):
            assert httpx.get(f"{url}{path}").status_code == 404
