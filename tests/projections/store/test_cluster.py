"""Tables on several servers: what is said to them. What they make of it no test here shows."""

from __future__ import annotations

import re
from itertools import count
from typing import TYPE_CHECKING

import pytest

from ledger.core.errors import InputError
from projections.store.clickhouse import ClickHouseServer
from projections.store.cluster import on_cluster
from projections.store.connection import CLUSTER_SETTINGS, NEWER_SETTINGS
from projections.store.definitions import statements_in
from projections.store.projector import Projector
from projections.store.reader_views import reader_views
from projections.store.rebuild import rebuild
from projections.store.tables import Store
from tests.projections.clickhouse_double import ClickHouseDouble
from tests.projections.projection_cases import money_history
from tests.projections.projection_faults import digests

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

NUMBERS = count(1)
DEFINES = re.compile(r"\s*(CREATE|DROP|KILL|RENAME|EXCHANGE|ATTACH|DETACH|TRUNCATE|SYSTEM)\b")
ARGUMENTS = "'/clickhouse/tables/{uuid}/{shard}', '{replica}'"


@pytest.fixture(scope="module")
def double(engine_path: Path) -> Iterator[ClickHouseDouble]:
    with ClickHouseDouble(engine_path).running() as served:
        yield served


@pytest.fixture
def server(double: ClickHouseDouble, engine_path: Path) -> Iterator[ClickHouseServer]:
    name = f"clustered_{next(NUMBERS)}"
    double.shards = [3]
    double.queries.clear()
    double.settings.clear()
    yield ClickHouseServer.parse(f"{double.url(name)}?cluster=main")
    with Store.open(engine_path, name="tables") as store:
        for row in store.rows(
            "SELECT name FROM system.databases WHERE startsWith(name, {name:String})", name=name
        ):
            store.command(f"DROP DATABASE {row['name']} SYNC")


@pytest.mark.parametrize(
    ("alone", "on_all"),
    [
        (
            "CREATE DATABASE x_1 COMMENT 'CREATE TABLE y'",
            "CREATE DATABASE x_1 ON CLUSTER `c` COMMENT 'CREATE TABLE y'",
        ),
        (
            "CREATE TABLE IF NOT EXISTS x.t\n(a Int8)\nENGINE = MergeTree\nORDER BY a",
            "CREATE TABLE IF NOT EXISTS x.t ON CLUSTER `c`\n(a Int8)\nENGINE = ALL\nORDER BY a",
        ),
        (
            "CREATE TABLE t (a Int8) ENGINE = ReplacingMergeTree(a) ORDER BY a",
            "CREATE TABLE t ON CLUSTER `c` (a Int8) ENGINE = NEWEST ORDER BY a",
        ),
        (
            "CREATE OR REPLACE VIEW x.v AS SELECT 'ENGINE = MergeTree'",
            "CREATE OR REPLACE VIEW x.v ON CLUSTER `c` AS SELECT 'ENGINE = MergeTree'",
        ),
        (
            "CREATE MATERIALIZED VIEW IF NOT EXISTS v TO t AS SELECT 1",
            "CREATE MATERIALIZED VIEW IF NOT EXISTS v ON CLUSTER `c` TO t AS SELECT 1",
        ),
        (
            "DROP DATABASE IF EXISTS x_1 SYNC",
            "DROP DATABASE IF EXISTS x_1 ON CLUSTER `c` SYNC",
        ),
        ("KILL QUERY WHERE 1 SYNC", "KILL QUERY ON CLUSTER `c` WHERE 1 SYNC"),
        ("SYSTEM STOP MERGES x.t", "SYSTEM STOP MERGES ON CLUSTER `c` x.t"),
        ("SYSTEM START MERGES x.t", "SYSTEM START MERGES ON CLUSTER `c` x.t"),
        ("INSERT INTO t SELECT 1", "INSERT INTO t SELECT 1"),
    ],
)
def test_what_defines_is_carried_out_on_all_replicas(alone: str, on_all: str) -> None:
    engines = {
        "ENGINE = ALL": f"ENGINE = ReplicatedMergeTree({ARGUMENTS})",
        "ENGINE = NEWEST": f"ENGINE = ReplicatedReplacingMergeTree({ARGUMENTS}, a)",
    }
    for short, engine in engines.items():
        on_all = on_all.replace(short, engine)
    assert on_cluster(alone, "c") == on_all
    assert on_cluster(alone, "") == alone


def test_engine_reads_every_statement_as_that_for_one_server_with_replicas(store: Store) -> None:
    statements = [*statements_in("x_1"), *reader_views("x", "x_1")]

    def read(texts: list[str]) -> list[str]:
        sql = "SELECT arrayMap(text -> formatQuerySingleLine(text), {texts:Array(String)})"
        found: list[str] = store.value(sql, texts=texts)
        return found

    on_all = read([on_cluster(statement, "c-1") for statement in statements])
    for statement, found, formatted in zip(statements, on_all, read(statements), strict=True):
        assert found.count(" ON CLUSTER `c-1`") == 1
        assert ("MergeTree(" in found) == statement.startswith("CREATE TABLE")
        alone = found.replace(" ON CLUSTER `c-1`", "", 1)
        alone = alone.replace(f"({ARGUMENTS})", "", 1).replace(f"{ARGUMENTS}, ", "", 1)
        alone = re.sub(r"ENGINE = Replicated(?=\w*MergeTree)", "ENGINE = ", alone, count=1)
        assert alone == formatted


def test_tables_on_a_cluster_are_those_of_one_server(
    store: Store, server: ClickHouseServer, double: ClickHouseDouble
) -> None:
    """Made, projected, made again and swapped; an insert waits for each of the three replicas.

    And for one that the cluster got meanwhile: a projector runs for months, and a number read when
    it connected would miss it.
    """
    log = money_history(43, 120).log()
    Projector(log, store).catch_up()
    with Store.open(server) as served:
        Projector(log, served).catch_up()
        assert digests(served) == digests(store)
        rebuild(log, served)
        assert digests(served) == digests(store)
        assert served.database.endswith("_2")
        asked = "SELECT count() AS rows FROM {name:Identifier}.reader_postings"
        assert served.value(asked, name=server.database) > 0
        with_three = len(double.queries)
        double.shards = [4]
        Projector(money_history(43, 180).log(), served).catch_up()
    queries = list(zip(double.queries, double.settings, strict=True))
    inserts = [
        {one.get("insert_quorum") for query, one in part if query.startswith("INSERT")}
        for part in (queries[:with_three], queries[with_three:])
    ]
    assert inserts == [{"3"}, {"4"}]
    defining = [query for query in double.queries if DEFINES.match(query)]
    assert len(defining) > 2 * len(statements_in("x"))
    assert [query for query in defining if " ON CLUSTER `main`" not in query] == []
    explicit = CLUSTER_SETTINGS | NEWER_SETTINGS
    assert all(
        settings[name] == str(value)
        for settings in double.settings
        if "insert_quorum" in settings
        for name, value in explicit.items()
    )


@pytest.mark.parametrize(("shards", "why"), [([], "not known"), ([1, 1], "2 shards")])
def test_cluster_that_can_not_hold_a_chain_is_refused(
    server: ClickHouseServer, double: ClickHouseDouble, shards: list[int], why: str
) -> None:
    double.shards = shards
    with pytest.raises(InputError, match=why):
        Store.open(server)
    assert not any(DEFINES.match(query) for query in double.queries)


@pytest.mark.parametrize("name", ["a`b", "a b", "{cluster}", "č", "x" * 65])
def test_name_that_no_cluster_can_have_is_refused(name: str) -> None:
    with pytest.raises(InputError, match="can't name a cluster"):
        ClickHouseServer.parse(f"http://h/d?cluster={name}")
