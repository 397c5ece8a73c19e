"""A server that does not keep what it said: the projector notices, and repairs or refuses."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ledger.core.errors import AvailabilityError, IntegrityError
from projections.store.clickhouse import ClickHouseServer
from projections.store.projector import Projector
from projections.store.tables import Store
from tests.projections.clickhouse_double import ClickHouseDouble
from tests.projections.projection_cases import Chain, money_event, money_history, seeded

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture(scope="module")
def double(engine_path: Path) -> Iterator[ClickHouseDouble]:
    with ClickHouseDouble(engine_path).running() as served:
        yield served


@pytest.fixture
def served(double: ClickHouseDouble, spare: str) -> Iterator[Store]:
    with Store.open(ClickHouseServer.parse(double.url(spare))) as store:
        yield store
    double.only_claim = double.be_unclear = lambda _: False


def rows_of(store: Store) -> dict[str, tuple[int, int]]:
    """Number of rows and sum of positions of each table."""
    return store.counted(store.tables_with_position(), 0)


ROWS, WATERMARK = "INSERT INTO DepositCredited ", "INSERT INTO watermark "
KINDS = ("DepositCredited", "WithdrawalDebited")
"""Few, because each table costs the engine 50 ms when it is repaired."""
DONE, NOT_DONE, CLAIMED = "unclear, and done", "unclear, and not done", "claimed, and not done"
FAULTS = tuple((what, how) for how in (DONE, NOT_DONE, CLAIMED) for what in (ROWS, WATERMARK))


def test_what_a_server_leaves_open_or_only_claims_is_repaired(
    store: Store, served: Store, double: ClickHouseDouble
) -> None:
    """An insert of unknown status, a quorum that is not there; at rows and at the watermark."""
    history, draw = Chain(), seeded(47)
    while history.head.size < 60:
        if type(event := money_event(draw)).__name__ in KINDS:
            history.decide(event)
    log = history.log()
    Projector(log, store).catch_up()
    left = list(FAULTS)
    now: list[str] = []

    def claim(text: str) -> bool:
        now[:] = [left.pop(0)[1]] if left and text.startswith(left[0][0]) else []
        return now in ([NOT_DONE], [CLAIMED])

    double.only_claim, double.be_unclear = claim, lambda _: now in ([DONE], [NOT_DONE])
    projector = Projector(log, served, messages_max=20)
    failed = 0
    for _ in range(2 * len(FAULTS)):
        try:
            projected = projector.catch_up().head
        except AvailabilityError:
            failed += 1
    assert not left
    assert failed == len(FAULTS)
    assert projected == log.head()
    assert rows_of(served) == rows_of(store)


@pytest.mark.parametrize("table", ["DepositCredited", "postings"])
@pytest.mark.parametrize("is_restarted", [True, False])
def test_part_that_is_lost_later_is_missed_at_the_next_watermark(
    served: Store, table: str, *, is_restarted: bool
) -> None:
    """A running projector and one that starts write nothing on top of what is damaged."""
    history = money_history(48, 40)
    log = history.log()
    projector = Projector(log, served, messages_max=40)
    before = projector.catch_up().head
    parts = served.rows(
        "SELECT name FROM system.parts WHERE database = currentDatabase() AND active "
        "AND table = {table:String} ORDER BY rows LIMIT 1",
        table=table,
    )
    served.command(f"ALTER TABLE {table} DROP PART '{parts[0]['name']}'")
    if is_restarted:
        projector = Projector(log, served)
    else:
        history.decide(money_event(seeded(49)))
        with pytest.raises(AvailabilityError, match="repeat, which repairs or names it"):
            projector.catch_up()
    with pytest.raises(IntegrityError, match="the tables are damaged, not the log"):
        projector.catch_up()
    assert served.head == before
