"""Reconciliation: a sound history has no finding, and each fault has its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from ledger.events import event_types as e
from projections.questions.balances import balance, trial_balance
from projections.reconciliation.reconcile import examine, reconcile
from tests.projections.history_cases import (
    VERSION,
    Casino,
    House,
    concluded,
    placed,
    round_opened,
    round_voided,
    settled,
    spun,
    voided,
)
from tests.projections.shared_cases import Asking, codes, together

if TYPE_CHECKING:
    from projections.store.tables import Store


def test_what_the_write_side_records_has_no_findings(casino: Casino, store: Store) -> None:
    casino.seat("a")
    casino.do("set_table_limits", table="t", stakes={"straight": [100, 50_000]})
    casino.do("open_round", round="q1", table="t")
    casino.bet("q1", 1, "split", 10_000, selection=[17, 20])
    casino.bet("q1", 2, "straight", 60_000, selection=[17])
    casino.bet("q1", 3, "voisins", 9_000)
    casino.bet("q1", 4, "red", 5_000)
    casino.do("withdraw_bet", bet="q1-4", account="a", round="q1")
    casino.finish("q1", 17)
    casino.do("open_round", round="q2", table="t")
    casino.bet("q2", 1, "red", 10_000)
    casino.do("close_bets", round="q2")
    casino.do("void_round", round="q2", ground="operator_interruption")
    casino.do("withdraw", account="a", withdrawal="w1", amount=5_000, method="bank")
    casino.do("pay_withdrawal", account="a", withdrawal="w1")
    casino.do("log_out", account="a")
    casino.wait(60 * 24)
    casino.do("charge_fee", account="a", fee="f", amount=100, reason="statement on paper")
    casino.project(store)
    result = examine(store)
    assert result.findings == ()
    assert (result.rounds, result.bets, result.corrected) == (1, 2, ())
    assert result.position == casino.log.head().size
    assert result.head == casino.log.head().hash.hex()


def test_wrong_payments_are_found_until_they_are_corrected(casino: Casino, store: Store) -> None:
    casino.seat("a")
    payments = {"q1": (19_000, "PAID_TOO_LITTLE"), "q2": (21_000, "PAID_TOO_MUCH")}
    for name, (paid, _) in payments.items():
        casino.do("open_round", round=name, table="t")
        casino.bet(name, 1, "black", 10_000)
        casino.finish(name, 17, bet1=paid)
    casino.project(store)
    before = examine(store)
    assert [(one.round, one.code, one.amount) for one in before.findings] == [
        (name, code, 1_000) for name, (_, code) in payments.items()
    ]
    for one in before.findings:
        assert (one.bet, one.account) == (f"{one.round}-1", "a")
        assert one.paragraph == "SAZKA annex Roulette (Evolution) 22-23"
    for name, (paid, _) in payments.items():
        difference = 20_000 - paid
        casino.do("correct_win", round=name, bet=f"{name}-1", difference=difference, cause="x")
    casino.project(store)
    after = examine(store)
    assert after.findings == ()
    assert [(one.bet, one.paid_before, one.paid, one.due) for one in after.corrected] == [
        (f"{name}-1", paid, 20_000, 20_000) for name, (paid, _) in payments.items()
    ]
    assert reconcile(store, at=before.position) == list(before.findings)


def test_half_a_correction_leaves_the_rest_open(casino: Casino, store: Store) -> None:
    casino.seat("a")
    casino.do("open_round", round="q1", table="t")
    casino.bet("q1", 1, "black", 10_000)
    casino.finish("q1", 17, bet1=0)
    casino.do("correct_win", round="q1", bet="q1-1", difference=5_000, cause="half")
    casino.project(store)
    (one,) = reconcile(store)
    assert (one.code, one.amount) == ("PAID_TOO_LITTLE", 15_000)


def rule_on(casino: Casino, name: str) -> None:
    """Record the ruling that a correction of a stake rests on."""
    casino.do(
        "give_ruling", round=name, role="management", by="m", matter="chips", ruling="as filmed"
    )


def test_corrected_stake_is_settled_again(casino: Casino, store: Store) -> None:
    casino.seat("a")
    casino.do("open_round", round="q1", table="t")
    casino.bet("q1", 1, "black", 10_000)
    casino.finish("q1", 17)
    rule_on(casino, "q1")
    casino.do("correct_bet", round="q1", bet="q1-1", difference=10_000, cause="two chips lay there")
    casino.project(store)
    (one,) = reconcile(store)
    assert (one.code, one.amount) == ("PAID_TOO_LITTLE", 20_000)
    casino.do("correct_win", round="q1", bet="q1-1", difference=20_000, cause="the same")
    casino.project(store)
    assert reconcile(store) == []


@pytest.mark.law("SAZKA 15(2)", "SAZKA 15(3)")
@pytest.mark.parametrize(("paid", "found"), [(20_000, []), (19_999, [("PAID_TOO_LITTLE", 1)])])
def test_a_stake_corrected_before_another_payout_leaves_that_one_as_it_was(
    casino: Casino, store: Store, paid: int, found: list[tuple[str, int]]
) -> None:
    """The corrected stake is one that the plan would not have taken."""
    casino.seat("a", money=2_000_000)
    casino.seat("b")
    casino.do("open_round", round="q1", table="t")
    casino.bet("q1", 1, "straight", 1_000_000, selection=[16])
    casino.bet("q1", 2, "black", 10_000, account="b")
    held = {"round": "q1", "account": "b", "by": "head of the studio", "cause": "the wheel"}
    casino.do("hold_payout", paragraph="SAZKA 15(1)", **held)
    casino.finish("q1", 17)
    rule_on(casino, "q1")
    casino.do("correct_bet", round="q1", bet="q1-1", difference=100, cause="one chip more")
    casino.do("release_payout", **held)
    casino.do("settle_round", round="q1", payments={"q1-2": paid})
    casino.project(store)
    assert [(one.code, one.amount) for one in reconcile(store)] == found


@pytest.mark.law("SAZKA 15(1)", "SAZKA 17(2)")
@pytest.mark.law("SAZKA 10(3)")
def test_withheld_prize_is_not_due_and_what_was_not_collected_is_open(
    casino: Casino, store: Store
) -> None:
    casino.seat("a", money=10_000)
    casino.do("open_round", round="q1", table="t")
    casino.bet("q1", 1, "black", 10_000)
    casino.finish("q1", 17)
    casino.do("withdraw", account="a", withdrawal="w", amount=15_000, method="bank")
    fields = {"round": "q1", "bet": "q1-1", "paragraph": "SAZKA 17(2)", "cause": "tampering"}
    casino.do("withhold_prize", amount=20_000, **fields)
    casino.project(store)
    (one,) = reconcile(store)
    assert (one.code, one.account, one.amount) == ("CLAIM_OPEN", "a", 15_000)
    assert balance(store, "a").claims == 15_000
    settled = {"account": "a", "amount": 15_000, "way": "outside", "reason": "paid by order"}
    casino.do("settle_claim", **settled)
    casino.project(store)
    assert reconcile(store) == []
    assert balance(store, "a").claims == 0
    assert trial_balance(store).is_sound


@pytest.mark.law("SAZKA 15(2)")
@pytest.mark.law("SAZKA 5(4)", "SAZKA 15(1)")
@together
def test_wrong_due_and_result_are_found_against_the_plan(house: House) -> Asking:
    house.opened(1, "r")
    bets = [placed("r", 1), placed("r", 2, code="straight", selection=[17])]
    for bet in bets:
        house.at(1, bet)
    house.closed(2, "r", *bets)
    house.resulted(3, "r", 17)
    house.at(3, settled(bets[0], due=2_000), settled(bets[1], due=35_000))
    found = yield
    assert [(one.code, one.bet, one.amount) for one in found] == [
        ("DUE_WRONG", "r-1", 2_000),
        ("PAID_TOO_MUCH", "r-1", 2_000),
        ("RESULT_WRONG", "r-1", 0),
        ("DUE_WRONG", "r-2", -1_000),
        ("PAID_TOO_LITTLE", "r-2", 1_000),
    ]


@together
def test_limits_are_those_of_the_opening(house: House) -> Asking:
    def limits(greatest: int, minute: float) -> None:
        house.at(
            minute,
            e.TableLimitsSet(
                table="t",
                bet_codes=("red",),
                minimums=(0,),
                maximums=(greatest,),
                round_maximum=0,
                effective_from=0,
            ),
        )

    limits(1_000, 0)
    house.played(1, "fits", until=2)
    house.opened(3, "r")
    limits(10_000, 3)
    chips = placed("r", stake=2_000)
    house.at(3, chips)
    house.closed(3, "r", chips)
    house.resulted(4, "r")
    house.at(4, settled(chips, due=0))
    house.played(5, "later", until=6, stake=2_000)
    (one,) = yield
    assert (one.code, one.bet) == ("BET_NOT_ALLOWED", "r-1")
    assert "BET_ABOVE_MAXIMUM" in one.sentence


@pytest.mark.law("SAZKA 13(2)")
@together
def test_stakes_above_the_limit_together_are_found_once(house: House) -> Asking:
    house.opened(1, "r")
    bets = [placed("r", number, stake=6_000_000) for number in range(2)]
    for bet in bets:
        house.at(1, bet)
    house.closed(2, "r", *bets)
    house.resulted(3, "r", 17)
    house.at(3, *(settled(bet, due=0) for bet in bets))
    assert codes((yield)) == ["STAKES_NOT_ALLOWED"]


@pytest.mark.law("SAZKA 14(1)", "L-40")
@pytest.mark.law("SAZKA 1(4)")
@pytest.mark.parametrize(
    ("selection", "outcome", "version", "code"),
    [
        ("[99]", '{"number":17}', VERSION, "BET_NOT_ALLOWED"),
        ("{", '{"number":17}', VERSION, "BET_NOT_ALLOWED"),
        ("[17]", "[]", VERSION, "OUTCOME_IMPOSSIBLE"),
        ("[17]", "{}", VERSION, "OUTCOME_IMPOSSIBLE"),
        ("[17]", "no", VERSION, "OUTCOME_IMPOSSIBLE"),
        ("[17]", '{"number":17}', "1999-01-01", "PLAN_UNKNOWN"),
    ],
)
@together
def test_what_can_not_be_settled_is_named(
    house: House, *, selection: str, outcome: str, version: str, code: str
) -> Asking:
    facts = {"round": "r", "table": "t"}
    house.at(
        1,
        round_opened("r", table="t", plan_version=version, streamed=True),
    )
    chips = e.BetPlaced(
        **facts,
        bet="r-1",
        account="a",
        box="",
        bet_code="straight",
        selection=selection,
        wording="",
        stake=100,
        parent="",
    )
    house.at(1, chips)
    house.closed(2, "r", chips)
    house.at(2, e.BallLanded(round="r", number=17))
    house.at(
        3, e.RoundResulted(**facts, outcome=outcome, wording="", streamed=True, accounts=("a",))
    )
    house.at(3, settled(chips, due=0))
    not_published = ["RULES_NOT_IN_FORCE"] * (version != VERSION)
    assert codes((yield)) == [*not_published, code]


def played_to(house: House, last: str, **bet: Any) -> e.BetPlaced:
    """Play a round up to its opening, placement, close, result or settlement."""
    steps = ["opened", "placed", "closed", "resulted", "settled"]
    reached = steps[: steps.index(last) + 1]
    chips = placed("r", **bet)
    house.opened(1, "r")
    if "placed" in reached:
        house.at(2, chips)
    if "closed" in reached:
        house.closed(3, "r", chips)
    if "resulted" in reached:
        house.resulted(4, "r")
    if "settled" in reached:
        house.at(5, settled(chips, due=0))
    return chips


@pytest.mark.law("SAZKA 14(1)")
@pytest.mark.law("SAZKA 5(1)")
@together
def test_round_in_course_is_no_finding_until_the_table_goes_on(house: House) -> Asking:
    played_to(house, "closed")
    assert codes((yield)) == []
    house.opened(6, "next")
    (one,) = yield
    assert (one.code, one.round) == ("ROUND_NOT_FINISHED", "r")


@together
def test_round_that_a_closed_table_left_behind_is_found(house: House) -> Asking:
    played_to(house, "opened")
    house.at(6, e.TableClosed(table="t", reason="end"))
    assert codes((yield)) == ["ROUND_NOT_FINISHED"]


@pytest.mark.law("SAZKA 15(2)")
@pytest.mark.law("SAZKA 2 (claim to a win)")
@pytest.mark.law("SAZKA 10(1)d")
@together
def test_bets_of_a_result_must_be_settled(house: House) -> Asking:
    chips = played_to(house, "resulted")
    (one,) = yield
    assert (one.code, one.bet, one.amount) == ("BET_NOT_SETTLED", chips.bet, chips.stake)


HELD = e.PayoutHeld(round="r", account="a", by="m", paragraph="SAZKA 15(1)", cause="c")
RELEASED = e.PayoutReleased(round="r", account="a", by="m", cause="c")


@pytest.mark.law("Czech Casinos, general provisions", "SAZKA 15(1)")
@pytest.mark.parametrize(
    ("facts", "is_settled", "expected"),
    [
        ([HELD], False, []),
        ([HELD, RELEASED], False, ["BET_NOT_SETTLED"]),
        ([HELD, RELEASED, HELD], False, []),
        ([HELD], True, ["PAID_ON_HOLD"]),
        ([HELD, RELEASED], True, []),
    ],
)
@together
def test_a_payout_on_hold_is_not_missing_and_must_not_be_made(
    house: House, *, facts: list[e.Event], is_settled: bool, expected: list[str]
) -> Asking:
    chips = played_to(house, "resulted")
    for fact in facts:
        house.at(5, fact)
    if is_settled:
        house.at(6, settled(chips, due=0))
    assert codes((yield)) == expected


@pytest.mark.law("SAZKA 14(1)")
@together
def test_bets_of_a_void_round_must_come_back(house: House) -> Asking:
    chips = played_to(house, "closed")
    house.at(4, round_voided("r"))
    assert codes((yield)) == ["BET_NOT_RETURNED"]
    house.at(4, voided(chips))
    assert codes((yield)) == []


@pytest.mark.law("SAZKA 2 (conclusion of a bet)")
@together
def test_chips_left_on_the_table_are_found(house: House) -> Asking:
    house.opened(1, "r")
    house.at(1, placed("r"))
    house.closed(2, "r")
    assert codes((yield)) == ["BET_LEFT_ON_TABLE"]


def bigger(house: House, _: e.BetPlaced) -> None:
    chips = placed("q")
    house.opened(6, "q")
    house.at(6, chips)
    house.at(6, spun("q"))
    house.at(
        6,
        e.BetsClosed(round="q", table="t", bets=1, stakes=1_001),
        e.BetConcluded(bet=chips.bet, account="a", round="q", table="t", amount=1_001),
    )
    house.resulted(7, "q")
    house.at(7, settled(chips, due=0))


def raised(house: House) -> None:
    more = placed("r", 9, parent="r-8")
    house.at(3, more, concluded(more))


def miscounted(house: House, chips: e.BetPlaced) -> None:
    house.at(3, e.BetsClosed(round="r", table="t", bets=2, stakes=1_000), concluded(chips))


FAULTS: list[tuple[str, str, Any]] = [
    ("BET_SETTLED_TWICE", "settled", lambda house, chips: house.at(6, settled(chips, due=0))),
    ("BET_ENDED_TWICE", "settled", lambda house, chips: house.at(6, voided(chips))),
    ("RESULT_AND_VOID", "settled", lambda house, _: house.at(6, round_voided("r"))),
    ("BET_TAKEN_TWICE", "placed", lambda house, chips: house.at(2, chips)),
    ("STAKE_DIFFERS", "settled", bigger),
    ("RAISE_OF_NO_BET", "closed", lambda house, _: raised(house)),
    ("ROUND_FACT_TWICE", "settled", lambda house, _: house.resulted(6, "r")),
    ("ROUND_FACT_TWICE", "opened", lambda house, _: house.opened(6, "r")),
    ("CLOSE_MISCOUNTED", "placed", miscounted),
]


@pytest.mark.law(
    "SAZKA 13(4)", "SAZKA 13(5)", "SAZKA 14(1)", "SAZKA 14(3)", "SAZKA 15(1)", "SAZKA 15(2)"
)
@pytest.mark.law("SAZKA 5(2)")
@pytest.mark.law("SAZKA 2 (conclusion of a bet)")
@pytest.mark.parametrize(("code", "last", "fault"), FAULTS)
@together
def test_contradicting_facts_of_bets_and_rounds_are_found(
    house: House, code: str, last: str, fault: Any
) -> Asking:
    chips = played_to(house, last)
    assert [c for c in codes((yield)) if c != "BET_NOT_SETTLED"] == []
    fault(house, chips)
    assert code in codes((yield))


@pytest.mark.law("SAZKA 13(5)")
@pytest.mark.law("SAZKA 2 (conclusion of a bet)")
@pytest.mark.law("SAZKA 2 (record of a bet)")
@together
def test_settlement_of_chips_that_were_no_bet_is_found(house: House) -> Asking:
    house.opened(1, "r")
    chips = placed("r")
    house.at(1, chips)
    house.closed(2, "r")
    house.resulted(3, "r")
    house.at(3, settled(chips, due=0))
    assert "BET_NOT_CONCLUDED" in codes((yield))


@pytest.mark.law("SAZKA 13(5)")
@pytest.mark.law("SAZKA 5(1)")
@pytest.mark.law("SAZKA 13(4)")
@together
def test_bet_without_placement_round_or_account_is_found(house: House) -> Asking:
    house.closed(2, "r", placed("r", account="nobody"))
    house.at(3, placed("q", account="nobody"))
    found = set(codes((yield)))
    assert {"BET_NOT_PLACED", "BET_IN_NO_ROUND", "ROUND_NOT_OPENED"} <= found


@pytest.mark.law("SAZKA 2 (conclusion of a bet)")
@together
def test_bet_after_the_close_needs_a_parent(house: House) -> Asking:
    first = played_to(house, "closed")
    more = placed("r", 2, parent=first.bet)
    house.at(4, more, concluded(more))
    assert codes((yield)) == []
    late = placed("r", 3)
    house.at(4, late, concluded(late))
    (one,) = yield
    assert (one.code, one.bet) == ("BET_AFTER_CLOSE", "r-3")


@pytest.mark.law("SAZKA 2 (conclusion of a bet)")
@pytest.mark.law("SAZKA 2 (record of a bet)")
@together
def test_conclusion_outside_the_close_is_found(house: House) -> Asking:
    early, late = placed("r", 1), placed("r", 2)
    house.opened(1, "r")
    house.at(1, early)
    house.at(1, late)
    house.at(1, concluded(early))
    house.closed(2, "r")
    house.at(3, concluded(late))
    assert codes((yield)) == ["BET_BEFORE_CLOSE", "BET_AFTER_CLOSE"]


@pytest.mark.law("SAZKA 14(1)")
@pytest.mark.law("SAZKA 2 (conclusion of a bet)")
@together
def test_result_before_the_close_and_settlement_before_the_result_are_found(house: House) -> Asking:
    chips = placed("r")
    house.opened(1, "r")
    house.at(1, chips)
    house.at(1, spun("r"))
    house.resulted(1, "r")
    house.closed(2, "r", chips)
    house.at(2, settled(chips, due=0))
    assert codes((yield)) == ["RESULT_BEFORE_CLOSE"]
    early = placed("q")
    house.opened(3, "q")
    house.at(3, early)
    house.closed(3, "q", early)
    house.at(3, settled(early, due=0))
    house.resulted(4, "q")
    assert codes((yield))[1:] == ["BET_SETTLED_EARLY"]


def land_table(name: str) -> e.TableOpened:
    return e.TableOpened(table=name, registration=name, game="g", place="c", streamed=False)


@pytest.mark.law("L-41")
@together
def test_a_casino_with_too_few_tables_is_found(house: House) -> Asking:
    for name in ("l1", "l2", "l3"):
        house.at(1, land_table(name))
    house.at(2, e.CasinoHoursBegan(place="c"))
    assert codes((yield)) == []
    house.at(3, e.TableClosed(table="l3", reason="broken"))
    house.at(4, land_table("l3"))
    house.at(5, e.CasinoHoursEnded(place="c"))
    house.at(6, e.TableClosed(table="l1", reason="night"))
    house.at(7, e.CasinoHoursBegan(place="c"))
    found = yield
    assert [(one.code, one.sentence) for one in found] == [
        ("TOO_FEW_TABLES", "Casino c had 2 live tables while its doors were open.")
    ] * 2
