"""Result lines of a blackjack round: main bets, what decisions added to them, side bets.

`verdict_of` decides one final hand for one player; every stake and token on that hand shares the
verdict. All checks have been made before.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from ledger.games.api.contract import Result, ResultLine
from ledger.games.api.payouts import lost, pushed, voided, winnings_haler, won
from ledger.games.blackjack.cards import ACE, TEN, TWENTY_ONE, best_total, card_value, is_natural

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ledger.games.api.cards import Card
    from ledger.games.api.contract import Wager
    from ledger.games.blackjack.boxes import Box, ExtraStake, Hand
    from ledger.games.blackjack.rules import Rules

_NOTHING = Fraction(0)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of a hand; `odds` of a win, without the stake."""

    result: Result
    rule: str
    odds: Fraction = _NOTHING


def verdict_of(rules: Rules, hand: Hand, dealer: Sequence[Card], *, is_paid_early: bool) -> Verdict:
    """Decide a final hand whose cards are all known."""
    total = hand.total or 0
    cited, odds = rules.citations, rules.odds
    dealer_blackjack = is_natural(dealer)
    if total > TWENTY_ONE:
        return Verdict(Result.LOSE, cited.bust)
    if is_paid_early:
        return Verdict(Result.WIN, cited.evaluation, odds.win)
    if hand.is_blackjack:
        if dealer_blackjack:
            return Verdict(Result.PUSH, cited.evaluation)
        return Verdict(Result.WIN, cited.evaluation, odds.blackjack)
    if hand.has_won_at_once(rules.play) and (
        rules.play.automatic_win_beats_blackjack or not dealer_blackjack
    ):
        return Verdict(Result.WIN, cited.automatic_win or cited.evaluation, odds.win)
    if dealer_blackjack:
        return _against_blackjack(rules, hand, total, dealer)
    dealer_total = best_total(dealer)
    if dealer_total in (rules.dealer.pushes_on, total):
        return Verdict(Result.PUSH, cited.evaluation)
    if dealer_total > TWENTY_ONE or total > dealer_total:
        return Verdict(Result.WIN, cited.evaluation, odds.win)
    return Verdict(Result.LOSE, cited.evaluation)


def main_lines(
    rules: Rules, wager: Wager, box: Box, dealer: Sequence[Card]
) -> Iterator[ResultLine]:
    """Settle a main wager and everything that decisions added to it."""
    is_paid_early = wager.player in box.paid_early
    verdict = verdict_of(rules, box.root.final(), dealer, is_paid_early=is_paid_early)
    yield _stake_line(wager.id, wager.stake_haler, verdict)
    for extra in box.extras:
        if extra.wager is wager:
            yield _extra_line(rules, extra, dealer)


def void_lines(wager: Wager, extras: Sequence[ExtraStake], rule: str) -> Iterator[ResultLine]:
    """Return back a wager and the stakes that decisions added to it."""
    yield voided(wager.id, wager.stake_haler, rule)
    for extra in extras:
        if extra.wager is wager:
            yield voided(extra.id, extra.stake_haler, rule, parent=wager.id)


def _against_blackjack(rules: Rules, hand: Hand, total: int, dealer: Sequence[Card]) -> Verdict:
    """Decide a hand that is no blackjack and did not win at once."""
    terms, cited = rules.dealer, rules.citations
    ten_up = card_value(dealer[0]) == TEN and dealer[1].rank == ACE
    if terms.blackjack_returns_doubled and hand.doubled and ten_up:
        return Verdict(Result.PUSH, cited.doubled_returned or cited.evaluation)
    if terms.blackjack_ties_with_21 and total == TWENTY_ONE:
        return Verdict(Result.PUSH, cited.evaluation)
    return Verdict(Result.LOSE, cited.evaluation)


def _extra_line(rules: Rules, extra: ExtraStake, dealer: Sequence[Card]) -> ResultLine:
    wager, cited = extra.wager, rules.citations
    if extra.hand is None:
        rule, parent = cited.insurance, wager.id
        if is_natural(dealer):
            return won(extra.id, extra.stake_haler, rules.insurance.odds, rule, parent=parent)
        return lost(extra.id, extra.stake_haler, rule, parent=parent)
    verdict = verdict_of(rules, extra.hand.final(), dealer, is_paid_early=False)
    if not extra.is_token:
        return _stake_line(extra.id, extra.stake_haler, verdict, parent=wager.id)
    # A token pays as much as the main stake would win and has nothing to give back.
    payout = winnings_haler(wager.stake_haler, verdict.odds)
    rule = (cited.free_split if extra.is_split else cited.free_double) or cited.evaluation
    return ResultLine(extra.id, 0, verdict.result, payout, rule, wager.id)


def _stake_line(
    line_id: str, stake_haler: int, verdict: Verdict, *, parent: str | None = None
) -> ResultLine:
    if verdict.result is Result.WIN:
        return won(line_id, stake_haler, verdict.odds, verdict.rule, parent=parent)
    settle = pushed if verdict.result is Result.PUSH else lost
    return settle(line_id, stake_haler, verdict.rule, parent=parent)
