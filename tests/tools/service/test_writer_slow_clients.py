"""Silent, slow, deaf and mad clients lose their place; the others are served on."""

from __future__ import annotations

import json
import random
import resource
import socket
import threading
from contextlib import ExitStack, suppress
from pathlib import Path
from time import monotonic
from typing import Any

import pytest

from ledger.decisions.payments.payments import Deposit
from ledger.log.memory import MemoryLog
from tests.tools.cli_cases import login
from tests.tools.writer_cases import SECONDS_MAX, Writer, ask, connecting, serving, socket_of
from tests.waiting import PATIENCE_SECONDS
from tools.service.client import LedgerClient, Timeouts
from tools.service.limits import Limits
from tools.service.lines import LINE_BYTES_MAX

LINE = json.dumps(login(1)).encode() + b"\n"
PAGE_BYTES = resource.getpagesize()


def rest(connection: socket.socket) -> list[dict[str, Any]]:
    """Read what comes until the other end hangs up."""
    return [json.loads(line) for line in connection.makefile("rb")]


@pytest.mark.parametrize("begun", [b"", b'{"command": "log_', b"x" * (LINE_BYTES_MAX + 1)])
def test_client_that_does_not_go_on_is_told_and_let_go(studio: Path, begun: bytes) -> None:
    limits = Limits(idle_seconds=0.3, line_seconds=0.3)
    with (
        serving(studio, limits=limits) as (server, _, _),
        connecting(socket_of(server)) as connection,
    ):
        connection.sendall(LINE + begun)
        answers = rest(connection)
        assert [one["line"] for one in answers] == [1, 0]
        assert answers[-1]["kind"] == "availability"
        assert "connect again" in answers[-1]["text"]


def test_line_that_drips_is_cut_and_so_is_one_that_never_ends(studio: Path) -> None:
    limits = Limits(line_seconds=0.5)
    with serving(studio, limits=limits) as (server, _, _):
        for piece in (b" ", b"x" * (1 << 16)):
            over = threading.Event()
            with connecting(socket_of(server)) as connection:

                def send(connection: socket.socket = connection, piece: bytes = piece) -> None:
                    with suppress(OSError):
                        while not over.is_set():  # noqa: B023 - joined below
                            connection.sendall(piece)
                            over.wait(0.02)  # noqa: B023 - the same

                thread = threading.Thread(target=send)
                thread.start()
                with suppress(ConnectionResetError):
                    assert connection.recv(1 << 16)
                    while connection.recv(1 << 16):
                        pass
                over.set()
                thread.join()


def test_client_that_waits_for_the_ledger_is_not_idle(
    studio: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    limits = Limits(idle_seconds=0.2, quiet_seconds=0.1, clients=1)
    with (
        serving(studio, limits=limits) as (server, ledger, _),
        connecting(socket_of(server)) as connection,
    ):
        go_on, append = threading.Event(), ledger._log.append

        def slowly(messages: Any) -> None:
            go_on.wait(SECONDS_MAX)
            append(messages)

        monkeypatch.setattr(ledger._log, "append", slowly)
        connection.sendall(LINE)
        threading.Event().wait(0.5)
        (refused,) = ask(socket_of(server), login(1))
        assert refused["kind"] == "availability"
        go_on.set()
        assert json.loads(connection.makefile("rb").readline())["status"] in {"recorded", "refused"}


def test_as_many_silent_clients_as_there_are_places_lock_nobody_out(studio: Path) -> None:
    with serving(studio, limits=Limits(quiet_seconds=0.2)) as (server, _, _), ExitStack() as stack:
        silent = [
            stack.enter_context(connecting(socket_of(server))) for _ in range(Limits().clients + 5)
        ]
        for connection in silent[::2]:
            connection.sendall(b'{"command"')
        patience = Timeouts(pause=0.05, total=SECONDS_MAX)
        began = monotonic()
        with LedgerClient([f"unix:{server.path}"], MemoryLog, patience=patience) as remote:
            remote.execute(Deposit(account="a-1", deposit="d9", amount=100, method="card-1"))
        assert monotonic() - began < PATIENCE_SECONDS


def test_client_that_takes_no_answers_is_cut_and_holds_up_nobody(studio: Path) -> None:
    limits = Limits(send_seconds=0.5)
    with serving(studio, limits=limits) as (server, _, _), socket.socket(socket.AF_UNIX) as deaf:
        deaf.settimeout(5)
        deaf.connect(str(socket_of(server)))
        sent = 0
        with suppress(ConnectionResetError, BrokenPipeError, TimeoutError):  # it may learn late
            while sent < 50 << 20:
                sent += deaf.send(b"nonsense\n" * 1000)
                assert ask(socket_of(server), login(1))[0]["line"] == 1
        assert sent < 50 << 20
        until = monotonic() + SECONDS_MAX
        while server._limiter.sessions:
            assert monotonic() < until, "it keeps its place"
            threading.Event().wait(0.05)


def test_no_descriptor_left_ends_nothing(studio: Path) -> None:
    """The service goes on when its system has room again."""
    place = studio / "writer.sock"
    writer = Writer(studio, "--listen", f"unix:{place}", environment={})
    try:
        writer.wait_for("leading")
        before = resource.prlimit(writer.pid, resource.RLIMIT_NOFILE)
        held = len(list(Path(f"/proc/{writer.pid}/fd").iterdir()))
        resource.prlimit(writer.pid, resource.RLIMIT_NOFILE, (held + 4, before[1]))
        with ExitStack() as stack:
            for _ in range(20):
                stack.enter_context(connecting(place))
            threading.Event().wait(0.5)
        resource.prlimit(writer.pid, resource.RLIMIT_NOFILE, before)
        assert ask(place, login(1))[0]["line"] == 1
    finally:
        writer.kill()


@pytest.mark.slow
def test_random_bytes_do_no_harm(studio: Path) -> None:
    """Lines cut, joined, bent and made up; others are answered, and memory stays flat."""
    seed = random.SystemRandom().randrange(1 << 32)
    print(f"seed {seed}")  # noqa: T201 - to repeat it
    dice, place = random.Random(seed), studio / "writer.sock"
    writer = Writer(studio, "--listen", f"unix:{place}", environment={})
    try:
        writer.wait_for("leading")
        sizes = []
        for turn in range(6):
            for _ in range(40):
                _send(place, _mad(dice))
            assert ask(place, login(turn))[0]["status"] in {"recorded", "refused"}
            pages = Path(f"/proc/{writer.pid}/statm").read_text().split()[1]
            sizes.append(int(pages) * PAGE_BYTES >> 20)
        assert sizes[-1] - sizes[1] < 48, (seed, sizes)
    finally:
        writer.kill()
    assert "Traceback" not in writer.words, seed
    assert "a command failed" not in writer.words, seed


def _mad(dice: random.Random) -> bytes:
    line = bytearray(json.dumps(login(dice.randrange(9)), ensure_ascii=False).encode())
    kind = dice.randrange(7)
    if kind == 0:
        return dice.randbytes(dice.randrange(1, 5_000))
    if kind == 1:
        return b"\n".join(dice.randbytes(dice.randrange(60)) for _ in range(300))
    if kind == 2:
        return b"[" * dice.randrange(100_000) + b"\n"
    if kind == 3:
        return dice.choice([b"x", b'"', b"\\ud800", b"9"]) * dice.randrange(2 << 20) + b"\n"
    if kind == 4:
        value = dice.choice(
            ['"\\ud800"', "1e999", "-0", "[" * 900 + "]" * 900, '"\\u0000"', "9" * 5_000]
        )
        return f'{{"command": "log_out", "account": {value}}}\n'.encode()
    for _ in range(dice.randrange(1, 6)):
        line[dice.randrange(len(line))] = dice.randrange(256)
    return bytes(line[: dice.randrange(len(line)) + 1]) + b"\n" * dice.randrange(3)


def _send(place: Path, content: bytes) -> None:
    """Send, read what is answered or not, hang up."""
    with suppress(OSError), connecting(place) as connection:
        connection.settimeout(0.05)
        connection.sendall(content)
        connection.shutdown(socket.SHUT_WR)
        while connection.recv(1 << 16):
            pass
