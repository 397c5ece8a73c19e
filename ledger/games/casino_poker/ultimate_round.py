"""One hand of Ultimate Texas Hold'em: its cards and what each stake wins.

Ante and blind of a folded box are lost; trips is settled by the box's seven cards in any case. The
dealer's qualification matters for the ante only, play and blind are compared with any dealer.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from msgspec import field

from ledger.games.api.cards import Card, check_copies, parse_cards
from ledger.games.api.contract import (
    Code,
    Outcome,
    ResultLine,
    SettlementError,
    Wager,
)
from ledger.games.api.payouts import lost, pushed, won
from ledger.games.api.plan_table import PlanTable
from ledger.games.api.stake_limits import LimitedPlan
from ledger.games.api.typed import Count, LeftOut, Text, shown
from ledger.games.casino_poker.common import (
    BOARD_CARDS,
    HOLE_CARDS,
    DealerTable,
    Deck,
    PayTable,
    Priced,
    check_card_count,
)
from ledger.games.poker.ranking import HandRank, best_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


class UltimateHoldemOutcome(Outcome, frozen=True):
    """The cards as recorded, own cards by box; None when left out."""

    hands: LeftOut[dict[str, tuple[str, ...]]] = None
    dealer: LeftOut[tuple[str, ...]] = None
    board: LeftOut[tuple[str, ...]] = None
    burn: tuple[str, ...] = ()


class PlayTable(Priced, frozen=True):
    """The play bet; `times` are the raises of each street."""

    times: tuple[tuple[Count, ...], ...]


class FoldTable(PlanTable, frozen=True):
    """A folded hand; `wins_ante_back`: an unqualified dealer returns its ante too."""

    rule: Text
    loses_trips: bool
    wins_ante_back: bool = field(name="wins_ante_back_from_unqualified_dealer")


class UltimateHoldemRules(LimitedPlan, frozen=True):
    """The tables of a plan."""

    cards: Deck
    play: PlayTable
    dealer: DealerTable
    fold: FoldTable
    ante: Priced
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
    """Read all cards and rank the hands.

    Raises:
        SettlementError: INVALID_CARD, OUTCOME_INCOMPLETE, INVALID_OUTCOME, PLAYER_CARDS_MISMATCH
            or TOO_MANY_COPIES.

    """
    hands = {box: parse_cards(cards) for box, cards in (outcome.hands or {}).items()}
    dealer, board = parse_cards(outcome.dealer or ()), parse_cards(outcome.board or ())
    check_card_count(dealer, least=HOLE_CARDS, most=HOLE_CARDS, what="the dealer")
    check_card_count(board, least=BOARD_CARDS, most=BOARD_CARDS, what="the board")
    for box in boxes:
        check_card_count(
            hands.get(box, ()), least=HOLE_CARDS, most=HOLE_CARDS, what=f"box {shown(box)}"
        )
    if not hands.keys() <= frozenset(boxes):
        raise SettlementError(
            Code.PLAYER_CARDS_MISMATCH, "there are cards for a box without wagers"
        )
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
    """Decide one wager of a box; an ante is followed by its play bet."""
    hand = showdown.boxes[box]
    folded = times == 0
    if wager.bet == "trips" and not (folded and rules.fold.loses_trips):
        odds = rules.trips.odds_of(hand)
        if odds is None:
            return [lost(wager.id, wager.stake_haler, rules.trips.rule)]
        return [won(wager.id, wager.stake_haler, odds, rules.trips.rule)]
    if folded and wager.bet == "ante" and rules.fold.wins_ante_back and not showdown.is_qualified:
        return [pushed(wager.id, wager.stake_haler, rules.dealer.rule)]
    if folded:
        return [lost(wager.id, wager.stake_haler, rules.fold.rule)]
    if wager.bet == "blind":
        return [_blind_line(rules.blind, wager, hand, showdown.dealer)]
    play_id, play = f"{wager.id}:play", times * wager.stake_haler
    if hand > showdown.dealer:
        play_line = won(play_id, play, rules.play.odds, rules.play.rule, parent=wager.id)
    elif hand == showdown.dealer:
        play_line = pushed(play_id, play, rules.play.rule, parent=wager.id)
    else:
        play_line = lost(play_id, play, rules.play.rule, parent=wager.id)
    return [_ante_line(rules, wager, hand, showdown), play_line]


def _ante_line(
    rules: UltimateHoldemRules, wager: Wager, hand: HandRank, showdown: Showdown
) -> ResultLine:
    if not showdown.is_qualified:
        return pushed(wager.id, wager.stake_haler, rules.dealer.rule)
    if hand == showdown.dealer:
        return pushed(wager.id, wager.stake_haler, rules.ante.rule)
    if hand < showdown.dealer:
        return lost(wager.id, wager.stake_haler, rules.ante.rule)
    return won(wager.id, wager.stake_haler, rules.ante.odds, rules.ante.rule)


def _blind_line(table: PayTable, wager: Wager, hand: HandRank, dealer: HandRank) -> ResultLine:
    if hand < dealer:
        return lost(wager.id, wager.stake_haler, table.rule)
    odds = table.odds_of(hand)
    if hand == dealer or odds is None:
        return pushed(wager.id, wager.stake_haler, table.rule)
    return won(wager.id, wager.stake_haler, odds, table.rule)
