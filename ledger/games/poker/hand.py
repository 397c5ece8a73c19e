"""One hand of Texas Hold'em or Omaha: from money, decisions and cards to shares of the pots.

The same for cash tables and for tournament hands; `HandRules` say what differs. A hand with a wrong
number of cards is dead, as good as folded (69GAMES, Misdeal). Everything that came in goes out as
shares, uncalled money or rake. All money is haler.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

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
from ledger.games.api.typed import shown
from ledger.games.poker.betting import Decisions, read_decisions
from ledger.games.poker.fee import TimeMoney
from ledger.games.poker.outcome import PokerOutcome, check_table, deal
from ledger.games.poker.placement import check_table_limits
from ledger.games.poker.pots import (
    Pot,
    Uncalled,
    clockwise_after,
    cut_pots,
    find_uncalled,
    spread_rake,
)
from ledger.games.poker.showdown import PotWon, add_shares, find_winners
from ledger.games.poker.streets import (
    CROWN,
    POT_WORDS,
    check_antes,
    check_matched,
    check_pot_wagers,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from ledger.games.api.game_plan import PlanHeader
    from ledger.games.poker.rules import HandRules

_ACTED_FOR_MISDEAL = 2


def settle_hand(
    header: PlanHeader,
    rules: HandRules,
    wagers: Sequence[Wager],
    actions: Sequence[Action],
    outcome: PokerOutcome,
    *,
    table: TableLimits,
) -> RoundResult:
    """Settle a hand.

    Raises:
        SettlementError: the first problem, in the order wagers, limits, void, outcome, actions,
            claims.

    """
    check_pot_wagers(header, wagers)
    check_table_limits(table, POT_WORDS)
    checks.check_void(header, outcome)
    _check_misdeal(outcome)
    checks.check_participants(header, wagers, outcome)
    if outcome.void is not None:
        return _misdealt(header, wagers, header.void_reasons[outcome.void.reason])
    players = {wager.player for wager in wagers}
    seats, button = outcome.seats, outcome.button
    check_table(seats, button, players, players_max=rules.players_max)
    if rules.time is not None and isinstance(outcome.fee, TimeMoney):
        rules.time.check(outcome.fee.haler)
    dealt = deal(outcome, seats)
    decisions = read_decisions(
        actions,
        seats=seats,
        players=players,
        big_blind_haler=outcome.big_blind_haler,
        short_all_in_is_bet=rules.short_all_in_is_bet,
    )
    dead = {player for player, hand in dealt.hands.items() if len(hand) != rules.hole_cards}
    players_in = players - decisions.folded - dead
    _check_claims(rules, wagers, players_in, decisions)
    antes = check_antes(wagers, button)
    check_matched(wagers, decisions.folded | dead)

    totals = {wager.player: wager.stake_haler for wager in wagers}
    if antes.dead_of is not None:
        totals[antes.dead_of] -= antes.dead_haler
    uncalled = find_uncalled(totals, players_in)
    if uncalled is not None:
        totals[uncalled.player] -= uncalled.haler
    pots = cut_pots(totals, players_in, antes.dead_haler)
    rake = _rake_haler(rules, outcome, pots, len(seats))
    order = clockwise_after(seats, button)
    won = [
        PotWon(pot, taken, find_winners(rules, pot, decisions.mucked, dealt, order))
        for pot, taken in zip(pots, spread_rake(pots, rake, CROWN), strict=True)
    ]
    shares = add_shares(won)
    lines = tuple(_line(wager, shares, uncalled, rules.rule) for wager in wagers)
    return _result(header, lines, rake, won)


def _misdealt(header: PlanHeader, wagers: Sequence[Wager], rule: str) -> RoundResult:
    lines = tuple(
        ResultLine(wager.id, wager.stake_haler, Result.VOID, wager.stake_haler, rule)
        for wager in wagers
    )
    return _result(header, lines, 0, ())


def _check_misdeal(outcome: PokerOutcome) -> None:
    """A misdeal cancels the whole hand, and only while fewer than two players have acted."""
    acted, void = outcome.acted_players, outcome.void
    if void is None:
        return
    if void.players is not None:
        raise SettlementError(Code.INVALID_OUTCOME, "a misdeal is void for all players")
    if acted is None:
        raise SettlementError(
            Code.MALFORMED_REQUEST, "outcome.void.acted_players must say how many had acted"
        )
    if acted < 0:
        raise SettlementError(Code.INVALID_OUTCOME, "fewer than no players cannot have acted")
    if acted >= _ACTED_FOR_MISDEAL:
        raise SettlementError(
            Code.VOID_NOT_ALLOWED, "after two players acted the hand is played as dealt"
        )


def _check_claims(
    rules: HandRules, wagers: Sequence[Wager], players_in: Collection[str], decisions: Decisions
) -> None:
    all_in = [wager.player for wager in wagers if wager.all_in and wager.player in players_in]
    if decisions.mucked and all_in and not rules.muck_beside_all_in:
        raise SettlementError(
            Code.ACTION_NOT_ALLOWED,
            f"{shown(all_in[0])} is all-in, so all hands are shown and nobody mucks",
        )
    if not players_in:
        raise SettlementError(Code.OUTCOME_INCOMPLETE, "nobody is left to claim the pot")


def _rake_haler(rules: HandRules, outcome: PokerOutcome, pots: Sequence[Pot], players: int) -> int:
    if rules.rake is None or isinstance(outcome.fee, TimeMoney):
        return 0
    if not outcome.board and not rules.rake.before_flop:
        return 0
    return rules.rake.of_pot(sum(pot.haler for pot in pots), players)


def _line(
    wager: Wager, shares: Mapping[str, int], uncalled: Uncalled | None, rule: str
) -> ResultLine:
    share = shares.get(wager.player, 0)
    back = uncalled.haler if uncalled is not None and uncalled.player == wager.player else 0
    return ResultLine(
        wager.id,
        wager.stake_haler,
        Result.WIN if share else Result.LOSE,
        share + back,
        rule,
    )


def _result(
    header: PlanHeader, lines: tuple[ResultLine, ...], rake_haler: int, won: Sequence[PotWon]
) -> RoundResult:
    pots = [
        {
            "amount": format_amount(entry.pot.haler),
            "rake": format_amount(entry.rake_haler),
            "eligible": list(entry.pot.eligible),
            "winners": sorted(entry.winners),
        }
        for entry in won
    ]
    details = {"rake": format_amount(rake_haler), "pots": pots}
    return RoundResult(header.game, header.version, lines, details)
