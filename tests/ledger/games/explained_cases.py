"""Rounds whose explanations stand in ``explanations.toml``, one for each reason at least."""

from __future__ import annotations

from typing import Any

from tests.ledger.games.banker_cases import (
    BACCARAT,
    CASINO,
    ULTIMATE,
    WHEEL,
    WHEEL_2,
    request,
    wager,
)
from tests.ledger.games.blackjack_cases import (
    ALL_BETS,
    EVOLUTION,
    FREE_BET,
    INFINITE,
    SIXTY_NINE,
    SYNOT,
    one,
)
from tests.ledger.games.explanation_rounds import ROULETTES
from tests.ledger.games.ofc_cases import FOUL, HIGH, LOW
from tests.ledger.games.ofc_cases import game as ofc
from tests.ledger.games.poker_cases import SIDE, act, even, hand, pot
from tests.ledger.games.tournament_cases import agreed, buy_ins, payment, tournament

ROULETTE_SYNOT, ROULETTE_EVOLUTION, ROULETTE_69, ROULETTE_CZECH = ROULETTES
FULL = "KS KD", "4C 4D", "KH 2C 2D 9S 8S"


def spin(game: str, bet: str, stake: str, number: int, **more: Any) -> dict[str, Any]:
    wagers = {name: more.pop(name) for name in ("selection", "chip", "late") if name in more}
    chips = {"id": "w", "player": "p1", "bet": bet, "stake": stake, **wagers}
    return {"id": "r", "game": game, "wagers": [chips], "outcome": {"number": number, **more}}


def baccarat(bet: str, stake: str, player: str, banker: str) -> dict[str, Any]:
    outcome = {"player": player.split(), "banker": banker.split()}
    return request(BACCARAT, [wager(bet, stake)], outcome)


def casino(decision: str, own: str, dealer: str, board: str) -> dict[str, Any]:
    cards = {"player_cards": own.split(), "dealer": dealer.split(), "board": board.split()}
    decided = [{"player": "p1", "type": decision}]
    return request(CASINO, [wager("ante"), wager("aa")], cards, actions=decided)


def ultimate(times: int, own: str, dealer: str, board: str) -> dict[str, Any]:
    course = [{"street": "preflop", "type": "raise", "times": times}]
    if not times:
        course = [{"street": street, "type": "check"} for street in ("preflop", "flop")]
        course.append({"street": "river", "type": "fold"})
    cards = {"hands": {"1": own.split()}, "dealer": dealer.split(), "board": board.split()}
    wagers = [wager(bet, box="1") for bet in ("ante", "blind", "trips")]
    decided = [{"player": "p1", "hand": "1", **step} for step in course]
    return request(ULTIMATE, wagers, cards, actions=decided)


def cup(count: int, *places: str, **more: Any) -> dict[str, Any]:
    return tournament(buy_ins(count), *places, **more)


TOO_MANY = {"reason": "misdeal_extra_cards", "acted_players": 0}
COUNTED = {"void": {"reason": "card_counting", "players": ["p1"]}}
GONE = [{"player": "p1", "phase": "before_close"}]
LEFT = [{"player": "p10", "hands_played": 0}]
DEAL = {
    "deal": agreed({"p1": 3_990, "p2": 3_990})
    | {"playout": {"percent": "5", "winner": "p2"}, "shares": {"p1": "3420.00", "p2": "3420.00"}}
}

CASES: dict[str, tuple[dict[str, Any], str]] = {
    "split": (spin(ROULETTE_SYNOT, "split", "100.00", 17, selection=[17, 20]), "w"),
    "straight lost": (spin(ROULETTE_EVOLUTION, "straight", "100.00", 5, selection=[17]), "w"),
    "one position of voisins": (spin(ROULETTE_SYNOT, "voisins", "900.00", 2), "w"),
    "two positions of orphelins": (spin(ROULETTE_69, "orphelins", "500.00", 17), "w"),
    "zero halves": (spin(ROULETTE_CZECH, "red", "100.00", 0, chip="50.00"), "w"),
    "an odd chip is released": (
        spin(ROULETTE_CZECH, "red", "150.00", 0, chip="50.00", next_number=9),
        "w",
    ),
    "an odd chip is lost": (
        spin(ROULETTE_CZECH, "red", "150.00", 0, chip="50.00", next_number=8),
        "w",
    ),
    "late chips": (spin(ROULETTE_69, "red", "100.00", 9, late=True), "w"),
    "void spin": (
        spin(ROULETTE_69, "red", "100.00", 9, void={"reason": "no_spin_too_few_revolutions"}),
        "w",
    ),
    "disconnected": (spin(ROULETTE_SYNOT, "red", "100.00", 9, disconnects=GONE), "w"),
    "wheel": (request(WHEEL, [wager("x25_pink")], {"field": "x25_pink"}), "x25_pink"),
    "wheel lost": (request(WHEEL_2, [wager("x2")], {"field": "x15"}), "x2"),
    "banker with commission": (baccarat("banker", "1.01", "KS 6D", "3C 4H"), "banker"),
    "a tie returns": (baccarat("player", "100.00", "KS 7D", "3C 4H"), "player"),
    "tie of seven": (baccarat("egalite_7", "100.00", "KS 7D", "3C 4H"), "egalite_7"),
    "no pair": (baccarat("player_pair", "100.00", "KS 7D", "3C 4H"), "player_pair"),
    "blackjack": (one(SYNOT, "", "AS KD", "9C 8D"), "p1-1-main"),
    "two blackjacks": (one(SYNOT, "", "AS KD", "AC KS"), "p1-1-main"),
    "bust": (one(SYNOT, "hit", "TS 6D TC", "9C 8D"), "p1-1-main"),
    "six cards": (
        one(EVOLUTION, "hit,hit,hit,hit", "2S 3D 2C 4H 3S 5D", "9C TD"),
        "p1-1-main",
    ),
    "a doubled stake returns": (one(SYNOT, "double", "5S 6D TC", "KC AD"), "p1-1-main:double:1"),
    "21 ties with a blackjack": (one(SIXTY_NINE, "hit", "5S 6D TC", "KC AD"), "p1-1-main"),
    "dealer has a blackjack": (one(SYNOT, "stand", "TS 9D", "AC KD"), "p1-1-main"),
    "dealer has 22": (one(FREE_BET, "stand", "TS 9D", "8C 4D TH"), "p1-1-main"),
    "equal totals": (one(SYNOT, "stand", "TS 9D", "TC 9H"), "p1-1-main"),
    "dealer bust": (one(SYNOT, "stand", "TS 9D", "TC 6H 8C"), "p1-1-main"),
    "higher total": (one(SYNOT, "stand", "TS TD", "TC 9H"), "p1-1-main"),
    "lower total": (one(SYNOT, "stand", "TS 8D", "TC 9H"), "p1-1-main"),
    "even money": (one(FREE_BET, "# even_money", "AS KD", "AC"), "p1-1-main"),
    "free double": (one(FREE_BET, "double free", "5S 6D TC", "TC 9H"), "p1-1-main:free_double:1"),
    "insurance": (one(SYNOT, "# insurance 50.00,stand", "TS 8D", "AC KH"), "p1-1-main:insurance"),
    "insurance lost": (
        one(SYNOT, "# insurance 50.00,stand", "TS 8D", "AC 9H"),
        "p1-1-main:insurance",
    ),
    "21+3": (one(SYNOT, "stand", "7S 7D", "7C TH", "21+3"), "p1-1-21+3"),
    "top 3 lost": (one(SYNOT, "stand", "7S 8D", "7C TH", "top3"), "p1-1-top3"),
    "buster": (
        one(ALL_BETS, "stand", "TS 8D", "TC 6H 8C", "buster_blackjack"),
        "p1-p1-buster_blackjack",
    ),
    "bust it beside a blackjack": (one(INFINITE, "", "AS KD", "TC 6H", "bust_it"), "p1-p1-bust_it"),
    "card counting": (one(SIXTY_NINE, "stand", "TS 8D", "TC 9H", outcome=COUNTED), "p1-1-main"),
    "ante": (casino("call", *FULL), "ante"),
    "call": (casino("call", *FULL), "ante:call"),
    "aa": (casino("call", *FULL), "aa"),
    "aa lost": (casino("call", "KS QD", "4C 4D", "3H 2C 7D 9S 8S"), "aa"),
    "unqualified": (casino("call", "KS QD", "4C 5D", "3H 2C 7D 9S JS"), "ante:call"),
    "worse hand": (casino("call", "KS QD", "4C 4D", "3H 2C 7D 9S JS"), "ante"),
    "equal hands": (casino("call", "KS 2D", "KC 3D", "AH AC 7D 7S JS"), "ante"),
    "folded": (casino("fold", "KS QD", "4C 4D", "3H 2C 7D"), "ante"),
    "play": (ultimate(4, *FULL), "ante:play"),
    "blind": (ultimate(4, "KS 2S", "4C 4D", "QS 3S 7D 9S 8H"), "blind"),
    "blind without odds": (ultimate(4, "KS KD", "4C 4D", "QH 2C 7D 9S 8S"), "blind"),
    "straight to the five": (ultimate(4, "AS 2D", "KC QD", "3H 4C 5D 9S 9H"), "trips"),
    "folded to the dealer": (ultimate(0, "KS 2D", "4C 4D", "QS 3S 7D 9S 8H"), "ante"),
    "side pot": (hand(*SIDE), "w-p3"),
    "no pot": (hand(*SIDE), "w-p4"),
    "shared pot": (
        even(107, players=3, hands={"p1": ["AS", "KD"], "p2": ["AC", "KH"], "p3": ["4H", "3C"]}),
        "w-p1",
    ),
    "uncalled": (
        hand(
            pot("p1", preflop=300),
            pot("p2", preflop=100),
            actions=[act("p2", "fold")],
            board=[],
        ),
        "w-p1",
    ),
    "misdeal": (even(100, void=TOO_MANY), "w-p1"),
    "points": (ofc(LOW, HIGH), "w-p2"),
    "points beyond the stack": (ofc(LOW, FOUL, stacks=(5_000, 300)), "w-p2"),
    "first place": (cup(10, "p1", "p2", "p3", "p4 p5", guarantee="20000.00"), "buy_in-p1-1"),
    "third place": (cup(10, "p1", "p2", "p3", "p4 p5"), "buy_in-p3-1"),
    "equal places": (cup(20, "p1", "p2", "p3 p4", "p5", "p6"), "buy_in-p3-1"),
    "no prize": (cup(10, "p1", "p2", "p3", "p4 p5"), "buy_in-p9-1"),
    "withdrawn": (cup(10, "p1", "p2", "p3", "p4", withdrawn=LEFT), "buy_in-p10-1"),
    "deal": (cup(10, "p3", "p4", **DEAL), "buy_in-p2-1"),
    "not the last entry": (
        tournament(
            [*buy_ins(9), payment("p1", "re_entry")],
            *("p1", "p2", "p3", "p4"),
            format="re_entry",
        ),
        "buy_in-p1-1",
    ),
}
"""By claim: a request and the line of it that is explained."""
