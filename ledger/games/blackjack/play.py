"""Replaying the decisions of a blackjack round.

`read_decision` judges the form of one recorded decision, `DecisionReplay` carries the decisions out
in their order and refuses what a player could not have decided in that state. `check_ends` then
says which hands may not end as they did. How cards and decisions fit together is checked elsewhere.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct, field

from ledger.games.api.contract import Action, Code, SettlementError, Stake, read_action
from ledger.games.api.typed import LeftOut, shown
from ledger.games.blackjack.boxes import Box, ExtraStake, Hand
from ledger.games.blackjack.cards import ACE, CARDS_DEALT, begins_natural, best_total, box_of
from ledger.games.blackjack.insurance import insure

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ledger.games.api.cards import Card
    from ledger.games.blackjack.rules import Rules

_AUTOMATIC = ("hit", "stand", "skip_insurance")


class Decision(Struct, frozen=True):
    """One recorded decision; `stake_haler` None if no stake was recorded, 0 if it is no amount."""

    player: str
    hand: str
    type: str
    auto: LeftOut[str] = None
    is_free: bool = field(name="free", default=False)
    stake_haler: LeftOut[Stake] = field(name="stake", default=None)


def read_decision(action: Action) -> Decision:
    """Read one action; raises MALFORMED_REQUEST."""
    decision = read_action(action, Decision)
    if decision.type == "insurance" and decision.stake_haler is None:
        raise SettlementError(Code.MALFORMED_REQUEST, "action.stake must be given for an insurance")
    return decision


class DecisionReplay:
    """Decisions carried out on the boxes of one round.

    `open_card` is the dealer's first card, None if the round is void and has no cards;
    `table_haler_min` is what insurance of some games is measured by.
    """

    def __init__(
        self,
        rules: Rules,
        boxes: Mapping[str, Box],
        open_card: Card | None,
        table_haler_min: int | None,
    ) -> None:
        """Start before the first decision."""
        self._rules = rules
        self._boxes = boxes
        self._open_card = open_card
        self._table_haler_min = table_haler_min

    def apply_all(self, decisions: Sequence[Decision]) -> None:
        """Carry out all decisions; raises `SettlementError` for the first that cannot be."""
        for decision in decisions:
            self._apply(decision)

    def _apply(self, decision: Decision) -> None:
        name = box_of(decision.hand, self._boxes)
        box = None if name is None else self._boxes[name]
        if box is None or decision.player not in box.mains:
            raise _not_allowed(decision, "the player has no main bet on that box")
        self._check_options(decision)
        match decision.type:
            case "insurance" | "skip_insurance":
                self._insure(decision, box)
            case "even_money":
                self._pay_early(decision, box)
            case "hit" | "stand" | "double" | "split":
                hand = box.hands.get(decision.hand)
                if hand is None:
                    raise _not_allowed(decision, "there is no such hand")
                if decision.player == box.owner:
                    self._play(decision, box, hand)
                else:
                    self._join(decision, box, hand)
            case _:
                raise _not_allowed(decision, "the game has no such decision")

    def _check_options(self, decision: Decision) -> None:
        play = self._rules.play
        if decision.auto is not None and (
            decision.auto not in play.automatic_words or decision.type not in _AUTOMATIC
        ):
            raise _not_allowed(decision, "it is never made automatically")
        if decision.is_free and not (play.has_free_bets and decision.type in ("double", "split")):
            raise _not_allowed(decision, "it cannot be free")

    def _insure(self, decision: Decision, box: Box) -> None:
        card = self._open_card
        if decision.hand != box.name or (card is not None and card.rank != ACE):
            raise _not_allowed(decision, "insurance is for a box against an ace")
        if decision.type == "insurance":
            insure(
                box,
                decision.player,
                decision.stake_haler or 0,
                terms=self._rules.insurance.terms,
                table_haler_min=self._table_haler_min,
            )
        elif box.has_moved:
            raise _not_allowed(decision, "insurance is no longer offered")

    def _pay_early(self, decision: Decision, box: Box) -> None:
        card = self._open_card
        threatens = card is None or begins_natural(card)
        has_blackjack = box.has_blackjack or (
            box.root.halves is None and box.root.known_cards is None
        )
        if (
            not self._rules.play.has_even_money
            or decision.hand != box.name
            or decision.player in box.paid_early
            or not (threatens and has_blackjack)
        ):
            raise _not_allowed(decision, "even money is for a blackjack against an ace or a ten")
        box.paid_early.add(decision.player)

    def _play(self, decision: Decision, box: Box, hand: Hand) -> None:
        """Carry out a decision of the one who decides on the box."""
        match decision.type:
            case "hit":
                self._hit(decision, box, hand)
            case "stand":
                self._stand(decision, hand)
            case "double":
                if len(hand.cards) != CARDS_DEALT or hand.is_closed(self._rules.play):
                    raise _not_allowed(decision, "only two open cards can be doubled")
                self._add_double(decision, box, hand)
                box.draw(hand)
            case _:
                self._check_split(decision, box, hand)
                box.split(hand)
                self._add_split(decision, box, hand)
        box.has_moved = True

    def _hit(self, decision: Decision, box: Box, hand: Hand) -> None:
        play = self._rules.play
        if hand.is_closed(play):
            raise _not_allowed(decision, "the hand takes no further card")
        hits_to = play.automatic_hits_to
        if decision.auto is not None and (hits_to == 0 or (hand.total or 0) > hits_to):
            raise _not_allowed(decision, "no card is drawn automatically to that total")
        box.draw(hand)
        box.has_hit = True

    def _stand(self, decision: Decision, hand: Hand) -> None:
        play = self._rules.play
        total = hand.total
        if hand.is_stood or hand.halves is not None or hand.is_bust:
            raise _not_allowed(decision, "the hand has ended before")
        if total is not None:
            if decision.auto is not None and total <= play.automatic_hits_to:
                raise _not_allowed(decision, f"{total} does not stand automatically")
            if _must_draw(hand, total, play.draws_forced_to):
                raise _not_allowed(decision, f"{total} must take another card")
        hand.is_stood = True

    def _check_split(self, decision: Decision, box: Box, hand: Hand) -> None:
        play = self._rules.play
        is_open = not hand.is_closed(play) or (
            play.aces_split_again
            and hand.is_split_ace
            and hand.halves is None
            and not hand.is_stood
        )
        if not (is_open and hand.is_pair and box.splits < play.splits_max):
            raise _not_allowed(decision, "only a pair can be split, and not too often")

    def _join(self, decision: Decision, box: Box, hand: Hand) -> None:
        """Let another player of the box follow the owner's double or split with his own stake."""
        player = decision.player
        if decision.auto is not None or not box.has_stake(player, hand):
            raise _not_allowed(decision, "the player has no stake there or does not decide")
        if decision.type == "double" and hand.doubled and player not in hand.doubled:
            self._add_double(decision, box, hand)
        elif decision.type == "split" and _may_join_split(player, hand):
            self._add_split(decision, box, hand)
        else:
            raise _not_allowed(decision, "only the owner decides; a double or split can be joined")

    def _add_double(self, decision: Decision, box: Box, hand: Hand) -> None:
        if decision.is_free and not (
            hand.allows_free_double and box.is_free_hand(decision.player, hand)
        ):
            raise _not_allowed(decision, "a free double needs 9, 10 or 11 without an ace")
        hand.doubled.add(decision.player)
        _add_stake(decision, box, hand)

    def _add_split(self, decision: Decision, box: Box, hand: Hand) -> None:
        if hand.halves is None:
            message = "a hand is split before a stake is added to its second half"
            raise RuntimeError(message)
        if decision.is_free and hand.is_pair_of_tens:
            raise _not_allowed(decision, "ten-valued cards are not split for free")
        hand.split[decision.player] = decision.is_free
        _add_stake(decision, box, hand.halves[1])


def check_ends(rules: Rules, box: Box) -> None:
    """Refuse hands that ended at a total at which they could not.

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
                f"hand {shown(hand.name)} can end at {total} only by a decision of the player",
            )
        if len(recorded) == len(hand.cards) and _must_draw(hand, total, play.draws_forced_to):
            raise SettlementError(
                Code.ACTION_NOT_ALLOWED, f"hand {shown(hand.name)} must take another card"
            )


def _must_draw(hand: Hand, total: int, forced_to: int) -> bool:
    return total <= forced_to and not hand.doubled and not hand.is_split_ace


def _may_join_split(player: str, hand: Hand) -> bool:
    """Return whether a split can still be joined: before its halves were played on."""
    return (
        hand.halves is not None
        and player not in hand.split
        and all(half.halves is None and len(half.cards) == CARDS_DEALT for half in hand.halves)
    )


def _add_stake(decision: Decision, box: Box, hand: Hand) -> None:
    """Put the stake of a double or split beside the main wager, or a token of no stake."""
    wager = box.mains[decision.player]
    stake = 0 if decision.is_free else wager.stake_haler
    if decision.stake_haler is not None and decision.stake_haler != stake:
        raise SettlementError(
            Code.STAKE_MISMATCH,
            f"a {decision.type} costs as much as the main bet, not more or less",
        )
    kind = f"free_{decision.type}" if decision.is_free else decision.type
    box.extras.append(
        ExtraStake(
            f"{wager.id}:{kind}:{hand.name}", wager, stake, hand, is_split=decision.type == "split"
        )
    )


def _not_allowed(decision: Decision, why: str) -> SettlementError:
    return SettlementError(
        Code.ACTION_NOT_ALLOWED,
        f"{shown(decision.type)} by {shown(decision.player)} on {shown(decision.hand)}: {why}",
    )
