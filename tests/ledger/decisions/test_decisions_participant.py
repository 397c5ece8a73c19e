"""Measures and continuous play are the participant's: they go on with the next account.

``anna`` is the first account of a person, ``anna2`` the second. A temporary account ends after 30
days at once, so that another one can follow within minutes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ledger.core.clock import DAY, MINUTE
from ledger.state.account import AccountState
from ledger.state.participant import accounts_before
from tests.ledger.decisions.decisions_casino import CROWN, Casino, close

if TYPE_CHECKING:
    from collections.abc import Iterator

SECOND = {"account": "anna2"}


def ready(
    casino: Casino, account: str, limits: dict[str, int] | None = None, regime: str = "permanent"
) -> None:
    """Open an account of the person of ``anna``, with limits and money."""
    casino.do("open_account", **casino.registration(account, identity="CZ anna", regime=regime))
    casino.add_method(account, f"bank-{account}", "account")
    limits = limits or {}
    casino.decline_measures(account, letters="".join(set("abcdefg") - limits.keys()))
    for letter, value in limits.items():
        casino.do("set_limit", account=account, measure=letter, value=value)
    casino.pay_in(2500, account, f"bank-{account}")


def sit_down(casino: Casino, account: str) -> None:
    casino.log_in(account)
    casino.do("take_seat", account=account, table="r1")


def to_the_end(casino: Casino, *, minutes: int) -> None:
    """Wait until some minutes before the temporary account ``anna`` is over."""
    casino.clock.moment = casino.account().opened_at + 30 * DAY - minutes * MINUTE


def from_temporary_to_next(casino: Casino, limits: dict[str, int] | None = None) -> None:
    """End the temporary account ``anna`` and open ``anna2``, within the same minute."""
    casino.clock.moment = max(casino.clock.moment, casino.account().opened_at + 30 * DAY)
    casino.do("end_temporary_account", account="anna")
    ready(casino, "anna2", limits)


@pytest.fixture
def empty(house: Casino) -> Iterator[Casino]:
    yield house
    house.assert_cold_is_hot()


@pytest.mark.law("L-47")
@pytest.mark.parametrize(
    ("letter", "code"), [("b", "MEASURE_STAKES_MONTH"), ("d", "MEASURE_LOSS_MONTH")]
)
def test_the_month_goes_on_with_the_next_account(empty: Casino, letter: str, code: str) -> None:
    """A limit of 1000 a month: 900 with the first account leave 100 for the second."""
    limits = {letter: 1000 * CROWN}
    empty.at("2026-03-02 12:00")
    ready(empty, "anna", limits)
    sit_down(empty, "anna")
    empty.play(number=2, stake=900)
    close(empty)
    ready(empty, "anna2", limits)
    sit_down(empty, "anna2")
    with empty.as_reopened():
        empty.refuse_bet(code, empty.open_round(), 101, "anna2")
    empty.play(number=2, stake=100, account="anna2")
    empty.refuse_bet(code, empty.open_round(), 1, "anna2")
    empty.at("2026-04-01 00:00")
    empty.bet(empty.open_round(), 1000, "anna2")


@pytest.mark.law("L-47")
@pytest.mark.parametrize(
    ("letter", "code"), [("a", "MEASURE_STAKES_DAY"), ("c", "MEASURE_LOSS_DAY")]
)
def test_the_day_goes_on_with_the_next_account(empty: Casino, letter: str, code: str) -> None:
    limits = {letter: 1000 * CROWN}
    ready(empty, "anna", limits, regime="temporary")
    to_the_end(empty, minutes=1)
    sit_down(empty, "anna")
    empty.play(number=2, stake=900)
    from_temporary_to_next(empty, limits)
    sit_down(empty, "anna2")
    empty.refuse_bet(code, empty.open_round(), 101, "anna2")
    empty.bet(empty.open_round(), 100, "anna2")


@pytest.mark.law("SAZKA 5a(3)")
def test_a_break_binds_the_next_account_to_the_microsecond(empty: Casino) -> None:
    ready(empty, "anna", regime="temporary")
    to_the_end(empty, minutes=121)
    sit_down(empty, "anna")
    empty.sit_through(120)
    (imposed,) = empty.all_events("BreakImposed")
    from_temporary_to_next(empty)
    sit_down(empty, "anna2")
    round_ = empty.open_round()
    empty.refuse_bet("BREAK_REQUIRED", round_, account="anna2")
    empty.clock.moment = imposed.until - 1  # type: ignore[attr-defined]
    with empty.as_reopened():
        empty.refuse_bet("BREAK_REQUIRED", round_, account="anna2")
    empty.wait(microseconds=1)
    empty.bet(round_, account="anna2")
    empty.settle(round_)
    assert len(empty.all_events("BreakImposed")) == 1


@pytest.mark.law("SAZKA 5a(5)")
def test_a_sequence_goes_on_with_the_next_account(empty: Casino) -> None:
    """100 minutes with the first account and 20 with the second ask for the break."""
    ready(empty, "anna", regime="temporary")
    to_the_end(empty, minutes=101)
    since = empty.clock.moment
    sit_down(empty, "anna")
    empty.sit_through(100)
    from_temporary_to_next(empty)
    sit_down(empty, "anna2")
    empty.wait(minutes=9)
    empty.sit_through(10, "anna2")
    (imposed,) = empty.all_events("BreakImposed")
    assert (imposed.account, imposed.sequence_started_at) == ("anna2", since)  # type: ignore[attr-defined]
    empty.refuse_bet("BREAK_REQUIRED", empty.open_round(), account="anna2")


@pytest.mark.law("SAZKA 5a(5)")
def test_a_pause_between_two_accounts_ends_the_sequence(empty: Casino) -> None:
    ready(empty, "anna", regime="temporary")
    to_the_end(empty, minutes=101)
    sit_down(empty, "anna")
    empty.sit_through(100)
    from_temporary_to_next(empty)
    sit_down(empty, "anna2")
    empty.wait(minutes=14)
    empty.sit_through(119, "anna2")
    assert not empty.all_events("BreakImposed")


@pytest.mark.law("L-43")
def test_logins_of_the_month_go_on_with_the_next_account(empty: Casino) -> None:
    limits = {"e": 2}
    ready(empty, "anna", limits, regime="temporary")
    to_the_end(empty, minutes=1)
    empty.log_in()
    from_temporary_to_next(empty, limits)
    empty.log_in("anna2")
    empty.do("log_out", **SECOND)
    empty.refuse("MEASURE_LOGINS", "log_in", **SECOND, session="late", register="clear")


@pytest.mark.law("L-43", "L-48")
def test_login_time_of_the_day_goes_on_with_the_next_account(empty: Casino) -> None:
    limits = {"f": 60}
    ready(empty, "anna", limits, regime="temporary")
    to_the_end(empty, minutes=40)
    empty.log_in()
    from_temporary_to_next(empty, limits)
    sit_down(empty, "anna2")
    empty.wait(minutes=20, microseconds=-1)
    empty.bet(empty.open_round(), account="anna2")
    empty.wait(microseconds=1)
    empty.refuse_bet("MEASURE_LOGIN_TIME", empty.open_round(), account="anna2")


@pytest.mark.law("L-48")
def test_the_pause_after_logout_goes_on_with_the_next_account(empty: Casino) -> None:
    """The first account is logged out by its end."""
    limits = {"g": 30}
    ready(empty, "anna", limits, regime="temporary")
    to_the_end(empty, minutes=1)
    empty.log_in()
    from_temporary_to_next(empty, limits)
    sit_down(empty, "anna2")
    empty.wait(minutes=30, microseconds=-1)
    empty.refuse_bet("MEASURE_PAUSE", empty.open_round(), account="anna2")
    empty.wait(microseconds=1)
    empty.bet(empty.open_round(), account="anna2")


def test_accounts_bind_for_a_year_after_their_end() -> None:
    closed_at = {"a": 1, "b": 366 * DAY, "c": 367 * DAY}
    chain = {"d": "c", "c": "b", "b": "a", "a": ""}
    states = {
        name: AccountState(name, status="closed", closed_at=closed_at.get(name, 0))
        for name in chain
    }

    def names(now: int) -> list[str]:
        def before(account: AccountState) -> AccountState | None:
            return states.get(chain[account.account])

        return [one.account for one in accounts_before(states["d"], before, now)]

    assert names(366 * DAY) == ["c", "b", "a"]
    assert names(366 * DAY + 1) == ["c", "b"]
    assert names(2 * 366 * DAY) == ["c"]
    assert names(3 * 366 * DAY) == []
