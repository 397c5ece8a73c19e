"""One hand of Texas Hold'em or Omaha: from money, actions and cards to shares of the pots.

The same code settles hands at cash tables and in tournaments; `HandRules` has the differences. A
hand with a wrong number of cards is dead, like a folded one (69GAMES, Misdeal). All money put in is
paid out as shares, as uncalled money or as rake. Amounts are haler.
"""

from __future__ import annotations

from functools import partial
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
from ledger.games.api.explanation import AnyTerm, PotShare, Reason, UncalledBack, Why
from ledger.games.api.facts import PotsFacts
from ledger.games.api.payouts import voided
from ledger.games.poker.betting import PlayersOut, read_actions
from ledger.games.poker.fee import TimeMoney
from ledger.games.poker.outcome import PokerOutcome, check_table, deal
from ledger.games.poker.placement import check_table_limits
from ledger.games.poker.pots import (
    Pot,
    UncalledBet,
    clockwise_after,
    cut_pots,
    find_uncalled,
    spread_rake,
)
from ledger.games.poker.showdown import AwardedPot, find_winners, shares_of
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
        return _misdealt(header, wagers, checks.declared_void(header, outcome.void))
    players = {wager.player for wager in wagers}
    seats, button = outcome.seats, outcome.button
    check_table(seats, button, players, players_max=rules.players_max)
    if rules.time is not None and isinstance(outcome.fee, TimeMoney):
        rules.time.check(outcome.fee.haler)
    dealt = deal(outcome, seats)
    gave_up = read_actions(
        actions,
        seats=seats,
        players=players,
        big_blind_haler=outcome.big_blind_haler,
        short_all_in_is_bet=rules.short_all_in_is_bet,
    )
    wrong = {player for player, hand in dealt.hands.items() if len(hand) != rules.hole_cards}
    dead = wrong | gave_up.dead
    players_in = players - gave_up.folded - dead
    _check_claims(rules, wagers, players_in, gave_up)
    antes = check_antes(wagers, button, gave_up.folded | dead)
    check_matched(wagers, gave_up.folded, dead)

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
        AwardedPot(pot, taken, *find_winners(rules, pot, gave_up.mucked, dealt, order))
        for pot, taken in zip(pots, spread_rake(pots, rake, CROWN), strict=True)
    ]
    shares = shares_of(won)
    lines = tuple(
        _line(
            wager,
            _terms(wager.player, shares, uncalled),
            Why(_reason(wager.player, shares, gave_up), partial(_facts, won, wager.player)),
            rules.rule,
        )
        for wager in wagers
    )
    return _result(header, lines, rake, won)


def _misdealt(
    header: PlanHeader, wagers: Sequence[Wager], why_not: checks.ReturnGround
) -> RoundResult:
    lines = tuple(voided(wager.id, wager.stake_haler, *why_not) for wager in wagers)
    return _result(header, lines, 0, ())


def _check_misdeal(outcome: PokerOutcome) -> None:
    """Check a misdeal: it voids the whole hand, and only before two players have acted."""
    acted, void = outcome.acted_players, outcome.void
    if void is None:
        return
    if void.players is not None:
        raise SettlementError(Code.INVALID_OUTCOME, Phrase("MISDEAL_FOR_ALL"))
    if acted is None:
        raise SettlementError(Code.MALFORMED_REQUEST, Phrase("ACTED_PLAYERS_MISSING"))
    if acted < 0:
        raise SettlementError(Code.INVALID_OUTCOME, Phrase("ACTED_PLAYERS_NEGATIVE"))
    if acted >= _ACTED_FOR_MISDEAL:
        raise SettlementError(Code.VOID_NOT_ALLOWED, Phrase("MISDEAL_TOO_LATE"))


def _check_claims(
    rules: HandRules, wagers: Sequence[Wager], players_in: Collection[str], gave_up: PlayersOut
) -> None:
    all_in = [wager.player for wager in wagers if wager.all_in and wager.player in players_in]
    if gave_up.mucked and all_in and not rules.muck_beside_all_in:
        raise SettlementError(
            Code.ACTION_NOT_ALLOWED,
            Phrase("ALL_IN_SHOWS", player=all_in[0]),
        )
    if not players_in:
        raise SettlementError(Code.OUTCOME_INCOMPLETE, Phrase("POT_WITHOUT_PLAYERS"))


def _rake_haler(rules: HandRules, outcome: PokerOutcome, pots: Sequence[Pot], players: int) -> int:
    if rules.rake is None or isinstance(outcome.fee, TimeMoney):
        return 0
    if not outcome.board and not rules.rake.before_flop:
        return 0
    return rules.rake.of_pot(sum(pot.haler for pot in pots), players)


def _terms(
    player: str, shares: Mapping[str, Sequence[PotShare]], uncalled: UncalledBet | None
) -> tuple[AnyTerm, ...]:
    of_pots = tuple(shares.get(player, ()))
    if uncalled is None or uncalled.player != player:
        return of_pots
    return (*of_pots, UncalledBack(uncalled.haler))


def _reason(player: str, shares: Mapping[str, object], gave_up: PlayersOut) -> Reason:
    if player in shares:
        return Reason.POTS_WON
    return Reason.FOLDED if player in gave_up.folded else Reason.NO_POT


def _facts(won: Sequence[AwardedPot], player: str) -> PotsFacts:
    own = next((entry.ranks[player] for entry in won if player in entry.ranks), None)
    return PotsFacts(tuple(entry.facts() for entry in won), own.shown() if own else None)


def _line(wager: Wager, terms: tuple[AnyTerm, ...], why: Why, rule: str) -> ResultLine:
    has_won = any(term.amount for term in terms if isinstance(term, PotShare))
    result = Result.WIN if has_won else Result.LOSE
    return ResultLine(wager.id, wager.stake_haler, result, terms, rule, why)


def _result(
    header: PlanHeader, lines: tuple[ResultLine, ...], rake_haler: int, won: Sequence[AwardedPot]
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
