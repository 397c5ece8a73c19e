"""Rounds of cards and wheels settled again: raises against decisions, results against cards."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from ledger.events import event_types as e
from projections.reconciliation.reconcile import examine
from projections.replay.from_log import replay
from tests.projections.history_cases import House, concluded, project, round_opened, rules_published
from tests.projections.shared_cases import Asking, together

if TYPE_CHECKING:
    from projections.findings.finding import Finding
    from projections.store.tables import Store
    from tests.projections.projection_cases import Chain

HOLDEM, WHEEL = "sazka.casino_holdem", "69games.lucky_wheel"
VERSIONS = {HOLDEM: "2025-01-21", WHEEL: "unknown"}
RECIPIENTS = ("shared", "dealer", "shared", "dealer", *["board"] * 5)
CARDS = ("KS", "7D", "KH", "7H", "KD", "7C", "2S", "8D", "8H")
"""The players have three kings and two eights, the dealer three sevens and two eights."""
OUTCOME = {
    "player_cards": ["KS", "KH"],
    "dealer": ["7D", "7H"],
    "board": ["KD", "7C", "2S", "8D", "8H"],
}


@pytest.fixture
def house(chain: Chain) -> House:
    made = House(chain)
    made.account()
    return made


def opened(house: House, game: str, *, streamed: bool = True) -> None:
    streamed = streamed and game == HOLDEM
    house.at(0, rules_published(version=VERSIONS[game], game=game))
    house.at(0, e.TableOpened(table="u", registration="r", game=game, place="p", streamed=streamed))
    house.at(
        1,
        round_opened("r", table="u", game=game, plan_version=VERSIONS[game], streamed=streamed),
    )


def chips(name: str, code: str, stake: int, parent: str = "") -> e.BetPlaced:
    return e.BetPlaced(
        bet=name,
        account="a",
        round="r",
        table="u",
        box="",
        bet_code=code,
        selection="",
        wording=code,
        stake=stake,
        parent=parent,
    )


def closed(house: House, *bets: e.BetPlaced) -> None:
    for bet in bets:
        house.at(1, bet)
    total = sum(bet.stake for bet in bets)
    house.at(
        2,
        e.BetsClosed(round="r", table="u", bets=len(bets), stakes=total),
        *(concluded(bet) for bet in bets),
    )


def decided(decision: str = "call", by: str = "player") -> e.PlayerDecided:
    return e.PlayerDecided(
        round="r",
        account="a",
        box="",
        hand="",
        decision=decision,
        by=by,
        asked_at=0,
        until=0,
        street="",
        times=0,
        free=False,
        stake=0,
    )


def settled(bet: e.BetPlaced, due: int, paid: int | None = None) -> e.BetSettled:
    return e.BetSettled(
        bet=bet.bet,
        account="a",
        round="r",
        result="win" if due else "lose",
        stake=bet.stake,
        due=due,
        paid=due if paid is None else paid,
        rule="r",
    )


ANTE = chips("r-1", "ante", 100)
CALL = chips("r-1:call", "call", 200, "r-1")


def holdem(
    house: House,
    *,
    raise_: tuple[e.Event, ...] = (decided(), CALL, concluded(CALL)),
    settlements: tuple[e.Event, ...] = (settled(ANTE, 400), settled(CALL, 400)),
    cards: tuple[str, ...] = CARDS,
    outcome: dict[str, Any] = OUTCOME,
    raised_before: int = 7,
    streamed: bool = True,
) -> None:
    """Play a round of Casino Hold'em in which the players' full house wins 3:1 and 1:1."""
    opened(house, HOLDEM, streamed=streamed)
    closed(house, ANTE)
    burnt = e.CardDealt(round="r", shoe="", index=0, recipient="burn", face_up=False, card="")
    house.at(3, burnt)
    for index, (recipient, card) in enumerate(zip(RECIPIENTS, cards, strict=True)):
        if index == raised_before and raise_:
            house.at(3, *raise_)
        hidden = recipient == "dealer"
        house.at(
            3,
            e.CardDealt(
                round="r",
                shoe="",
                index=index + 1,
                recipient=recipient,
                face_up=not hidden,
                card="" if hidden else card,
            ),
        )
    for index in (1, 3):
        house.at(4, e.CardRevealed(round="r", index=index + 1, card=cards[index]))
    house.at(
        4,
        e.RoundResulted(
            round="r",
            table="u",
            outcome=json.dumps(outcome),
            wording="",
            streamed=True,
            accounts=("a",),
        ),
    )
    house.at(5, *settlements)


def codes(found: list[Finding]) -> list[str]:
    return [one.code for one in found if one.code != "BET_NOT_LOGGED_IN"]


def test_a_round_as_it_must_be_has_no_findings(house: House, store: Store) -> None:
    holdem(house)
    project(house.chain, store)
    found = examine(store)
    assert (found.findings, found.rounds, found.bets) == ((), 1, 2)


@together
def test_a_raise_that_was_paid_wrongly_is_found(house: House) -> Asking:
    holdem(house, settlements=(settled(ANTE, 400), settled(CALL, 400, 600)))
    (one,) = yield
    assert (one.code, one.bet, one.amount) == ("PAID_TOO_MUCH", "r-1:call", 200)


@pytest.mark.law("SAZKA 13(5)")
@together
def test_a_decision_whose_stake_was_never_placed_is_found(house: House) -> Asking:
    holdem(house, raise_=(decided(),), settlements=(settled(ANTE, 400),))
    (one,) = yield
    assert (one.code, one.bet, one.account) == ("RAISE_MISSING", "r-1:call", "a")
    assert "2.00 CZK" in one.sentence


@pytest.mark.law("SAZKA 2 (conclusion of a bet)")
@together
def test_a_raise_without_a_decision_is_found(house: House) -> Asking:
    holdem(house, raise_=(decided("fold"), CALL, concluded(CALL)), settlements=(settled(ANTE, 0),))
    assert sorted(codes((yield))) == ["BET_NOT_SETTLED", "RAISE_WITHOUT_DECISION"]


@pytest.mark.law("SAZKA 13(5)")
@together
def test_a_raise_of_another_stake_than_the_plan_gives_is_found(house: House) -> Asking:
    more = chips("r-1:call", "call", 300, "r-1")
    holdem(
        house,
        raise_=(decided(), more, concluded(more)),
        settlements=(settled(ANTE, 400), settled(more, 600)),
    )
    assert "RAISE_STAKE_WRONG" in codes((yield))


@pytest.mark.law("SAZKA 2 (conclusion of a bet)")
@pytest.mark.parametrize("card", [6, 8])
@together
def test_a_call_before_the_flop_or_behind_the_turn_is_found(house: House, card: int) -> Asking:
    holdem(house, raised_before=card)
    (one,) = yield
    assert (one.code, one.account) == ("RAISE_NOT_ALLOWED", "a")
    assert "three cards of the flop" in one.sentence


@together
def test_a_missing_decision_can_not_be_settled(house: House) -> Asking:
    holdem(house, raise_=(), settlements=(settled(ANTE, 400),))
    (one,) = yield
    assert one.code == "OUTCOME_IMPOSSIBLE"
    assert "ACTION_MISSING" in one.sentence


@pytest.mark.law("SAZKA 14(1)")
@pytest.mark.law("SAZKA 5(3)")
@together
def test_a_result_that_differs_from_the_cards_is_found(house: House) -> Asking:
    other = {**OUTCOME, "dealer": ["7D", "7S"]}
    holdem(house, outcome=other)
    (one,) = yield
    assert one.code == "RESULT_NOT_SEEN"
    assert "['7D', '7S'] against ['7D', '7H']" in one.sentence


@together
def test_a_card_that_lies_there_twice_is_found(house: House) -> Asking:
    cards = (*CARDS[:-1], "8D")
    outcome = {**OUTCOME, "board": [*OUTCOME["board"][:-1], "8D"]}
    holdem(house, cards=cards, outcome=outcome)
    (code,) = codes((yield))
    assert code == "OUTCOME_IMPOSSIBLE"


@pytest.mark.law("SAZKA 5a(1)")
@together
def test_a_round_of_the_other_kind_is_found(house: House) -> Asking:
    holdem(house, streamed=False)
    (one,) = yield
    assert (one.code, one.round) == ("ROUND_KIND_WRONG", "r")


def test_replay_shows_hands_decisions_and_the_rule_of_each_line(house: House, store: Store) -> None:
    holdem(house, raise_=(decided(), CALL, concluded(CALL)))
    project(house.chain, store)
    found = replay(house.chain.tagged(), "r")
    assert [(hand.name, hand.words) for hand in found.hands] == [
        ("all players", "full house"),
        ("dealer", "full house"),
        ("board", ""),
    ]
    assert [fact.sentence for fact in found.decisions] == ["a decided: call (by player)."]
    assert {wager.bet: wager.rule_again for wager in found.wagers} == {
        "r-1": "SAZKA annex Casino Hold'em 12, 15",
        "r-1:call": "SAZKA annex Casino Hold'em 12, 16",
    }
    assert [wager.parent for wager in found.wagers] == ["", "r-1"]


def test_replay_of_a_round_without_a_result_shows_the_cards(house: House, store: Store) -> None:
    opened(house, HOLDEM)
    closed(house, ANTE)
    card = {"round": "r", "shoe": "", "recipient": "dealer"}
    house.at(3, e.CardDealt(**card, index=0, face_up=True, card="AS"))
    house.at(3, e.CardDealt(**card, index=1, face_up=False, card=""))
    project(house.chain, store)
    (hand,) = replay(house.chain.tagged(), "r").hands
    assert (hand.name, hand.cards, hand.words) == ("dealer", ("AS", ""), "")


@pytest.mark.parametrize(
    ("turns", "stopped", "result", "expected"),
    [
        (3, "x1", "x1", []),
        (3, "x1", "x2", ["RESULT_NOT_SEEN", "DUE_WRONG", "PAID_TOO_MUCH", "RESULT_WRONG"]),
        (2, "x1", "x1", ["SPIN_TOO_SHORT"]),
        (3, None, "x1", ["RESULT_WITHOUT_SPIN"]),
    ],
)
@together
def test_a_wheel_is_compared_with_where_it_stopped(
    house: House, turns: int, stopped: str | None, result: str, expected: list[str]
) -> Asking:
    opened(house, WHEEL)
    bet = chips("r-1", "x1", 1_000)
    closed(house, bet)
    house.at(
        3, e.WheelSpun(round="r", wheel_direction="clockwise", ball_direction="", revolutions=turns)
    )
    if stopped is not None:
        house.at(3, e.WheelStopped(round="r", field=stopped))
    outcome = json.dumps({"field": result})
    house.at(
        4,
        e.RoundResulted(
            round="r", table="u", outcome=outcome, wording="", streamed=False, accounts=("a",)
        ),
    )
    house.at(5, settled(bet, 2_000))
    assert sorted(codes((yield))) == sorted(expected)


@pytest.mark.law("69GAMES Stastne kolo, course of the game")
@together
def test_bets_placed_or_closed_while_the_wheel_moves_are_found(house: House) -> Asking:
    opened(house, WHEEL)
    before, after = chips("r-1", "x1", 1_000), chips("r-2", "x1", 1_000)
    house.at(1, before)
    house.at(
        2, e.WheelSpun(round="r", wheel_direction="clockwise", ball_direction="", revolutions=3)
    )
    house.at(2, after)
    total = e.BetsClosed(round="r", table="u", bets=2, stakes=2_000)
    house.at(3, total, concluded(before), concluded(after))
    house.at(3, e.WheelStopped(round="r", field="x1"))
    resulted = e.RoundResulted(
        round="r",
        table="u",
        outcome=json.dumps({"field": "x1"}),
        wording="",
        streamed=False,
        accounts=("a",),
    )
    house.at(4, resulted)
    house.at(5, settled(before, 2_000), settled(after, 2_000))
    known = [one for one in (yield) if one.code == "BET_ON_KNOWN_FACT"]
    assert [(one.bet, one.detail) for one in known] == [
        ("r-2", "placed"),
        ("r-1", "concluded"),
        ("r-2", "concluded"),
    ]
