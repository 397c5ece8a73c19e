"""Readings that a regulator could take otherwise: each switch of a plan file changes the result."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from ledger import games
from ledger.games import plans
from ledger.games.documents import read_request, result_document
from tests.ledger.games.banker_cases import ULTIMATE, request, wager
from tests.ledger.games.blackjack_cases import EVOLUTION, INFINITE, SIXTY_NINE, SYNOT, one
from tests.ledger.games.ofc_cases import FOUL, HIGH
from tests.ledger.games.ofc_cases import game as ofc_game
from tests.ledger.games.poker_cases import act, hand, pot
from tests.ledger.games.tournament_cases import buy_ins, tournament
from tools.plans.edges import edges

CZECH = "czech_casinos.american_roulette"


def other(game: str, *changes: tuple[str, str]) -> games.GamePlan:
    """Load the newest plan of a game with some lines written otherwise."""
    text = games.document(game, games.versions(game)[-1])
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return plans.read_plan(text.encode(), "other reading")


def settled(plan: games.GamePlan, document: Any) -> dict[str, Any]:
    asked = read_request(document)
    outcome = plan.read_outcome(asked.outcome, asked.void, asked.disconnects)
    result = games.settle_round(plan, asked.wagers, asked.actions, outcome, table=asked.table)
    return result_document("r", result)


def payouts(answer: dict[str, Any]) -> list[str]:
    return [line["payout"].removesuffix(".00") for line in answer["wagers"]]


ULTIMATE_FOLD = request(
    ULTIMATE,
    [wager(bet, box="1") for bet in ("ante", "blind", "trips")],
    {"hands": {"1": ["9S", "9D"]}, "dealer": ["AH", "3C"], "board": ["9H", "KC", "QD", "5S", "2H"]},
    actions=[
        {"player": "p1", "hand": "1", "street": street, "type": kind}
        for street, kind in (("preflop", "check"), ("flop", "check"), ("river", "fold"))
    ],
)
PRISON = request(CZECH, [wager("red", "500.00", chip="100.00")], {"number": 0, "next_number": 9})
WALK = hand(pot("p1", preflop=100), pot("p2", preflop=100), actions=[act("p2", "fold")], board=[])
FOULED = ofc_game(HIGH, FOUL)


def raised_to(amount: int) -> dict[str, Any]:
    """Bet 100, raise to 400, all-in to 500, then the raise in question, which is called."""
    totals = [
        ("p1", "bet", 100),
        ("p2", "raise", 400),
        ("p3", "raise", 500),
        ("p1", "raise", amount),
    ]
    return hand(
        pot("p1", preflop=100, flop=amount),
        pot("p2", preflop=100, flop=amount),
        pot("p3", preflop=100, flop=500, all_in=True),
        actions=[
            act(player, kind, street="flop", to=f"{to}.00", all_in=player == "p3")
            for player, kind, to in totals
        ],
    )


@pytest.mark.parametrize(
    ("document", "changes", "ours", "others"),
    [
        (ULTIMATE_FOLD, [("loses_trips = false", "loses_trips = true")], "0 0 400", "0 0 0"),
        (
            ULTIMATE_FOLD,
            [("unqualified_dealer = false", "unqualified_dealer = true")],
            "0 0 400",
            "100 0 400",
        ),
        (PRISON, [("chip_wins = false", "chip_wins = true")], "300", "400"),
        (
            PRISON,
            [('prison_rule = "Czech Casinos, simple chance"\nreleased_chip_wins = false\n', "")],
            "300",
            "INVALID_OUTCOME",
        ),
        (WALK, [("before_flop = true", "before_flop = false")], "190 0", "200 0"),
        (FOULED, [("foul_scoops = true", "foul_scoops = false")], "5575 4375", "5275 4675"),
        (
            raised_to(600),
            [("short_all_in_is_bet = true", "short_all_in_is_bet = false")],
            "1900 0 0",
            "RAISE_TOO_SMALL",
        ),
        (
            one(SYNOT, "stand", "AS 2D", "3C TD 9H", "21+3"),
            [('low_ace_straight = "10:1"\n', "")],
            "200 1100",
            "200 0",
        ),
        (
            one(SYNOT, "double", "5S 6D TC", "KC AD"),
            [("blackjack_returns_doubled = true", "blackjack_returns_doubled = false")],
            "100 100",
            "0 0",
        ),
        (
            one(SIXTY_NINE, "hit", "7S 7D 7C", "KC AD"),
            [("blackjack_ties_with_21 = true", "blackjack_ties_with_21 = false")],
            "100",
            "0",
        ),
        (
            one(INFINITE, "", "AS KD", "9C 2D", "bust_it"),
            [("returned_with_blackjack = true\n", "")],
            "250 100",
            "DRAW_RULE_VIOLATION",
        ),
        (
            one(EVOLUTION, "", "5S 6D", "9C TD"),
            [("stand_needed_to = 11\n", "")],
            "ACTION_MISSING",
            "0",
        ),
    ],
)
def test_a_switch_changes_the_result(
    document: Any, changes: list[tuple[str, str]], ours: str, others: str
) -> None:
    game = document["game"]
    assert outcome_of(games.plan(game), document) == ours
    assert outcome_of(other(game, *changes), document) == others


def outcome_of(plan: games.GamePlan, document: Any) -> str:
    try:
        return " ".join(payouts(settled(plan, document)))
    except games.SettlementError as error:
        return str(error.code)


def test_by_common_practice_the_last_full_raise_counts() -> None:
    practice = other("69games.texas_holdem_cash", ("is_bet = true", "is_bet = false"))
    for amount in (700, 799):
        assert outcome_of(practice, raised_to(amount)) == "RAISE_TOO_SMALL"
    assert outcome_of(practice, raised_to(800)).endswith(" 0 0")


@pytest.mark.parametrize(
    ("guarantee", "ours", "others"),
    [
        # fee, top up, prize pool of 3,000 paid in, in crowns
        ("5000.00", (300, 2300, 5000), (0, 2000, 5000)),
        ("3000.00", (300, 300, 3000), (300, 0, 2700)),
        ("2900.00", (300, 200, 2900), (300, 0, 2700)),
        ("2700.00", (300, 0, 2700), (300, 0, 2700)),
    ],
)
def test_a_guarantee_of_deposits_leaves_the_fee_only_above_it(
    guarantee: str, ours: tuple[int, int, int], others: tuple[int, int, int]
) -> None:
    document = tournament(buy_ins(3), "p1", "p2", "p3", guarantee=guarantee)
    deposits = other(document["game"], ("of_deposits = false", "of_deposits = true"))
    for plan, expected in ((games.plan(document["game"]), ours), (deposits, others)):
        answer = settled(plan, document)
        found = tuple(answer[name] for name in ("fee", "top_up", "prize_pool"))
        assert found == tuple(f"{crowns}.00" for crowns in expected)


def test_the_edge_follows_the_reading() -> None:
    wins = other(CZECH, ("chip_wins = false", "chip_wins = true"))
    found = {edge.bet: edge.house for edge in edges(wins)}
    assert found["red (one chip)"] == Fraction(1, 37 * 37)
