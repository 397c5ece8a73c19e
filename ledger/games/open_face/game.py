"""One game of Open Face Chinese Poker: from sets of cards to payments between the players.

Every two players compare their sets. Payments go in a fixed order, clockwise from the left of the
button. No player pays more in a game than the stack after the rake, or than the agreed stop-loss;
and no player gets more from one opponent than the player's own stack after the rake (69GAMES
Pineapple, the all-in rule of the paragraph on stop-loss, which always applies). Winnings of this
game are not used to pay. Amounts are haler, or tournament chips in the same unit.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING

from ledger.core.phrases import Phrase
from ledger.games.api import round_checks as checks
from ledger.games.api.contract import (
    Action,
    Code,
    Result,
    ResultLine,
    RoundResult,
    SettlementError,
    TableLimits,
    Wager,
    format_amount,
)
from ledger.games.api.explanation import PointsPaid, RakeTaken, Reason, StakeBack, Why
from ledger.games.api.facts import PairFacts, PointsFacts
from ledger.games.open_face.outcome import OfcOutcome, check_names, deal_sets
from ledger.games.open_face.rows import fantasyland_cards, points_between, rank_set
from ledger.games.poker.fee import TimeMoney
from ledger.games.poker.outcome import check_table
from ledger.games.poker.placement import check_table_limits
from ledger.games.poker.pots import clockwise_after

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from ledger.games.api.game_plan import PlanHeader
    from ledger.games.open_face.outcome import PointValue
    from ledger.games.open_face.rows import PairPoints
    from ledger.games.open_face.rules import OfcRules

STACK_BET = "stack"
STACK_WORDS = {STACK_BET: "chips brought to one game"}

PointsOfPairs = Mapping[tuple[str, str], int]


def settle_game(
    header: PlanHeader,
    rules: OfcRules,
    wagers: Sequence[Wager],
    actions: Sequence[Action],
    outcome: OfcOutcome,
    *,
    table: TableLimits,
) -> RoundResult:
    """Settle a game.

    Raises:
        SettlementError: the first problem, in the order wagers, limits, void, outcome, actions.

    """
    rake = 0 if isinstance(outcome.fee, TimeMoney) else rules.rake_haler
    _check_stacks(header, wagers)
    check_table_limits(table, STACK_WORDS)
    _check_above_rake(wagers, rake)
    if outcome.void is not None:
        raise SettlementError(Code.INVALID_VOID_REASON, Phrase("NO_VOID_GAME"))
    checks.check_participants(header, wagers, outcome)
    stacks = {wager.player: wager.stake_haler for wager in wagers}
    seats, button = outcome.seats, outcome.button
    check_table(seats, button, stacks, players_max=rules.players_max)
    for player in seats:
        if player not in stacks:
            raise SettlementError(
                Code.INVALID_OUTCOME, Phrase("PLAYER_WITHOUT_STACK", player=player)
            )
    if rules.time is not None and isinstance(outcome.fee, TimeMoney):
        rules.time.check(outcome.fee.haler)
    check_names(outcome, seats)
    sets = {
        player: rank_set(rules.rows, rows) for player, rows in deal_sets(outcome, seats).items()
    }
    if actions:
        raise SettlementError(Code.ACTION_NOT_ALLOWED, Phrase("SETS_ARE_DECISIONS"))
    points = {
        (first, second): points_between(rules.rows, sets[first], sets[second])
        for first, second in combinations(clockwise_after(seats, button), 2)
    }
    totals = {pair: between.total for pair, between in points.items()}
    start = {player: stack - rake for player, stack in stacks.items()}
    payments = pay(totals, outcome.point_value, start, outcome.stop_loss_haler)
    fouled = tuple(sorted(player for player, ranked in sets.items() if ranked.fouled))
    cards = {
        player: fantasyland_cards(
            rules.rows.fantasyland, ranked, is_there=player in outcome.in_fantasyland
        )
        for player, ranked in sets.items()
    }
    return RoundResult(
        header.game,
        header.version,
        tuple(
            _line(
                wager,
                payments[wager.player],
                rake,
                rules.rule,
                Why(Reason.POINTS, partial(_facts, points, fouled, wager.player)),
            )
            for wager in wagers
        ),
        {
            "rake": format_amount(rake * len(wagers)),
            "points": {f"{first}|{second}": number for (first, second), number in totals.items()},
            "fouled": list(fouled),
            "fantasyland": {player: dealt for player, dealt in cards.items() if dealt is not None},
        },
    )


def pay(
    points: PointsOfPairs,
    value: PointValue,
    start_haler: Mapping[str, int],
    stop_loss_haler: Mapping[str, int],
) -> dict[str, list[PointsPaid]]:
    """Convert points to money, pair by pair.

    Args:
        points: points of the first of each pair, in the order of payment.
        value: value of a point.
        start_haler: maximum loss of each player, and maximum win from one opponent.
        stop_loss_haler: agreed maximum losses of some players.

    Returns:
        Amounts that each player won from and lost to each opponent; they add up to zero.

    """
    left = {
        player: min(start, stop_loss_haler.get(player, start))
        for player, start in start_haler.items()
    }
    payments: dict[str, list[PointsPaid]] = {player: [] for player in start_haler}
    for (one, other), number in points.items():
        winner, loser = (one, other) if number > 0 else (other, one)
        count, worth = abs(number), value.between(one, other)
        most = min(left[loser], start_haler[winner])
        paid = min(count * worth, most)
        left[loser] -= paid
        payments[loser].append(PointsPaid(-paid, winner, -count, worth, most))
        payments[winner].append(PointsPaid(paid, loser, count, worth, most))
    return payments


def check_stack_chips(header: PlanHeader, wager: Wager, placed: Sequence[Wager]) -> None:
    """Check a player's stack together with the player's other wagers; raises `SettlementError`.

    Only the outcome shows whether a rake is taken, so the stack is not compared with the rake.
    """
    _check_stack(header, wager, {other.player for other in placed})


def _check_stacks(header: PlanHeader, wagers: Sequence[Wager]) -> None:
    seen: set[str] = set()
    players: set[str] = set()
    for wager in wagers:
        _check_stack(header, wager, players)
        checks.check_identifiers(wager, seen)
        players.add(wager.player)


def _check_stack(header: PlanHeader, wager: Wager, players: Collection[str]) -> None:
    if wager.bet != STACK_BET:
        raise SettlementError(Code.UNKNOWN_BET, Phrase("THIS_GAME_WITHOUT_BET", bet=wager.bet))
    if wager.stake_haler <= 0:
        raise SettlementError(Code.INVALID_STAKE, Phrase("STACK_NOT_POSITIVE", player=wager.player))
    checks.check_late(header, wager)
    if wager.player in players:
        raise SettlementError(Code.DUPLICATE_WAGER, Phrase("TWO_STACKS", player=wager.player))


def _check_above_rake(wagers: Sequence[Wager], rake_haler: int) -> None:
    for wager in wagers:
        if wager.stake_haler <= rake_haler:
            raise SettlementError(
                Code.BET_BELOW_MINIMUM,
                Phrase("STACK_BELOW_RAKE", player=wager.player, amount=rake_haler),
            )


def _line(
    wager: Wager, payments: Sequence[PointsPaid], rake_haler: int, rule: str, why: Why
) -> ResultLine:
    fee = (RakeTaken(-rake_haler),) if rake_haler else ()
    net = sum(payment.amount for payment in payments)
    terms = (StakeBack(wager.stake_haler), *fee, *payments)
    return ResultLine(wager.id, wager.stake_haler, _result(net), terms, rule, why)


def _facts(
    points: Mapping[tuple[str, str], PairPoints], fouled: tuple[str, ...], player: str
) -> PointsFacts:
    pairs = []
    for (one, other), between in points.items():
        rows, royalties, others = between
        if player == one:
            pairs.append(PairFacts(other, rows, royalties, others))
        elif player == other:
            pairs.append(PairFacts(one, -rows, others, royalties))
    return PointsFacts(tuple(pairs), fouled)


def _result(net_haler: int) -> Result:
    if net_haler == 0:
        return Result.PUSH
    return Result.WIN if net_haler > 0 else Result.LOSE
