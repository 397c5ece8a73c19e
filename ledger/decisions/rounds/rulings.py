"""Rulings of inspector and floorman about a round, and payouts on hold.

A ruling is final at the table and is recorded as given; its consequences, such as a void or an
elimination, are separate events. A payout on hold waits for the end of an investigation: the bets
of the participant in the round stay unsettled, all others are settled.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from msgspec import Meta

from ledger.core.errors import InputError
from ledger.core.phrases import Phrase
from ledger.core.refusals import RefusedError, refuses
from ledger.events import event_types as e
from ledger.events.command import Command, Id, Name, OptionalId, OptionalName, OptionalText, Text

if TYPE_CHECKING:
    from ledger.state.ledger_state import LedgerState

__all__ = [
    "CheckPayouts",
    "GiveRuling",
    "HoldPayout",
    "ReleasePayout",
    "check_payouts",
    "give_ruling",
    "hold_payout",
    "release_payout",
]


class GiveRuling(Command, frozen=True):
    """Record a decision of an inspector, a floorman or the management.

    It concerns a round, a table or a tournament, and optionally one participant; a penalty is a
    warning, or sitting out a number of ``hands``. A disqualification is an elimination.
    """

    role: Literal["inspector", "floorman", "management"]
    by: Name
    matter: Text
    ruling: Text
    round: OptionalId = ""
    table: OptionalId = ""
    tournament: OptionalId = ""
    account: OptionalId = ""
    penalty: Literal["warning", "sit_out", ""] = ""
    hands: Annotated[int, Meta(ge=0, le=1000)] = 0
    paragraph: OptionalName = ""


class CheckPayouts(Command, frozen=True):
    """Record that an inspector checked the payouts of winning bets (Czech Casinos, play)."""

    round: Id
    by: Name
    correct: bool
    findings: OptionalText = ""


class HoldPayout(Command, frozen=True):
    """Put a participant's payout of a round on hold, under a paragraph that allows it."""

    round: Id
    account: Id
    by: Name
    paragraph: Name
    cause: Text


class ReleasePayout(Command, frozen=True):
    """Release a payout on hold for settlement."""

    round: Id
    account: Id
    by: Name
    cause: Text


def give_ruling(ledger_state: LedgerState, command: GiveRuling, _: int) -> list[e.Event]:
    """Decide :class:`GiveRuling`; everything that it names must exist."""
    if not (command.round or command.table or command.tournament):
        raise InputError("give_ruling: name the round, the table or the tournament")
    if (command.penalty == "sit_out") != bool(command.hands):
        raise InputError("give_ruling: `hands` are those to sit out, and go with that penalty")
    if command.penalty and not command.account:
        raise InputError("give_ruling: a penalty is that of an `account`")
    if command.round:
        ledger_state.round(command.round)
    if command.table and command.table not in ledger_state.operator_state.tables:
        raise InputError(
            f"table {command.table} is unknown; take it into operation with open_table"
        )
    if command.tournament:
        ledger_state.tournament(command.tournament)
    if command.account:
        ledger_state.account(command.account)
    return [command.as_event(e.RulingGiven)]


@refuses("CHECKED_BY_DEALER", "WRONG_ORDER")
def check_payouts(ledger_state: LedgerState, command: CheckPayouts, _: int) -> list[e.Event]:
    """Decide :class:`CheckPayouts`; neither who deals nor who dealt the round checks its payouts.

    Who took the table over before the result is known as long as no other round was opened.
    """
    state = ledger_state.round(command.round)
    table = ledger_state.operator_state.tables[state.table]
    took_over = table.dealers if table.last_round == command.round else set[str]()
    if command.by in {table.dealer, state.dealer, *took_over}:
        raise RefusedError("CHECKED_BY_DEALER", dealer=command.by)
    if state.status not in {"resulted", "settled"}:
        raise RefusedError("WRONG_ORDER", what=Phrase("CHECK_OF_PAYOUTS"), status=state.status)
    return [command.as_event(e.PayoutsChecked, table=state.table)]


@refuses("PAYOUT_ON_HOLD", "BET_NOT_ON_TABLE")
def hold_payout(ledger_state: LedgerState, command: HoldPayout, _: int) -> list[e.Event]:
    """Decide :class:`HoldPayout`; refused once one of the participant's bets is settled.

    Raises:
        InputError: the operator's rules allow no hold under that paragraph.

    """
    known = ledger_state.rules.withholding
    if command.paragraph not in known:
        raise InputError(f"hold_payout: `paragraph` is one of {', '.join(known)}")
    state = ledger_state.round(command.round)
    ledger_state.account(command.account)
    if command.account in state.held:
        raise RefusedError("PAYOUT_ON_HOLD")
    if not state.bets_of(command.account, "placed", "concluded"):
        raise RefusedError("BET_NOT_ON_TABLE")
    return [command.as_event(e.PayoutHeld)]


@refuses("PAYOUT_NOT_HELD")
def release_payout(ledger_state: LedgerState, command: ReleasePayout, _: int) -> list[e.Event]:
    """Decide :class:`ReleasePayout`; afterwards ``settle_round`` pays it."""
    if command.account not in ledger_state.round(command.round).held:
        raise RefusedError("PAYOUT_NOT_HELD")
    return [command.as_event(e.PayoutReleased)]
