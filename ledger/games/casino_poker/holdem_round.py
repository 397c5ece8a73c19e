"""One round of Casino Hold'em: its cards and the result of each stake.

All players share two cards, so a round has one comparison with the dealer. An unqualified dealer
pays the ante and returns the call even with the better hand. AA depends only on the first five
cards and needs a call; the dealer's hand does not matter.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from ledger.core.phrases import Phrase
from ledger.games.api.cards import Card, check_copies, parse_card, parse_cards
from ledger.games.api.contract import Outcome, ResultLine, Wager
from ledger.games.api.explanation import Reason, Why
from ledger.games.api.payouts import lost, pushed, voided, won
from ledger.games.api.plan_table import PlanTable
from ledger.games.api.round_checks import VoidScope
from ledger.games.api.stake_limits import LimitedPlan
from ledger.games.api.typed import Count, OptionalField, Text
from ledger.games.casino_poker.common import (
    BOARD_CARDS,
    FLOP_CARDS,
    HOLE_CARDS,
    BetOdds,
    DealerRules,
    Deck,
    FullPayTable,
    PayTable,
    check_card_count,
    made_line,
    showdown_facts,
)
from ledger.games.casino_poker.holdem_actions import HoldemAction
from ledger.games.poker.ranking import HandRank, best_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ledger.games.api.round_checks import ReturnGround


class CasinoHoldemOutcome(Outcome, frozen=True):
    """The cards as recorded; None if not recorded. `burn` is the discarded first card."""

    player_cards: OptionalField[tuple[str, ...]] = None
    dealer: OptionalField[tuple[str, ...]] = None
    board: OptionalField[tuple[str, ...]] = None
    burn: OptionalField[str] = None


class CallRules(BetOdds, frozen=True):
    """The call, always `times` the ante."""

    times: Count


class FoldRules(PlanTable, frozen=True):
    """The paragraph by which a folded hand loses."""

    rule: Text


class CasinoHoldemRules(LimitedPlan, frozen=True):
    """The tables of a plan."""

    cards: Deck
    void: VoidScope
    dealer: DealerRules
    call: CallRules
    fold: FoldRules
    ante: FullPayTable
    aa: PayTable


@dataclass(frozen=True, slots=True)
class HoldemDeal:
    """The cards of a round; incomplete without players or without a call."""

    own: tuple[Card, ...]
    dealer: tuple[Card, ...]
    board: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class _Showdown:
    first_five: HandRank
    player: HandRank
    dealer: HandRank
    is_qualified: bool


def deal(outcome: CasinoHoldemOutcome, decks: int, *, is_played: bool) -> HoldemDeal:
    """Parse the cards, and check everything that does not depend on actions.

    Without players (`is_played` False) no cards are returned. If all players folded, the dealer's
    cards and the last two board cards may be missing, but not only some of them.

    Raises:
        SettlementError: INVALID_CARD, OUTCOME_INCOMPLETE, INVALID_OUTCOME or TOO_MANY_COPIES.

    """
    if not is_played:
        return HoldemDeal((), (), ())
    dealt = HoldemDeal(
        own=parse_cards(outcome.player_cards or ()),
        dealer=parse_cards(outcome.dealer or ()),
        board=parse_cards(outcome.board or ()),
    )
    burn = () if outcome.burn is None else (parse_card(outcome.burn),)
    check_card_count(dealt.own, smallest=HOLE_CARDS, largest=HOLE_CARDS, what=Phrase("THE_BOX"))
    dealer_min = HOLE_CARDS if dealt.dealer else 0
    board_min = BOARD_CARDS if len(dealt.board) > FLOP_CARDS else FLOP_CARDS
    check_card_count(
        dealt.dealer, smallest=dealer_min, largest=HOLE_CARDS, what=Phrase("THE_DEALER")
    )
    check_card_count(dealt.board, smallest=board_min, largest=BOARD_CARDS, what=Phrase("THE_BOARD"))
    check_copies((*dealt.own, *dealt.dealer, *dealt.board, *burn), decks)
    return dealt


def decide_wagers(
    rules: CasinoHoldemRules,
    wagers: Sequence[Wager],
    acts: Mapping[str, HoldemAction],
    unplayed: Mapping[str, ReturnGround | None],
    dealt: HoldemDeal,
) -> tuple[ResultLine, ...]:
    """Settle all wagers, each ante followed by its call.

    Args:
        rules: figures and paragraphs.
        wagers: all wagers of the round.
        acts: by player; every playing one has one.
        unplayed: by player, why the stakes are returned, None for playing ones.
        dealt: the cards, parsed by `deal`.

    Raises:
        SettlementError: OUTCOME_INCOMPLETE, cards that the actions need are missing.

    """
    playing = [player for player, why_not in unplayed.items() if why_not is None]
    showdown = None
    if any(acts[player] is not HoldemAction.FOLD for player in playing):
        showdown = _show(rules, dealt)
    lines: list[ResultLine] = []
    for wager in wagers:
        act, why_not = acts.get(wager.player), unplayed[wager.player]
        if why_not is not None:
            lines += _void_lines(rules, wager, act, why_not)
        elif showdown is None or act is None or act is HoldemAction.FOLD:
            lines.append(lost(wager.id, wager.stake_haler, rules.fold.rule, Why(Reason.FOLDED)))
        elif wager.bet == "aa":
            lines.append(made_line(rules.aa, wager, showdown.first_five))
        else:
            lines += _called_lines(rules, wager, act, showdown)
    return tuple(lines)


def _show(rules: CasinoHoldemRules, dealt: HoldemDeal) -> _Showdown:
    check_card_count(
        dealt.dealer, smallest=HOLE_CARDS, largest=HOLE_CARDS, what=Phrase("THE_DEALER")
    )
    check_card_count(
        dealt.board, smallest=BOARD_CARDS, largest=BOARD_CARDS, what=Phrase("THE_BOARD")
    )
    dealer = best_of(dealt.dealer, dealt.board)
    return _Showdown(
        first_five=best_of(dealt.own, dealt.board[:FLOP_CARDS]),
        player=best_of(dealt.own, dealt.board),
        dealer=dealer,
        is_qualified=dealer.is_at_least_pair_of(rules.dealer.pair_min),
    )


def _void_lines(
    rules: CasinoHoldemRules, wager: Wager, act: HoldemAction | None, why_not: ReturnGround
) -> list[ResultLine]:
    lines = [voided(wager.id, wager.stake_haler, *why_not)]
    if wager.bet == "ante" and act in (HoldemAction.CALL, HoldemAction.CALL_BLIND):
        call = rules.call.times * wager.stake_haler
        lines.append(voided(f"{wager.id}:{act}", call, *why_not, parent=wager.id))
    return lines


def _called_lines(
    rules: CasinoHoldemRules, ante: Wager, act: HoldemAction, showdown: _Showdown
) -> list[ResultLine]:
    call_id, call = f"{ante.id}:{act}", rules.call.times * ante.stake_haler
    player, dealer, is_qualified = showdown.player, showdown.dealer, showdown.is_qualified
    rule, facts = rules.dealer.rule, partial(showdown_facts, player, dealer, qualified=is_qualified)
    if is_qualified and player < dealer:
        why = Why(Reason.WORSE_HAND, facts)
        return [
            lost(ante.id, ante.stake_haler, rule, why),
            lost(call_id, call, rule, why, parent=ante.id),
        ]
    if is_qualified and player == dealer:
        why = Why(Reason.EQUAL_HANDS, facts)
        return [
            pushed(ante.id, ante.stake_haler, rule, why),
            pushed(call_id, call, rule, why, parent=ante.id),
        ]
    odds, row = rules.ante.odds[player.category], player.category.name.lower()
    reason = Reason.BETTER_HAND if is_qualified else Reason.UNQUALIFIED
    ante_line = won(ante.id, ante.stake_haler, odds, rules.ante.rule, Why(reason, facts, row))
    if not is_qualified:
        return [ante_line, pushed(call_id, call, rule, Why(reason, facts), parent=ante.id)]
    why = Why(reason, facts, "call")
    return [ante_line, won(call_id, call, rules.call.odds, rules.call.rule, why, parent=ante.id)]
