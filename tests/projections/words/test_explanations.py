"""What is due is explained, in all 21 games, and the explanation is true.

The formulas are computed again here from their numbers alone, rows of pay tables and paragraphs are
looked up in the plans' files as they ship, cards and totals are counted by the test's own rules.
"""

from __future__ import annotations

import json
import random
import re
import tomllib
from fractions import Fraction
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import msgspec
import pytest

from ledger import games
from ledger.games.documents import read_request
from ledger.games.plans import read_plan
from projections.words.catalogue import NO_BREAK, Language, Words
from projections.words.explanations import formula_line as line_of
from projections.words.explanations import render_explanation
from tests.ledger.games.banker_cases import strength_of_five
from tests.ledger.games.banker_rounds import count as points_of
from tests.ledger.games.blackjack_odds import total as total_of
from tests.ledger.games.explained_cases import CASES
from tests.ledger.games.explanation_rounds import ROUNDS, settled

CS, EN = Words(Language.CS), Words(Language.EN)
CROWN = 100
CATEGORIES = [
    *("high_card", "one_pair", "two_pair", "three_of_a_kind", "straight", "flush"),
    *("full_house", "four_of_a_kind", "straight_flush", "royal_flush"),
]
RED = {1, 3, 5, 7, 9, 12, 14, 16, 18, 19, 21, 23, 25, 27, 30, 32, 34, 36}


def worth(term: dict[str, Any], facts: dict[str, Any] | None) -> int:
    """Compute a term from its numbers alone."""
    match term["kind"]:
        case "winnings":
            won, for_each = term["odds"].split(":")
            exact = term["stake"] * Fraction(won) / Fraction(for_each)
            return int(exact + Fraction(1, 2))
        case "chips":
            return term["chips"] * term["chip"]
        case "pot_share":
            net = term["money"] - term["rake"]
            return net // term["winners"] // CROWN * CROWN + term["odd"]
        case "points":
            size = min(abs(term["points"]) * term["value"], term["most"])
            return size if term["points"] > 0 else -size
        case "played_for":
            return int(term["prizes"] * Fraction(term["percent"]) / 100)
        case "prize":
            assert facts is not None
            check_prizes(term, facts)
            return sum(term["prizes"]) // term["players"] + term["left_over"]
        case "stake" | "uncalled" | "deal":
            assert term["amount"] > 0 or term["kind"] == "deal"
        case kind:
            assert kind == "rake"
            assert term["amount"] < 0
    return int(term["amount"])


def check_prizes(term: dict[str, Any], facts: dict[str, Any]) -> None:
    """Each prize is its percentage of the pool; the first place gets what the others leave."""
    pool, percents = facts["prize_pool"], facts["percents"]
    assert pool == facts["money_pool"] - facts["fee"] + facts["top_up"]
    below = [pool * percent // 10_000 for percent in percents[1:]]
    prizes = [pool - sum(below), *below]
    first = term["first_place"] - 1
    assert term["prizes"] == prizes[first : first + term["players"]]


@cache
def plan_file(game: str) -> dict[str, Any]:
    return tomllib.loads(games.document(game, games.versions(game)[-1]))


@cache
def cited_in(game: str) -> frozenset[str]:
    return frozenset(re.findall(r'"([^"\n]*)"', games.document(game, games.versions(game)[-1])))


def printed(game: str, bet: str, row: str) -> set[str]:
    """Look the odds of a row up in the plan's file."""
    plan = plan_file(game)
    match plan["family"]:
        case "roulette":
            return {f"{plan['bets'][kind]['pays']}:1" for kind in row.split(", ")}
        case "blackjack":
            if row in {"win", "blackjack"}:
                return {plan["odds"][row]}
            if row == "insurance":
                return {plan["insurance"]["pays"]}
            return {plan["bets"][bet]["pays"][row]}
        case "baccarat":
            return {plan["bets"][row]["pays"]}
        case "wheel" | "wheels":
            return {plan["fields"][row]["pays"]}
    table = plan[row] if row in {"call", "play"} else plan[bet]
    pays = table["pays"]
    return {pays if isinstance(pays, str) else pays[row]}


def bet_of(document: dict[str, Any], result: games.ResultLine) -> str:
    wagers = {wager["id"]: wager["bet"] for wager in document["wagers"]}
    return str(wagers[result.parent or result.id])


def check(document: dict[str, Any], result: games.ResultLine) -> None:
    """Hold one explanation against the plan's file, the request and the payout."""
    game, explanation = document["game"], result.explanation()
    told = json.loads(msgspec.json.encode(explanation))
    assert sum(worth(term, told["facts"]) for term in told["terms"]) == result.payout_haler
    assert [worth(term, told["facts"]) for term in told["terms"]] == [
        term["amount"] for term in told["terms"]
    ]
    assert told["rule"] == result.rule
    assert told["rule"] in cited_in(game)
    odds = {term["odds"] for term in told["terms"] if term["kind"] == "winnings"}
    if odds:
        assert odds == printed(game, bet_of(document, result), told["row"])
    elif told["row"]:
        assert_column(told)
    if told["facts"] is not None:
        check_facts(document["outcome"], told["facts"])
    for words in (CS, EN):
        text = line_of(words, result.id, render_explanation(words, explanation))
        assert "{" not in text
        assert "  " not in text
        assert words.money(result.payout_haler) in text, text


def assert_column(told: dict[str, Any]) -> None:
    """The row of a tournament is its column in the payout table that ships."""
    plan = tomllib.loads(games.document("69games.texas_holdem_tournament", "unknown"))
    for line in plan["payouts"]["columns"]:
        head, *percents = line.split(",")
        if head == told["row"]:
            shares = [int(percent.replace(".", "")) for percent in percents]
            known = told["facts"]["percents"]
            assert known == shares[: len(known)]
            return
    raise AssertionError(told["row"])


def check_facts(outcome: dict[str, Any], facts: dict[str, Any]) -> None:
    """Hold facts against what was recorded of the round."""
    match facts["kind"]:
        case "spin":
            number = facts["number"]
            assert number == outcome["number"]
            colour = "green" if not number else "red" if number in RED else "black"
            assert facts["colour"] == colour
            assert all(number in position["numbers"] for position in facts["won_on"])
        case "field":
            assert facts["field"] == outcome["field"]
        case "coup":
            for who in ("player", "banker"):
                assert facts[f"{who}_cards"] == outcome[who]
                assert facts[who] == points_of(outcome[who])
        case "hand":
            assert facts["cards"] == outcome["hands"][facts["hand"]]
            assert facts["dealer_cards"] == outcome["dealer"]
            assert facts["total"] == total_of(facts["cards"])
            assert facts["dealer_total"] == total_of(facts["dealer_cards"])
        case "showdown":
            board = outcome["board"]
            check_ranked(facts["dealer"], [*outcome["dealer"], *board])
            check_ranked(facts["own"], None)
        case "made":
            check_ranked(facts["own"], None)
        case "pots":
            for pot in facts["pots"]:
                if pot["best"] is not None:
                    check_ranked(pot["best"], None)
                assert set(pot["winners"]) <= set(pot["eligible"])


def check_ranked(hand: dict[str, Any], seven: list[str] | None) -> None:
    """Name five cards by counting, and see that no five of the seven are better."""
    strength = strength_of_five(tuple(hand["cards"]))
    category = 9 if strength == (8, 12) else strength[0]
    assert CATEGORIES[category] == hand["category"]
    if seven is not None:
        assert strength == max(map(strength_of_five, combinations(seven, 5)))


@pytest.mark.parametrize("game", sorted(ROUNDS))
def test_random_rounds_are_explained_truly(game: str) -> None:
    drawer = random.Random(game)
    lines = 0
    while lines < 300:
        document = ROUNDS[game](game, drawer)
        for result in settled(document)[1].lines:
            check(document, result)
            lines += 1


def test_every_game_has_rounds_here() -> None:
    with games.only_published([]):  # not those of chains that other tests opened in this process
        assert set(ROUNDS) == set(games.games())


GOLDEN = tomllib.loads(Path(__file__).with_name("explanations.toml").read_text(encoding="utf-8"))
"""Explanations in both languages, read by people who know casinos; a changed one is read again."""


@pytest.mark.parametrize("claim", sorted(CASES))
def test_an_explanation_reads_as_it_was_read(claim: str) -> None:
    document, name = CASES[claim]
    result = next(line for line in settled(document)[1].lines if line.id == name)
    check(document, result)
    for words in (EN, CS):
        told = line_of(words, name, render_explanation(words, result.explanation()))
        assert told.replace(NO_BREAK, " ") == f"{name}: {GOLDEN[claim][words.language]}"


def test_every_reason_has_a_golden_explanation() -> None:
    lines = [
        (line, name) for document, name in CASES.values() for line in settled(document)[1].lines
    ]
    seen = {line.why.reason for line, name in lines if line.id == name}
    assert set(games.Reason) - seen == {
        games.Reason.FOLDED_UNQUALIFIED,  # of a reading that no plan takes, see below
        games.Reason.NOT_CONCLUDED,  # never settled: tests/projections/replay
    }
    assert set(GOLDEN) == set(CASES)


def test_a_folded_ante_that_comes_back_is_explained_under_the_reading_that_gives_it() -> None:
    document, _ = CASES["folded to the dealer"]
    game = document["game"]
    text = games.document(game, games.versions(game)[-1]).replace(
        "wins_ante_back_from_unqualified_dealer = false",
        "wins_ante_back_from_unqualified_dealer = true",
    )
    plan = read_plan(text.encode(), game)
    asked = read_request(document)
    cards = asked.outcome | {"dealer": ["4C", "5D"], "board": ["QS", "AS", "7D", "9S", "8H"]}
    outcome = plan.read_outcome(cards, None, ())
    result = games.settle_round(plan, asked.wagers, asked.actions, outcome)
    explanation = result.lines[0].explanation()
    assert explanation.reason is games.Reason.FOLDED_UNQUALIFIED
    assert render_explanation(EN, explanation).why.startswith(
        "the hand was folded, and the dealer did not"
    )
    assert render_explanation(CS, explanation).what_follows == "vklad se vrací"
