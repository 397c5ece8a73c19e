"""State of one tournament, folded from its events.

The fold never rejects an event: the log records what happened. Money is haléř. The write side and
the projections fold the same facts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from msgspec import Struct, field

from ledger import games
from ledger.core.dispatch import on, table
from ledger.events import event_types as e

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["TOURNAMENT_EVENTS", "Entry", "TournamentState", "fold", "stake_name"]


class Entry(NamedTuple):
    """A payment into the tournament."""

    entry: str
    account: str
    kind: str
    amount: int


class TournamentState(Struct):
    """A tournament: its announcement, payments, remaining and eliminated players.

    ``left`` are the players with chips, ``gone`` the eliminated players in order of elimination,
    grouped by hand; ``hands`` are the players dealt in, by hand, without misdealt hands;
    ``paid_in`` is the number of all payments ever, returned ones included. ``returned`` are the
    players who took their money back. ``seats`` are table and seat number of each player with a
    seat. ``level`` is the one in force. ``last_hands`` are the last hand of each table, and
    ``hands_since`` the number of its hands since play hand for hand began; None otherwise.
    """

    announced: e.TournamentAnnounced
    announced_at: int
    status: Literal["announced", "running", "ended", "cancelled"] = "announced"
    entries: list[Entry] = field(default_factory=list)
    paid_in: int = 0
    left: list[str] = field(default_factory=list)
    gone: list[list[str]] = field(default_factory=list)
    hands: dict[str, tuple[str, ...]] = field(default_factory=dict)
    returned: list[str] = field(default_factory=list)
    disqualified: list[str] = field(default_factory=list)
    seats: dict[str, tuple[str, int]] = field(default_factory=dict)
    pool: e.PrizePoolFixed | None = None
    deal: e.DealAgreed | None = None
    dealt_after: int = 0
    level: e.TournamentLevelStarted | None = None
    last_hands: dict[str, str] = field(default_factory=dict)
    hands_since: dict[str, int] | None = None

    def payments_of(self, account: str) -> list[Entry]:
        """Return the payments of a player that were not returned."""
        return [entry for entry in self.entries if entry.account == account]

    def hands_of(self, account: str) -> int:
        """Count the hands dealt to a player, without misdealt ones."""
        return sum(account in dealt for dealt in self.hands.values())

    @property
    def stakes(self) -> dict[str, int]:
        """Return the total payment of each player, in the order of the first payments; haléř."""
        stakes: dict[str, int] = {}
        for entry in self.entries:
            stakes[entry.account] = stakes.get(entry.account, 0) + entry.amount
        return stakes

    @property
    def levels(self) -> list[tuple[int, ...]]:
        """Announced levels: small blind, big blind, ante, value of a point, minutes."""
        of = self.announced
        amounts = (of.small_blinds, of.big_blinds, of.antes, of.point_values)
        return list(zip(*amounts, of.minutes, strict=False))

    @property
    def entries_count(self) -> int:
        """Number of entries: buy-ins and re-entries."""
        return sum(entry.kind in games.ENTRIES for entry in self.entries)


def stake_name(tournament: str) -> str:
    """Return the name of a player's open stake in a tournament; no bet of a round has a colon."""
    return f"tournament:{tournament}"


def fold(state: TournamentState | None, event: e.Event, moment: int) -> TournamentState | None:
    """Apply one event to a tournament; the state is None before its announcement."""
    if isinstance(event, e.TournamentAnnounced):
        return state or TournamentState(event, moment)
    change = CHANGES.get(type(event))
    if state is not None and change is not None:
        change(state, event)
    return state


def _started(state: TournamentState, _: e.TournamentStarted) -> None:
    state.status = "running"


def _paid_in(state: TournamentState, event: e.TournamentEntryPaid) -> None:
    state.entries.append(Entry(event.entry, event.account, event.kind, event.amount))
    state.paid_in += 1
    if event.account not in state.left:
        state.left.append(event.account)
    if event.account in state.returned:
        state.returned.remove(event.account)
    stay = ([name for name in group if name != event.account] for group in state.gone)
    state.gone[:] = [group for group in stay if group]


def _returned(state: TournamentState, event: e.TournamentEntryReturned) -> None:
    state.entries[:] = [entry for entry in state.entries if entry.entry != event.entry]
    if not state.payments_of(event.account):
        state.seats.pop(event.account, None)
        if event.account in state.left:
            state.left.remove(event.account)
        if event.account not in state.returned:
            state.returned.append(event.account)


def _hand(state: TournamentState, event: e.HandStarted) -> None:
    state.hands[event.round] = event.accounts
    state.last_hands[event.table] = event.round
    if state.hands_since is not None:
        state.hands_since[event.table] = state.hands_since.get(event.table, 0) + 1


def _misdealt(state: TournamentState, event: e.MisdealDeclared) -> None:
    state.hands.pop(event.round, None)
    if state.hands_since is not None and state.hands_since.get(event.table):
        state.hands_since[event.table] -= 1


def _fixed(state: TournamentState, event: e.PrizePoolFixed) -> None:
    state.pool = event


def _eliminated(state: TournamentState, event: e.PlayerEliminated) -> None:
    state.gone.append(list(event.accounts))
    state.left[:] = [name for name in state.left if name not in event.accounts]
    for name in event.accounts:
        state.seats.pop(name, None)
    if event.disqualified_for:
        state.disqualified += event.accounts


def _handed_back(state: TournamentState, event: e.ChipsHandedBack) -> None:
    state.gone.append([event.account])
    state.left[:] = [name for name in state.left if name != event.account]
    state.seats.pop(event.account, None)


def _seated(state: TournamentState, event: e.SeatDrawn) -> None:
    state.seats[event.account] = (event.table, event.seat)


def _deal(state: TournamentState, event: e.DealAgreed) -> None:
    state.deal, state.dealt_after = event, len(state.gone)


def _level(state: TournamentState, event: e.TournamentLevelStarted) -> None:
    state.level = event


def _hand_for_hand(state: TournamentState, event: e.HandForHandSet) -> None:
    state.hands_since = {} if event.begins else None


def _ended(state: TournamentState, _: e.TournamentEnded) -> None:
    state.status = "ended"


def _cancelled(state: TournamentState, _: e.TournamentCancelled) -> None:
    state.status = "cancelled"


CHANGES: dict[type[e.Event], Callable[[TournamentState, Any], None]] = table(
    on(e.TournamentStarted, _started),
    on(e.TournamentEntryPaid, _paid_in),
    on(e.TournamentEntryReturned, _returned),
    on(e.HandStarted, _hand),
    on(e.MisdealDeclared, _misdealt),
    on(e.PrizePoolFixed, _fixed),
    on(e.PlayerEliminated, _eliminated),
    on(e.ChipsHandedBack, _handed_back),
    on(e.SeatDrawn, _seated),
    on(e.DealAgreed, _deal),
    on(e.TournamentLevelStarted, _level),
    on(e.HandForHandSet, _hand_for_hand),
    on(e.TournamentEnded, _ended),
    on(e.TournamentCancelled, _cancelled),
)

TOURNAMENT_EVENTS = ("TournamentAnnounced", *(event.__name__ for event in CHANGES))
"""Event types from which a tournament is folded."""
