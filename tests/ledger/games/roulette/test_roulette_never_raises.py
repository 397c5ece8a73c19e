"""Whatever JSON comes in, an answer goes out, and no money is made or lost on the way."""

from __future__ import annotations

import json
from copy import deepcopy
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from ledger import games
from tests.ledger.games.json_cases import json_values, spoil

ROULETTES = [game for game in games.games() if "roulette" in game]
CODES = {code.value for code in games.Code}

ANY_JSON = json_values(
    ["red", "straight", "p1", "w1", "100.00", "before_close", *ROULETTES],
    ["id", "game", "wagers", "outcome", "number", "void", "reason", "player"],
)

FULL: dict[str, Any] = {
    "id": "r",
    "game": "sazka.roulette_evolution",
    "table": {"min": "10.00", "max": "5000.00"},
    "wagers": [
        {"id": "w1", "player": "p1", "bet": "red", "stake": "100.00", "chip": "100.00"},
        {
            "id": "w2",
            "player": "p2",
            "bet": "neighbours",
            "stake": "500.00",
            "selection": {"number": 5, "each_side": 2},
            "late": False,
        },
        {"id": "w3", "player": "p2", "bet": "split", "stake": "50.00", "selection": [17, 20]},
    ],
    "actions": [],
    "outcome": {
        "number": 0,
        "next_number": 9,
        "invalid_spins": [{"reason": "wheel_stopped"}],
        "void": {"reason": "operator_interruption", "players": ["p1"], "reconstructable": False},
        "disconnects": [{"player": "p2", "phase": "before_close"}],
    },
}


def check_answer(request: object) -> None:
    answer = games.settle(request)
    json.dumps(answer)
    if "error" in answer:
        assert answer["error"]["code"] in CODES
        return
    stakes = [games.parse_amount(line["stake"]) for line in answer["wagers"]]
    payouts = [games.parse_amount(line["payout"]) for line in answer["wagers"]]
    assert games.parse_amount(answer["total_staked"]) == sum(stakes)
    assert games.parse_amount(answer["total_payout"]) == sum(payouts)
    for line, stake, payout in zip(answer["wagers"], stakes, payouts, strict=True):
        match line["result"]:
            case "void":
                assert payout == stake
            case "lose":
                assert payout == 0
            case "half_back":
                assert 0 <= payout <= stake
            case _:
                assert payout > 0


@settings(deadline=None)
@given(ANY_JSON)
def test_any_json_gets_an_answer(value: object) -> None:
    check_answer(value)


@settings(deadline=None)
@given(st.sampled_from(ROULETTES), st.data())
def test_a_request_with_one_part_replaced_gets_an_answer(game: str, data: st.DataObject) -> None:
    request: Any = deepcopy(FULL) | {"game": game}
    spoil(request, data, ANY_JSON)
    check_answer(request)


@settings(deadline=None)
@given(st.text(max_size=60))
def test_any_line_gets_one_line(line: str) -> None:
    answer = games.settle_line(line)
    assert "\n" not in answer
    assert json.loads(answer)["error"]["code"] == "MALFORMED_REQUEST"


@settings(deadline=None)
@given(
    st.sampled_from(ROULETTES),
    st.integers(0, 36),
    st.integers(0, 36),
    st.lists(
        st.tuples(
            st.sampled_from(["red", "black", "odd", "even", "low", "high"]),
            st.integers(1, 200),
            st.sampled_from([1000, 2500, 5000]),
        ),
        min_size=1,
        max_size=6,
    ),
)
def test_zero_takes_and_gives_back_whole_chips_only(
    game: str, number: int, following: int, stakes: list[tuple[str, int, int]]
) -> None:
    plan = games.plan(game)
    wagers = [
        games.Wager(f"w{n}", f"p{n}", bet, chips * chip, chip_haler=chip)
        for n, (bet, chips, chip) in enumerate(stakes)
    ]
    prison = game == "czech_casinos.american_roulette"
    outcome = games.RouletteOutcome(number=number, next_number=following if prison else None)
    result = games.settle_round(plan, wagers, (), outcome)
    for line, (_, chips, chip) in zip(result.lines, stakes, strict=True):
        assert line.payout_haler % chip == 0
        if line.result is games.Result.HALF_BACK:
            assert number == 0
            assert line.payout_haler // chip in {chips // 2, (chips + 1) // 2}
