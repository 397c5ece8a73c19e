"""The real program: TLS with client certificates, slow clients, a graceful end."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import ssl
import subprocess
import sys
from contextlib import ExitStack
from http import HTTPStatus
from typing import TYPE_CHECKING

import httpx
import pytest

from tests.children import child
from tests.tools.cli_cases import ROOT, SECONDS_MAX, run_here
from tools.practice.certificates import write_practice_certificates

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager
    from pathlib import Path

REQUEST_SECONDS = 10
READER = "mf.example"
FORM = (
    b"POST /sign-in HTTP/1.1\r\nHost: localhost\r\n"
    b"Content-Type: application/x-www-form-urlencoded\r\n"
)


@pytest.fixture(scope="module")
def tls(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("certificates") / "tls"
    write_practice_certificates(folder, ["localhost", "127.0.0.1"], [READER])
    return {
        "ca": folder / "ca.crt",
        "cert": folder / "writer.crt",
        "key": folder / "writer.pem",
        "client_cert": folder / f"{READER}.crt",
        "client_key": folder / f"{READER}.pem",
    }


def with_a_reader(data: Path, *known_by: str) -> Path:
    names = ("--operator", "26493993", "--name", "Test", "--chain", "test")
    assert run_here("init", *names, data=data).returncode == 0
    reader = ("reader", "add", "mf", "--role", "auditor", "--until", "2199-01-01")
    added = run_here(*reader, *known_by, data=data)
    assert added.returncode == 0, added.stderr
    return data


def begun(
    data: Path, *files: str, listen: str = "127.0.0.1:0", stderr: int | None = None
) -> AbstractContextManager[subprocess.Popen[str]]:
    return child(
        [sys.executable, "-m", "tools.cli", *files, "serve", "--listen", listen, "--json"],
        stdout=subprocess.PIPE,
        stderr=stderr,
        cwd=ROOT,
        env={"GAMELEDGER_DATA": str(data), "GAMELEDGER_CACHE": str(data / "cache")},
        text=True,
    )


@pytest.fixture(scope="module")
def address(
    tls: dict[str, Path], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[str, int]]:
    data = tmp_path_factory.mktemp("served") / "data"
    with_a_reader(data, "--certificate", str(tls["client_cert"]))
    files = (f"--tls-{name}={tls[name]}" for name in ("ca", "cert", "key"))
    with begun(data, *files) as process:
        assert process.stdout is not None
        said = json.loads(process.stdout.readline())
        assert said["token"] is None
        own = os.getpriority(os.PRIO_PROCESS, 0)
        assert os.getpriority(os.PRIO_PROCESS, process.pid) > own, "a writer goes before readers"
        found = re.fullmatch(r"https://([\d.]+):(\d+)/", said["address"])
        assert found is not None
        yield found[1], int(found[2])
        process.send_signal(signal.SIGTERM)
        assert process.wait(SECONDS_MAX) == 0


def context(tls: dict[str, Path], *, shows: bool) -> ssl.SSLContext:
    made = ssl.create_default_context(cafile=str(tls["ca"]))
    if shows:
        made.load_cert_chain(tls["client_cert"], tls["client_key"])
    return made


@pytest.mark.slow
def test_a_reader_is_known_by_the_certificate_alone(
    address: tuple[str, int], tls: dict[str, Path]
) -> None:
    url = f"https://{address[0]}:{address[1]}"
    with httpx.Client(verify=context(tls, shows=True), timeout=60) as client:
        found = client.get(f"{url}/api/events?limit=1")
        assert found.status_code == HTTPStatus.OK, found.text
        assert found.headers["Strict-Transport-Security"]
        signed_in = client.post(f"{url}/sign-in", data={"token": ""})
        assert signed_in.headers["Set-Cookie"].startswith("__Host-gameledger=")
    with httpx.Client(verify=context(tls, shows=False), timeout=60) as client:
        assert client.get(f"{url}/api/events").status_code == HTTPStatus.UNAUTHORIZED
        refused = client.post(f"{url}/sign-in", data={"token": ""})
        assert refused.status_code == HTTPStatus.UNAUTHORIZED


@pytest.mark.slow
def test_where_every_reader_is_out_nobody_is_promised_to_be_let_in(tmp_path: Path) -> None:
    """A token to try it with is for a chain without a reader, and would open nothing here."""
    data = with_a_reader(tmp_path / "data")
    gone = run_here("reader", "revoke", "mf", "--reason", "left", data=data)
    assert gone.returncode == 0, gone.stderr
    with begun(data) as process:
        assert process.stdout is not None
        said = json.loads(process.stdout.readline())
        process.send_signal(signal.SIGTERM)
        assert process.wait(SECONDS_MAX) == 0
    assert said["token"] is None
    listen = "0.0.0.0:0"  # where it does not begin to
    with begun(data, listen=listen, stderr=subprocess.PIPE) as process:
        _, words = process.communicate(timeout=SECONDS_MAX)
    assert (process.returncode, "no reader is admitted" in words) == (2, True), words


@pytest.mark.slow
def test_a_client_that_does_not_say_what_it_wants_is_left(
    address: tuple[str, int], tls: dict[str, Path]
) -> None:
    """All wait at the same time; half a body is answered."""
    streams = {}
    with ExitStack() as stack:
        for sent, begins in (
            (b"", b""),
            (b"GET / HTTP/1.1\r\nHost: [::1]\r\nX-Slow: ", b""),
            (FORM + b"Content-Length: 50\r\n\r\ntoken=", b"HTTP/1.1 408 "),
        ):
            plain = socket.create_connection(address, timeout=6 * REQUEST_SECONDS)
            stack.enter_context(plain)
            wrapped = context(tls, shows=False).wrap_socket(plain, server_hostname="localhost")
            streams[sent] = stack.enter_context(wrapped), begins
            wrapped.sendall(sent)
        for sent, (stream, begins) in streams.items():
            answer = stream.recv(1 << 16)
            assert answer[: len(begins) or None] == begins, sent


@pytest.mark.slow
@pytest.mark.parametrize(
    "sent",
    [
        b"GET / HTTP/1.1\r\nHost: [::1]\r\nX: " + b"y" * 40_000 + b"\r\n\r\n",
        b"GET /a\x00b HTTP/1.1\r\nHost: [::1]\r\n\r\n",
        b"POST /sign-in HTTP/1.1\r\nHost: [::1]\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: [::1]\r\nTransfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n",
        b"\x16\x03\x01\r\n\r\n",
    ],
)
def test_what_is_no_request_is_refused(
    address: tuple[str, int], tls: dict[str, Path], sent: bytes
) -> None:
    with (
        socket.create_connection(address, timeout=60) as plain,
        context(tls, shows=False).wrap_socket(plain, server_hostname="localhost") as stream,
    ):
        stream.sendall(sent)
        answer = stream.recv(1 << 16)
    assert answer.startswith(b"HTTP/1.1 4"), answer
