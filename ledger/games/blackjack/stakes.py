"""Compute the stakes that actions add in blackjack, and check the actions when they are made.

The previous actions are replayed on the cards on the table, then the new one. In addition to the
checks of a settlement, the action must be in time: before the card that it requests is dealt, and
before the dealer's second card is visible. So no player can double knowing the next card.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.core.phrases import Phrase
from ledger.games.api.cards import parse_cards
from ledger.games.api.contract import StakeRange, Wager
from ledger.games.api.round_facts import DEALER, known, not_allowed
from ledger.games.blackjack.boxes import Box
from ledger.games.blackjack.cards import CARDS_DEALT, TableCards, box_of, half_names, lay_cards
from ledger.games.blackjack.play import ActionReplay, read_box_action
from ledger.games.blackjack.recorded_outcome import dealt_after, hands_dealt
from ledger.games.blackjack.wagers import MAIN, box_named

if TYPE_CHECKING:
    from ledger.games.api.contract import Action, TableLimits
    from ledger.games.api.round_facts import RoundFacts
    from ledger.games.blackjack.boxes import ExtraStake
    from ledger.games.blackjack.play import BoxAction
    from ledger.games.blackjack.rules import Boxes, Rules

_NEVER_LATE = frozenset({"stand", "skip_insurance"})
_OF_A_BOX = frozenset({"insurance", "even_money"})


def stakes_added(
    rules: Rules, facts: RoundFacts, recorded: Action, table: TableLimits
) -> tuple[Wager, ...]:
    """Return the stake or token that an action adds; empty if it adds none.

    Raises:
        SettlementError: the action is not possible; the code is that of a settlement.

    """
    action = read_box_action(recorded)
    boxes = _seat(facts, _cards_seen(rules, facts))
    open_card = parse_cards(known(facts.dealt_to(DEALER)[:1]))
    own = table.by_bet.get(MAIN, StakeRange())
    replay = ActionReplay(
        rules, boxes, next(iter(open_card), None), own.haler_min or table.every.haler_min
    )
    replay.apply_all([read_box_action(recorded_action) for recorded_action in facts.actions])
    before = {extra.id for box in boxes.values() for extra in box.extras}
    _check_time(rules.seats.boxes, facts, boxes, action)
    replay.apply_all([action])
    return tuple(
        _wager(extra) for box in boxes.values() for extra in box.extras if extra.id not in before
    )


def _seat(facts: RoundFacts, cards: TableCards) -> dict[str, Box]:
    mains: dict[str, dict[str, Wager]] = {}
    for wager in facts.wagers:
        if wager.bet == MAIN:
            mains.setdefault(box_named(wager), {})[wager.player] = wager
    return {
        name: Box(name, on_box, facts.owners.get(name, next(iter(on_box))), cards)
        for name, on_box in mains.items()
    }


def _cards_seen(rules: Rules, facts: RoundFacts) -> TableCards:
    """Return the known cards of each hand up to its first unknown card."""
    hands = {}
    for name, cards in hands_dealt(rules.seats.boxes, facts).items():
        seen = cards[: cards.index("")] if "" in cards else cards
        hands[name] = parse_cards(seen)
    boxes = {box_named(wager) for wager in facts.wagers if wager.bet == MAIN}
    return lay_cards(parse_cards(known(facts.dealt_to(DEALER))), hands, boxes)


def _check_time(boxes: Boxes, facts: RoundFacts, seated: dict[str, Box], action: BoxAction) -> None:
    """Refuse an action whose card already lies on the table; raises ACTION_NOT_ALLOWED."""
    if action.type in _NEVER_LATE:
        return
    if len(known(facts.dealt_to(DEALER))) >= CARDS_DEALT:
        raise not_allowed(Phrase("DEALER_CARD_SEEN"))
    if action.type in _OF_A_BOX:
        return
    name = box_of(action.hand, seated)
    hand = seated[name].hands.get(action.hand) if name is not None else None
    if hand is None:
        return  # The replay refuses it.
    if action.type == "split":
        halves = (dealt_after(boxes, facts, action.player, half) for half in half_names(hand.name))
        is_late = any(halves)
    else:
        # A player joins a double before the one card that it requests.
        in_time = CARDS_DEALT if hand.doubled else len(hand.cards)
        dealt = dealt_after(boxes, facts, action.player, hand.name)
        is_late = dealt + (hand.parent is not None) > in_time
    if is_late:
        raise not_allowed(Phrase("NEXT_CARD_DEALT", hand=hand.name))


def _wager(extra: ExtraStake) -> Wager:
    kind = extra.id.removeprefix(f"{extra.wager.id}:").partition(":")[0]
    return Wager(
        id=extra.id,
        player=extra.wager.player,
        bet=kind,
        stake_haler=extra.stake_haler,
        box=extra.wager.box,
    )
