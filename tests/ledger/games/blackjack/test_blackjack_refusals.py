"""What a round of blackjack may not be: every refusal and their order."""

from __future__ import annotations

from typing import Any

import pytest

from ledger import games
from tests.ledger.games.banker_cases import code_of
from tests.ledger.games.blackjack_cases import (
    ALL_BETS,
    EVOLUTION,
    FREE_BET,
    GAMES,
    INFINITE,
    LAND,
    SAZKA,
    SHARED,
    SIXTY_NINE,
    SYNOT,
    action,
    home,
    lines_of,
    one,
    request,
    short,
    wager,
)

NOT_ALLOWED, MISMATCH = "ACTION_NOT_ALLOWED", "PLAYER_CARDS_MISMATCH"
CHARLIE = "hit, hit, hit, hit"
TEN_CARDS = ", ".join(["hit"] * 8)

ROUNDS = [
    # code, games, decisions, cards, dealer
    # No decision on a hand that has ended.
    (NOT_ALLOWED, GAMES, "hit", "AS KD 5C", "9C TD"),
    (NOT_ALLOWED, GAMES, "double", "AS KD 5C", "9C TD"),
    (NOT_ALLOWED, GAMES, "split", "AS AC/KD TC", "9C TD"),
    (NOT_ALLOWED, GAMES, "stand, hit", "KS 2D 5C", "9C TD"),
    (NOT_ALLOWED, GAMES, "stand, stand", "KS 2D", "9C TD"),
    (NOT_ALLOWED, GAMES, "stand, double", "KS 2D 5C", "9C TD"),
    (NOT_ALLOWED, GAMES, "hit, hit", "KS 6D 6C 2D", "9C TD"),
    (NOT_ALLOWED, GAMES, "hit, stand", "KS 6D 6C", "9C TD"),
    (NOT_ALLOWED, GAMES, "double, hit", "5S 6D 2C 7H", "9C TD"),
    (NOT_ALLOWED, GAMES, "double, double", "5S 6D 2C 7H", "9C TD"),
    (NOT_ALLOWED, GAMES, "hit, double", "5S 2D 2C 7H", "9C TD"),
    (NOT_ALLOWED, GAMES, "split, #.1 hit", "AS 5C 2D/AD 9H", "9C TD"),
    (NOT_ALLOWED, GAMES, "split, #.1 double", "AS 5C 2D/AD 9H", "9C TD"),
    (NOT_ALLOWED, GAMES, "split, hit", "8S 5C 2D/8D 9H", "9C TD"),
    (NOT_ALLOWED, GAMES, "split, stand", "8S 9C/8D 9H", "9C TD"),
    (NOT_ALLOWED, LAND, "hit, hit", "7S 7D 7C 2D", "9C TD"),
    (NOT_ALLOWED, LAND, "split, #.1 hit", "TS AC 5D/TD 9H", "9C TD"),
    (NOT_ALLOWED, LAND, "split, #.1 double", "TS AC 5D/TD 9H", "9C TD"),
    (NOT_ALLOWED, [INFINITE, EVOLUTION], f"{CHARLIE}, hit", "2S 2D 2H 3C 3S 4D AD", "9C TD"),
    (NOT_ALLOWED, [ALL_BETS], f"{TEN_CARDS}, hit", "AS AD AC AH 2S 2D 2C 2H 3S 3D 4C", "9C TD"),
    # Splits.
    (NOT_ALLOWED, GAMES, "split", "8S TC/9D 9H", "9C TD"),
    (NOT_ALLOWED, GAMES, "hit, split", "4S 4D 8C", "9C TD"),
    (NOT_ALLOWED, SAZKA, "split, #.1 split", "8S 8C/8D 9H", "9C TD"),
    (NOT_ALLOWED, SAZKA, "split, #.1 split", "AS AC/AD 9H", "9C TD"),
    (NOT_ALLOWED, [SIXTY_NINE], "split, #.1 split", "AS AC/AD 9H", "9C TD"),
    (NOT_ALLOWED, [FREE_BET], "split, #.1 stand, #.1 split", "AS AC/AD 9H", "9C TD"),
    # Insurance and even money.
    (NOT_ALLOWED, GAMES, "insurance 50.00, stand", "KS 9D", "KC 9D"),
    (NOT_ALLOWED, GAMES, "skip_insurance, stand", "KS 9D", "KC 9D"),
    (NOT_ALLOWED, GAMES, "stand, insurance 50.00", "KS 9D", "AC 9D"),
    (NOT_ALLOWED, GAMES, "hit, insurance 50.00", "KS 4D 5H", "AC 9D"),
    (NOT_ALLOWED, GAMES, "double, insurance 50.00", "KS 4D 5H", "AC 9D"),
    (NOT_ALLOWED, GAMES, "split, insurance 50.00", "8S 9D/8C 9H", "AC 9D"),
    (NOT_ALLOWED, GAMES, "stand, skip_insurance", "KS 9D", "AC 9D"),
    (NOT_ALLOWED, SAZKA, "insurance 50.00, insurance 50.00", "KS 9D", "AC 9D"),
    (NOT_ALLOWED, LAND, "insurance 20.00, insurance 20.00", "KS 9D", "AC 9D"),
    (NOT_ALLOWED, GAMES, "insurance 50.00 @timeout, stand", "KS 9D", "AC 9D"),
    (NOT_ALLOWED, GAMES, "insurance 50.00 free, stand", "KS 9D", "AC 9D"),
    (NOT_ALLOWED, GAMES, "split, #.1 insurance 50.00", "8S 9D/8C 9H", "AC 9D"),
    (NOT_ALLOWED, [*SAZKA, SIXTY_NINE], "even_money", "AS KD", "AC 9D"),
    (NOT_ALLOWED, [FREE_BET], "even_money", "AS KD", "9C TD"),
    (NOT_ALLOWED, [FREE_BET], "even_money", "AS 9D", "TC 7D"),
    (NOT_ALLOWED, [FREE_BET], "even_money, even_money", "AS KD", "TC 7D"),
    (NOT_ALLOWED, [FREE_BET], "even_money, insurance 50.00", "AS KD", "AC 7D"),
    (NOT_ALLOWED, [FREE_BET], "split, even_money", "TS AD/TD AC", "KC 7D"),
    (NOT_ALLOWED, [FREE_BET], "split, #.1 even_money", "TS AD/TD AC", "KC 7D"),
    (NOT_ALLOWED, [FREE_BET], "even_money @absent", "AS KD", "TC 7D"),
    (
        NOT_ALLOWED,
        [FREE_BET],
        "insurance 50.00, split free, insurance 50.00, #.1 stand, #.2 stand",
        "8S 9D/8C 9H",
        "AC 9D",
    ),
    (
        NOT_ALLOWED,
        [FREE_BET],
        "insurance 50.00, split, #.1 hit, insurance 50.00, #.2 stand",
        "8S 2D 9C/8C 9H",
        "AC 9D",
    ),
    ("STAKE_MISMATCH", SAZKA, "insurance 49.99, stand", "KS 9D", "AC 9D"),
    ("STAKE_MISMATCH", GAMES, "insurance 50.01, stand", "KS 9D", "AC 9D"),
    ("STAKE_MISMATCH", GAMES, "double 50.00", "5S 6D 9C", "9C TD"),
    ("STAKE_MISMATCH", GAMES, "split 200.00", "8S 9D/8C 9H", "9C TD"),
    ("STAKE_MISMATCH", [FREE_BET], "double free 100.00", "5S 6D 9C", "9C TD"),
    (
        "STAKE_MISMATCH",
        [FREE_BET],
        "insurance 50.00, split, insurance 50.01, #.1 stand, #.2 stand",
        "8S 9D/8C 9H",
        "AC 9D",
    ),
    ("INVALID_STAKE", GAMES, "insurance 0.00, stand", "KS 9D", "AC 9D"),
    ("INVALID_STAKE", GAMES, "insurance 50, stand", "KS 9D", "AC 9D"),
    ("MALFORMED_REQUEST", GAMES, "insurance, stand", "KS 9D", "AC 9D"),
    # Free bets.
    (NOT_ALLOWED, [*SAZKA, SIXTY_NINE], "double free", "5S 6D 9C", "9C TD"),
    (NOT_ALLOWED, [*SAZKA, SIXTY_NINE], "split free", "8S 9D/8C 9H", "9C TD"),
    (NOT_ALLOWED, GAMES, "hit free, stand", "KS 2D 6C", "9C TD"),
    (NOT_ALLOWED, GAMES, "stand free", "KS 9D", "9C TD"),
    (NOT_ALLOWED, [FREE_BET], "double free", "5S 7D 9C", "9C TD"),
    (NOT_ALLOWED, [FREE_BET], "double free", "5S 3D 9C", "9C TD"),
    (NOT_ALLOWED, [FREE_BET], "double free", "AS 9D 9C", "9C TD"),
    (NOT_ALLOWED, [FREE_BET], "double free", "AS 8D 9C", "9C TD"),
    (NOT_ALLOWED, [FREE_BET], "split free", "TS 9D/TC 9H", "9C TD"),
    (NOT_ALLOWED, [FREE_BET], "split free", "KS 9D/QC 9H", "9C TD"),
    (NOT_ALLOWED, [FREE_BET], "split, #.1 double free", "5S 6D TC/5C 9H", "9C TD"),
    # Automatic decisions.
    (NOT_ALLOWED, [SYNOT, ALL_BETS], "hit @timeout, stand", "5S 3D 8C", "9C TD"),
    (NOT_ALLOWED, [INFINITE, EVOLUTION], "hit @timeout", "KS 2D TC", "9C TD"),
    (NOT_ALLOWED, [INFINITE, EVOLUTION], "hit @disconnect, stand", "AS 2D TC", "9C TD"),
    (NOT_ALLOWED, [INFINITE, EVOLUTION], "stand @timeout", "5S 6D", "9C TD"),
    (NOT_ALLOWED, [INFINITE, EVOLUTION], "stand @disconnect", "5S 5D", "9C TD"),
    (NOT_ALLOWED, SAZKA, "stand @absent", "KS 9D", "9C TD"),
    (NOT_ALLOWED, SAZKA, "stand @asleep", "KS 9D", "9C TD"),
    (NOT_ALLOWED, GAMES, "double @timeout", "5S 6D 9C", "9C TD"),
    (NOT_ALLOWED, GAMES, "split @disconnect", "8S 9D/8C 9H", "9C TD"),
    (NOT_ALLOWED, LAND, "stand @timeout", "KS 9D", "9C TD"),
    (NOT_ALLOWED, [SIXTY_NINE], "stand @absent", "KS 9D", "9C TD"),
    (NOT_ALLOWED, [FREE_BET], "stand @absent", "KS 6D", "9C TD"),
    (NOT_ALLOWED, [FREE_BET], "hit @absent", "KS 7D 4C", "9C TD"),
    (NOT_ALLOWED, [FREE_BET], "hit @absent, stand", "AS 6D 4C", "9C TD"),
    # Compulsory decisions.
    ("ACTION_MISSING", [INFINITE, EVOLUTION], "", "5S 6D", "9C TD"),
    ("ACTION_MISSING", [INFINITE, EVOLUTION], "hit", "2S 3D 6C", "9C TD"),
    ("ACTION_MISSING", [INFINITE, EVOLUTION], "split, #.1 stand", "5S 2C/5D 3H", "9C TD"),
    ("ACTION_MISSING", [INFINITE, EVOLUTION], "hit", "5S 6D", "9C TD"),
    (NOT_ALLOWED, [FREE_BET], "stand", "5S 6D", "9C TD"),
    (NOT_ALLOWED, [FREE_BET], "", "5S 6D", "9C TD"),
    (NOT_ALLOWED, [FREE_BET], "hit", "2S 3D 4C", "9C TD"),
    (NOT_ALLOWED, [FREE_BET], "split, #.2 stand", "5S 6C/5D TH", "9C TD"),
    # Unknown decisions.
    (NOT_ALLOWED, GAMES, "surrender", "KS 6D", "9C TD"),
    (NOT_ALLOWED, GAMES, "#.1 hit", "KS 6D 2C", "9C TD"),
    # Cards against decisions.
    (MISMATCH, GAMES, "stand", "KS 2D 6C", "9C TD"),
    (MISMATCH, GAMES, "", "KS 2D 6C", "9C TD"),
    (MISMATCH, GAMES, "hit, stand", "KS 2D", "9C TD"),
    (MISMATCH, GAMES, "hit, stand", "KS 2D 2C 5H", "9C TD"),
    (MISMATCH, GAMES, "double", "KS 2D", "9C TD"),
    (MISMATCH, GAMES, "double", "KS 2D 2C 5H", "9C TD"),
    (MISMATCH, GAMES, "split", "8S 8D", "9C TD"),
    (MISMATCH, GAMES, "stand", "8S 9D/8C 9H", "9C TD"),
    (MISMATCH, GAMES, "split", "8S 9D 2C/8C 9H", "9C TD"),
    (MISMATCH, GAMES, "split", "AS 9D 2C/AC 9H", "9C TD"),
    (MISMATCH, GAMES, "", "AS KD 5C", "9C TD"),
    # The dealer.
    ("DRAW_RULE_VIOLATION", GAMES, "stand", "KS 9D", "9C 7D"),
    ("DRAW_RULE_VIOLATION", GAMES, "stand", "KS 9D", "9C 2D 3H"),
    ("DRAW_RULE_VIOLATION", GAMES, "stand", "KS 9D", "9C 8D 2H"),
    ("DRAW_RULE_VIOLATION", GAMES, "stand", "KS 9D", "AC 6D 2H"),
    ("DRAW_RULE_VIOLATION", GAMES, "stand", "KS 9D", "AC KD 2H"),
    ("DRAW_RULE_VIOLATION", GAMES, "stand", "KS 9D", "9C 7D 9H 2S"),
    ("DRAW_RULE_VIOLATION", GAMES, "hit", "KS 6D 9C", "TC 2D 3H"),
    ("DRAW_RULE_VIOLATION", GAMES, "hit", "KS 6D 9C", "TC 7D 3H"),
    ("OUTCOME_INCOMPLETE", LAND, "stand", "KS 9D", "TC"),
    ("OUTCOME_INCOMPLETE", LAND, "", "AS KD", "TC"),
    ("OUTCOME_INCOMPLETE", LAND, "", "AS KD", "AC"),
    ("OUTCOME_INCOMPLETE", LAND, "insurance 50.00, hit", "KS 6D 9C", "AC"),
    ("DRAW_RULE_VIOLATION", LAND, "hit", "KS 6D 9C", "TC 2D"),
    ("OUTCOME_INCOMPLETE", [FREE_BET], "insurance 50.00, even_money", "AS KD", "AC"),
    ("OUTCOME_INCOMPLETE", LAND, "hit", "7S 7D 7C", "TC"),
    ("DRAW_RULE_VIOLATION", [SYNOT, ALL_BETS], CHARLIE, "2S 2D 2H 3C 3S 4D", "TC 2D"),
    ("DRAW_RULE_VIOLATION", [SYNOT], TEN_CARDS, "AS AD AC AH 2S 2D 2C 2H 3S 3D", "TC 2D"),
]


@pytest.mark.parametrize(
    ("code", "game", "decisions", "cards", "dealer"),
    [(code, game, *rest) for code, listed, *rest in ROUNDS for game in listed],
)
def test_a_round_that_cannot_be(
    code: str, game: str, decisions: str, cards: str, dealer: str
) -> None:
    assert code_of(one(game, decisions, cards, dealer)) == code


SIDE_BETS_THAT_WAIT = [
    (ALL_BETS, "buster_blackjack", "AS KD", ""),
    (ALL_BETS, "buster_blackjack", "KS 6D 9C", "hit"),
    (INFINITE, "bust_it", "KS 6D 9C", "hit"),
    (FREE_BET, "push22", "KS 6D 9C", "hit"),
    (FREE_BET, "push22", "AS KD", ""),
]


@pytest.mark.parametrize(("game", "bet", "cards", "decisions"), SIDE_BETS_THAT_WAIT)
def test_the_dealer_finishes_for_a_side_bet(
    game: str, bet: str, cards: str, decisions: str
) -> None:
    assert code_of(one(game, decisions, cards, "9C 2D", bet)) == "DRAW_RULE_VIOLATION"
    assert "error" not in games.settle(one(game, decisions, cards, "9C 2D 7H", bet))
    assert "error" not in games.settle(one(game, decisions, cards, "9C 2D 5H 6H", bet))


def test_bust_it_of_a_blackjack_does_not_wait_for_the_dealer() -> None:
    assert short(one(INFINITE, "", "AS KD", "9C 2D", "bust_it")) == "main win 250, bust_it push 100"


MAIN = "p1 1 main"


def table(game: str, **limits: str) -> Any:
    return one(game, "stand", "KS 9D", "9C TD", table=limits)


def staked(game: str, *wagers: str, **more: Any) -> Any:
    hands = {wager(text)["box"]: "KS 9D" for text in wagers}
    return request(game, list(wagers), [], hands, "9C TD", **more)


OTHERS = [
    ("UNKNOWN_BET", staked(SYNOT, MAIN, "p1 1 perfect_pairs")),
    ("UNKNOWN_BET", staked(SYNOT, MAIN, "p1 1 lucky_lucky")),
    ("UNKNOWN_BET", staked(ALL_BETS, "p1 p1 main", "p1 p1 hot3")),
    ("UNKNOWN_BET", staked(INFINITE, "p1 p1 main", "p1 p1 top3")),
    ("UNKNOWN_BET", staked(EVOLUTION, MAIN, "p1 1 player_pair")),
    ("UNKNOWN_BET", staked(EVOLUTION, MAIN, "p1 1 push22")),
    ("UNKNOWN_BET", staked(SIXTY_NINE, MAIN, "p1 1 21+3")),
    ("UNKNOWN_BET", staked(FREE_BET, MAIN, "p1 1 perfect_pairs")),
    ("UNKNOWN_BET", staked(FREE_BET, MAIN, "p1 1 insurance")),
    # The fault of a main bet, not the want of one, also where its side bet is listed before it.
    ("UNKNOWN_BET", staked(EVOLUTION, "p1 1 21+3", "p1 1 mian")),
    ("INVALID_BOX", staked(EVOLUTION, "p1 1 21+3", "p1 8 main")),
    ("INVALID_STAKE", staked(EVOLUTION, "p1 1 21+3", "p1 1 main 0.00")),
    ("INVALID_STAKE", staked(SYNOT, "p1 1 main 0.00")),
    ("INVALID_STAKE", staked(SYNOT, "p1 1 main 100")),
    ("INVALID_STAKE", staked(SYNOT, "p1 1 main -5.00")),
    ("INVALID_BOX", staked(SYNOT, "p1 8 main")),
    ("INVALID_BOX", staked(SYNOT, "p1 0 main")),
    ("INVALID_BOX", staked(EVOLUTION, "p1 01 main")),
    ("INVALID_BOX", staked(EVOLUTION, "p1 p1 main")),
    ("INVALID_BOX", staked(ALL_BETS, "p1 1 main")),
    ("INVALID_BOX", staked(INFINITE, "p1 p2 main")),
    ("INVALID_BOX", staked(SIXTY_NINE, "p1 1.1 main")),
    ("INVALID_BOX", staked(FREE_BET, "p1 a.b main")),
    ("BOX_LIMIT_EXCEEDED", staked(SYNOT, MAIN, "p2 1 main")),
    ("BOX_LIMIT_EXCEEDED", staked(EVOLUTION, MAIN, "p2 1 main")),
    ("BOX_LIMIT_EXCEEDED", staked(SIXTY_NINE, *(f"p{n} 1 main" for n in range(4)))),
    ("BOX_LIMIT_EXCEEDED", staked(FREE_BET, *(f"p{n} 1 main" for n in range(4)))),
    ("DUPLICATE_WAGER", staked(SYNOT, MAIN, MAIN)),
    ("DUPLICATE_WAGER", request(SIXTY_NINE, [MAIN, wager(MAIN) | {"id": "x"}], [], {}, "")),
    (
        "DUPLICATE_WAGER",
        request(SYNOT, [MAIN, wager("p2 2 main") | {"id": "p1-1-main"}], [], {}, ""),
    ),
    ("SIDE_BET_WITHOUT_MAIN", staked(SYNOT, "p1 1 21+3")),
    ("SIDE_BET_WITHOUT_MAIN", staked(SYNOT, MAIN, "p1 2 21+3")),
    ("SIDE_BET_WITHOUT_MAIN", staked(SYNOT, MAIN, "p2 1 21+3")),
    ("SIDE_BET_WITHOUT_MAIN", staked(INFINITE, "p1 p1 main", "p2 p2 hot3")),
    ("SIDE_BET_WITHOUT_MAIN", staked(SIXTY_NINE, MAIN, "p2 1 perfect_pairs")),
    ("SIDE_BET_WITHOUT_MAIN", staked(FREE_BET, MAIN, "p2 1 push22")),
    ("BET_BELOW_MINIMUM", staked(SIXTY_NINE, "p1 1 main 49.99")),
    ("BET_BELOW_MINIMUM", staked(SIXTY_NINE, MAIN, "p1 1 perfect_pairs 24.99")),
    ("BET_BELOW_MINIMUM", staked(SYNOT, "p1 1 main 49.99", table={"min": "50.00"})),
    ("BET_BELOW_MINIMUM", staked(FREE_BET, "p1 1 main 49.99", table={"min": "50.00"})),
    ("BET_ABOVE_MAXIMUM", staked(FREE_BET, "p1 1 main 50.01", table={"max": "50.00"})),
    ("BET_ABOVE_MAXIMUM", staked(SYNOT, "p1 1 main 100000.01")),
    ("BET_ABOVE_MAXIMUM", staked(ALL_BETS, "p1 p1 main 100000.01")),
    ("BET_ABOVE_MAXIMUM", staked(SYNOT, "p1 1 main 500.01", table={"max": "500.00"})),
    ("BET_ABOVE_MAXIMUM", staked(SYNOT, MAIN, "p1 1 21+3 1000.01")),
    ("BET_ABOVE_MAXIMUM", staked(ALL_BETS, "p1 p1 main", "p1 p1 buster_blackjack 1000.01")),
    ("BET_ABOVE_MAXIMUM", staked(SIXTY_NINE, "p1 1 main 25000.01")),
    ("BET_ABOVE_MAXIMUM", staked(SIXTY_NINE, MAIN, "p1 1 perfect_pairs 25000.01")),
    ("BET_ABOVE_MAXIMUM", staked(SIXTY_NINE, "p1 1 main 13000.00", "p2 1 main 12000.01")),
    (
        "BET_ABOVE_MAXIMUM",
        staked(SIXTY_NINE, "p1 1 main 60.00", "p2 1 main 60.00", table={"max": "100.00"}),
    ),
    ("INVALID_TABLE_LIMITS", table(SYNOT, max="100000.01")),
    ("INVALID_TABLE_LIMITS", table(SYNOT, min="100000.01")),
    ("INVALID_TABLE_LIMITS", table(SYNOT, min="50.00", max="49.99")),
    ("INVALID_TABLE_LIMITS", table(SIXTY_NINE, min="49.99")),
    ("INVALID_TABLE_LIMITS", table(SIXTY_NINE, max="25000.01")),
    ("INVALID_TABLE_LIMITS", table(SIXTY_NINE, max="49.99")),
    ("INVALID_TABLE_LIMITS", table(FREE_BET, min="50.00", max="49.99")),
    *(
        (
            "BET_AFTER_CLOSE",
            request(game, [wager(MAIN) | {"box": home(game), "late": True}], [], {}, ""),
        )
        for game in GAMES
    ),
    (
        "MALFORMED_REQUEST",
        request(SYNOT, [{k: v for k, v in wager(MAIN).items() if k != "box"}], [], {}, ""),
    ),
    ("MALFORMED_REQUEST", one(SYNOT, "", "KS 9D", "9C TD", outcome={"dealer": "9C"})),
    ("MALFORMED_REQUEST", one(SYNOT, "", "KS 9D", "9C TD", outcome={"dealer": [9]})),
    ("MALFORMED_REQUEST", one(SYNOT, "", "KS 9D", "9C TD", outcome={"hands": ["KS"]})),
    ("MALFORMED_REQUEST", one(SYNOT, "", "KS 9D", "9C TD", outcome={"hands": {"1": "KS"}})),
    ("MALFORMED_REQUEST", one(SYNOT, "", "KS 9D", "9C TD", outcome={"hands": {"1": [None]}})),
    ("MALFORMED_REQUEST", one(SYNOT, "", "KS 9D", "9C TD", outcome={"owners": ["p1"]})),
    ("MALFORMED_REQUEST", one(SYNOT, "", "KS 9D", "9C TD", outcome={"owners": {"1": 1}})),
    *(
        (
            "MALFORMED_REQUEST",
            request(SYNOT, [MAIN], [action("p1 1 stand") | wrong], {"1": "KS 9D"}, "9C TD"),
        )
        for wrong in ({"hand": 1}, {"auto": True}, {"free": "yes"}, {"stake": 50}, {"player": None})
    ),
    ("INVALID_OUTCOME", one(SYNOT, "", "KS 9D", "9C TD", outcome={"owners": {"1": "p2"}})),
    ("INVALID_OUTCOME", one(SYNOT, "", "KS 9D", "9C TD", outcome={"owners": {"2": "p1"}})),
    ("INVALID_OUTCOME", one(FREE_BET, "", "KS 9D", "9C TD", outcome={"owners": {"1": "p2"}})),
    ("OUTCOME_INCOMPLETE", request(SYNOT, [MAIN], [], {"1": "KS 9D"}, None)),
    ("OUTCOME_INCOMPLETE", request(SYNOT, [MAIN], [], None, "9C TD")),
    ("OUTCOME_INCOMPLETE", request(SYNOT, [MAIN], [], {}, "9C TD")),
    ("OUTCOME_INCOMPLETE", request(SYNOT, [MAIN], [], {"1": ""}, "9C TD")),
    ("OUTCOME_INCOMPLETE", request(SYNOT, [MAIN], [], {"1": "KS"}, "9C TD")),
    ("OUTCOME_INCOMPLETE", request(SYNOT, [MAIN], [], {"1": "KS 9D"}, "")),
    ("OUTCOME_INCOMPLETE", request(SYNOT, [MAIN], [], {"1": "KS 9D"}, "9C")),
    ("OUTCOME_INCOMPLETE", request(FREE_BET, [MAIN], [], {"1": "KS 9D"}, "")),
    ("OUTCOME_INCOMPLETE", request(SYNOT, [MAIN, "p2 2 main"], [], {"1": "KS 9D"}, "9C TD")),
    ("INVALID_CARD", one(SYNOT, "", "KS 1D", "9C TD")),
    ("INVALID_CARD", one(SYNOT, "", "KS 9X", "9C TD")),
    ("INVALID_CARD", one(SYNOT, "", "KS 10D", "9C TD")),
    ("INVALID_CARD", one(SYNOT, "", "KS 9D", "9c TD")),
    ("TOO_MANY_COPIES", one(SIXTY_NINE, "hit, hit, stand", "2S 2S 2S 2S", "2S 2S 2S TH 9D")),
    ("TOO_MANY_COPIES", one(FREE_BET, "hit, hit, stand", "2S 2S 2S 2S", "2S 2S 2S TH 9D")),
    ("TOO_MANY_COPIES", one(SYNOT, "hit, hit, stand", "2S 2S 2S 2S", "2S 2S 2S 2S 2S TH")),
    ("TOO_MANY_COPIES", one(ALL_BETS, "hit, hit, stand", "2S 2S 2S 2S", "2S 2S 2S 2S 2S TH")),
    (
        "TOO_MANY_COPIES",
        request(
            SYNOT,
            [f"p{n} {n} main" for n in range(1, 6)],
            [],
            {str(n): "9S 9S" for n in range(1, 6)},
            "9C 9D",
        ),
    ),
    *(
        (
            "SHARED_CARDS_MISMATCH",
            request(game, ["p1 p1 main", "p2 p2 main"], decisions, hands, "9C TD"),
        )
        for game in SHARED
        for decisions, hands in (
            ([], {"p1": "KS 9D", "p2": "KS 8D"}),
            ([], {"p1": "KS 9D", "p2": "9D KS"}),
            (["p1 p1 hit", "p2 p2 hit"], {"p1": "KS 2D 5C", "p2": "KS 2D 6C"}),
            (["p1 p1 hit", "p2 p2 double"], {"p1": "KS 2D 5C", "p2": "KS 2D 6C"}),
            (["p1 p1 split"], {"p1.1": "8S 9D", "p1.2": "8D 9D", "p2": "8S 8H"}),
            (["p1 p1 split"], {"p1.1": "8S 9D", "p2": "8H 8D"}),
            (
                ["p1 p1 split", "p2 p2 split"],
                {"p1.1": "8S 9D", "p1.2": "8D 9D", "p2.1": "8S 9D", "p2.2": "8D TD"},
            ),
        )
    ),
    (MISMATCH, request(SYNOT, [MAIN], [], {"1": "KS 9D", "2": "KS 9D"}, "9C TD")),
    (MISMATCH, request(SYNOT, [MAIN], [], {"1": "KS 9D", "x": "KS 9D"}, "9C TD")),
    (MISMATCH, request(SYNOT, [MAIN], [], {"1": "KS 9D", "1.1": "KS 9D"}, "9C TD")),
    (MISMATCH, request(SYNOT, [MAIN], [], {"1": "KS 9D", "1.3": "KS 9D"}, "9C TD")),
    (MISMATCH, request(SYNOT, [MAIN], ["p1 1 split"], {"1.1": "8S 9D"}, "9C TD")),
    (MISMATCH, request(SYNOT, [MAIN], ["p1 1 split"], {"1.2": "8S 9D"}, "9C TD")),
    # A half that was not recorded is missing; it does not contradict the others' cards.
    *(
        (
            MISMATCH,
            request(
                game, ["p1 p1 main", "p2 p2 main"], ["p1 p1 split", *decisions], hands, "9C TD"
            ),
        )
        for game in SHARED
        for decisions, hands in (
            ([], {"p1.1": "8S 9D", "p2": "8S 8D"}),
            ([], {"p1.2": "8D 9D", "p2": "8S 8D"}),
            (["p2 p2 split"], {"p1.2": "8D TH", "p2.1": "8S 9D", "p2.2": "8D TH"}),
        )
    ),
    (NOT_ALLOWED, request(SYNOT, [MAIN], ["p2 1 stand"], {"1": "KS 9D"}, "9C TD")),
    (NOT_ALLOWED, request(SYNOT, [MAIN], ["p1 2 stand"], {"1": "KS 9D"}, "9C TD")),
    (NOT_ALLOWED, request(SYNOT, [MAIN], ["p1 1.1.1.1.1.1.1.1.1.1 hit"], {"1": "KS 9D"}, "9C TD")),
    (
        NOT_ALLOWED,
        request(
            SYNOT,
            [MAIN, "p2 2 main"],
            ["p2 1 insurance 50.00"],
            {"1": "KS 9D", "2": "KS 9D"},
            "AC 9D",
        ),
    ),
]


@pytest.mark.parametrize(("code", "document"), OTHERS)
def test_a_request_that_cannot_be(code: str, document: Any) -> None:
    assert code_of(document) == code


@pytest.mark.parametrize("game", GAMES)
def test_every_splitting_below_four_hands_has_its_bound(game: str) -> None:
    box = home(game)
    splits = 3 if game in LAND else 1
    name, decisions, hands = box, [], {}
    for _ in range(splits):
        decisions.append(f"p1 {name} split")
        hands[f"{name}.2"] = "8D TC"
        name += ".1"
    hands[name] = "8S 8H"
    decisions += [f"p1 {hand} stand" for hand in hands]
    document = request(game, [f"p1 {box} main"], decisions, hands, "9C TD")
    assert len(lines_of(document)) == splits + 1
    del hands[name]
    hands |= {f"{name}.1": "8S TC", f"{name}.2": "8H TC"}
    decisions = [*decisions[:splits], f"p1 {name} split", *decisions[splits:-1]]
    assert code_of(request(game, [f"p1 {box} main"], decisions, hands, "9C TD")) == NOT_ALLOWED


CO_PLAYERS = [
    # games, decisions, hands
    (LAND, ["p2 1 hit", "p1 1 stand"], {"1": "KS 2D 6C"}),
    (LAND, ["p2 1 stand"], {"1": "KS 9D"}),
    (LAND, ["p2 1 double"], {"1": "5S 6D 9C"}),
    (LAND, ["p2 1 double", "p1 1 double"], {"1": "5S 6D 9C"}),
    (LAND, ["p2 1 split", "p1 1 split"], {"1.1": "8S 9D", "1.2": "8D TH"}),
    (LAND, ["p1 1 double", "p2 1 double", "p2 1 double"], {"1": "5S 6D 9C"}),
    (LAND, ["p1 1 split", "p2 1 split", "p2 1 split"], {"1.1": "8S 9D", "1.2": "8D TH"}),
    (LAND, ["p1 1 split", "p1 1.2 double", "p2 1.2 double"], {"1.1": "8S 9D", "1.2": "8D 2H 9C"}),
    (LAND, ["p1 1 split", "p1 1.1 hit", "p2 1 split"], {"1.1": "8S 2D 9C", "1.2": "8D TH"}),
    (LAND, ["p1 1 double", "p2 1 double @absent"], {"1": "5S 6D 9C"}),
    (LAND, ["p1 1 hit", "p2 1 double"], {"1": "5S 6D 9C"}),
    (
        LAND,
        ["p1 1 split", "p1 1.2 split", "p2 1.2 split"],
        {"1.1": "8S 9D", "1.2.1": "8D TH", "1.2.2": "8H TS"},
    ),
    ([FREE_BET], ["p1 1 double", "p2 1 double free"], {"1": "5S 7D 9C"}),
    ([FREE_BET], ["p1 1 split", "p2 1 split free"], {"1.1": "KS 9D", "1.2": "QD 9H"}),
    (
        [FREE_BET],
        ["p1 1 split free", "p2 1 split", "p1 1.1 double free", "p2 1.1 double free"],
        {"1.1": "5S 6D TC", "1.2": "5D TH"},
    ),
    (
        [FREE_BET],
        ["p1 1 split", "p1 1.1 double", "p2 1.1 double free"],
        {"1.1": "5S 6D TC", "1.2": "5D TH"},
    ),
]


@pytest.mark.parametrize(
    ("game", "decisions", "hands"),
    [(game, *rest) for listed, *rest in CO_PLAYERS for game in listed],
)
def test_a_co_player_cannot(game: str, decisions: list[str], hands: dict[str, str]) -> None:
    document = request(game, [MAIN, "p2 1 main"], decisions, hands, "9C TD")
    assert code_of(document) == NOT_ALLOWED


def test_free_bet_insurance_is_a_multiple_of_half_the_table_minimum() -> None:
    def insured(stake: str) -> Any:
        return one(FREE_BET, f"insurance {stake}, stand", "KS 9D", "AC 9D", table={"min": "30.00"})

    assert "insurance lose 0" in short(insured("15.00"))
    assert "insurance lose 0" in short(insured("45.00"))
    for stake in ("14.99", "10.00", "20.00", "44.99", "60.00"):
        assert code_of(insured(stake)) == "STAKE_MISMATCH"


def test_insurance_of_a_stake_that_has_no_half_is_refused() -> None:
    wagers = [wager("p1 1 main 0.01")]
    document = request(SYNOT, wagers, ["p1 1 insurance 0.01"], {"1": "KS 9D"}, "AC 9D")
    assert code_of(document) == "STAKE_MISMATCH"


ORDER: list[tuple[str, dict[str, Any]]] = [
    ("MALFORMED_REQUEST", {"actions": [{"player": "p1", "type": "hit"}]}),
    ("UNKNOWN_BET", {"wagers": [wager("p1 9 x"), wager(MAIN)]}),
    ("INVALID_BOX", {"wagers": [wager("p1 9 main"), wager("p2 1 21+3")]}),
    ("SIDE_BET_WITHOUT_MAIN", {"wagers": [wager("p1 1 main 200000.00"), wager("p2 1 21+3")]}),
    ("INVALID_TABLE_LIMITS", {"table": {"max": "100000.01"}}),
    ("BET_ABOVE_MAXIMUM", {"wagers": [wager("p1 1 main 200000.00")]}),
    ("INVALID_VOID_REASON", {"outcome": {"void": {"reason": "x"}}}),
    ("INVALID_CARD", {"outcome": {"hands": {"1": ["KS", "1D"]}, "dealer": ["9C", "2D"]}}),
    ("ACTION_NOT_ALLOWED", {"actions": [action("p1 1 double free")]}),
    ("ACTION_MISSING", {"outcome": {"hands": {"1": ["5S", "6D"]}, "dealer": ["9C", "2D"]}}),
    (MISMATCH, {"outcome": {"hands": {"1": ["KS", "6D", "2C"]}, "dealer": ["9C", "2D"]}}),
    ("DRAW_RULE_VIOLATION", {"outcome": {"hands": {"1": ["KS", "6D"]}, "dealer": ["9C", "2D"]}}),
]


@pytest.mark.parametrize("first", range(len(ORDER)))
def test_of_several_faults_the_first_in_the_order_is_named(first: int) -> None:
    document = one(EVOLUTION, "", "KS 9D", "9C TD")
    for _, fault in reversed(ORDER[first:]):
        document |= fault
    assert code_of(document) == ORDER[first][0]


def test_every_code_of_blackjack_is_reached() -> None:
    reached = {code for code, *_ in [*ROUNDS, *OTHERS]}
    elsewhere = {"INVALID_VOID_REASON", "VOID_NOT_ALLOWED"}
    assert reached | elsewhere == {
        *(["MALFORMED_REQUEST", "UNKNOWN_BET", "INVALID_STAKE", "STAKE_MISMATCH", "INVALID_BOX"]),
        *(["BOX_LIMIT_EXCEEDED", "DUPLICATE_WAGER", "SIDE_BET_WITHOUT_MAIN", "BET_BELOW_MINIMUM"]),
        *(["BET_ABOVE_MAXIMUM", "INVALID_TABLE_LIMITS", "BET_AFTER_CLOSE", "INVALID_OUTCOME"]),
        *(["OUTCOME_INCOMPLETE", "INVALID_CARD", "TOO_MANY_COPIES", "SHARED_CARDS_MISMATCH"]),
        *(["PLAYER_CARDS_MISMATCH", "DRAW_RULE_VIOLATION", "ACTION_NOT_ALLOWED", "ACTION_MISSING"]),
        *elsewhere,
    }
