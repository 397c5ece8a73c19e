"""Replay the actions of a blackjack round.

`read_box_action` checks the form of one recorded action; `ActionReplay` executes the actions in
order and refuses an action that was not possible in that state. `check_ends` then refuses hands
with an invalid end. Other modules check whether cards and actions match.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct, field

from ledger.core.phrases import Phrase
from ledger.games.api.contract import Action, Code, SettlementError, Stake, read_action
from ledger.games.api.typed import OptionalField
from ledger.games.blackjack.boxes import BlackjackHand, Box, ExtraStake
from ledger.games.blackjack.cards import ACE, CARDS_DEALT, begins_natural, best_total, box_of
from ledger.games.blackjack.insurance import insure

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ledger.games.api.cards import Card
    from ledger.games.blackjack.rules import Rules

_AUTOMATIC = ("hit", "stand", "skip_insurance")


class BoxAction(Struct, frozen=True):
    """One recorded action; `stake_haler` is None if no stake was recorded, 0 if it is invalid."""

    player: str
    hand: str
    type: str
    auto: OptionalField[str] = None
    is_free: bool = field(name="free", default=False)
    stake_haler: OptionalField[Stake] = field(name="stake", default=None)


def read_box_action(recorded: Action) -> BoxAction:
    """Parse one action; raises MALFORMED_REQUEST."""
    action = read_action(recorded, BoxAction)
    if action.type == "insurance" and action.stake_haler is None:
        raise SettlementError(Code.MALFORMED_REQUEST, Phrase("INSURANCE_WITHOUT_STAKE"))
    return action


class ActionReplay:
    """Actions executed on the boxes of one round.

    `open_card` is the dealer's first card, None if the round is void and has no cards;
    `table_haler_min` is the basis of insurance in some games.
    """

    def __init__(
        self,
        rules: Rules,
        boxes: Mapping[str, Box],
        open_card: Card | None,
        table_haler_min: int | None,
    ) -> None:
        """Start before the first action."""
        self._rules = rules
        self._boxes = boxes
        self._open_card = open_card
        self._table_haler_min = table_haler_min

    def apply_all(self, actions: Sequence[BoxAction]) -> None:
        """Execute all actions; raises `SettlementError` for the first impossible one."""
        for action in actions:
            self._apply(action)

    def _apply(self, action: BoxAction) -> None:
        name = box_of(action.hand, self._boxes)
        box = None if name is None else self._boxes[name]
        if box is None or action.player not in box.mains:
            raise _not_allowed(action, Phrase("BOX_WITHOUT_MAIN_BET"))
        self._check_options(action)
        match action.type:
            case "insurance" | "skip_insurance":
                self._insure(action, box)
            case "even_money":
                self._pay_early(action, box)
            case "hit" | "stand" | "double" | "split":
                hand = box.hands.get(action.hand)
                if hand is None:
                    raise _not_allowed(action, Phrase("HAND_UNKNOWN"))
                if action.player == box.owner:
                    self._play(action, box, hand)
                else:
                    self._join(action, box, hand)
            case _:
                raise _not_allowed(action, Phrase("DECISION_UNKNOWN"))

    def _check_options(self, action: BoxAction) -> None:
        play = self._rules.play
        if action.auto is not None and (
            action.auto not in play.automatic_words or action.type not in _AUTOMATIC
        ):
            raise _not_allowed(action, Phrase("NEVER_AUTOMATIC"))
        if action.is_free and not (play.has_free_bets and action.type in ("double", "split")):
            raise _not_allowed(action, Phrase("NEVER_FREE"))

    def _insure(self, action: BoxAction, box: Box) -> None:
        card = self._open_card
        if action.hand != box.name or (card is not None and card.rank != ACE):
            raise _not_allowed(action, Phrase("INSURANCE_NEEDS_ACE"))
        if action.type == "insurance":
            insure(
                box,
                action.player,
                action.stake_haler or 0,
                terms=self._rules.insurance.terms,
                table_haler_min=self._table_haler_min,
            )
        elif box.has_moved:
            raise _not_allowed(action, Phrase("INSURANCE_OVER"))

    def _pay_early(self, action: BoxAction, box: Box) -> None:
        card = self._open_card
        threatens = card is None or begins_natural(card)
        has_blackjack = box.has_blackjack or (
            box.root.halves is None and box.root.known_cards is None
        )
        if (
            not self._rules.play.has_even_money
            or action.hand != box.name
            or action.player in box.paid_early
            or not (threatens and has_blackjack)
        ):
            raise _not_allowed(action, Phrase("EVEN_MONEY_NOT_OFFERED"))
        box.paid_early.add(action.player)

    def _play(self, action: BoxAction, box: Box, hand: BlackjackHand) -> None:
        """Execute an action of the owner of the box."""
        match action.type:
            case "hit":
                self._hit(action, box, hand)
            case "stand":
                self._stand(action, hand)
            case "double":
                if len(hand.cards) != CARDS_DEALT or hand.is_closed(self._rules.play):
                    raise _not_allowed(action, Phrase("DOUBLE_NEEDS_TWO_CARDS"))
                self._add_double(action, box, hand)
                box.draw(hand)
            case _:
                self._check_split(action, box, hand)
                box.split(hand)
                self._add_split(action, box, hand)
        box.has_moved = True

    def _hit(self, action: BoxAction, box: Box, hand: BlackjackHand) -> None:
        play = self._rules.play
        if hand.is_closed(play):
            raise _not_allowed(action, Phrase("HAND_TAKES_NO_CARD"))
        hits_to = play.automatic_hits_to
        if action.auto is not None and (hits_to == 0 or (hand.total or 0) > hits_to):
            raise _not_allowed(action, Phrase("NO_AUTOMATIC_DRAW"))
        box.draw(hand)
        box.has_hit = True

    def _stand(self, action: BoxAction, hand: BlackjackHand) -> None:
        play = self._rules.play
        total = hand.total
        if hand.is_stood or hand.halves is not None or hand.is_bust:
            raise _not_allowed(action, Phrase("HAND_ENDED"))
        if total is not None:
            if action.auto is not None and total <= play.automatic_hits_to:
                raise _not_allowed(action, Phrase("NO_AUTOMATIC_STAND", total=total))
            if _must_draw(hand, total, play.draws_forced_to):
                raise _not_allowed(action, Phrase("TOTAL_MUST_DRAW", total=total))
        hand.is_stood = True

    def _check_split(self, action: BoxAction, box: Box, hand: BlackjackHand) -> None:
        play = self._rules.play
        is_open = not hand.is_closed(play) or (
            play.aces_split_again
            and hand.is_split_ace
            and hand.halves is None
            and not hand.is_stood
        )
        if not (is_open and hand.is_pair and box.splits < play.splits_max):
            raise _not_allowed(action, Phrase("SPLIT_NEEDS_PAIR"))

    def _join(self, action: BoxAction, box: Box, hand: BlackjackHand) -> None:
        """Let another player of the box join the owner's double or split with a stake."""
        player = action.player
        if action.auto is not None or not box.has_stake(player, hand):
            raise _not_allowed(action, Phrase("NOT_A_DECIDER"))
        if action.type == "double" and hand.doubled and player not in hand.doubled:
            self._add_double(action, box, hand)
        elif action.type == "split" and _may_join_split(player, hand):
            self._add_split(action, box, hand)
        else:
            raise _not_allowed(action, Phrase("OWNER_DECIDES"))

    def _add_double(self, action: BoxAction, box: Box, hand: BlackjackHand) -> None:
        if action.is_free and not (
            hand.allows_free_double and box.is_free_hand(action.player, hand)
        ):
            raise _not_allowed(action, Phrase("FREE_DOUBLE_NEEDS_TOTAL"))
        hand.doubled.add(action.player)
        _add_stake(action, box, hand)

    def _add_split(self, action: BoxAction, box: Box, hand: BlackjackHand) -> None:
        if hand.halves is None:
            message = "a hand is split before a stake is added to its second half"
            raise RuntimeError(message)
        if action.is_free and hand.is_pair_of_tens:
            raise _not_allowed(action, Phrase("FREE_SPLIT_OF_TENS"))
        hand.split[action.player] = action.is_free
        _add_stake(action, box, hand.halves[1])


def check_ends(rules: Rules, box: Box) -> None:
    """Refuse hands that ended at an impossible total.

    Raises:
        SettlementError: ACTION_MISSING where the player's stand is missing, ACTION_NOT_ALLOWED
            where another card was compulsory.

    """
    play = rules.play
    for hand in box.final_hands():
        recorded = box.table.hands.get(hand.name)
        if recorded is None or hand.doubled:
            continue
        total = best_total(recorded)
        if total <= play.stand_needed_to and not hand.is_stood:
            raise SettlementError(
                Code.ACTION_MISSING,
                Phrase("HAND_ENDS_BY_DECISION", hand=hand.name, total=total),
            )
        if len(recorded) == len(hand.cards) and _must_draw(hand, total, play.draws_forced_to):
            raise SettlementError(Code.ACTION_NOT_ALLOWED, Phrase("HAND_MUST_DRAW", hand=hand.name))


def _must_draw(hand: BlackjackHand, total: int, forced_to: int) -> bool:
    return total <= forced_to and not hand.doubled and not hand.is_split_ace


def _may_join_split(player: str, hand: BlackjackHand) -> bool:
    """Return whether a player can still join a split: before its halves are played."""
    return (
        hand.halves is not None
        and player not in hand.split
        and all(half.halves is None and len(half.cards) == CARDS_DEALT for half in hand.halves)
    )


def _add_stake(action: BoxAction, box: Box, hand: BlackjackHand) -> None:
    """Add the stake of a double or split to the main wager, or a token without a stake."""
    wager = box.mains[action.player]
    stake = 0 if action.is_free else wager.stake_haler
    if action.stake_haler is not None and action.stake_haler != stake:
        raise SettlementError(
            Code.STAKE_MISMATCH,
            Phrase("DECISION_COSTS_MAIN_BET", action=action.type),
        )
    kind = f"free_{action.type}" if action.is_free else action.type
    box.extras.append(
        ExtraStake(
            f"{wager.id}:{kind}:{hand.name}", wager, stake, hand, is_split=action.type == "split"
        )
    )


def _not_allowed(action: BoxAction, why: Phrase) -> SettlementError:
    return SettlementError(
        Code.ACTION_NOT_ALLOWED,
        Phrase(
            "DECISION_OF_HAND",
            action=action.type,
            player=action.player,
            hand=action.hand,
            message=why,
        ),
    )
