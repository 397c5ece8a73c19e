"""Balances against a plain fold of the same events."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ledger.core.errors import InputError
from projections.questions.account_movements import account_movements
from projections.questions.balances import all_balances, balance, open_stakes, trial_balance
from tests.projections.history_cases import House, emptied, placed, project, settled
from tests.projections.projection_cases import Chain, money_history
from tests.projections.twins.balances import POCKETS, balances_of, first_below_zero
from tests.search import amount

if TYPE_CHECKING:
    from projections.store.tables import Store


def pockets(found: object) -> dict[str, int]:
    return {pocket: getattr(found, pocket) for pocket in POCKETS}


@pytest.mark.law("SAZKA 9(1)")
@given(
    seed=st.integers(0, 2**32),
    size=st.integers(1, 120),
    cuts=st.sets(st.floats(0, 1), min_size=3, max_size=3),
)
@settings(max_examples=amount(2, 20), deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_balances_agree_with_a_plain_fold(
    tables: Store, seed: int, size: int, cuts: set[float]
) -> None:
    chain = money_history(seed, size, has_days=True)
    project(chain, emptied(tables))
    ends = [row["position"] for row in tables.rows("SELECT position FROM day_ends")]
    near = [at for end in ends for at in (end - 1, end, end + 1)]
    for at in (*(int(len(chain.messages) * cut) for cut in cuts), *near[:6], None):
        found = {entry.account: pockets(entry) for entry in all_balances(tables, at=at)}
        expected = balances_of(chain.messages[:at])
        assert {name: sums for name, sums in found.items() if any(sums.values())} == {
            name: sums for name, sums in expected.items() if any(sums.values())
        }
        for name, sums in expected.items():
            assert pockets(balance(tables, name, at=at)) == sums
        trial = trial_balance(tables, at=at)
        assert set(trial.negative) == first_below_zero(chain.messages[:at])
        wallets = sum(sums["wallet"] for sums in expected.values())
        assert trial.totals.get("wallet", 0) == wallets


@pytest.mark.parametrize("seed", range(1, 1 + amount(1, 20)))
def test_movements_lead_from_one_balance_of_the_wallet_to_the_next(store: Store, seed: int) -> None:
    chain = money_history(seed, 400, has_days=True)
    project(chain, store)
    size = len(chain.messages)
    for since, end in ((0, size), (size // 3, 2 * size // 3)):
        wallets = [balances_of(chain.messages[:at]) for at in (since, end)]
        for name in wallets[1]:
            opening, closing = (held.get(name, {"wallet": 0})["wallet"] for held in wallets)
            if opening == closing:
                continue  # perhaps nothing moved, and no event opened the account
            found = account_movements(store, name, since=since, before=end)
            assert (found.opening, found.closing) == (opening, closing)
            assert found.opening + found.credits - found.debits == found.closing
            held, pages, before = closing, [], end
            while True:
                page = account_movements(store, name, since=since, before=before, limit=3)
                pages += page.movements
                if page.before is None:
                    break
                before = page.before
            assert pages == list(found.movements)
            for one in pages:
                assert one.balance == held
                held -= one.amount
            assert held == opening


def test_movements_of_an_unknown_account_are_refused(store: Store) -> None:
    project(money_history(1, 20, has_days=False), store)
    with pytest.raises(InputError, match="a-absent"):
        account_movements(store, "a-absent")


@pytest.mark.parametrize("seed", range(1, 1 + amount(1, 20)))
def test_trial_balance_names_the_first_place_below_zero(store: Store, seed: int) -> None:
    chain = money_history(seed, 800, has_days=True)
    project(chain, store)
    trial = trial_balance(store)
    assert (trial.total, trial.uneven, trial.position) == (0, (), len(chain.messages))
    assert set(trial.negative) == first_below_zero(chain.messages)
    assert not trial.is_sound
    totals = dict.fromkeys(POCKETS, 0)
    for sums in balances_of(chain.messages).values():
        totals = {pocket: totals[pocket] + sums[pocket] for pocket in POCKETS}
    totals["claims"] *= -1  # in postings the player's debt
    assert {pocket: trial.totals.get(pocket, 0) for pocket in POCKETS} == totals


def test_uneven_position_is_named(store: Store, chain: Chain) -> None:
    house = House(chain)
    house.account("a")
    project(chain, store)
    assert trial_balance(store).is_sound
    store.command(
        "INSERT INTO postings (position, posting, kind, account, event, amount) "
        "VALUES (3, 9, 'wallet', 'a', 'DepositCredited', 1), "
        "(4, 9, 'wallet', 'a', 'DepositCredited', -1)"
    )
    trial = trial_balance(store)
    assert (trial.total, trial.uneven) == (0, (3, 4))


def test_each_currency_sums_to_zero_by_itself(store: Store, chain: Chain) -> None:
    House(chain).account("a")
    project(chain, store)
    store.command(
        "INSERT INTO postings (position, posting, kind, account, event, amount) VALUES "
        "(3, 1, 'cash_EUR:cage:main', '', 'CashMoved', 7), "
        "(3, 2, 'cash_EUR:stock', '', 'CashMoved', -6), "
        "(3, 3, 'channel_bank:at_EUR:x', '', 'CashMoved', -1)"
    )
    trial = trial_balance(store)
    assert (trial.total, trial.sums, trial.is_sound) == (0, {"CZK": -1, "EUR": 1}, False)


def test_open_stakes_are_chips_and_bets_without_settlement(store: Store, chain: Chain) -> None:
    house = House(chain)
    house.account("a")
    house.opened(1, "r")
    bets = [placed("r", number) for number in range(3)]
    positions = [house.at(1, bet) for bet in bets]
    house.closed(2, "r", *bets[:2])
    house.resulted(3, "r")
    house.at(3, settled(bets[0], due=0))
    project(chain, store)
    found = open_stakes(store)
    assert [(stake.bet, stake.kind, stake.amount) for stake in found.stakes] == [
        ("r-2", "reserved", 1_000),
        ("r-1", "in_play", 1_000),
    ]
    assert found.total == 2_000
    assert open_stakes(store, account="b").stakes == ()
    early = open_stakes(store, at=positions[1] + 1)
    assert [stake.kind for stake in early.stakes] == ["reserved", "reserved"]


def test_balance_of_nobody_is_an_input_error(store: Store, chain: Chain) -> None:
    house = House(chain)
    house.account("a", money=0)
    project(chain, store)
    assert balance(store, "a").wallet == 0
    end = chain.head.size
    with pytest.raises(InputError, match=f"account b is unknown below position {end}"):
        balance(store, "b")
    with pytest.raises(InputError, match=f"position {end + 1} is not projected"):
        balance(store, "a", at=end + 1)
    with pytest.raises(InputError, match="position -1"):
        all_balances(store, at=-1)


def test_account_of_any_name_is_found(store: Store) -> None:
    chain = money_history(50, 200)
    project(chain, store)
    assert balance(store, "a-ě").account == "a-ě"
