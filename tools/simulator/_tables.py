"""A table: one round after the other, and what may go wrong in one.

A round: bets open, the wheel is set in motion, no more bets, the ball comes to rest, result,
settlement; about 45 seconds to the next.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from ledger.clock import SECOND
from ledger.house.setup import ResumeTable, SeatDealer, SuspendTable
from ledger.rounds.betting import CloseBets
from ledger.rounds.corrections import CorrectWin
from ledger.rounds.course import OpenRound
from ledger.rounds.results import RecordResult, SettleRound, VoidRound
from ledger.rounds.studio import InvalidateSpin, LandBall, SpinWheel
from tools.simulator._players import Lying, Player

if TYPE_CHECKING:
    from tools.simulator._chips import Cloth, Wish
    from tools.simulator._stage import Script, Stage

__all__ = ["Round", "Table", "Trouble"]

STUDIO = "studio"
RED = frozenset({1, 3, 5, 7, 9, 12, 14, 16, 18, 19, 21, 23, 25, 27, 30, 32, 34, 36})
POCKETS = 37
SHIFT_ROUNDS = 40
FEW_CHIPS = 4
Trouble = Literal["invalid_spin", "interrupted", "wrong_payment", "unseen_wrong_payment"]


@dataclass(slots=True)
class Round:
    """A round that runs; ``lying`` are the chips of each player by account."""

    name: str
    table: Table
    closes_after: float
    is_open: bool = True
    bets: int = 0
    lying: dict[str, list[Lying]] = field(default_factory=dict)

    def lay(self, player: Player, stake: int, wish: Wish) -> Lying:
        """Name chips, and note them on the cloth while bets are open."""
        self.bets += 1
        lying = Lying(player, f"{self.name}-{self.bets}", stake, wish)
        if self.is_open:
            self.lying.setdefault(player.account, []).append(lying)
        return lying

    def lift(self, lying: Lying) -> bool:
        """Take chips away; false when they do not lie there."""
        chips = self.lying.get(lying.player.account, [])
        if lying not in chips:
            return False
        chips.remove(lying)
        return True

    def chips(self) -> list[Lying]:
        """List all chips on the cloth."""
        return [lying for chips in self.lying.values() for lying in chips]

    def has_bets_of(self, player: Player) -> bool:
        """Tell whether chips of a player lie there."""
        return bool(self.lying.get(player.account))


@dataclass(slots=True)
class Table:
    """One table of the studio."""

    stage: Stage
    name: str
    game: str
    cloth: Cloth
    dealers: tuple[str, ...]
    notable: dict[str, str]
    seated: list[Player] = field(default_factory=list)
    rounds: int = 0
    voided: int = 0
    bets: int = 0
    round: Round | None = None
    is_closing: bool = False
    troubles: list[Trouble] = field(default_factory=list)
    waits_until: int = 0
    is_suspended: bool = False

    @property
    def trouble(self) -> Trouble | None:
        """What is to go wrong next."""
        return self.troubles[0] if self.troubles else None

    def open(self) -> None:
        """Open the studio at this table for an evening."""
        self.is_closing = False
        self.stage.play(self._evening(), after=self.stage.random.uniform(1, 40))

    def _evening(self) -> Script:
        while not self.is_closing:
            if self.rounds % SHIFT_ROUNDS == 0:
                dealer = self.stage.random.choice(self.dealers)
                self.stage.send(SeatDealer(table=self.name, dealer=dealer, source=STUDIO))
            if self.stage.moment < self.waits_until:
                yield (self.waits_until - self.stage.moment) / SECOND
            yield from self._play_round()

    def _play_round(self) -> Script:
        random, stage = self.stage.random, self.stage
        self.rounds += 1
        spins_after = random.uniform(15.5, 18.0)
        closes_after = spins_after + random.uniform(4.5, 6.0)
        current = Round(f"{self.name}-{self.rounds:05d}", self, closes_after)
        stage.send(OpenRound(round=current.name, table=self.name, source=STUDIO))
        self.round = current
        for player in self.seated:
            player.think(current)
        yield spins_after
        self._spin(current)
        yield closes_after - spins_after
        current.is_open = False
        stage.send(CloseBets(round=current.name, source=STUDIO))
        if self.trouble == "invalid_spin":
            self._note("invalid_spin_round", current)
            yield random.uniform(3, 6)
            invalid = InvalidateSpin(round=current.name, cause="foreign_object", source=STUDIO)
            stage.send(invalid)
            yield random.uniform(8, 14)
            self._spin(current)
        yield random.uniform(9.5, 13.5)
        if self.trouble == "interrupted":
            self._void(current)
        else:
            yield from self._result(current)
        self.bets += len(current.chips())
        current.lying.clear()
        self.round = None
        yield random.uniform(6.5, 9.5)

    def _spin(self, current: Round) -> None:
        random = self.stage.random
        clockwise = random.choice((True, False))
        self.stage.send(
            SpinWheel(
                round=current.name,
                wheel_direction="clockwise" if clockwise else "counterclockwise",
                ball_direction="counterclockwise" if clockwise else "clockwise",
                revolutions=random.randint(8, 17),
                source=STUDIO,
            )
        )

    def _result(self, current: Round) -> Script:
        random, stage = self.stage.random, self.stage
        number = random.randrange(POCKETS)
        stage.send(LandBall(round=current.name, number=number, source=STUDIO))
        yield random.uniform(0.7, 1.6)
        stage.send(
            RecordResult(
                round=current.name,
                outcome={"number": number},
                wording=_in_words(number),
                source=STUDIO,
            )
        )
        yield random.uniform(0.3, 0.8)
        payments = self._wrong_payments(current, number)
        if len(current.chips()) < FEW_CHIPS or self.is_suspended:
            stage.drain()  # all of them may have been refused
        if current.chips():
            command = SettleRound(round=current.name, payments=payments, source="platform")
            stage.send(command)
        for lying in current.chips():
            lying.give(payments.get(lying.bet, _due(lying, number)))

    def _wrong_payments(self, current: Round, number: int) -> dict[str, int]:
        """Pay one winner half of what is due, if it is the turn of this trouble."""
        if self.trouble not in {"wrong_payment", "unseen_wrong_payment"}:
            return {}
        self.stage.drain()
        lying = next((chips for chips in current.chips() if _due(chips, number) > 0), None)
        if lying is None:
            return {}
        due = _due(lying, number)
        if self.trouble == "wrong_payment":
            self._note("corrected_round", current)
            self.stage.play(self._correct(current.name, lying, due - due // 2))
        else:
            self._note("wrong_payment_round", current)
        return {lying.bet: due // 2}

    def _correct(self, name: str, lying: Lying, difference: int) -> Script:
        yield self.stage.random.uniform(240, 900)
        cause = "The platform paid half; found by reconciliation."
        self.stage.open_books[lying.player.account] = self.stage.moment
        command = CorrectWin(round=name, bet=lying.bet, difference=difference, cause=cause)
        self.stage.send(command)
        lying.give(lying.back + difference)

    def _void(self, current: Round) -> None:
        self._note("voided_round", current)
        self.voided += 1
        ground = "operator_interruption"
        self.stage.send(VoidRound(round=current.name, ground=ground, source=STUDIO))
        for lying in current.chips():
            lying.give(lying.stake)

    def take_away(self, player: Player) -> None:
        """Give the chips of a player back while bets are open."""
        if self.round is not None and self.round.is_open:
            for lying in self.round.lying.pop(player.account, []):
                lying.give(lying.stake)

    def suspend(self, cause: str, seconds: float) -> Script:
        """Accept no bets for some time."""
        self.waits_until = self.stage.moment + round((seconds + 5) * SECOND)
        self.stage.send(SuspendTable(table=self.name, cause=cause, source=STUDIO))
        self.is_suspended = True
        yield seconds
        self.is_suspended = False
        self.stage.send(ResumeTable(table=self.name, cause="The fault is mended.", source=STUDIO))

    def _note(self, what: str, current: Round) -> None:
        self.notable[what] = current.name
        del self.troubles[0]


def _due(lying: Lying, number: int) -> int:
    bet = lying.wish.bet
    return lying.stake // bet.chips * bet.returns[number]


def _in_words(number: int) -> str:
    if number == 0:
        return "0 green"
    return f"{number} {'red' if number in RED else 'black'}"
