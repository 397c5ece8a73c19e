"""Leader and standby on a real broker: killed, paused, ended, while clients send."""

from __future__ import annotations

import signal
import time
from collections import Counter
from contextlib import ExitStack, closing
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

from ledger.events.encoding import decode_envelope, hash_of
from ledger.log.kafka.log import KafkaLog
from ledger.verification.verify import verify
from tests.search import amount
from tests.tools.cli_cases import run, studio
from tests.tools.writer_cases import Client, Writer, ask

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tools.workshop.broker import Cluster

LEASE_SECONDS = 6
CLIENTS = 3
STALL_SECONDS_MAX = 120
NOT_AVAILABLE, FENCED = 4, 6
LOGOUT = {"command": "log_out", "account": "a-1"}


class Pair:
    """Two writers of one topic, each with a folder of its own, and the keys that they share."""

    def __init__(self, url: str, folder: Path, stack: ExitStack) -> None:
        self.url = url
        self.addresses = [folder / f"{number}.sock" for number in range(2)]
        self.environment = {"GAMELEDGER_LOG": url, "GAMELEDGER_KEYS": str(folder / "keys")}
        self.folders = [folder / "one", folder / "two"]
        self._stack = stack
        self.writers = [self.start(0)]
        self.writers[0].wait_for("leading")
        self.writers.append(self.start(1))

    def start(self, which: int) -> Writer:
        """Start one of the two; it leads or stands by."""
        writer = Writer(
            self.folders[which],
            "--listen",
            f"unix:{self.addresses[which]}",
            "--lease-seconds",
            str(LEASE_SECONDS),
            environment=self.environment,
        )
        self._stack.callback(writer.kill)
        return writer

    def restart(self, which: int) -> None:
        self.writers[which] = self.start(which)
        self.writers[which].wait_for("standby")


@pytest.fixture
def pair(broker: Cluster, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Pair]:
    url = broker.url(f"writer-{abs(hash(request.node.name))}")
    options = ("--log", url, "--keys", str(tmp_path / "keys"))
    begun = ("init", "--operator", "26493993", "--name", "Test", "--chain", "test")
    assert run(*options, *begun, data=tmp_path / "one").returncode == 0
    done = run(*options, "record", data=tmp_path / "one", lines=studio())
    assert done.returncode == 0, done.stdout
    with ExitStack() as stack:
        yield Pair(url, tmp_path, stack)


@pytest.mark.slow
def test_killed_leaders_lose_no_receipt_and_double_none(pair: Pair, tmp_path: Path) -> None:
    """Kill -9 and SIGTERM in turn under load; the other takes over; every receipt is there once."""
    with ExitStack() as stack:
        clients = [
            stack.enter_context(Client(pair.addresses, f"client-{number}"))
            for number in range(CLIENTS)
        ]
        leader = 0
        for how in (signal.SIGKILL, signal.SIGTERM, signal.SIGKILL)[: amount(2, 3)]:
            _send_for_a_while(clients)
            pair.writers[leader].send_signal(how)
            code = pair.writers[leader].wait()
            assert code == (0 if how == signal.SIGTERM else -signal.SIGKILL)
            pair.writers[1 - leader].wait_for("leading")
            pair.restart(leader)
            leader = 1 - leader
        _send_for_a_while(clients)
        for client in clients:
            client.finish()
    _check(pair.url, tmp_path, clients)


@pytest.mark.slow
def test_paused_leader_is_fenced_and_stops_with_its_own_code(pair: Pair, tmp_path: Path) -> None:
    """SIGSTOP past the lease: the standby leads; awake again, the old leader must not write.

    The new leader is fenced in its turn by a writer that asks for no lease at all.
    """
    pair.writers[1].wait_for("standby")
    with pytest.raises(FileNotFoundError):
        ask(pair.addresses[1], LOGOUT)
    with Client(pair.addresses, "client") as client:
        _send_for_a_while([client])
        pair.writers[0].send_signal(signal.SIGSTOP)
        pair.writers[1].wait_for("leading")
        _send_for_a_while([client])
        pair.writers[0].send_signal(signal.SIGCONT)
        assert pair.writers[0].wait() == FENCED
        _send_for_a_while([client])
        client.finish()
    assert "FencedError" in pair.writers[0].words
    options = ("--log", pair.url, "--keys", str(tmp_path / "keys"))
    careful = run(*options, "record", data=tmp_path / "three", lines=[LOGOUT])
    assert careful.returncode == NOT_AVAILABLE
    assert "--writers" in careful.stderr
    KafkaLog(pair.url, tmp_path / "three", writable=True).close()
    (answer,) = ask(pair.addresses[1], LOGOUT)
    assert answer["kind"] == "fenced"
    assert pair.writers[1].wait() == FENCED
    _check(pair.url, tmp_path, [client])


def _send_for_a_while(clients: list[Client]) -> None:
    """Wait until every client has had some answers more."""
    wanted = [len(client.acknowledged) + 20 for client in clients]
    deadline = time.monotonic() + STALL_SECONDS_MAX
    while any(
        len(client.acknowledged) < count for client, count in zip(clients, wanted, strict=True)
    ):
        assert time.monotonic() < deadline, [client.errors[-3:] for client in clients]
        time.sleep(0.05)


def _check(url: str, folder: Path, clients: list[Client]) -> None:
    """Compare the receipts with the chain; print what came of it."""
    with closing(KafkaLog(url, folder / "reader", writable=False)) as log:
        messages = [message for _, message in log.read()]
        verify(log.read())
    hashes = {position: hash_of(message).hex() for position, message in enumerate(messages)}
    envelopes = [decode_envelope(message) for message in messages]
    decided = Counter(one.command_id for one in envelopes if not one.decision_index)
    receipts = [answer for client in clients for answer in client.acknowledged.values()]
    lost = [one for one in receipts if hashes.get(one["last_position"]) != one["hash"]]
    doubled = [identifier for identifier, count in decided.items() if count > 1]
    stall = max(
        after - before for client in clients for before, after in pairwise(client.answered_at)
    )
    print(  # noqa: T201 - the figures of the test
        f"acknowledged {len(receipts)}, lost {len(lost)}, doubled {len(doubled)}, "
        f"sent again {sum(client.resent for client in clients)}, longest stall {stall:.1f} s"
    )
    assert not lost
    assert not doubled
    assert len({one["command_id"] for one in receipts}) == len(receipts)
    assert sum(client.resent for client in clients) > 0
    assert stall < STALL_SECONDS_MAX
