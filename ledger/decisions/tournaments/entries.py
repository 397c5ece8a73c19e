"""Payments into a tournament, and refunds before the first hand (69GAMES, Registration)."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Literal

from msgspec.structs import replace

from ledger import games
from ledger.core.errors import InputError
from ledger.core.phrases import Phrase
from ledger.core.refusals import RefusedError, refuses
from ledger.decisions.hands.stakes import STAKE_REFUSALS, require_may_stake
from ledger.decisions.hands.tournament_hands import require_not_in_hand
from ledger.events import event_types as e
from ledger.events.command import (
    NAMES_BYTES_MAX,
    Amount,
    Command,
    GameAmount,
    Id,
    OptionalGameAmount,
    Text,
)
from ledger.games.tournament import check_entries
from ledger.state.tournament import Entry
from ledger.state.tournament_record import bytes_at_the_end, plan_of, pool_of, wagers_of

if TYPE_CHECKING:
    from ledger.state.ledger_state import LedgerState
    from ledger.state.tournament import TournamentState

__all__ = [
    "CancelTournament",
    "HandBackChips",
    "PayTournamentEntry",
    "ReturnTournamentEntry",
    "cancel_tournament",
    "hand_back_chips",
    "pay_tournament_entry",
    "pool_event",
    "return_tournament_entry",
]


class PayTournamentEntry(Command, frozen=True):
    """Pay into a tournament; ``amount`` is haléř, the announced price.

    A rebuy names the ``chips`` that the player has before it, hundredths of a chip.
    """

    tournament: Id
    account: Id
    kind: Literal["buy_in", "re_entry", "rebuy", "addon"]
    amount: Amount
    chips: OptionalGameAmount | None = None


class ReturnTournamentEntry(Command, frozen=True):
    """Withdraw a player before the player's first hand; all payments are returned."""

    tournament: Id
    account: Id


class HandBackChips(Command, frozen=True):
    """Record that a player gives back all remaining chips, to enter again with a new stack.

    ``chips`` is hundredths of a chip.
    """

    tournament: Id
    account: Id
    chips: GameAmount


class CancelTournament(Command, frozen=True):
    """Cancel a tournament; all payments are returned."""

    tournament: Id
    cause: Text


@refuses(
    "TOURNAMENT_STATUS",
    "ENTRY_NOT_ALLOWED",
    "GAME_SUSPENDED",
    *STAKE_REFUSALS,
    "NO_MORE_PARTICIPANTS",
)
def pay_tournament_entry(
    ledger_state: LedgerState, command: PayTournamentEntry, now: int
) -> list[e.Event]:
    """Decide :class:`PayTournamentEntry`; the money is checked like a bet."""
    state = ledger_state.tournament(command.tournament)
    ledger_state.account(command.account)
    if state.status not in {"announced", "running"}:
        raise RefusedError("TOURNAMENT_STATUS", what=Phrase("ENTRY_PAYMENT"), status=state.status)
    if state.pool is not None:
        raise RefusedError("ENTRY_NOT_ALLOWED", reason=Phrase("REGISTRATION_CLOSED"))
    if command.account in state.disqualified:
        raise RefusedError("ENTRY_NOT_ALLOWED", reason=Phrase("PLAYER_DISQUALIFIED"))
    if command.kind == "re_entry" and command.account in state.left:
        reason = Phrase("CHIPS_BEFORE_RE_ENTRY")
        raise RefusedError("ENTRY_NOT_ALLOWED", reason=reason)
    if command.kind == "addon" and state.status == "announced":
        raise RefusedError("ENTRY_NOT_ALLOWED", reason=Phrase("ADDON_BEFORE_PLAY"))
    if command.kind == "addon" and any(command.account in group for group in state.gone):
        raise RefusedError("ENTRY_NOT_ALLOWED", reason=Phrase("PLAYER_OUT"))
    entry = f"{command.tournament}-{state.paid_in + 1}"
    _require_format(state, Entry(entry, command.account, command.kind, command.amount))
    if (command.kind == "rebuy") != (command.chips is not None):
        raise InputError("`chips` are those of a player before a rebuy: name them, and only then")
    if command.chips is not None and command.chips > state.announced.starting_stack:
        reason = Phrase("REBUY_ABOVE_STACK", most=state.announced.starting_stack)
        raise RefusedError("ENTRY_NOT_ALLOWED", reason=reason)
    price = _price(state, command.kind)
    if command.amount != price:
        raise RefusedError("ENTRY_NOT_ALLOWED", reason=Phrase("PRICE_ANNOUNCED", amount=price))
    if ledger_state.operator_state.games[state.announced.game].suspended:
        raise RefusedError("GAME_SUSPENDED")
    require_may_stake(ledger_state, command.account, command.amount, now)
    _require_room_for(state, command.account)
    return [command.as_event(e.TournamentEntryPaid, entry=entry, chips=command.chips or 0)]


def _require_format(state: TournamentState, entry: Entry) -> None:
    plan = plan_of(state)
    own = [*state.payments_of(entry.account), entry]
    try:
        check_entries(plan.header, wagers_of(own), plan.formats[state.announced.format])
    except games.SettlementError as error:
        raise RefusedError("ENTRY_NOT_ALLOWED", reason=error.phrase) from error


def _require_room_for(state: TournamentState, account: str) -> None:
    """Refuse a further player if the final event could not name all of them."""
    if account in state.stakes:
        return
    names = {account, *state.stakes, *(name for group in state.gone for name in group)}
    if sum(map(bytes_at_the_end, names)) > NAMES_BYTES_MAX:
        raise RefusedError("NO_MORE_PARTICIPANTS", what=Phrase("TOURNAMENT"))


def _price(state: TournamentState, kind: str) -> int:
    announced = state.announced
    prices = {"rebuy": announced.rebuy, "addon": announced.addon}
    return prices.get(kind, announced.buy_in)


@refuses("TOURNAMENT_STATUS", "NOT_IN_TOURNAMENT", "REFUND_NOT_ALLOWED")
def return_tournament_entry(
    ledger_state: LedgerState, command: ReturnTournamentEntry, _: int
) -> list[e.Event]:
    """Decide :class:`ReturnTournamentEntry`; a fixed prize pool is recalculated."""
    state = ledger_state.tournament(command.tournament)
    payments = state.payments_of(command.account)
    if state.status not in {"announced", "running"}:
        raise RefusedError("TOURNAMENT_STATUS", what=Phrase("ENTRY_RETURN"), status=state.status)
    if not payments:
        raise RefusedError("NOT_IN_TOURNAMENT", account=command.account)
    reason = _why_not_back(state, command.account)
    if reason:
        raise RefusedError("REFUND_NOT_ALLOWED", reason=reason)
    paragraph = plan_of(state).fee.rule_refund
    events: list[e.Event] = [_returned(state, entry, "withdrawn", paragraph) for entry in payments]
    if state.pool is not None:
        stay = [entry for entry in state.entries if entry.account != command.account]
        events += pool_event(state, stay)
    return events


def _why_not_back(state: TournamentState, account: str) -> Phrase | None:
    """Return why a player may not withdraw, or None; settled payments are not returned."""
    played = state.hands_of(account)
    if played:
        return Phrase("HANDS_PLAYED", count=played)
    if account not in state.left:
        return Phrase("PLAYER_OUT")
    if state.deal is not None:
        return Phrase("DEAL_TWICE")
    if state.pool is not None and state.left == [account]:
        return Phrase("LAST_IN_TOURNAMENT")
    return None


@refuses("TOURNAMENT_STATUS", "NOT_IN_TOURNAMENT", "ENTRY_NOT_ALLOWED", "PLAYER_IN_HAND")
def hand_back_chips(ledger_state: LedgerState, command: HandBackChips, _: int) -> list[e.Event]:
    """Decide :class:`HandBackChips`; a re-entry may follow while the registration is open."""
    state = ledger_state.tournament(command.tournament)
    if state.status != "running":
        raise RefusedError(
            "TOURNAMENT_STATUS", what=Phrase("CHIPS_HANDED_BACK"), status=state.status
        )
    if command.account not in state.left:
        raise RefusedError("NOT_IN_TOURNAMENT", account=command.account)
    if state.pool is not None:
        raise RefusedError("ENTRY_NOT_ALLOWED", reason=Phrase("REGISTRATION_CLOSED"))
    _require_format(state, Entry("", command.account, "re_entry", state.announced.buy_in))
    require_not_in_hand(ledger_state, state, command.account)
    return [command.as_event(e.ChipsHandedBack)]


def pool_event(state: TournamentState, entries: list[Entry]) -> list[e.Event]:
    """Return the event that fixes the prize pool of some payments; none if no column fits."""
    try:
        pool = pool_of(replace(state, entries=entries))
    except games.SettlementError:
        return []
    return [e.PrizePoolFixed(tournament=state.announced.tournament, **asdict(pool))]


@refuses("TOURNAMENT_STATUS")
def cancel_tournament(
    ledger_state: LedgerState, command: CancelTournament, _: int
) -> list[e.Event]:
    """Decide :class:`CancelTournament`; refused after its end."""
    state = ledger_state.tournament(command.tournament)
    if state.status not in {"announced", "running"}:
        raise RefusedError(
            "TOURNAMENT_STATUS", what=Phrase("ENTRY_CANCELLATION"), status=state.status
        )
    paragraph = plan_of(state).fee.rule_refund
    back = [_returned(state, entry, "cancelled", paragraph) for entry in state.entries]
    return [e.TournamentCancelled(tournament=command.tournament, cause=command.cause), *back]


def _returned(
    state: TournamentState, entry: Entry, cause: str, paragraph: str
) -> e.TournamentEntryReturned:
    return e.TournamentEntryReturned(
        tournament=state.announced.tournament,
        entry=entry.entry,
        account=entry.account,
        amount=entry.amount,
        cause=cause,
        paragraph=paragraph,
    )
