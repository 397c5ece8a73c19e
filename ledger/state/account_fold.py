"""Fold of the events of an account: one function per event type."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ledger.core.clock import DAY, day_of, midnight_after
from ledger.core.dispatch import on, table
from ledger.events import event_types as e
from ledger.state.account import (
    CONTACT,
    STATE_VERSION,
    AccountState,
    Books,
    Cancellation,
    Measure,
    OpenBet,
    PeriodTotals,
    load_state,
)
from ledger.state.account_fold_hands import HANDS
from ledger.state.account_sums import add_winnings, correct_stake, count_stake, free_stake

if TYPE_CHECKING:
    from collections.abc import Callable

    from ledger.rules.operator import Figures

__all__ = ["CASH_WINDOW", "fold"]

CASH_WINDOW = DAY


def fold(state: AccountState, event: e.Event, moment: int, figures: Figures) -> AccountState:
    """Apply one event, recorded at ``moment``, to the state of an account.

    Returns the same object, except for a statement, which carries its own state.
    ``figures`` are those of the operator.
    """
    change = CHANGES.get(type(event))
    if change is None:
        return _statement(state, event) if isinstance(event, e.AccountStatement) else state
    day = day_of(moment)
    if state.day.name != day:
        state.day, state.month = PeriodTotals(day), state.this_month(moment)
    wallet, claims = state.wallet, state.claims
    if type(event) is e.RoundResulted:
        _resulted(state, event, moment, figures.break_length)
    else:
        change(state, event, moment)
    if state.wallet != wallet or state.claims != claims:
        state.moved_at = moment
    books = state.books
    books.events += 1
    if not books.day:
        books.day = day
    return state


def _statement(state: AccountState, event: e.AccountStatement) -> AccountState:
    if event.state_version == STATE_VERSION:
        return load_state(event.state)
    state.books = Books(opening=event.closing)
    return state


def _opened(state: AccountState, event: e.AccountOpened, moment: int) -> None:
    state.status = "open"
    state.person = event.person
    state.regime = event.regime
    state.internet = event.internet
    state.opened_at = moment
    state.earlier_account = event.earlier_account
    state.missing = [name for name in CONTACT if not getattr(event, name)]


def _person_changed(state: AccountState, event: e.PersonChanged, _: int) -> None:
    state.missing = [name for name in state.missing if not getattr(event, name)]


def _mode_changed(state: AccountState, event: e.AccountModeChanged, _: int) -> None:
    state.regime = event.regime
    state.internet = event.internet


def _method_registered(state: AccountState, event: e.PaymentMethodRegistered, _: int) -> None:
    state.methods[event.method] = event.method_class


def _register_checked(state: AccountState, event: e.RegisterChecked, _: int) -> None:
    state.register_answer = event.answer


def _logged_in(state: AccountState, event: e.LoggedIn, moment: int) -> None:
    state.session, state.session_mode, state.session_since = event.session, event.mode, moment
    state.last_login_at = moment
    state.month.logins += 1


def _logged_out(state: AccountState, _: e.LoggedOut, moment: int) -> None:
    same_day = day_of(state.session_since) == day_of(moment)
    since = state.session_since if same_day else midnight_after(moment, days=0)
    state.day.login_time += moment - since
    state.session = state.session_mode = ""
    state.last_logout_at = moment


def _limit_set(state: AccountState, event: e.LimitSet, moment: int) -> None:
    measure = state.measures.get(event.measure)
    if measure is None or event.effective_at <= moment:
        state.measures[event.measure] = Measure(event.value)
    elif event.change == "looser":
        measure.loosen(event.value, event.effective_at, moment)
    else:
        measure.tighten(event.value, event.effective_at, moment)


def _limit_declined(state: AccountState, event: e.LimitDeclined, moment: int) -> None:
    measure = state.measures.get(event.measure)
    if measure is None or event.effective_at <= moment:
        state.measures[event.measure] = Measure(None)
    else:
        measure.loosen(None, event.effective_at, moment)


def _panic(state: AccountState, event: e.PanicButtonPressed, moment: int) -> None:
    """Apply a press of the panic button; it does not shorten a block by an earlier one."""
    state.panic_pressed_at, state.panic_until = moment, max(state.panic_until, event.until)


def _excluded(state: AccountState, event: e.ExclusionImposed, _: int) -> None:
    """Apply an exclusion; one on the same ground that ends earlier does not shorten it."""
    known = state.exclusions.get(event.ground, 0)
    if known is not None:
        until = event.until
        state.exclusions[event.ground] = None if until is None else max(known, until)


def _exclusion_ended(state: AccountState, event: e.ExclusionEnded, _: int) -> None:
    state.exclusions.pop(event.ground, None)


def _cancellation(state: AccountState, event: e.CancellationRequested, moment: int) -> None:
    state.status = "cancelling"
    state.cancellation = Cancellation(event.by, event.ground, moment)


def _cancellation_confirmed(state: AccountState, event: e.CancellationConfirmed, _: int) -> None:
    if state.cancellation is not None:
        state.cancellation.objections_until = event.objections_until


def _cancellation_over(state: AccountState, _: e.Event, __: int) -> None:
    state.status, state.cancellation = "open", None


def _objection_filed(state: AccountState, event: e.ObjectionFiled, _: int) -> None:
    if state.cancellation is not None:
        state.cancellation.objections[event.case] = True


def _objection_decided(state: AccountState, event: e.ObjectionDecided, _: int) -> None:
    if state.cancellation is not None:
        state.cancellation.objections[event.case] = False


def _complaint_filed(state: AccountState, event: e.ComplaintFiled, _: int) -> None:
    state.complaints.append(event.case)


def _complaint_decided(state: AccountState, event: e.ComplaintDecided, _: int) -> None:
    if event.case in state.complaints:
        state.complaints.remove(event.case)


def _closed(state: AccountState, _: e.AccountClosed, moment: int) -> None:
    state.status = "closed"
    state.closed_at = moment


def _deposited(state: AccountState, event: e.DepositCredited, moment: int) -> None:
    state.wallet += event.amount
    state.books.deposits += event.amount
    state.deposited[event.method] = state.deposited.get(event.method, 0) + event.amount
    if event.method_class == "cash":
        _remember(state.cash_in, event.amount, moment)


def _deposit_returned(state: AccountState, event: e.DepositReturned, _: int) -> None:
    if event.credited:
        state.wallet -= event.amount - event.claimed
        state.claims += event.claimed
        state.books.deposits -= event.amount - event.claimed
        state.deposited[event.method] = state.deposited.get(event.method, 0) - event.amount


def _remember(window: list[tuple[int, int]], amount: int, moment: int) -> None:
    window[:] = [entry for entry in window if entry[0] > moment - CASH_WINDOW]
    window.append((moment, amount))


def _withdrawal(state: AccountState, event: e.WithdrawalRequested, moment: int) -> None:
    state.wallet -= event.amount
    state.books.withdrawals += event.amount
    state.withdrawals[event.withdrawal] = (event.amount, event.method, event.method_class)
    if event.method_class == "cash":
        _remember(state.cash_out, event.amount, moment)


def _withdrawal_paid(state: AccountState, event: e.WithdrawalPaid, _: int) -> None:
    state.withdrawals.pop(event.withdrawal, None)


def _withdrawal_cancelled(state: AccountState, event: e.WithdrawalCancelled, _: int) -> None:
    state.withdrawals.pop(event.withdrawal, None)
    state.wallet += event.amount
    state.books.withdrawals -= event.amount


def _fee(state: AccountState, event: e.FeeCharged, _: int) -> None:
    state.wallet -= event.amount
    state.books.fees += event.amount


def _fee_returned(state: AccountState, event: e.FeeReturned, _: int) -> None:
    state.wallet += event.amount
    state.books.fees -= event.amount


def _balance_returned(state: AccountState, event: e.BalanceReturned, _: int) -> None:
    state.wallet -= event.amount
    state.books.withdrawals += event.amount
    if event.method in state.deposited:
        state.deposited[event.method] -= event.amount


def _seat_taken(state: AccountState, event: e.SeatTaken, _: int) -> None:
    state.tables.append(event.table)


def _seat_left(state: AccountState, event: e.SeatLeft, _: int) -> None:
    for places in (state.tables, state.disconnected):
        if event.table in places:
            places.remove(event.table)
    state.fantasyland.pop(event.table, None)


def _disconnected(state: AccountState, event: e.PlayerDisconnected, _: int) -> None:
    if event.table not in state.disconnected:
        state.disconnected.append(event.table)


def _reconnected(state: AccountState, event: e.PlayerReconnected, _: int) -> None:
    if event.table in state.disconnected:
        state.disconnected.remove(event.table)


def _bet_placed(state: AccountState, event: e.BetPlaced, moment: int) -> None:
    state.wallet -= event.stake
    state.bets[event.bet] = OpenBet(event.round, event.table, event.stake, moment)


def _chips_back(state: AccountState, event: e.BetWithdrawn | e.BetReturned, _: int) -> None:
    state.wallet += event.amount
    state.bets.pop(event.bet, None)


def _concluded(state: AccountState, event: e.BetConcluded, moment: int) -> None:
    state.books.stakes += event.amount
    bet = state.bets.get(event.bet)
    if bet is not None:
        count_stake(state, bet, event.amount, moment)


def _bet_voided(state: AccountState, event: e.BetVoided, _: int) -> None:
    state.wallet += event.amount
    state.books.stakes -= event.amount
    bet = state.bets.pop(event.bet, None)
    if bet is not None:
        free_stake(state, bet, event.amount)


def _settled(state: AccountState, event: e.BetSettled, moment: int) -> None:
    state.bets.pop(event.bet, None)
    state.last_settled_at = moment
    add_winnings(state, event.paid)
    state.books.winnings += event.paid


def _counted(_: AccountState, __: e.Event, ___: int) -> None:
    """Leave a result to :func:`_resulted`, which needs the operator's figures; count the event."""


def _resulted(state: AccountState, event: e.RoundResulted, moment: int, break_length: int) -> None:
    """Start a new sequence of continuous play if a break lay before the round's first bet."""
    state.evaluated_at = moment
    first, last = _first_placed(state, event), state.last_evaluated_at
    if first is not None:
        if not last or first - last >= break_length:
            state.sequence_started_at = first
        state.last_evaluated_at = moment


def _first_placed(state: AccountState, event: e.RoundResulted) -> int | None:
    """Return when the first bet of a streamed round was placed, if the account has any."""
    bets = (bet for bet in state.bets.values() if bet.round == event.round and bet.concluded)
    return min((bet.placed_at for bet in bets), default=None) if event.streamed else None


def _win_corrected(state: AccountState, event: e.WinCorrected, _: int) -> None:
    add_winnings(state, event.difference + event.claimed)
    state.claims += event.claimed
    state.books.corrections += event.difference + event.claimed


def _bet_corrected(state: AccountState, event: e.BetCorrected, _: int) -> None:
    correct_stake(state, event.difference - event.claimed)
    state.claims += event.claimed
    state.books.corrections -= event.difference - event.claimed


def _withheld(state: AccountState, event: e.PrizeWithheld, _: int) -> None:
    add_winnings(state, -event.collected)
    state.claims += event.claimed
    state.books.corrections -= event.collected


def _claim_settled(state: AccountState, event: e.ClaimSettled, _: int) -> None:
    state.claims -= event.amount
    if event.way == "wallet":
        add_winnings(state, -event.amount)
        state.books.corrections -= event.amount


def _written_off(state: AccountState, event: e.WriteOffConfirmed, _: int) -> None:
    state.claims += event.amount


CHANGES: dict[type[e.Event], Callable[[AccountState, Any, int], None]] = table(
    on(e.AccountOpened, _opened),
    on(e.PersonChanged, _person_changed),
    on(e.AccountModeChanged, _mode_changed),
    on(e.PaymentMethodRegistered, _method_registered),
    on(e.RegisterChecked, _register_checked),
    on(e.LoggedIn, _logged_in),
    on(e.LoggedOut, _logged_out),
    on(e.LimitSet, _limit_set),
    on(e.LimitDeclined, _limit_declined),
    on(e.PanicButtonPressed, _panic),
    on(e.ExclusionImposed, _excluded),
    on(e.ExclusionEnded, _exclusion_ended),
    on(e.CancellationRequested, _cancellation),
    on(e.CancellationConfirmed, _cancellation_confirmed),
    on(e.CancellationWithdrawn, _cancellation_over),
    on(e.AccountRestored, _cancellation_over),
    on(e.ObjectionFiled, _objection_filed),
    on(e.ObjectionDecided, _objection_decided),
    on(e.ComplaintFiled, _complaint_filed),
    on(e.ComplaintDecided, _complaint_decided),
    on(e.AccountClosed, _closed),
    on(e.DepositCredited, _deposited),
    on(e.DepositReturned, _deposit_returned),
    on(e.WithdrawalRequested, _withdrawal),
    on(e.WithdrawalPaid, _withdrawal_paid),
    on(e.WithdrawalCancelled, _withdrawal_cancelled),
    on(e.FeeCharged, _fee),
    on(e.FeeReturned, _fee_returned),
    on(e.BalanceReturned, _balance_returned),
    on(e.SeatTaken, _seat_taken),
    on(e.SeatLeft, _seat_left),
    on(e.PlayerDisconnected, _disconnected),
    on(e.PlayerReconnected, _reconnected),
    on(e.BetPlaced, _bet_placed),
    on(e.BetWithdrawn, _chips_back),
    on(e.BetReturned, _chips_back),
    on(e.BetConcluded, _concluded),
    on(e.BetVoided, _bet_voided),
    on(e.RoundResulted, _counted),
    on(e.BetSettled, _settled),
    on(e.WinCorrected, _win_corrected),
    on(e.BetCorrected, _bet_corrected),
    on(e.PrizeWithheld, _withheld),
    on(e.ClaimSettled, _claim_settled),
    on(e.WriteOffConfirmed, _written_off),
    *HANDS.items(),
)
