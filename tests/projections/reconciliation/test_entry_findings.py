"""Accounts, logins and closings that break a rule on purpose: each is found."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from ledger.core.clock import DAY, HOUR, MINUTE, midnight_after
from ledger.events import event_types as e
from tests.projections.history_cases import (
    SEALED,
    VERSION,
    House,
    checked,
    concluded,
    declined,
    deposited,
    logged_in,
    notified,
    placed,
    registered,
    round_opened,
    round_voided,
    rules_published,
    settled,
    voided,
)
from tests.projections.projection_cases import START
from tests.projections.shared_cases import Asking, codes, together

DAYS = DAY // MINUTE
HOURS = HOUR // MINUTE
VERIFIED = e.PersonVerified(account="b", what="identity", how="bank identity")
LOGGED_OUT = e.LoggedOut(session="s-a", account="a", cause="time_limit")


def opened(**facts: Any) -> e.AccountOpened:
    return e.AccountOpened(
        name_digest="",
        **{
            "account": "b",
            "person": "p-b",
            "regime": "permanent",
            "internet": True,
            "land_based": False,
            "plan_version": VERSION,
            "earlier_account": "",
            **SEALED,
            **facts,
        },
    )


def limit(measure: str, value: int, at: int = START) -> e.LimitSet:
    return e.LimitSet(
        account="a", measure=measure, value=value, previous=None, change="first", effective_at=at
    )


@pytest.mark.law("SAZKA 12a(4)")
@pytest.mark.law("SAZKA 8(2)")
@pytest.mark.law("SAZKA 8(10)", "SAZKA 8(11)", "SAZKA 8(13)", "SAZKA 9(3)", "L-27", "L-30", "L-32")
@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        ([opened(), VERIFIED, checked("b", "registration")], []),
        ([opened(), checked("b", "registration")], ["IDENTITY_NOT_VERIFIED"]),
        ([opened(), VERIFIED], ["REGISTER_NOT_ASKED"]),
        ([opened(), VERIFIED, checked("b", "daily")], ["REGISTER_NOT_ASKED"]),
        ([opened(), VERIFIED, checked("b", "registration", "listed")], ["LISTED_LET_IN"]),
        (
            [opened(plan_version="2031"), VERIFIED, checked("b", "registration")],
            ["PLAN_NOT_IN_FORCE"],
        ),
        ([opened(person="p-a"), VERIFIED, checked("b", "registration")], ["SECOND_ACCOUNT"]),
    ],
)
@together
def test_an_account_opened_without_what_comes_first_is_found(
    house: House, facts: list[e.Event], expected: list[str]
) -> Asking:
    house.at(1, *facts)
    assert codes((yield)) == expected


@pytest.mark.law("SAZKA 8(3)", "SAZKA 8(10)")
@pytest.mark.parametrize(
    ("missing", "added", "expected"),
    [
        (("address",), (), "address"),
        (("name", "address", "email"), ("name",), "address, email"),
        (("email",), ("email",), ""),
        (("document",), (), ""),
    ],
)
@together
def test_an_account_without_contact_data_is_found_until_they_are_added(
    house: House, missing: tuple[str, ...], added: tuple[str, ...], expected: str
) -> Asking:
    entered = opened(**dict.fromkeys(missing, b""))
    house.at(1, entered, VERIFIED, checked("b", "registration"))
    if added:
        facts = {name: b"x" if name in added else b"" for name in ("name", "address", "email")}
        house.at(2, e.PersonChanged(account="b", person="p-b", **facts))
    found = [(one.code, one.detail) for one in (yield)]
    assert found == ([("DATA_MISSING", expected)] if expected else [])


@together
def test_what_was_verified_or_asked_later_does_not_heal_the_opening(house: House) -> Asking:
    house.at(1, opened())
    house.at(2, VERIFIED)
    house.at(2, checked("b", "registration"))
    assert codes((yield)) == ["IDENTITY_NOT_VERIFIED", "REGISTER_NOT_ASKED"]


@pytest.mark.law("SAZKA 9(5)")
@pytest.mark.law("SAZKA 8(2)")
@pytest.mark.law("SAZKA 8(11)", "L-30", "L-32")
@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        (logged_in("a", "s2"), []),
        (logged_in("a", "s2")[1:], ["REGISTER_NOT_ASKED"]),
        ((checked("a", answer="listed"), *logged_in("a", "s2")[1:]), ["LISTED_LET_IN"]),
        ((checked("a", answer="listed"), logged_in("a", "s2", "restricted")[1]), []),
    ],
)
@together
def test_a_login_without_the_register_or_against_it_is_found(
    house: House, facts: tuple[e.Event, ...], expected: list[str]
) -> Asking:
    house.at(1, LOGGED_OUT)
    house.at(2, checked("a"))  # an answer of before is none of this login
    house.at(3, *facts)
    assert codes((yield)) == expected


@pytest.mark.law("SAZKA 1(4)", "L-40")
@together
def test_a_round_under_rules_not_in_force_is_found(house: House) -> Asking:
    """Rules are not in force before their moment, nor when others are."""
    other, noon = "land_based_game", START + 10 * MINUTE
    rounds = {}
    for minute, version in ((5, "2"), (5, "1"), (15, "2"), (15, "1")):
        name = f"r{minute}-{version}"
        if not rounds:
            for rules, since in (("1", START), ("2", noon)):
                house.at(1, rules_published(since, rules, game=other))
        round_ = round_opened(
            name, table=f"t{version}", game=other, plan_version=version, streamed=True
        )
        rounds[name] = house.at(minute, round_)
        house.at(
            minute,
            round_voided(name),
        )
    found = [(one.code, one.round) for one in (yield) if "RULES" in one.code]
    assert found == [("RULES_NOT_IN_FORCE", "r5-2"), ("RULES_NOT_IN_FORCE", "r15-1")]


@pytest.mark.law("L-43")
@pytest.mark.law("L-48")
@pytest.mark.law("SAZKA 2 (measures)")
@pytest.mark.law("SAZKA 8(3)", "SAZKA 8(4)", "L-44")
@pytest.mark.parametrize(("decided", "expected"), [("abcdef", 1), ("abcdefg", 0)])
@together
def test_a_bet_before_each_measure_is_decided_is_found(
    house: House, decided: str, expected: int
) -> Asking:
    house.at(1, opened(), VERIFIED, checked("b", "registration"))
    house.at(1, registered("b"), deposited("b", 10_000), *logged_in("b"))
    house.at(1, *(declined("b", measure) for measure in decided))
    house.played(2, "r", until=3, account="b")
    house.at(4, declined("b", "g"))
    house.played(5, "q", until=6, account="b")
    found = [(one.code, one.account, one.bet) for one in (yield)]
    assert found == [("BET_WITHOUT_MEASURES", "b", "r-1")] * expected


@pytest.mark.law("SAZKA 13(3)")
@pytest.mark.parametrize(
    ("steps", "wrong"),
    [
        ("-a +b", []),
        ("+b", ["+b"]),
        ("+b -b +c", ["+b", "+c"]),
        ("+b -a -b +c", ["+b"]),
        ("+b -a -a -a +c", ["+b", "+c"]),
        ("-x -a -x +b", []),
    ],
)
@together
def test_a_login_beside_an_open_one_is_found(house: House, steps: str, wrong: list[str]) -> Asking:
    """Of two devices; the account was logged in before, in session a."""
    positions: dict[str, int] = {}
    for step in steps.split():
        session = f"s-{step[1]}"
        if step[0] == "-":
            house.at(1, replace(LOGGED_OUT, session=session))
        else:
            positions[step] = house.at(1, *logged_in("a", session)) + 1
    found = [one.position for one in (yield) if one.code == "LOGGED_IN_TWICE"]
    assert found == [positions[step] for step in wrong]


@pytest.mark.law("SAZKA 8(5)", "L-43")
@together
def test_logins_of_a_month_above_measure_e_are_found(house: House) -> Asking:
    """Two logins are allowed: the third of October is one too many, the first of November not."""
    house.at(0, limit("e", 2))
    of_november = (midnight_after(START, days=23) - START) / MINUTE
    positions = []
    for number, minute in enumerate((1, 2, of_november, of_november + 1, of_november + 2)):
        house.at(minute, replace(LOGGED_OUT, session=f"s{number}" if number else "s-a"))
        positions.append(house.at(minute, *logged_in("a", f"s{number + 1}")))
    found = [(one.code, one.position, one.amount) for one in (yield)]
    assert found == [
        ("LOGINS_PASSED", positions[1] + 1, 1),
        ("LOGINS_PASSED", positions[4] + 1, 1),
    ]


@pytest.mark.law("SAZKA 8(5)", "L-48")
@pytest.mark.parametrize(
    ("until", "micros", "expected"),
    [(60, 0, []), (61, 0, []), (61, 1, ["LOGIN_TOO_LONG"]), (600, 0, ["LOGIN_TOO_LONG"])],
)
@together
def test_a_login_longer_than_measure_f_is_found_without_a_bet(
    house: House, until: int, micros: int, expected: list[str]
) -> Asking:
    house.at(0, limit("f", 60))
    house.at(until, LOGGED_OUT, micros=micros)
    assert codes((yield)) == expected


@pytest.mark.law("L-43", "L-48")
@together
def test_logins_and_their_time_go_on_with_the_next_account(house: House) -> Asking:
    """Two logins and 60 minutes are allowed: one and 50 minutes are used with the first account."""
    house.at(50, LOGGED_OUT)
    house.at(50, e.AccountClosed(account="a", ground="ZHH 80(1)"))
    house.account("b", person="p-a", minute=51)
    house.at(51, *(replace(limit(*set_), account="b") for set_ in (("e", 2), ("f", 60))))
    house.at(61, replace(LOGGED_OUT, session="s-b", account="b"))
    assert [code for code in codes((yield)) if "LOGIN" in code] == []
    position = house.at(62, *logged_in("b", "s2"))
    house.at(65, replace(LOGGED_OUT, session="s2", account="b"))
    found = [(one.code, one.position, one.detail) for one in (yield) if "LOGIN" in one.code]
    assert found == [
        ("LOGINS_PASSED", position + 1, "2"),
        ("LOGIN_TOO_LONG", position + 1, "63 of 60"),
    ]


@pytest.mark.law("SAZKA 8(5)", "L-48")
@together
def test_login_time_is_that_of_a_day_in_prague_and_ends_with_full_logins(house: House) -> Asking:
    midnight = (midnight_after(START) - START) / MINUTE
    house.at(0, limit("f", 60))
    house.at(0, LOGGED_OUT)
    house.at(midnight - 50, *logged_in("a", "s2"))
    house.at(midnight + 50, replace(LOGGED_OUT, session="s2"))
    house.at(midnight + 60, *logged_in("a", "s3"))
    house.at(midnight + 70, replace(LOGGED_OUT, session="s3"))
    house.at(midnight + 80, *logged_in("a", "s4", "restricted"))
    assert codes((yield)) == []
    house.at(midnight + 300, replace(LOGGED_OUT, session="s4"))
    position = house.at(midnight + 300, *logged_in("a", "s5"))
    house.at(midnight + 302, replace(LOGGED_OUT, session="s5"))
    assert [(one.code, one.position) for one in (yield)] == [("LOGIN_TOO_LONG", position + 1)]


@pytest.mark.law("SAZKA 15(3)")
@pytest.mark.parametrize(("late", "expected"), [(0, []), (1, ["CREDITED_LATE"])])
@together
def test_a_win_or_a_stake_that_comes_back_late_is_found(
    house: House, late: int, expected: list[str]
) -> Asking:
    """Sixty minutes are assumed; a bet that lost is credited nothing."""
    house.opened(1, "r")
    win, loss = placed("r", 1), placed("r", 2)
    house.at(1, win, loss)
    house.closed(1, "r", win, loss)
    house.resulted(2, "r", 1)
    house.at(62, settled(win, due=2_000), micros=late)
    house.at(99, settled(replace(loss, stake=1_000), due=0))
    found = yield
    assert [one.code for one in found if one.bet == "r-1"] == expected
    house.opened(100, "q")
    chips = placed("q", 1)
    house.at(100, chips)
    house.at(101, e.BetsClosed(round="q", table="t", bets=1, stakes=1_000), concluded(chips))
    house.at(102, round_voided("q"))
    house.at(162, voided(chips), micros=late)
    found = yield
    assert [one.code for one in found if one.bet == "q-1"] == expected


# Cancellation


def requested(account: str = "a") -> e.CancellationRequested:
    return e.CancellationRequested(
        person="p-a", account=account, by="participant", ground="12(4)", explanation=b""
    )


def confirmed(account: str = "a") -> e.CancellationConfirmed:
    return notified(account, objections_until=START)


def emptied_wallet(amount: int = 10**8) -> e.BalanceReturned:
    return e.BalanceReturned(account="a", amount=amount, method="bank", way="account")


CLOSED = e.AccountClosed(account="a", ground="12(4)")
COMPLAINT = e.ComplaintFiled(
    person="p-a", account="a", case="k", grounds=b"g", round="", rounds=(), bets=()
)
ANSWERED = e.ComplaintDecided(person="p-a", account="a", case="k", upheld=False, explanation=b"")


@pytest.mark.law("SAZKA 12(3)")
@pytest.mark.law("SAZKA 12(6)", "SAZKA 12(8)")
@pytest.mark.parametrize(
    ("before", "days", "at_the_end", "expected"),
    [
        ((requested(), confirmed()), 16, (emptied_wallet(),), []),
        ((requested(), confirmed()), 15, (emptied_wallet(),), ["days for objections"]),
        ((requested(),), 16, (emptied_wallet(),), ["no notice"]),
        ((confirmed(), requested()), 16, (emptied_wallet(),), ["no notice"]),
        ((requested(), confirmed(), COMPLAINT), 16, (emptied_wallet(),), ["case k"]),
        ((requested(), confirmed(), COMPLAINT, ANSWERED), 16, (emptied_wallet(),), []),
        ((requested(), confirmed()), 16, (), ["with 1 000 000.00 CZK"]),
        ((requested(), confirmed()), 16, (emptied_wallet(10**8 - 1),), ["with 0.01 CZK"]),
    ],
)
@together
def test_an_account_closed_before_its_time_or_with_money_is_found(
    house: House, before: tuple[e.Event, ...], days: int, at_the_end: tuple[e.Event, ...],
    expected: list[str],
) -> Asking:  # fmt: skip
    """The fifteenth day, 24 October 2025, is a Friday, and counts whole."""
    for fact in before:
        house.at(1, fact)
    position = house.at(days * DAYS, *at_the_end, CLOSED) + len(at_the_end)
    if COMPLAINT in before and ANSWERED not in before:
        house.at(days * DAYS, ANSWERED)
    found = [one for one in (yield) if one.code != "RECEIPT_NOT_SENT"]
    assert [one.position for one in found] == [position] * len(expected)
    assert {one.code for one in found} <= {"CLOSED_TOO_EARLY", "BALANCE_NOT_RETURNED"}
    assert all(part in one.sentence for part, one in zip(expected, found, strict=True))


# Money of temporary accounts, means of payment


@pytest.mark.law("L-28")
@together
def test_deposits_of_a_temporary_account_above_3000_crowns_are_found(house: House) -> Asking:
    house.account("d", money=300_000, regime="temporary")
    assert codes((yield)) == []
    position = house.at(1, deposited("d", 1, name="more"))
    back = e.DepositReturned(
        name_digest="",
        account="d", deposit="more", amount=1, method="bank", method_class="account",
        credited=True, reason="r", claimed=0,
    )  # fmt: skip
    house.at(2, back)
    house.at(3, back, deposited("d", 1, name="again"))
    permanent = e.AccountModeChanged(
        account="d", regime="permanent", internet=True, land_based=False
    )
    house.at(4, permanent)
    house.at(5, deposited("d", 10**6, name="then"))
    found = [(one.code, one.position, one.amount) for one in (yield)]
    assert found == [("TEMPORARY_DEPOSITS_PASSED", position, 1)]


@pytest.mark.law("L-28")
@together
def test_a_withdrawal_from_a_temporary_account_is_found(house: House) -> Asking:
    house.account("d", money=1_000, regime="temporary")
    asked = e.WithdrawalRequested(
        account="d", withdrawal="w", amount=1_000, method="bank", method_class="account"
    )
    position = house.at(1, asked)
    found = [(one.code, one.position, one.amount) for one in (yield)]
    assert found == [("WITHDRAWAL_WHILE_TEMPORARY", position, 1_000)]


@pytest.mark.law("L-29")
@pytest.mark.law("SAZKA 8(6)", "SAZKA 8(7)", "SAZKA 8(8)", "SAZKA 8(9)")
@pytest.mark.parametrize("kind", ["account", "card", "other"])
@together
def test_means_of_payment_from_abroad_or_without_proof_are_found(house: House, kind: str) -> Asking:
    method = registered("a", f"m-{kind}", kind)
    house.at(1, replace(method, country="SK"))
    foreign = house.at(2, replace(method, method="n", country="US"))
    declared = house.at(3, replace(method, method="o", verified_how="declaration"))
    assert [(one.code, one.position) for one in (yield)] == [
        ("METHOD_ISSUER_OUTSIDE", foreign),
        ("METHOD_NOT_PROVED", declared),
    ]
