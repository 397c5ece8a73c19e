"""Money over time: each step of it is the balance of that moment."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ledger.events.encoding import decode_envelope
from projections.questions.balances import all_balances
from projections.questions.over_time import BalanceAt, house_by_day, money_over_time
from tests.projections.history_cases import House, concluded, emptied, placed, project, settled
from tests.projections.projection_cases import ACCOUNTS, Chain, ListLog, money_history
from tests.search import amount

if TYPE_CHECKING:
    from projections.store.tables import Store


def held(store: Store, at: int) -> dict[str, int]:
    return {
        one.account: one.wallet + one.reserved + one.in_play + one.withdrawals
        for one in all_balances(store, at=at)
    }


@pytest.mark.parametrize("seed", range(3, 3 + amount(1, 20)))
def test_money_over_time_is_the_balance_after_each_change(store: Store, seed: int) -> None:
    chain = money_history(seed, 60, has_days=True)
    project(chain, store)
    expected: dict[str, list[BalanceAt]] = {account: [] for account in ACCOUNTS}
    for position, message in enumerate(chain.messages):
        balances = held(store, position + 1)
        for account, points in expected.items():
            haler = balances.get(account, 0)
            if haler != (points[-1].haler if points else 0):
                points.append(BalanceAt(decode_envelope(message).recorded_at, haler))
    for account, points in expected.items():
        assert money_over_time(store, account) == tuple(points)
        assert money_over_time(store, account, at=0) == ()


@pytest.mark.parametrize("minutes", [2, 24 * 60])
def test_a_round_that_opened_later_tells_nothing_of_before(store: Store, minutes: int) -> None:
    """As of a place, the game of a result is known only if its round was opened by then."""
    house = House(Chain())
    bet = placed("r", stake=1_000)
    house.at(1, bet)
    house.at(1, concluded(bet))
    before = house.at(1, settled(bet, due=0)) + 1
    house.opened(minutes, "r")
    project(house.chain, store)
    assert house_by_day(store, at=before) == ()
    emptied(store)
    beginning = type(house.chain)(
        head=ListLog(house.chain.messages[:before]).head(), messages=house.chain.messages[:before]
    )
    project(beginning, store)
    assert house_by_day(store) == ()
