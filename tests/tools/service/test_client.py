"""Commands through a writer's address: the same answers, sent again after a broken line."""

from __future__ import annotations

import json
import signal
import socket
import threading
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from ledger.core.errors import AuthorizationError, AvailabilityError, InputError
from ledger.decisions.payments.payments import Deposit
from ledger.events.encoding import hash_of
from ledger.log.memory import MemoryLog
from ledger.log.sqlite import SqliteLog
from ledger.verification.verify import verify
from tests.tools.cli_cases import answers, bet, login, run
from tests.tools.witness_cases import watched
from tests.tools.writer_cases import Writer
from tools.service.client import LedgerClient, Timeouts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

LINES = 400


@pytest.fixture
def start(studio: Path) -> Iterator[Callable[[str], Writer]]:
    """Start a writer at the path of a socket."""
    started: list[Writer] = []

    def start_one(address: str) -> Writer:
        started.append(Writer(studio, "--listen", address, environment={}))
        return started[-1]

    yield start_one
    for writer in started:
        writer.kill()


def test_commands_that_write_go_through_the_writer(
    studio: Path, start: Callable[[str], Writer]
) -> None:
    address = f"unix:{studio}/writer.sock"
    writer = start(address)
    writer.wait_for("leading")
    through = ("--writers", address)
    direct = run("record", data=studio, lines=[bet(1)])
    assert direct.returncode == 4
    done = run(*through, "record", data=studio, lines=[bet(1), "nonsense", bet(1)])
    assert [one["status"] for one in answers(done)] == ["recorded", "error", "error"]
    assert [one["line"] for one in answers(done)] == [1, 2, 3]
    assert done.returncode == 2
    with watched(studio) as policy:
        asking = ("--witness-policy", str(policy))
        note = run(*through, "log", "checkpoint", *asking, "--json", data=studio)
    assert note.returncode == 0, note.stderr
    assert json.loads(note.stdout)["witnessed"] is True
    assert json.loads(note.stdout)["size"] > answers(done)[0]["last_position"]
    erased = run(*through, "person", "erase", "a-1", data=studio)
    assert erased.returncode == 5
    writer.send_signal(signal.SIGTERM)
    assert writer.wait() == 0
    verified = json.loads(run("log", "verify", *asking, "--json", data=studio).stdout)
    assert (verified["checkpoints"], verified["witnessed"]) == (1, verified["covered"])


def test_lines_survive_the_change_of_the_leader(
    studio: Path, start: Callable[[str], Writer]
) -> None:
    """Kill -9 while lines are on their way; each is decided once, without the caller's doing."""
    addresses = [f"unix:{studio}/{number}.sock" for number in range(2)]
    leader = start(addresses[0])
    leader.wait_for("leading")
    start(addresses[1]).wait_for("standby")
    with LedgerClient(addresses, lambda: SqliteLog(studio, writable=False)) as remote:
        futures = [
            remote.submit(Deposit(account="a-1", deposit=f"r{n}", amount=100, method="card-1"))
            for n in range(LINES)
        ]
        futures[LINES // 4].result()
        leader.kill()
        receipts = [future.result() for future in futures]
        assert remote.chain == "test"
        assert remote.head.size > receipts[-1].last_position
    with closing(SqliteLog(studio, writable=False)) as log:
        verify(log.read())
        hashes = {position: hash_of(message).hex() for position, message in log.read()}
    assert all(hashes[one.last_position] == one.hash for one in receipts)
    assert len({one.last_position for one in receipts}) == LINES
    assert [one.last_position for one in receipts] == sorted(one.last_position for one in receipts)


def test_nobody_who_leads_is_not_available_and_a_repeat_is_safe(tmp_path: Path) -> None:
    address = f"unix:{tmp_path}/absent"
    with LedgerClient([address], MemoryLog, patience=Timeouts(total=0.3)) as remote:
        with pytest.raises(AvailabilityError, match=f"{address}.*send again"):
            remote.execute(Deposit(account="a", deposit="d", amount=1, method="m"))
        with pytest.raises(InputError, match="no chain"):
            _ = remote.chain
    with pytest.raises(AvailabilityError, match="closed"):
        remote.submit(Deposit(account="a", deposit="d", amount=1, method="m"))


def test_fenced_writer_and_full_writer_are_left_for_the_next(tmp_path: Path) -> None:
    """Both hang up after saying so; nothing that was sent to them counts as answered."""
    wrong = [
        {"line": 1, "status": "error", "kind": "fenced", "text": "another writer took over"},
        {"line": 0, "status": "error", "kind": "availability", "text": "too many clients"},
        {"line": 1, "status": "error", "kind": "authorization", "text": "not for you"},
    ]
    seen: list[bytes] = []
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(tmp_path / "socket"))
        listening.listen()

        def serve() -> None:
            for answer in wrong:
                connection, _ = listening.accept()
                with connection:
                    seen.append(connection.makefile("rb").readline())
                    connection.sendall(json.dumps(answer).encode() + b"\n")

        thread = threading.Thread(target=serve)
        thread.start()
        with (
            LedgerClient([f"unix:{tmp_path}/socket"], MemoryLog) as remote,
            pytest.raises(AuthorizationError),
        ):
            remote.execute(Deposit(account="a", deposit="d", amount=1, method="m"))
        thread.join()
    assert len(seen) == 3
    assert len(set(seen)) == 1
    assert json.loads(seen[0])["command_id"]


@pytest.mark.parametrize("wrong", ["somewhere", "127.0.0.1:7411", "localhost:7411", "unix"])
def test_address_of_a_writer_that_is_none_is_an_input_error(studio: Path, wrong: str) -> None:
    done = run("--writers", wrong, "record", data=studio, lines=[login(1)])
    assert done.returncode == 2
    assert "give https://host:port, or unix:/path" in done.stderr
