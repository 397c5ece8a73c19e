"""Boxes with several players: the seat's owner decides, in the owner's absence another player.

SL Free Bet 1: the owner of a seat is the player at the table; the others follow the owner's
decisions or not. In the owner's absence a guest with another stake on the box may decide. The first
player to decide on a box decides there for the whole round; if no player is present, the dealer
draws by the plan.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from ledger.core.refusals import RefusedError, refuses
from ledger.decisions.operator.setup import open_table_of
from ledger.events import event_types as e
from ledger.events.command import Command, Id
from ledger.state.round_wagers import plan_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ledger.state.ledger_state import LedgerState
    from ledger.state.round import RoundBet, RoundState

__all__ = ["TakeBox", "deputy_for", "owners_named", "take_box"]

MAIN = "main"
OF_OWNERS = frozenset({"hit", "stand", "split", "double"})


class _OfHand(Protocol):
    """Fields of a command for an action on a hand of a box."""

    @property
    def account(self) -> str: ...
    @property
    def decision(self) -> str: ...
    @property
    def box(self) -> str: ...
    @property
    def hand(self) -> str: ...


class TakeBox(Command, frozen=True):
    """Record that a seated player owns a box, until the player leaves the table."""

    account: Id
    table: Id
    box: Id


@refuses("TABLE_NOT_OPEN", "NOT_SEATED", "SEAT_TAKEN")
def take_box(ledger_state: LedgerState, command: TakeBox, _: int) -> list[e.Event]:
    """Decide :class:`TakeBox`."""
    open_table_of(ledger_state, command.table)
    if command.table not in ledger_state.account(command.account).tables:
        raise RefusedError("NOT_SEATED")
    owner = _owner_of_seat(ledger_state, command.table, command.box)
    if owner:
        raise RefusedError("SEAT_TAKEN", account=owner, paragraph="SL Free Bet 1")
    return [command.as_event(e.BoxTaken, seat=command.box)]


def owners_named(
    ledger_state: LedgerState, state: RoundState, bets: Iterable[RoundBet]
) -> list[e.Event]:
    """Return the events that name the owners of boxes on which another player bet first.

    ``bets`` are the concluded bets.
    """
    if not plan_of(state).shares_boxes:
        return []
    players: dict[str, dict[str, None]] = {}
    for bet in bets:
        if bet.bet_code == MAIN:
            players.setdefault(bet.box, {})[bet.account] = None
    shared = {box: list(on_box) for box, on_box in players.items() if len(on_box) > 1}
    owners = {box: _owner_of_seat(ledger_state, state.table, box) for box in shared}
    return [
        _owned(state, box, owners[box])
        for box, on_box in shared.items()
        if owners[box] in on_box[1:]
    ]


def deputy_for(ledger_state: LedgerState, state: RoundState, command: _OfHand) -> list[e.Event]:
    """Return the event that makes the player of a command the deputy on a box, or nothing.

    The player must be the first guest present with a main bet on the box; the owner must be absent
    and must not have decided in this round.
    """
    box = command.box or command.hand.partition(".")[0]
    if command.decision not in OF_OWNERS or not plan_of(state).shares_boxes:
        return []
    concluded = state.bets_in("concluded")
    on_box = [bet.account for _, bet in concluded if (bet.box, bet.bet_code) == (box, MAIN)]
    if command.account not in on_box:
        return []
    owner = state.owners.get(box, on_box[0])
    has_decided = any(
        action.account == owner and action.box == box and action.decision in OF_OWNERS
        for action in state.actions
    )
    present = [
        name for name in on_box if name != owner and _is_present(ledger_state, state.table, name)
    ]
    is_deputy = not _is_present(ledger_state, state.table, owner) and command.account in present[:1]
    return [_owned(state, box, command.account, owner)] if is_deputy and not has_decided else []


def _owned(state: RoundState, box: str, account: str, absent: str = "") -> e.Event:
    return e.BoxOwned(round=state.round, table=state.table, account=account, box=box, absent=absent)


def _is_present(ledger_state: LedgerState, table: str, name: str) -> bool:
    account = ledger_state.account(name)
    return table in account.tables and table not in account.disconnected


def _owner_of_seat(ledger_state: LedgerState, table: str, box: str) -> str:
    """Return the player who took a box and has not left the table since; empty if none."""
    box_taken = ledger_state.last_event_of(("BoxTaken",), f"table:{table}", f"seat:{box}")
    if not isinstance(box_taken, e.BoxTaken):
        return ""
    kinds = ("BoxTaken", "SeatTaken", "SeatLeft")
    last = ledger_state.last_event_of(kinds, f"table:{table}", f"account:{box_taken.account}")
    return box_taken.account if isinstance(last, e.BoxTaken) else ""
