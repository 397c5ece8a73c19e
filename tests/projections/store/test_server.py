"""Projections on a ClickHouse server, by HTTP: the same tables, the same answers.

No server runs here: ``clickhouse_double`` says what stands in for it and what that leaves out.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING

import pytest

import schemas
from ledger.core.errors import AuthorizationError, AvailabilityError, InputError
from projections.questions.balances import all_balances, trial_balance
from projections.reconciliation.reconcile import examine
from projections.replay.rounds import list_rounds
from projections.store import tables as tables_module
from projections.store.clickhouse import ClickHouseServer
from projections.store.definitions import all_names, definitions, needed
from projections.store.installed_tables import ALWAYS
from projections.store.projector import Projector
from projections.store.rebuild import rebuild
from projections.store.tables import Store
from tests.projections.clickhouse_double import ClickHouseDouble
from tests.projections.history_cases import Casino
from tests.projections.projection_cases import money_history
from tests.projections.projection_faults import as_faulty, digests
from tests.self_signed import self_signed

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

DERIVED = {
    "evaluated_play",
    "day_ends",
    "daily_postings",
    "daily_movements",
    "daily_devices",
    "daily_house",
}
PASSWORD = "kůň & co"  # noqa: S105 - of the double


@pytest.fixture(scope="module")
def double(engine_path: Path) -> Iterator[ClickHouseDouble]:
    with ClickHouseDouble(engine_path, password=PASSWORD).running() as served:
        yield served


@pytest.fixture
def server(double: ClickHouseDouble, spare: str) -> Iterator[ClickHouseServer]:
    yield ClickHouseServer.parse(double.url(spare), password=PASSWORD)
    double.lose_answer = lambda _: False


@pytest.fixture
def bare_server(double: ClickHouseDouble, tables: Store) -> Iterator[ClickHouseServer]:
    """A server without tables."""
    yield ClickHouseServer.parse(double.url("served"), password=PASSWORD)
    for row in tables.rows(
        "SELECT name FROM system.databases WHERE match(name, '^served(_[0-9]+)?$')"
    ):
        tables.command(f"DROP DATABASE {row['name']} SYNC")


@pytest.fixture
def casino(tmp_path: Path) -> Iterator[Casino]:
    made = Casino(tmp_path)
    made.seat()
    made.do("open_round", round="r1", table="t")
    made.bet("r1", 1, "red", 2_000)
    made.bet("r1", 2, "straight", 1_000, selection=[17])
    made.finish("r1", 17)
    made.do("open_round", round="r2", table="t")
    made.bet("r2", 1, "black", 4_000)
    yield made
    made.close()


def test_tables_on_a_server_are_those_of_the_engine_in_the_process(
    store: Store, bare_server: ClickHouseServer
) -> None:
    """Digests of every table: projected in steps, projected again, and made anew."""
    log = money_history(41, 300).log()
    Projector(log, store).catch_up()
    with Store.open(bare_server) as served:
        assert served.database == f"{bare_server.database}_1"
        Projector(log, served, messages_max=70).catch_up()
        assert digests(served) == digests(store)
        done = rebuild(log, served)
        assert done.head == log.head()
        assert served.database == f"{bare_server.database}_2"
        assert digests(served) == digests(store)
        assert as_faulty(served).databases() == 1


def test_questions_get_the_same_answers_from_a_server(
    casino: Casino, store: Store, server: ClickHouseServer
) -> None:
    casino.project(store)
    with Store.open(server) as served:
        casino.project(served)
        for ask in (all_balances, trial_balance, lambda tables: list_rounds(tables, limit=10)):
            assert ask(served) == ask(store)
        examined = examine(served)
        assert examined == examine(store)
        assert (examined.findings, examined.bets) == ((), 2)
        assert list(served.stream("SELECT bet FROM BetPlaced ORDER BY position")) == [
            {"bet": "r1-1"},
            {"bet": "r1-2"},
            {"bet": "r2-1"},
        ]


def test_long_parameters_reach_a_server(server: ClickHouseServer) -> None:
    """The client sends them as a form, because a URL has no room for them."""
    names = [f"account-{number}" for number in range(3_000)]
    with Store.open(server) as served:
        assert served.value("SELECT length({names:Array(String)})", names=names) == 3_000
        assert served.value("SELECT {names:Array(String)}[3000]", names=names) == names[-1]


def test_long_parameters_of_a_statement_reach_a_server(server: ClickHouseServer) -> None:
    """As those of the days of the house are, which have a row for each kind of bet."""
    bets = [f"bet-{number:06}" for number in range(20_000)]
    with Store.open(server) as store:
        store.command("CREATE TABLE many (name String) ENGINE = MergeTree ORDER BY name")
        store.command("INSERT INTO many SELECT arrayJoin({bets:Array(String)})", bets=bets)
        assert store.value("SELECT count() FROM many") == len(bets)
        store.command("DROP TABLE many")


@pytest.mark.parametrize("what", ["INSERT INTO DepositCredited ", "INSERT INTO watermark "])
def test_answer_that_is_lost_neither_doubles_nor_loses_rows(
    store: Store, server: ClickHouseServer, double: ClickHouseDouble, what: str
) -> None:
    """The server writes and the connection breaks: the client may have sent it twice."""
    log = money_history(42, 120).log()
    Projector(log, store).catch_up()
    lost: list[str] = []

    def lose(text: str) -> bool:
        if lost or not text.startswith(what):
            return False
        lost.append(text)
        return True

    with Store.open(server) as served:
        double.lose_answer = lose
        projector = Projector(log, served, messages_max=50)
        with pytest.raises(AvailabilityError):
            projector.catch_up()
        assert lost
        assert projector.catch_up().head == log.head()
        assert digests(served) == digests(store)


def test_server_that_goes_away_is_not_available_and_can_come_back(
    engine_path: Path, server: ClickHouseServer
) -> None:
    log = money_history(43, 60).log()
    with ClickHouseDouble(engine_path, password=PASSWORD).running() as short_lived:
        away = replace(server, port=short_lived.server_port)
        served = Store.open(away)
        Projector(log, served, messages_max=20).catch_up()
    with pytest.raises(AvailabilityError):
        served.rows("SELECT 1")
    served.close()
    with Store.open(server) as again:
        assert again.head == log.head()


def test_wrong_password_is_not_allowed_and_stands_in_no_text(server: ClickHouseServer) -> None:
    wrong = replace(server, password="wrong-secret")  # noqa: S106 - of the double
    with pytest.raises(AuthorizationError, match="AUTHENTICATION_FAILED") as error:
        Store.open(wrong)
    assert "wrong-secret" not in f"{error.value} {wrong} {wrong!r}"


def test_server_is_reached_by_tls_with_an_authority_of_its_own(
    engine_path: Path, server: ClickHouseServer, tmp_path: Path
) -> None:
    certificate, key = self_signed(tmp_path)
    double = ClickHouseDouble(engine_path, password=PASSWORD)
    double.use_tls(certificate, key)
    with double.running():
        url = f"clickhouse://ledger@127.0.0.1:{double.server_port}/{server.database}?secure=1"
        trusting = ClickHouseServer.parse(f"{url}&ca_cert={certificate}", password=PASSWORD)
        with Store.open(trusting) as served:
            assert served.position == 0
        with pytest.raises(AvailabilityError, match="certificate verify failed"):
            Store.open(ClickHouseServer.parse(url, password=PASSWORD))
        with pytest.raises(AvailabilityError):
            Store.open(replace(trusting, ca_cert=str(tmp_path / "missing.pem")))


@pytest.mark.parametrize(
    ("url", "wanted"),
    [
        ("clickhouse://h", ClickHouseServer("h")),
        ("clickhouse://h?secure=true", ClickHouseServer("h", 8443, secure=True)),
        ("clickhouses://h/live", ClickHouseServer("h", 8443, database="live", secure=True)),
        ("http://u:p%40@h:9000", ClickHouseServer("h", 9000, "u", password="p@")),  # noqa: S106 - made up
        ("https://u@h/a/", ClickHouseServer("h", 8443, "u", "a", secure=True)),
    ],
)
def test_url_names_server_user_and_database(url: str, wanted: ClickHouseServer) -> None:
    assert ClickHouseServer.parse(url) == wanted


@pytest.mark.parametrize(
    ("url", "text"),
    [
        ("clickhouse:///db", "no URL such as"),
        ("kafka://h/t", "no URL such as"),
        ("clickhouse://u:secret@h:port/db", "port"),
        ("clickhouse://u:secret@h/db?secure=perhaps", "secure"),
        ("clickhouse://u:secret@h/db?compression=lz4", "'compression'"),
    ],
)
def test_url_that_says_something_else_is_refused(url: str, text: str) -> None:
    with pytest.raises(InputError, match=text) as error:
        ClickHouseServer.parse(url)
    assert "secret" not in str(error.value)


@pytest.mark.parametrize("where", ["inside", "server"])
def test_block_that_is_sent_again_after_its_rows_were_deleted_is_not_a_duplicate(
    where: str, store: Store, server: ClickHouseServer
) -> None:
    """A projector does that after a crash; replicated tables have such a window by default."""
    opened = store if where == "inside" else Store.open(server)
    where_it_is = {"name": opened.database}
    opened.command(
        "CREATE TABLE {name:Identifier}.sent_again (n UInt64) ENGINE = MergeTree ORDER BY n "
        "SETTINGS non_replicated_deduplication_window = 100",
        **where_it_is,
    )
    try:
        for _ in range(2):
            opened.command(
                "INSERT INTO {name:Identifier}.sent_again VALUES (1), (2), (3)", **where_it_is
            )
            kept = opened.value("SELECT count() FROM {name:Identifier}.sent_again", **where_it_is)
            assert kept == 3
            opened.command("DELETE FROM {name:Identifier}.sent_again WHERE 1", **where_it_is)
    finally:
        opened.command("DROP TABLE {name:Identifier}.sent_again SYNC", **where_it_is)
        if opened is not store:
            opened.close()


@pytest.mark.parametrize(
    "reached", [*(pytest.param(at, marks=pytest.mark.search) for at in (2, 30, 235)), 217]
)
def test_creation_that_was_interrupted_goes_on_where_it_stopped(
    bare_server: ClickHouseServer, double: ClickHouseDouble, tables: Store, reached: int
) -> None:
    """A statement whose answer is lost was carried out, as where a replica did not answer."""
    seen = count(1)

    def lose(text: str) -> bool:
        return text.startswith("CREATE") and "served." not in text and next(seen) >= reached

    double.lose_answer = lose
    with pytest.raises(AvailabilityError):
        Store.open(bare_server)
    double.lose_answer = lambda _: False
    log = money_history(5, 60).log()
    with Store.open(bare_server) as served:
        assert served.database == "served_1"
        assert served.is_complete
        Projector(log, served).catch_up()
        Projector(log, tables).catch_up()
        assert digests(served) == digests(tables)
        with served.new_generation() as fresh:
            assert fresh.database == "served_2"
        with served.new_generation() as again:
            assert again.database == "served_3", "one that is complete may be filled by another"


def test_creation_is_not_continued_with_other_sql(
    bare_server: ClickHouseServer, double: ClickHouseDouble, monkeypatch: pytest.MonkeyPatch
) -> None:
    double.lose_answer = lambda text: text.startswith("CREATE TABLE") and "served." not in text
    with pytest.raises(AvailabilityError):
        Store.open(bare_server)
    double.lose_answer = lambda _: False
    monkeypatch.setattr(tables_module, "PROJECTION_VERSION", "0123456789abcdef")
    with Store.open(bare_server) as served:
        assert served.database == "served_2"


def test_server_has_tables_for_what_has_rows_and_views_for_the_rest(
    casino: Casino, store: Store, bare_server: ClickHouseServer
) -> None:
    """Every name and column is there for readers; a few bets need at most 60 tables."""
    described = "SELECT table, name, type FROM system.columns WHERE database = currentDatabase()"
    casino.project(store)
    with Store.open(bare_server) as served:
        assert set(served.tables()) == ALWAYS
        casino.project(served)
        filled = served.tables_with_position() & schemas.newest().keys()
        assert set(served.tables()) <= needed(frozenset(filled)).keys() | ALWAYS | DERIVED
        assert len(served.tables()) <= 60
        assert digests(served) == digests(store)
        store.provide(*all_names())
        names = {one.name for one in definitions()}
        here, there = (
            {tuple(row.values()) for row in each.rows(described) if row["table"] in names}
            for each in (store, served)
        )
        assert here <= there
        rebuild(casino.log, served)
        assert len(served.tables()) <= 60


def test_table_that_several_processes_create_at_once_keeps_its_rows(
    bare_server: ClickHouseServer,
) -> None:
    """As workers of a rebuild do: none drops what another has filled."""
    with Store.open(bare_server) as one, Store.open(bare_server) as other:
        one.command("INSERT INTO BetPlaced (position, bet) VALUES (7, 'r1-1')")
        other.command("INSERT INTO BetPlaced (position, bet) VALUES (8, 'r1-2')")
        assert one.value("SELECT count() FROM BetPlaced") == 2
        assert one.value("SELECT count() FROM facts_of_bets") == 2


def test_question_is_repeated_while_a_table_takes_the_place_of_a_view(
    bare_server: ClickHouseServer, double: ClickHouseDouble
) -> None:
    asked = count(1)
    with Store.open(bare_server) as served, served.clone() as reader:
        served.command("DROP VIEW BetPlaced")

        def create(text: str) -> bool:
            if text.startswith("SELECT count() FROM BetPlaced") and next(asked) == 2:
                served.provide("BetPlaced")
            return False

        double.only_claim = create
        try:
            assert reader.value("SELECT count() FROM BetPlaced") == 0
        finally:
            double.only_claim = lambda _: False
