"""Who sends deposits to writers that are killed meanwhile, and what came of it."""

from __future__ import annotations

import signal
import threading
import time
from collections import Counter
from itertools import count
from typing import TYPE_CHECKING, Any
from uuid import UUID

import httpx

from ledger.decisions.payments.payments import Deposit
from ledger.events.encoding import decode, hash_of
from ledger.verification.verify import verify
from tests.tools.cli_cases import PROGRAM, command
from tests.tools.writer_cases import SECONDS_MAX, Writer, free_port
from tools.service.client import LedgerClient, Timeouts

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from contextlib import ExitStack
    from pathlib import Path

    from ledger.log.port import ReadableLog

WINDOW = 20
NUMBERS = count()


def deposit(name: str) -> Deposit:
    return Deposit(account="a-1", deposit=name, amount=100, method="card-1")


class Pair:
    """Two writers of one chain that serve HTTP; each can be killed and begun anew."""

    def __init__(
        self,
        folders: Sequence[Path],
        stack: ExitStack,
        *arguments: str,
        environment: dict[str, str] | None = None,
        program: Sequence[str] = PROGRAM,
    ) -> None:
        self.ports = [free_port() for _ in range(2)]
        self.urls = [f"http://127.0.0.1:{port}" for port in self.ports]
        self._folders, self._stack = folders, stack
        self._arguments, self._environment = arguments, environment or {}
        self._program = program
        self.writers = [self._start(0)]
        self.writers[0].wait_for("leading")
        self.writers.append(self._start(1))

    def _start(self, which: int) -> Writer:
        places = ("--listen", f"unix:{self._folders[which]}/{which}.sock")
        http = ("--http", f"127.0.0.1:{self.ports[which]}")
        writer = Writer(
            self._folders[which],
            *places,
            *http,
            *self._arguments,
            environment=self._environment,
            program=self._program,
        )
        self._stack.callback(writer.kill)
        return writer

    def upgrade(self, program: Sequence[str]) -> None:
        """Begin the standby anew with another program, stop the leader in order, and it too."""
        self._program = program
        for which in (1, 0):
            old = self.writers[which]
            old.send_signal(signal.SIGTERM)
            assert old.wait() == 0, old.words
            if not which:
                self.writers[1].wait_for("leading")
            self.writers[which] = self._start(which)
            self.writers[which].wait_for("standby")

    def kill_leader(self, which: int) -> None:
        """Kill -9 the one that leads, wait for the other to lead, and begin the first again."""
        self.writers[which].kill()
        self.writers[1 - which].wait_for("leading")
        self.writers[which] = self._start(which)


class Sender:
    """Sends deposits through a client until told to stop; keeps what was acknowledged."""

    def __init__(self, name: str, urls: list[str], stop: threading.Event) -> None:
        self.acknowledged: dict[str, tuple[int, str]] = {}
        self.failure: BaseException | None = None
        self._name, self._urls, self._stop = name, urls, stop
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def join(self) -> None:
        self._thread.join(SECONDS_MAX)
        assert not self._thread.is_alive(), f"{self._name} got no answer"
        if self.failure is not None:
            raise self.failure

    def _run(self) -> None:
        try:
            self.send()
        except BaseException as error:  # noqa: BLE001 - raised again by join
            self.failure = error

    def send(self) -> None:
        with LedgerClient(self._urls, patience=Timeouts(total=SECONDS_MAX)) as ledger:
            while not self._stop.is_set():
                names = [f"{self._name}-{next(NUMBERS)}" for _ in range(WINDOW)]
                futures = [ledger.submit(deposit(name)) for name in names]
                for name, future in zip(names, futures, strict=True):
                    receipt = future.result()
                    self.acknowledged[name] = (receipt.last_position, receipt.hash)


class OneByOne(Sender):
    """The same as a program would that has nothing but HTTP: one command, one key, again."""

    again = 0

    def send(self) -> None:
        with httpx.Client(timeout=SECONDS_MAX) as client:
            while not self._stop.is_set():
                number = next(NUMBERS)
                name, key = f"{self._name}-{number}", str(UUID(int=1 << 100 | number))
                answer = self._sent(client, name, key)
                self.acknowledged[name] = (answer["last_position"], answer["hash"])

    def _sent(self, client: httpx.Client, name: str, key: str) -> Any:
        document = command("deposit", account="a-1", deposit=name, amount=100, method="card-1")
        for turn in count():
            try:
                found = client.post(
                    f"{self._urls[turn % 2]}/v1/commands",
                    json=document,
                    headers={"Idempotency-Key": key},
                )
            except httpx.TransportError:
                found = None
            if found is not None and found.status_code == httpx.codes.CREATED:
                return found.json()
            assert found is None or found.status_code == httpx.codes.SERVICE_UNAVAILABLE, found.text
            self.again += 1
            time.sleep(0.02)
        raise AssertionError("count does not end")


def require_once(log: ReadableLog, acknowledged: Mapping[str, tuple[int, str]]) -> None:
    """Require that each deposit is in the chain once, where its receipt says."""
    verify(log.read())
    recorded = dict(log.read())
    names = Counter(
        event.deposit
        for message in recorded.values()
        if hasattr(event := decode(message).event, "deposit")
    )
    assert all(names[name] == 1 for name in acknowledged)
    assert max(names.values()) == 1
    assert {
        position: hash_of(recorded[position]).hex() for position, _ in acknowledged.values()
    } == dict(acknowledged.values())
