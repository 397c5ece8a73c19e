"""The house edge of every bet: exact figures, and published ones where they are known."""

from __future__ import annotations

import json
import random
from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement
from math import comb, prod
from typing import TYPE_CHECKING

import pytest

from ledger import games
from ledger.games.blackjack import BlackjackPlan, SideBet
from ledger.games.blackjack.side_bets import SideBetCards
from ledger.games.poker.ranking import HandCategory
from tests.tools.cli_cases import run
from tools.plans._baccarat import coups
from tools.plans._poker import hand_counts
from tools.plans.edges import Edge, edges, percent

if TYPE_CHECKING:
    from pathlib import Path

    from ledger.games import GamePlan

STAKE = 10_000
THREE_CARDS = {"poker_hand", "three_card_total"}
STRATEGY = {"main", "ante", "blind", "all"}
SEVEN_CARDS = {
    # A well-known table: the best five of all 133,784,560 hands of seven.
    "ROYAL_FLUSH": 4_324,
    "STRAIGHT_FLUSH": 37_260,
    "FOUR_OF_A_KIND": 224_848,
    "FULL_HOUSE": 3_473_184,
    "FLUSH": 4_047_644,
    "STRAIGHT": 6_180_020,
    "THREE_OF_A_KIND": 6_461_620,
    "TWO_PAIR": 31_433_400,
    "ONE_PAIR": 58_627_800,
    "HIGH_CARD": 23_294_460,
}
FIVE_CARDS = {
    "ROYAL_FLUSH": 4,
    "STRAIGHT_FLUSH": 36,
    "FOUR_OF_A_KIND": 624,
    "FULL_HOUSE": 3_744,
    "FLUSH": 5_108,
    "STRAIGHT": 10_200,
    "THREE_OF_A_KIND": 54_912,
    "TWO_PAIR": 123_552,
    "ONE_PAIR": 1_098_240,
    "HIGH_CARD": 1_302_540,
}


@cache
def by_bet(game: str) -> dict[str, Edge]:
    return {edge.bet: edge for edge in edges(games.plan(game))}


@pytest.mark.parametrize("game", games.games())
def test_three_cards_are_counted_by_rank_as_by_card(game: str) -> None:
    """The edge takes sets of ranks, of one suit or not; here is every set of cards."""
    plan = games.plan(game)
    sides = plan.bet_rules.bets if isinstance(plan, BlackjackPlan) else {}
    for bet, side in sides.items():
        if not isinstance(side, SideBet) or side.kind not in THREE_CARDS:
            continue
        decks, back, wager = plan.seats.decks, 0, games.Wager("w", "p", "x", STAKE)
        for laid in combinations_with_replacement(games.DECK, 3):
            line = side.decide(wager, SideBetCards(laid[:2], laid[2:], has_blackjack=False))
            ways = prod(comb(decks, copies) for copies in Counter(laid).values())
            back += ways * line.payout_haler
        assert by_bet(game)[bet].house == 1 - Fraction(back, STAKE * comb(52 * decks, 3))


@pytest.mark.law("L-42")
@pytest.mark.parametrize("game", games.games())
def test_counted_edges_agree_with_published_ones(game: str) -> None:
    counted = by_bet(game)
    assert counted
    for bet, edge in counted.items():
        assert (edge.house is None) == (bet in STRATEGY)
        assert (edge.published is None) == (not edge.where)
        if edge.house is None:
            assert edge.note
            continue
        assert 0 < edge.house < 1
        if edge.published is not None:
            assert f"{float(edge.house) * 100:.2f}" == edge.published, bet


def test_every_bet_of_a_plan_is_named() -> None:
    for game in games.games():
        offered = _offered(games.plan(game))
        named = {bet.split(" (")[0] for bet in by_bet(game)}
        assert named >= set(offered), game


def _offered(plan: GamePlan) -> list[str]:
    for name in ("bets", "fields"):
        if hasattr(plan, name):
            return list(getattr(plan, name))
    return list(plan.bet_rules.bets) if hasattr(plan, "bet_rules") else []


EXACT = [
    ("czech_casinos.american_roulette", "red", Fraction(1, 74)),
    ("czech_casinos.american_roulette", "red (one chip)", Fraction(19, 37 * 37)),
    ("czech_casinos.american_roulette", "dozen", Fraction(1, 37)),
    ("sazka.roulette_synot", "voisins", Fraction(1, 37)),
    ("69games.lucky_wheel", "x10", 1 - Fraction(2 * 11, 36)),
    ("69games.lucky_wheel_2", "x15", Fraction(1, 17)),
    ("baccarat.commission", "player_pair", 1 - Fraction(31 * 12, 415)),
    ("sazka.blackjack_synot", "player_pair", 1 - Fraction(7 * 26 + 8 * 13 + 16 * 7, 415)),
    ("69games.blackjack", "perfect_pairs", 1 - Fraction(5 * 26 + 6 * 11 + 12 * 6, 311)),
    ("sazka.blackjack_synot", "insurance", 1 - Fraction(3 * 128, 415)),
    ("sl.free_bet_blackjack", "insurance", 1 - Fraction(3 * 96, 311)),
    ("sazka.casino_holdem", "aa", Fraction(5809, 92_820)),
]


@pytest.mark.parametrize(("game", "bet", "house"), EXACT)
def test_an_edge_is_exact(game: str, bet: str, house: Fraction) -> None:
    assert by_bet(game)[bet].house == house


def test_lucky_lucky_loses_what_the_reading_of_19_says() -> None:
    """The reading "any 19 is paid" is defended by 3.9 % against 25.7 % without it."""
    house = by_bet("sazka.all_bets_blackjack")["lucky_lucky"].house
    assert house is not None
    assert f"{float(house) * 100:.1f}" == "3.9"
    nineteens = Fraction(864_768 * 3, 11_912_160)
    assert f"{float(house + nineteens) * 100:.1f}" == "25.7"


def test_eight_decks_of_baccarat_end_as_is_known() -> None:
    endings = coups(8)
    whole = endings.total()
    assert whole == 416 * 415 * 414 * 413 * 412 * 411
    shares = {
        name: sum(ways for end, ways in endings.items() if sign(end.player - end.banker) == wanted)
        for name, wanted in (("banker", -1), ("player", 1), ("tie", 0))
    }
    assert {name: f"{share / whole:.6f}" for name, share in shares.items()} == {
        "banker": "0.458597",
        "player": "0.446247",
        "tie": "0.095156",
    }


def sign(difference: int) -> int:
    return (difference > 0) - (difference < 0)


@pytest.mark.parametrize(("cards", "expected"), [(5, FIVE_CARDS), (7, SEVEN_CARDS)])
def test_all_poker_hands_are_counted(cards: int, expected: dict[str, int]) -> None:
    found = dict.fromkeys(expected, 0)
    for (category, _pair), hands in hand_counts(cards).items():
        found[category.name] += hands
    assert found == expected
    assert found.keys() == {category.name for category in HandCategory}


def test_the_dealer_busts_as_often_as_in_dealt_rounds() -> None:
    """A plain simulation from a shuffled shoe, players drawing in between, is near the count."""
    drawer = random.Random(8)
    shoe = [*(2 + n % 13 for n in range(52 * 6))]
    values = [min(10, card) if card < 14 else 11 for card in shoe]
    hits = rounds = 0
    for _ in range(40_000):
        cards = drawer.sample(values, 24)
        drawn = drawer.randrange(8)
        dealer = [cards[1], cards[4 + drawn]]
        rest = iter(cards[5 + drawn :])
        while total(dealer) < 17:
            dealer.append(next(rest))
        hits += total(dealer) == 22
        rounds += 1
    house = by_bet("sl.free_bet_blackjack")["push22"].house
    assert house is not None
    counted = float((1 - house) / 12)
    assert abs(hits / rounds - counted) < 0.005


def total(values: list[int]) -> int:
    points, aces = sum(values), values.count(11)
    while points > 21 and aces:
        points, aces = points - 10, aces - 1
    return points


def test_percent_is_rounded_half_up() -> None:
    assert percent(Fraction(1, 74)) == "1.3514"
    assert percent(Fraction(5, 10_000_000)) == "0.0001"
    assert percent(Fraction(-1, 3)) == "-33.3333"


def test_the_command_prints_counted_and_published_edges(tmp_path: Path) -> None:
    shown = run("games", "edge", "baccarat.commission", data=tmp_path).stdout
    for text in ("banker", "1.0579", "1.06", "none known", "Wizard of Odds"):
        assert text in shown
    done = run("games", "edge", "69games.lucky_wheel", "--json", data=tmp_path)
    found = {entry["bet"]: entry for entry in json.loads(done.stdout)}
    assert found["x1"]["house_edge"] == "1/18"
    assert found["x1"]["percent"] == "5.5556"
    assert found["x1"]["published_percent"] is None
    assert run("games", "edge", "chess", data=tmp_path).returncode == 2
    poker = run("games", "edge", "69games.omaha_cash", data=tmp_path).stdout
    assert "against each other" in poker


def test_settle_answers_a_line_that_is_not_utf_8(tmp_path: Path) -> None:
    done = run("settle", data=tmp_path, lines=b'\xff\xfe{}\n{"id": "a"}\n')
    first, second = map(json.loads, done.stdout.splitlines())
    assert first["error"]["code"] == second["error"]["code"] == "MALFORMED_REQUEST"
    assert (first["id"], second["id"]) == (None, "a")
