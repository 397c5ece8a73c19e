"""Money over time: each step of it is the balance of that moment."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from history_cases import project
from projection_cases import ACCOUNTS, money_history

from ledger.core.encoding import decode_envelope
from projections.questions.balances import balance
from projections.questions.over_time import Held, money_over_time

if TYPE_CHECKING:
    from projections.store.tables import Store


def held(store: Store, account: str, at: int) -> int:
    found = balance(store, account, at=at)
    return found.wallet + found.reserved + found.in_play + found.withdrawals


@pytest.mark.parametrize("seed", [3, 4])
def test_money_over_time_is_the_balance_after_each_change(store: Store, seed: int) -> None:
    chain = money_history(seed, 60)
    project(chain, store)
    for account in ACCOUNTS:
        expected: list[Held] = []
        for position, message in enumerate(chain.messages):
            haler = held(store, account, position + 1)
            if haler != (expected[-1].haler if expected else 0):
                expected.append(Held(decode_envelope(message).recorded_at, haler))
        assert money_over_time(store, account) == tuple(expected)
        assert money_over_time(store, account, at=0) == ()
