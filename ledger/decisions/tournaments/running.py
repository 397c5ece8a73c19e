"""The course of a tournament: its levels, and play hand for hand.

Blinds, antes and the value of a point rise by the announced structure, which the floorman changes
if all players agree (69GAMES tournament rules, course of the game). Near the prizes, tables play
hand for hand: each waits until the others have finished their hands, so that players who go out at
several tables are ranked by their chips (Hand for hand).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from msgspec import Meta, Struct

from ledger.core.clock import MINUTE
from ledger.core.errors import InputError
from ledger.core.phrases import Phrase
from ledger.core.refusals import RefusedError, refuses
from ledger.events import event_types as e
from ledger.events.command import Command, Id, OptionalGameAmount

if TYPE_CHECKING:
    from ledger.state.ledger_state import LedgerState
    from ledger.state.tournament import TournamentState

__all__ = [
    "Level",
    "SetHandForHand",
    "StartLevel",
    "set_hand_for_hand",
    "start_level",
]

LEVELS_MAX = 1_000
TABLES_MIN = 2
RISING = ("small_blind", "big_blind", "point_value")
"""Amounts that no later level lowers."""
Minutes = Annotated[int, Meta(ge=1, le=1440)]


class Level(Struct, frozen=True):
    """A level of a tournament; amounts are hundredths of a chip."""

    minutes: Minutes
    small_blind: OptionalGameAmount = 0
    big_blind: OptionalGameAmount = 0
    ante: OptionalGameAmount = 0
    point_value: OptionalGameAmount = 0


class StartLevel(Command, frozen=True):
    """Start the next level of a tournament; amounts are hundredths of a chip.

    Only with ``agreed``, the consent of all players, it may differ from the announced structure, or
    begin before the level before it is over.
    """

    tournament: Id
    level: Annotated[int, Meta(ge=1, le=LEVELS_MAX)]
    minutes: Minutes
    small_blind: OptionalGameAmount = 0
    big_blind: OptionalGameAmount = 0
    ante: OptionalGameAmount = 0
    point_value: OptionalGameAmount = 0
    agreed: bool = False


class SetHandForHand(Command, frozen=True):
    """Begin or end play hand for hand in a tournament with several tables."""

    tournament: Id
    begins: bool


@refuses("TOURNAMENT_STATUS", "LEVEL_NOT_ANNOUNCED")
def start_level(ledger_state: LedgerState, command: StartLevel, now: int) -> list[e.Event]:
    """Decide :class:`StartLevel`; levels follow each other, and no blind falls."""
    state = ledger_state.tournament(command.tournament)
    if state.status != "running":
        raise RefusedError("TOURNAMENT_STATUS", what=Phrase("LEVEL"), status=state.status)
    due = 1 if state.level is None else state.level.level + 1
    if command.level != due:
        raise InputError(f"level {due} of {command.tournament} is next, not {command.level}")
    reason = _fault_of_level(state, command, now)
    if reason:
        raise RefusedError("LEVEL_NOT_ANNOUNCED", reason=reason)
    return [command.as_event(e.TournamentLevelStarted, ends_at=now + command.minutes * MINUTE)]


def _fault_of_level(state: TournamentState, command: StartLevel, now: int) -> Phrase | None:
    last = state.level
    if last is not None and any(getattr(command, one) < getattr(last, one) for one in RISING):
        return Phrase("LEVEL_FALLS")
    if command.agreed:
        return None
    if last is not None and now < last.ends_at:
        return Phrase("LEVEL_TOO_EARLY", until=last.ends_at)
    amounts = (command.small_blind, command.big_blind, command.ante, command.point_value)
    levels = state.levels
    if levels and (*amounts, command.minutes) not in levels[command.level - 1 : command.level]:
        return Phrase("LEVEL_OF_STRUCTURE", level=command.level)
    return None


@refuses("TOURNAMENT_STATUS")
def set_hand_for_hand(ledger_state: LedgerState, command: SetHandForHand, _: int) -> list[e.Event]:
    """Decide :class:`SetHandForHand`; it begins only while several tables are left."""
    state = ledger_state.tournament(command.tournament)
    if state.status != "running":
        raise RefusedError(
            "TOURNAMENT_STATUS", what=Phrase("PLAY_HAND_FOR_HAND"), status=state.status
        )
    if command.begins == (state.hands_since is not None):
        raise InputError(
            f"tournament {command.tournament} is {'' if command.begins else 'not '}played hand for "
            "hand already"
        )
    tables = {table for table, _seat in state.seats.values()}
    if command.begins and len(tables) < TABLES_MIN:
        raise InputError(f"tournament {command.tournament} has one table: nothing waits for it")
    return [command.as_event(e.HandForHandSet)]
