"""As in production: the log in Kafka, the tables on a server that `project --follow` fills."""

from __future__ import annotations

import csv
import io
import shutil
import signal
from contextlib import closing
from http import HTTPStatus
from typing import TYPE_CHECKING
from uuid import uuid4

import pytest
from fastapi.testclient import TestClient

from ledger.events import event_types as e
from ledger.events.encoding import decode, decode_envelope
from ledger.log.index.tag_index import message_of
from ledger.log.port import Query, events_at
from ledger.log.sqlite import SqliteLog
from tests.projections.clickhouse_double import ClickHouseDouble
from tests.tools.access.access_cases import LANGUAGE
from tests.tools.cli_cases import started
from tests.waiting import PATIENCE_SECONDS, until
from tools.access.app import application
from tools.access.serving import open_service
from tools.data import DataDirectory
from tools.data.locations import Locations

if TYPE_CHECKING:
    from pathlib import Path

    from ledger.core.message import Message
    from ledger.log.port import Log
    from tools.workshop.broker import Cluster

TOKEN = "t" * 43
BATCH = 500


def append(log: Log, messages: list[Message]) -> None:
    """Append whole decisions, some hundreds of messages at a time."""
    batch: list[Message] = []
    for message in messages:
        if len(batch) >= BATCH and decode_envelope(message.body).decision_index == 0:
            log.append(batch)
            batch = []
        batch.append(message)
    log.append(batch)


def rounds_in(log: Log) -> list[str]:
    found = events_at(log, log.find(Query(types=("RoundOpened",))))
    return [one.event.round for one in found if isinstance(one.event, e.RoundOpened)]


@pytest.mark.slow
def test_readers_follow_a_log_in_kafka_that_another_process_projects(
    broker: Cluster, played: Path, tmp_path: Path
) -> None:
    """The second half of an evening is recorded while the service is open."""
    with closing(SqliteLog(played, writable=False)) as source:
        messages = [message_of(*item) for item in source.read()]
        names = rounds_in(source)
    half = next(
        at
        for at in range(len(messages) // 2, len(messages))
        if isinstance(decode(messages[at].body).event, e.RoundOpened)
        and decode_envelope(messages[at].body).decision_index == 0
    )
    data, url = tmp_path / "data", broker.url(uuid4().hex)
    data.mkdir()
    shutil.copytree(played / "keys", data / "keys")
    with ClickHouseDouble(tmp_path / "engine").running() as double:
        places = Locations(log=url, clickhouse=double.url("gameledger"))
        environment = {
            "GAMELEDGER_LOG": url,
            "GAMELEDGER_CLICKHOUSE": str(places.clickhouse),
        }
        directory = DataDirectory(data, places)
        with closing(directory.open_log(writable=True)) as log:
            append(log, messages[:half])
            with started("project", "--follow", data=data, environment=environment) as follower:
                with open_service(DataDirectory(data, places), token=TOKEN) as (desk, trial):
                    assert trial is not None
                    sources = desk.sources
                    client = TestClient(application(desk), headers=LANGUAGE)
                    client.headers["Authorization"] = f"Bearer {TOKEN}"
                    until(lambda: sources.is_ready and sources.projected.size == half)
                    shown = client.get(f"/rounds/{names[0]}")
                    assert shown.status_code == HTTPStatus.OK, shown.text
                    missing = client.get(f"/rounds/{names[-1]}")
                    assert missing.status_code == HTTPStatus.NOT_FOUND
                    append(log, messages[half:])
                    until(lambda: sources.projected == log.head())
                    for address in ("/", "/rounds", f"/rounds/{names[-1]}"):
                        assert names[-1] in client.get(address).text, address
                    given = client.get("/api/views/reader_rounds?form=csv")
                    assert given.headers["Gameledger-Position"] == str(len(messages))
                    lines = csv.DictReader(io.StringIO(given.text, newline=""))
                    assert sorted(line["round"] for line in lines) == sorted(names)
                    assert desk.chain.checkpoint().size > len(("/", "/rounds", "round", "csv"))
                follower.send_signal(signal.SIGTERM)
                assert follower.wait(PATIENCE_SECONDS) == 0
