"""Money over time: each step of it is the balance of that moment."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest

from ledger.core.clock import HOUR, in_prague
from ledger.events import event_types as e
from ledger.events.encoding import decode, decode_envelope
from projections.findings.finding import Finding
from projections.questions.balances import all_balances
from projections.questions.over_time import (
    BalanceAt,
    findings_by_day,
    house_by_day,
    money_over_time,
    stakes_by_hour,
)
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


@pytest.mark.parametrize("seed", [3, 4])
def test_stakes_by_hour_are_those_of_the_bets_concluded_in_it(store: Store, seed: int) -> None:
    chain = money_history(seed, 400, has_days=True)
    project(chain, store)
    first, end = 5, len(chain.messages) - 5
    expected: Counter[int] = Counter()
    for message in chain.messages[first:end]:
        event = decode(message).event
        if isinstance(event, e.BetConcluded):
            expected[decode_envelope(message).recorded_at // HOUR * HOUR] += event.amount
    found = stakes_by_hour(store, first=first, end=end)
    assert {one.at: one.haler for one in found if one.haler} == dict(+expected)
    assert [one.at for one in found] == list(range(min(expected), max(expected) + HOUR, HOUR))
    assert stakes_by_hour(store, first=end, end=end) == ()


@pytest.mark.parametrize("days", [1, 2, 31])
def test_findings_count_on_the_day_of_their_position(store: Store, days: int) -> None:
    chain = money_history(3, 60, has_days=True)
    project(chain, store)
    size = len(chain.messages)
    states = ("new", "open", "closed")
    findings = [
        Finding(*"ifcs", position, *"arb", 0, "", state=states[position % 3])
        for position in range(size)
    ]
    dates = [in_prague(decode_envelope(one).recorded_at).date() for one in chain.messages]
    counted = sorted(set(dates))[-days - 1 :] if days < len(set(dates)) else sorted(set(dates))
    found = findings_by_day(store, findings, size=size, days=days)
    assert {one.day for one in found} <= set(counted)
    for one in found:
        same = [n for n in range(size) if dates[n] == one.day and states[n % 3] == one.state]
        assert one.count == len(same)
    assert {one.day for one in found} >= set(counted[-days:])
