"""Actions in Ultimate Texas Hold'em: check or raise, at the end raise or fold.

Every box decides once on each street until it raises. An action that was never recorded raises
ACTION_MISSING; an action that is late, duplicate or impossible on its street raises
ACTION_NOT_ALLOWED. No decision is automatic.
"""

from __future__ import annotations

from enum import IntEnum, StrEnum
from typing import TYPE_CHECKING, Any

from msgspec import UNSET, Struct, field

from ledger.core.phrases import Phrase
from ledger.games.api.contract import Action, Code, SettlementError, read_action
from ledger.games.api.typed import OptionalField

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


class Street(IntEnum):
    """The streets on which a box acts, in their order."""

    PREFLOP = 0
    FLOP = 1
    RIVER = 2


class _Move(StrEnum):
    CHECK = "check"
    RAISE = "raise"
    FOLD = "fold"


_STREETS = {street.name.lower(): street for street in Street}


class StreetAction(Struct, frozen=True):
    """One action as recorded; `times` is the multiple of a raise, `auto` marks an automatic one."""

    player: str
    box: str = field(name="hand")
    street: str
    move: str = field(name="type")
    times: OptionalField[int] = None
    auto: Any = UNSET


class _Decisions:
    """State of one box; `times` is the raise, 0 after a fold, None while undecided."""

    def __init__(self) -> None:
        self.streets: list[Street] = []
        self.times: int | None = None


def read_street_actions(recorded: Sequence[Action]) -> list[StreetAction]:
    """Parse the fields of the actions; raises MALFORMED_REQUEST."""
    return [_read_street_action(action) for action in recorded]


def play_times(
    allowed: Sequence[Sequence[int]], actions: Sequence[StreetAction], owners: Mapping[str, str]
) -> Mapping[str, int]:
    """Return the multiple of the ante that each box plays, 0 for a fold.

    Args:
        allowed: the raises that the plan allows, by street.
        actions: parsed by `read_street_actions`, in order.
        owners: the player of each box.

    Raises:
        SettlementError: ACTION_NOT_ALLOWED or ACTION_MISSING.

    """
    decisions = {box: _Decisions() for box in owners}
    for action in actions:
        if owners.get(action.box) != action.player:
            raise SettlementError(
                Code.ACTION_NOT_ALLOWED,
                Phrase("PLAYER_NOT_ON_BOX", player=action.player, box=action.box),
            )
        _follow(allowed, decisions[action.box], action)
    return {box: _times(box, decided) for box, decided in decisions.items()}


def _read_street_action(recorded: Action) -> StreetAction:
    action = read_action(recorded, StreetAction)
    if action.move == _Move.RAISE and action.times is None:
        raise SettlementError(Code.MALFORMED_REQUEST, Phrase("RAISE_WITHOUT_TIMES"))
    return action


def _follow(allowed: Sequence[Sequence[int]], decisions: _Decisions, action: StreetAction) -> None:
    """Apply one action of a box to its state, or refuse it."""
    street = _STREETS.get(action.street)
    if street is None or action.auto is not UNSET:
        raise SettlementError(
            Code.ACTION_NOT_ALLOWED,
            Phrase("STREET_WITHOUT_DECISION", street=action.street),
        )
    if decisions.times is not None or (decisions.streets and street <= decisions.streets[-1]):
        raise SettlementError(Code.ACTION_NOT_ALLOWED, Phrase("BOX_DECIDED", box=action.box))
    is_last = street is Street.RIVER
    if action.move == _Move.RAISE and action.times in allowed[street]:
        decisions.times = action.times
    elif action.move == _Move.FOLD and is_last:
        decisions.times = 0
    elif action.move != _Move.CHECK or is_last:
        raise SettlementError(
            Code.ACTION_NOT_ALLOWED,
            Phrase("RAISE_NOT_POSSIBLE", action=action.move, street=action.street),
        )
    decisions.streets.append(street)


def _times(box: str, decisions: _Decisions) -> int:
    """Return the raise of a box whose actions are complete."""
    if decisions.times is None or len(decisions.streets) <= decisions.streets[-1]:
        raise SettlementError(Code.ACTION_MISSING, Phrase("BOX_DECISION_MISSING", box=box))
    return decisions.times
