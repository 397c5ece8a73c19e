"""A table where players bet against the house: their bets, and the results of their commands."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ledger import games
from ledger.core.clock import MINUTE
from ledger.decisions.accounts.sessions import LogOut
from ledger.decisions.rounds.betting import PlaceBet, WithdrawBet
from ledger.decisions.rounds.seats import Disconnect
from tools.simulator._players import HALER, Player, Table

if TYPE_CHECKING:
    from collections.abc import Callable

    from ledger.writer import Receipt
    from tools.simulator._cloth import WantedBet
    from tools.simulator._stage import Script

__all__ = ["BettingTable", "Chips", "Round"]

TAKEN_BACK = 0.04
LINE_BREAKS = 0.0012
TRIES_ANYWAY = 0.06
GOES_HOME = 0.3
BREAK_MINUTES = (15.2, 19.0)
BETTING_SECONDS = (1.2, 20.5)
TOO_LATE = 0.002
GONE_FOR_TODAY = frozenset(
    {"EXCLUDED", "PANIC_BLOCK", "CANCELLATION_RUNS", "MEASURES_MISSING", "NOT_LOGGED_IN"}
)


@dataclass(slots=True, eq=False)
class Chips:
    """Chips of a player on the table; ``back`` is the amount returned to the wallet so far."""

    player: Player
    bet: str
    stake: int
    wish: WantedBet
    back: int = 0

    def give(self, amount: int) -> None:
        """Set the total amount returned for these chips: a payment, the stake, or 0."""
        self.player.wallet += amount - self.back
        self.back = amount

    @property
    def number(self) -> int:
        """The number of the bet in its round."""
        return int(self.bet.partition(":")[0].rpartition("-")[2])


@dataclass(slots=True)
class Round:
    """A round in progress; ``placed`` are the chips of each player by account.

    ``cards`` and ``actions`` are those recorded; ``void`` is the ground on which the dealer
    declared the round void.
    """

    name: str
    closes_after: float
    is_open: bool = True
    bets: int = 0
    placed: dict[str, list[Chips]] = field(default_factory=dict)
    cards: list[games.RecordedCard] = field(default_factory=list)
    actions: list[games.Action] = field(default_factory=list)
    number: int | None = None
    field: str = ""
    void: str = ""

    def place(self, player: Player, stake: int, wish: WantedBet) -> Chips:
        """Name chips, and note them on the table while bets are open."""
        self.bets += 1
        chips = Chips(player, f"{self.name}-{self.bets}", stake, wish)
        if self.is_open:
            self.add(chips)
        return chips

    def add(self, chips: Chips) -> None:
        """Note chips on the table."""
        self.placed.setdefault(chips.player.account, []).append(chips)

    def lift(self, chips: Chips) -> bool:
        """Remove chips; return False if they are not there."""
        there = self.chips_of(chips.player)
        if chips not in there:
            return False
        there.remove(chips)
        return True

    def chips(self) -> list[Chips]:
        """List all chips on the table."""
        return [chips for placed in self.placed.values() for chips in placed]

    def chips_of(self, player: Player) -> list[Chips]:
        """List the chips of a player."""
        return self.placed.get(player.account, [])


@dataclass(eq=False)
class BettingTable(Table):
    """A table, in a round or between two; ``boxes`` maps accounts to their boxes."""

    boxes: dict[str, str] = field(default_factory=dict)
    round: Round | None = None
    is_suspended: bool = False

    plan: games.GamePlan = field(init=False)

    def __post_init__(self) -> None:
        """Use the newest version of the game's plan."""
        self.plan = games.plan(self.game)

    @abstractmethod
    def choose(self, player: Player, current: Round) -> None:
        """Have a player place chips in a round that is open or was just closed."""

    def how_many(self, player: Player) -> int:
        """Choose how many bets a player places by and by."""
        del player
        return 1

    def box_for(self, player: Player) -> str:
        """Return the box of a player who sits down, or nothing."""
        del player
        return ""

    def seat(self, player: Player) -> None:
        """Assign a seat to a player, and a box where the game has boxes."""
        self.boxes[player.account] = self.box_for(player)
        super().seat(player)

    def leave(self, player: Player) -> None:
        """Release a player's seat and box."""
        super().leave(player)
        del self.boxes[player.account]

    def has_bets_of(self, player: Player) -> bool:
        """Return whether chips of a player are on the table."""
        return self.round is not None and bool(self.round.chips_of(player))

    def take_away(self, player: Player) -> None:
        """Return a player's chips while bets are open."""
        if self.round is not None and self.round.is_open:
            for chips in self.round.placed.pop(player.account, []):
                chips.give(chips.stake)

    def offer(self, player: Player, current: Round) -> None:
        """Have a player decide whether to bet in a round that opened."""
        moment = self.stage.moment
        if player.is_away or moment < player.pause_until or moment >= player.leave_at:
            return
        if self.random.random() < LINE_BREAKS and self.plan.header.streamed:
            self.stage.play(self._line_breaks(player), after=self.random.uniform(5, 35))
        if self.random.random() < player.habit.eagerness:
            for _ in range(self.how_many(player)):
                after = self._when_to_bet(current)
                self.stage.after(after, lambda: self._let_bet(player, current))

    def _when_to_bet(self, current: Round) -> float:
        """Choose when a player places chips; rarely it is too late."""
        if self.random.random() < TOO_LATE:
            return current.closes_after + self.random.uniform(0.1, 1.9)
        return self.random.uniform(*BETTING_SECONDS)

    def _let_bet(self, player: Player, current: Round) -> None:
        if player.table is not self or player.is_away or self.stage.moment < player.pause_until:
            return
        if not self.is_suspended or self.random.random() < TRIES_ANYWAY:
            self.choose(player, current)

    def bet(
        self,
        player: Player,
        current: Round,
        wish: WantedBet,
        stake: int = 0,
        then: Callable[[Chips], None] | None = None,
    ) -> None:
        """Place chips; ``then`` is called with them when the ledger has accepted them."""
        random = self.random
        stake = stake or random.choice(player.habit.chips) * HALER * wish.chips
        if stake > player.wallet and random.random() >= TRIES_ANYWAY:
            self._is_short(player, stake)
            return
        chips = current.place(player, stake, wish)
        player.wallet -= stake

        def answer(receipt: Receipt) -> None:
            if receipt.refused is not None:
                current.lift(chips)
                chips.give(stake)
                self._is_refused(player, receipt.refused.code)
                return
            if current.is_open and random.random() < TAKEN_BACK:
                after = random.uniform(0.8, 4)
                self.stage.after(after, lambda: self._take_back(current, chips))
            if then is not None:
                then(chips)

        self.stage.send(
            PlaceBet(
                bet=chips.bet,
                account=player.account,
                round=current.name,
                bet_code=wish.code,
                selection=wish.selection,
                box=wish.box,
                stake=stake,
                source=player.app,
            ),
            answer,
        )

    def _take_back(self, current: Round, chips: Chips) -> None:
        """Take chips back, together with bets that depend on them."""
        player = chips.player
        if not current.is_open or not current.lift(chips):
            return
        tied = current.chips_of(player) if self.plan.bets_depend else []
        if any(one.number < chips.number for one in tied):
            current.add(chips)  # Only the bet that the others need is taken back.
            return
        for one in (chips, *tied):
            one.give(one.stake)
        tied.clear()
        command = WithdrawBet(
            bet=chips.bet, account=player.account, round=current.name, source=player.app
        )
        self.stage.send(command)

    def _is_refused(self, player: Player, code: str) -> None:
        random, moment = self.random, self.stage.moment
        if code == "BREAK_REQUIRED":
            if player.table is self:
                self.notable.setdefault("rested_account", player.account)
            player.pause_until = moment + round(random.uniform(*BREAK_MINUTES) * MINUTE)
        elif code == "MEASURE_LOGIN_TIME" and player.table is self and player.logged_in_at:
            self._is_logged_out(player)
        elif code in GONE_FOR_TODAY or code.startswith("MEASURE_"):
            player.pause_until = moment + MINUTE
            player.leave_at = min(player.leave_at, moment + random.randint(1, 4) * MINUTE)
        elif code == "INSUFFICIENT_FUNDS":
            player.leave_at = moment

    def _is_logged_out(self, player: Player) -> None:
        """The platform ends the session; chips that are no bet yet come back."""
        self.stage.send(LogOut(account=player.account, cause="time_limit", source="platform"))
        player.logged_in_at = 0
        self.take_away(player)
        player.leave_at = self.stage.moment

    def _is_short(self, player: Player, stake: int) -> None:
        if self.random.random() < GOES_HOME:
            player.leave_at = self.stage.moment
        else:
            bankroll = self.random.randint(*player.habit.bankroll) // 100 * 100 * HALER
            player.pay_in(max(bankroll, stake))

    def _line_breaks(self, player: Player) -> Script:
        if player.table is not self or player.is_away:
            return
        player.is_away = True
        self.stage.send(Disconnect(account=player.account, table=self.name, source="studio"))
        self.take_away(player)
        yield self.random.uniform(8, 150)
        player.come_back()
