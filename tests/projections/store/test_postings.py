"""The views of postings against their plain-Python twin."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import schemas
from ledger.events import event_types as e
from ledger.events.encoding import decode
from projections.store.projector import Projector
from tests.projections.history_cases import round_opened
from tests.projections.posting_twin import Posting, postings_of
from tests.projections.projection_cases import MONEY, Chain, money_event, money_history, seeded
from tests.search import amount

if TYPE_CHECKING:
    from projections.store.tables import Store

COLUMNS = ", ".join(Posting._fields)


def project(chain: Chain, store: Store) -> list[Posting]:
    """Project a chain; return its postings in order."""
    Projector(chain.log(), store).catch_up()
    rows = store.rows(f"SELECT {COLUMNS} FROM postings ORDER BY position, posting")  # noqa: S608 - own names
    return [Posting(**row) for row in rows]


def expected(chain: Chain) -> list[Posting]:
    return [posting for message in chain.messages for posting in postings_of(decode(message))]


@pytest.mark.parametrize("seed", range(1, 1 + amount(1, 20)))
def test_postings_are_what_the_rules_say(store: Store, seed: int) -> None:
    chain = money_history(seed, 3_000)
    assert project(chain, store) == expected(chain)


def test_postings_sum_to_zero_at_every_position(store: Store) -> None:
    project(money_history(3, 3_000), store)
    assert not store.rows("SELECT position FROM postings GROUP BY position HAVING sum(amount) != 0")
    assert store.value("SELECT uniqExact(event) FROM postings") == len(MONEY)


@given(st.integers(0, 2**32))
@settings(max_examples=amount(50, 200))
def test_rules_in_python_move_nothing_out_of_the_world(seed: int) -> None:
    chain = Chain()
    (message,) = chain.decide(money_event(seeded(seed)))
    assert sum(posting.amount for posting in postings_of(decode(message))) == 0


def test_every_event_that_moves_money_has_a_view(store: Store) -> None:
    store.provide(*schemas.newest())
    rows = store.rows(
        "SELECT name FROM system.tables WHERE database = currentDatabase() "
        "AND engine = 'MaterializedView' AND startsWith(name, 'postings_of_')"
    )
    assert len(rows) == len(MONEY)


def test_deposit_returned_before_it_was_credited_moves_nothing(store: Store, chain: Chain) -> None:
    facts: dict[str, Any] = {
        "account": "a-1",
        "deposit": "d-1",
        "amount": 500,
        "method": "m",
        "method_class": "card",
        "reason": "10(2)",
        "claimed": 0,
    }
    chain.decide(e.DepositReturned(name_digest="", **facts, credited=False))
    assert project(chain, store) == []
    chain.decide(e.DepositReturned(name_digest="", **facts, credited=True))
    assert [(p.kind, p.amount) for p in project(chain, store)] == [
        ("channel_card", 500),
        ("wallet", -500),
    ]


def test_lost_bet_has_no_posting_of_zero(store: Store, chain: Chain) -> None:
    chain.decide(
        e.BetSettled(
            bet="b-1",
            account="a-1",
            round="r-1",
            result="lose",
            stake=1_000,
            due=0,
            paid=0,
            rule="12",
        )
    )
    assert [(p.kind, p.round, p.amount) for p in project(chain, store)] == [
        ("game_result", "r-1", 1_000),
        ("in_play", "r-1", -1_000),
    ]


def test_result_of_the_house_can_be_asked_for_by_game(store: Store, chain: Chain) -> None:
    draw = seeded(5)
    games = ("roulette", "blackjack")
    house: defaultdict[str, int] = defaultdict(int)
    for number in range(20):
        game, name = games[number % 2], f"r-{number}"
        chain.decide(
            round_opened(
                name,
                table="t-1",
                game=game,
                plan_version="v",
                dealer="d",
                shoe="",
                registration="1",
                wheel_turned="",
                streamed=True,
            )
        )
        stake, paid = draw.randrange(1, 10**6), draw.choice((0, draw.randrange(10**7)))
        chain.decide(
            e.BetSettled(
                bet=f"b-{number}",
                account="a-1",
                round=name,
                result="win",
                stake=stake,
                due=paid,
                paid=paid,
                rule="12",
            )
        )
        house[game] += stake - paid
    project(chain, store)
    rows = store.rows(
        "SELECT game, sum(amount) AS result FROM postings INNER JOIN RoundOpened USING (round) "
        "WHERE kind = 'game_result' GROUP BY game"
    )
    assert {row["game"]: row["result"] for row in rows} == house
