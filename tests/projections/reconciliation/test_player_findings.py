"""Reconciliation of protection, cage and books: each fault has its finding."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from ledger.core.clock import DAY, MINUTE
from ledger.core.phrases import placeholders_of
from ledger.events import event_types as e
from ledger.rules.operator import shipped_rules
from projections.findings.finding import DetectedFinding, paragraph_of, render_findings
from projections.findings.headers import known_findings
from tests.projections.history_cases import (
    GAME,
    House,
    concluded,
    deposited,
    logged_in,
    placed,
    registered,
    settled,
    withdrawn,
)
from tests.projections.shared_cases import Asking, codes, found_in, together
from tests.projections.words.phrase_cases import VALUES

if TYPE_CHECKING:
    from projections.findings.finding import Finding
    from projections.store.tables import Store

# Protection

DEPOSITS = ("DEPOSIT_WHILE_EXCLUDED", "DEPOSIT_WHILE_PANIC", "DEPOSIT_WHILE_CLOSED")


def blocked(house: House, minute: float, *facts: e.Event | tuple[e.Event, ...]) -> None:
    for fact in facts:
        house.at(minute, *(fact if isinstance(fact, tuple) else (fact,)))


def but_closings(found: list[Finding]) -> list[Finding]:
    """Leave out that accounts were closed in a moment, and with their money, and paid into."""
    closings = ("CLOSED_TOO_EARLY", "BALANCE_NOT_RETURNED", *DEPOSITS)
    return [one for one in found if one.code not in closings]


def panic(until: int = 0) -> e.PanicButtonPressed:
    return e.PanicButtonPressed(account="a", until=until, channel="web")


def excluded(ground: str = "register", until: int | None = None) -> e.ExclusionImposed:
    return e.ExclusionImposed(account="a", ground=ground, until=until)


REPORTED = e.PanicButtonReported(account="a", acknowledged=True)
OFFERED = e.LongExclusionOffered(account="a", answer="declined")
REQUESTED = e.CancellationRequested(
    person="p-a", account="a", by="participant", ground="12(4)", explanation=b""
)
TEMPORARY, PERMANENT = (
    e.AccountModeChanged(account="a", regime=regime, internet=True, land_based=False)
    for regime in ("temporary", "permanent")
)
LOGGED_OUT = e.LoggedOut(session="s-a", account="a", cause="user")
RESTRICTED = logged_in("a", "s2", "restricted")


@pytest.mark.law("SAZKA 12(6)")
@pytest.mark.law("SAZKA 8(11)")
@pytest.mark.law(
    "SAZKA 7(1)", "SAZKA 9(5)", "SAZKA 12(5)", "SAZKA 12a(1)", "SAZKA 13(3)", "L-28", "L-32", "L-49"
)
@pytest.mark.parametrize(
    ("facts", "minute", "expected"),
    [
        ([panic(), REPORTED, OFFERED], 48 * 60 - 0.5, ["BET_WHILE_PANIC"]),
        ([panic(), REPORTED, OFFERED], 48 * 60, []),
        ([excluded()], 10**5, ["BET_WHILE_EXCLUDED"]),
        ([excluded(), e.ExclusionEnded(account="a", ground="register")], 5, []),
        ([excluded(), e.ExclusionEnded(account="a", ground="other")], 5, ["BET_WHILE_EXCLUDED"]),
        ([excluded(until=0)], 5, []),
        ([excluded(), excluded(until=0)], 5, ["BET_WHILE_EXCLUDED"]),
        ([excluded(until=0), excluded()], 5, ["BET_WHILE_EXCLUDED"]),
        (
            [excluded(), excluded(until=0), e.ExclusionEnded(account="a", ground="register")],
            5,
            [],
        ),
        ([REQUESTED], 5, ["BET_WHILE_CANCELLING"]),
        ([REQUESTED, e.CancellationWithdrawn(account="a")], 5, []),
        ([TEMPORARY], 30 * 24 * 60 - 0.5, []),
        ([TEMPORARY], 30 * 24 * 60, ["BET_WHILE_TEMPORARY_OVER"]),
        ([TEMPORARY, PERMANENT], 30 * 24 * 60, []),
        ([REQUESTED, e.AccountClosed(account="a", ground="12(4)")], 5, ["BET_WHILE_CLOSED"]),
        ([LOGGED_OUT], 5, ["BET_NOT_LOGGED_IN"]),
        ([LOGGED_OUT, RESTRICTED], 5, ["BET_NOT_LOGGED_IN"]),
    ],
)
@together
def test_bets_of_excluded_and_blocked_players_are_found(
    house: House, facts: list[Any], minute: float, expected: list[str]
) -> Asking:
    blocked(house, 0, *facts)
    house.played(minute, "r", until=minute + 1)
    found = but_closings((yield))
    assert [(one.code, one.bet, one.account) for one in found] == [
        (code, "r-1", "a") for code in expected
    ]


@pytest.mark.law("SAZKA 12a(1)", "SAZKA 12a(2)")
@pytest.mark.parametrize(
    ("reported", "offered", "until", "expected"),
    [
        (None, None, 24 * 60, []),
        (None, None, 24 * 60 + 0.01, ["EXCLUSION_NOT_OFFERED", "PANIC_NOT_REPORTED"]),
        (5, 6, 48 * 60, []),
        (5, None, 48 * 60, ["EXCLUSION_NOT_OFFERED"]),
        (24 * 60 + 0.01, 6, 48 * 60, ["PANIC_NOT_REPORTED"]),
    ],
)
def test_a_press_without_report_or_offer_in_time_is_found(
    house: House, store: Store, reported: float, offered: float, until: float, expected: list[str]
) -> None:
    house.at(0, REPORTED, OFFERED)  # of an earlier press
    position = house.at(1, panic())
    followed = [(offered, OFFERED), (reported, REPORTED)]
    for minute, fact in sorted(((at, it) for at, it in followed if at), key=lambda one: one[0]):
        house.at(1 + minute, fact)
    house.at(1 + until, LOGGED_OUT)
    found = found_in(house, store, "EXCLUSION_NOT_OFFERED", "PANIC_NOT_REPORTED")
    assert [(one.code, one.position, one.account) for one in found] == [
        (code, position, "a") for code in expected
    ]


@pytest.mark.law("SAZKA 12a(2)")
@pytest.mark.parametrize(
    ("forwarded", "is_found"),
    [
        ([], True),
        ([(5, True)], False),
        ([(5, False)], True),
        ([(5, False), (6, True)], False),
        ([(24 * 60 + 0.01, True)], True),
    ],
)
def test_an_application_for_exclusion_is_forwarded_within_a_day(
    house: House, store: Store, forwarded: list[tuple[float, bool]], is_found: bool
) -> None:
    """Only an application that was forwarded to the ministry ends the duty."""
    position = house.at(1, e.LongExclusionOffered(account="a", answer="accepted"))
    for minute, is_done in forwarded:
        house.at(1 + minute, e.LongExclusionRequested(account="a", forwarded=is_done))
    house.at(3 * 24 * 60, LOGGED_OUT)
    found = found_in(house, store, "EXCLUSION_NOT_FORWARDED")
    assert (position in [one.position for one in found]) == is_found


@pytest.mark.law("SAZKA 12a(2)")
@pytest.mark.parametrize("answer", ["declined", "accepted"])
def test_an_offer_that_was_declined_begins_no_duty(house: House, store: Store, answer: str) -> None:
    house.at(1, e.LongExclusionOffered(account="a", answer=answer))
    house.at(3 * 24 * 60, LOGGED_OUT)
    found = found_in(house, store, "EXCLUSION_NOT_FORWARDED")
    assert bool(found) == (answer == "accepted")


def second_account(house: House) -> None:
    """Open account b for the person of a, as if nothing bound that person."""
    house.at(1, e.AccountClosed(account="a", ground="12(4)"))
    house.account("b", person="p-a", minute=1)


@pytest.mark.law("SAZKA 7(1)", "L-32")
@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (excluded(), None, ["BET_WHILE_EXCLUDED"]),
        (excluded(), e.ExclusionEnded(account="a", ground="register"), []),
        (excluded(), e.ExclusionEnded(account="b", ground="register"), []),
        (excluded(), e.ExclusionEnded(account="b", ground="other"), ["BET_WHILE_EXCLUDED"]),
        (LOGGED_OUT, excluded(), ["BET_WHILE_EXCLUDED"]),
        (panic(), None, ["BET_WHILE_PANIC"]),
    ],
)
@together
def test_what_binds_a_person_is_found_on_every_account(
    house: House, before: e.Event, after: e.Event | None, expected: list[str]
) -> Asking:
    house.at(0, before, REPORTED, OFFERED)
    second_account(house)
    if after is not None:
        house.at(2, after)
    house.played(5, "r", until=6, account="b")
    assert codes(but_closings((yield))) == expected


@together
def test_what_happens_after_the_placement_forbids_the_conclusion(house: House) -> Asking:
    house.opened(1, "r")
    chips = placed("r")
    house.at(1, chips)
    blocked(house, 2, LOGGED_OUT, panic(), REPORTED, OFFERED)
    position = house.closed(3, "r", chips)
    house.resulted(4, "r")
    house.at(4, settled(chips, due=0))
    assert [(one.code, one.position) for one in (yield)] == [
        ("BET_NOT_LOGGED_IN", position + 1),
        ("BET_WHILE_PANIC", position + 1),
    ]


@pytest.mark.law("SAZKA 13(6)")
@pytest.mark.parametrize(
    ("suspended", "resumed"),
    [
        (e.TableSuspended(table="t", cause="c"), e.TableResumed(table="t", cause="c")),
        (e.GameSuspended(game=GAME, cause="c"), e.GameResumed(game=GAME, cause="c")),
    ],
)
@together
def test_bets_placed_or_concluded_while_suspended_are_found(
    house: House, suspended: e.Event, resumed: e.Event
) -> Asking:
    house.played(1, "before", until=2)
    house.opened(3, "r")
    chips = placed("r")
    house.at(3, chips)
    house.at(4, suspended)
    position = house.closed(5, "r", chips)
    house.resulted(6, "r")
    house.at(6, settled(chips, due=0))
    house.at(7, resumed)
    house.played(8, "after", until=9)
    (one,) = yield
    assert (one.code, one.position, one.bet) == ("BET_WHILE_SUSPENDED", position + 1, "r-1")


@together
def test_chips_that_became_no_bet_are_no_finding(house: House) -> Asking:
    blocked(house, 0, panic(), REPORTED, OFFERED)
    house.opened(1, "r")
    chips = placed("r")
    house.at(1, chips)
    house.at(2, withdrawn(chips))
    assert codes((yield)) == []


@pytest.mark.law("SAZKA 8(1)")
@together
def test_bet_of_an_account_that_nobody_opened_is_found(house: House) -> Asking:
    house.at(0, registered("b"), deposited("b", 10_000))
    house.played(1, "r", until=2, account="b")
    expected = {
        "DEPOSIT_WITHOUT_ACCOUNT",
        "BET_WITHOUT_ACCOUNT",
        "BET_NOT_LOGGED_IN",
        "BET_WITHOUT_MEASURES",
    }
    assert set(codes((yield))) == expected


@pytest.mark.law("SAZKA 5a(2)")
@together
def test_two_streamed_tables_at_once_are_found(house: House) -> Asking:
    house.table("t2")
    house.table("land", streamed=False)
    house.opened(1, "r")
    first = placed("r")
    house.at(1, first)
    house.closed(2, "r", first)
    house.opened(2, "q", table="t2")
    second = placed("q", table="t2")
    position = house.at(2, second)
    house.closed(3, "q", second, table="t2")
    for name, bet, table in (("r", first, "t"), ("q", second, "t2")):
        house.resulted(4, name, table=table)
        house.at(4, settled(bet, due=0))
    (one,) = yield
    assert (one.code, one.round, one.position) == ("TWO_TABLES", "q", position)


@together
def test_one_table_after_the_other_is_allowed(house: House) -> Asking:
    house.table("t2")
    house.at(0, e.SeatTaken(account="a", table="t"))
    house.played(1, "r", until=2)
    house.at(3, e.SeatLeft(account="a", table="t"))
    house.at(3, e.SeatTaken(account="a", table="t2"))
    house.opened(3, "q", table="t2")
    chips = placed("q", table="t2")
    house.at(3, chips)
    house.closed(3, "q", chips, table="t2")
    house.resulted(4, "q", table="t2")
    house.at(4, settled(chips, due=0))
    assert codes((yield)) == []
    house.at(5, e.SeatTaken(account="a", table="t"))
    assert codes((yield)) == ["TWO_TABLES"]


@pytest.mark.law("SAZKA 5a(6)")
@pytest.mark.law("SAZKA 5a(3)", "L-51")
@together
def test_break_violation_is_a_finding(house: House) -> Asking:
    house.played(0, "r", until=120)
    house.played(134, "q", until=135)
    (one,) = yield
    assert (one.code, one.bet, one.paragraph) == ("BREAK_VIOLATED", "q-1", "SAZKA 5a(3)")
    assert "120 minutes" in one.sentence


@pytest.mark.law("SAZKA 5a(4)")
@together
def test_only_a_stake_that_finishes_a_round_is_exempt_from_the_break(house: House) -> Asking:
    house.table("t2")
    house.opened(0, "begun", table="t2")
    first = placed("begun", table="t2")
    house.at(0, first)
    house.closed(1, "begun", first, table="t2")
    house.played(1, "r", until=121)
    more = placed("begun", 2, parent=first.bet, table="t2")
    house.at(134, more, concluded(more))
    assert [one for one in (yield) if one.code == "BREAK_VIOLATED"] == []
    house.played(134, "q", until=135)
    assert [one.bet for one in (yield) if one.code == "BREAK_VIOLATED"] == ["q-1"]


# Cage and books


def cash(number: int, amount: int, *, shown: bool = True) -> e.DepositCredited:
    return deposited(
        "a", amount, method="cash", method_class="cash", name=f"c{number}", shown=shown
    )


def cash_out(number: int, amount: int) -> tuple[e.Event, e.Event]:
    facts = {
        "account": "a",
        "withdrawal": f"w{number}",
        "amount": amount,
        "method": "cash",
        "method_class": "cash",
    }
    return e.WithdrawalRequested(**facts), e.WithdrawalPaid(
        name_digest="", **facts, document_shown=True
    )


@pytest.mark.law("SAZKA 11(1)a")
@pytest.mark.law("SAZKA 10(1)a")
@together
def test_cash_of_24_hours_is_summed_to_the_microsecond(house: House) -> Asking:
    house.at(0, cash(1, 600_000))
    house.at(1, *cash_out(1, 1_000_000))
    position = house.at(24 * 60, cash(2, 400_001), micros=-1)
    house.at(24 * 60, cash(3, 599_999))
    found = yield
    assert [(one.code, one.position, one.amount) for one in found] == [
        ("CASH_LIMIT_PASSED", position, 1)
    ]
    assert "deposits" in found[0].sentence


@together
def test_cash_at_one_moment_counts_up_to_the_position(house: House) -> Asking:
    first = house.at(0, cash(1, 600_000), cash(2, 600_000))
    found = yield
    assert [(one.position, one.amount) for one in found] == [(first + 1, 200_000)]


@together
def test_cash_of_24_hours_is_that_of_the_person(house: House) -> Asking:
    house.at(0, cash(1, 600_000))
    second_account(house)
    more = deposited("b", 500_000, method="cash", method_class="cash", name="c2", shown=True)
    position = house.at(24 * 60, more, micros=-1)
    house.at(24 * 60, cash(3, 400_000))
    found = but_closings((yield))
    assert [(one.code, one.account, one.position, one.amount) for one in found] == [
        ("CASH_LIMIT_PASSED", "b", position, 100_000)
    ]


@pytest.mark.law("SAZKA 11(1)a")
@pytest.mark.law("SAZKA 10(1)a")
@together
def test_cash_needs_a_document(house: House) -> Asking:
    house.at(0, cash(1, 5_000, shown=False))
    assert codes((yield)) == ["CASH_WITHOUT_DOCUMENT"]


@pytest.mark.law("SAZKA 10(1)b", "SAZKA 10(1)c", "L-29")
@together
def test_payment_methods_must_be_registered_before(house: House) -> Asking:
    house.at(1, deposited("a", 100, method="card", method_class="card"))
    house.at(2, registered("a", "card", "card"))
    house.at(3, deposited("a", 100, method="card", method_class="card", name="e"))
    (one,) = yield
    assert (one.code, one.amount) == ("DEPOSIT_METHOD_UNKNOWN", 100)


def asked(method: str, method_class: str, amount: int = 100) -> dict[str, Any]:
    return {
        "account": "a",
        "withdrawal": f"w-{method}",
        "amount": amount,
        "method": method,
        "method_class": method_class,
    }


DAYS = DAY // MINUTE
OVER = 30 * DAYS
TEMPORARY_CODES = ("TEMPORARY_NOT_ENDED", "TEMPORARY_NOT_REPAID")


@pytest.mark.law("L-28")
@together
def test_a_deposit_after_the_30_days_of_a_temporary_account_is_found(house: House) -> Asking:
    house.account("d", money=100, regime="temporary")
    house.at(OVER, deposited("d", 200, name="in time"), micros=-1)
    position = house.at(OVER, deposited("d", 300, name="late"))
    (one,) = yield
    assert (one.code, one.position, one.amount) == ("DEPOSIT_WHILE_TEMPORARY_OVER", position, 300)


@pytest.mark.law("L-28")
def test_a_temporary_account_is_ended_the_day_after_and_repaid_within_seven(
    house: House, store: Store
) -> None:
    """Opened on Thursday 9 October 2025, over on 8 November; the seventh day is Saturday the 15th,
    and Monday the 17th a holiday: Tuesday the 18th is the last day.
    """
    house.account("d", money=100, regime="temporary")
    house.at(OVER + DAYS, LOGGED_OUT)
    assert codes(found_in(house, store, *TEMPORARY_CODES)) == []
    house.at(OVER + 2 * DAYS, LOGGED_OUT)
    assert codes(found_in(house, store, *TEMPORARY_CODES)) == ["TEMPORARY_NOT_ENDED"]
    house.at(OVER + 10 * DAYS, LOGGED_OUT)
    assert codes(found_in(house, store, *TEMPORARY_CODES)) == ["TEMPORARY_NOT_ENDED"]
    house.at(OVER + 11 * DAYS, LOGGED_OUT)
    found = found_in(house, store, *TEMPORARY_CODES)
    assert [(one.code, one.account, one.amount) for one in found] == [
        ("TEMPORARY_NOT_ENDED", "d", 0),
        ("TEMPORARY_NOT_REPAID", "d", 100),
    ]
    house.at(OVER + 11 * DAYS, returned(60), e.AccountClosed(account="d", ground="ZHH 80(1)"))
    house.at(OVER + 18 * DAYS, LOGGED_OUT)
    assert codes(found_in(house, store, *TEMPORARY_CODES)) == ["TEMPORARY_NOT_ENDED"], (
        "it was, and too late"
    )
    house.at(OVER + 19 * DAYS, LOGGED_OUT)
    assert [(one.code, one.amount) for one in found_in(house, store)] == [
        ("TEMPORARY_NOT_ENDED", 0),
        ("TEMPORARY_NOT_REPAID", 40),
    ]
    house.at(OVER + 19 * DAYS, returned(40))
    assert codes(found_in(house, store, *TEMPORARY_CODES)) == ["TEMPORARY_NOT_ENDED"]


def returned(amount: int) -> e.BalanceReturned:
    return e.BalanceReturned(account="d", amount=amount, method="bank", way="account")


def test_what_was_played_or_won_on_a_temporary_account_is_not_to_be_repaid(
    house: House, store: Store
) -> None:
    house.account("d", money=1_000, regime="temporary")
    house.played(1, "r", until=2, account="d", number=1)
    house.at(3, e.FeeCharged(account="d", fee="f", amount=1_500, reason="r"))
    house.at(OVER, e.AccountClosed(account="d", ground="ZHH 80(1)"))
    house.at(OVER + 11 * DAYS, LOGGED_OUT)
    (one,) = found_in(house, store)
    assert (one.code, one.amount) == ("TEMPORARY_NOT_REPAID", 500)


@pytest.mark.law("SAZKA 11(1)a")
@pytest.mark.law("SAZKA 11(1)b", "L-29")
@together
def test_withdrawals_go_to_a_registered_payment_account_as_requested(house: House) -> Asking:
    house.at(1, registered("a", "card", "card"))
    house.at(2, e.WithdrawalRequested(**asked("bank", "account")))
    house.at(2, e.WithdrawalPaid(name_digest="", **asked("bank", "account"), document_shown=False))
    assert codes((yield)) == []
    house.at(3, e.WithdrawalRequested(**asked("card", "card")))
    house.at(3, e.WithdrawalRequested(**asked("other", "account")))
    house.at(
        3, e.WithdrawalPaid(name_digest="", **asked("other", "account", 101), document_shown=False)
    )
    assert sorted(codes((yield))) == [
        "WITHDRAWAL_METHOD_WRONG",
        "WITHDRAWAL_METHOD_WRONG",
        "WITHDRAWAL_NOT_REQUESTED",
    ]


@pytest.mark.law("SAZKA 13(2)")
@pytest.mark.law("L-34")
@together
def test_wallet_below_zero_is_found_where_it_happened(house: House) -> Asking:
    position, _ = (
        house.at(1, e.FeeCharged(account="a", fee=name, amount=10**8 + 1, reason="r"))
        for name in "fg"
    )
    (one,) = yield
    assert (one.code, one.position, one.amount) == ("BALANCE_NEGATIVE", position, -1)


def statement(**figures: int) -> e.AccountStatement:
    names = "opening deposits withdrawals fees stakes winnings corrections closing reserved in_play"
    return e.AccountStatement(
        account="a",
        gaming_day="2026-01-01",
        **{**dict.fromkeys(names.split(), 0), **figures},
        state_version=1,
        state="{}",
    )


@pytest.mark.law("SAZKA 13(4)")
@pytest.mark.law("SAZKA 9(1)")
@together
def test_statements_are_compared_with_the_postings_since_the_last(house: House) -> Asking:
    money = 10**8
    house.at(1, statement(deposits=money, closing=money))
    house.opened(2, "r")
    bets = [placed("r", number) for number in range(2)]
    for bet in bets:
        house.at(2, bet)
    house.at(2, statement(opening=money, closing=money, reserved=2_000))
    house.closed(3, "r", *bets)
    house.at(3, statement(opening=money, stakes=2_000, closing=money - 2_000, in_play=2_000))
    house.resulted(4, "r", 1)
    house.at(4, *(settled(bet, due=2_000) for bet in bets))
    after = money + 2_000
    house.at(4, statement(opening=money - 2_000, winnings=4_000, closing=after))
    assert codes((yield)) == []
    house.at(5, statement(opening=after, fees=7, closing=after))
    (one,) = yield
    assert (one.code, one.amount) == ("STATEMENT_WRONG", 7)
    assert "fees 7 against 0" in one.sentence


@pytest.mark.law("SAZKA 12(7)", "SAZKA 16(1)")
@pytest.mark.parametrize("kind", ["COMPLAINT", "OBJECTION"])
def test_cases_not_decided_in_30_days_are_found(house: House, store: Store, kind: str) -> None:
    name = kind.capitalize()
    filed: Any = {"Complaint": e.ComplaintFiled, "Objection": e.ObjectionFiled}[name]
    decided: Any = {"Complaint": e.ComplaintDecided, "Objection": e.ObjectionDecided}[name]
    extra = {"round": "", "rounds": (), "bets": ()} if name == "Complaint" else {}
    house.at(0, filed(account="a", person="p-a", case="k", grounds=b"g", **extra))
    if name == "Objection":
        house.at(0, e.ObjectionConfirmed(account="a", case="k"))
    house.at(32 * DAY // MINUTE, LOGGED_OUT)  # the thirtieth day was a Saturday: Monday is the last
    assert codes(found_in(house, store, f"{kind}_OVERDUE")) == []
    house.at(33 * DAY // MINUTE, LOGGED_OUT)
    assert codes(found_in(house, store)) == [f"{kind}_OVERDUE"]
    answer = decided(account="a", person="p-a", case="k", upheld=True, explanation=b"")
    house.at(33 * DAY // MINUTE, answer)
    assert codes(found_in(house, store, f"{kind}_OVERDUE")) == [
        f"{kind}_OVERDUE"
    ]  # an answer too late is none


@pytest.mark.parametrize("operator", shipped_rules())
def test_every_code_makes_a_sentence_with_a_paragraph_of_each_operator(operator: str) -> None:
    rules = shipped_rules()[operator]
    assert rules.findings.keys() <= known_findings().keys()
    for code, header in known_findings().items():
        kind = placeholders_of(header.text.en).get("detail", "")
        found = DetectedFinding(code, position=1, amount=150, detail=VALUES[kind])
        (made,) = render_findings([found], rules)
        assert "{" not in made.sentence
        assert made.paragraph == paragraph_of(code, rules)
        assert made.paragraph
