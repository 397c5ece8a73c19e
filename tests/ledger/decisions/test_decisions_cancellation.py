"""The cancellation of an account, objections, complaints, refunds (SAZKA 12 and 16)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ledger.core.clock import midnight_after
from tests.ledger.decisions.decisions_casino import prague, sentence_of
from tools.data.case_texts import case_texts

if TYPE_CHECKING:
    from tests.ledger.decisions.decisions_casino import Casino

ANNA = {"account": "anna"}
GROUNDS = ["12(1)a", "12(1)c", "12(2)a", "12(2)b", "12(2)c"]


def request(casino: Casino, ground: str = "12(4)") -> None:
    words = "" if ground == "12(4)" else "what was found"
    casino.do("request_cancellation", **ANNA, ground=ground, explanation=words)


def confirm(casino: Casino) -> int:
    (confirmed,) = casino.do("confirm_cancellation", **ANNA, notice="by e-mail")
    return confirmed.objections_until


def wait_15_days(casino: Casino) -> None:
    casino.clock.moment = casino.account().cancellation.objections_until


def close(casino: Casino) -> list[object]:
    request(casino)
    confirm(casino)
    wait_15_days(casino)
    return casino.do("close_account", **ANNA)


@pytest.mark.law("SAZKA 12(1)", "SAZKA 12(2)", "SAZKA 12(5)")
@pytest.mark.parametrize("ground", [*GROUNDS, "12(4)"])
def test_bets_and_deposits_end_with_the_request_and_withdrawals_do_not(
    casino: Casino, ground: str
) -> None:
    request(casino, ground)
    casino.refuse_bet("CANCELLATION_RUNS", casino.open_round())
    money = {**ANNA, "amount": 1, "method": "bank"}
    casino.refuse("CANCELLATION_RUNS", "deposit", deposit="d", **money)
    casino.do("withdraw", withdrawal="w", **money)
    casino.do("log_out", **ANNA)
    *_, logged_in = casino.log_in()
    assert (logged_in.mode, logged_in.reason) == ("restricted", "cancellation")
    casino.refuse("CANCELLATION_RUNS", "request_cancellation", **ANNA, ground="12(4)")


@pytest.mark.law("SAZKA 12(3)")
def test_a_notice_of_the_operator_gives_its_ground_in_words(casino: Casino) -> None:
    for ground in GROUNDS:
        casino.fail("fill `explanation`", "request_cancellation", **ANNA, ground=ground)


@pytest.mark.law("SAZKA 12(6)")
@pytest.mark.law("SAZKA 12(4)")
def test_the_participant_takes_the_own_request_back_until_closure(casino: Casino) -> None:
    request(casino)
    confirm(casino)
    wait_15_days(casino)
    casino.do("withdraw_cancellation", **ANNA)
    casino.bet(casino.open_round())
    casino.refuse("CANCELLATION_NOT_RUNNING", "close_account", **ANNA)


@pytest.mark.law("SAZKA 12(4)")
@pytest.mark.parametrize("ground", GROUNDS)
def test_a_cancellation_by_the_operator_can_not_be_taken_back(casino: Casino, ground: str) -> None:
    request(casino, ground)
    casino.refuse("NOT_OWN_REQUEST", "withdraw_cancellation", **ANNA)


def test_nothing_to_confirm_take_back_or_object_to_without_a_cancellation(casino: Casino) -> None:
    casino.refuse("CANCELLATION_NOT_RUNNING", "confirm_cancellation", **ANNA, notice="n")
    casino.refuse("CANCELLATION_NOT_RUNNING", "withdraw_cancellation", **ANNA)
    objection = {**ANNA, "case": "c", "grounds": "no"}
    casino.refuse("CANCELLATION_NOT_RUNNING", "file_objection", **objection)


@pytest.mark.law("SAZKA 12(6)")
def test_the_15_days_run_from_the_confirmation_and_the_last_one_counts_whole(
    casino: Casino,
) -> None:
    request(casino)
    casino.at("2026-10-20 18:00")
    assert confirm(casino) == prague("2026-11-05")
    casino.fail("confirmed already", "confirm_cancellation", **ANNA, notice="again")


def test_the_15_days_end_on_a_working_day(casino: Casino) -> None:
    request(casino)
    casino.at("2026-10-23 18:00")
    assert confirm(casino) == prague("2026-11-10"), "the last day would be a Saturday"


@pytest.mark.law("SAZKA 12(3)", "SAZKA 12(6)")
def test_an_objection_is_in_time_until_the_last_microsecond(casino: Casino) -> None:
    request(casino, "12(1)a")
    casino.clock.moment = confirm(casino) - 1
    casino.do("file_objection", **ANNA, case="c1", grounds="not me")
    casino.wait(microseconds=1)
    casino.refuse("OBJECTION_TOO_LATE", "file_objection", **ANNA, case="c2", grounds="late")


@pytest.mark.law("SAZKA 12(7)")
def test_an_upheld_objection_restores_the_account(casino: Casino) -> None:
    request(casino, "12(2)c")
    casino.do("file_objection", **ANNA, case="c", grounds="not so")
    casino.do("confirm_objection", **ANNA, case="c")
    decided, restored = casino.do(
        "decide_objection", **ANNA, case="c", upheld=True, explanation="you are right"
    )
    texts = case_texts(casino.ledger._keys, decided)
    assert (texts, restored.case) == ({"explanation": "you are right"}, "c")
    casino.bet(casino.open_round())
    late = {**ANNA, "case": "c", "upheld": False, "explanation": "again"}
    casino.refuse("CANCELLATION_NOT_RUNNING", "decide_objection", **late)


@pytest.mark.law("SAZKA 12(6)", "SAZKA 12(7)")
def test_a_dismissed_objection_lets_the_cancellation_go_on(casino: Casino) -> None:
    request(casino, "12(2)c")
    confirm(casino)
    casino.do("file_objection", **ANNA, case="c", grounds="not so")
    wait_15_days(casino)
    (refused,) = casino.refuse("CLOSING_TOO_EARLY", "close_account", **ANNA)
    assert "an objection is not decided" in sentence_of(refused)
    answer = {**ANNA, "case": "c", "upheld": False, "explanation": "we saw it"}
    casino.do("decide_objection", **answer)
    casino.refuse("CASE_NOT_OPEN", "decide_objection", **answer)
    casino.do("close_account", **ANNA)


def test_a_case_has_a_name_of_its_own_and_an_explanation(casino: Casino) -> None:
    casino.do("file_complaint", **ANNA, case="c", grounds="slow")
    casino.fail("case c exists", "file_complaint", **ANNA, case="c", grounds="again")
    request(casino)
    casino.fail("case c exists", "file_objection", **ANNA, case="c", grounds="no")
    casino.refuse("CASE_NOT_OPEN", "confirm_objection", **ANNA, case="c")


@pytest.mark.law("SAZKA 16(1)")
def test_a_complaint_names_the_rounds_and_bets_that_it_concerns(casino: Casino) -> None:
    first, second = casino.play(), casino.open_round()
    bet = casino.bet(second)
    named = {"rounds": [first], "bets": [bet, bet], "grounds": "wrong"}
    (filed,) = casino.do("file_complaint", **ANNA, case="c1", **named)
    assert (filed.round, filed.rounds, filed.bets) == (first, (second,), (bet,))
    (filed,) = casino.do("file_complaint", **ANNA, case="c2", grounds="g", round=first, bets=[bet])
    assert (filed.round, filed.rounds) == (first, (second,))
    assert casino.account().complaints == ["c1", "c2"]


def test_a_complaint_concerns_rounds_that_are_known_and_bets_of_its_own(casino: Casino) -> None:
    casino.player("bara")
    round_ = casino.open_round()
    other = casino.bet(round_, account="bara")
    form = {**ANNA, "case": "c", "grounds": "g"}
    casino.fail("round nowhere is unknown", "file_complaint", **form, rounds=["nowhere"])
    for bet in (other, f"{round_}-none"):
        casino.fail(f"anna has no bet {bet}", "file_complaint", **form, bets=[bet])
    casino.fail("round  ?is unknown|is unknown", "file_complaint", **form, bets=["no"])


@pytest.mark.law("SAZKA 12(6)", "SAZKA 16(1)")
def test_a_complaint_holds_the_closing_up_until_it_is_decided(casino: Casino) -> None:
    round_ = casino.play()
    casino.do("file_complaint", **ANNA, case="c", grounds="it was 4", round=round_)
    request(casino)
    confirm(casino)
    wait_15_days(casino)
    (refused,) = casino.refuse("CLOSING_TOO_EARLY", "close_account", **ANNA)
    assert "a complaint is not decided" in sentence_of(refused)
    answer = {**ANNA, "case": "c", "upheld": False, "explanation": "it was 3"}
    casino.do("decide_complaint", **answer)
    casino.refuse("CASE_NOT_OPEN", "decide_complaint", **answer)
    casino.do("close_account", **ANNA)


@pytest.mark.law("SAZKA 12(6)")
def test_an_account_closes_only_after_the_receipt_and_the_15_days(casino: Casino) -> None:
    request(casino)
    (refused,) = casino.refuse("CLOSING_TOO_EARLY", "close_account", **ANNA)
    assert "receipt was not sent" in sentence_of(refused)
    casino.clock.moment = confirm(casino) - 1
    (refused,) = casino.refuse("CLOSING_TOO_EARLY", "close_account", **ANNA)
    assert "15 days" in sentence_of(refused)
    casino.wait(microseconds=1)
    casino.do("close_account", **ANNA)


@pytest.mark.law("SAZKA 12(6)")
def test_an_account_closes_only_when_every_bet_is_evaluated_and_paid(casino: Casino) -> None:
    round_ = casino.open_round()
    casino.bet(round_)
    casino.close(round_)
    request(casino)
    confirm(casino)
    wait_15_days(casino)
    (refused,) = casino.refuse("CLOSING_TOO_EARLY", "close_account", **ANNA)
    assert "a bet is not evaluated" in sentence_of(refused)
    casino.settle(round_)
    casino.do("withdraw", **ANNA, withdrawal="w", amount=1, method="bank")
    (refused,) = casino.refuse("CLOSING_TOO_EARLY", "close_account", **ANNA)
    assert "a withdrawal is pending" in sentence_of(refused)
    casino.do("pay_withdrawal", **ANNA, withdrawal="w")
    casino.do("close_account", **ANNA)


def test_a_closed_account_is_logged_out_and_does_nothing_more(casino: Casino) -> None:
    logged_out, returned, closed = close(casino)
    assert (logged_out.cause, returned.amount, closed.ground) == ("automatic", 100_000_00, "12(4)")
    assert casino.account().wallet == 0
    money = {**ANNA, "amount": 1, "method": "bank"}
    casino.refuse("ACCOUNT_CLOSED", "log_in", **ANNA, session="s", register="clear")
    casino.refuse("ACCOUNT_CLOSED", "deposit", deposit="d", **money)
    casino.refuse("ACCOUNT_CLOSED", "withdraw", withdrawal="w", **money)
    casino.refuse("ACCOUNT_CLOSED", "charge_fee", **ANNA, fee="f", amount=1, reason="r")
    casino.refuse("ACCOUNT_CLOSED", "return_fee", **ANNA, fee="f", amount=1, reason="r")
    casino.refuse("ACCOUNT_CLOSED", "request_cancellation", **ANNA, ground="12(4)")
    casino.refuse_bet("ACCOUNT_CLOSED", casino.open_round())


def test_after_closing_the_person_may_open_a_new_account(casino: Casino) -> None:
    close(casino)
    casino.register("anna2", identity="CZ anna")


@pytest.mark.law("L-46")
def test_measures_of_an_account_closed_in_the_last_7_days_are_not_loosened(
    casino: Casino,
) -> None:
    casino.do("set_limit", **ANNA, measure="a", value=500_00)
    casino.do("set_limit", **ANNA, measure="g", value=60)
    close(casino)
    (opened, *_) = casino.register("anna2", identity="CZ anna")
    assert opened.earlier_account == "anna"
    again = {"account": "anna2"}
    (refused,) = casino.refuse("LOOSER_THAN_BEFORE", "decline_limit", **again, measure="a")
    assert "limit 50000" in sentence_of(refused)
    casino.refuse("LOOSER_THAN_BEFORE", "set_limit", **again, measure="a", value=500_01)
    casino.refuse("LOOSER_THAN_BEFORE", "set_limit", **again, measure="g", value=59)
    casino.do("set_limit", **again, measure="a", value=500_00)
    casino.do("set_limit", **again, measure="g", value=61)
    casino.decline_measures("anna2", letters="bcdef")
    (looser,) = casino.do("decline_limit", **again, measure="a")
    assert looser.effective_at > casino.clock.moment, "afterwards it loosens as any other"


@pytest.mark.law("L-46")
@pytest.mark.parametrize(("days", "earlier"), [(7, "anna"), (8, "")])
def test_measures_are_held_for_seven_calendar_days(casino: Casino, days: int, earlier: str) -> None:
    close(casino)
    casino.clock.moment = midnight_after(casino.account().closed_at, days=days)
    (opened, *_) = casino.register("anna2", identity="CZ anna")
    assert opened.earlier_account == earlier


@pytest.mark.law("SAZKA 12(8)", "L-33")
@pytest.mark.parametrize(
    ("methods", "deposits", "ways"),
    [
        (["card", "bank"], {"card": 300, "bank": 200}, [("bank", 500)]),
        (["card", "wallet"], {"card": 300, "wallet": 200}, [("card", 300), ("wallet", 200)]),
        (["card"], {"card": 300, "cash": 200}, [("card", 300), ("postal", 200)]),
        ([], {"cash": 200}, [("postal", 200)]),
        (["bank"], {}, []),
    ],
)
def test_the_balance_goes_back_in_the_order_of_12_8(
    house: Casino, methods: list[str], deposits: dict[str, int], ways: list[tuple[str, int]]
) -> None:
    house.register()
    kinds = {"bank": "account", "card": "card", "wallet": "other"}
    for method in methods:
        house.add_method("anna", method, kinds[method])
    for method, crowns in deposits.items():
        house.pay_in(crowns, method=method, document_shown=True)
    returned = [event for event in close(house) if type(event).__name__ == "BalanceReturned"]
    assert [(event.way.replace("other", "wallet").replace("account", "bank"), event.amount)
            for event in returned] == [(way, crowns * 100) for way, crowns in ways]  # fmt: skip


@pytest.mark.law("SAZKA 12(8)")
def test_what_a_card_brought_is_the_most_that_goes_back_to_it(house: Casino) -> None:
    house.register()
    house.add_method("anna", "card", "card")
    house.decline_measures()
    house.pay_in(100, method="card")
    house.log_in()
    house.do("take_seat", account="anna", table="r1")
    house.play(number=3, stake=100)
    ways = [(event.way, event.amount) for event in close(house)[1:-1]]
    assert ways == [("card", 100_00), ("postal", 100_00)]


@pytest.mark.law("SAZKA 12(4)")
@pytest.mark.law("SAZKA 12(2)")
@pytest.mark.law("SAZKA 12(1)")
@pytest.mark.parametrize(
    ("last_login", "moment", "dormant"),
    [
        ("2026-02-02 12:00", "2028-02-02 11:59:59.999999", False),
        ("2026-02-02 12:00", "2028-02-02 12:00", True),
        ("2028-02-29 08:00", "2030-02-28 07:59:59.999999", False),
        ("2028-02-29 08:00", "2030-03-01 08:00", True),
    ],
)
def test_dormancy_is_24_months_without_login(
    casino: Casino, last_login: str, moment: str, *, dormant: bool
) -> None:
    casino.do("log_out", **ANNA)
    casino.at(last_login)
    casino.log_in()
    casino.at(moment)
    facts = {**ANNA, "ground": "12(1)b", "explanation": "24 months"}
    if dormant:
        casino.do("request_cancellation", **facts)
    else:
        (refused,) = casino.refuse("GROUND_NOT_GIVEN", "request_cancellation", **facts)
        assert "24 months" in sentence_of(refused)


@pytest.mark.law("SAZKA 12(1)")
def test_dormancy_waits_for_open_bets_and_30_days_after_the_last_evaluation(
    casino: Casino,
) -> None:
    facts = {**ANNA, "ground": "12(1)b", "explanation": "24 months"}
    round_ = casino.open_round()
    casino.bet(round_)
    casino.at("2028-03-01 12:00")
    (refused,) = casino.refuse("GROUND_NOT_GIVEN", "request_cancellation", **facts)
    assert "a bet is not evaluated" in sentence_of(refused)
    casino.settle(round_)
    casino.wait(minutes=30 * 24 * 60, microseconds=-1)
    (refused,) = casino.refuse("GROUND_NOT_GIVEN", "request_cancellation", **facts)
    assert "30 days" in sentence_of(refused)
    casino.wait(microseconds=1)
    casino.do("request_cancellation", **facts)


def test_dormancy_counts_from_the_opening_where_nobody_ever_logged_in(house: Casino) -> None:
    house.register()
    facts = {**ANNA, "ground": "12(1)b", "explanation": "24 months"}
    house.at("2028-02-02 11:59:59.999999")
    house.refuse("GROUND_NOT_GIVEN", "request_cancellation", **facts)
    house.wait(microseconds=1)
    house.do("request_cancellation", **facts)


@pytest.mark.law("SAZKA 12(6)")
@pytest.mark.parametrize(("days", "delays"), [(0, True), (1, False)])
def test_a_complaint_after_the_day_of_the_evaluation_does_not_delay_the_closing(
    casino: Casino, days: int, delays: bool
) -> None:
    casino.play()
    casino.wait(minutes=days * 24 * 60)
    casino.do("file_complaint", **ANNA, case="late", grounds="slow")
    casino.do("request_cancellation", **ANNA, ground="12(4)")
    (confirmed,) = casino.do("confirm_cancellation", **ANNA, notice="by e-mail")
    casino.clock.moment = confirmed.objections_until
    if delays:
        casino.refuse("CLOSING_TOO_EARLY", "close_account", **ANNA)
        casino.do("decide_complaint", **ANNA, case="late", upheld=False, explanation="no")
    casino.do("close_account", **ANNA)
