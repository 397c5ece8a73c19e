"""A stake is judged with what the person did with an account before."""

from __future__ import annotations

from ledger.events import event_types as e
from ledger.log.index.tag_index import message_of
from ledger.log.memory import MemoryLog
from ledger.log.port import events_at
from ledger.rules.operator import shipped_rules
from tests.projections.history_cases import House, concluded, placed
from tests.projections.projection_cases import Chain
from tools.watch.accounts import Accounts


def found(chain: Chain) -> list[tuple[str, str, int, str]]:
    log = MemoryLog()
    log.append([message_of(position, body) for position, body in chain.log().read()])
    accounts = Accounts(log, shipped_rules()["sazka"].figures)
    stakes = (accounts.follow(recorded) for recorded in events_at(log, range(log.head().size)))
    return [(one.code, one.bet, one.amount, one.detail_text) for one in stakes if one is not None]


def test_a_stake_over_the_limit_of_a_day_that_began_with_another_account_is_told() -> None:
    house = House(Chain())
    house.account(person="p")
    first = placed("r", stake=900)
    house.at(1, first)
    house.at(2, concluded(first))
    house.at(3, e.AccountClosed(account="a", ground="12(6)"))
    house.account("b", person="p", minute=4)
    house.at(
        4,
        e.LimitSet(
            account="b",
            measure="a",
            value=1_000,
            previous=None,
            change="first",
            effective_at=house.chain.moment,
        ),
    )
    house.at(5, placed("q", 1, account="b", stake=100))
    house.at(6, placed("q", 2, account="b", stake=50))
    assert found(house.chain) == [("MEASURE_PASSED", "q-2", 50, "a")]


def test_a_stake_in_a_break_that_began_with_another_account_is_told() -> None:
    house = House(Chain())
    house.table()
    house.account(person="p")
    house.played(1, "long", until=121)
    house.at(122, e.AccountClosed(account="a", ground="12(6)"))
    house.account("b", person="p", minute=123)
    house.opened(124, "q")
    house.at(135, placed("q", 1, account="b"))
    house.at(136, placed("q", 2, account="b"))
    assert found(house.chain) == [("BREAK_VIOLATED", "q-1", 1_000, "after 120 minutes")]
