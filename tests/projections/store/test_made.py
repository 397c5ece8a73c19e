"""A table is made with the first row or question that needs it, and never again."""

from __future__ import annotations

from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

import schemas
from ledger.core.errors import AvailabilityError, IntegrityError
from ledger.events import event_types as e
from projections.store import installed_tables
from projections.store.definitions import definitions, named_in, needed, statements
from projections.store.projector import Projector
from projections.store.rebuild import is_due, is_of, rebuild
from projections.store.tables import Store
from tests.projections.projection_cases import Chain, any_event, money_history, seeded

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

LANDED = e.BallLanded(round="r-1", number=17)
BEGINNING = {"made", "watermark"}


@pytest.fixture
def fresh(engine_path: Path, tables: Store) -> Iterator[Store]:
    """Tables of which none but the first are made."""
    with Store.open(engine_path, name="fresh") as store:
        yield store
    for row in tables.rows("SELECT name FROM system.databases WHERE startsWith(name, 'fresh')"):
        tables.command(f"DROP DATABASE {row['name']} SYNC")


def there(store: Store) -> set[str]:
    sql = "SELECT name FROM system.tables WHERE database = currentDatabase()"
    return {row["name"] for row in store.rows(sql)}


def test_a_table_is_there_with_all_that_is_filled_from_it(fresh: Store, chain: Chain) -> None:
    assert there(fresh) == BEGINNING
    chain.decide(LANDED)
    Projector(chain.log(), fresh).catch_up()
    assert there(fresh) == BEGINNING | {"BallLanded"}
    chain.decide(any_event(seeded(1), "DepositCredited"))
    Projector(chain.log(), fresh).catch_up()
    of_deposits = {"DepositCredited", "postings", "postings_of_deposit_credited"}
    assert there(fresh) == BEGINNING | {"BallLanded"} | of_deposits
    assert fresh.is_complete
    rebuild(chain.log(), fresh)
    assert there(fresh) == BEGINNING | {"BallLanded"} | of_deposits
    assert fresh.value("SELECT count() FROM postings") == 2


@pytest.mark.parametrize(
    "ask",
    [
        Store.rows,
        Store.stream,
        Store.blocks,
        Store.batches,
        partial(Store.written, form="CSV"),
    ],
)
def test_a_question_makes_what_it_names(fresh: Store, ask: Callable[..., Any]) -> None:
    asked = "SELECT position, longest_play FROM WheelSpun JOIN operator_figures ON 1"
    assert list(ask(fresh, asked)) == []
    assert there(fresh) == BEGINNING | {"WheelSpun", "OperatorRulesPublished", "operator_figures"}
    assert fresh.value("SELECT count() FROM postings") == 0
    with pytest.raises(AvailabilityError):
        fresh.rows("SELECT * FROM Unknown")


def test_what_a_crash_left_half_made_is_made_whole(fresh: Store, chain: Chain) -> None:
    """The table of the event is there, and not yet what is filled from it."""
    fresh.command(needed(frozenset({"DepositCredited"}))["DepositCredited"])
    chain.decide(any_event(seeded(1), "DepositCredited"))
    Projector(chain.log(), fresh).catch_up()
    assert fresh.value("SELECT count() FROM postings") == 2


@pytest.mark.parametrize(
    ("kind", "found"),
    [
        ("TABLE postings", "the tables hold 1 rows and held 3 at the watermark"),
        ("VIEW postings_of_deposit_credited", "postings_of_deposit_credited was there and is lost"),
    ],
)
def test_what_is_lost_is_not_made_again(
    fresh: Store, engine_path: Path, chain: Chain, kind: str, found: str
) -> None:
    chain.decide(any_event(seeded(1), "DepositCredited"))
    Projector(chain.log(), fresh).catch_up()
    assert fresh.is_complete
    fresh.command(f"DROP {kind} SYNC")
    assert not fresh.is_complete
    chain.decide(any_event(seeded(2), "DepositCredited"))
    with Store.open(engine_path, name="fresh") as store:
        if "postings_of" not in kind:
            with pytest.raises(IntegrityError, match="postings was there and is lost"):
                store.rows("SELECT * FROM postings")
        with pytest.raises(IntegrityError, match=found):
            Projector(chain.log(), store).catch_up()
        rebuild(chain.log(), store)
        assert store.value("SELECT count() FROM postings") == 4
        assert store.is_complete


def test_other_tables_of_a_chain_find_what_they_lack(fresh: Store, engine_path: Path) -> None:
    """What one has made and noted is not lost for another that looked before."""
    chain = Chain()
    chain.decide(LANDED)
    with Store.open(engine_path, name="fresh") as store:
        assert store.value("SELECT count() FROM BallLanded") == 0
        chain.decide(any_event(seeded(1), "DepositCredited"))
        Projector(chain.log(), fresh).catch_up()
        assert store.value("SELECT count() FROM DepositCredited") == 1
        chain.decide(any_event(seeded(2), "DepositCredited"))
        Projector(chain.log(), store).catch_up()
        assert fresh.value("SELECT count() FROM postings") == 4
        assert fresh.is_complete


def test_without_its_notes_nothing_is_made_again(
    fresh: Store, engine_path: Path, chain: Chain
) -> None:
    chain.decide(any_event(seeded(1), "DepositCredited"))
    Projector(chain.log(), fresh).catch_up()
    fresh.command("DROP TABLE made SYNC")
    fresh.command("DROP TABLE postings SYNC")
    with Store.open(engine_path, name="fresh") as store:
        for _ in range(2):
            with pytest.raises(IntegrityError, match="postings was there and is lost"):
                store.value("SELECT count() FROM postings")
        rebuild(chain.log(), store)
        assert store.value("SELECT count() FROM postings") == 2


def test_notes_that_can_not_be_read_are_no_licence(
    fresh: Store, engine_path: Path, chain: Chain, monkeypatch: pytest.MonkeyPatch
) -> None:
    chain.decide(any_event(seeded(1), "DepositCredited"))
    Projector(chain.log(), fresh).catch_up()
    fresh.command("DROP TABLE postings SYNC")
    with Store.open(engine_path, name="fresh") as store:
        with monkeypatch.context() as broken:
            broken.setattr(installed_tables, "NOTES", "SELECT * FROM no_such_table")
            with pytest.raises(AvailabilityError):
                store.value("SELECT count() FROM postings")
        with pytest.raises(IntegrityError, match="postings was there and is lost"):
            store.value("SELECT count() FROM postings")


def test_every_view_is_asked_of_a_chain_that_begins(fresh: Store) -> None:
    """What a question needs is made whatever was asked before."""
    values = {"Int64": "0", "String": "''"}
    for view in definitions():
        if view.is_view:
            given = ", ".join(f"{name} = {values[kind]}" for name, kind in view.parameters)
            named = f"{view.name}({given})" if given else view.name
            fresh.rows(f"SELECT * FROM {named} LIMIT 1")  # noqa: S608 - own names


@pytest.mark.parametrize("name", ["watermark", "ChainOpened"])
def test_what_tells_of_older_tables_needs_nothing_else(name: str) -> None:
    """An update asks them of tables that another SQL made, before it makes them anew."""
    assert needed(frozenset({name})).keys() == {name}


def test_tables_of_an_older_version_are_asked_until_they_are_made_anew(
    fresh: Store, engine_path: Path
) -> None:
    """They had all tables from the start, and another `installed_tables`."""
    log = money_history(5, 40).log()
    Projector(log, fresh).catch_up()
    fresh.provide(*schemas.newest(), "operator_figures")
    registry = fresh.database.rsplit("_", 1)[0]
    fresh.command("DROP TABLE made SYNC")
    fresh.command("CREATE TABLE made (engine String, tables UInt64) ENGINE = MergeTree ORDER BY ()")
    fresh.command(f"TRUNCATE TABLE {registry}.generation")
    older = f"INSERT INTO {registry}.generation VALUES ({fresh.generation}, 'older')"  # noqa: S608 - own names
    fresh.command(older)
    with Store.open(engine_path, name="fresh") as store:
        assert not store.is_current
        assert is_of(log, store)
        assert is_due(log, store)
        assert store.value("SELECT count() FROM LimitSet") >= 0
        rebuild(log, store)
        assert store.is_current
        assert store.is_complete


def test_all_that_is_filled_is_needed_by_what_fills_it() -> None:
    for statement in statements():
        if statement.startswith("CREATE MATERIALIZED VIEW "):
            sources = named_in(statement)
            for source in sources & schemas.newest().keys():
                assert statement in needed(frozenset({source})).values()
                assert sources <= needed(frozenset({source})).keys()


@contextmanager
def restarted(store: Store, engine_path: Path) -> Iterator[Store]:
    """Open the tables as the engine has them when it has just started."""
    for word in ("DETACH", "ATTACH"):
        store.command(f"{word} DATABASE {store.database}")
    with Store.open(engine_path, name="fresh") as opened:
        yield opened


def engines(store: Store) -> dict[str, str]:
    """Return the engine of each table; of one that is not loaded it has another name."""
    sql = "SELECT name, engine FROM system.tables WHERE database = currentDatabase()"
    return {row["name"]: row["engine"] for row in store.rows(sql)}


def test_a_question_loads_the_tables_that_it_names(
    fresh: Store, engine_path: Path, chain: Chain
) -> None:
    for event in (LANDED, any_event(seeded(1), "DepositCredited")):
        chain.decide(event)
    Projector(chain.log(), fresh).catch_up()
    with restarted(fresh, engine_path) as store:
        assert store.value("SELECT count() FROM postings") == 2
        found = engines(store)
        assert (found["postings"], found["BallLanded"]) == ("MergeTree", "TableProxy")
        assert store.tables_with_position() >= {"BallLanded", "DepositCredited", "postings"}
        assert store.is_complete


def test_a_table_that_only_a_question_made_does_not_count_as_filled(
    fresh: Store, engine_path: Path, chain: Chain
) -> None:
    asked = "SELECT count() FROM WheelSpun JOIN BallLanded USING position"
    assert fresh.value(asked) == 0
    chain.decide(any_event(seeded(1), "DepositCredited"))
    Projector(chain.log(), fresh).catch_up()
    chain.decide(LANDED)
    Projector(chain.log(), fresh).catch_up()
    filled = {"BallLanded", "DepositCredited", "postings"}
    assert fresh.tables_with_position() == filled
    with restarted(fresh, engine_path) as store:
        assert "WheelSpun" in engines(store)
        assert store.tables_with_position() == filled
        assert store.value(asked) == 0
        assert store.tables_with_position() == filled
        assert store.is_complete


LEFT = (
    "INSERT INTO BallLanded SELECT * REPLACE (3 AS position) FROM BallLanded LIMIT 1",
    "INSERT INTO postings SELECT * REPLACE (3 AS position) FROM postings LIMIT 1",
)


@pytest.mark.parametrize("left", [LEFT[:1], LEFT])
def test_what_a_crash_left_is_deleted_from_tables_that_were_not_loaded(
    fresh: Store, engine_path: Path, chain: Chain, left: tuple[str, ...]
) -> None:
    """One of them was asked before, which loads it for reading alone."""
    for event in (LANDED, any_event(seeded(1), "DepositCredited"), LANDED):
        chain.decide(event)
    Projector(chain.log(), fresh).catch_up()
    whole = fresh.counted({"BallLanded", "postings"}, 0)
    for statement in left:
        fresh.command(statement)
    with restarted(fresh, engine_path) as store:
        assert store.value("SELECT count() FROM BallLanded") == 3
        assert Projector(chain.log(), store).catch_up().head.size == 3
        assert "TableProxy" not in engines(store).values()
        assert store.counted({"BallLanded", "postings"}, 0) == whole
        assert store.parts().keys() >= whole.keys()
