"""The service on one machine: lines and answers of ``record``, one leader, one standby."""

from __future__ import annotations

import grp
import json
import os
import signal
import socket
import stat
import threading
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

import pytest

from ledger.core.errors import AvailabilityError, IntegrityError
from ledger.events.encoding import hash_of
from ledger.log.sqlite import SqliteLog
from ledger.verification.verify import verify
from tests.tools.cli_cases import answers, bet, command, login, run
from tests.tools.writer_cases import Client, Writer, ask, connecting, serving, socket_of
from tools.service.limits import Limits
from tools.service.lines import LINE_BYTES_MAX, Numbering
from tools.service.stop import Stop

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

ALIKE = ("line", "status", "kind", "text", "events", "refused", "first_position", "last_position")


@pytest.fixture
def address(studio: Path) -> Path:
    return studio / "writer.sock"


@contextmanager
def writing(data: Path, listen: Path, *options: str) -> Iterator[Writer]:
    writer = Writer(data, "--listen", f"unix:{listen}", *options, environment={})
    try:
        yield writer
    finally:
        writer.kill()


def test_a_client_that_sends_no_command_leaves_no_mark_in_the_chain(
    studio: Path, address: Path
) -> None:
    with closing(SqliteLog(studio, writable=False)) as log:
        before = log.head()
    with writing(studio, address) as writer:
        writer.wait_for("leading")
        with connecting(address):
            pass
        assert ask(address, "nonsense")[0]["status"] == "error"
        writer.send_signal(signal.SIGTERM)
        assert writer.wait() == 0
    with closing(SqliteLog(studio, writable=False)) as log:
        assert log.head() == before


def test_a_connection_gets_the_answers_of_record(
    studio: Path, address: Path, tmp_path: Path
) -> None:
    lines = [
        bet(1),
        "nonsense",
        command("deposit", account="a-1", deposit="d9", amount=100, method="unknown"),
        {**bet(3), "command_id": "019a9f6e-7f4e-7c9a-9d5e-0d9f3b1c2a44"},
        {**bet(3), "command_id": "019a9f6e-7f4e-7c9a-9d5e-0d9f3b1c2a44"},
        "x" * (LINE_BYTES_MAX + 5),
        {"command": "close_bets", "round": "q1"},
    ]
    copied = tmp_path / "copy"
    copied.mkdir()
    run("log", "copy", str(studio), str(copied), data=copied)
    (copied / "keys").symlink_to(studio / "keys")
    with writing(studio, address) as writer:
        writer.wait_for("leading")
        served = ask(address, *lines)
        writer.send_signal(signal.SIGTERM)
        assert writer.wait() == 0
    recorded = answers(run("record", data=copied, lines=lines))
    assert [_alike(answer) for answer in served] == [_alike(answer) for answer in recorded]
    assert {answer["status"] for answer in served} == {"recorded", "refused", "error"}


@pytest.mark.parametrize("cut", [1, LINE_BYTES_MAX - 1, LINE_BYTES_MAX, LINE_BYTES_MAX + 1])
def test_a_command_of_the_greatest_length_is_no_longer_for_its_newline(cut: int) -> None:
    for size in (LINE_BYTES_MAX, LINE_BYTES_MAX + 1):
        line, numbering = b"x" * size + b"\n", Numbering()
        found = [*numbering.feed(line[:cut]), *numbering.feed(line[cut:]), *numbering.end()]
        assert found == [(1, line if size == LINE_BYTES_MAX else None)]


def test_answers_come_in_order_and_everything_on_its_way_is_answered_at_the_end(
    studio: Path, address: Path
) -> None:
    with writing(studio, address) as writer:
        writer.wait_for("leading")
        with connecting(address) as connection:
            stream = connection.makefile("rwb")
            stream.write(b"".join(json.dumps(login(n)).encode() + b"\n" for n in range(400)))
            stream.flush()
            first = json.loads(stream.readline())
            writer.send_signal(signal.SIGTERM)
            rest = [json.loads(line) for line in stream]
        assert writer.wait() == 0
    numbers = [answer["line"] for answer in (first, *rest)]
    assert numbers == list(range(1, len(numbers) + 1))
    _assert_recorded(studio, [first, *rest])
    with pytest.raises(FileNotFoundError):
        ask(address, login(1))


def test_standby_takes_over_from_a_killed_leader(studio: Path) -> None:
    addresses = [studio / f"{number}.sock" for number in range(2)]
    with writing(studio, addresses[0]) as leader:
        leader.wait_for("leading")
        with writing(studio, addresses[1]) as standby:
            standby.wait_for("standby")
            with Client(addresses, "client") as client:
                while len(client.acknowledged) < 50:
                    threading.Event().wait(0.01)
                leader.kill()
                standby.wait_for("leading")
                client.finish()
    _assert_recorded(studio, list(client.acknowledged.values()))


def test_client_that_hangs_up_does_not_undo_what_it_sent(studio: Path, address: Path) -> None:
    with writing(studio, address) as writer:
        size = writer.wait_for("leading")["size"]
        with connecting(address) as connection:
            connection.sendall(b"".join(json.dumps(login(n)).encode() + b"\n" for n in range(50)))
        while ask(address, login(1))[0]["last_position"] < size + 50:
            threading.Event().wait(0.05)
        writer.send_signal(signal.SIGTERM)
        assert writer.wait() == 0


def test_unix_socket_is_for_its_owner_or_a_group_and_replaces_that_of_a_killed_one(
    studio: Path, address: Path
) -> None:
    group = grp.getgrgid(os.getgid()).gr_name
    for options, mode in (((), 0o600), (("--socket-group", group), 0o660)):
        with writing(studio, address, *options) as writer:
            writer.wait_for("leading")
            assert stat.S_IMODE(address.stat().st_mode) == mode
            assert ask(address, login(1))[0]["status"] in {"recorded", "refused"}


@pytest.mark.parametrize("text", ["127.0.0.1:7411", "7411", "unix:relative", "https://writer"])
def test_lines_come_through_a_socket_alone(studio: Path, text: str) -> None:
    done = run("writer", "--listen", text, data=studio)
    assert done.returncode == 2
    assert "give unix:/path, or --http HOST:PORT" in done.stderr


def test_a_port_that_is_taken_is_not_available(studio: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = run("writer", "--http", f"127.0.0.1:{port}", data=studio)
    assert done.returncode == 4
    assert "can't be listened at" in done.stderr


def test_writer_needs_a_chain(tmp_path: Path) -> None:
    done = run("writer", "--http", "127.0.0.1:0", data=tmp_path)
    assert done.returncode == 2
    assert "gameledger init" in done.stderr


def test_more_clients_than_are_allowed_are_told_so(studio: Path) -> None:
    with serving(studio, limits=Limits(clients=1, quiet_seconds=60)) as (server, _, _):
        place = socket_of(server)
        with connecting(place) as first:
            first.sendall(json.dumps(login(1)).encode() + b"\n")
            assert json.loads(first.makefile("rb").readline())["line"] == 1
            with connecting(place) as second:
                refused = json.loads(second.makefile("rb").readline())
            assert refused["kind"] == "availability"
            assert "1 clients" in refused["text"]


def test_log_that_is_damaged_ends_the_service(
    studio: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving(studio) as (server, ledger, stop):

        def damaged(_: object) -> None:
            raise IntegrityError("the log is damaged")

        monkeypatch.setattr(ledger._log, "append", damaged)
        (answer,) = ask(socket_of(server), login(1))
        assert answer["kind"] == "integrity"
        while not stop.is_set:
            threading.Event().wait(0.01)
        assert isinstance(stop.error, IntegrityError)


def test_command_that_shows_a_bug_is_answered_and_the_others_served_on(
    studio: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    with serving(studio) as (server, ledger, stop):
        place = socket_of(server)
        with monkeypatch.context() as patch:
            patch.setattr(ledger._log, "commands", lambda _: 1 / 0)
            (answer,) = ask(place, login(1))
        assert (answer["status"], answer["kind"]) == ("error", "error")
        assert ask(place, login(1))[0]["status"] == "recorded"
        assert not stop.is_set
    assert "ZeroDivisionError" in capfd.readouterr().err


def test_first_reason_to_stop_counts() -> None:
    stop, error = Stop(), AvailabilityError("away")
    stop(error)
    stop(IntegrityError("later"))
    assert stop.error is error


def _alike(answer: dict[str, object]) -> dict[str, object]:
    """What does not depend on clock and chance; the standby's own events move positions alike."""
    return {name: answer.get(name) for name in ALIKE}


def _assert_recorded(data: Path, receipts: list[dict[str, object]]) -> None:
    with closing(SqliteLog(data, writable=False)) as log:
        verify(log.read())
        hashes = {position: hash_of(message).hex() for position, message in log.read()}
    assert receipts
    for receipt in receipts:
        assert hashes[int(str(receipt["last_position"]))] == receipt["hash"]
