"""Blackjack: four streamed games of SAZKA, 69GAMES and Free Bet Blackjack.

One engine, six plans. A round comes as main and side bets on boxes, the decisions in playing order,
the dealer's cards and the final hands. The decisions are replayed on the recorded cards, so stakes
that they added are found, and a decision, card or dealer that the rules do not allow is refused.

The order of the checks is that of the contract: form, wagers, limits, void reason, outcome and
cards, decisions, missing decisions, cards against decisions, the dealer's drawing.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, ClassVar

from ledger.games.api import round_checks as checks
from ledger.games.api.contract import (
    Action,
    Code,
    Disconnect,
    Outcome,
    ResultLine,
    RoundResult,
    SettlementError,
    StakeRange,
    TableLimits,
    Void,
    Wager,
)
from ledger.games.api.game_plan import GamePlan, PlanHeader
from ledger.games.api.plan_reader import PlanError
from ledger.games.api.shapes import shown
from ledger.games.blackjack.boxes import Box
from ledger.games.blackjack.cards import CARDS_DEALT, TableCards
from ledger.games.blackjack.dealer import (
    cards_needed_min,
    check_cards_fit,
    check_dealer,
    is_undecided,
)
from ledger.games.blackjack.lines import main_lines, void_lines
from ledger.games.blackjack.outcome import BlackjackOutcome, check_owners, read_cards, read_outcome
from ledger.games.blackjack.play import DecisionReplay, check_ends, read_decision
from ledger.games.blackjack.rules import Rules, read_rules
from ledger.games.blackjack.seen import hands_shown, in_words, outcome_seen
from ledger.games.blackjack.side_bets import Dealt
from ledger.games.blackjack.stakes import stakes_added
from ledger.games.blackjack.wagers import (
    MAIN,
    BetRules,
    box_named,
    check_box,
    check_limits,
    check_placement,
    check_wagers,
    read_bets,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from ledger.games.api.plan_reader import Section
    from ledger.games.api.seen import RoundFacts, ShownHand
    from ledger.games.api.shapes import Document
    from ledger.games.blackjack.play import Decision


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class BlackjackPlan(GamePlan):
    """Bets, limits and switches of one blackjack plan.

    `void_for_all` are the reasons that cancel the game for everybody, `void_for_named` those that
    must name the players whom they concern.
    """

    unseen_fields: ClassVar[frozenset[str]] = frozenset({"owners"})
    bets_depend: ClassVar[bool] = True
    additional_wagers: ClassVar[frozenset[str]] = frozenset({"double", "split", "insurance"})
    without_reconstruction: ClassVar[frozenset[str]] = GamePlan.without_reconstruction | {
        "card_counting",
        "internal_supervisor_decision",
    }
    header: PlanHeader
    rules: Rules
    bet_rules: BetRules
    void_for_all: frozenset[str]
    void_for_named: frozenset[str]

    def read_outcome(
        self, document: Document, void: Void | None, disconnects: tuple[Disconnect, ...]
    ) -> BlackjackOutcome:
        """Read dealer, hands and owners; raises MALFORMED_REQUEST."""
        return read_outcome(document, void, disconnects)

    def describe(self, bet: str, selection: object) -> str:
        """Name the bet; raises UNKNOWN_BET."""
        del selection  # No bet of blackjack has one.
        found = self.bet_rules.bets.get(bet)
        if found is None:
            raise SettlementError(Code.UNKNOWN_BET, f"{self.header.game} has no bet {shown(bet)}")
        return found.words

    def outcome_seen(self, facts: RoundFacts) -> Document:
        """Read dealer and final hands from the cards; raises `SettlementError`."""
        return outcome_seen(self.rules.seats.boxes, facts)

    def stakes_added(
        self, facts: RoundFacts, action: Action, table: TableLimits
    ) -> tuple[Wager, ...]:
        """Return the stake or token that a decision adds; raises `SettlementError`."""
        return stakes_added(self.rules, facts, action, table)

    def box_problem(
        self, wager: Wager, on_box: Sequence[Wager], table: TableLimits
    ) -> SettlementError | None:
        """Return why a wager may not join those of all players on its box, or None."""
        try:
            check_box(self.bet_rules, self.rules.seats, wager, on_box, table)
        except SettlementError as problem:
            return problem
        return None

    def may_conclude(self, wager: Wager, others: Sequence[Wager]) -> bool:
        """Return whether a side bet lies beside its main bet."""
        needed = (wager.box, MAIN)
        return wager.bet == MAIN or any((other.box, other.bet) == needed for other in others)

    def may_void(self, reason: str, *, everybody: bool) -> bool:
        """Return whether a reason is one for all players, or for single ones."""
        other = self.void_for_named if everybody else self.void_for_all
        return reason in self.header.void_reasons and reason not in other

    def hands_shown(self, document: Document) -> Iterable[ShownHand]:
        """Show the hands with their totals."""
        return hands_shown(document)

    def result_in_words(self, document: Document) -> str:
        """Return the dealer's total."""
        return in_words(document)

    def table_problem(self, table: TableLimits) -> SettlementError | None:
        """Return why a table may not have these limits, or None."""
        return self.bet_rules.table_problem(table)

    def check_placed(self, wager: Wager, placed: Sequence[Wager], table: TableLimits) -> None:
        """Check a wager beside the player's other wagers; raises `SettlementError`."""
        check_placement(self.bet_rules, self.rules.seats, wager, placed, table)

    def settle_round(
        self,
        wagers: Sequence[Wager],
        actions: Sequence[Action],
        outcome: Outcome,
        table: TableLimits,
    ) -> RoundResult:
        """Decide every wager of one round, with what the decisions added.

        Raises:
            SettlementError: the first problem, in the order of the contract.
            TypeError: the outcome is of another family.

        """
        if not isinstance(outcome, BlackjackOutcome):
            message = "a blackjack round needs a BlackjackOutcome"
            raise TypeError(message)
        for wager in wagers:
            box_named(wager)
        decisions = [read_decision(action) for action in actions]
        disconnected = checks.players_disconnected(self.header, outcome)
        check_wagers(self.header, self.bet_rules, self.rules.seats, wagers, disconnected)
        problem = self.table_problem(table)
        if problem is not None:
            raise problem
        bets = [wager for wager in wagers if wager.player not in disconnected]
        check_limits(self.bet_rules, bets, table)
        self._check_void(outcome)
        checks.check_participants(self.header, wagers, outcome)
        check_owners(outcome.owners, {**_mains(wagers), **_mains(bets)})
        void_rules = {
            wager.id: checks.void_rule(self.header, wager, outcome, disconnected)
            for wager in wagers
        }
        live = [wager for wager in wagers if void_rules[wager.id] is None]
        cards = self._read_cards(outcome, wagers, live)
        boxes = _seat(bets, live, outcome.owners, cards)
        self._play(boxes, decisions, live, cards, table)
        lines = chain.from_iterable(
            self._lines(wager, boxes, cards, void_rules[wager.id]) for wager in wagers
        )
        return RoundResult(self.header.game, self.header.version, tuple(lines))

    def _check_void(self, outcome: BlackjackOutcome) -> None:
        """Allow a void only for a reason of the plan, and for those whom it can concern."""
        void = outcome.void
        if void is not None and (
            (void.reason in self.void_for_all and void.players is not None)
            or (void.reason in self.void_for_named and not void.players)
        ):
            raise SettlementError(
                Code.INVALID_VOID_REASON,
                f"by reason {shown(void.reason)} a round cannot be void for these players",
            )
        checks.check_void(self.header, outcome)

    def _read_cards(
        self, outcome: BlackjackOutcome, wagers: Sequence[Wager], live: Sequence[Wager]
    ) -> TableCards:
        """Read the cards if any bet is decided by them; a void round needs none."""
        if not live:
            return TableCards()
        return read_cards(outcome, self.rules, _mains(wagers), _mains(live))

    def _play(
        self,
        boxes: Mapping[str, Box],
        decisions: Sequence[Decision],
        live: Sequence[Wager],
        cards: TableCards,
        table: TableLimits,
    ) -> None:
        """Replay the decisions and check that hands and dealer ended as they must."""
        open_card = cards.dealer[0] if cards.dealer else None
        own = table.by_bet.get(MAIN, StakeRange())
        replay = DecisionReplay(
            self.rules, boxes, open_card, own.haler_min or table.every.haler_min
        )
        replay.apply_all(decisions)
        played = [boxes[name] for name in _mains(live)]
        for box in played:
            check_ends(self.rules, box)
        if open_card is not None:
            stakes = sum(len(box.mains) for box in boxes.values())
            self._check_cards(
                played, live, cards, some_void=stakes > sum(wager.bet == MAIN for wager in live)
            )

    def _check_cards(
        self, played: Sequence[Box], live: Sequence[Wager], cards: TableCards, *, some_void: bool
    ) -> None:
        """Check all hands; for a player whose stakes are void the dealer may have drawn too.

        Which cards the dealer needs is known with the decisions: they are missing before hands
        do not fit, and before the dealer drew or stopped wrongly.
        """
        rules, boxes = self.rules, {box.name: box for box in played}
        must_finish = any(
            is_undecided(hand, rules.play) for box in played for hand in box.final_hands()
        ) or any(
            side.needs_whole_dealer_hand(has_blackjack=boxes[box_named(wager)].has_blackjack)
            for wager in live
            if (side := self.bet_rules.find(wager).side) is not None
        )
        players = {wager.player for wager in live}
        cards_min = (
            CARDS_DEALT
            if must_finish
            else cards_needed_min(rules.dealer, cards.dealer[0], played, players)
        )
        if len(cards.dealer) < cards_min:
            raise SettlementError(Code.OUTCOME_INCOMPLETE, "cards of the dealer are missing")
        check_cards_fit(cards, played)
        check_dealer(
            rules.dealer,
            cards.dealer,
            cards_max=max(cards_min, CARDS_DEALT) if some_void else cards_min,
            must_finish=must_finish,
        )

    def _lines(
        self, wager: Wager, boxes: Mapping[str, Box], cards: TableCards, void_rule: str | None
    ) -> Iterator[ResultLine]:
        """Settle a wager: one line for itself and one for each stake that was added to it."""
        box = boxes.get(box_named(wager))
        if void_rule is not None:
            yield from void_lines(wager, box.extras if box is not None else (), void_rule)
            return
        if box is None:
            message = "a wager that plays has a box"
            raise RuntimeError(message)
        side = self.bet_rules.find(wager).side
        if side is None:
            yield from main_lines(self.rules, wager, box, cards.dealer)
        else:
            dealt = Dealt(cards.first_cards(box.name), cards.dealer, box.has_blackjack)
            yield side.decide(wager, dealt)


def _mains(wagers: Sequence[Wager]) -> dict[str, dict[str, Wager]]:
    """Sort the main wagers by box and player, in their order."""
    mains: dict[str, dict[str, Wager]] = {}
    for wager in wagers:
        if wager.bet == MAIN:
            mains.setdefault(box_named(wager), {})[wager.player] = wager
    return mains


def _seat(
    bets: Sequence[Wager], live: Sequence[Wager], owners: Mapping[str, str], cards: TableCards
) -> dict[str, Box]:
    """Set up the boxes; one where every bet is void is replayed without looking at cards."""
    played, unseen = _mains(live), TableCards()
    return {
        name: Box(
            name, mains, owners.get(name, next(iter(mains))), cards if name in played else unseen
        )
        for name, mains in _mains(bets).items()
    }


def read_plan(header: PlanHeader, section: Section) -> BlackjackPlan:
    """Read the blackjack part of a plan file.

    Raises:
        PlanError: a field is missing, misspelt or impossible.

    """
    scope = section.section("void")
    plan = BlackjackPlan(
        header=header,
        rules=read_rules(section),
        bet_rules=read_bets(section.section("bets")),
        void_for_all=frozenset(scope.texts("for_all")),
        void_for_named=frozenset(scope.texts("for_named")),
    )
    for key in ("for_all", "for_named"):
        if not header.void_reasons.keys() >= frozenset(scope.texts(key)):
            raise PlanError(scope.place(key), "must name void reasons of the plan")
    scope.close()
    return plan
