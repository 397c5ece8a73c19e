"""Who may decide on a box is read from the recorded facts when a round is settled again."""

from __future__ import annotations

import json

import pytest
from msgspec.structs import replace

from ledger import games
from ledger.events import event_types as e
from projections.checks.rounds import check_round
from projections.resettlement.round_history import replay_round
from projections.store.events import EventAt
from tests.projections.history_cases import concluded, placed, round_opened

GAME = "sl.free_bet_blackjack"
DEALT = (("1", "TS"), ("1", "2D"), ("dealer", "9C"), ("1", "9S"), ("dealer", "9D"))


def codes_of(decided_by: str, *, owner: str = "owner") -> list[str]:
    """Settle a round again in which both bet on box 1; ``owner`` is that of the result."""
    chips = [
        replace(placed("r", number, account=name, code="main"), box="1")
        for number, name in enumerate(("guest", "owner"), 1)
    ]
    cards = [
        e.CardDealt(round="r", shoe="s", index=at, recipient=to, face_up=True, card=card)
        for at, (to, card) in enumerate(DEALT)
    ]
    hit = e.PlayerDecided(
        round="r", account=decided_by, box="1", hand="1", decision="hit", by="player", street="",
        times=0, free=False, stake=0, asked_at=None, until=None,
    )  # fmt: skip
    outcome = {"dealer": ["9C", "9D"], "hands": {"1": ["TS", "2D", "9S"]}, "owners": {"1": owner}}
    events = [
        round_opened("r", table="t", streamed=False, game=GAME, plan_version="unknown"),
        *chips,
        e.BetsClosed(round="r", table="t", bets=2, stakes=2_000),
        *map(concluded, chips),
        e.BoxOwned(round="r", table="t", account="owner", box="1", absent=""),
        *cards[:3],
        hit,
        *cards[3:],
        e.RoundResulted(
            round="r", table="t", outcome=json.dumps(outcome), wording="", streamed=False,
            accounts=("guest", "owner"),
        ),
    ]  # fmt: skip
    history = replay_round("r", [EventAt(at, 0, event) for at, event in enumerate(events, 1)])
    return [one.code for one in check_round(history, games.TableLimits(), {}).findings]


@pytest.mark.law("SL Free Bet 1")
def test_only_the_owner_of_a_box_decides_on_it() -> None:
    assert "OUTCOME_IMPOSSIBLE" not in codes_of("owner")
    assert "OUTCOME_IMPOSSIBLE" in codes_of("guest")


def test_a_result_that_names_another_owner_than_the_facts_is_found() -> None:
    assert "RESULT_NOT_SEEN" not in codes_of("owner")
    assert "RESULT_NOT_SEEN" in codes_of("guest", owner="guest")
