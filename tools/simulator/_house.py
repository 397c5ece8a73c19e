"""A table of the house: one round after the other, and what may go wrong in one.

A round: bets open, no more bets, the dealer deals or spins, result, settlement. The table plays
one game by the approved plan, as studio and players together: players act by a simple
strategy, and time acts for absent players. What is dealt the games say, in modules of their own.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, ClassVar

from ledger import games
from ledger.core.clock import SECOND, to_datetime
from ledger.decisions.operator.setup import AnnounceFault, ResumeTable, SuspendTable
from ledger.decisions.rounds.closing import CloseBets
from ledger.decisions.rounds.corrections import CorrectWin
from ledger.decisions.rounds.opening import OpenRound
from ledger.decisions.rounds.recordings import KeepRecording
from ledger.decisions.rounds.results import ReconstructRound, RecordResult, SettleRound, VoidRound
from ledger.decisions.rounds.rulings import CheckPayouts, GiveRuling, HoldPayout, ReleasePayout
from tools.simulator._betting import BettingTable, Chips, Round

if TYPE_CHECKING:
    from tools.simulator._cloth import WantedBet
    from tools.simulator._players import Incident, Player
    from tools.simulator._stage import Script

__all__ = ["CHIP_SMALLEST", "STUDIO", "HouseTable"]

STUDIO = "studio"
SHIFT_ROUNDS = 40
FEW_CHIPS = 10
CHIP_SMALLEST = 20
ALWAYS: frozenset[Incident] = frozenset({"held_payout", "wrong_payment", "unseen_wrong_payment"})


class HouseTable(BettingTable):
    """A table of one game against the house; subclasses deal the game."""

    device: ClassVar[str] = "shoe"
    round_largest: ClassVar[int] = 0
    waits_until: int = 0

    @property
    @abstractmethod
    def limits(self) -> dict[str, tuple[int, int]]:
        """Smallest and largest stakes of the table by bet code, in crowns."""

    def knows(self, incident: Incident) -> bool:
        """Can this go wrong at the table?"""
        if incident == "interrupted":
            return self.may_void("operator_interruption")
        return incident in ALWAYS

    def prepare(self) -> None:
        """Get ready before bets open."""

    @abstractmethod
    def some_wish(self, player: Player) -> WantedBet:
        """Return a bet that needs no other."""

    def begin(self, current: Round) -> None:
        """Do what comes before the close."""
        del current

    @abstractmethod
    def deal(self, current: Round) -> Script:
        """Play from the close to the last fact before the result."""

    def payments(self, current: Round) -> dict[str, int]:
        """Return what the plan gives, as the platform reckons it."""
        wagers = [
            games.Wager(
                id=chips.bet,
                player=chips.player.account,
                bet=chips.wish.code,
                stake_haler=chips.stake,
                box=chips.wish.box or None,
            )
            for chips in current.chips()
            if ":" not in chips.bet
        ]
        if not wagers:
            return {}
        wagers.sort(key=lambda wager: int(wager.id.rpartition("-")[2]))
        facts = games.RoundFacts(
            wagers, current.actions, current.cards, current.number, current.field
        )
        seen = self.plan.outcome_from_facts(facts) or {}
        outcome = self.plan.read_outcome(seen, None, ())
        result = games.settle_round(self.plan, wagers, current.actions, outcome)
        return {line.id: line.payout_haler for line in result.lines}

    def may_void(self, ground: str) -> bool:
        """Is this a ground on which the plan declares a round void?"""
        return self.plan.may_void(ground, everybody=True)

    def evening(self) -> Script:
        """Play one round after the other."""
        while not self.is_closing:
            if self.rounds % SHIFT_ROUNDS == 0:
                self.change_dealer(STUDIO)
            if self.stage.moment < self.waits_until:
                yield (self.waits_until - self.stage.moment) / SECOND
            yield from self._play_round()

    def _play_round(self) -> Script:
        random, stage = self.random, self.stage
        self.rounds += 1
        begins_after = random.uniform(15.5, 18.0)
        closes_after = begins_after + random.uniform(4.5, 6.0)
        current = Round(f"{self.name}-{self.rounds:05d}", closes_after)
        self.prepare()
        opened_at = stage.moment
        stage.send(OpenRound(round=current.name, table=self.name, source=STUDIO))
        self.round = current
        for player in self.seated:
            self.offer(player, current)
        yield begins_after
        self.begin(current)
        yield closes_after - begins_after
        for player in self.seated:
            if self.is_suspended or player.is_out_of_time:
                self.take_away(player)  # What may be no bet goes back at the close.
        current.is_open = False
        stage.send(CloseBets(round=current.name, source=STUDIO))
        yield from self.deal(current)
        if self.incident == "interrupted":
            self.note("interrupted", "voided_round", current.name)
            current.void = "operator_interruption"
        if current.void:
            yield from self._void(current)
        else:
            yield from self._result(current)
        current.placed.clear()
        self.round = None
        for player in self.seated if self.plan.header.streamed else ():
            player.be_informed()
        yield random.uniform(6.5, 9.5)
        self._keep_recording(current.name, opened_at)

    def _keep_recording(self, name: str, opened_at: int) -> None:
        self.stage.send(
            KeepRecording(
                round=name,
                camera=f"camera-{self.name}",
                recording=f"{self.name}/{name}.mkv",
                begins_at=to_datetime(opened_at),
                ends_at=to_datetime(self.stage.moment),
                sound=True,
                source=STUDIO,
            )
        )

    def _result(self, current: Round) -> Script:
        random, stage = self.random, self.stage
        yield random.uniform(0.7, 1.6)
        stage.send(RecordResult(round=current.name, source=STUDIO))
        yield random.uniform(0.3, 0.8)
        if len(current.chips()) < FEW_CHIPS or self.is_suspended:
            stage.drain()  # all of them may have been refused
        due = self.payments(current)
        payments = self._wrong_payments(current, due)
        held = self._hold(current, due)
        paid_now = [chips for chips in current.chips() if chips not in held]
        if paid_now:
            command = SettleRound(round=current.name, payments=payments, source="platform")
            stage.send(command)
            if self.plan.payouts_inspected:
                stage.send(
                    CheckPayouts(
                        round=current.name, by="inspector", correct=not payments, source=STUDIO
                    )
                )
        for chips in paid_now:
            chips.give(payments.get(chips.bet, due.get(chips.bet, 0)))

    def _hold(self, current: Round, due: dict[str, int]) -> list[Chips]:
        """Put what one winner gets on hold, if it is the turn of that; release it later."""
        if self.incident != "held_payout":
            return []
        self.stage.drain()
        winner = next((one.player for one in current.chips() if due.get(one.bet, 0) > 0), None)
        if winner is None:
            return []
        self.note("held_payout", "held_round", current.name)
        self.stage.send(
            HoldPayout(
                round=current.name,
                account=winner.account,
                by="floor manager",
                paragraph="SAZKA 15(1)",
                cause="Bets may have been agreed with another participant.",
                source=STUDIO,
            )
        )
        held = [chips for chips in current.chips() if chips.player is winner]
        self.stage.play(self._release(current.name, held, due))
        return held

    def _release(self, name: str, held: list[Chips], due: dict[str, int]) -> Script:
        yield self.random.uniform(60, 180)
        account, stage = held[0].player.account, self.stage
        stage.send(
            GiveRuling(
                round=name,
                account=account,
                role="management",
                by="floor manager",
                matter="Bets agreed with another participant?",
                ruling="The recordings show none.",
                source=STUDIO,
            )
        )
        stage.send(
            ReleasePayout(
                round=name,
                account=account,
                by="floor manager",
                cause="None was found.",
                source=STUDIO,
            )
        )
        stage.open_books[account] = stage.moment
        stage.send(SettleRound(round=name, source="platform"))
        for chips in held:
            chips.give(due.get(chips.bet, 0))

    def _wrong_payments(self, current: Round, due: dict[str, int]) -> dict[str, int]:
        """Pay one winner half of what is due, if it is the turn of that."""
        if self.incident not in {"wrong_payment", "unseen_wrong_payment"}:
            return {}
        self.stage.drain()
        chips = next((one for one in current.chips() if due.get(one.bet, 0) > 0), None)
        if chips is None:
            return {}
        half = due[chips.bet] // 2
        if self.incident == "wrong_payment":
            self.note("wrong_payment", "corrected_round", current.name)
            self.stage.play(self._correct(current.name, chips, due[chips.bet] - half))
        else:
            self.note("unseen_wrong_payment", "wrong_payment_round", current.name)
        return {chips.bet: half}

    def _correct(self, name: str, chips: Chips, difference: int) -> Script:
        yield self.random.uniform(240, 900)
        cause = "The platform paid half; found by reconciliation."
        self.stage.open_books[chips.player.account] = self.stage.moment
        command = CorrectWin(round=name, bet=chips.bet, difference=difference, cause=cause)
        self.stage.send(command)
        chips.give(chips.back + difference)

    def _void(self, current: Round) -> Script:
        self.voided += 1
        if self.plan.needs_reconstruction(current.void):
            attempt = ReconstructRound(
                round=current.name,
                how="The recording of the cameras was looked through.",
                by="inspector",
                succeeded=False,
                source=STUDIO,
            )
            yield self.random.uniform(45, 90)
            self.stage.send(attempt)
            yield self.random.uniform(5, 15)
        is_paused = current.void in self.plan.announced_before_void
        if is_paused:
            cause = "A fault of the game."
            self.stage.send(SuspendTable(table=self.name, cause=cause, source=STUDIO))
            self.stage.send(
                AnnounceFault(
                    table=self.name,
                    channels=["voice", "chat"],
                    wording="The round is cancelled; all stakes go back.",
                    by="dealer",
                    source=STUDIO,
                )
            )
        self.stage.send(VoidRound(round=current.name, ground=current.void, source=STUDIO))
        if is_paused:
            self.stage.send(
                ResumeTable(table=self.name, cause="The fault is mended.", source=STUDIO)
            )
        for chips in current.chips():
            chips.give(chips.stake)

    def suspend(self, cause: str, seconds: float) -> Script:
        """Accept no bets for some time."""
        self.waits_until = self.stage.moment + round((seconds + 5) * SECOND)
        self.stage.send(SuspendTable(table=self.name, cause=cause, source=STUDIO))
        self.is_suspended = True
        self.stage.send(
            AnnounceFault(
                table=self.name,
                channels=["voice", "chat"],
                wording=f"{cause} The game goes on as soon as it is mended.",
                by=self.dealers[0],
                source=STUDIO,
            )
        )
        yield seconds
        self.is_suspended = False
        self.stage.send(ResumeTable(table=self.name, cause="The fault is mended.", source=STUDIO))
