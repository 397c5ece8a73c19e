"""A tournament from its announcement to its prizes, eight days later: one table, chips, places."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ledger import games
from ledger.core.clock import DAY, SECOND, in_prague
from ledger.decisions.tournaments.entries import PayTournamentEntry, ReturnTournamentEntry
from ledger.decisions.tournaments.seating import DrawSeat
from ledger.decisions.tournaments.stages import (
    AgreeDeal,
    AnnounceTournament,
    CloseRegistration,
    EliminatePlayers,
    EndTournament,
    StartTournament,
)
from ledger.games.poker import first_positions, next_positions
from ledger.games.tournament import TournamentPlan, prizes_by_place
from tools.simulator._duties import clock_measured
from tools.simulator._ofc import DealtOpenFace
from tools.simulator._poker_hand import PLAN, DealtHand, Seat

if TYPE_CHECKING:
    from ledger.games.poker import Positions
    from tools.simulator._players import Player
    from tools.simulator._stage import Script, Stage

__all__ = ["Tournament"]

DESK = "tournament desk"
CROWN = 100
CHIP = 100
DAYS_BEFORE = 8
STARTING_STACK = 5_000 * CHIP
HANDS_A_LEVEL = 6
DEAL_FROM = 3
DEAL_AFTER_HANDS = 30
FEE_PERCENT = 10


@dataclass(slots=True)
class Tournament:
    """One tournament; ``play`` is its script, given the players who enter."""

    stage: Stage
    name: str
    game: str
    table: str
    notable: dict[str, str]
    buy_in: int = 1_000 * CROWN
    guarantee: int = 0
    stacks: dict[str, int] = field(default_factory=dict)
    entrants: set[str] = field(default_factory=set)
    entries: int = 0
    rounds: int = 0
    seats: int = 0
    has_deal: bool = False
    last_positions: Positions | None = None
    fantasyland: dict[str, int] = field(default_factory=dict)

    @property
    def is_open_face(self) -> bool:
        """Is it played in open-face?"""
        return "ofc" in self.game

    @property
    def seats_max(self) -> int:
        """Number of players at the table."""
        return 3 if self.is_open_face else 9

    def play(self, players: list[Player]) -> Script:
        """Announce, take entries, and eight days later play to the end."""
        stage = self.stage
        starts_at = stage.moment + DAYS_BEFORE * DAY
        stage.send(
            AnnounceTournament(
                tournament=self.name,
                game=self.game,
                name="Friday cup",
                format="re_entry",
                structure=f"levels of {HANDS_A_LEVEL} hands, from 50 chips a blind or point",
                fee_percent=str(FEE_PERCENT),
                starts_at=in_prague(starts_at),
                buy_in=self.buy_in,
                starting_stack=STARTING_STACK,
                guarantee=self.guarantee,
                limit="" if self.is_open_face else "no limit",
                deal_conditions="all prizes are shared, unanimously",
                source=DESK,
            )
        )
        self.notable.setdefault("tournament", self.name)
        for player in players[: self.seats_max + 1]:
            yield stage.random.uniform(20, 200)
            self._enter(player, "buy_in")
        for player in players:
            player.log_out()
        yield (starts_at - stage.moment) / SECOND + 1
        clock_measured(stage, skew=0)  # the clock was not measured for a week
        stage.send(StartTournament(tournament=self.name, source=DESK))
        self._withdraw(players)
        for name in self.stacks:
            self._draw_seat(name)
        yield from self._play(players)

    def _draw_seat(self, name: str) -> None:
        """Seat a player to the right of all who are there."""
        self.seats += 1
        self.stage.send(
            DrawSeat(
                tournament=self.name, account=name, table=self.table, seat=self.seats, source=DESK
            )
        )

    def _enter(self, player: Player, kind: str) -> bool:
        command = PayTournamentEntry(
            tournament=self.name,
            account=player.account,
            kind=kind,  # type: ignore[arg-type]
            amount=self.buy_in,
            source=DESK,
        )
        if player.wallet < self.buy_in or self.stage.ask(command).refused is not None:
            return False
        player.wallet -= self.buy_in
        self.stacks[player.account] = STARTING_STACK
        self.entrants.add(player.account)
        self.entries += 1
        return True

    def _enter_again(self, player: Player) -> None:
        """Some who lost their chips buy new ones; for that they have to be logged in."""
        if self.stage.random.random() < 0.5:  # noqa: PLR2004 - a taste
            is_back = self._enter(player, "re_entry")
            if not is_back:
                player.log_in()
                is_back = self._enter(player, "re_entry")
            if is_back:
                self._draw_seat(player.account)

    def _withdraw(self, players: list[Player]) -> None:
        """Refund each player without a seat before the first hand."""
        for player in players[self.seats_max :]:
            if self.stacks.pop(player.account, 0):
                command = ReturnTournamentEntry(
                    tournament=self.name, account=player.account, source=DESK
                )
                self.stage.send(command)
                player.wallet += self.buy_in
                self.entrants.discard(player.account)
                self.entries -= 1

    def _play(self, players: list[Player]) -> Script:
        stage = self.stage
        by_account = {player.account: player for player in players}
        is_open = True
        while len(self.stacks) > 1 and not self.has_deal:
            if is_open and self.rounds >= HANDS_A_LEVEL:
                is_open = False
                stage.send(CloseRegistration(tournament=self.name, source=DESK))
            yield from self._hand()
            gone = [name for name, stack in self.stacks.items() if not stack]
            if gone:
                self._eliminate(gone)
            for name in gone if is_open else []:
                self._enter_again(by_account[name])
            if not is_open and len(self.stacks) == DEAL_FROM and self.rounds >= DEAL_AFTER_HANDS:
                yield from self._deal()
        if is_open:
            stage.send(CloseRegistration(tournament=self.name, source=DESK))
        stage.send(EndTournament(tournament=self.name, source=DESK))
        stage.drain()

    def _eliminate(self, gone: list[str]) -> None:
        for name in gone:
            del self.stacks[name]
        self.stage.send(
            EliminatePlayers(
                tournament=self.name,
                accounts=gone,
                round=f"{self.table}-{self.rounds:05d}",
                source=DESK,
            )
        )

    def _hand(self) -> Script:
        self.rounds += 1
        level = min(self.rounds // HANDS_A_LEVEL, 7)
        small = 50 * CHIP * 2**level
        names = list(self.stacks)
        turn = self.rounds % len(names) if self.is_open_face else 0
        seats = [Seat(name, self.stacks[name]) for name in names[turn:] + names[:turn]]
        name = f"{self.table}-{self.rounds:05d}"
        hand: DealtHand | DealtOpenFace
        if self.is_open_face:
            hand = DealtOpenFace(
                self.stage, name, self.table, self.game, seats, small, self.fantasyland, self.name
            )
        else:
            before = self.last_positions
            moved = before and next_positions(before, names)
            self.last_positions = moved or first_positions(names, names[0])
            hand = DealtHand(
                self.stage, name, self.table, self.game, seats, (small, 2 * small),
                self.last_positions, tournament=self.name,
            )  # fmt: skip
        yield from hand.play()
        if not hand.is_started:
            raise RuntimeError(f"hand {name} of tournament {self.name} did not begin")
        for seat in seats:
            self.stacks[seat.account] = seat.stack
        yield self.stage.random.uniform(5, 15)

    def _deal(self) -> Script:
        """The last three share equally; what can't be divided goes to the first named."""
        yield 60
        self.stage.drain()
        names = list(self.stacks)
        prizes = self._open_prizes(len(names))
        share, rest = divmod(prizes, len(names))
        shares = {name: share + (rest if name == names[0] else 0) for name in names}
        command = AgreeDeal(tournament=self.name, shares=shares, unanimous=True, source=DESK)
        self.has_deal = self.stage.ask(command).refused is None

    def _open_prizes(self, players: int) -> int:
        """Add up the prizes of the first places, as the plan divides the money paid in."""
        plan = games.plan(self.game, PLAN)
        assert isinstance(plan, TournamentPlan)  # noqa: S101 - the table has such a game
        money_pool = self.entries * self.buy_in
        pool = max(money_pool - money_pool * FEE_PERCENT // 100, self.guarantee)
        column = plan.payouts.column(self.entries)
        return sum(prizes_by_place(column, pool, len(self.entrants))[:players])
