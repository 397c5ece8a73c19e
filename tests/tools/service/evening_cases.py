"""An evening played twice, with the same seed, clock and identifiers of commands.

Once by the ledger in the process, and once through the client and the writer's port over HTTP.
Nothing but the way of the commands differs, so the chains must not.
"""

from __future__ import annotations

from collections import deque
from contextlib import ExitStack, closing
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import UUID

import msgspec

from ledger.log.sqlite import SqliteLog
from ledger.log.standby import LockStandby
from tools.service.address import Address
from tools.service.authentication import ClientAuthenticator
from tools.service.client import LedgerClient
from tools.service.command_intake import Service
from tools.service.http.serving import HttpListener
from tools.service.leader_health import LeaderHealth
from tools.service.limits import Limits
from tools.service.metrics import Metrics
from tools.service.stop import Stop
from tools.service.tracing import Tracing
from tools.simulator import SAZKA, create, run

if TYPE_CHECKING:
    from concurrent.futures import Future

    from ledger.core.message import Head
    from ledger.events.command import Command
    from ledger.writer import Ledger, Receipt
    from tools.simulator import Summary

__all__ = ["EveningComparison", "compare_evenings"]

SEED = 1


class EveningComparison(NamedTuple):
    directly: Summary
    over_http: Summary


def compare_evenings(folder: Path, *, hours: float, players: int) -> EveningComparison:
    """Play an evening of all games directly and over HTTP, each in a folder of its own."""
    with _begun(folder / "directly") as ledger:
        directly = _played(_NumberedCommands(ledger), hours, players)
    with ExitStack() as stack:
        ledger = stack.enter_context(_begun(folder / "over-http"))
        http = stack.enter_context(
            closing(HttpListener(Address("127.0.0.1", 0), ClientAuthenticator()))
        )
        http.lead(
            Service(
                ledger,
                ClientAuthenticator(),
                Limits(),
                stop := Stop(),
                lambda *_: None,
                metrics := Metrics(),
                Tracing(),
                LeaderHealth(LockStandby(Path()), stop, lambda *_, **__: None, metrics),
            )
        )
        client = stack.enter_context(LedgerClient([http.url]))
        over_http = _played(_ThroughHttp(ledger, client), hours, players)
    return EveningComparison(directly, over_http)


def _begun(folder: Path) -> Ledger:
    folder.mkdir()
    return create(SqliteLog(folder, writable=True), folder / "keys", seed=SEED)


def _played(ledger: Any, hours: float, players: int) -> Summary:
    return run(ledger, seed=SEED, hours=hours, players=players, dealt=SAZKA)


class _NumberedCommands:
    """A ledger in the process that gives commands sequential identifiers."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ledger
        self.chain, self.checkpoint = ledger.chain, ledger.checkpoint
        self._numbers = count(1)

    @property
    def head(self) -> Head:
        return self.ledger.head

    def submit(self, command: Command, *, at: int) -> Future[Receipt]:
        return self.ledger.submit(self._numbered(command), at=at)

    def _numbered(self, command: Command) -> Command:
        return msgspec.structs.replace(command, command_id=UUID(int=next(self._numbers)))


class _RecordedMoments:
    """A clock that returns for each command the time given with it."""

    def __init__(self, first: int) -> None:
        self.given, self._last = deque[int](), first

    def now(self) -> int:
        self._last = self.given.popleft() if self.given else self._last
        return self._last


class _ThroughHttp(_NumberedCommands):
    """The same ledger behind a client, which sends all waiting commands in one request."""

    def __init__(self, ledger: Ledger, client: LedgerClient) -> None:
        super().__init__(ledger)
        self._client = client
        self._clock = ledger._clock = _RecordedMoments(ledger._clock.now())

    def submit(self, command: Command, *, at: int) -> Future[Receipt]:
        self._clock.given.append(at)
        return self._client.submit(self._numbered(command))
