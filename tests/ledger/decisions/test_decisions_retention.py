"""Erasure gives way to the period in which data must be kept (AML act; GDPR 17(3)(b))."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ledger.core.clock import DAY
from ledger.rules.retention import KEPT, end_of_retention
from tests.ledger.decisions.decisions_casino import prague, sentence_of

if TYPE_CHECKING:
    from tests.ledger.decisions.decisions_casino import Casino

ANNA = {"account": "anna"}


def close(casino: Casino, account: str = "anna") -> int:
    """Let a participant cancel an account and wait until it is closed; return that moment."""
    casino.do("request_cancellation", account=account, ground="12(4)")
    (confirmed,) = casino.do("confirm_cancellation", account=account, notice="by e-mail")
    casino.clock.moment = confirmed.objections_until
    casino.do("close_account", account=account)
    return casino.clock.moment


@pytest.mark.parametrize(
    ("ended", "until"),
    [
        ("2026-11-22 23:59:59", "2036-11-23"),
        ("2026-01-01 00:00", "2036-01-02"),
        ("2024-02-29 10:00", "2034-03-02"),
        ("2026-03-29 12:00", "2036-03-30"),
    ],
)
def test_the_longest_period_counts_in_years_and_the_last_day_whole(ended: str, until: str) -> None:
    assert max(kept.years for kept in KEPT.values()) == 10
    assert end_of_retention(prague(ended)) == prague(until)


@pytest.mark.law("GDPR 17(3), 18")
@pytest.mark.law("L-56", "L-58")
def test_an_erasure_before_its_time_is_put_off_and_recorded(casino: Casino) -> None:
    until = end_of_retention(close(casino))
    (deferred,) = casino.refuse("RETENTION_RUNS", "erase_person", **ANNA)
    assert type(deferred).__name__ == "ErasureDeferred"
    assert (deferred.person, deferred.until) == (casino.account().person, until)
    assert "up to and including 2036-02-18" in sentence_of(deferred)
    casino.clock.moment = until - 1
    casino.refuse("RETENTION_RUNS", "erase_person", **ANNA)
    with casino.as_reopened():
        casino.refuse("RETENTION_RUNS", "erase_person", **ANNA)
    casino.wait(microseconds=1)
    casino.do("erase_person", **ANNA)
    casino.assert_cold_is_hot()


@pytest.mark.law("L-56")
def test_the_period_runs_from_the_last_account_of_the_person(casino: Casino) -> None:
    close(casino)
    casino.register("anna2", identity="CZ anna")
    casino.clock.moment += 700 * DAY
    until = end_of_retention(close(casino, "anna2"))
    (deferred,) = casino.refuse("RETENTION_RUNS", "erase_person", **ANNA)
    assert deferred.until == until


def test_money_that_moves_after_the_closing_prolongs_it(casino: Casino) -> None:
    round_ = casino.play()
    bet = next(iter(casino.round(round_).bets))
    closed_at = close(casino)
    casino.clock.moment += 300 * DAY
    fix = {"round": round_, "bet": bet, "difference": 100, "cause": "the screen"}
    casino.do("correct_win", **fix)
    (deferred,) = casino.refuse("RETENTION_RUNS", "erase_person", **ANNA)
    assert deferred.until == end_of_retention(casino.clock.moment) > end_of_retention(closed_at)
    casino.assert_cold_is_hot()


def test_what_else_keeps_the_data_is_told_first_and_recorded_too(casino: Casino) -> None:
    (deferred,) = casino.refuse("ACCOUNT_NOT_CLOSED", "erase_person", **ANNA)
    assert (type(deferred).__name__, deferred.until) == ("ErasureDeferred", None)
    why = {"ordered_by": "court", "reason": "action", "reference": "1"}
    casino.do("place_hold", hold="h", **ANNA, **why)
    close(casino)
    (deferred,) = casino.refuse("LEGAL_HOLD", "erase_person", **ANNA)
    assert (deferred.code, deferred.until) == ("LEGAL_HOLD", None)
