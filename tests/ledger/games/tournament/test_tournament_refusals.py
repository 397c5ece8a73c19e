"""Every refusal of a tournament."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from tests.ledger.games.poker_cases import act, code_of
from tests.ledger.games.tournament_cases import TOURNAMENTS, agreed, buy_ins, payment, tournament

TEN = tournament(buy_ins(10), "p1", "p2", "p3")


def changed(*places: str, **outcome: Any) -> dict[str, Any]:
    return tournament(buy_ins(10), *(places or ("p1", "p2", "p3")), **outcome)


def dealt(*places: str, **deal: Any) -> dict[str, Any]:
    return changed(*(places or ("p3",)), deal=agreed({"p1": 4000, "p2": 3200}) | deal)


def paying(*more: dict[str, Any], format_: str) -> dict[str, Any]:
    return tournament([*buy_ins(10), *more], "p1", "p2", "p3", format=format_)


def without(key: str) -> dict[str, Any]:
    request = deepcopy(TEN)
    del request["outcome"][key]
    return request


def with_wager(**fields: Any) -> dict[str, Any]:
    request = deepcopy(TEN)
    request["wagers"][0] |= fields
    return request


def leaving(player: str = "p9", hands_played: Any = 0) -> dict[str, Any]:
    return {"player": player, "hands_played": hands_played}


REFUSED = [
    ("MALFORMED_REQUEST", without("format")),
    ("MALFORMED_REQUEST", without("fee_percent")),
    ("MALFORMED_REQUEST", changed(format="shootout")),
    ("MALFORMED_REQUEST", changed(fee_percent=10)),
    ("MALFORMED_REQUEST", changed(fee_percent="ten")),
    ("MALFORMED_REQUEST", changed(fee_percent="10%")),
    ("MALFORMED_REQUEST", changed(guarantee=1)),
    ("MALFORMED_REQUEST", changed(guarantee="1")),
    ("MALFORMED_REQUEST", changed(kind="final")),
    ("MALFORMED_REQUEST", changed(kind=None)),
    ("MALFORMED_REQUEST", changed(places=["p1", "p2", "p3"])),
    ("MALFORMED_REQUEST", changed(places=[["p1"], [2], ["p3"]])),
    ("MALFORMED_REQUEST", changed(places={})),
    ("MALFORMED_REQUEST", changed(withdrawn=[{"player": "p9"}])),
    ("MALFORMED_REQUEST", changed(withdrawn=[leaving(hands_played="0")])),
    ("MALFORMED_REQUEST", changed(withdrawn=[leaving(hands_played=False)])),
    ("MALFORMED_REQUEST", changed(deal=[])),
    ("MALFORMED_REQUEST", changed(deal={"players": ["p1", "p2"]})),
    ("MALFORMED_REQUEST", dealt(unanimous="yes")),
    ("MALFORMED_REQUEST", dealt(shares={"p1": 4000})),
    ("MALFORMED_REQUEST", dealt(playout={"percent": "5"})),
    ("UNKNOWN_BET", with_wager(bet="pot")),
    ("INVALID_STAKE", with_wager(stake="0.00")),
    ("INVALID_STAKE", with_wager(stake="-1.00")),
    ("BET_AFTER_CLOSE", with_wager(late=True)),
    ("DUPLICATE_WAGER", with_wager(id="buy_in-p2-1")),
    ("INVALID_TABLE_LIMITS", TEN | {"table": {"min": "2.00", "max": "1.00"}}),
    ("ENTRY_NOT_ALLOWED", paying(payment("p1", number=2), format_="freezeout")),
    ("ENTRY_NOT_ALLOWED", paying(payment("p1", number=2), format_="re_entry")),
    ("ENTRY_NOT_ALLOWED", paying(payment("p1", "re_entry"), format_="freezeout")),
    ("ENTRY_NOT_ALLOWED", paying(payment("p1", "rebuy"), format_="freezeout")),
    ("ENTRY_NOT_ALLOWED", paying(payment("p1", "addon"), format_="one_rebuy")),
    ("ENTRY_NOT_ALLOWED", paying(payment("p1", "re_entry"), format_="one_rebuy")),
    (
        "ENTRY_NOT_ALLOWED",
        paying(payment("p1", "rebuy"), payment("p1", "rebuy", number=2), format_="one_rebuy"),
    ),
    ("ENTRY_NOT_ALLOWED", paying(payment("p1", "rebuy"), format_="re_entry")),
    ("ENTRY_NOT_ALLOWED", paying(payment("p1", "re_entry"), format_="unlimited_rebuys_addon")),
    (
        "ENTRY_NOT_ALLOWED",
        paying(
            payment("p1", "addon"),
            payment("p1", "addon", number=2),
            format_="unlimited_rebuys_addon",
        ),
    ),
    ("ENTRY_NOT_ALLOWED", paying(payment("stranger", "re_entry"), format_="re_entry")),
    ("INVALID_VOID_REASON", changed(void={"reason": "misdeal_extra_cards"})),
    ("INVALID_OUTCOME", changed(disconnects=[{"player": "p1", "phase": "before_close"}])),
    ("FEE_OUT_OF_RANGE", changed(fee_percent="4.99")),
    ("FEE_OUT_OF_RANGE", changed(fee_percent="15.01")),
    ("FEE_OUT_OF_RANGE", changed(fee_percent="0")),
    ("INVALID_OUTCOME", changed(withdrawn=[leaving("stranger")])),
    ("INVALID_OUTCOME", changed(withdrawn=[leaving(), leaving()])),
    ("INVALID_OUTCOME", changed(withdrawn=[leaving(hands_played=-1)])),
    ("REFUND_NOT_ALLOWED", changed(withdrawn=[leaving(hands_played=1)])),
    ("ENTRIES_OUT_OF_TABLE", tournament(buy_ins(1), "p1")),
    ("ENTRIES_OUT_OF_TABLE", tournament(buy_ins(1051, 1), *(f"p{n}" for n in range(1, 100)))),
    ("ENTRIES_OUT_OF_TABLE", tournament(buy_ins(2), "p1", withdrawn=[leaving("p2")])),
    ("OUTCOME_INCOMPLETE", without("places")),
    ("OUTCOME_INCOMPLETE", changed("p1", "p2")),
    ("OUTCOME_INCOMPLETE", changed("p1 p2")),
    ("OUTCOME_INCOMPLETE", changed(deal=agreed({"p1": 4000, "p2": 3200}), places=[])),
    ("PLACES_INVALID", changed("p1", "p2", "p1")),
    ("PLACES_INVALID", changed("p1", "p2 p2")),
    ("PLACES_INVALID", changed("p1", "p2", "stranger")),
    ("PLACES_INVALID", changed("p1", "p2", "p9", withdrawn=[leaving()])),
    ("PLACES_INVALID", changed("p1", "", "p2", "p3")),
    ("PLACES_INVALID", dealt("p2")),
    ("DEAL_NOT_ALLOWED", dealt(registration_closed=False)),
    ("DEAL_NOT_ALLOWED", dealt(unanimous=False)),
    ("DEAL_NOT_ALLOWED", dealt(players=["p1", "p2", "p4"])),
    ("DEAL_NOT_ALLOWED", dealt(players=["p1", "p1", "p2"])),
    ("DEAL_NOT_ALLOWED", dealt(players=["p1", "p4"])),
    ("DEAL_NOT_ALLOWED", dealt(players=["p1"], shares={"p1": "4500.00"})),
    (
        "DEAL_NOT_ALLOWED",
        dealt(players=["p1", "x"], shares={"p1": "4000.00", "x": "3200.00"}),
    ),
    ("DEAL_NOT_ALLOWED", dealt(shares={"p1": "4000.00", "p2": "3200.01"})),
    ("DEAL_NOT_ALLOWED", dealt(shares={"p1": "4000.00", "p2": "3199.99"})),
    ("DEAL_NOT_ALLOWED", dealt(playout={"percent": "5", "winner": "p1"})),
    (
        "DEAL_NOT_ALLOWED",
        dealt(shares={"p1": "3640.00", "p2": "3200.00"}, playout={"percent": "5", "winner": "p3"}),
    ),
    ("ACTION_NOT_ALLOWED", TEN | {"actions": [act("p1", "fold")]}),
]


@pytest.mark.parametrize(("code", "request_"), REFUSED)
@pytest.mark.parametrize("game", TOURNAMENTS)
def test_refused(game: str, code: str, request_: Any) -> None:
    assert code_of(request_ | {"game": game}) == code


def test_a_wrong_buy_in_is_named_before_what_hangs_on_it() -> None:
    """The re-entry is listed first and stands alone only because its buy-in is misnamed."""
    first, *others = buy_ins(10)
    wagers = [payment("p1", "re_entry"), first | {"bet": "ticket"}, *others]
    assert code_of(tournament(wagers, "p1", "p2", "p3", format="re_entry")) == "UNKNOWN_BET"
