"""The two games of poker against the dealer: Casino Hold'em and Ultimate Texas Hold'em."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, ClassVar

from ledger.games import RANKS, parse_cards
from ledger.games.poker import HandCategory, best_of
from tools.simulator._cloth import WantedBet
from tools.simulator._dealing import DealingTable
from tools.simulator._players import HALER

if TYPE_CHECKING:
    from ledger.games.casino_poker import CasinoHoldemPlan, UltimateHoldemPlan
    from tools.simulator._betting import Chips, Round
    from tools.simulator._players import Player
    from tools.simulator._stage import Script

__all__ = ["CasinoHoldemTable", "UltimateTable"]

SIDE_BETS = 0.35
BLIND_CALLS = 0.03
FOLDS_ANYWAY = 0.05
BOXES = 6
HIGH = RANKS.index("T")
VERY_HIGH = RANKS.index("K")


class _AnteTable(DealingTable):
    """Common parts of both games: one deck, shuffled for every round, ante first."""

    plan: CasinoHoldemPlan | UltimateHoldemPlan
    main: ClassVar[str] = "ante"
    codes: ClassVar[tuple[str, ...]]
    decks: int = 1

    def plan_limits(self) -> list[tuple[str, int, int]]:
        """One range for all bets."""
        limits = self.plan.limits
        return [
            (code, limits.haler_min // HALER, (limits.haler_max or 0) // HALER)
            for code in self.codes
        ]

    def is_main(self, code: str) -> bool:
        """All take the same stakes."""
        del code
        return True

    def some_wish(self, player: Player) -> WantedBet:
        """Return an ante."""
        return WantedBet(self.main, box=self.boxes.get(player.account, ""))

    def choose(self, player: Player, current: Round) -> None:
        """Place an ante; what belongs to it follows when it is accepted."""
        wish, stake = self.some_wish(player), self.a_stake(player, self.main)
        self.bet(player, current, wish, stake, lambda ante: self.place_side_bets(current, ante))

    @abstractmethod
    def place_side_bets(self, current: Round, ante: Chips) -> None:
        """Place what goes with an ante."""

    def place_with(self, current: Round, ante: Chips, code: str, stake: int) -> None:
        """Place a bet beside an ante a little later, if both may still."""

        def place() -> None:
            if self._may_still(current, ante):
                self.bet(ante.player, current, WantedBet(code, box=ante.wish.box), stake)

        self.stage.after(self.random.uniform(0.1, 0.6), place)

    def _may_still(self, current: Round, ante: Chips) -> bool:
        is_there = ante in current.chips_of(ante.player)
        return is_there and current.is_open and not ante.player.is_away


class CasinoHoldemTable(_AnteTable):
    """Deals Casino Hold'em: one box for all."""

    plan: CasinoHoldemPlan
    codes: ClassVar[tuple[str, ...]] = ("ante", "aa")

    def place_side_bets(self, current: Round, ante: Chips) -> None:
        """Perhaps bet on aces, perhaps call without looking."""
        if self.random.random() < SIDE_BETS:
            self.place_with(current, ante, "aa", min(ante.stake, 500 * HALER))
        if self.random.random() < BLIND_CALLS:
            self.stage.after(self.random.uniform(0.7, 1), lambda: self._call_blind(current, ante))

    def _call_blind(self, current: Round, ante: Chips) -> None:
        if self._may_still(current, ante):
            self._call(current, ante, "call_blind")

    def _call(self, current: Round, ante: Chips, action: str) -> bool:
        cost = self.plan.call.times * ante.stake
        is_made = self.act(current, ante.player, action, cost=cost)
        if is_made:
            self.staked(current, ante, action, cost)
        return is_made

    def play(self, current: Round) -> Script:
        """Deal, ask for calls, deal on."""
        current.actions[:] = [
            action
            for action in current.actions
            if any(one.bet.endswith(":call_blind") for one in current.placed.get(action.player, ()))
        ]
        self.card(current, "burn", face_up=False)
        own = []
        for _ in range(2):
            yield self.random.uniform(0.6, 1)
            own.append(self.card(current, "shared"))
            self.card(current, "dealer", face_up=False)
        if self.is_exposed(current, "dealer"):
            return
        board = []
        for _ in range(3):
            yield self.random.uniform(0.4, 0.8)
            board.append(self.card(current, "board"))
        yield from self._ask(current, own, board)
        if all(action.type == "fold" for action in current.actions):
            yield self.random.uniform(1, 2)
            return
        for _ in range(2):
            yield self.random.uniform(0.6, 1.2)
            self.card(current, "board")
        yield self.random.uniform(0.8, 1.5)
        self.reveal(current, "dealer")

    def _ask(self, current: Round, own: list[str], board: list[str]) -> Script:
        """Everybody with an ante calls or folds, or time folds."""
        acted = {action.player for action in current.actions}
        seen = best_of(parse_cards(own), parse_cards(board))
        highest = max(RANKS.index(card[0]) for card in own)
        is_good = seen.category >= HandCategory.ONE_PAIR or highest >= HIGH
        for player, ante in self.players(current):
            if player.account in acted:
                continue
            yield self.random.uniform(0.2, 1.2)
            by = self.automatic(player)
            wants = is_good and not by and self.random.random() >= FOLDS_ANYWAY
            if not (wants and self._call(current, ante, "call")):
                self.act(current, player, "fold", by=by)


class UltimateTable(_AnteTable):
    """Deals Ultimate Texas Hold'em: a box for each player, three moments to raise."""

    plan: UltimateHoldemPlan
    codes: ClassVar[tuple[str, ...]] = ("ante", "blind", "trips")
    seats_max = BOXES

    def box_for(self, player: Player) -> str:
        """Return a free box."""
        del player
        taken = set(self.boxes.values())
        return next(str(box) for box in range(1, BOXES + 1) if str(box) not in taken)

    def place_side_bets(self, current: Round, ante: Chips) -> None:
        """Place the blind, and perhaps trips."""
        self.place_with(current, ante, "blind", ante.stake)
        if self.random.random() < SIDE_BETS:
            self.place_with(current, ante, "trips", ante.stake)

    def settle_in(self, current: Round) -> None:
        """An ante without its blind has come back, and the trips with it."""
        for account, chips in current.placed.items():
            if not any(one.wish.code == "blind" for one in chips):
                for one in chips:
                    one.give(one.stake)
                current.placed[account] = []

    def play(self, current: Round) -> Script:
        """Deal street by street."""
        antes = self.players(current)
        own: dict[str, list[str]] = {ante.wish.box: [] for _, ante in antes}
        for _ in range(2):
            for box, cards in own.items():
                yield self.random.uniform(0.3, 0.6)
                cards.append(self.card(current, box))
            self.card(current, "dealer", face_up=False)
        board: list[str] = []
        raised: set[str] = set()
        for street, number in (("preflop", 0), ("flop", 3), ("river", 2)):
            if number:
                self.card(current, "burn", face_up=False)
            for _ in range(number):
                yield self.random.uniform(0.4, 0.8)
                board.append(self.card(current, "board"))
            for player, ante in antes:
                if player.account not in raised:
                    yield self.random.uniform(0.3, 1.5)
                    if self._raises(current, ante, street, own[ante.wish.box], board):
                        raised.add(player.account)
        yield self.random.uniform(0.8, 1.5)
        self.reveal(current, "dealer")

    def _raises(
        self, current: Round, ante: Chips, street: str, own: list[str], board: list[str]
    ) -> bool:
        """Raise, check or fold; true for a raise."""
        times = {"preflop": self.random.choice((4, 4, 3)), "flop": 2, "river": 1}[street]
        cost, player, box = times * ante.stake, ante.player, ante.wish.box
        if _is_worth(street, own, board) and self.act(
            current, player, "raise", box, cost=cost, street=street, times=times
        ):
            self.staked(current, ante, "play", cost)
            return True
        self.act(current, player, "fold" if street == "river" else "check", box, street=street)
        return False


def _is_worth(street: str, own: list[str], board: list[str]) -> bool:
    """Judge a hand as a careful player would."""
    ranks = sorted((RANKS.index(card[0]) for card in own), reverse=True)
    if street == "preflop":
        return ranks[0] == ranks[1] or ranks[0] == len(RANKS) - 1 or ranks[1] >= HIGH
    seen = best_of(parse_cards(own), parse_cards(board))
    if seen.category > HandCategory.ONE_PAIR:
        return True
    paired = any(card[0] in {other[0] for other in board} for card in own) or ranks[0] == ranks[1]
    return paired or (street == "river" and ranks[0] >= VERY_HIGH)
