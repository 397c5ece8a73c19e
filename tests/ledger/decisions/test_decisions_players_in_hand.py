"""Players of a tournament in the middle of a hand: they stay with it until it is over for them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.ledger.decisions.poker_room import TOURNAMENT, Room
from tests.ledger.decisions.test_decisions_tournaments import draw, out, started

if TYPE_CHECKING:
    from tests.ledger.decisions.decisions_casino import Casino

CUP = {"tournament": "cup"}
LEAVING: dict[str, tuple[str, dict[str, Any]]] = {
    "moved": ("draw_seat", {"account": "bara", "table": "t2", "seat": 1}),
    "out": ("eliminate_players", {"accounts": ["bara"]}),
    "out by name": ("eliminate_players", {"accounts": ["bara"], "round": "h"}),
    "handed back": ("hand_back_chips", {"account": "bara", "chips": 100}),
}


@pytest.fixture
def room(house: Casino) -> Room:
    room = Room(house)
    room.players("anna", "bara", "cyril", "dora")
    house.open_table("t2", game=TOURNAMENT, place="casino", streamed=False)
    started(room)
    room.hand("h", table="t1", **CUP)
    room.blinds("h")
    return room


@pytest.mark.law("69GAMES tournament rules")
@pytest.mark.parametrize(("command", "facts"), LEAVING.values(), ids=LEAVING)
def test_a_player_leaves_a_hand_only_when_it_is_folded_or_over(
    room: Room, command: str, facts: dict[str, Any]
) -> None:
    room.casino.refuse("PLAYER_IN_HAND", command, **CUP, **facts)
    room.act("h", "anna", "fold")
    room.casino.refuse("PLAYER_IN_HAND", command, **CUP, **facts)
    with room.casino.as_reopened():
        room.casino.refuse("PLAYER_IN_HAND", command, **CUP, **facts)
    room.act("h", "bara", "fold")
    room.casino.do(command, **CUP, **facts)


@pytest.mark.law("69GAMES tournament rules")
@pytest.mark.parametrize("is_misdeal", [True, False])
def test_a_hand_that_is_over_binds_no_player(room: Room, *, is_misdeal: bool) -> None:
    if is_misdeal:
        room.casino.do("declare_misdeal", round="h", ground="misdeal_extra_cards")
    else:
        room.act("h", "anna", "fold")
        room.act("h", "bara", "fold")
        room.casino.do("settle_hand", round="h")
    out(room, "cyril")


@pytest.mark.law("69GAMES operation, disqualification")
def test_a_disqualification_waits_for_no_hand_and_another_chair_is_no_move(room: Room) -> None:
    draw(room, "bara", 9, "t1")
    out(room, "bara", disqualified_for="signals")


@pytest.mark.law("69GAMES tournament rules, kinds of tournament")
def test_an_add_on_brings_no_player_back(house: Casino) -> None:
    """It is for all players at the end of the registration; an eliminated one enters by a rebuy."""
    room = Room(house)
    room.players("anna", "bara", "cyril", "dora")
    started(room, format="unlimited_rebuys_addon", rebuy=50_000, addon=30_000)
    out(room, "bara")
    entry = {**CUP, "account": "bara"}
    house.refuse("ENTRY_NOT_ALLOWED", "pay_tournament_entry", **entry, kind="addon", amount=30_000)
    house.do("pay_tournament_entry", **entry, kind="rebuy", amount=50_000, chips=0)
    house.do("pay_tournament_entry", **entry, kind="addon", amount=30_000)
