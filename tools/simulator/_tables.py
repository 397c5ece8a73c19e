"""A table: one round after the other, and what may go wrong in one.

A round: bets open, no more bets, the croupier deals or spins, result, settlement. What is dealt
and how players decide on it is the croupier's business; see ``_croupier``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from ledger.core.clock import SECOND
from ledger.decisions.operator.setup import ResumeTable, SeatDealer, SuspendTable
from ledger.decisions.rounds.closing import CloseBets
from ledger.decisions.rounds.corrections import CorrectWin
from ledger.decisions.rounds.course import OpenRound
from ledger.decisions.rounds.results import ReconstructRound, RecordResult, SettleRound, VoidRound
from tools.simulator._players import Lying, Player

if TYPE_CHECKING:
    from ledger import games
    from tools.simulator._chips import Wish
    from tools.simulator._croupier import Croupier
    from tools.simulator._stage import Script, Stage

__all__ = ["STUDIO", "Round", "Table", "Trouble"]

STUDIO = "studio"
SHIFT_ROUNDS = 40
FEW_CHIPS = 10
Trouble = Literal[
    "invalid_spin",
    "interrupted",
    "exposed_card",
    "misrecorded_card",
    "wrong_payment",
    "unseen_wrong_payment",
]


@dataclass(slots=True)
class Round:
    """A round that runs; ``lying`` are the chips of each player by account.

    ``cards`` and ``actions`` are what was recorded of it, ``void`` is the ground on which the
    croupier gave it up.
    """

    name: str
    table: Table
    closes_after: float
    is_open: bool = True
    bets: int = 0
    lying: dict[str, list[Lying]] = field(default_factory=dict)
    cards: list[games.SeenCard] = field(default_factory=list)
    actions: list[games.Action] = field(default_factory=list)
    number: int | None = None
    field: str = ""
    void: str = ""

    def lay(self, player: Player, stake: int, wish: Wish) -> Lying:
        """Name chips, and note them on the cloth while bets are open."""
        self.bets += 1
        lying = Lying(player, f"{self.name}-{self.bets}", stake, wish)
        if self.is_open:
            self.add(lying)
        return lying

    def add(self, lying: Lying) -> None:
        """Note chips on the cloth."""
        self.lying.setdefault(lying.player.account, []).append(lying)

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

    def chips_of(self, player: Player) -> list[Lying]:
        """List the chips of a player."""
        return self.lying.get(player.account, [])

    def has_bets_of(self, player: Player) -> bool:
        """Return whether chips of a player lie there."""
        return bool(self.lying.get(player.account))


@dataclass(slots=True, eq=False)
class Table:
    """One table of the studio, or of the casino."""

    stage: Stage
    name: str
    croupier: Croupier
    dealers: tuple[str, ...]
    notable: dict[str, str]
    seated: list[Player] = field(default_factory=list)
    boxes: dict[str, str] = field(default_factory=dict)
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

    @property
    def has_room(self) -> bool:
        """Is there a place for one more player?"""
        return len(self.seated) < self.croupier.places

    def open(self) -> None:
        """Open the studio at this table for an evening."""
        self.is_closing = False
        self.stage.play(self._evening(), after=self.stage.random.uniform(1, 40))

    def seat(self, player: Player) -> None:
        """Return a player a place, and a box where the game has boxes."""
        self.boxes[player.account] = self.croupier.box_for(self, player)
        self.seated.append(player)

    def leave(self, player: Player) -> None:
        """Take the place away."""
        self.seated.remove(player)
        del self.boxes[player.account]

    def _evening(self) -> Script:
        while not self.is_closing:
            if self.rounds % SHIFT_ROUNDS == 0:
                dealer = self.stage.random.choice(self.dealers)
                self.stage.send(SeatDealer(table=self.name, dealer=dealer, source=STUDIO))
            if self.stage.moment < self.waits_until:
                yield (self.waits_until - self.stage.moment) / SECOND
            yield from self._play_round()

    def _play_round(self) -> Script:
        random, stage, croupier = self.stage.random, self.stage, self.croupier
        self.rounds += 1
        begins_after = random.uniform(15.5, 18.0)
        closes_after = begins_after + random.uniform(4.5, 6.0)
        current = Round(f"{self.name}-{self.rounds:05d}", self, closes_after)
        croupier.prepare(current)
        stage.send(OpenRound(round=current.name, table=self.name, source=STUDIO))
        self.round = current
        for player in self.seated:
            player.think(current)
        yield begins_after
        croupier.begin(current)
        yield closes_after - begins_after
        for player in self.seated:
            if self.is_suspended or player.is_out_of_time:
                self.take_away(player)  # What may be no bet goes back at the close.
        current.is_open = False
        stage.send(CloseBets(round=current.name, source=STUDIO))
        yield from croupier.deal(current)
        if self.trouble == "interrupted":
            self.note("interrupted", "voided_round", current)
            current.void = "operator_interruption"
        if current.void:
            yield from self._void(current)
        else:
            yield from self._result(current)
        self.bets += len(current.chips())
        current.lying.clear()
        self.round = None
        yield random.uniform(6.5, 9.5)

    def _result(self, current: Round) -> Script:
        random, stage = self.stage.random, self.stage
        yield random.uniform(0.7, 1.6)
        stage.send(RecordResult(round=current.name, source=STUDIO))
        yield random.uniform(0.3, 0.8)
        if len(current.chips()) < FEW_CHIPS or self.is_suspended:
            stage.drain()  # all of them may have been refused
        due = self.croupier.payments(current)
        payments = self._wrong_payments(current, due)
        if current.chips():
            command = SettleRound(round=current.name, payments=payments, source="platform")
            stage.send(command)
        for lying in current.chips():
            lying.give(payments.get(lying.bet, due.get(lying.bet, 0)))

    def _wrong_payments(self, current: Round, due: dict[str, int]) -> dict[str, int]:
        """Pay one winner half of what is due, if it is the turn of this trouble."""
        if self.trouble not in {"wrong_payment", "unseen_wrong_payment"}:
            return {}
        self.stage.drain()
        lying = next((chips for chips in current.chips() if due.get(chips.bet, 0) > 0), None)
        if lying is None:
            return {}
        half = due[lying.bet] // 2
        if self.trouble == "wrong_payment":
            self.note("wrong_payment", "corrected_round", current)
            self.stage.play(self._correct(current.name, lying, due[lying.bet] - half))
        else:
            self.note("unseen_wrong_payment", "wrong_payment_round", current)
        return {lying.bet: half}

    def _correct(self, name: str, lying: Lying, difference: int) -> Script:
        yield self.stage.random.uniform(240, 900)
        cause = "The platform paid half; found by reconciliation."
        self.stage.open_books[lying.player.account] = self.stage.moment
        command = CorrectWin(round=name, bet=lying.bet, difference=difference, cause=cause)
        self.stage.send(command)
        lying.give(lying.back + difference)

    def _void(self, current: Round) -> Script:
        self.voided += 1
        if current.void in self.croupier.reconstructed_first:
            attempt = ReconstructRound(
                round=current.name,
                how="The recording of the cameras was looked through.",
                by="inspector",
                succeeded=False,
                source=STUDIO,
            )
            yield self.stage.random.uniform(45, 90)
            self.stage.send(attempt)
            yield self.stage.random.uniform(5, 15)
        self.stage.send(VoidRound(round=current.name, ground=current.void, source=STUDIO))
        for lying in current.chips():
            lying.give(lying.stake)

    def take_away(self, player: Player) -> None:
        """Return the chips of a player back while bets are open."""
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

    def note(self, trouble: Trouble, what: str, current: Round) -> None:
        """Remember the round in which a trouble happened."""
        self.notable[what] = current.name
        self.troubles.remove(trouble)
