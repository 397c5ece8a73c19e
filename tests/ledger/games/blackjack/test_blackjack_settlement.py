"""What rounds of blackjack pay: hands, doubles, splits, insurance, tokens, several players."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ledger import games
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
    lines_of,
    one,
    request,
    short,
)

EXAMPLES = [
    json.loads(line)
    for line in Path(__file__).with_name("blackjack_examples.jsonl").read_text("utf-8").splitlines()
]


def comparable(answer: dict[str, Any]) -> dict[str, Any]:
    lines = [{key: line[key] for key in line if key != "rule"} for line in answer["wagers"]]
    return answer | {"wagers": sorted(lines, key=lambda line: str(line["id"]))}


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example["input"]["id"])
def test_public_example(example: dict[str, Any]) -> None:
    answer = games.settle(example["input"])
    assert "error" not in answer, answer
    assert comparable(answer) == comparable(example["expected"])
    assert all(line["rule"] for line in answer["wagers"])
    assert games.settle_line(json.dumps(example["input"])) == json.dumps(answer)


HANDS = [
    # games, decisions, cards, dealer, lines
    (GAMES, "stand", "KS QD", "9C TD", "main win 200"),
    (GAMES, "stand", "KS 9D", "9C TD", "main push 100"),
    (GAMES, "stand", "KS 8D", "9C TD", "main lose 0"),
    (GAMES, "", "KS QD", "9C TD", "main win 200"),
    (GAMES, "stand", "KS 2D", "9C 4D KD", "main win 200"),
    (GAMES, "hit", "KS 6D 6C", "9C TD", "main lose 0"),
    (GAMES, "", "AS KD", "9C TD", "main win 250"),
    (GAMES, "stand", "AS KD", "9C TD", "main win 250"),
    (GAMES, "", "TS AD", "KC 5D 6D", "main win 250"),
    (GAMES, "", "AS KD", "KC AD", "main push 100"),
    (GAMES, "", "AS KD", "AC QD", "main push 100"),
    (GAMES, "hit", "7S 7D 7C", "KC 6D 5D", "main push 100"),
    (GAMES, "hit", "7S 7D 7C", "KC TD", "main win 200"),
    (GAMES, "stand", "KS QD", "KC AD", "main lose 0"),
    (SAZKA, "hit, stand", "7S 7D 7C", "KC AD", "main lose 0"),
    ([SIXTY_NINE], "hit", "7S 7D 7C", "KC AD", "main push 100"),
    ([SIXTY_NINE], "double", "5S 6D TC", "AC KD", "main push 100, double:# push 100"),
    ([FREE_BET], "hit", "7S 7D 7C", "KC AD", "main lose 0"),
    # Soft totals: an ace is 11 as long as that does not pass 21, for both sides.
    (GAMES, "stand", "AS 7D", "AC 6D", "main win 200"),
    (GAMES, "hit, stand", "AS 7D 9C", "AC 5D 3S", "main lose 0"),
    (GAMES, "stand", "AS 9D", "AC 3D 2H TD 3C", "main win 200"),
    (GAMES, "double", "5S 6D 9C", "TC 9D", "main win 200, double:# win 200"),
    (GAMES, "double", "5S 6D 2C", "TC 9D", "main lose 0, double:# lose 0"),
    (GAMES, "double", "5S 6D 8C", "TC 9D", "main push 100, double:# push 100"),
    (GAMES, "double", "TS 6D 8C", "TC 9D", "main lose 0, double:# lose 0"),
    (GAMES, "double", "AS 6D 8C", "TC 5D TD", "main win 200, double:# win 200"),
    # A doubled stake against a dealer's blackjack.
    (SAZKA, "double", "5S 6D TC", "KC AD", "main push 100, double:# push 100"),
    (SAZKA, "double", "5S 6D TC", "TC AD", "main push 100, double:# push 100"),
    (SAZKA, "double", "5S 6D 2C", "KC AD", "main push 100, double:# push 100"),
    (SAZKA, "double", "5S 6D TC", "AC KD", "main lose 0, double:# lose 0"),
    (SAZKA, "double", "TS 6D TC", "KC AD", "main lose 0, double:# lose 0"),
    (SAZKA, "double", "5S 6D TC", "KC 5D 6D", "main push 100, double:# push 100"),
    ([SIXTY_NINE], "double", "5S 6D 9C", "KC AD", "main lose 0, double:# lose 0"),
    ([FREE_BET], "double", "5S 6D TC", "KC AD", "main lose 0, double:# lose 0"),
    # Splits.
    (GAMES, "split", "8S TC/8D 9H", "TC 7D", "main win 200, split:#.2 push 100"),
    (GAMES, "split", "KS TC/QD 7H", "TC 8D", "main win 200, split:#.2 lose 0"),
    (GAMES, "split", "TS AC/KD AH", "TC 9D", "main win 200, split:#.2 win 200"),
    (GAMES, "split", "AS KC/AD 2H", "TC 9D", "main win 200, split:#.2 lose 0"),
    (GAMES, "split", "AS KC/AD 2H", "TC 5D 6H", "main push 100, split:#.2 lose 0"),
    (GAMES, "split", "AS AC/AD 9H", "TC 7D", "main lose 0, split:#.2 win 200"),
    (
        GAMES,
        "split, #.1 double, #.2 stand",
        "8S 3C TC/8D 9H",
        "TC 8D",
        "main win 200, split:#.2 lose 0, double:#.1 win 200",
    ),
    (
        SAZKA,
        "split, #.1 double, #.2 stand",
        "8S 3C TC/8D 9H",
        "TC AD",
        "main push 100, split:#.2 lose 0, double:#.1 push 100",
    ),
    (
        SAZKA,
        "split, #.1 stand, #.2 double",
        "8S 9C/8D 3H 2S",
        "TC AD",
        "main lose 0, split:#.2 push 100, double:#.2 push 100",
    ),
    (
        SAZKA,
        "split, #.1 stand, #.2 double",
        "8S 9C/8D 3H 2S",
        "AC TD",
        "main lose 0, split:#.2 lose 0, double:#.2 lose 0",
    ),
    ([SIXTY_NINE], "split", "TS AC/KD 9H", "TC AD", "main push 100, split:#.2 lose 0"),
    (SAZKA, "split", "AS KC/AD 9H", "TC AD", "main lose 0, split:#.2 lose 0"),
    # A 21 may hit at SAZKA.
    (SAZKA, "hit, hit", "7S 7D 7C TH", "KC 9D", "main lose 0"),
    (
        SAZKA,
        "split, #.1 double, #.2 stand",
        "TS AC 9D/TD 9H",
        "TC 9D",
        "main win 200, split:#.2 push 100, double:#.1 win 200",
    ),
    (SAZKA, "hit, hit, stand", "AS 4D 6C 9H", "KC 9D", "main win 200"),
    # Six cards: a win that not even a blackjack beats. Ten cards: one that it does.
    ([EVOLUTION, INFINITE], "hit, hit, hit, hit", "2S 2D 2H 3C 3S 4D", "AC KD", "main win 200"),
    ([EVOLUTION, INFINITE], "hit, hit, hit, hit", "2S 2D 2H 3C 3S 4D", "TC KD", "main win 200"),
    ([SYNOT], "hit, hit, hit, hit", "2S 2D 2H 3C 3S 4D", "TC KD", "main lose 0"),
    ([ALL_BETS], "hit, hit, hit, hit", "2S 2D 2H 3C 3S 4D", "TC KD", "main lose 0"),
    (
        [INFINITE, EVOLUTION],
        "split, #.1 hit, #.1 hit, #.1 hit, #.1 hit, #.2 stand",
        "2S 2D 2H 3C 3S 4D/2C TD",
        "AC KD",
        "main win 200, split:#.2 lose 0",
    ),
    (
        [ALL_BETS],
        ", ".join(["hit"] * 8),
        "AS AD AC AH 2S 2D 2C 2H 3S 3D",
        "TC 5D 6H",
        "main win 200",
    ),
    (
        [ALL_BETS],
        ", ".join(["hit"] * 8),
        "AS AD AC AH 2S 2D 2C 2H 3S 3D",
        "AC TD",
        "main lose 0",
    ),
    ([SYNOT], ", ".join(["hit"] * 8), "AS AD AC AH 2S 2D 2C 2H 3S 3D", "TC 5D 6H", "main lose 0"),
    # Decisions that the machine or the supervisor made.
    (SAZKA, "stand @timeout", "KS 8D", "TC 7D", "main win 200"),
    (SAZKA, "stand @disconnect", "KS 8D", "TC 7D", "main win 200"),
    ([SYNOT, ALL_BETS], "stand @timeout", "2S 3D", "TC 7D", "main lose 0"),
    ([SYNOT, ALL_BETS], "", "2S 3D", "TC 7D", "main lose 0"),
    ([INFINITE, EVOLUTION], "hit @timeout, stand @timeout", "5S 6D TC", "TC 7D", "main win 200"),
    ([INFINITE, EVOLUTION], "stand @timeout", "AS 2D", "TC 7D", "main lose 0"),
    ([INFINITE, EVOLUTION], "stand", "5S 6D", "TC 7D", "main lose 0"),
    ([INFINITE, EVOLUTION], "double", "2S 3D 4C", "TC 7D", "main lose 0, double:# lose 0"),
    ([INFINITE, EVOLUTION], "double, stand", "2S 3D 4C", "TC 7D", "main lose 0, double:# lose 0"),
    ([FREE_BET], "hit @absent, stand @absent", "TS 6D 2C", "TC 7D", "main win 200"),
    ([FREE_BET], "hit @absent, stand @absent", "5S 6D TC", "TC 7D", "main win 200"),
    # Insurance.
    (GAMES, "insurance 50.00, stand", "KS 9D", "AC QD", "main lose 0, insurance win 150"),
    (GAMES, "insurance 50.00, stand", "KS 9D", "AC 7D", "main win 200, insurance lose 0"),
    (GAMES, "insurance 50.00", "AS KD", "AC QD", "main push 100, insurance win 150"),
    (GAMES, "insurance 50.00", "AS KD", "AC 7D", "main win 250, insurance lose 0"),
    (GAMES, "skip_insurance, stand", "KS 9D", "AC QD", "main lose 0"),
    (SAZKA, "skip_insurance @timeout, stand", "KS 9D", "AC QD", "main lose 0"),
    ([FREE_BET], "skip_insurance @absent, stand", "KS 9D", "AC QD", "main lose 0"),
    ([SIXTY_NINE], "insurance 0.01, stand", "KS 9D", "AC QD", "main lose 0, insurance win 0.03"),
    (
        GAMES,
        "insurance 50.00, split, #.1 stand, #.2 stand",
        "8S 9D/8C TD",
        "AC QD",
        "main lose 0, insurance win 150, split:#.2 lose 0",
    ),
    (
        [FREE_BET],
        "insurance 50.00, split, insurance 50.00, #.1 stand, #.2 stand",
        "8S 9D/8C TD",
        "AC QD",
        "main lose 0, insurance win 150, split:#.2 lose 0, insurance:2 win 150",
    ),
    # Free Bet: 22 ties with everything but a blackjack and even money.
    ([FREE_BET], "stand", "KS QD", "TC 6D 6C", "main push 100"),
    ([FREE_BET], "hit", "KS 6D 6C", "TC 6D 6C", "main lose 0"),
    ([FREE_BET], "", "AS KD", "TC 6D 6C", "main win 250"),
    ([FREE_BET], "stand", "KS 2D", "TC 6D 7C", "main win 200"),
    ([FREE_BET], "double free", "5S 6D 9C", "TC 6D 6C", "main push 100, free_double:# push 0"),
    ([*SAZKA, SIXTY_NINE], "stand", "KS 2D", "TC 6D 6C", "main win 200"),
    # Even money.
    ([FREE_BET], "even_money", "AS KD", "AC QD", "main win 200"),
    ([FREE_BET], "even_money", "AS KD", "TC", "main win 200"),
    ([FREE_BET], "even_money", "AS KD", "KC 6D 6C", "main win 200"),
    (
        [FREE_BET],
        "insurance 50.00, even_money",
        "AS KD",
        "AC QD",
        "main win 200, insurance win 150",
    ),
    # Tokens.
    ([FREE_BET], "double free", "5S 6D 9C", "TC 9D", "main win 200, free_double:# win 100"),
    ([FREE_BET], "double free", "5S 4D 9C", "TC 9D", "main lose 0, free_double:# lose 0"),
    ([FREE_BET], "double free", "6S 4D 9C", "TC 9D", "main push 100, free_double:# push 0"),
    ([FREE_BET], "split free", "8S TC/8D 9H", "TC 7D", "main win 200, free_split:#.2 push 0"),
    ([FREE_BET], "split free", "8S 9C/8D TH", "TC 7D", "main push 100, free_split:#.2 win 100"),
    ([FREE_BET], "split free", "AS 9C/AD 2H", "TC 7D", "main win 200, free_split:#.2 lose 0"),
    (
        [FREE_BET],
        "split free, #.2 double free, #.1 stand",
        "5S TC/5D 5H TH",
        "TC 7D",
        "main lose 0, free_split:#.2 win 100, free_double:#.2 win 100",
    ),
    (
        [FREE_BET],
        "split free, #.1 double free, #.2 stand",
        "5S 6C TC/5D TH",
        "TC 7D",
        "main win 200, free_split:#.2 lose 0, free_double:#.1 win 100",
    ),
    (
        [FREE_BET],
        "split free, #.2 double, #.1 stand",
        "5S TC/5D 6H TH",
        "TC 7D",
        "main lose 0, free_split:#.2 win 100, double:#.2 win 200",
    ),
    (
        [FREE_BET],
        "insurance 20.00, double, insurance 80.00",
        "8S 2D TC",
        "AC QD",
        "main lose 0, insurance win 60, double:# lose 0, insurance:2 win 240",
    ),
    ([FREE_BET], "double", "AS 8D 5C", "TC 7D", "main lose 0, double:# lose 0"),
]
CASES = [
    (game, decisions, cards, dealer, lines)
    for listed, decisions, cards, dealer, lines in HANDS
    for game in listed
]


@pytest.mark.parametrize(("game", "decisions", "cards", "dealer", "lines"), CASES)
def test_a_hand_pays(game: str, decisions: str, cards: str, dealer: str, lines: str) -> None:
    assert short(one(game, decisions, cards, dealer)) == lines


def test_odd_stakes_are_rounded_once_per_line() -> None:
    wagers = [{"id": "m", "player": "p1", "box": "1", "bet": "main", "stake": "0.01"}]
    document = request(SYNOT, wagers, [], {"1": "AS KD"}, "9C TD")
    assert lines_of(document) == {"m": ("win", "0.03")}
    wagers[0]["stake"] = "100.01"
    assert lines_of(document) == {"m": ("win", "250.03")}
    document = request(SYNOT, wagers, ["p1 1 insurance 50.00"], {"1": "AS KD"}, "AC TD")
    assert lines_of(document) == {"m": ("push", "100.01"), "m:insurance": ("win", "150.00")}


FOUR_HANDS = {"1.1.1": "8S TC", "1.1.2": "8D 9C", "1.2.1": "8C 3H TD", "1.2.2": "8H TS"}


@pytest.mark.parametrize("game", LAND)
def test_three_splits_make_four_hands(game: str) -> None:
    decisions = ["p1 1 split", "p1 1.1 split", "p1 1.1.1 stand", "p1 1.1.2 stand", "p1 1.2 split"]
    document = request(
        game, ["p1 1 main"], [*decisions, "p1 1.2.1 double", "p1 1.2.2 stand"], FOUR_HANDS, "TH 8S"
    )
    assert lines_of(document) == {
        "p1-1-main": ("push", "100.00"),
        "p1-1-main:split:1.2": ("win", "200.00"),
        "p1-1-main:split:1.1.2": ("lose", "0.00"),
        "p1-1-main:split:1.2.2": ("push", "100.00"),
        "p1-1-main:double:1.2.1": ("win", "200.00"),
    }


def test_tokens_and_money_mix_on_four_hands() -> None:
    decisions = [
        "p1 1 split free",
        "p1 1.2 split",
        "p1 1.2.1 double",
        "p1 1.1 split free",
        "p1 1.2.2 stand",
    ]
    assert lines_of(request(FREE_BET, ["p1 1 main"], decisions, FOUR_HANDS, "TH 8S")) == {
        "p1-1-main": ("push", "100.00"),
        "p1-1-main:free_split:1.2": ("win", "100.00"),
        "p1-1-main:split:1.2.2": ("push", "100.00"),
        "p1-1-main:double:1.2.1": ("win", "200.00"),
        "p1-1-main:free_split:1.1.2": ("lose", "0.00"),
    }


def test_a_free_split_after_a_paid_one_allows_a_free_double() -> None:
    hands = {"1.1.1": "5S 6C TC", "1.1.2": "5D TD", "1.2": "5C TS"}
    decisions = ["p1 1 split", "p1 1.1 split free", "p1 1.1.1 double free"]
    stands = ["p1 1.1.2 stand", "p1 1.2 stand"]
    lines = lines_of(request(FREE_BET, ["p1 1 main"], [*decisions, *stands], hands, "TH 8S"))
    assert lines["p1-1-main:free_double:1.1.1"] == ("win", "100.00")


def test_split_aces_can_be_split_again_in_free_bet() -> None:
    hands = {"1.1": "AS KC", "1.2.1": "AD 9C", "1.2.2.1": "AC AH", "1.2.2.2": "AH 7D"}
    decisions = ["p1 1 split", "p1 1.2 split free", "p1 1.2.2 split"]
    assert lines_of(request(FREE_BET, ["p1 1 main"], decisions, hands, "TH 8S")) == {
        "p1-1-main": ("win", "200.00"),
        "p1-1-main:split:1.2": ("win", "200.00"),
        "p1-1-main:free_split:1.2.2": ("lose", "0.00"),
        "p1-1-main:split:1.2.2.2": ("push", "100.00"),
    }


@pytest.mark.parametrize("game", LAND)
def test_a_co_player_joins_or_stays_on_the_first_hand(game: str) -> None:
    wagers = ["p1 1 main", "p2 1 main 50.00", "p3 1 main 70.00"]
    decisions = ["p1 1 split", "p3 1 split", "p1 1.1 double", "p2 1.1 double", "p1 1.2 stand"]
    document = request(game, wagers, decisions, {"1.1": "8S 3C TC", "1.2": "8D 9H"}, "TC 8D")
    assert lines_of(document) == {
        "p1-1-main": ("win", "200.00"),
        "p1-1-main:split:1.2": ("lose", "0.00"),
        "p1-1-main:double:1.1": ("win", "200.00"),
        "p2-1-main": ("win", "100.00"),
        "p2-1-main:double:1.1": ("win", "100.00"),
        "p3-1-main": ("win", "140.00"),
        "p3-1-main:split:1.2": ("lose", "0.00"),
    }


def test_a_co_player_chooses_between_money_and_token() -> None:
    wagers = ["p1 1 main", "p2 1 main 50.00", "p3 1 main 70.00"]
    decisions = ["p1 1 split", "p2 1 split free", "p1 1.1 stand"]
    decisions += ["p1 1.2 double", "p2 1.2 double free"]
    document = request(FREE_BET, wagers, decisions, {"1.1": "8S 9C", "1.2": "8D 3H TS"}, "TC 8D")
    assert lines_of(document) == {
        "p1-1-main": ("lose", "0.00"),
        "p1-1-main:split:1.2": ("win", "200.00"),
        "p1-1-main:double:1.2": ("win", "200.00"),
        "p2-1-main": ("lose", "0.00"),
        "p2-1-main:free_split:1.2": ("win", "50.00"),
        "p2-1-main:free_double:1.2": ("win", "50.00"),
        "p3-1-main": ("lose", "0.00"),
    }


def test_each_player_decides_alone_on_even_money_and_insurance() -> None:
    wagers = ["p1 1 main", "p2 1 main", "p3 1 main"]
    decisions = ["p2 1 even_money", "p3 1 insurance 50.00"]
    assert lines_of(request(FREE_BET, wagers, decisions, {"1": "AS KC"}, "AC KD")) == {
        "p1-1-main": ("push", "100.00"),
        "p2-1-main": ("win", "200.00"),
        "p3-1-main": ("push", "100.00"),
        "p3-1-main:insurance": ("win", "150.00"),
    }


@pytest.mark.parametrize("game", LAND)
def test_a_named_owner_decides(game: str) -> None:
    wagers = ["p1 1 main", "p2 1 main"]
    owners = {"owners": {"1": "p2"}}
    document = request(game, wagers, ["p2 1 hit"], {"1": "KS 6D 5C"}, "TC 8D", outcome=owners)
    assert set(lines_of(document).values()) == {("win", "200.00")}


def test_a_player_on_two_boxes_plays_each_alone() -> None:
    wagers = ["p1 1 main", "p1 7 main", "p2 3 main", "p1 7 21+3"]
    decisions = ["p1 1 insurance 50.00", "p1 1 hit", "p2 3 stand", "p1 7 insurance 50.00"]
    hands = {"1": "KS 6D 6C", "3": "KS TD", "7": "2S 3D"}
    decisions += ["p1 7 stand"]
    assert lines_of(request(SYNOT, wagers, decisions, hands, "AC 7D")) == {
        "p1-1-main": ("lose", "0.00"),
        "p1-1-main:insurance": ("lose", "0.00"),
        "p1-7-main": ("lose", "0.00"),
        "p1-7-main:insurance": ("lose", "0.00"),
        "p2-3-main": ("win", "200.00"),
        "p1-7-21+3": ("win", "1100.00"),
    }


@pytest.mark.parametrize("game", SHARED)
def test_players_of_a_shared_box_stop_where_they_like(game: str) -> None:
    wagers = [f"p{n} p{n} main" for n in range(1, 6)]
    decisions = ["p1 p1 stand", "p2 p2 hit", "p3 p3 double", "p4 p4 split", "p5 p5 split"]
    decisions += ["p2 p2 hit", "p2 p2 stand"]
    decisions += ["p4 p4.1 stand", "p4 p4.2 stand", "p5 p5.1 double", "p5 p5.2 stand"]
    hands = {
        "p1": "6S 6D",
        "p2": "6S 6D 5C 4H",
        "p3": "6S 6D 5C",
        "p4.1": "6S 9C",
        "p4.2": "6D KC",
        "p5.1": "6S 9C 5H",
        "p5.2": "6D KC",
    }
    assert lines_of(request(game, wagers, decisions, hands, "TC 8D")) == {
        "p1-p1-main": ("lose", "0.00"),
        "p2-p2-main": ("win", "200.00"),
        "p3-p3-main": ("lose", "0.00"),
        "p3-p3-main:double:p3": ("lose", "0.00"),
        "p4-p4-main": ("lose", "0.00"),
        "p4-p4-main:split:p4.2": ("lose", "0.00"),
        "p5-p5-main": ("win", "200.00"),
        "p5-p5-main:double:p5.1": ("win", "200.00"),
        "p5-p5-main:split:p5.2": ("lose", "0.00"),
    }


@pytest.mark.parametrize("game", SHARED)
def test_a_shared_card_is_one_card_however_many_players_have_it(game: str) -> None:
    """Nine players hold the same two cards, some of them split; no shoe has nine copies."""
    wagers = [f"p{n} p{n} main" for n in range(9)]
    hands = {f"p{n}": "8S 8S" for n in range(7)}
    hands |= {"p7.1": "8S 8S", "p7.2": "8S 8S 9D", "p8.1": "8S 8S", "p8.2": "8S 8S"}
    decisions = [f"p{n} p{n} stand" for n in range(7)]
    decisions += ["p7 p7 split", "p7 p7.2 hit", "p8 p8 split"]
    decisions += [f"p{n} p{n}.{half} stand" for n in (7, 8) for half in (1, 2)][:-1]
    decisions.append("p8 p8.2 stand")
    decisions.remove("p7 p7.2 stand")
    decisions = [*decisions[:9], *decisions[9:]]
    lines = lines_of(request(game, wagers, decisions, hands, "8S 8S 8S"))
    assert len(lines) == 11


@pytest.mark.parametrize("game", SHARED)
def test_a_player_id_with_dots_is_a_box_of_a_shared_table(game: str) -> None:
    wagers = ["a.1 a.1 main", "a a main"]
    hands = {"a.1.1": "9S 9C", "a.1.2": "9D KC", "a": "9S 9D"}
    decisions = ["a.1 a.1 split", "a.1 a.1.1 stand", "a.1 a.1.2 stand", "a a stand"]
    assert len(lines_of(request(game, wagers, decisions, hands, "TC 8D"))) == 3


NOT_OPEN = [
    # games, decisions, cards, dealer: nobody waits for the dealer, so he need not draw.
    (SAZKA, "hit", "KS 6D 6C", "TC 2D"),
    (SAZKA, "hit", "KS 6D 6C", "AC TD"),
    (SAZKA, "", "AS KD", "9C 2D"),
    (SAZKA, "insurance 50.00", "AS KD", "AC 2D"),
    ([EVOLUTION, INFINITE], "hit, hit, hit, hit", "2S 2D 2H 3C 3S 4D", "TC 2D"),
    ([ALL_BETS], ", ".join(["hit"] * 8), "AS AD AC AH 2S 2D 2C 2H 3S 3D", "TC 2D"),
    (LAND, "hit", "KS 6D 6C", "TC"),
    (LAND, "", "AS KD", "9C"),
    (LAND, "", "AS KD", "TC 2D"),
    (LAND, "", "AS KD", "AC 2D"),
    (LAND, "insurance 50.00, hit", "KS 6D 6C", "AC 2D"),
    ([FREE_BET], "even_money", "AS KD", "AC"),
    ([FREE_BET], "insurance 50.00, even_money", "AS KD", "AC 2D"),
]


@pytest.mark.parametrize(
    ("game", "decisions", "cards", "dealer"),
    [(game, *rest) for listed, *rest in NOT_OPEN for game in listed],
)
def test_a_dealer_whom_nobody_waits_for_may_stop_or_finish(
    game: str, decisions: str, cards: str, dealer: str
) -> None:
    stopped = short(one(game, decisions, cards, dealer))
    total_known = {"AC": "AC 7D", "9C": "9C TD", "TC": "TC 7D"}
    finished = total_known.get(dealer, dealer + " 5H TH" if dealer != "AC TD" else dealer)
    finished = {"9C 2D": "9C 2D 6H", "AC 2D": "AC 2D 4H", "TC 2D": "TC 2D 5H"}.get(dealer, finished)
    assert short(one(game, decisions, cards, finished)) == stopped
