"""Self-restricting measures a to g, and when a change of one takes effect (ZHH 15, L-45)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.ledger.decisions.decisions_casino import CROWN, prague, sentence_of

if TYPE_CHECKING:
    from tests.ledger.decisions.decisions_casino import Casino


def set_limit(casino: Casino, letter: str, value: int) -> tuple[str, int]:
    (event,) = casino.do("set_limit", account="anna", measure=letter, value=value)
    return event.change, event.effective_at


def correct_lost_bet(casino: Casino, *, stake: int, difference: int) -> None:
    """Lose a bet whose stake is corrected afterwards; crowns."""
    round_ = casino.open_round()
    lost = {"round": round_, "bet": casino.bet(round_, stake)}
    casino.settle(round_, number=2)
    casino.do("correct_bet", **lost, difference=difference * CROWN, cause="other chips lay there")


@pytest.mark.law("SAZKA 2 (measures)", "SAZKA 8(3)", "SAZKA 8(4)", "L-44")
def test_no_bet_before_each_measure_is_set_or_declined(undecided: Casino) -> None:
    undecided.decline_measures(letters="abcdf")
    undecided.do("set_limit", account="anna", measure="e", value=10)
    (refused,) = undecided.refuse_bet("MEASURES_MISSING", undecided.open_round())
    assert "measures g are" in sentence_of(refused)
    undecided.decline_measures(letters="g")
    undecided.bet(undecided.open_round())


@pytest.mark.law("SAZKA 8(5)", "SAZKA 13(2)", "L-43", "L-47")
@pytest.mark.parametrize(
    ("letter", "code"), [("a", "MEASURE_STAKES_DAY"), ("b", "MEASURE_STAKES_MONTH")]
)
def test_bets_may_reach_the_measure_and_not_pass_it_by_one_haler(
    undecided: Casino, letter: str, code: str
) -> None:
    undecided.decline_measures()
    undecided.do("set_limit", account="anna", measure=letter, value=500 * CROWN)
    undecided.wait(minutes=12 * 60)
    round_ = undecided.open_round()
    undecided.bet(round_, 300)
    undecided.refuse(code, "place_bet", **undecided.chips(round_) | {"stake": 200 * CROWN + 1})
    undecided.bet(round_, 200)


@pytest.mark.law("SAZKA 8(5)", "SAZKA 13(2)", "L-43", "L-47")
@pytest.mark.parametrize(
    ("letter", "code"), [("c", "MEASURE_LOSS_DAY"), ("d", "MEASURE_LOSS_MONTH")]
)
def test_net_loss_counts_winnings_and_chips_that_could_be_lost(
    undecided: Casino, letter: str, code: str
) -> None:
    undecided.decline_measures(letters="abcdefg".replace(letter, ""))
    set_limit(undecided, letter, 500 * CROWN)
    undecided.play(number=3, stake=400)  # wins 400
    undecided.play(number=2, stake=800)  # loses 800: net loss 400
    undecided.refuse_bet(code, undecided.open_round(), 101)
    undecided.bet(undecided.open_round(), 100)


@pytest.mark.parametrize(
    ("letter", "code"), [("a", "MEASURE_STAKES_DAY"), ("b", "MEASURE_STAKES_MONTH")]
)
def test_chips_taken_back_do_not_count(undecided: Casino, letter: str, code: str) -> None:
    undecided.decline_measures(letters="abcdefg".replace(letter, ""))
    set_limit(undecided, letter, 500 * CROWN)
    round_ = undecided.open_round()
    bet = undecided.bet(round_, 500)
    undecided.refuse_bet(code, round_, 1)
    undecided.do("withdraw_bet", account="anna", round=round_, bet=bet)
    undecided.bet(round_, 500)


@pytest.mark.law("L-47")
def test_the_day_ends_at_midnight_in_prague_and_the_month_with_it(undecided: Casino) -> None:
    undecided.decline_measures(letters="cdefg")
    set_limit(undecided, "a", 500 * CROWN)
    set_limit(undecided, "b", 900 * CROWN)
    undecided.at("2026-03-30 23:59:59.999999")
    undecided.play(stake=500)
    undecided.refuse_bet("MEASURE_STAKES_DAY", undecided.open_round(), 1)
    undecided.at("2026-03-31 00:00")
    undecided.play(stake=400)
    undecided.refuse_bet("MEASURE_STAKES_MONTH", undecided.open_round(), 1)
    undecided.at("2026-04-01 00:00")
    undecided.bet(undecided.open_round(), 500)


@pytest.mark.law("L-47")
@pytest.mark.parametrize(
    ("letter", "code"),
    [
        ("a", "MEASURE_STAKES_DAY"),
        ("b", "MEASURE_STAKES_MONTH"),
        ("c", "MEASURE_LOSS_DAY"),
        ("d", "MEASURE_LOSS_MONTH"),
    ],
)
def test_what_a_corrected_stake_takes_counts(undecided: Casino, letter: str, code: str) -> None:
    undecided.decline_measures(letters="abcdefg".replace(letter, ""))
    set_limit(undecided, letter, 1000 * CROWN)
    correct_lost_bet(undecided, stake=500, difference=300)
    undecided.refuse_bet(code, undecided.open_round(), 201)
    undecided.bet(undecided.open_round(), 200)


@pytest.mark.parametrize(
    ("letter", "code", "left"), [("a", "MEASURE_STAKES_DAY", 500), ("c", "MEASURE_LOSS_DAY", 800)]
)
def test_what_a_corrected_stake_gives_back_is_a_payment(
    undecided: Casino, letter: str, code: str, left: int
) -> None:
    undecided.decline_measures(letters="abcdefg".replace(letter, ""))
    set_limit(undecided, letter, 1000 * CROWN)
    correct_lost_bet(undecided, stake=500, difference=-300)
    undecided.refuse_bet(code, undecided.open_round(), left + 1)
    undecided.bet(undecided.open_round(), left)


@pytest.mark.law("L-47")
@pytest.mark.parametrize(
    ("way", "left"), [("wallet", 500), ("outside", 1500)], ids=["wallet", "outside"]
)
def test_a_claim_counts_as_lost_when_the_wallet_settles_it(
    undecided: Casino, way: str, left: int
) -> None:
    """1000 were paid in error and withdrawn; the loss of 500 is one of 500, and then of 1500."""
    undecided.decline_measures(letters="abdefg")
    set_limit(undecided, "c", 1000 * CROWN)
    round_ = undecided.open_round()
    bet = undecided.bet(round_, 500)
    undecided.result(round_, number=2)
    undecided.do("settle_round", round=round_, payments={bet: 1000 * CROWN})
    withdrawn = {"account": "anna", "withdrawal": "w"}
    money = undecided.account().wallet
    undecided.do("withdraw", **withdrawn, amount=money, method="bank")
    wrong = {"round": round_, "bet": bet, "cause": "the bet had lost"}
    undecided.do("correct_win", **wrong, difference=-1000 * CROWN)
    undecided.pay_in(5000)
    claim = {"account": "anna", "amount": 1000 * CROWN, "reason": "from the account"}
    undecided.do("settle_claim", **claim, way=way)
    undecided.refuse_bet("MEASURE_LOSS_DAY", undecided.open_round(), left + 1)
    undecided.bet(undecided.open_round(), left)


def test_a_stake_of_yesterday_given_back_today_frees_nothing_of_today(undecided: Casino) -> None:
    undecided.decline_measures(letters="bcdefg")
    set_limit(undecided, "a", 500 * CROWN)
    undecided.at("2026-02-02 23:59")
    bet = undecided.bet(undecided.open_round(), 500)
    undecided.close(bet.split("-")[0])
    undecided.at("2026-02-03 00:01")
    undecided.do("void_round", round=bet.split("-")[0], ground="operator_interruption")
    undecided.bet(undecided.open_round(), 500)
    undecided.refuse_bet("MEASURE_STAKES_DAY", undecided.open_round(), 1)


@pytest.mark.law("SAZKA 8(5)", "L-43")
def test_logins_of_the_month_are_counted(undecided: Casino) -> None:
    undecided.decline_measures(letters="abcdfg")
    set_limit(undecided, "e", 2)
    for _ in range(2):
        undecided.do("log_out", account="anna")
        login = {"account": "anna", "session": undecided.new_name("s"), "register": "clear"}
        receipt = undecided.send("log_in", **login)
    assert receipt.refused is not None
    undecided.refuse("MEASURE_LOGINS", "log_in", **login)
    undecided.at("2026-02-28 23:59:59.999999")
    undecided.refuse("MEASURE_LOGINS", "log_in", **login)
    undecided.at("2026-03-01 00:00")
    undecided.log_in()


@pytest.mark.law("SAZKA 8(5)", "L-43", "L-48")
def test_login_time_of_the_day_is_used_up_to_the_microsecond(undecided: Casino) -> None:
    undecided.decline_measures(letters="abcdeg")
    set_limit(undecided, "f", 60)
    undecided.wait(minutes=40)
    undecided.do("log_out", account="anna")
    undecided.wait(minutes=300)
    undecided.log_in()
    undecided.wait(minutes=20, microseconds=-1)
    undecided.bet(undecided.open_round())
    undecided.wait(microseconds=1)
    undecided.refuse_bet("MEASURE_LOGIN_TIME", undecided.open_round())
    undecided.do("log_out", account="anna", cause="time_limit")
    *_, logged_in = undecided.log_in()
    assert (logged_in.mode, logged_in.reason) == ("restricted", "login_time")


def test_login_time_begins_anew_at_midnight(undecided: Casino) -> None:
    undecided.decline_measures(letters="abcdeg")
    set_limit(undecided, "f", 60)
    undecided.at("2026-02-03 00:59:59.999999")
    undecided.bet(undecided.open_round())
    undecided.at("2026-02-03 01:00")
    undecided.refuse_bet("MEASURE_LOGIN_TIME", undecided.open_round())


@pytest.mark.law("SAZKA 13(2)")
@pytest.mark.law("SAZKA 8(5)", "L-43", "L-48")
def test_the_pause_after_logout_ends_to_the_microsecond(undecided: Casino) -> None:
    undecided.decline_measures(letters="abcdef")
    set_limit(undecided, "g", 30)
    undecided.do("log_out", account="anna")
    undecided.log_in()
    undecided.wait(minutes=30, microseconds=-1)
    undecided.refuse_bet("MEASURE_PAUSE", undecided.open_round())
    undecided.wait(microseconds=1)
    undecided.bet(undecided.open_round())


# When a change takes effect


@pytest.mark.law("L-45")
def test_a_first_setting_binds_at_once(undecided: Casino) -> None:
    assert set_limit(undecided, "a", 100) == ("first", undecided.clock.moment)


@pytest.mark.law("L-44", "L-45")
def test_declining_for_the_first_time_binds_at_once(undecided: Casino) -> None:
    (event,) = undecided.do("decline_limit", account="anna", measure="a")
    assert (event.previous, event.effective_at) == (None, undecided.clock.moment)


@pytest.mark.law("L-45")
@pytest.mark.parametrize(
    ("moment", "next_midnight", "seventh_day"),
    [
        ("2026-03-28 23:59:59.999999", "2026-03-29", "2026-04-04"),
        ("2026-03-29 00:00", "2026-03-30", "2026-04-05"),  # a day of 23 hours
        ("2026-10-24 12:00", "2026-10-25", "2026-10-31"),
        ("2026-10-25 00:00", "2026-10-26", "2026-11-01"),  # a day of 25 hours
        ("2026-12-31 23:59:59.999999", "2027-01-01", "2027-01-07"),
    ],
)
@pytest.mark.parametrize(("letter", "strict", "loose"), [("a", 50, 200), ("g", 200, 50)])
def test_stricter_binds_from_midnight_and_looser_from_that_of_the_seventh_day(
    undecided: Casino, moment: str, next_midnight: str, seventh_day: str, *,
    letter: str, strict: int, loose: int,
) -> None:  # fmt: skip
    set_limit(undecided, letter, 100)
    undecided.at(moment)
    assert set_limit(undecided, letter, loose) == ("looser", prague(seventh_day))
    assert set_limit(undecided, letter, strict) == ("stricter", prague(next_midnight))
    (removed,) = undecided.do("decline_limit", account="anna", measure=letter)
    assert (removed.previous, removed.effective_at) == (100, prague(seventh_day))


def in_force(casino: Casino, text: str, letter: str = "a") -> int | None:
    return casino.account().measures[letter].at(prague(text))


@pytest.mark.law("L-45")
def test_a_waiting_value_binds_from_its_first_microsecond(undecided: Casino) -> None:
    set_limit(undecided, "a", 100)
    set_limit(undecided, "a", 50)
    assert in_force(undecided, "2026-02-02 23:59:59.999999") == 100
    assert in_force(undecided, "2026-02-03 00:00") == 50
    set_limit(undecided, "b", 100)
    set_limit(undecided, "b", 200)
    assert in_force(undecided, "2026-02-08 23:59:59.999999", "b") == 100
    assert in_force(undecided, "2026-02-09 00:00", "b") == 200


@pytest.mark.parametrize("looser", [80, 120, None])
def test_a_looser_wish_does_not_undo_the_stricter_value_that_waits(
    undecided: Casino, looser: int | None
) -> None:
    set_limit(undecided, "a", 100)
    set_limit(undecided, "a", 50)
    if looser is None:
        undecided.decline_measures(letters="a")
    else:
        assert set_limit(undecided, "a", looser)[0] == "looser"
    assert in_force(undecided, "2026-02-03 00:00") == 50
    assert in_force(undecided, "2026-02-08 23:59:59.999999") == 50
    assert in_force(undecided, "2026-02-09 00:00") == looser


@pytest.mark.parametrize("letter", ["a", "g"])
def test_the_same_value_again_undoes_a_looser_one_that_waits(
    undecided: Casino, letter: str
) -> None:
    set_limit(undecided, letter, 100)
    undecided.decline_measures(letters=letter)
    assert set_limit(undecided, letter, 100)[0] == "stricter"
    assert in_force(undecided, "2026-03-01 00:00", letter) == 100


def test_a_stricter_wish_undoes_a_looser_value_that_waits(undecided: Casino) -> None:
    set_limit(undecided, "a", 100)
    set_limit(undecided, "a", 200)
    undecided.wait(minutes=60)
    assert set_limit(undecided, "a", 100)[0] == "stricter"
    assert in_force(undecided, "2026-03-01 00:00") == 100


def test_of_two_looser_wishes_the_newer_one_counts(undecided: Casino) -> None:
    set_limit(undecided, "a", 100)
    set_limit(undecided, "a", 500)
    undecided.at("2026-02-03 12:00")
    set_limit(undecided, "a", 300)
    assert in_force(undecided, "2026-02-09 12:00") == 100
    assert in_force(undecided, "2026-02-10 00:00") == 300


def test_a_value_after_a_refusal_is_stricter(undecided: Casino) -> None:
    undecided.decline_measures(letters="a")
    assert set_limit(undecided, "a", 50)[0] == "stricter"
    undecided.decline_measures(letters="a")
    assert in_force(undecided, "2026-02-03 00:00") == 50
    assert in_force(undecided, "2026-02-09 00:00") is None


def test_a_pause_is_at_most_a_year(undecided: Casino) -> None:
    undecided.fail(
        "at most 527040 minutes", "set_limit", account="anna", measure="g", value=527_041
    )
