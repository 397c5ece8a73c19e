"""The books of an account, closed once per gaming day; cold accounts equal hot ones."""

from __future__ import annotations

import itertools
from base64 import b64encode
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import asdict, replace

from ledger.events import event_types as e
from ledger.events.encoding import decode
from ledger.rules.operator import shipped_rules
from ledger.state.account import AccountState, Books, PeriodTotals, load_state
from ledger.state.account_fold import fold
from ledger.state.ledger_state import accounts_of

if TYPE_CHECKING:
    from ledger.events.event_types import Event
    from tests.ledger.decisions.decisions_casino import Casino


def statements(casino: Casino, account: str = "anna") -> list[Event]:
    return [event for event in casino.all_events("AccountStatement") if event.account == account]


def folded_from_the_beginning(casino: Casino, account: str) -> AccountState:
    """Fold all events of an account and ignore the states that its statements carry."""
    state, figures = AccountState(account), shipped_rules()["sazka"].figures
    for _, body in casino.log.read():
        recorded = decode(body)
        event = recorded.event
        if account in accounts_of(event):
            if type(event).__name__ == "AccountStatement":
                event = replace(event, state_version=0)
            state = fold(state, event, recorded.envelope.recorded_at, figures)
    return state


def test_the_first_decision_of_a_new_day_closes_the_books_of_the_day_before(
    casino: Casino,
) -> None:
    casino.play(number=2, stake=400)
    casino.at("2026-02-02 23:59:59.999999")
    casino.pay_in(50)
    assert statements(casino) == []
    casino.at("2026-02-03 00:00")
    receipt = casino.send("withdraw", account="anna", withdrawal="w", amount=1, method="bank")
    assert receipt.events == ("AccountStatement", "WithdrawalRequested")
    (statement,) = statements(casino)
    assert (statement.gaming_day, statement.opening) == ("2026-02-02", 0)
    assert (statement.deposits, statement.stakes) == (100_050_00, 400_00)
    assert statement.closing == 99_650_00


def test_books_are_closed_once_per_gaming_day(casino: Casino) -> None:
    for day in ("2026-02-03", "2026-02-04", "2026-02-10"):
        for hour in ("08", "12", "20"):
            casino.at(f"{day} {hour}:00")
            casino.play()
    days = [statement.gaming_day for statement in statements(casino)]
    assert days == ["2026-02-02", "2026-02-03", "2026-02-04"]


def test_a_busy_day_gets_statements_in_between_that_add_up(
    casino: Casino, monkeypatch: pytest.MonkeyPatch
) -> None:
    casino.at("2026-02-03 08:00")
    casino.pay_in(1)
    monkeypatch.setattr("ledger.decisions.accounts.books.EVENTS_MAX", 5)
    for _ in range(4):
        casino.play(number=2, stake=10)
    casino.at("2026-02-04 00:00")
    casino.send("close_books", account="anna")
    _, *of_day = statements(casino)
    assert len(of_day) > 2
    assert {statement.gaming_day for statement in of_day} == {"2026-02-03"}
    assert sum(statement.stakes for statement in of_day) == 40_00
    assert _events_between_statements(casino)[1] == 5
    pairs = itertools.pairwise(of_day)
    assert all(following.opening == before.closing for before, following in pairs)
    casino.assert_cold_is_hot()


def _events_between_statements(casino: Casino) -> list[int]:
    counts = [0]
    for event in casino.all_events():
        if "anna" in accounts_of(event):
            is_statement = type(event).__name__ == "AccountStatement"
            counts = [*counts, 0] if is_statement else [*counts[:-1], counts[-1] + 1]
    return counts


def test_a_refusal_closes_the_books_too(casino: Casino) -> None:
    casino.at("2026-02-03 00:00")
    receipt = casino.send("place_bet", **casino.chips(casino.open_round(), 500_000))
    assert receipt.events == ("AccountStatement", "BetRefused")
    assert receipt.refused is not None


def test_a_result_closes_the_books_of_each_participant(casino: Casino) -> None:
    casino.player("bara")
    round_ = casino.open_round()
    casino.bet(round_)
    casino.bet(round_, account="bara")
    casino.at("2026-02-03 00:01")
    casino.result(round_)
    assert len(statements(casino, "anna")) == len(statements(casino, "bara")) == 1


def test_close_books_is_for_finished_days_with_movements(casino: Casino) -> None:
    casino.fail("no finished day", "close_books", account="anna")
    casino.at("2026-02-03 00:00")
    receipt = casino.send("close_books", account="anna")
    assert receipt.events == ("AccountStatement",)
    casino.fail("no finished day", "close_books", account="anna")


def test_a_statement_adds_up_over_all_kinds_of_movement(casino: Casino) -> None:
    casino.at("2026-02-03 08:00")
    round_ = casino.open_round()
    lost, won = casino.bet(round_, 100, bet_code="black"), casino.bet(round_, 200)
    casino.settle(round_)
    correction = {"round": round_, "cause": "c"}
    casino.do("correct_win", bet=won, difference=-3_00, **correction)
    casino.do("correct_bet", bet=lost, difference=2_00, **correction)
    casino.do("withhold_prize", bet=won, amount=5_00, paragraph="SAZKA 15(1)", **correction)
    casino.do("charge_fee", account="anna", fee="f", amount=7_00, reason="r")
    casino.do("return_fee", account="anna", fee="f", amount=3_00, reason="r")
    casino.do("return_deposit", account="anna", deposit=casino.pay_in(11), reason="r")
    for name, end in (("w1", "pay"), ("w2", "cancel")):
        money = {"account": "anna", "withdrawal": name}
        casino.do("withdraw", **money, amount=13_00, method="bank")
        reason = {"reason": "r"} if end == "cancel" else {}
        casino.do(f"{end}_withdrawal", **money, **reason)
    voided, lying = casino.open_round(), 40
    casino.bet(voided, 300)
    casino.close(voided)
    casino.do("void_round", round=voided, ground="operator_interruption")
    open_ = casino.open_round()
    casino.bet(open_, lying)
    casino.at("2026-02-04 08:00")
    casino.send("close_books", account="anna")
    s = statements(casino)[-1]
    assert (s.opening, s.deposits, s.withdrawals, s.fees) == (100_000_00, 0, 13_00, 4_00)
    assert (s.stakes, s.winnings, s.corrections) == (300_00, 400_00, -10_00)
    moved = s.deposits - s.withdrawals - s.fees - s.stakes + s.winnings + s.corrections
    assert s.closing == s.opening + moved
    assert (s.reserved, s.in_play) == (lying * 100, 0)


def test_a_balance_returned_is_a_withdrawal_in_the_books(casino: Casino) -> None:
    casino.do("request_cancellation", account="anna", ground="12(4)")
    casino.do("confirm_cancellation", account="anna", notice="receipt")
    casino.at("2026-03-02 08:00")
    casino.do("close_account", account="anna")
    casino.at("2026-03-03 08:00")
    casino.send("close_books", account="anna")
    last = statements(casino)[-1]
    assert (last.opening, last.withdrawals, last.closing) == (100_000_00, 100_000_00, 0)


def test_the_state_in_a_statement_is_complete(casino: Casino) -> None:
    casino.do("set_limit", account="anna", measure="a", value=900_000_00)
    casino.do("set_limit", account="anna", measure="b", value=1)
    casino.do("press_panic_button", account="anna")
    casino.do("impose_exclusion", account="anna", ground="court")
    casino.do("file_complaint", account="anna", case="c", grounds="slow")
    casino.do("request_cancellation", account="anna", ground="12(4)")
    casino.do("file_objection", account="anna", case="o", grounds="no")
    casino.at("2026-02-03 00:00")
    casino.send("close_books", account="anna")
    (statement,) = statements(casino)
    assert load_state(statement.state) == casino.account()
    assert folded_from_the_beginning(casino, "anna") == casino.account()
    casino.assert_cold_is_hot()


def test_a_fold_from_the_last_statement_equals_one_from_the_beginning(casino: Casino) -> None:
    for day in range(3, 8):
        casino.at(f"2026-02-{day:02} 23:50")
        casino.do("deposit", account="anna", deposit=casino.new_name("c"), amount=9_000_00,
                  method="cash", document_shown=True)  # fmt: skip
        casino.sit_through(20)
        casino.do("set_limit", account="anna", measure="g", value=day)
    assert len(statements(casino)) == 6
    assert folded_from_the_beginning(casino, "anna") == casino.account()
    casino.assert_cold_is_hot()


def test_a_state_of_another_version_is_not_used(
    casino: Casino, monkeypatch: pytest.MonkeyPatch
) -> None:
    casino.play()
    casino.at("2026-02-03 00:00")
    casino.play()
    monkeypatch.setattr("ledger.state.account_fold.STATE_VERSION", 99)
    monkeypatch.setattr("ledger.state.ledger_state.STATE_VERSION", 99)
    casino.assert_cold_is_hot()


def test_a_reopened_ledger_decides_as_the_one_before(casino: Casino) -> None:
    casino.do("set_limit", account="anna", measure="a", value=500_00)
    casino.sit_through(120)
    casino.wait(minutes=24 * 60)
    casino.bet(casino.open_round(), 400)
    with casino.as_reopened():
        casino.refuse_bet("MEASURE_STAKES_DAY", casino.open_round(), 101)
        casino.bet(casino.open_round(), 100)


@pytest.mark.parametrize("sums", [Books(), PeriodTotals()], ids=["books", "period"])
def test_sums_of_a_day_begin_with_nothing(sums: Books | PeriodTotals) -> None:
    assert not any(value for value in asdict(sums).values())


def test_balances_are_closed_after_the_period_and_may_be_closed_again(casino: Casino) -> None:
    """The balances are the operator's; period, size and form are checked."""
    size = casino.ledger.head.size
    facts = {"size": size, "count": 2, "total": 500, "root": b64encode(bytes(32)).decode()}
    casino.at("2026-02-27 12:00:00")
    for period in ("2026-02-27", "2026-02-28", "2026-02", "2026-12"):
        casino.fail("is not over", "close_balances", period=period, **facts)
    for period in ("2026-01-32", "2026-00", "2025-13", "0000-01"):
        casino.fail("is no day and no month", "close_balances", period=period, **facts)
    for period in ("2026", "2026-Q1", "2026-01-01\n"):
        casino.fail("period", "close_balances", period=period, **facts)
    far = facts | {"size": size + 10**6}
    casino.fail("the chain has", "close_balances", period="2026-01", **far)
    for period in ("2026-02-26", "2026-01", "2026-01"):
        (event,) = casino.do("close_balances", period=period, **facts)
        assert event == e.BalancesClosed(
            period=period, size=size, count=2, total=500, root=bytes(32)
        )
    casino.at("2026-03-01 00:00:00")
    casino.do("close_balances", period="2026-02", **facts)
