"""Place and take back chips (SAZKA 2, 5a, 13).

Chips on a betting position are reserved money; chips that are there when betting closes become a
bet, see ``ledger.decisions.rounds.closing``. :func:`require_may_bet` checks the conditions of a
bet. It is called when chips are placed, again when betting closes, and for the stakes that a
player's action adds afterwards; see ``ledger.decisions.rounds.actions``.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from ledger import games
from ledger.core.errors import InputError
from ledger.core.phrases import Phrase
from ledger.core.refusals import RefusedError, refuses
from ledger.decisions.operator.setup import open_table_of
from ledger.decisions.payments.funds import require_funds
from ledger.decisions.protection.blocks import PLAY_REFUSALS, require_may_play
from ledger.decisions.protection.continuous_play import require_no_break
from ledger.decisions.protection.measures import MEASURE_REFUSALS, require_measures_allow
from ledger.decisions.rounds.colours import chips_of
from ledger.events import event_types as e
from ledger.events.command import (
    NAMES_BYTES_MAX,
    Amount,
    BetId,
    Command,
    Count,
    Id,
    OptionalWord,
    Word,
    round_of,
)
from ledger.state.round import CANCELLED_BEFORE_PLACED, name_bytes
from ledger.state.round_wagers import is_spun_early, plan_of, wager_of

if TYPE_CHECKING:
    from ledger.core.refusals import Refusal
    from ledger.state.account import AccountState
    from ledger.state.ledger_state import LedgerState
    from ledger.state.round import RoundBet, RoundState

__all__ = [
    "BET_REFUSALS",
    "CANCELLED",
    "PlaceBet",
    "WithdrawBet",
    "bet_refused",
    "place_bet",
    "require_logged_in",
    "require_may_bet",
    "require_may_place",
    "table_limits",
    "withdraw_bet",
    "withdrawal_refused",
]


CANCELLED = Phrase("BET_CANCELLED_BEFORE")
_COMPACT = json.JSONEncoder(separators=(",", ":"))


BET_REFUSALS = (
    "GAME_SUSPENDED",
    "TABLE_NOT_OPEN",
    "TABLE_SUSPENDED",
    *PLAY_REFUSALS,
    "LAND_BASED_ONLY",
    "NOT_LOGGED_IN",
    *MEASURE_REFUSALS,
    "NOT_SEATED",
    "DISCONNECTED",
    "BREAK_REQUIRED",
)
"""Refusals of :func:`require_may_place`, in the order of the checks."""


class PlaceBet(Command, frozen=True):
    """Place chips.

    ``bet`` is the round, a hyphen, and a name without hyphens, so that it is globally unique:
    ``q-1-2`` is a bet of round ``q-1`` and never one of ``q``. ``selection`` has the form that the
    bet code of the game requires; ``stake`` is haléř. ``chip`` is the value of the chips of the
    stake, in haléř; the default is that of the player's colour chips, if any. Additional wagers
    (double, call …) are placed by ``decide``.
    """

    bet: Id
    account: Id
    round: Id
    bet_code: Word
    stake: Amount
    selection: Any = None
    box: OptionalWord = ""
    chip: Count = 0


class WithdrawBet(Command, frozen=True):
    """Take chips back before the close ("Zpět"), with chips that cannot stand without them.

    If the bet is unknown, the cancellation is recorded, and a bet that comes later under its
    identifier is refused.
    """

    bet: BetId
    account: Id
    round: Id


@refuses(
    "BET_AFTER_CLOSE",
    *BET_REFUSALS,
    "BET_NOT_ALLOWED",
    "INSUFFICIENT_FUNDS",
    "NO_MORE_PARTICIPANTS",
)
def place_bet(ledger_state: LedgerState, command: PlaceBet, now: int) -> list[e.Event]:
    """Decide :class:`PlaceBet`."""
    state = ledger_state.round(command.round)
    account = ledger_state.account(command.account)
    _require_new_bet(state, command)
    _require_open(state)
    require_may_place(ledger_state, state, account, command.stake, now)
    if command.bet in state.cancelled:
        paragraph = ledger_state.rules.paragraph(CANCELLED_BEFORE_PLACED)
        raise RefusedError("BET_NOT_ALLOWED", reason=CANCELLED, paragraph=paragraph)
    plan = plan_of(state)
    laid = _chips_laid(ledger_state, state, plan, command)
    wording = _check_wager(ledger_state, state, plan, command, laid[0].chip if laid else 0)
    require_funds(account, command.stake)
    _require_room_for(state, command.account)
    return [
        e.BetPlaced(
            bet=command.bet,
            account=command.account,
            round=command.round,
            table=state.table,
            box=command.box,
            bet_code=command.bet_code,
            selection=_selection_json(command.selection),
            wording=wording,
            stake=command.stake,
            parent="",
        ),
        *laid,
    ]


def _chips_laid(
    ledger_state: LedgerState, state: RoundState, plan: games.GamePlan, command: PlaceBet
) -> list[e.ChipsLaid]:
    """Return the event that records a stake as a number of chips, if their value is known."""
    chip, colour = command.chip, ""
    if plan.plays_in_colours and (own := chips_of(ledger_state, state.table, command.account)):
        chip = chip or own.chip
        colour = own.colour if chip == own.chip else ""
    if not chip or command.stake % chip:
        return []
    return [
        e.ChipsLaid(
            bet=command.bet,
            account=command.account,
            round=command.round,
            table=state.table,
            chip=chip,
            chips=command.stake // chip,
            colour=colour,
        )
    ]


def _require_new_bet(state: RoundState, command: PlaceBet) -> None:
    of_round, _hyphen, name = command.bet.rpartition("-")
    if of_round != command.round or not name:
        raise InputError(
            f"bet {command.bet} must be its round, a hyphen, and a name without hyphens: "
            f"{command.round}-…"
        )
    if command.bet in state.bets:
        raise InputError(f"bet {command.bet} exists already; give every bet a name of its own")


def _require_open(state: RoundState) -> None:
    """Refuse to move chips after the close, or when the result may be known (SAZKA 2)."""
    if state.status != "open" or state.is_known or is_spun_early(state):
        raise RefusedError("BET_AFTER_CLOSE")


def _require_room_for(state: RoundState, account: str) -> None:
    """Refuse a further participant if the result event could not name all of them."""
    is_new = account not in state.by_account
    if is_new and state.names_bytes + name_bytes(account) > NAMES_BYTES_MAX:
        raise RefusedError("NO_MORE_PARTICIPANTS", what=Phrase("ROUND"))


def require_may_place(
    ledger_state: LedgerState, state: RoundState, account: AccountState, stake: int, now: int
) -> None:
    """Refuse chips that may not become a bet, or that violate the ban after 120 minutes of play.

    The ban of 5a(3) concerns placing (vložení sázky), so it is checked only here: it does not apply
    to finishing a started round (5a(4)), and its times run from placements (5a(6)).

    Raises:
        RefusedError: with the first reason.

    """
    require_may_bet(ledger_state, state, account, stake, now, chips=account.reserved)
    if state.streamed:
        require_no_break(ledger_state.participant(account, now), now, ledger_state.rules.figures)


def require_may_bet(
    ledger_state: LedgerState,
    state: RoundState,
    account: AccountState,
    stake: int,
    now: int,
    *,
    chips: int,
) -> None:
    """Refuse a stake that the law or the state of table and account does not allow as a bet.

    Args:
        ledger_state: the writer's state.
        state: the round.
        account: account of the stake.
        stake: haléř.
        now: time of the check in microseconds.
        chips: sum in haléř of the account's other chips that can become a bet before this stake.

    Raises:
        RefusedError: with the first reason.

    """
    _require_bets_accepted(ledger_state, state)
    require_may_play(account, now)
    if state.streamed and not account.internet:
        raise RefusedError("LAND_BASED_ONLY")
    require_logged_in(account)
    require_measures_allow(ledger_state.participant(account, now), stake, now, chips=chips)
    if state.table not in account.tables:
        raise RefusedError("NOT_SEATED")
    if state.table in account.disconnected:
        raise RefusedError("DISCONNECTED")


def _require_bets_accepted(ledger_state: LedgerState, state: RoundState) -> None:
    if ledger_state.operator_state.games[state.game].suspended:
        raise RefusedError("GAME_SUSPENDED")
    if open_table_of(ledger_state, state.table).suspended:
        raise RefusedError("TABLE_SUSPENDED")


def require_logged_in(account: AccountState) -> None:
    """Refuse a bet of a participant without a login for play.

    Raises:
        RefusedError: NOT_LOGGED_IN.

    """
    if account.session_mode != "full":
        raise RefusedError("NOT_LOGGED_IN")


def _check_wager(
    ledger_state: LedgerState,
    state: RoundState,
    plan: games.GamePlan,
    command: PlaceBet,
    chip: int,
) -> str:
    """Check the chips against plan and table limits; return the selection as text."""
    wager = games.Wager(
        id=command.bet,
        player=command.account,
        bet=command.bet_code,
        stake_haler=command.stake,
        selection=command.selection,
        box=command.box or None,
        chip_haler=chip or command.chip or None,
    )
    placed = [
        wager_of(name, bet)
        for name, bet in state.bets_of(command.account, "placed")
        if not bet.parent
    ]
    limits = table_limits(ledger_state, state)
    problem = games.wager_problem(plan, wager, placed=placed, table=limits)
    if problem is None and wager.chip_haler is None and plan.needs_chip(wager.bet):
        reason = Phrase("CHIP_NOT_STATED", bet=wager.bet)
        raise RefusedError("BET_NOT_ALLOWED", reason=reason, paragraph=plan.header.rule_settled)
    if problem is None and command.box:
        on_table = state.bets_in("placed")
        on_box = [wager_of(name, bet) for name, bet in on_table if bet.box == command.box]
        problem = plan.box_problem(wager, on_box, limits)
    if problem is not None:
        raise RefusedError(
            "BET_NOT_ALLOWED", reason=problem.phrase, paragraph=plan.header.rule_settled
        )
    return games.describe(plan, command.bet_code, command.selection)


def table_limits(ledger_state: LedgerState, state: RoundState) -> games.TableLimits:
    """Return the table's limits at the opening of the round, in the form that game plans use."""
    limits = ledger_state.operator_state.tables[state.table].limits_at(state.opened_at)
    return games.TableLimits() if limits is None else limits.for_games


def _selection_json(selection: Any) -> str:
    if selection is None:
        return ""
    if type(selection) is list and {int}.issuperset(map(type, selection)):
        return f"[{','.join(map(str, selection))}]"
    return _COMPACT.encode(selection)


def bet_refused(ledger_state: LedgerState, command: PlaceBet, refusal: Refusal) -> list[e.Event]:
    """Return the event that records why :func:`place_bet` refused."""
    return [
        command.as_event(
            e.BetRefused,
            refusal,
            table=ledger_state.round(command.round).table,
            selection=_selection_json(command.selection),
        )
    ]


@refuses("BET_NOT_ON_TABLE", "BET_AFTER_CLOSE")
def withdraw_bet(ledger_state: LedgerState, command: WithdrawBet, _: int) -> list[e.Event]:
    """Decide :class:`WithdrawBet`."""
    ledger_state.account(command.account)
    state = ledger_state.round_or_new(command.round)
    bet = state.bets.get(command.bet)
    if bet is None and round_of(command.bet) == command.round and state.hand is None:
        raise RefusedError("BET_NOT_ON_TABLE")
    if bet is None or bet.account != command.account:
        raise InputError(f"account {command.account} has no bet {command.bet} in {command.round}")
    _require_open(state)
    if bet.status != "placed":
        raise RefusedError("BET_NOT_ON_TABLE")
    return [
        e.BetWithdrawn(
            bet=name, account=bet.account, round=command.round, amount=withdrawn_bet.stake
        )
        for name, withdrawn_bet in [(command.bet, bet), *_tied_to(state, command.bet, bet)]
    ]


def withdrawal_refused(
    ledger_state: LedgerState, command: WithdrawBet, refusal: Refusal
) -> list[e.Event]:
    """Return the event that records why :func:`withdraw_bet` refused.

    For an unknown bet it is the refusal of that bet, which the bet meets when it comes.
    """
    state = ledger_state.round_or_new(command.round)
    if command.bet in state.bets:
        return [command.as_event(e.CommandRefused, refusal, command="withdraw_bet", table="")]
    return [
        command.as_event(
            e.BetRefused, refusal, table=state.table, bet_code="", selection="", stake=0
        )
    ]


def _tied_to(state: RoundState, gone: str, withdrawn_bet: RoundBet) -> list[tuple[str, RoundBet]]:
    """Return the participant's chips that are not allowed without the chips taken back."""
    plan = plan_of(state)
    if not plan.bets_depend:
        return []
    left = {
        name: bet for name, bet in state.bets_of(withdrawn_bet.account, "placed") if name != gone
    }
    wagers = [wager_of(name, bet) for name, bet in left.items() if not bet.parent]
    tied = []
    for name, bet in left.items():
        others = [wager for wager in wagers if wager.id != name]
        is_tied = bet.parent == gone or (
            not bet.parent
            and games.wager_problem(plan, wager_of(name, bet), placed=others) is not None
        )
        if is_tied:
            tied.append((name, bet))
    return tied
