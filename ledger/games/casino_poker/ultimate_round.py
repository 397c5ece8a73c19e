"""One hand of Ultimate Texas Hold'em: its cards and the result of each stake.

Ante and blind of a folded box are lost; trips is settled by the box's seven cards in any case. The
dealer's qualification matters only for the ante; play and blind are compared with any dealer.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from msgspec import field

from ledger.core.phrases import Phrase
from ledger.games.api.cards import Card, check_copies, parse_cards
from ledger.games.api.contract import (
    Code,
    Outcome,
    ResultLine,
    SettlementError,
    Wager,
)
from ledger.games.api.explanation import Reason, Why
from ledger.games.api.payouts import lost, pushed, won
from ledger.games.api.plan_table import PlanTable
from ledger.games.api.stake_limits import LimitedPlan
from ledger.games.api.typed import Count, OptionalField, Text, shown
from ledger.games.casino_poker.common import (
    BOARD_CARDS,
    HOLE_CARDS,
    BetOdds,
    DealerRules,
    Deck,
    PayTable,
    check_card_count,
    made_line,
    showdown_facts,
)
from ledger.games.poker.ranking import HandRank, best_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ledger.games.api.explanation import FactsProvider


class UltimateHoldemOutcome(Outcome, frozen=True):
    """The cards as recorded, own cards by box; None if not recorded."""

    hands: OptionalField[dict[str, tuple[str, ...]]] = None
    dealer: OptionalField[tuple[str, ...]] = None
    board: OptionalField[tuple[str, ...]] = None
    burn: tuple[str, ...] = ()


class PlayTable(BetOdds, frozen=True):
    """The play bet; `times` are the allowed multiples of the ante on each street."""

    times: tuple[tuple[Count, ...], ...]


class FoldRules(PlanTable, frozen=True):
    """Rules of a folded hand.

    `loses_trips`: a fold loses the trips bet. `wins_ante_back`: an unqualified dealer returns the
    ante of a folded hand, too.
    """

    rule: Text
    loses_trips: bool
    wins_ante_back: bool = field(name="wins_ante_back_from_unqualified_dealer")


class UltimateHoldemRules(LimitedPlan, frozen=True):
    """The tables of a plan."""

    cards: Deck
    play: PlayTable
    dealer: DealerRules
    fold: FoldRules
    ante: BetOdds
    blind: PayTable
    trips: PayTable


@dataclass(frozen=True, slots=True)
class Showdown:
    """The hands of all boxes and of the dealer."""

    boxes: Mapping[str, HandRank]
    dealer: HandRank
    is_qualified: bool


def show(
    rules: UltimateHoldemRules, outcome: UltimateHoldemOutcome, boxes: Sequence[str]
) -> Showdown:
    """Parse all cards and rank the hands.

    Raises:
        SettlementError: INVALID_CARD, OUTCOME_INCOMPLETE, INVALID_OUTCOME, PLAYER_CARDS_MISMATCH
            or TOO_MANY_COPIES.

    """
    hands = {box: parse_cards(cards) for box, cards in (outcome.hands or {}).items()}
    dealer, board = parse_cards(outcome.dealer or ()), parse_cards(outcome.board or ())
    check_card_count(dealer, smallest=HOLE_CARDS, largest=HOLE_CARDS, what=Phrase("THE_DEALER"))
    check_card_count(board, smallest=BOARD_CARDS, largest=BOARD_CARDS, what=Phrase("THE_BOARD"))
    for box in boxes:
        check_card_count(
            hands.get(box, ()),
            smallest=HOLE_CARDS,
            largest=HOLE_CARDS,
            what=Phrase("BOX_NAMED", box=shown(box)),
        )
    if not hands.keys() <= frozenset(boxes):
        raise SettlementError(Code.PLAYER_CARDS_MISMATCH, Phrase("BOX_CARDS_WITHOUT_WAGERS"))
    known: list[Card] = [*dealer, *board, *parse_cards(outcome.burn)]
    for hand in hands.values():
        known += hand
    check_copies(known, rules.cards.decks)
    dealer_rank = best_of(dealer, board)
    return Showdown(
        boxes={box: best_of(hands[box], board) for box in boxes},
        dealer=dealer_rank,
        is_qualified=dealer_rank.is_at_least_pair_of(rules.dealer.pair_min),
    )


def decide_box_wager(
    rules: UltimateHoldemRules, wager: Wager, box: str, times: int, showdown: Showdown
) -> list[ResultLine]:
    """Settle one wager of a box; an ante is followed by its play bet."""
    hand, dealer = showdown.boxes[box], showdown.dealer
    facts = partial(showdown_facts, hand, dealer, qualified=showdown.is_qualified)
    line_id, stake = wager.id, wager.stake_haler
    folded = times == 0
    if wager.bet == "trips" and not (folded and rules.fold.loses_trips):
        return [made_line(rules.trips, wager, hand)]
    if folded and wager.bet == "ante" and rules.fold.wins_ante_back and not showdown.is_qualified:
        return [pushed(line_id, stake, rules.dealer.rule, Why(Reason.FOLDED_UNQUALIFIED, facts))]
    if folded:
        return [lost(line_id, stake, rules.fold.rule, Why(Reason.FOLDED))]
    if wager.bet == "blind":
        return [_blind_line(rules.blind, wager, hand, dealer, facts)]
    play_id, play, rule = f"{line_id}:play", times * stake, rules.play.rule
    why = Why(_compared(hand, dealer), facts, "play" if hand > dealer else "")
    if hand > dealer:
        play_line = won(play_id, play, rules.play.odds, rule, why, parent=line_id)
    elif hand == dealer:
        play_line = pushed(play_id, play, rule, why, parent=line_id)
    else:
        play_line = lost(play_id, play, rule, why, parent=line_id)
    return [_ante_line(rules, wager, hand, showdown, facts), play_line]


def _compared(hand: HandRank, dealer: HandRank) -> Reason:
    if hand == dealer:
        return Reason.EQUAL_HANDS
    return Reason.BETTER_HAND if hand > dealer else Reason.WORSE_HAND


def _ante_line(
    rules: UltimateHoldemRules,
    wager: Wager,
    hand: HandRank,
    showdown: Showdown,
    facts: FactsProvider,
) -> ResultLine:
    line_id, stake, table = wager.id, wager.stake_haler, rules.ante
    if not showdown.is_qualified:
        return pushed(line_id, stake, rules.dealer.rule, Why(Reason.UNQUALIFIED, facts))
    reason = _compared(hand, showdown.dealer)
    if reason is Reason.EQUAL_HANDS:
        return pushed(line_id, stake, table.rule, Why(reason, facts))
    if reason is Reason.WORSE_HAND:
        return lost(line_id, stake, table.rule, Why(reason, facts))
    return won(line_id, stake, table.odds, table.rule, Why(reason, facts, "ante"))


def _blind_line(
    table: PayTable, wager: Wager, hand: HandRank, dealer: HandRank, facts: FactsProvider
) -> ResultLine:
    line_id, stake, reason = wager.id, wager.stake_haler, _compared(hand, dealer)
    if reason is Reason.WORSE_HAND:
        return lost(line_id, stake, table.rule, Why(reason, facts))
    odds = table.odds_of(hand)
    if reason is Reason.EQUAL_HANDS:
        return pushed(line_id, stake, table.rule, Why(reason, facts))
    if odds is None:
        return pushed(line_id, stake, table.rule, Why(Reason.BLIND_PAYS_NOTHING, facts))
    return won(line_id, stake, odds, table.rule, Why(reason, facts, hand.category.name.lower()))
