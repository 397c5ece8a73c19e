"""With the tables on a ClickHouse server, here a stand-in: another process fills them."""

from __future__ import annotations

import shutil
import time
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from ledger.core.errors import AvailabilityError
from ledger.log.sqlite import SqliteLog
from projections.replay.rounds import list_rounds
from projections.store.projector import Projector
from projections.store.tables import Store
from tests.projections.clickhouse_double import ClickHouseDouble
from tests.tools.cli_cases import run
from tests.waiting import until
from tools.access import sources as sources_module
from tools.access.serving import open_service
from tools.data import DataDirectory
from tools.data.locations import Locations

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.slow
def test_a_server_that_is_away_is_waited_for(played: Path, tmp_path: Path) -> None:
    """Without tables, then away, then back: the service is not started again for any of it."""
    data = shutil.copytree(played, tmp_path / "data", symlinks=True)
    with ClickHouseDouble(tmp_path / "engine").running() as double:
        url = double.url("gameledger")
        double.lose_answer = lambda _: True
        with open_service(DataDirectory(data, Locations(clickhouse=url))) as (desk, _):
            sources = desk.sources
            until(lambda: sources.fault is not None)
            assert not sources.is_ready
            with closing(SqliteLog(data, writable=False)) as log:
                double.lose_answer = lambda _: False
                with Store.open(url) as store:
                    Projector(log, store).catch_up()
                until(lambda: sources.projected == log.head() and sources.is_ready)
            with sources.store() as store:
                found = list_rounds(store, limit=10).rounds
            assert found == sources.lines.newest(sources.projected.size, 10)
            double.lose_answer = lambda _: True
            until(lambda: sources.fault is not None)
            with pytest.raises(AvailabilityError), sources.store():
                pass
            double.lose_answer = lambda _: False
            until(lambda: sources.is_ready)
            with sources.store() as store:
                assert list_rounds(store, limit=10).rounds == found


@pytest.mark.slow
def test_of_two_servers_the_one_with_the_higher_watermark_is_queried(
    played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One lags and the other goes away: no answer rests on fewer messages than an earlier one."""
    monkeypatch.setattr(sources_module, "LAG_SECONDS", 0.2)
    data = shutil.copytree(played, tmp_path / "data", symlinks=True)
    engine = tmp_path / "engine"
    with ClickHouseDouble(engine).running() as first, ClickHouseDouble(engine).running() as second:
        urls = first.url("first"), second.url("second")
        with closing(SqliteLog(data, writable=False)) as log, Store.open(urls[0]) as behind:
            Projector(log, behind).catch_up()
            early = log.head()
            assert run("log", "checkpoint", "--new-key", "first", data=data).returncode == 0
            with Store.open(urls[1]) as store:
                Projector(log, store).catch_up()
            places = Locations(clickhouse=",".join(urls))
            with open_service(DataDirectory(data, places)) as (service, _):
                sources = service.sources
                until(lambda: sources.is_ready)
                assert sources.projected == log.head() != early
                with sources.store() as store:
                    assert store.database == "second_1"
                second.lose_answer = lambda _: True
                until(lambda: not sources.is_ready)
                time.sleep(1)
                assert not sources.is_ready, "the other server is behind what was answered"
                Projector(log, behind).catch_up()
                until(lambda: sources.is_ready)
                with sources.store() as store:
                    assert store.database == "first_1"
                    assert store.head == log.head()
                assert sources.projected == log.head()
