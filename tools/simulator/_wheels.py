"""Roulettes and wheels of fortune: many bets of a player, and one spin."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from ledger.decisions.rounds.studio import InvalidateSpin, LandBall, SpinWheel, StopWheel
from tools.simulator._cloth import WantedBet, cloth_of
from tools.simulator._house import CHIP_SMALLEST, STUDIO, HouseTable
from tools.simulator._players import HALER

if TYPE_CHECKING:
    from ledger.decisions.rounds.studio import Direction
    from ledger.games.roulette import RoulettePlan
    from ledger.games.wheels import WheelPlan
    from tools.simulator._betting import Round
    from tools.simulator._players import Incident, Player
    from tools.simulator._stage import Script

__all__ = ["RouletteTable", "WheelTable"]

POCKETS = 37
TASTES = ("outside", "inside", "announced")
SHORT_TURN = 0.02
LARGEST = {
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
"""Largest stakes of roulette tables in crowns, within those of the plans."""


class _SpinTable(HouseTable):
    """Common parts of both games: a wheel, and bets that depend on no other."""

    device: ClassVar[str] = "wheel"
    turning: str = ""
    turned: str = ""

    def a_wish(self, player: Player) -> WantedBet:
        """Return a bet to the player's taste."""
        return self.some_wish(player)

    def how_many(self, player: Player) -> int:
        """Return as many as the player is used to."""
        return self.random.randint(*player.habit.bets)

    def choose(self, player: Player, current: Round) -> None:
        """Place a bet to the player's taste."""
        self.bet(player, current, self.a_wish(player))

    def _spin(self, current: Round, turns: int, *, with_ball: bool = True) -> None:
        """Set the wheel in motion, and the ball against it."""
        clockwise = self.random.choice((True, False))
        if self.plan.alternates and self.turned:
            clockwise = self.turned == "counterclockwise"
        way: Direction = "clockwise" if clockwise else "counterclockwise"
        self.turning = way
        ball: dict[str, Any] = {}
        if with_ball:
            ball["ball_direction"] = "counterclockwise" if clockwise else "clockwise"
        self.stage.send(
            SpinWheel(
                round=current.name,
                wheel_direction=way,
                revolutions=turns,
                source=STUDIO,
                **ball,
            )
        )


class RouletteTable(_SpinTable):
    """Spins a roulette before the close; an invalid spin is made again."""

    plan: RoulettePlan
    round_largest: ClassVar[int] = 200_000

    def __post_init__(self) -> None:
        """Use the layout of the plan."""
        super().__post_init__()
        self.cloth = cloth_of(self.game, self.plan.header.version)

    @property
    def limits(self) -> dict[str, tuple[int, int]]:
        """Smallest and largest stakes of the positions."""
        maxima = self.plan.limits.maxima
        return {
            code: (CHIP_SMALLEST, min(most, (maxima.get(code) or most * HALER) // HALER))
            for code, most in LARGEST.items()
        }

    def knows(self, incident: Incident) -> bool:
        """A foreign object may fall into the wheel."""
        return super().knows(incident) or (
            incident == "invalid_spin" and "foreign_object" in self.plan.repeated_spins
        )

    def a_wish(self, player: Player) -> WantedBet:
        """Return a bet to the player's taste."""
        return self.cloth.pick(self.random, self.random.choices(TASTES, player.habit.tastes)[0])

    def some_wish(self, player: Player) -> WantedBet:
        """Return an outside bet."""
        del player
        return self.cloth.pick(self.random, "outside")

    def begin(self, current: Round) -> None:
        """Set the wheel in motion."""
        self._spin(current, self.random.randint(12, 20))

    def deal(self, current: Round) -> Script:
        """Spin the ball, perhaps after an invalid spin."""
        random, stage = self.random, self.stage
        if self.incident == "invalid_spin":
            self.note("invalid_spin", "invalid_spin_round", current.name)
            yield random.uniform(3, 6)
            invalid = InvalidateSpin(round=current.name, cause="foreign_object", source=STUDIO)
            stage.send(invalid)
            yield random.uniform(8, 14)
            self.begin(current)
        yield random.uniform(9.5, 13.5)
        if self.incident != "interrupted":
            current.number = random.randrange(POCKETS)
            stage.send(LandBall(round=current.name, number=current.number, source=STUDIO))
            self.turned = self.turning

    def payments(self, current: Round) -> dict[str, int]:
        """Return what the plan gives, from its table of returns."""
        due = {}
        for chips in current.chips():
            bet = chips.wish.bet
            if bet is not None and current.number is not None:
                due[chips.bet] = chips.stake // bet.chips * bet.returns[current.number]
        return due


class WheelTable(_SpinTable):
    """Turns a wheel of fortune after the close; a turn that is too short is void."""

    plan: WheelPlan

    @property
    def limits(self) -> dict[str, tuple[int, int]]:
        """Smallest and largest stakes on the fields."""
        return dict.fromkeys(self.plan.fields, (CHIP_SMALLEST, 5_000))

    def some_wish(self, player: Player) -> WantedBet:
        """Return a field, often one of the many."""
        del player
        counts = [one.count for one in self.plan.fields.values()]
        return WantedBet(self.random.choices(list(self.plan.fields), counts)[0])

    def deal(self, current: Round) -> Script:
        """Turn the wheel until it rests."""
        yield self.random.uniform(1, 3)
        is_short = self.random.random() < SHORT_TURN
        needed = self.plan.turns_needed
        turns = needed - 1 if is_short else needed + self.random.randint(0, 4)
        self._spin(current, turns, with_ball=False)
        yield self.random.uniform(8, 14)
        counts = [one.count for one in self.plan.fields.values()]
        current.field = self.random.choices(list(self.plan.fields), counts)[0]
        self.stage.send(StopWheel(round=current.name, field=current.field, source=STUDIO))
        if is_short:
            self.notable["short_turn_round"] = current.name
            current.void = "too_few_revolutions"
        yield self.random.uniform(0.5, 1)
