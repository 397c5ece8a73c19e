"""Fold of the events of hands among players and of tournaments into an account.

Money put in becomes a bet at once (``concluded``): one bet per hand or tournament. Chips of a
tournament are not money: only entries and prizes move money.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ledger.core.dispatch import on, table
from ledger.events import event_types as e
from ledger.state.account import AccountState, OpenBet
from ledger.state.account_sums import add_winnings, count_stake, free_stake
from ledger.state.tournament import stake_name

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["HANDS"]


def _acted(state: AccountState, event: e.HandAction, moment: int) -> None:
    if not event.tournament and event.amount:
        _put_in(state, event.bet, event.amount, moment, round_=event.round, table=event.table)


def _put_in(
    state: AccountState, bet: str, amount: int, moment: int, *, round_: str = "", table: str = ""
) -> None:
    state.wallet -= amount
    state.books.stakes += amount
    known = state.bets.setdefault(bet, OpenBet(round_, table, 0, moment))
    known.stake += amount
    count_stake(state, known, amount, moment)


def _take_back(state: AccountState, bet: str, amount: int) -> None:
    state.wallet += amount
    state.books.stakes -= amount
    known = state.bets.get(bet)
    if known is not None:
        free_stake(state, known, amount)
        _reduce(state, bet, amount)


def _reduce(state: AccountState, bet: str, amount: int) -> None:
    known = state.bets.get(bet)
    if known is not None:
        known.stake -= amount
        if known.stake <= 0:
            del state.bets[bet]


def _uncalled(state: AccountState, event: e.UncalledReturned, _: int) -> None:
    if not event.tournament:
        _take_back(state, event.bet, event.amount)


def _misdealt(state: AccountState, event: e.MisdealDeclared, _: int) -> None:
    if not event.tournament:
        seat = event.accounts.index(state.account)
        _take_back(state, event.bets[seat], event.amounts[seat])


def _awarded(state: AccountState, event: e.PotAwarded | e.PointsSettled, moment: int) -> None:
    if event.tournament:
        return
    seat = event.accounts.index(state.account)
    _reduce(state, event.bets[seat], event.stakes[seat])
    add_winnings(state, event.paid[seat])
    state.books.winnings += event.paid[seat]
    state.last_settled_at = moment


def _time_collected(state: AccountState, event: e.TimeCollectionTaken, _: int) -> None:
    state.wallet -= event.amount
    state.books.fees += event.amount


def _set(state: AccountState, event: e.HandsSet, _: int) -> None:
    state.fantasyland.pop(event.table, None)
    if event.fantasyland:
        state.fantasyland[event.table] = event.fantasyland


def _entered(state: AccountState, event: e.TournamentEntryPaid, moment: int) -> None:
    _put_in(state, stake_name(event.tournament), event.amount, moment)


def _entry_returned(state: AccountState, event: e.TournamentEntryReturned, _: int) -> None:
    _take_back(state, stake_name(event.tournament), event.amount)


def _tournament_ended(state: AccountState, event: e.TournamentEnded, moment: int) -> None:
    state.bets.pop(stake_name(event.tournament), None)
    state.last_settled_at = state.evaluated_at = moment


def _prize_paid(state: AccountState, event: e.TournamentPrizePaid, moment: int) -> None:
    add_winnings(state, event.paid)
    state.books.winnings += event.paid
    state.last_settled_at = moment


HANDS: dict[type[e.Event], Callable[[AccountState, Any, int], None]] = table(
    on(e.HandAction, _acted),
    on(e.UncalledReturned, _uncalled),
    on(e.MisdealDeclared, _misdealt),
    on(e.PotAwarded, _awarded),
    on(e.PointsSettled, _awarded),
    on(e.TimeCollectionTaken, _time_collected),
    on(e.HandsSet, _set),
    on(e.TournamentEntryPaid, _entered),
    on(e.TournamentEntryReturned, _entry_returned),
    on(e.TournamentEnded, _tournament_ended),
    on(e.TournamentPrizePaid, _prize_paid),
)
"""Functions by event type, for ``ledger.state.account_fold``."""
