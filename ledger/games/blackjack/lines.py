"""Result lines of a blackjack round: main bets, stakes added by actions, side bets.

`verdict_of` decides one final hand for one player; the verdict applies to every stake and token on
that hand. All checks are made before.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Literal, NamedTuple

from ledger.games.api.contract import Result, ResultLine
from ledger.games.api.explanation import Reason, Why
from ledger.games.api.facts import CombinationFacts, HandFacts, texts
from ledger.games.api.payouts import lost, pushed, voided, winnings, won
from ledger.games.blackjack.cards import ACE, TEN, TWENTY_ONE, best_total, card_value, is_natural

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ledger.games.api.cards import Card
    from ledger.games.api.contract import Wager
    from ledger.games.api.payouts import PrintedOdds
    from ledger.games.api.round_checks import ReturnGround
    from ledger.games.blackjack.boxes import BlackjackHand, Box, ExtraStake
    from ledger.games.blackjack.rules import Rules


class MainBetResult(NamedTuple):
    """Result of a hand with its reason; `row` is the key of the odds if the hand wins."""

    result: Result
    rule: str
    reason: Reason
    row: Literal["", "win", "blackjack"] = ""


def verdict_of(
    rules: Rules, hand: BlackjackHand, dealer: Sequence[Card], *, is_paid_early: bool
) -> MainBetResult:
    """Decide a final hand whose cards are all known."""
    total = hand.total or 0
    cited, rule = rules.citations, rules.citations.evaluation
    dealer_blackjack = is_natural(dealer)
    if total > TWENTY_ONE:
        return MainBetResult(Result.LOSE, cited.bust, Reason.BUST)
    if is_paid_early:
        return MainBetResult(Result.WIN, rule, Reason.EVEN_MONEY, "win")
    if hand.is_blackjack:
        if dealer_blackjack:
            return MainBetResult(Result.PUSH, rule, Reason.BOTH_BLACKJACK)
        return MainBetResult(Result.WIN, rule, Reason.BLACKJACK, "blackjack")
    if hand.has_won_at_once(rules.play) and (
        rules.play.automatic_win_beats_blackjack or not dealer_blackjack
    ):
        return MainBetResult(Result.WIN, cited.automatic_win or rule, Reason.NUMBER_OF_CARDS, "win")
    if dealer_blackjack:
        return _against_blackjack(rules, hand, total, dealer)
    return _by_totals(rules, total, best_total(dealer))


def _by_totals(rules: Rules, total: int, dealer_total: int) -> MainBetResult:
    """Return the verdict by totals, if there is no blackjack."""
    rule = rules.citations.evaluation
    if dealer_total == rules.dealer.pushes_on:
        return MainBetResult(Result.PUSH, rule, Reason.DEALER_TOTAL_RETURNS)
    if dealer_total == total:
        return MainBetResult(Result.PUSH, rule, Reason.EQUAL_TOTALS)
    if dealer_total > TWENTY_ONE:
        return MainBetResult(Result.WIN, rule, Reason.DEALER_BUST, "win")
    if total > dealer_total:
        return MainBetResult(Result.WIN, rule, Reason.HIGHER_TOTAL, "win")
    return MainBetResult(Result.LOSE, rule, Reason.LOWER_TOTAL)


def main_lines(
    rules: Rules, wager: Wager, box: Box, dealer: Sequence[Card]
) -> Iterator[ResultLine]:
    """Yield the lines of a main wager and of all stakes that actions added to it."""
    is_paid_early = wager.player in box.paid_early
    hand = box.root.final()
    verdict = verdict_of(rules, hand, dealer, is_paid_early=is_paid_early)
    why = Why(verdict.reason, partial(hand_facts, hand, dealer), verdict.row)
    yield _stake_line(rules, wager.id, wager.stake_haler, verdict, why)
    for extra in box.extras:
        if extra.wager is wager:
            yield _extra_line(rules, extra, dealer)


def void_lines(
    wager: Wager, extras: Sequence[ExtraStake], unplayed: ReturnGround
) -> Iterator[ResultLine]:
    """Yield lines that return a wager and the stakes that actions added to it."""
    yield voided(wager.id, wager.stake_haler, *unplayed)
    for extra in extras:
        if extra.wager is wager:
            yield voided(extra.id, extra.stake_haler, *unplayed, parent=wager.id)


def hand_facts(hand: BlackjackHand, dealer: Sequence[Card], *, free: bool = False) -> HandFacts:
    """Return the facts of a final hand and of the dealer's, with their totals."""
    cards = hand.known_cards or ()
    return HandFacts(
        hand.name, texts(cards), best_total(cards), texts(dealer), best_total(dealer), free
    )


def _against_blackjack(
    rules: Rules, hand: BlackjackHand, total: int, dealer: Sequence[Card]
) -> MainBetResult:
    """Return the verdict against a dealer's blackjack on a hand that has not already won."""
    terms, cited = rules.dealer, rules.citations
    ten_up = card_value(dealer[0]) == TEN and dealer[1].rank == ACE
    if terms.blackjack_returns_doubled and hand.doubled and ten_up:
        rule = cited.doubled_returned or cited.evaluation
        return MainBetResult(Result.PUSH, rule, Reason.DOUBLED_RETURNED)
    if terms.blackjack_ties_with_21 and total == TWENTY_ONE:
        return MainBetResult(Result.PUSH, cited.evaluation, Reason.TWENTY_ONE_TIES)
    return MainBetResult(Result.LOSE, cited.evaluation, Reason.DEALER_BLACKJACK)


def _extra_line(rules: Rules, extra: ExtraStake, dealer: Sequence[Card]) -> ResultLine:
    wager, cited = extra.wager, rules.citations
    if extra.hand is None:
        rule, odds, facts = cited.insurance, rules.insurance.odds, partial(_dealer_facts, dealer)
        if is_natural(dealer):
            why = Why(Reason.INSURANCE_WON, facts, "insurance")
            return won(extra.id, extra.stake_haler, odds, rule, why, parent=wager.id)
        why = Why(Reason.INSURANCE_LOST, facts)
        return lost(extra.id, extra.stake_haler, rule, why, parent=wager.id)
    hand = extra.hand.final()
    verdict = verdict_of(rules, hand, dealer, is_paid_early=False)
    why = Why(verdict.reason, partial(hand_facts, hand, dealer, free=extra.is_token), verdict.row)
    if not extra.is_token:
        return _stake_line(rules, extra.id, extra.stake_haler, verdict, why, parent=wager.id)
    # A token pays as much as the main stake would win and has no stake to return.
    odds_won = _odds_of(rules, verdict)
    terms = (winnings(wager.stake_haler, odds_won),) if odds_won is not None else ()
    rule = (cited.free_split if extra.is_split else cited.free_double) or cited.evaluation
    return ResultLine(extra.id, 0, verdict.result, terms, rule, why, wager.id)


def _dealer_facts(dealer: Sequence[Card]) -> CombinationFacts:
    return CombinationFacts("insurance", texts(dealer))


def _odds_of(rules: Rules, verdict: MainBetResult) -> PrintedOdds | None:
    match verdict.row:
        case "win":
            return rules.odds.win
        case "blackjack":
            return rules.odds.blackjack
    return None


def _stake_line(
    rules: Rules,
    line_id: str,
    stake_haler: int,
    verdict: MainBetResult,
    why: Why,
    *,
    parent: str | None = None,
) -> ResultLine:
    odds = _odds_of(rules, verdict)
    if odds is not None:
        return won(line_id, stake_haler, odds, verdict.rule, why, parent=parent)
    settle = pushed if verdict.result is Result.PUSH else lost
    return settle(line_id, stake_haler, verdict.rule, why, parent=parent)
