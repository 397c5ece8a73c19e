"""Documents as typed values: what is refused, and how the place of a fault is named."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ledger import games
from ledger.games.api.contract import read
from ledger.games.plans import read_plan


@pytest.mark.parametrize(
    ("game", "old", "new", "complaint"),
    [
        (
            "sazka.blackjack_synot",
            'trips = "30:1"',
            "trips = 30",
            r"21\+3\.pays\.trips must be a str",
        ),
        (
            "sazka.blackjack_synot",
            'trips = "30:1"',
            'quads = "1:1"',
            r"21\+3\.pays\.quads is no comb",
        ),
        (
            "sazka.blackjack_synot",
            'kind = "poker_hand"',
            'kind = "bingo"',
            r"21\+3\.kind must be one",
        ),
        ("sazka.blackjack_synot", "[bets.main]", "[bets.maine]", r"\.bets\.main is missing"),
        ("sazka.blackjack_synot", "numbers_maximum = 7", "", r"\.seats\.numbers_maximum must be"),
        ("sazka.blackjack_synot", '"numbered"', '"round"', r'\.seats\.boxes must be "numbered" or'),
        (
            "sazka.blackjack_synot",
            "cards_dealt = 2",
            "cards_dealt = 3",
            r"\.dealer\.cards_dealt must",
        ),
        (
            "sazka.blackjack_synot",
            "draws_to = 16",
            "draws_to = 16.0",
            r"\.draws_to must be an integer",
        ),
        ("sazka.blackjack_synot", "card_misrecorded =", "wrong_card =", r"\.void\.for_all must be"),
        (
            "69games.texas_holdem_cash",
            "[hand]",
            "[hand]\nrule = 'x'",
            r"\.hand\.rule is not known here",
        ),
        (
            "69games.texas_holdem_cash",
            "players_max = 9",
            "players_max = true",
            r"\.caps\[1\]\.players_max",
        ),
        (
            "69games.texas_holdem_tournament",
            "[fee]",
            "[royal]\n[fee]",
            r"\.royal is not known here",
        ),
        (
            "69games.pineapple_ofc_tournament",
            "[fantasyland",
            "[wonder",
            r"\.wonder is not known here",
        ),
        (
            "baccarat.commission",
            'pays = "8:1"',
            'pays = "8:1"\nrule = ""',
            r"\.bets\.tie\.rule must",
        ),
        (
            "czech_casinos.american_roulette",
            "released_chip_wins",
            "# ",
            r"\.released_chip_wins must",
        ),
    ],
)
def test_a_fault_is_named_by_file_and_key(game: str, old: str, new: str, complaint: str) -> None:
    text = games.document(game, games.versions(game)[-1])
    assert old in text
    with pytest.raises(games.PlanError, match=r"^plan\.toml.*" + complaint):
        read_plan(text.replace(old, new, 1).encode(), "plan.toml")


@pytest.mark.parametrize("number", [None, True, "17", 17.0, [17]])
def test_nothing_is_turned_into_an_integer(number: Any) -> None:
    with pytest.raises(games.SettlementError, match=r"MALFORMED_REQUEST: outcome\.number must be"):
        read({"number": number}, games.RouletteOutcome, "outcome")


def test_what_no_game_knows_is_not_looked_at_but_a_broken_key_is_malformed() -> None:
    request = {
        "id": "r",
        "game": "69games.lucky_wheel",
        "wagers": [{"id": "w", "player": "p", "bet": "x1", "stake": "10.00", "colour": None}],
        "outcome": {"field": "x1", "void_": 3},
        "acted_players": "none",
    }
    assert games.settle(request)["total_payout"] == "20.00"
    answer = json.loads(games.settle_line(json.dumps({**request, "\ud800": 1})))
    assert answer["error"]["code"] == "MALFORMED_REQUEST"
