"""Deposits, withdrawals, fees (SAZKA 10 and 11)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from ledger.decisions.decider import COMMANDS
from tests.ledger.decisions.decisions_casino import CROWN, sentence_of

if TYPE_CHECKING:
    from tests.ledger.decisions.decisions_casino import Casino

DAY = 24 * 60


@pytest.fixture
def poor(house: Casino) -> Casino:
    """Give a house whose participant has no money yet."""
    house.player(money=0)
    return house


def cash(crowns: float, name: str, **facts: Any) -> dict[str, Any]:
    amount = round(crowns * CROWN)
    kind = "withdrawal" if name.startswith("w") else "deposit"
    shown = {"account": "anna", "method": "cash", "document_shown": True}
    return {**shown, kind: name, "amount": amount, **facts}


def money(amount: int, name: str, method: str = "bank") -> dict[str, Any]:
    return {"account": "anna", "withdrawal": name, "amount": amount, "method": method}


@pytest.mark.law("SAZKA 10(1)b", "SAZKA 10(1)c", "L-29")
@pytest.mark.parametrize(("method", "kind"), [("bank", "account"), ("card", "card")])
def test_a_deposit_from_a_registered_method_is_credited(
    poor: Casino, method: str, kind: str
) -> None:
    deposit = {"account": "anna", "deposit": "d", "amount": 12345, "method": method}
    (credited,) = poor.do("deposit", **deposit)
    assert (credited.amount, credited.method_class) == (12345, kind)
    assert poor.account().wallet == 12345


@pytest.mark.law("SAZKA 8(3)", "SAZKA 8(4)", "SAZKA 10(1)b", "SAZKA 10(1)c", "L-29")
def test_a_deposit_from_an_unregistered_method_is_refused(poor: Casino) -> None:
    deposit = {"account": "anna", "deposit": "d", "amount": 1, "method": "friend"}
    (refused,) = poor.refuse("METHOD_NOT_REGISTERED", "deposit", **deposit)
    assert type(refused).__name__ == "DepositRefused"
    assert poor.account().wallet == 0


@pytest.mark.law("SAZKA 10(3)")
def test_money_that_came_against_the_rules_goes_back(poor: Casino) -> None:
    deposit = {"account": "anna", "deposit": "d", "amount": 70, "method": "friend"}
    refused, returned = poor.refuse("METHOD_NOT_REGISTERED", "deposit", received=True, **deposit)
    assert (returned.amount, returned.credited) == (refused.amount, False)
    assert (returned.reason, poor.account().wallet) == ("METHOD_NOT_REGISTERED", 0)


@pytest.mark.law("SAZKA 10(3)")
def test_a_credited_deposit_is_returned_once(poor: Casino) -> None:
    name = poor.pay_in(500)
    back = {"account": "anna", "deposit": name, "reason": "wrong owner"}
    (returned,) = poor.do("return_deposit", **back)
    assert (returned.amount, returned.credited, poor.account().wallet) == (500_00, True, 0)
    poor.refuse("DEPOSIT_NOT_CREDITED", "return_deposit", **back)


def test_a_deposit_that_was_played_away_is_returned_and_claimed(poor: Casino) -> None:
    name = poor.pay_in(100)
    poor.play(number=2)
    back = {"account": "anna", "deposit": name, "reason": "wrong owner"}
    (returned,) = poor.do("return_deposit", **back)
    assert (returned.amount, returned.claimed) == (100_00, 100_00)
    assert (poor.account().wallet, poor.account().claims) == (0, 100_00)


@pytest.mark.law("SAZKA 10(1)a")
def test_cash_is_paid_in_up_to_10_000_crowns_in_24_hours(poor: Casino) -> None:
    poor.do("deposit", **cash(6000, "d1"))
    poor.wait(minutes=60)
    poor.do("deposit", **cash(4000, "d2"))
    (refused,) = poor.refuse("CASH_LIMIT", "deposit", **cash(0.01, "d3"))
    assert "Cash deposits" in sentence_of(refused)


@pytest.mark.law("SAZKA 10(1)a")
def test_the_24_hours_of_cash_roll_to_the_microsecond(poor: Casino) -> None:
    poor.do("deposit", **cash(6000, "d1"))
    poor.wait(minutes=60)
    poor.do("deposit", **cash(4000, "d2"))
    poor.wait(minutes=DAY - 60, microseconds=-1)
    (refused,) = poor.refuse("CASH_LIMIT", "deposit", **cash(6000, "d3"))
    assert "; 0.00 CZK are left" in sentence_of(refused)
    poor.wait(microseconds=1)
    poor.refuse("CASH_LIMIT", "deposit", **cash(6000.01, "d4"))
    poor.do("deposit", **cash(6000, "d5"))


def test_the_24_hours_do_not_follow_the_clock_change(poor: Casino) -> None:
    poor.at("2026-10-24 12:00")
    poor.do("deposit", **cash(10_000, "d1"))
    poor.at("2026-10-25 10:59:59.999999")
    poor.refuse("CASH_LIMIT", "deposit", **cash(1, "d2"))
    poor.at("2026-10-25 11:00")
    poor.do("deposit", **cash(10_000, "d3"))


@pytest.mark.law("SAZKA 10(1)a", "SAZKA 11(1)a")
def test_cash_in_and_cash_out_are_counted_apart(poor: Casino) -> None:
    poor.pay_in(20_000)
    poor.do("deposit", **cash(10_000, "d1"))
    poor.do("withdraw", **cash(10_000, "w1"))
    (refused,) = poor.refuse("CASH_LIMIT", "withdraw", **cash(0.01, "w2"))
    assert "Cash withdrawals" in sentence_of(refused)
    poor.wait(minutes=DAY)
    poor.do("withdraw", **cash(10_000, "w3"))


@pytest.mark.law("SAZKA 10(1)a", "SAZKA 11(1)a")
def test_cash_needs_an_identity_document_both_ways(poor: Casino) -> None:
    poor.refuse("DOCUMENT_NOT_SHOWN", "deposit", **cash(1, "d1", document_shown=False))
    poor.pay_in(100)
    poor.refuse("DOCUMENT_NOT_SHOWN", "withdraw", **cash(1, "w1", document_shown=False))


def test_cash_is_paid_out_in_the_same_decision(casino: Casino) -> None:
    requested, paid = casino.do("withdraw", **cash(1000, "w"))
    assert (requested.amount, paid.amount, paid.document_shown) == (1000_00, 1000_00, True)
    assert casino.account().withdrawals == {}


@pytest.mark.law("SAZKA 11(1)b")
def test_a_withdrawal_to_the_payment_account_is_paid_once(casino: Casino) -> None:
    casino.do("withdraw", **money(5000, "w"))
    assert casino.account().wallet == 99_950_00
    (paid,) = casino.do("pay_withdrawal", account="anna", withdrawal="w")
    assert (paid.amount, paid.method) == (5000, "bank")
    casino.refuse("WITHDRAWAL_NOT_PENDING", "pay_withdrawal", account="anna", withdrawal="w")


def test_a_cancelled_withdrawal_brings_the_money_back(casino: Casino) -> None:
    casino.do("withdraw", **money(5000, "w"))
    casino.do("cancel_withdrawal", account="anna", withdrawal="w", reason="asked")
    assert casino.account().wallet == 100_000_00
    cancel = {"account": "anna", "withdrawal": "w", "reason": "again"}
    casino.refuse("WITHDRAWAL_NOT_PENDING", "cancel_withdrawal", **cancel)


@pytest.mark.law("SAZKA 11(1)a")
@pytest.mark.law("SAZKA 11(1)b", "L-29")
def test_a_withdrawal_goes_to_a_registered_payment_account_only(casino: Casino) -> None:
    casino.refuse("WITHDRAWAL_TO_ACCOUNT_ONLY", "withdraw", **money(1, "w1", "card"))
    (refused,) = casino.refuse("METHOD_NOT_REGISTERED", "withdraw", **money(1, "w2", "friend"))
    assert type(refused).__name__ == "WithdrawalRefused"


@pytest.mark.law("L-34")
def test_a_withdrawal_takes_no_more_than_there_is(casino: Casino) -> None:
    round_ = casino.open_round()
    casino.bet(round_, 1000)
    casino.refuse("INSUFFICIENT_FUNDS", "withdraw", **money(99_000_01, "w1"))
    casino.do("withdraw", **money(99_000_00, "w2"))
    assert casino.account().wallet == 0


@pytest.mark.law("L-28")
def test_a_temporary_account_takes_3_000_crowns_in_all_and_pays_none(house: Casino) -> None:
    house.register(regime="temporary")
    house.add_method("anna", "bank", "account")
    house.pay_in(2999)
    more = {"account": "anna", "method": "bank"}
    house.refuse("TEMPORARY_DEPOSITS", "deposit", deposit="x", amount=101, **more)
    house.do("deposit", deposit="y", amount=100, **more)
    house.refuse("TEMPORARY_ACCOUNT", "withdraw", withdrawal="w", amount=1, **more)


def test_names_of_deposits_withdrawals_and_fees_are_used_once(casino: Casino) -> None:
    deposit = {"account": "anna", "deposit": "d", "amount": 1, "method": "bank"}
    casino.do("deposit", **deposit)
    casino.fail("deposit d exists already", "deposit", **deposit)
    casino.do("withdraw", **money(1, "w"))
    casino.fail("withdrawal w exists already", "withdraw", **money(1, "w"))
    fee = {"account": "anna", "fee": "f", "amount": 1, "reason": "card"}
    casino.do("charge_fee", **fee)
    casino.fail("fee f exists already", "charge_fee", **fee)


@pytest.mark.law("L-1")
def test_a_fee_is_charged_and_returned_in_parts(casino: Casino) -> None:
    fee = {"account": "anna", "fee": "f", "reason": "statement by post"}
    casino.do("charge_fee", amount=100, **fee)
    assert casino.account().wallet == 99_999_00
    casino.do("return_fee", amount=60, **fee)
    (refused,) = casino.refuse("FEE_TOO_LOW", "return_fee", amount=41, **fee)
    assert "Only 0.40 CZK" in sentence_of(refused)
    casino.do("return_fee", amount=40, **fee)
    casino.refuse("FEE_TOO_LOW", "return_fee", amount=1, **fee)
    assert casino.account().wallet == 100_000_00


def test_a_fee_takes_no_more_than_there_is(poor: Casino) -> None:
    fee = {"account": "anna", "fee": "f", "amount": 1, "reason": "card"}
    poor.refuse("INSUFFICIENT_FUNDS", "charge_fee", **fee)


OTHER_CURRENCIES = (
    "ledger.decisions.floor.",
    "ledger.decisions.packages",
    "ledger.decisions.statements",
)
"""Commands of the floor of a casino, of rates and of statements of a bank."""


@pytest.mark.law("SAZKA 3(1)")
def test_money_and_stakes_are_crowns(casino: Casino) -> None:
    named = {
        name: command.__struct_fields__
        for name, command in COMMANDS.items()
        if not command.__module__.startswith(OTHER_CURRENCIES)
    }
    assert {"deposit", "withdraw", "place_bet"} <= named.keys()
    assert [name for name, fields in named.items() if "currency" in fields] == [
        "announce_tournament"
    ]
    casino.fail("unknown field `currency`", "deposit", account="anna", deposit="eur", amount=1,
                method="bank", currency="EUR")  # fmt: skip
    casino.fail("EUR", "announce_tournament", currency="EUR")
