"""Tables made anew from the log are the tables that grew with it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from projection_cases import Chain, ListLog, any_event, money_history, seeded
from projection_faults import FaultError, as_faulty, digests

import schemas
from ledger.core import events as e
from ledger.core.encoding import decode
from ledger.core.errors import InputError, IntegrityError
from projections.store.projector import Projector
from projections.store.rebuild import rebuild

if TYPE_CHECKING:
    from collections.abc import Callable

    from projections.store.tables import Store

HERE = Path(__file__).parents[1]
LANDED = e.BallLanded(round="r-1", number=17)


def test_rebuild_equals_incremental_projection(store: Store) -> None:
    draw, chain = seeded(9), Chain()
    projector = Projector(chain.log(), store, messages_max=40)
    for _ in range(12):
        for name in draw.sample(sorted(schemas.newest()), 8):
            chain.decide(*(any_event(draw, name) for _ in range(draw.randrange(1, 4))))
        projector.catch_up()
    incremental, before = digests(store), store.generation
    done = rebuild(chain.log(), store, messages_max=1_000)
    assert done.head == chain.head
    assert store.generation > before
    assert digests(store) == incremental
    assert as_faulty(store).databases() == 1


def test_reader_finds_the_rebuilt_tables(open_store: Callable[[], Store], chain: Chain) -> None:
    store, reader = open_store(), open_store()
    chain.decide(LANDED)
    Projector(chain.log(), store).catch_up()
    assert reader.position == 1
    rebuild(chain.log(), store)
    assert list(reader.stream("SELECT number FROM BallLanded")) == [{"number": 17}]
    assert reader.value("SELECT number FROM BallLanded") == 17
    assert reader.generation == store.generation


def test_failed_rebuild_leaves_the_old_tables_in_use(store: Store) -> None:
    log = money_history(14, 60).log()
    Projector(log, store).catch_up()
    wanted = digests(store)
    faulty = as_faulty(store)
    faulty.plan(0)
    rebuild(log, faulty, messages_max=20)
    for step in (1, 9, 40):
        faulty.plan(step)
        with pytest.raises(FaultError):
            rebuild(log, faulty, messages_max=20)
        assert digests(store) == wanted
        assert faulty.databases() == 2
    Projector(log, store).catch_up()
    assert faulty.databases() == 1
    faulty.close()


def test_rebuild_refuses_a_log_that_lost_its_end(store: Store, chain: Chain) -> None:
    for _ in range(5):
        chain.decide(LANDED)
    Projector(chain.log(), store).catch_up()
    with pytest.raises(IntegrityError, match="no message at position 4") as error:
        rebuild(ListLog(chain.messages[:4]), store)
    assert error.value.position == 4
    assert store.position == 5


def test_tables_that_lost_rows_are_found(store: Store) -> None:
    chain = money_history(15, 30)
    Projector(chain.log(), store).catch_up()
    name = decode(chain.messages[7]).event.type
    store.command(f"DELETE FROM {name} WHERE position = 7")  # noqa: S608 - own names
    with pytest.raises(IntegrityError, match="the tables hold"):
        Projector(chain.log(), store).catch_up()
    rebuild(chain.log(), store)
    Projector(chain.log(), store).catch_up()


def test_tables_of_other_sql_are_not_extended(store: Store, chain: Chain) -> None:
    chain.decide(LANDED)
    store.command(f"TRUNCATE TABLE {store._name}.generation")
    store.command(f"INSERT INTO {store._name}.generation VALUES ({store.generation}, 'older')")  # noqa: S608 - own names
    with pytest.raises(InputError, match="rebuild"):
        Projector(chain.log(), store).catch_up()
    rebuild(chain.log(), store)
    assert Projector(chain.log(), store).catch_up().head.size == 1
