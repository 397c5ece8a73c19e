"""Actions in Casino Hold'em: one call, blind call or fold of every player with an ante.

Only a fold can be automatic, by timeout or disconnection. A player disconnected before the close
can only have a blind call, which is returned with the ante.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from msgspec import Struct

from ledger.core.phrases import Phrase
from ledger.games.api.contract import Action, Code, SettlementError, read_action
from ledger.games.api.typed import OptionalField

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

_AUTO = frozenset({"timeout", "disconnect"})


class _Auto(Struct, frozen=True):
    auto: OptionalField[str] = None


class HoldemAction(StrEnum):
    """A player's action, with the names of the contract."""

    CALL = "call"
    CALL_BLIND = "call_blind"
    FOLD = "fold"


def check_action_shapes(actions: Sequence[Action]) -> None:
    """Refuse an `auto` that is not text; raises MALFORMED_REQUEST."""
    for action in actions:
        read_action(action, _Auto)


def check_actions(
    actions: Sequence[Action],
    *,
    players: Collection[str],
    playing: Collection[str],
    disconnected: Collection[str],
) -> Mapping[str, HoldemAction]:
    """Return the decision of each player.

    Args:
        actions: as recorded.
        players: all players with an ante.
        playing: those whose wagers are not void; they must have decided.
        disconnected: those who left before the close; they can only have called blind before.

    Raises:
        SettlementError: ACTION_NOT_ALLOWED or ACTION_MISSING.

    """
    acts: dict[str, HoldemAction] = {}
    for action in actions:
        act = _act_of(action)
        if action.player not in players or action.player in acts:
            raise SettlementError(
                Code.ACTION_NOT_ALLOWED, Phrase("PLAYER_DECIDES_NOTHING", player=action.player)
            )
        if action.player in disconnected and act is not HoldemAction.CALL_BLIND:
            raise SettlementError(
                Code.ACTION_NOT_ALLOWED,
                Phrase("PLAYER_GONE_AT_DEAL", player=action.player),
            )
        acts[action.player] = act
    for player in players:
        if player in playing and player not in acts:
            raise SettlementError(
                Code.ACTION_MISSING, Phrase("CALL_OR_FOLD_MISSING", player=player)
            )
    return acts


def _act_of(action: Action) -> HoldemAction:
    try:
        act = HoldemAction(action.type)
    except ValueError as error:
        raise SettlementError(
            Code.ACTION_NOT_ALLOWED, Phrase("ACTION_UNKNOWN", action=action.type)
        ) from error
    if "auto" in action.fields and (
        act is not HoldemAction.FOLD or action.fields["auto"] not in _AUTO
    ):
        raise SettlementError(Code.ACTION_NOT_ALLOWED, Phrase("ONLY_FOLD_IS_AUTOMATIC"))
    return act
