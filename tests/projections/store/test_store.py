"""The store: who may open it, and what its answers are."""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import schemas
from ledger.core.errors import AvailabilityError, InputError
from ledger.events import event_types as e
from ledger.log import Head
from projections.reconciliation.checks import views_of_findings
from projections.store.connection import Connector
from projections.store.definitions import definitions, statements
from projections.store.projector import Projector
from projections.store.reader_views import OWN
from projections.store.rebuild import rebuild
from projections.store.tables import Store
from tests.projections.projection_cases import Chain, any_event, seeded

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


HERE = Path(__file__).parents[1]
LANDED = e.BallLanded(round="r-1", number=17)


def test_second_process_gets_a_clear_error(engine_path: Path) -> None:
    code = f"from projections.store.tables import Store; Store.open({str(engine_path)!r})"
    other = subprocess.run(  # noqa: S603 - our own script
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
        env={"PYTHONPATH": str(HERE.parent.parent), "PATH": "/usr/bin:/bin"},
    )
    assert other.returncode == 1
    assert "AvailabilityError" in other.stderr
    assert "is in use by another process (process " in other.stderr
    assert "URL of a ClickHouse server" in other.stderr


def test_second_directory_in_one_process_gets_a_clear_error(store: Store, tmp_path: Path) -> None:
    assert store.position == 0
    with pytest.raises(AvailabilityError, match="already works with another"):
        Store.open(tmp_path / "other")


def test_server_that_is_away_is_not_available() -> None:
    with pytest.raises(AvailabilityError):
        Store.open("http://127.0.0.1:9")


def test_name_that_is_no_database_is_refused(engine_path: Path) -> None:
    with pytest.raises(InputError):
        Store.open(engine_path, name="a; DROP DATABASE b")


def test_databases_of_others_are_not_dropped(engine_path: Path) -> None:
    """A rebuild on a server drops its own old tables, not what happens to have such a name."""
    theirs = {"shared_2024", "shared_20241231235959"}
    with Store.open(engine_path, name="shared") as store:
        for name in theirs:
            store.command(f"CREATE DATABASE {name}")
        with store.new_generation() as fresh:
            assert fresh.generation == 2025
            fresh.activate()
        store.refresh()
        store.drop_unused()
        names = {row["name"] for row in store.rows("SELECT name FROM system.databases")}
        assert {name for name in names if name.startswith("shared_")} == {*theirs, "shared_2025"}
        for name in theirs:
            store.command(f"DROP DATABASE {name}")


def test_stream_leaves_the_connection_usable(store: Store, chain: Chain) -> None:
    for number in range(10):
        chain.decide(e.BallLanded(round="r", number=number))
    Projector(chain.log(), store).catch_up()
    rows = store.stream("SELECT number FROM BallLanded ORDER BY position")
    assert next(rows) == {"number": 0}
    assert store.value("SELECT count() FROM BallLanded") == 10
    assert [row["number"] for row in rows] == list(range(1, 10))


@pytest.mark.parametrize(
    "ask",
    [
        Store.stream,
        Store.blocks,
        Store.batches,
        partial(Store.written, form="CSV"),
        partial(Store.written, form="JSONEachRow"),
    ],
)
def test_an_answer_without_end_begins(store: Store, ask: Callable[..., Iterator[Any]]) -> None:
    """What would hold all of an answer ends here with too much time or memory."""
    endless = "SELECT number FROM system.numbers SETTINGS max_execution_time = 10"
    with closing(ask(store, endless)) as found:
        assert next(found)
    assert store.position == 0


def test_a_connection_is_opened_once_for_streams_and_clones_one_after_another(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One whose stream was left before its end is not used again."""
    opened: list[Connector] = []
    monkeypatch.setattr(
        Connector,
        "__call__",
        lambda self, open_=Connector.__call__: opened.append(self) or open_(self),
    )
    many = "SELECT number FROM numbers(1000000)"
    for asked in (1, 1, 1):
        assert list(store.stream("SELECT 1 AS one")) == [{"one": 1}]
        with store.clone() as other:
            assert other.value("SELECT 2") == 2
        assert len(opened) == asked
    next(store.stream(many))
    with store.clone() as one, store.clone(max_execution_time=60) as other:
        assert one.value("SELECT 3") == other.value("SELECT 3") == 3
    assert len(opened) == 3
    assert store.value("SELECT getSetting('max_execution_time')") == 0
    with store.clone() as one:
        assert one.value("SELECT toInt64(getSetting('max_execution_time'))") == 0
    assert len(opened) == 3


def test_error_of_the_engine_is_sorted(store: Store) -> None:
    with pytest.raises(AvailabilityError, match="ClickHouse did not do it"):
        store.rows("SELECT number FROM no_such_table")
    with pytest.raises(AvailabilityError):
        list(store.stream("SELECT number FROM no_such_table"))


def test_hash_that_ends_in_zeros_survives(store: Store) -> None:
    head = Head(3, b"\x01" * 30 + b"\x00\x00")
    store.set_head(head, 0)
    assert store.head == head


def test_readers_ask_views_whose_names_stay_and_find_what_is_below_the_watermark(
    store: Store, chain: Chain
) -> None:
    chain.decide(*(any_event(seeded(1), name) for name in ("BetPlaced", "AccountOpened")))
    Projector(chain.log(), store).catch_up()
    store.make_views_for_readers()
    registry = store.database.rsplit("_", 1)[0]
    sql = f"SELECT position FROM {registry}.reader_bet_placed"  # noqa: S608 - own name
    assert store.rows(sql) == [{"position": 0}]
    rebuild(chain.log(), store)
    store.make_views_for_readers()
    assert store.rows(sql) == [{"position": 0}]
    opened = store.rows(f"SELECT * FROM {registry}.reader_account_opened")[0]  # noqa: S608 - own
    personal = {
        field["name"] for field in schemas.newest()["AccountOpened"].facts if "personal" in field
    }
    assert personal
    assert personal.isdisjoint(opened)
    store.command("TRUNCATE TABLE watermark")
    assert store.rows(sql) == []


def test_questions_have_views_whose_names_stay(
    engine_path: Path, store: Store, chain: Chain
) -> None:
    """Asked from another database, as readers do; what finds all findings asks their views."""
    events = ("BetPlaced", "BetConcluded", "RoundOpened", "ComplaintFiled")
    chain.decide(*(any_event(seeded(1), name) for name in events))
    Projector(chain.log(), store).catch_up()
    store.make_views_for_readers()
    registry = store.database.rsplit("_", 1)[0]
    of_findings = {view.name for view in views_of_findings()}
    views = {one.name: "account" in dict(one.parameters) for one in definitions() if one.is_view}
    with closing(Connector(engine_path)()) as reader:

        def answer(view: str) -> Any:
            return reader.query(f"SELECT * FROM {registry}.reader_{view} ORDER BY ALL").result_rows  # noqa: S608 - own name

        found = {view: answer(view) for view in views if view not in {*of_findings, *OWN}}
        for view in ("bets", "rounds", "cases"):
            account = ", account = ''" if views[view] else ""
            due = store.rows(f"SELECT * FROM {view}(size = 4{account}) ORDER BY ALL")  # noqa: S608 - own name
            assert found[view] == [tuple(row.values()) for row in due]
            assert due
        assert {row[:-1] for row in answer("bet_findings")} <= set(found["findings"])
        rebuild(chain.log(), store)
        store.make_views_for_readers()
        assert answer("bets") == found["bets"]
        store.command("TRUNCATE TABLE watermark")
        assert answer("bets") == []


def test_tables_and_columns_say_what_they_mean(store: Store) -> None:
    store.provide(*schemas.newest())
    comments = store.rows(
        "SELECT table, name, comment FROM system.columns WHERE database = currentDatabase()"
    )
    found = {(row["table"], row["name"]): row["comment"] for row in comments}
    for schema in schemas.newest().values():
        for field in schema.raw["fields"]:
            assert found[schema.name, field["name"]] == field["doc"]


FILLING = "^(postings|lines)_of_|^facts_of_.*_from_"
"""Views that only fill a table."""


def test_all_that_can_be_asked_has_a_comment(store: Store) -> None:
    """Views that only fill a table are not asked."""
    store.make_views_for_readers()
    ours = {"names": [store.database, store.database.rsplit("_", 1)[0]]}
    asked = f"database IN {{names:Array(String)}} AND NOT match({{name}}, '{FILLING}')"
    tables = asked.replace("{name}", "name")
    columns = asked.replace("{name}", "table")
    count = "SELECT count() FROM system.{} WHERE {}"
    assert store.value(count.format("tables", tables), **ours) > 2 * len(schemas.newest())
    for kind, where in (("tables", tables), ("columns", columns)):
        sql = f"SELECT * FROM system.{kind} WHERE {where} AND comment = ''"  # noqa: S608 - own
        assert not store.rows(sql, **ours)


def test_views_are_declared_as_they_are(store: Store) -> None:
    """The engine keeps the columns of a view with parameters nowhere but in its statement.

    In place of its name, what it selects has the same.
    """
    store.make_views_for_readers()
    found = {one.name: one for one in definitions()}
    made = [re.match(r"CREATE (TABLE|VIEW) IF NOT EXISTS (\w+)", text) for text in statements()]
    assert list(found) == [match[2] for match in made if match]
    for view in found.values():
        values = {"Int64": "0", "String": "''"}
        given = ", ".join(f"{name} = {values[kind]}" for name, kind in view.parameters)
        named = f"{view.name}{f'({given})' if given else ''}"
        for asked in (f"TABLE {named}", f"(SELECT * FROM {named})"):  # noqa: S608 - own names
            rows = store.rows(f"DESCRIBE {asked}")
            assert [(row["name"], row["type"]) for row in rows] == [one[:2] for one in view.columns]
        assert view.meaning
        assert all(column.meaning for column in view.columns)


def test_findings_are_those_of_all_views_of_findings() -> None:
    (text,) = (text for text in statements() if " EXISTS findings\n" in text)
    views = {one.name for one in definitions() if one.name.endswith("_findings")}
    assert set(re.findall(r"FROM (\w+)\(", text)) == views
    assert {view.name for view in views_of_findings()} == views


@pytest.mark.parametrize("sql", ["SELECT * FROM bets", "SELECT count() FROM bets"])
def test_a_question_without_its_parameter_is_an_input_error(store: Store, sql: str) -> None:
    store.make_views_for_readers()
    with pytest.raises(InputError, match=r"docs/sql\.md"):
        store.rows(sql)


def test_rows_are_never_in_a_temporary_file(
    store: Store, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "missing"))
    chain = Chain()
    chain.decide(LANDED)
    Projector(chain.log(), store).catch_up()
    assert store.value("SELECT count() FROM BallLanded") == 1
