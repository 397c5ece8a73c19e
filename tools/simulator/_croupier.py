"""What every croupier does: prepare, take bets, deal, say what is due.

A croupier plays one game at one table by the approved plan, as studio and players together: the
cards come from a shuffled shoe, players decide by a simple strategy, and time decides for who is
away. Roulettes and wheels are here, games of cards in modules of their own.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar

from ledger import games
from ledger.decisions.rounds.studio import InvalidateSpin, LandBall, SpinWheel, StopWheel
from tools.simulator._chips import Wish, cloth_of
from tools.simulator._players import HALER
from tools.simulator._tables import STUDIO

if TYPE_CHECKING:
    from random import Random

    from ledger.games.roulette.plan import RoulettePlan
    from ledger.games.wheels.plan import WheelPlan
    from tools.simulator._players import Player
    from tools.simulator._stage import Script, Stage
    from tools.simulator._tables import Round, Table, Trouble

__all__ = ["Croupier", "RouletteCroupier", "WheelCroupier"]

POCKETS = 37
TASTES = ("outside", "inside", "announced")
BETTING_SECONDS = (1.2, 20.5)
TOO_LATE = 0.002
CHIP_LEAST = 20
SHORT_TURN = 0.02
ALWAYS: frozenset[Trouble] = frozenset({"wrong_payment", "unseen_wrong_payment"})
GREATEST = {
    "straight": 2_000,
    "split": 4_000,
    "street": 6_000,
    "corner": 8_000,
    "sixline": 12_000,
    "dozen": 30_000,
    "column": 30_000,
    "red": 50_000,
    "black": 50_000,
    "odd": 50_000,
    "even": 50_000,
    "low": 50_000,
    "high": 50_000,
}
"""Greatest stakes of roulette tables in crowns, within those of the plans."""


class Croupier(ABC):
    """Deals one game; subclasses know how."""

    places: int = 10_000
    device: ClassVar[str] = "shoe"
    round_greatest: ClassVar[int] = 0
    reconstructed_first: ClassVar[frozenset[str]] = frozenset()
    plan: games.GamePlan

    def __init__(self, stage: Stage, game: str) -> None:
        """Take a game, by the newest version of its plan."""
        self.stage = stage
        self.game = game
        self.plan = games.plan(game)

    @property
    def random(self) -> Random:
        """The source of chance."""
        return self.stage.random

    @property
    @abstractmethod
    def limits(self) -> dict[str, tuple[int, int]]:
        """Least and greatest stakes of the table by bet code, in crowns."""

    def knows(self, trouble: Trouble) -> bool:
        """Can this go wrong at the table?"""
        if trouble == "interrupted":
            return trouble_ground(self.plan, "operator_interruption")
        return trouble in ALWAYS

    def box_for(self, table: Table, player: Player) -> str:
        """Return the box of a player who sits down, or nothing."""
        del table, player
        return ""

    def prepare(self, current: Round) -> None:
        """Get ready before bets open."""
        del current

    @abstractmethod
    def invite(self, player: Player, current: Round) -> None:
        """Let a player lay chips in a round that opened."""

    @abstractmethod
    def some_wish(self, player: Player, current: Round) -> Wish:
        """Return chips that may lie alone."""

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
                id=lying.bet,
                player=lying.player.account,
                bet=lying.wish.code,
                stake_haler=lying.stake,
                box=lying.wish.box or None,
            )
            for lying in current.chips()
            if ":" not in lying.bet
        ]
        if not wagers:
            return {}
        wagers.sort(key=lambda wager: int(wager.id.rpartition("-")[2]))
        facts = games.RoundFacts(
            wagers, current.actions, current.cards, current.number, current.field
        )
        seen = self.plan.outcome_seen(facts) or {}
        outcome = self.plan.read_outcome(seen, None, ())
        result = games.settle_round(self.plan, wagers, current.actions, outcome)
        return {line.id: line.payout_haler for line in result.lines}

    def moments(self, current: Round) -> float:
        """Choose when somebody lays chips; rarely it is too late."""
        if self.random.random() < TOO_LATE:
            return current.closes_after + self.random.uniform(0.1, 1.9)
        return self.random.uniform(*BETTING_SECONDS)

    def spin(self, current: Round, turns: int, *, with_ball: bool = True) -> None:
        """Set the wheel in motion, and the ball against it."""
        clockwise = self.random.choice((True, False))
        ball: dict[str, Any] = {}
        if with_ball:
            ball["ball_direction"] = "counterclockwise" if clockwise else "clockwise"
        self.stage.send(
            SpinWheel(
                round=current.name,
                wheel_direction="clockwise" if clockwise else "counterclockwise",
                revolutions=turns,
                source=STUDIO,
                **ball,
            )
        )


def trouble_ground(plan: games.GamePlan, ground: str) -> bool:
    """Is this a ground on which the plan declares a round void?"""
    return plan.may_void(ground, everybody=True)


class RouletteCroupier(Croupier):
    """Spins a roulette before the close; an invalid spin is made again."""

    plan: RoulettePlan
    device: ClassVar[str] = "wheel"
    round_greatest: ClassVar[int] = 200_000

    def __init__(self, stage: Stage, game: str) -> None:
        """Take a roulette."""
        super().__init__(stage, game)
        self.cloth = cloth_of(game, self.plan.header.version)

    @property
    def limits(self) -> dict[str, tuple[int, int]]:
        """Least and greatest stakes of the positions."""
        maxima = self.plan.limits.maxima
        return {
            code: (CHIP_LEAST, min(most, (maxima.get(code) or most * HALER) // HALER))
            for code, most in GREATEST.items()
        }

    def knows(self, trouble: Trouble) -> bool:
        """A foreign object may fall into the wheel."""
        return super().knows(trouble) or (
            trouble == "invalid_spin" and "foreign_object" in self.plan.repeated_spins
        )

    def invite(self, player: Player, current: Round) -> None:
        """Let a player lay some bets."""
        for _ in range(self.random.randint(*player.habit.bets)):
            self.stage.after(self.moments(current), lambda: self._bet(player, current))

    def _bet(self, player: Player, current: Round) -> None:
        if player.may_bet(current):
            taste = self.random.choices(TASTES, player.habit.tastes)[0]
            player.bet(current, self.cloth.pick(self.random, taste))

    def some_wish(self, player: Player, current: Round) -> Wish:
        """Return an outside bet."""
        del player, current
        return self.cloth.pick(self.random, "outside")

    def begin(self, current: Round) -> None:
        """Set the wheel in motion."""
        self.spin(current, self.random.randint(12, 20))

    def deal(self, current: Round) -> Script:
        """Let the ball fall, perhaps after a second spin."""
        random, stage = self.random, self.stage
        if current.table.trouble == "invalid_spin":
            current.table.note("invalid_spin", "invalid_spin_round", current)
            yield random.uniform(3, 6)
            invalid = InvalidateSpin(round=current.name, cause="foreign_object", source=STUDIO)
            stage.send(invalid)
            yield random.uniform(8, 14)
            self.begin(current)
        yield random.uniform(9.5, 13.5)
        if current.table.trouble != "interrupted":
            current.number = random.randrange(POCKETS)
            stage.send(LandBall(round=current.name, number=current.number, source=STUDIO))

    def payments(self, current: Round) -> dict[str, int]:
        """Return what the plan gives, from its table of returns."""
        due = {}
        for lying in current.chips():
            bet = lying.wish.bet
            if bet is not None and current.number is not None:
                due[lying.bet] = lying.stake // bet.chips * bet.returns[current.number]
        return due


class WheelCroupier(Croupier):
    """Turns a wheel of fortune after the close; a turn that is too short is void."""

    plan: WheelPlan
    device: ClassVar[str] = "wheel"

    @property
    def limits(self) -> dict[str, tuple[int, int]]:
        """Least and greatest stakes on the fields."""
        return dict.fromkeys(self.plan.fields, (CHIP_LEAST, 5_000))

    def invite(self, player: Player, current: Round) -> None:
        """Let a player lay some bets."""
        for _ in range(self.random.randint(*player.habit.bets)):
            self.stage.after(self.moments(current), lambda: self._bet(player, current))

    def _bet(self, player: Player, current: Round) -> None:
        if player.may_bet(current):
            player.bet(current, self.some_wish(player, current))

    def some_wish(self, player: Player, current: Round) -> Wish:
        """Return a field, often one of the many."""
        del player, current
        counts = [one.count for one in self.plan.fields.values()]
        return Wish(self.random.choices(list(self.plan.fields), counts)[0])

    def deal(self, current: Round) -> Script:
        """Turn the wheel until it rests."""
        yield self.random.uniform(1, 3)
        is_short = self.random.random() < SHORT_TURN
        needed = self.plan.turns_needed
        turns = needed - 1 if is_short else needed + self.random.randint(0, 4)
        self.spin(current, turns, with_ball=False)
        yield self.random.uniform(8, 14)
        counts = [one.count for one in self.plan.fields.values()]
        current.field = self.random.choices(list(self.plan.fields), counts)[0]
        self.stage.send(StopWheel(round=current.name, field=current.field, source=STUDIO))
        if is_short:
            current.table.notable["short_turn_round"] = current.name
            current.void = "too_few_revolutions"
        yield self.random.uniform(0.5, 1)
