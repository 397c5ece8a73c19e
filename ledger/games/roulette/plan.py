"""Roulette: SAZKA (Synot), SAZKA (Evolution), 69GAMES and Czech Casinos.

One engine, four plans. The differences are plan data: the bets on offer and their limits, the
reasons for a void round, whether late chips can exist, and whether zero halves an even chance.

A wager's stake is divided into equal chips over its positions. Maxima apply per player and position
over all wagers, with composite bets split into positions; minima apply to every chip. A wager with
a winning position is a win, and its payout is the sum over its positions.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

from msgspec import field

from ledger.core.phrases import Phrase
from ledger.games.api import round_checks as checks
from ledger.games.api.contract import (
    Action,
    Code,
    Outcome,
    ResultLine,
    SettlementError,
    TableLimits,
    Wager,
)
from ledger.games.api.game_plan import HousePlan
from ledger.games.api.payouts import voided
from ledger.games.api.plan_table import PlanTable, wrong
from ledger.games.api.typed import Count, Document, Haler, Text
from ledger.games.roulette.bets import Bet, Bets, read_bets, selection_key
from ledger.games.roulette.layout import EVEN_CHANCES
from ledger.games.roulette.limits import PlayerStakes, RouletteLimits, position_maxima
from ledger.games.roulette.spin import (
    RouletteOutcome,
    check_pockets,
    colour_of,
    decide_wager,
    prison_chip_haler,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ledger.games.api.round_facts import RoundFacts

NO_SPINS = {
    "too_few_revolutions": "no_spin_too_few_revolutions",
    "wrong_direction": "no_spin_direction",
}
"""Grounds to void a round after a spin, by the cause for which that spin is invalid."""


class LimitsTable(PlanTable, frozen=True):
    """Limits of a plan in haler; None if the plan gives no figure."""

    position_haler_max: Haler | None = field(name="position_maximum", default=None)
    chip_haler_min: Haler = field(name="chip_minimum", default=0)
    round_haler_max: Haler | None = field(name="round_maximum", default=None)


class SpinTable(PlanTable, frozen=True):
    """Rules of a spin.

    `repeated_for` are the reasons for which a spin is repeated. `rule_prison` is the paragraph by
    which zero halves even chances; None if they lose. `alternates`: the wheel changes direction
    with each spin, and a spin in the same direction is invalid. `released_chip_wins`: a chip that
    the next spin releases is also paid. `turns_needed` is the number of turns that the studio must
    reach. `inspected_daily`: the wheel is inspected on every day on which it is in play.
    `payouts_inspected`: an inspector checks the payouts of winning bets.
    """

    turns_needed: Count
    repeated_for: frozenset[str] = frozenset()
    alternates: bool = False
    inspected_daily: bool = False
    payouts_inspected: bool = False
    rule_prison: Text | None = field(name="prison_rule", default=None)
    released_chip_wins: bool | None = None

    def __post_init__(self) -> None:
        """Require `released_chip_wins` exactly if chips can be imprisoned."""
        if (self.rule_prison is None) != (self.released_chip_wins is None):
            raise wrong("released_chip_wins", "must be given with a prison_rule and without none")


class RoulettePlan(HousePlan, frozen=True):
    """Bets, limits and switches of one roulette plan."""

    outcome_type: ClassVar[type[Outcome]] = RouletteOutcome
    unseen_fields: ClassVar[frozenset[str]] = frozenset({"next_number"})
    needs_spin: ClassVar[bool] = True
    made_by: ClassVar[frozenset[str]] = frozenset({"wheel", "machine"})
    bet_tables: dict[str, Document] = field(name="bets")
    limits_table: LimitsTable = field(name="limits")
    spin: SpinTable

    def __post_init__(self) -> None:
        """Compute the bets, and reject impossible ones."""
        _ = self.bets  # Computed now, so that an invalid file is rejected when it is loaded.

    @cached_property
    def bets(self) -> Bets:
        """Return all bets by code and selection."""
        return read_bets(
            self.bet_tables,
            rule_settled=self.header.rule_settled,
            haler_max=self.limits_table.position_haler_max,
        )

    @cached_property
    def limits(self) -> RouletteLimits:
        """Return the limits, with those of each kind of position."""
        return RouletteLimits(
            maxima=position_maxima(self.bets),
            chip_haler_min=self.limits_table.chip_haler_min,
            round_haler_max=self.limits_table.round_haler_max,
        )

    @property
    def turns_needed(self) -> int:
        """Return the full turns of a valid spin."""
        return self.spin.turns_needed

    @property
    def inspected_daily(self) -> bool:
        """Return whether the wheel is inspected on every day of play."""
        return self.spin.inspected_daily

    @property
    def plays_in_colours(self) -> bool:
        """Return whether players may have chips of a colour of their own, as in a casino."""
        return not self.header.streamed

    @property
    def stake_range(self) -> tuple[int, int]:
        """Return the bounds of one chip and of one position."""
        return self.limits_table.chip_haler_min, self.limits_table.position_haler_max or 0

    def imprisoned(self, wager: Wager, document: Document) -> int:
        """Return the odd chip of an even chance that zero imprisons, until the next number."""
        waits = document.get("number") == 0 and document.get("next_number") is None
        if not waits or self.spin.rule_prison is None or wager.bet not in EVEN_CHANCES:
            return 0
        chip = prison_chip_haler(wager, self.spin.rule_prison)
        return chip if wager.stake_haler // chip % 2 else 0

    def needs_chip(self, bet: str) -> bool:
        """Return whether zero takes half of the chips of a bet, and imprisons an odd one."""
        return self.spin.rule_prison is not None and bet in EVEN_CHANCES

    def releases(self, wager: Wager, number: int) -> bool:
        """Return whether the chance of a chip in prison wins."""
        return bool(self.find_bet(wager.bet, wager.selection).winning[number].chips)

    @property
    def payouts_inspected(self) -> bool:
        """Return whether an inspector checks every payout of a winning bet."""
        return self.spin.payouts_inspected

    @property
    def repeated_spins(self) -> frozenset[str]:
        """Return the reasons for which a spin is repeated."""
        return self.spin.repeated_for

    @property
    def voiding_causes(self) -> frozenset[str]:
        """Return the causes of an invalid spin that void the round under this plan."""
        reasons = self.header.void_reasons
        return frozenset(cause for cause, reason in NO_SPINS.items() if reason in reasons)

    def describe(self, bet: str, selection: object) -> str:
        """Describe the positions of the chips; raises UNKNOWN_BET or INVALID_SELECTION."""
        return self.find_bet(bet, selection).words

    def find_bet(self, code: str, selection: object) -> Bet:
        """Find the bet of a code and a selection; raises UNKNOWN_BET or INVALID_SELECTION."""
        selections = self.bets.get(code)
        if selections is None:
            raise SettlementError(
                Code.UNKNOWN_BET, Phrase("GAME_WITHOUT_BET", game=self.header.game, bet=code)
            )
        bet = selections.get(selection_key(selection))
        if bet is None:
            raise SettlementError(
                Code.INVALID_SELECTION, Phrase("SELECTION_NOT_POSSIBLE", bet=code)
            )
        return bet

    def outcome_from_facts(self, facts: RoundFacts) -> Document:
        """Derive where the ball landed; raises OUTCOME_INCOMPLETE."""
        if facts.number is None:
            raise SettlementError(Code.OUTCOME_INCOMPLETE, Phrase("BALL_NOT_LANDED"))
        return {"number": facts.number}

    @property
    def alternates(self) -> bool:
        """Return whether the wheel changes direction with each valid spin."""
        return self.spin.alternates

    def spin_fault(self, turns: int, *, against: bool, again: bool) -> Phrase | None:
        """Return why the plan itself makes a spin invalid, or None.

        Where a plan leaves it to the inspector, the recorded action decides.
        """
        if "too_few_revolutions" in self.repeated_spins and turns < self.turns_needed:
            return Phrase("TURNS_OF_BALL", turns=turns, needed=self.turns_needed)
        if not against and (self.alternates or "wrong_direction" in self.repeated_spins):
            return Phrase("BALL_WITH_WHEEL")
        if self.alternates and again:
            return Phrase("WHEEL_NOT_ALTERNATED")
        return None

    def refutes(
        self, cause: str, turns: int, *, against: bool, again: bool, stopped_at: str
    ) -> bool:
        """Return whether turns and directions are those of a valid spin."""
        del stopped_at  # The number at which the ball lies tells nothing about its spin.
        is_checked = cause in NO_SPINS or cause in NO_SPINS.values()
        is_right_way = against and not (self.alternates and again)
        return is_checked and is_right_way and turns >= self.turns_needed

    def describe_result(self, document: Document) -> str:
        """Return number and colour."""
        number = document.get("number") or 0
        return f"{number} {colour_of(number)}"

    def table_problem(self, table: TableLimits) -> SettlementError | None:
        """Return why a table may not have these limits, or None."""
        return self.limits.table_problem(table)

    def check_placed(self, wager: Wager, placed: Sequence[Wager], table: TableLimits) -> None:
        """Check a wager with the player's other wagers; raises `SettlementError`."""
        bet = self._check_wager(wager)
        stakes = PlayerStakes()
        for other in placed:
            stakes.lay(other, self.find_bet(other.bet, other.selection))
        stakes.lay(wager, bet)
        self.limits.check(wager, bet, stakes, table)

    def decide(
        self,
        wagers: Sequence[Wager],
        actions: Sequence[Action],
        outcome: RouletteOutcome,
        table: TableLimits,
    ) -> Iterable[ResultLine]:
        """Settle every wager of one spin."""
        bets = checks.check_each_wager(self.header, wagers, self._check_wager)
        disconnected = checks.players_disconnected(self.header, outcome)
        self._check_round_limits(wagers, bets, disconnected, table)
        checks.check_void(self.header, outcome)
        checks.check_participants(self.header, wagers, outcome)
        self._check_spins(outcome)
        lines = tuple(
            self._line(
                wager, bet, outcome, checks.return_ground(self.header, wager, outcome, disconnected)
            )
            for wager, bet in zip(wagers, bets, strict=True)
        )
        if actions:
            raise SettlementError(Code.ACTION_NOT_ALLOWED, Phrase("ROULETTE_WITHOUT_DECISIONS"))
        return lines

    def _check_wager(self, wager: Wager) -> Bet:
        """Check a wager on its own: bet, selection, stake and chips."""
        bet = self.find_bet(wager.bet, wager.selection)
        chip = prison_chip_haler(wager, self.spin.rule_prison)
        if wager.stake_haler <= 0 or chip <= 0:
            raise SettlementError(
                Code.INVALID_STAKE,
                Phrase("STAKE_AND_CHIP_NOT_POSITIVE", wager=wager.id),
            )
        if wager.stake_haler % bet.chips != 0:
            raise SettlementError(
                Code.STAKE_NOT_DIVISIBLE,
                Phrase("STAKE_NOT_DIVISIBLE", count=bet.chips, bet=bet.code),
            )
        if wager.stake_haler % chip != 0:
            raise SettlementError(
                Code.STAKE_NOT_DIVISIBLE,
                Phrase("STAKE_NOT_OF_CHIPS", wager=wager.id),
            )
        return bet

    def _check_round_limits(
        self,
        wagers: Sequence[Wager],
        bets: Sequence[Bet],
        disconnected: frozenset[str],
        table: TableLimits,
    ) -> None:
        problem = self.table_problem(table)
        if problem is not None:
            raise problem
        stakes: dict[str, PlayerStakes] = {}
        for wager, bet in zip(wagers, bets, strict=True):
            if not wager.late and wager.player not in disconnected:
                own = stakes.setdefault(wager.player, PlayerStakes())
                own.lay(wager, bet)
                self.limits.check(wager, bet, own, table)

    def _check_spins(self, outcome: RouletteOutcome) -> None:
        """Refuse numbers that no wheel has and spins that this game does not repeat."""
        check_pockets(outcome)
        if outcome.next_number is not None and self.spin.rule_prison is None:
            raise SettlementError(
                Code.INVALID_OUTCOME, Phrase("GAME_WITHOUT_PRISON", game=self.header.game)
            )
        for spin in outcome.invalid_spins:
            if spin.reason not in self.repeated_spins:
                raise SettlementError(
                    Code.INVALID_OUTCOME,
                    Phrase("SPIN_NOT_REPEATED", game=self.header.game, ground=spin.reason),
                )

    def _line(
        self,
        wager: Wager,
        bet: Bet,
        outcome: RouletteOutcome,
        unplayed: checks.ReturnGround | None,
    ) -> ResultLine:
        if unplayed is not None:
            return voided(wager.id, wager.stake_haler, *unplayed)
        return decide_wager(
            wager,
            bet,
            outcome,
            rule_prison=self.spin.rule_prison,
            released_chip_wins=bool(self.spin.released_chip_wins),
        )
