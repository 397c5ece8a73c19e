"""Pots, rake and shares of random hands against an oracle that goes crown by crown.

The oracle takes every crown that a player put in as a layer of its own, ranks hands with the
evaluator of the tests and deals odd crowns out one at a time.
"""

from __future__ import annotations

from copy import deepcopy
from itertools import groupby
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from ledger import games
from tests import search
from tests.ledger.games.poker_cases import (
    DECK,
    OMAHA,
    OMAHA_TOURNAMENT,
    TEXAS,
    TEXAS_TOURNAMENT,
    act,
    best,
    check_money,
    code_of,
    crowns,
    haler,
    hand,
    pot,
)

STREETS = ("preflop", "flop", "turn", "river")


@st.composite
def hands(draw: st.DrawFn) -> dict[str, Any]:
    """A hand as it could be played: street by street, some fold, some run out of chips."""
    game = draw(st.sampled_from([TEXAS, OMAHA, TEXAS_TOURNAMENT, OMAHA_TOURNAMENT]))
    size = 4 if "omaha" in game else 2
    count = draw(st.integers(2, 9 if game == TEXAS else 6))
    seats = [f"p{n}" for n in range(count)]
    stacks = {player: draw(st.integers(1, 60)) for player in seats}
    put: dict[str, dict[str, int]] = {player: {} for player in seats}
    folded: list[str] = []
    button = draw(st.sampled_from(seats))
    ante_of = draw(st.sampled_from(["nobody", "button"]))
    if ante_of == "button" and stacks[button] > 1:
        put[button]["ante"] = 1
        stacks[button] -= 1
    for street in STREETS:
        bet = draw(st.integers(0, 30))
        for player in seats:
            left = [other for other in seats if other not in folded]
            if player in folded or stacks[player] == 0:
                continue
            paid = min(bet, stacks[player])
            if bet and len(left) > 1 and draw(st.integers(0, 5)) == 0:
                folded.append(player)
                paid = draw(st.integers(0, paid))
            put[player][street] = paid
            stacks[player] -= paid
    deck = draw(st.permutations(DECK))
    cards = {player: list(deck[n * size : (n + 1) * size]) for n, player in enumerate(seats)}
    staked = [player for player in seats if sum(put[player].values())]
    if not any(player not in folded for player in staked):
        player = next(player for player in seats if player not in folded)
        put[player]["preflop"] = put[player].get("preflop", 0) + 1
        stacks[player] = 0
        staked.append(player)
    return hand(
        *(pot(player, all_in=stacks[player] == 0, **put[player]) for player in staked),
        game=game,
        actions=[act(player, "fold") for player in folded],
        seats=seats,
        button=button,
        hands=cards,
        board=list(deck[-5:]),
    )


def layers(request: dict[str, Any]) -> tuple[list[tuple[int, list[str]]], dict[str, int]]:
    """Cut crown by crown: pots as (crowns, eligible), and what comes back uncalled."""
    folded = {action["player"] for action in request["actions"]}
    totals = {w["player"]: haler(w["stake"]) // 100 for w in request["wagers"]}
    antes = {w["player"]: haler(w["streets"].get("ante", "0.00")) // 100 for w in request["wagers"]}
    dead = sum(antes.values())
    for player, ante in antes.items():
        totals[player] -= ante
    back: dict[str, int] = {}
    found: list[tuple[int, list[str]]] = []
    broke = [player for player in totals if player not in folded and totals[player] == 0]
    if dead and broke:
        found.append((dead, sorted(player for player in totals if player not in folded)))
    for level in range(1, max(totals.values()) + 1):
        payers = [player for player, total in totals.items() if total >= level]
        eligible = sorted(player for player in payers if player not in folded)
        if len(payers) == 1 and eligible:
            back[payers[0]] = back.get(payers[0], 0) + 1
        elif eligible:
            found.append((len(payers), eligible))
        else:
            found[-1] = (found[-1][0] + len(payers), found[-1][1])
    pots = [
        (sum(crown for crown, _ in group), eligible)
        for eligible, group in ((key, list(part)) for key, part in groupby(found, lambda it: it[1]))
    ]
    if dead and not broke:
        first = pots[0] if pots else (0, sorted(p for p in totals if p not in folded))
        pots[:1] = [(first[0] + dead, first[1])]
    return pots, back


def expected(request: dict[str, Any]) -> tuple[dict[str, int], int]:
    outcome = request["outcome"]
    pots, shares = layers(request)
    whole = sum(amount for amount, _ in pots)
    rake = 0
    if "cash" in request["game"]:
        rake = min(200 if len(outcome["seats"]) <= 4 else 300, whole * 5 // 100)
    raked = [rake * amount // whole for amount, _ in pots[1:]] if pots else []
    raked.insert(0, rake - sum(raked))
    seats = outcome["seats"]
    start = seats.index(outcome["button"]) + 1
    order = seats[start:] + seats[:start]
    for (amount, eligible), taken in zip(pots, raked, strict=False):
        strength = {
            p: best(request["game"], outcome["hands"][p], outcome["board"]) for p in eligible
        }
        winners = [p for p in order if strength.get(p) == max(strength.values())]
        for crown in range(amount - taken):
            winner = winners[crown % len(winners)]
            shares[winner] = shares.get(winner, 0) + 1
    return shares, rake


@settings(deadline=None, max_examples=search.amount(75, 300))
@given(hands())
def test_random_hands_agree_with_the_oracle(request_: dict[str, Any]) -> None:
    answer = games.settle(request_)
    assert "error" not in answer, answer
    check_money(answer)
    shares, rake = expected(request_)
    assert answer["rake"] == crowns(rake)
    for wager, line in zip(request_["wagers"], answer["wagers"], strict=True):
        assert line["payout"] == crowns(shares.get(wager["player"], 0))
    pots, _ = layers(request_)
    assert [(entry["amount"], entry["eligible"]) for entry in answer["pots"]] == [
        (crowns(amount), eligible) for amount, eligible in pots
    ]


def _mutations(request: dict[str, Any]) -> dict[str, Any]:
    """One mistake each; every one of them must be found in any legal hand."""
    first = request["wagers"][0]
    outcome = request["outcome"]
    own = next(iter(outcome["hands"]))
    other = outcome["hands"][list(outcome["hands"])[1]][0]
    return {
        "UNKNOWN_BET": lambda r: r["wagers"][0].update(bet="buy_in"),
        "INVALID_STAKE": lambda r: r["wagers"][0].update(stake=first["stake"][:-2] + "50"),
        "STAKE_MISMATCH": lambda r: r["wagers"][0].update(stake="1" + first["stake"]),
        "DUPLICATE_WAGER": lambda r: r["wagers"].append(first),
        "BET_AFTER_CLOSE": lambda r: r["wagers"][0].update(late=True),
        "INVALID_CARD": lambda r: r["outcome"]["board"].__setitem__(0, "ZZ"),
        "TOO_MANY_COPIES": lambda r: r["outcome"]["hands"][own].__setitem__(0, other),
        "INVALID_OUTCOME": lambda r: r["outcome"].update(button="stranger"),
        "ACTION_NOT_ALLOWED": lambda r: r["actions"].append(act("stranger", "fold")),
        "PLAYER_CARDS_MISMATCH": lambda r: r["outcome"]["hands"].update(stranger=[]),
        "PLAYER_COUNT": lambda r: r["outcome"].update(seats=[own]),
        "INVALID_VOID_REASON": lambda r: r["outcome"].update(void={"reason": "bad_luck"}),
    }


@settings(deadline=None, max_examples=search.amount(20, 60))
@given(hands(), st.data())
def test_a_single_mistake_is_found(request_: dict[str, Any], data: st.DataObject) -> None:
    mutations = _mutations(request_)
    code = data.draw(st.sampled_from(sorted(mutations)))
    wrong = deepcopy(request_)
    mutations[code](wrong)
    assert code_of(wrong) == code
