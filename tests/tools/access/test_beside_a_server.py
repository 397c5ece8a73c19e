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
from tools.access.serving import open_service
from tools.data import DataDirectory
from tools.data.locations import Locations

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

PATIENCE_SECONDS = 120


def waited_for(is_so: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not is_so() and time.monotonic() < deadline:
        time.sleep(0.05)
    return is_so()


@pytest.mark.slow
def test_a_server_that_is_away_is_waited_for(played: Path, tmp_path: Path) -> None:
    """Without tables, then away, then back: the service is not started again for any of it."""
    data = shutil.copytree(played, tmp_path / "data", symlinks=True)
    with ClickHouseDouble(tmp_path / "engine").running() as double:
        url = double.url("gameledger")
        double.lose_answer = lambda _: True
        with open_service(DataDirectory(data, Locations(clickhouse=url))) as (desk, _):
            sources = desk.sources
            assert waited_for(lambda: sources.fault is not None)
            assert not sources.is_ready
            with closing(SqliteLog(data, writable=False)) as log:
                double.lose_answer = lambda _: False
                with Store.open(url) as store:
                    Projector(log, store).catch_up()
                assert waited_for(lambda: sources.projected == log.head() and sources.is_ready)
            with sources.store() as store:
                found = list_rounds(store, limit=10).rounds
            assert found == sources.lines.newest(sources.projected.size, 10)
            double.lose_answer = lambda _: True
            assert waited_for(lambda: sources.fault is not None)
            with pytest.raises(AvailabilityError), sources.store():
                pass
            double.lose_answer = lambda _: False
            assert waited_for(lambda: sources.is_ready)
            with sources.store() as store:
                assert list_rounds(store, limit=10).rounds == found
