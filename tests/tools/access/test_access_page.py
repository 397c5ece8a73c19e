"""The questions of docs/access.md, asked in each of its ways: the answers are the same."""

from __future__ import annotations

import csv
import os
import re
import subprocess
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any
from unittest import mock

import pytest
import uvicorn

from projections.store.tables import Store
from tools.access.pages import MENU

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.tools.access.access_cases import Service

PAGE = Path(__file__).parents[3] / "docs" / "access.md"
SECTION = PAGE.read_text(encoding="utf-8").partition("## Three questions")[2].partition("\n## ")[0]
CURL, PANDAS, CLICKHOUSE = re.findall(r"```\w+\n(.*?)```", SECTION, re.DOTALL)


def test_every_page_that_the_menu_leads_to_is_listed() -> None:
    listed = PAGE.read_text(encoding="utf-8").partition("## Pages")[2].partition("\n## ")[0]
    addresses = [address for entries in MENU.values() for address, *_ in entries]
    assert [address for address in addresses if f"`{address}`" not in listed] == []


class Server(uvicorn.Server):
    """Tells where it listens."""

    address = ""

    async def startup(self, sockets: Any = None) -> None:
        await super().startup(sockets)
        self.address = f"http://127.0.0.1:{self.servers[0].sockets[0].getsockname()[1]}"


@pytest.fixture(scope="module")
def asked(service: Service) -> Iterator[dict[str, str]]:
    """A server, somebody who may ask it, and a participant; the tables have views for readers."""
    with Store.open(service.data / "projection") as store:
        store.make_views_for_readers()
    server = Server(uvicorn.Config(service.client.app, port=0, lifespan="off", log_config=None))
    thread = Thread(target=server.run)
    thread.start()
    while not server.address:
        thread.join(0.01)
        assert thread.is_alive()
    (bet, *_) = service.get("/api/bets").json()["answer"]["bets"]
    yield {
        "LEDGER": server.address,
        "TOKEN": service.tokens["regulator"],
        "ACCOUNT": bet["account"],
        "TABLES": str(service.data / "projection"),
    }
    server.should_exit = True
    thread.join()


def read(file: Path, *columns: str) -> set[tuple[str, ...]]:
    with file.open(encoding="utf-8", newline="") as lines:
        return {tuple(row[name] for name in columns) for row in csv.DictReader(lines)}


def as_text(rows: Any) -> set[tuple[str, ...]]:
    return {tuple(str(value) for value in row) for row in rows}


def test_the_answers_are_the_same_whichever_way_they_are_asked(
    asked: dict[str, str], tmp_path: Path
) -> None:
    environment = {**os.environ, **asked}
    subprocess.run(["/bin/sh", "-ec", CURL], cwd=tmp_path, env=environment, check=True)  # noqa: S603 - our page
    by_curl = (
        read(tmp_path / "rounds.csv", "game", "rounds"),
        read(tmp_path / "bets.csv", "bet", "stake", "paid"),
        read(tmp_path / "money.csv", "kind", "amount"),
    )
    answers: list[dict[str, Any]] = []
    for code in (PANDAS, CLICKHOUSE):
        with mock.patch.dict(os.environ, asked):
            answers.append({})
            exec(compile(code, PAGE, "exec"), answers[-1])  # noqa: S102 - our page
    frames, results = answers
    assert by_curl == tuple(
        as_text(results[name].result_rows) for name in ("rounds", "bets", "money")
    )
    assert by_curl == (
        as_text(frames["rounds"].items()),
        as_text(frames["bets"][["bet", "stake", "paid"]].itertuples(index=False)),
        as_text(frames["money"].items()),
    )
    assert all(by_curl)
    frames["ledger"].close()
