"""Two servers with a projector each: which one is queried, and whether they hold the same rows.

No server runs here: ``clickhouse_double`` describes the stand-in.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ledger.core.errors import AvailabilityError, InputError
from projections.store.clickhouse import ClickHouseServer
from projections.store.projector import Projector
from projections.store.servers import compare, open_newest
from projections.store.tables import Store
from tests.projections.clickhouse_double import ClickHouseDouble
from tests.projections.projection_cases import money_history

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

NAMES = ("left", "right")


@pytest.fixture
def doubles(engine_path: Path, tables: Store) -> Iterator[list[ClickHouseDouble]]:
    with (
        ClickHouseDouble(engine_path).running() as one,
        ClickHouseDouble(engine_path).running() as two,
    ):
        yield [one, two]
    for row in tables.rows(
        "SELECT name FROM system.databases WHERE match(name, '^(left|right)(_[0-9]+)?$')"
    ):
        tables.command(f"DROP DATABASE {row['name']} SYNC")


@pytest.fixture
def servers(doubles: list[ClickHouseDouble]) -> list[ClickHouseServer]:
    return [
        ClickHouseServer.parse(double.url(name))
        for double, name in zip(doubles, NAMES, strict=True)
    ]


def test_server_with_the_higher_watermark_is_opened(
    doubles: list[ClickHouseDouble], servers: list[ClickHouseServer]
) -> None:
    history = money_history(3, 80)
    with pytest.raises(InputError, match="project --follow"):
        open_newest(servers)
    for server, count in zip(servers, (60, 80), strict=True):
        with Store.open(server) as store:
            Projector(money_history(3, count).log(), store).catch_up()
    with open_newest(servers) as newest:
        assert (newest.database, newest.head) == ("right_1", history.log().head())
    doubles[1].lose_answer = lambda _: True
    with open_newest(servers) as newest:
        assert newest.database == "left_1"
    doubles[0].lose_answer = lambda _: True
    with pytest.raises(AvailabilityError):
        open_newest(servers)


def test_comparison_names_the_tables_that_differ_below_both_watermarks(
    servers: list[ClickHouseServer],
) -> None:
    """One projector is ahead, which is no difference; a value, a row more and a row less are."""
    log = money_history(3, 60).log()
    for server, further in zip(servers, (60, 80), strict=True):
        with Store.open(server) as store:
            Projector(log, store).catch_up()
            Projector(money_history(3, further).log(), store, messages_max=7).catch_up()
    head, (left, right) = compare(servers)
    assert head == log.head()
    assert left == right
    assert {"postings", "WithdrawalPaid"} <= left.keys()
    spoiled = {
        "WithdrawalPaid": "ALTER TABLE WithdrawalPaid UPDATE amount = amount + 1 "
        "WHERE position = (SELECT min(position) FROM WithdrawalPaid) SETTINGS mutations_sync = 2",
        "postings": "INSERT INTO postings SELECT * FROM postings ORDER BY position LIMIT 1",
        "BetPlaced": "DELETE FROM BetPlaced WHERE position < 60",
    }
    with Store.open(servers[0]) as store:
        for sql in spoiled.values():
            store.command(sql)
    _, (left, right) = compare(servers)
    assert {name for name in left | right if left.get(name) != right.get(name)} == set(spoiled)
