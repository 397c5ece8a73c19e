"""Follow one tournament by its events, independently of the write side, and settle it again.

What comes in: typed events of one tournament in the order of the chain. What goes out: its
payments, its players, and by its plan the division of the money and the prizes. No event is
rejected: the log records what happened. Only the settlement by the game plan is shared with the
write side (``ledger.state.tournament``). Money is haléř.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from ledger import games
from ledger.core.phrases import Phrase
from ledger.events import event_types as e
from projections.resettlement.amounts import haler_in

__all__ = ["Pool", "Prize", "Tournament", "pool_of", "prizes_of", "wager_of", "why_not_over"]

Status: TypeAlias = Literal["announced", "running", "ended", "cancelled"]
STATUS: dict[type[e.Event], Status] = {
    e.TournamentStarted: "running",
    e.TournamentEnded: "ended",
    e.TournamentCancelled: "cancelled",
}


@dataclass(slots=True)
class Tournament:
    """State of a tournament after the events so far.

    ``payments`` are those that were not returned; ``playing`` are the players with chips, in the
    order of their entry; ``out`` are the eliminated players in the order of elimination, grouped if
    by one hand; ``dealt`` are the players of each hand that was not misdealt.
    """

    announced: e.TournamentAnnounced
    announced_at: int
    status: Status = "announced"
    payments: list[e.TournamentEntryPaid] = field(default_factory=list)
    playing: list[str] = field(default_factory=list)
    out: list[tuple[str, ...]] = field(default_factory=list)
    out_before_deal: int = 0
    dealt: dict[str, tuple[str, ...]] = field(default_factory=dict)
    disqualified: set[str] = field(default_factory=set)
    pool: e.PrizePoolFixed | None = None
    deal: e.DealAgreed | None = None

    def follow(self, event: Any) -> None:
        """Apply one event of the tournament."""
        self.status = STATUS.get(type(event), self.status)
        match event:
            case e.TournamentEntryPaid():
                self._enter(event)
            case e.TournamentEntryReturned():
                self.payments = [one for one in self.payments if one.entry != event.entry]
                if not self.payments_of(event.account):
                    self._leave((event.account,))
            case e.PlayerEliminated():
                self._leave(event.accounts)
                self.out.append(event.accounts)
                if event.disqualified_for:
                    self.disqualified |= set(event.accounts)
            case e.ChipsHandedBack():
                self._leave((event.account,))
                self.out.append((event.account,))
            case e.HandStarted():
                self.dealt[event.round] = event.accounts
            case e.MisdealDeclared():
                self.dealt.pop(event.round, None)
            case e.PrizePoolFixed():
                self.pool = event
            case e.DealAgreed():
                self.deal, self.out_before_deal = event, len(self.out)

    def _enter(self, paid: e.TournamentEntryPaid) -> None:
        """Add a player with chips; after a re-entry the earlier elimination does not count."""
        self.payments.append(paid)
        if paid.account not in self.playing:
            self.playing.append(paid.account)
        others = (tuple(name for name in one if name != paid.account) for one in self.out)
        self.out = [one for one in others if one]

    def _leave(self, names: tuple[str, ...]) -> None:
        self.playing = [name for name in self.playing if name not in names]

    def payments_of(self, account: str) -> list[e.TournamentEntryPaid]:
        """Return the payments of a player that were not returned."""
        return [one for one in self.payments if one.account == account]

    @property
    def stakes(self) -> dict[str, int]:
        """Total payments of each player, in the order of the first payments."""
        names = dict.fromkeys(one.account for one in self.payments)
        return {name: sum(one.amount for one in self.payments_of(name)) for name in names}

    @property
    def entries(self) -> int:
        """Number of buy-ins and re-entries."""
        return sum(one.kind in games.ENTRIES for one in self.payments)

    @property
    def plan(self) -> games.TournamentPlan:
        """Plan of the tournament.

        Raises:
            SettlementError: there is no such plan.
            TypeError: it is not a plan of tournaments.

        """
        plan = games.plan(self.announced.game, self.announced.plan_version)
        if not isinstance(plan, games.TournamentPlan):
            raise TypeError(f"{self.announced.game} is no tournament")
        return plan


@dataclass(frozen=True, slots=True)
class Pool:
    """The money of a tournament, divided by its plan."""

    entries: int
    players: int
    column: str
    money_pool: int
    fee: int
    top_up: int
    prize_pool: int


@dataclass(frozen=True, slots=True)
class Prize:
    """A player's prize; ``place`` is 0 if a deal fixed it. ``line`` has the reason."""

    account: str
    place: int
    due: int
    line: games.ResultLine


def wager_of(paid: e.TournamentEntryPaid) -> games.Wager:
    """Return a payment as a wager of the settlement."""
    return games.Wager(paid.entry, paid.account, paid.kind, paid.amount)


def why_not_over(tournament: Tournament) -> Phrase | None:
    """Return why prizes cannot be determined yet; None if they can."""
    if tournament.pool is None:
        return Phrase("REGISTRATION_OPEN")
    is_shared = tournament.deal is not None and not tournament.deal.playout_percent
    if len(tournament.playing) > 1 and not is_shared:
        return Phrase("PLAYERS_WITH_CHIPS", count=len(tournament.playing))
    return None


def pool_of(tournament: Tournament) -> Pool:
    """Divide the money of a tournament by its plan; places do not matter for this.

    Raises:
        SettlementError: no column of the plan fits, or the format does not allow the payments.
        ValueError: an amount is not valid.
        TypeError: the plan is not one of tournaments.

    """
    players = tournament.stakes
    details = _settle(tournament, [[name] for name in players]).details
    names = ("moneypool", "fee", "top_up", "prize_pool")
    money = (haler_in(details[name]) for name in names)
    return Pool(tournament.entries, len(players), str(details["column"]), *money)


def prizes_of(tournament: Tournament) -> list[Prize]:
    """Return the prizes, the best place first; raises the errors of :func:`pool_of`."""
    places, deal = _places(tournament), tournament.deal
    first = 1 if deal is None else 1 + len(deal.accounts)
    place_of: dict[str, int] = {}
    for number, names in enumerate(places):
        place = first + sum(map(len, places[:number]))
        place_of |= dict.fromkeys(names, place)
    players = {one.entry: one.account for one in tournament.payments}
    prizes = []
    for line in _settle(tournament, places, with_deal=True).lines:
        player = players[line.id]
        if line.payout_haler:
            prizes.append(Prize(player, place_of.get(player, 0), line.payout_haler, line))
    return sorted(prizes, key=lambda one: (one.place, -one.due, one.account))


def _places(tournament: Tournament) -> list[list[str]]:
    """Return the places in order; after a deal only those below the players of the deal."""
    if tournament.deal is not None:
        return [list(names) for names in reversed(tournament.out[: tournament.out_before_deal])]
    winners = [[name] for name in tournament.playing]
    return [*winners, *(list(names) for names in reversed(tournament.out))]


def _settle(
    tournament: Tournament, places: list[list[str]], *, with_deal: bool = False
) -> games.RoundResult:
    announced, money = tournament.announced, games.format_amount
    outcome: dict[str, Any] = {
        "format": announced.format,
        "fee_percent": announced.fee_percent,
        "places": places,
    }
    if announced.guarantee:
        outcome["guarantee"] = money(announced.guarantee)
    deal = tournament.deal if with_deal else None
    if deal is not None:
        shares = zip(deal.accounts, deal.shares, strict=False)
        outcome["deal"] = {
            "registration_closed": tournament.pool is not None,
            "unanimous": True,
            "players": list(deal.accounts),
            "shares": {name: money(share) for name, share in shares},
        }
        if deal.playout_percent:
            winner = next(iter(tournament.playing), "")
            outcome["deal"]["playout"] = {"percent": deal.playout_percent, "winner": winner}
    plan = tournament.plan
    wagers = [wager_of(one) for one in tournament.payments]
    return games.settle_round(plan, wagers, (), plan.read_outcome(outcome, None, ()))
