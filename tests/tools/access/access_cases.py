"""The service over a small evening, in this process: requests go through the whole application."""

from __future__ import annotations

import os
import shutil
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from typing import TYPE_CHECKING, Any
from unittest import mock

from cli_cases import run_here
from starlette.testclient import TestClient

from ledger.core.clock import DAY, SystemClock, from_datetime
from ledger.log.port import Query
from tools.access.app import application
from tools.access.management import add_reader
from tools.access.scopes import ROLES
from tools.access.serving import open_desk
from tools.data import DataDirectory
from tools.data.locations import LOCAL

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from httpx import Response

    from tools.access.desk import Desk

__all__ = ["Service", "evening"]

READY_SECONDS_MAX = 180
LANGUAGE = {"Accept-Language": "en"}


def evening(data: Path) -> Path:
    """Play a small evening."""
    done = run_here(
        "simulate", "--seed", "11", "--hours", "0.05", "--players", "8", "--games", "all", data=data
    )
    assert done.returncode == 0, done.stderr
    return data


@dataclass
class Service:
    """A running service: its desk, a token for each role, and a client without any cookie.

    ``copy`` is the same chain for the command line, which has tables of its own.
    """

    data: Path
    copy: Path
    desk: Desk
    tokens: dict[str, str]
    client: TestClient

    @classmethod
    @contextmanager
    def over(cls, data: Path) -> Iterator[Service]:
        copy = shutil.copytree(data, data.with_name("copy"))
        with (
            mock.patch.dict(os.environ, {"GAMELEDGER_CACHE": str(data / "cache")}),
            open_desk(DataDirectory(data, LOCAL)) as (desk, _),
        ):
            app = application(desk)
            assert desk.sources.wait_until_ready(READY_SECONDS_MAX), desk.sources.fault
            service = cls(data, copy, desk, {}, cls.browser(app))
            for role in ROLES:
                service.add(role, role)
            yield service

    def add(self, name: str, role: str) -> None:
        """Add a reader; ``get`` and the tokens know it by its name."""
        now = SystemClock().now()
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
        """Digests of the chain, of the keys and of every table; the chain of accesses is not in."""
        files = [self.data / "log.sqlite", *sorted((self.data / "keys").iterdir())]
        found: dict[str, object] = {
            str(file): sha256(file.read_bytes()).hexdigest() for file in files
        }
        with self.desk.sources.store() as store:
            for table in store.tables():
                rows = f"SELECT count(), groupBitXor(cityHash64(*)) FROM {table}"  # noqa: S608
                found[table] = store.rows(rows)
        return found

    def last_answer(self) -> int:
        """Position of the last answer in the chain of accesses."""
        (last,) = self.desk.chain.newest(Query(types=("AccessRecorded",)), 1)
        return last.position

    def accesses(self) -> int:
        """Size of the chain of accesses."""
        return self.desk.chain.checkpoint().size


def moment(text: str) -> int:
    return from_datetime(datetime.fromisoformat(text).replace(tzinfo=UTC))
