"""Blackjack: four streamed games of SAZKA, 69GAMES and Free Bet Blackjack.

One engine, six plans. A round consists of main and side bets on boxes, the actions in playing
order, the dealer's cards and the final hands. The actions are replayed on the recorded cards, which
yields the stakes that they added; an action, card or dealer that violates the rules is refused.

The order of the checks is that of the contract: form, wagers, limits, void reason, outcome and
cards, actions, missing actions, cards against actions, the dealer's drawing.
"""

from __future__ import annotations

from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, ClassVar

from ledger.core.phrases import Phrase
from ledger.games.api import round_checks as checks
from ledger.games.api.contract import (
    Action,
    Code,
    Outcome,
    ResultLine,
    SettlementError,
    StakeRange,
    TableLimits,
    Wager,
)
from ledger.games.api.round_checks import CARD_FAULTS, VoidScope
from ledger.games.api.typed import Document
from ledger.games.blackjack.boxes import Box
from ledger.games.blackjack.cards import CARDS_DEALT, TableCards
from ledger.games.blackjack.dealer import (
    cards_needed_min,
    check_cards_fit,
    check_dealer,
    is_undecided,
)
from ledger.games.blackjack.lines import main_lines, void_lines
from ledger.games.blackjack.outcome import BlackjackOutcome, check_owners, read_cards
from ledger.games.blackjack.play import ActionReplay, check_ends, read_box_action
from ledger.games.blackjack.recorded_outcome import hands_shown, in_words, outcome_from_facts
from ledger.games.blackjack.rules import Boxes, Rules
from ledger.games.blackjack.side_bets import SideBet, SideBetCards
from ledger.games.blackjack.stakes import stakes_added
from ledger.games.blackjack.wagers import (
    MAIN,
    BetRules,
    bet_rules,
    box_named,
    check_box,
    check_limits,
    check_placement,
    check_wagers,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from ledger.games.api.round_facts import RoundFacts, ShownHand
    from ledger.games.blackjack.play import BoxAction


class BlackjackPlan(Rules, frozen=True):
    """Bets, limits and switches of one blackjack plan."""

    outcome_type: ClassVar[type[Outcome]] = BlackjackOutcome
    made_by: ClassVar[frozenset[str]] = frozenset({"shoe", "shuffler", "machine"})
    unseen_fields: ClassVar[frozenset[str]] = frozenset({"owners"})
    bets_depend: ClassVar[bool] = True
    additional_wagers: ClassVar[frozenset[str]] = frozenset({"double", "split", "insurance"})
    reconstructed_first: ClassVar[frozenset[str]] = CARD_FAULTS
    bets: dict[str, Document]
    void: VoidScope

    def __post_init__(self) -> None:
        """Reject unknown bets and void reasons."""
        self.void.check_reasons(self.header)
        _ = self.bet_rules  # Computed now, so that an invalid file is rejected when it is loaded.

    @cached_property
    def bet_rules(self) -> BetRules:
        """Return the bets with their limits."""
        return bet_rules(self.bets)

    def describe(self, bet: str, selection: object) -> str:
        """Return the name of the bet; raises UNKNOWN_BET."""
        del selection  # No bet of blackjack has one.
        bet_rules = self.bet_rules.bets.get(bet)
        if bet_rules is None:
            raise SettlementError(
                Code.UNKNOWN_BET, Phrase("GAME_WITHOUT_BET", game=self.header.game, bet=bet)
            )
        return bet_rules.words

    @property
    def seats_max(self) -> int:
        """Return the seats of a table whose boxes have numbers."""
        return self.seats.numbers_max

    @property
    def shares_boxes(self) -> bool:
        """Return whether several players may bet on a box, of whom its owner decides."""
        return self.seats.boxes is Boxes.NAMED and self.seats.mains_per_box > 1

    def outcome_from_facts(self, facts: RoundFacts) -> Document:
        """Derive dealer and final hands from the cards; raises `SettlementError`."""
        return outcome_from_facts(self.seats.boxes, facts)

    def stakes_added(
        self, facts: RoundFacts, action: Action, table: TableLimits
    ) -> tuple[Wager, ...]:
        """Return the stake or token that an action adds; raises `SettlementError`."""
        return stakes_added(self, facts, action, table)

    def box_problem(
        self, wager: Wager, on_box: Sequence[Wager], table: TableLimits
    ) -> SettlementError | None:
        """Return why a wager may not join those of all players on its box, or None."""
        try:
            check_box(self.bet_rules, self.seats, wager, on_box, table)
        except SettlementError as problem:
            return problem
        return None

    def may_conclude(self, wager: Wager, others: Sequence[Wager]) -> bool:
        """Return whether a side bet has its main bet."""
        needed = (wager.box, MAIN)
        return wager.bet == MAIN or any((other.box, other.bet) == needed for other in others)

    def may_void(self, reason: str, *, everybody: bool) -> bool:
        """Return whether a reason applies to all players, or to single ones."""
        known = super().may_void(reason, everybody=everybody)
        return known and self.void.allows(reason, everybody=everybody)

    def hands_shown(self, document: Document) -> Iterable[ShownHand]:
        """Yield the hands with their totals."""
        return hands_shown(document)

    def describe_result(self, document: Document) -> str:
        """Return the dealer's total."""
        return in_words(document)

    def table_problem(self, table: TableLimits) -> SettlementError | None:
        """Return why a table may not have these limits, or None."""
        return self.bet_rules.table_problem(table)

    def check_placed(self, wager: Wager, placed: Sequence[Wager], table: TableLimits) -> None:
        """Check a wager with the player's other wagers; raises `SettlementError`."""
        check_placement(self.bet_rules, self.seats, wager, placed, table)

    def decide(
        self,
        wagers: Sequence[Wager],
        actions: Sequence[Action],
        outcome: BlackjackOutcome,
        table: TableLimits,
    ) -> Iterable[ResultLine]:
        """Return the lines of every wager of one round, with the stakes that actions added."""
        for wager in wagers:
            box_named(wager)
        box_actions = [read_box_action(recorded_action) for recorded_action in actions]
        disconnected = checks.players_disconnected(self.header, outcome)
        check_wagers(self.header, self.bet_rules, self.seats, wagers, disconnected)
        problem = self.table_problem(table)
        if problem is not None:
            raise problem
        bets = [wager for wager in wagers if wager.player not in disconnected]
        check_limits(self.bet_rules, bets, table)
        self.void.check(self.header, outcome)
        checks.check_participants(self.header, wagers, outcome)
        check_owners(outcome.owners, {**_mains(wagers), **_mains(bets)})
        unplayed = {
            wager.id: checks.return_ground(self.header, wager, outcome, disconnected)
            for wager in wagers
        }
        live = [wager for wager in wagers if unplayed[wager.id] is None]
        cards = self._read_cards(outcome, wagers, live)
        boxes = _seat(bets, live, outcome.owners, cards)
        self._play(boxes, box_actions, live, cards, table)
        return chain.from_iterable(
            self._lines(wager, boxes, cards, unplayed[wager.id]) for wager in wagers
        )

    def _read_cards(
        self, outcome: BlackjackOutcome, wagers: Sequence[Wager], live: Sequence[Wager]
    ) -> TableCards:
        """Parse the cards, if they decide any bet; a void round needs no cards."""
        if not live:
            return TableCards()
        return read_cards(outcome, self, _mains(wagers), _mains(live))

    def _play(
        self,
        boxes: Mapping[str, Box],
        actions: Sequence[BoxAction],
        live: Sequence[Wager],
        cards: TableCards,
        table: TableLimits,
    ) -> None:
        """Replay the actions, and check how the hands and the dealer's hand ended."""
        open_card = cards.dealer[0] if cards.dealer else None
        own = table.by_bet.get(MAIN, StakeRange())
        replay = ActionReplay(self, boxes, open_card, own.haler_min or table.every.haler_min)
        replay.apply_all(actions)
        played = [boxes[name] for name in _mains(live)]
        for box in played:
            check_ends(self, box)
        if open_card is not None:
            stakes = sum(len(box.mains) for box in boxes.values())
            self._check_cards(
                played, live, cards, some_void=stakes > sum(wager.bet == MAIN for wager in live)
            )

    def _check_cards(
        self, played: Sequence[Box], live: Sequence[Wager], cards: TableCards, *, some_void: bool
    ) -> None:
        """Check the cards of all hands.

        The dealer may also have drawn for a player whose stakes are void. The actions determine
        which cards the dealer needs: missing cards are reported before hands that do not match, and
        before a dealer who drew or stopped wrongly.
        """
        boxes = {box.name: box for box in played}
        must_finish = any(
            is_undecided(hand, self.play) for box in played for hand in box.final_hands()
        ) or any(
            side.needs_whole_dealer_hand(has_blackjack=boxes[box_named(wager)].has_blackjack)
            for wager in live
            if isinstance(side := self.bet_rules.find(wager), SideBet)
        )
        players = {wager.player for wager in live}
        cards_min = (
            CARDS_DEALT
            if must_finish
            else cards_needed_min(self.dealer, cards.dealer[0], played, players)
        )
        if len(cards.dealer) < cards_min:
            raise SettlementError(Code.OUTCOME_INCOMPLETE, Phrase("DEALER_CARDS_MISSING"))
        check_cards_fit(cards, played)
        check_dealer(
            self.dealer,
            cards.dealer,
            cards_max=max(cards_min, CARDS_DEALT) if some_void else cards_min,
            must_finish=must_finish,
        )

    def _lines(
        self,
        wager: Wager,
        boxes: Mapping[str, Box],
        cards: TableCards,
        unplayed: checks.ReturnGround | None,
    ) -> Iterator[ResultLine]:
        """Settle a wager: one line for itself and one for each stake added to it."""
        box = boxes.get(box_named(wager))
        if unplayed is not None:
            yield from void_lines(wager, box.extras if box is not None else (), unplayed)
            return
        if box is None:
            message = "a wager that plays has a box"
            raise RuntimeError(message)
        bet = self.bet_rules.find(wager)
        if isinstance(bet, SideBet):
            dealt = SideBetCards(cards.first_cards(box.name), cards.dealer, box.has_blackjack)
            yield bet.decide(wager, dealt)
        else:
            yield from main_lines(self, wager, box, cards.dealer)


def _mains(wagers: Sequence[Wager]) -> dict[str, dict[str, Wager]]:
    """Group the main wagers by box and player, in their order."""
    mains: dict[str, dict[str, Wager]] = {}
    for wager in wagers:
        if wager.bet == MAIN:
            mains.setdefault(box_named(wager), {})[wager.player] = wager
    return mains


def _seat(
    bets: Sequence[Wager], live: Sequence[Wager], owners: Mapping[str, str], cards: TableCards
) -> dict[str, Box]:
    """Return the boxes; a box with only void bets is replayed without cards."""
    played, unseen = _mains(live), TableCards()
    return {
        name: Box(
            name, mains, owners.get(name, next(iter(mains))), cards if name in played else unseen
        )
        for name, mains in _mains(bets).items()
    }
