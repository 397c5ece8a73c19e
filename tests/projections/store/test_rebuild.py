"""Tables made anew from the log are the tables that grew with it."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import schemas
from ledger.core.errors import AuthorizationError, AvailabilityError, InputError, IntegrityError
from ledger.events import event_types as e
from ledger.events.encoding import decode
from projections.store.projector import Projector
from projections.store.rebuild import rebuild
from projections.store.tables import Store
from tests.projections.projection_cases import Chain, ListLog, any_event, money_history, seeded
from tests.projections.projection_faults import FaultError, as_faulty, digests
from tests.search import sample

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

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
    for step in sample((1, 9, 40), 1):
        faulty.plan(step)
        with pytest.raises(FaultError):
            rebuild(log, faulty, messages_max=20)
        assert digests(store) == wanted
        assert faulty.databases() == 2
    Projector(log, store).catch_up()
    assert faulty.databases() == 1
    faulty.close()


@pytest.fixture
def untouched(engine_path: Path, tables: Store) -> Iterator[Store]:
    """Tables just made, which hold nothing."""
    with Store.open(engine_path, name="untouched") as store:
        yield store
        databases = "SELECT name FROM system.databases WHERE startsWith(name, 'untouched')"
        for row in tables.rows(databases):
            tables.command(f"DROP DATABASE {row['name']} SYNC")


def views_for_readers(store: Store) -> set[str]:
    """Databases to which the views for readers are led."""
    sql = (
        "SELECT DISTINCT extract(create_table_query, '(untouched_[0-9]+)[.]') AS led "
        "FROM system.tables WHERE database = 'untouched' AND engine = 'View'"
    )
    return {row["led"] for row in store.rows(sql)}


def test_views_for_readers_lead_to_the_tables_in_use_or_are_not_there(untouched: Store) -> None:
    log = money_history(17, 10).log()
    Projector(log, untouched).catch_up()
    rebuild(log, untouched)
    assert views_for_readers(untouched) == set()
    untouched.make_views_for_readers()
    assert views_for_readers(untouched) == {untouched.database}
    rebuild(log, untouched)
    assert views_for_readers(untouched) == set()
    untouched.make_views_for_readers()
    assert views_for_readers(untouched) == {untouched.database} == {"untouched_3"}


def test_views_with_parameters_are_made_for_who_asks_sql(untouched: Store) -> None:
    """Our own queries put what such a view selects in the place where they name it."""
    log = money_history(17, 10).log()
    Projector(log, untouched).catch_up()
    due = untouched.rows("SELECT * FROM bets(size = 100, account = '') ORDER BY ALL")
    named = f"SELECT * FROM {untouched.database}.bets(size = 100, account = '') ORDER BY ALL"  # noqa: S608 - own names
    with pytest.raises(AvailabilityError):
        untouched.rows(named)
    with closing(untouched.for_readers()) as reader:
        assert reader.query(named).result_rows == [tuple(row.values()) for row in due]
    assert untouched.is_complete


def test_rebuild_names_the_body_that_can_not_be_read(store: Store, chain: Chain) -> None:
    """The message behind it is being inserted when it is found."""
    for _ in range(3):
        chain.decide(LANDED)
    (sound,) = Chain(head=chain.head).decide(LANDED)
    chain.add_raw(sound[:-2])
    for _ in range(3):
        chain.decide(LANDED)
    with pytest.raises(IntegrityError, match="body of message 3") as error:
        rebuild(chain.log(), store, messages_max=1)
    assert error.value.position == 3
    assert store.position == 0


def landed_one_by_one(blocks: int) -> ListLog:
    chain = Chain()
    for _ in range(blocks):
        chain.decide(LANDED)
    return chain.log()


def is_merged(store: Store) -> bool:
    """Ask the engine to merge the parts of a table, which it refuses where merges are held."""
    try:
        store.command("OPTIMIZE TABLE BallLanded FINAL SETTINGS alter_sync = 2")
    except AvailabilityError:
        return False
    return store.parts()["BallLanded"] == 1


def test_parts_are_merged_when_the_new_tables_are_in_use(store: Store) -> None:
    """Twelve parts are more than the engine leaves alone."""
    log, parts = landed_one_by_one(12), 0

    def look(_: object) -> None:
        nonlocal parts
        fresh = f"{store._name}_{store.generation + 1}"
        sql = "SELECT count() FROM system.parts WHERE active AND table = 'BallLanded' "
        parts = store.value(sql + "AND database = {fresh:String}", fresh=fresh)

    rebuild(log, store, messages_max=1, progress=look)
    assert parts == 12
    assert is_merged(store)
    assert store.value("SELECT count() FROM BallLanded") == 12


def test_tables_of_many_parts_are_merged_meanwhile(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[tuple[str, bool]] = []

    def merge(_: Store, table: str, *, is_on: bool) -> None:
        said.append((table, is_on))

    monkeypatch.setattr(Store, "merge", merge)
    monkeypatch.setattr("projections.store.rebuild.PARTS_MAX", 2)
    rebuild(landed_one_by_one(6), store, messages_max=1)
    assert [found for found in said if found[0] == "BallLanded"] == [
        ("BallLanded", False),
        ("BallLanded", True),
    ]


def test_who_may_not_hold_merges_rebuilds_all_the_same(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AuthorizationError("SYSTEM MERGES is not granted")

    monkeypatch.setattr(Store, "merge", refuse)
    log = landed_one_by_one(3)
    assert rebuild(log, store, messages_max=1).head == log.head()
    assert Projector(log, store).catch_up().head == log.head()


def test_merges_that_a_killed_rebuild_held_are_let_go(store: Store) -> None:
    chain = Chain()
    chain.decide(LANDED)
    projector = Projector(chain.log(), store)
    projector.catch_up()
    store.merge("BallLanded", is_on=False)
    for _ in range(24):
        chain.decide(LANDED)
        projector.catch_up()
    assert not is_merged(store)
    Projector(chain.log(), store).catch_up()
    assert is_merged(store)


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
