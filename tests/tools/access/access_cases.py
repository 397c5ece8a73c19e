"""The service over a small evening, in this process: requests go through the whole application."""

from __future__ import annotations

import os
import re
import shutil
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from typing import TYPE_CHECKING, Any
from unittest import mock

from starlette.testclient import TestClient

from ledger.core.clock import DAY, SECOND, StoppedClock, SystemClock, from_datetime
from ledger.decisions.findings import handling
from ledger.decisions.operator.keys import RecordClock
from ledger.events import event_types as e
from ledger.events.encoding import decode_envelope
from ledger.log.port import Query
from projections.reconciliation.reconcile import examine_on
from tests.projections.history_cases import filled
from tests.tools.cli_cases import run_here
from tools.access import examiner, serving
from tools.access.app import application
from tools.access.changes import COMPARED
from tools.access.management import add_reader
from tools.access.scopes import ROLES
from tools.access.serving import open_service
from tools.cli._project import up_to_date
from tools.data import DataDirectory
from tools.data.examination_cache import MAINTAINED, Examination, store_examination
from tools.data.locations import LOCAL

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager
    from pathlib import Path

    from httpx import Response

    from ledger.core.clock import Clock
    from ledger.events.command import Command
    from ledger.events.encoding import RecordedEvent
    from tools.access.access_service import AccessService

__all__ = ["CHANGES", "HANDLED", "Service"]
__all__ += ["evening", "examine", "handled", "last_moment", "record"]

READY_SECONDS_MAX = 180
LANGUAGE = {"Accept-Language": "en"}
HANDLED = "0123456789abcdef"
"""Name of the finding of :func:`handled`."""
KIND = re.compile(r"/(\w+)s/\{name\}")
CHANGES = {
    f"/changes{one.path}": KIND.sub(r"/\1s/{\1}", f"/changes{one.path}?from=200")
    .replace("{one_day}", "2026-11-20")
    .replace("{period}", "2026-11")
    for one in COMPARED
}
"""Addresses of the pages of changes by their patterns, with the names of tests."""


def evening(data: Path, *, seed: int = 11, hours: float = 0.05, players: int = 8) -> Path:
    """Play a small evening."""
    size = ("--seed", str(seed), "--hours", str(hours), "--players", str(players))
    done = run_here("simulate", *size, "--games", "all", data=data)
    assert done.returncode == 0, done.stderr
    return data


def caching_in(data: Path) -> AbstractContextManager[object]:
    """Let answers be kept in the data directory, and be copied with it."""
    return mock.patch.dict(os.environ, {"GAMELEDGER_CACHE": str(data / "cache")})


def examine(data: Path) -> None:
    """Project a chain and keep its findings for the services over copies of it."""
    directory = DataDirectory(data, LOCAL)
    with caching_in(data), up_to_date(directory) as (store, _):
        examined = examine_on(store, now=SystemClock().now())
        store_examination(directory, Examination(*examined), MAINTAINED)


def handled(data: Path, *, is_closed: bool = True) -> Path:
    """Let a chain have a finding with both sides that is closed, and one that nobody recorded."""
    by = {"finding": HANDLED, "by": "risk"}
    raised = handling.RaisedFinding(
        finding=HANDLED,
        fingerprint="f" * 16,
        code="AMOUNT_DIFFERS",
        about="d-77",
        shown_at=3,
        account="a-0001",
        amount=700,
        paragraph="SAZKA 14(1)",
        ours=handling.RaisedSide(reference="d-77", amount=10_000, at=1, position=3),
        theirs=handling.RaisedSide(
            reference="<E2E>", amount=9_300, position=4, statement="kb-2026-11", line=12
        ),
    )
    commands = (
        handling.NoteFindings(raised=(raised,)),
        handling.AssignFinding(assignee="cage-2", reason="The day's cashier.", **by),
        handling.ExplainFinding(explanation="The bank kept <b>7 CZK</b>.", **by),
        handling.CommentFinding(comment="Asked the bank.", **by),
        *((handling.CloseFinding(reason="Paid back.", evidence="R 12/2026", **by),) * is_closed),
        RecordClock(source_of_time="ntp", skew=3 * SECOND, uncertainty=0),
    )
    record(data, *commands)
    return data


def last_moment(data: Path) -> int:
    """Return the moment of the last record of a chain, in microseconds."""
    with closing(DataDirectory(data, LOCAL).read()) as log:
        ((_, last),) = log.read(log.head().size - 1, log.head().size)
    return decode_envelope(last).recorded_at


def record(data: Path, *commands: Command) -> None:
    """Record commands behind the last message, whatever the time is here."""
    clock = StoppedClock(last_moment(data) + 1)
    with DataDirectory(data, LOCAL).write(clock=clock) as ledger:
        for command in commands:
            assert ledger.execute(command).refused is None


@dataclass
class Service:
    """A running service: its desk, a token for each role, and a client without any cookie.

    ``copy`` is the same chain for the command line, which has tables of its own.
    """

    data: Path
    copy: Path
    desk: AccessService
    tokens: dict[str, str]
    client: TestClient

    @classmethod
    @contextmanager
    def over(cls, data: Path, clock: Clock | None = None) -> Iterator[Service]:
        """Open the service; it examines a chain that grew at once, without a rest before.

        It goes on from what :func:`examine` kept. A silent chain is not judged again. With a
        clock it judges at another moment than now: an evening of a fixed day has more that is
        late each week.
        """
        copy = shutil.copytree(data, data.with_name("copy"), symlinks=True)
        directory = DataDirectory(data, LOCAL)
        with ExitStack() as stack:
            stack.enter_context(caching_in(data))
            for kept in (data / "cache").glob("*"):
                kept.rename(directory.cache)
            stack.enter_context(mock.patch.object(examiner, "REST_SECONDS", (0.0, 0.0)))
            stack.enter_context(mock.patch.object(examiner, "JUDGED_AGAIN", DAY))
            if clock is not None:
                stack.enter_context(mock.patch.object(serving, "SystemClock", return_value=clock))
            desk, _ = stack.enter_context(open_service(directory))
            app = application(desk)
            assert desk.sources.wait_until_ready(READY_SECONDS_MAX), desk.sources.fault
            service = cls(data, copy, desk, {}, cls.browser(app))
            for role in ROLES:
                service.add(role, role)
            yield service

    def add(self, name: str, role: str) -> None:
        """Add a reader; ``get`` and the tokens know it by its name."""
        now = self.desk.clock.now()
        given = add_reader(
            self.desk.chain,
            self.desk.readers,
            f"the-{name}",
            roles=(role,),
            expires_at=now + DAY,
            certificate=None,
            now=now,
            actor="test",
        )
        self.tokens[name] = given.token

    @staticmethod
    def browser(app: Any) -> TestClient:
        """A browser that keeps cookies; over https, because they are for nothing else."""
        return TestClient(
            app,
            base_url="https://ledger.example",
            headers=LANGUAGE,
            follow_redirects=False,
            raise_server_exceptions=False,
        )

    def new_browser(self) -> TestClient:
        """Another one, which knows nothing."""
        return self.browser(self.client.app)

    def get(self, address: str, role: str = "regulator", **more: Any) -> Response:
        """Ask for an address as a reader of a role."""
        headers = {"Authorization": f"Bearer {self.tokens[role]}", **more.pop("headers", {})}
        return self.client.get(address, headers=headers, **more)

    def state(self) -> dict[str, object]:
        """Digests of the chain, of the keys and of all rows; the chain of accesses is not in.

        A question may make a table, which holds no row.
        """
        files = [self.data / "log.sqlite", *sorted((self.data / "keys").iterdir())]
        found: dict[str, object] = {
            str(file): sha256(file.read_bytes()).hexdigest() for file in files
        }
        with self.desk.sources.store() as store:
            for table in filled(store):
                sql = f"SELECT count() AS rows, groupBitXor(cityHash64(*)) AS digest FROM {table}"  # noqa: S608
                (found[table],) = store.rows(sql)
        return found

    def last_answer(self) -> int:
        """Position of the last answer in the chain of accesses."""
        return self._last_recorded().position

    def last_access(self) -> e.AccessRecorded:
        """Return what the record says of the last answer."""
        event = self._last_recorded().event
        assert isinstance(event, e.AccessRecorded)
        return event

    def last_parameters(self) -> str:
        """Return the parameters of the last answer, opened."""
        return self.desk.chain.parameters(self.last_access())

    def _last_recorded(self) -> RecordedEvent:
        (last,) = self.desk.chain.newest(Query(types=("AccessRecorded",)), 1)
        return last

    def accesses(self) -> int:
        """Size of the chain of accesses."""
        return self.desk.chain.checkpoint().size


def moment(text: str) -> int:
    return from_datetime(datetime.fromisoformat(text).replace(tzinfo=UTC))
