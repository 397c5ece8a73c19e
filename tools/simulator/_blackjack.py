"""Blackjack: boxes of their own, or one box that all share.

Players follow a simple strategy and differ now and then; time stands or draws for absent players,
as the plan says. Where several players are on a box its owner acts, the others may join.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from ledger.games import parse_cards
from ledger.games.blackjack import (
    ACE,
    CARDS_DEALT,
    TEN,
    TWENTY_ONE,
    Boxes,
    InsuranceTerms,
    card_value,
    half_names,
    is_natural,
)
from tools.simulator._cloth import WantedBet
from tools.simulator._dealing import DealingTable
from tools.simulator._players import HALER
from tools.simulator._strategy import total, wants_card, wants_double, wants_split

if TYPE_CHECKING:
    from ledger.games.blackjack import BlackjackPlan
    from tools.simulator._betting import Chips, Round
    from tools.simulator._players import Player
    from tools.simulator._stage import Script

__all__ = ["BlackjackTable", "Spot"]

SIDE_BETS = 0.3
INSURES = 0.15
JOINS = 0.5
SHARES_A_BOX = 0.4
OWN_BOXES = 7
OWN_MIND = 0.04
CHIP_OF_INSURANCE = 10 * HALER


@dataclass(slots=True)
class Spot:
    """The hands of one box, or of one player on a shared box; who bet first acts."""

    name: str
    mains: list[Chips]
    hands: dict[str, list[str]] = field(default_factory=dict)
    splits: int = 0
    split_aces: set[str] = field(default_factory=set)
    done: set[str] = field(default_factory=set)

    @property
    def owner(self) -> Chips:
        """The player who acts."""
        return self.mains[0]


class BlackjackTable(DealingTable):
    """Deals to boxes with hands of their own."""

    plan: BlackjackPlan
    main: ClassVar[str] = "main"

    def __post_init__(self) -> None:
        """Take the decks and seats of the plan."""
        super().__post_init__()
        seats = self.plan.seats
        self.decks = seats.decks
        if seats.boxes is Boxes.NUMBERED:
            self.seats_max = seats.numbers_max
        elif seats.boxes is Boxes.NAMED:
            self.seats_max = OWN_BOXES * 2
        self.hole_card = self.plan.dealer.cards_dealt == CARDS_DEALT

    def plan_limits(self) -> list[tuple[str, int, int]]:
        """Return the bounds of each bet."""
        return [
            (code, bet.haler_min // HALER, (bet.haler_max or 0) // HALER)
            for code, bet in self.plan.bet_rules.bets.items()
        ]

    def box_for(self, player: Player) -> str:
        """Return the player's own box, a free one, or, where it may be, one of another player."""
        if self.plan.seats.boxes is Boxes.SHARED:
            return player.account
        boxes = [str(number) for number in range(1, OWN_BOXES + 1)]
        on_box = {box: list(self.boxes.values()).count(box) for box in boxes}
        free = [box for box in boxes if not on_box[box]]
        shared = [box for box in boxes if on_box[box] == 1]
        may_share = self.plan.seats.mains_per_box > 1 and shared
        if may_share and (not free or self.random.random() < SHARES_A_BOX):
            return self.random.choice(shared)
        return free[0]

    # Bets

    def some_wish(self, player: Player) -> WantedBet:
        """Return a main bet."""
        return WantedBet(self.main, box=self.boxes.get(player.account, ""))

    def choose(self, player: Player, current: Round) -> None:
        """Place a main bet; side bets follow when it is accepted."""
        wish, stake = self.some_wish(player), self.a_stake(player, self.main)
        self.bet(player, current, wish, stake, lambda main: self._place_side_bet(current, main))

    def _place_side_bet(self, current: Round, main: Chips) -> None:
        sides = [code for code in self.plan.bet_rules.bets if code != self.main]
        if self.random.random() < SIDE_BETS:
            code = self.random.choice(sides)
            after = self.random.uniform(0.3, 1.5)
            self.stage.after(after, lambda: self._side(current, main, code))

    def _side(self, current: Round, main: Chips, code: str) -> None:
        player = main.player
        if main in current.chips_of(player) and current.is_open and not player.is_away:
            wish = WantedBet(code, box=main.wish.box)
            self.bet(player, current, wish, self.a_stake(player, code))

    # The round

    def play(self, current: Round) -> Script:
        """Deal, offer insurance, play the boxes, then the dealer."""
        spots = self._spots(current)
        dealer: list[str] = []
        places = self.places_dealt(spots)
        for turn in range(CARDS_DEALT):
            for spot in places:
                yield self.random.uniform(0.35, 0.7)
                spot.hands.setdefault(spot.name, []).append(self.card(current, spot.name))
            if turn == 0 or self.hole_card:
                yield self.random.uniform(0.35, 0.7)
                dealer.append(self.card(current, "dealer", face_up=turn == 0))
        self.spread(spots)
        if self.hole_card and self.is_exposed(current, "dealer"):
            return
        yield from self._offers(current, spots, dealer[0])
        yield from self.play_spots(current, spots, dealer[0])
        yield from self._finish(current, dealer)

    def _spots(self, current: Round) -> list[Spot]:
        spots: dict[str, Spot] = {}
        for _, main in self.players(current):
            spots.setdefault(main.wish.box, Spot(main.wish.box, [])).mains.append(main)
        return sorted(spots.values(), key=lambda spot: spot.name)

    def places_dealt(self, spots: list[Spot]) -> list[Spot]:
        """Return the spots that get cards of their own."""
        return spots

    def spread(self, spots: list[Spot]) -> None:
        """Let everybody see the first cards that are theirs."""

    def _offers(self, current: Round, spots: list[Spot], open_card: str) -> Script:
        """Offer insurance against an ace, and even money where the plan has it."""
        play = self.plan.play
        value = card_value(parse_cards([open_card])[0])
        for spot in spots:
            has_blackjack = is_natural(parse_cards(spot.hands[spot.name]))
            for main in spot.mains:
                is_risk = open_card[0] == ACE or value == TEN
                if play.has_even_money and has_blackjack and is_risk and not self._is_out(main):
                    yield self.random.uniform(0.5, 1.5)
                    if self.random.random() < JOINS:
                        self.act(current, main.player, "even_money", spot.name)
                        continue
                if open_card[0] == ACE and self.random.random() < INSURES:
                    yield self.random.uniform(0.3, 1.2)
                    self._insure(current, spot, main)

    def _is_out(self, main: Chips) -> bool:
        return main.player.is_away

    def _insure(self, current: Round, spot: Spot, main: Chips) -> None:
        half = main.stake // 2
        if self.plan.insurance.terms is not InsuranceTerms.HALF:
            half -= half % CHIP_OF_INSURANCE
        if half and not self._is_out(main):
            asked = (current, main.player, "insurance", spot.name)
            if self.act(*asked, stake=half, cost=half):
                self.staked(current, main, "insurance", half)

    def play_spots(self, current: Round, spots: list[Spot], open_card: str) -> Script:
        """Play box after box, hand after hand."""
        for spot in spots:
            while open_hands := [name for name in spot.hands if not self.is_done(spot, name)]:
                yield self.random.uniform(0.5, 2.0)
                yield from self._take_turn(current, spot, open_hands[0], open_card)

    def is_done(self, spot: Spot, name: str) -> bool:
        """Does a hand take no further action?"""
        cards, play = spot.hands[name], self.plan.play
        is_first = name == spot.name and not spot.splits
        return (
            name in spot.done
            or total(cards) >= TWENTY_ONE
            or (is_first and is_natural(parse_cards(cards)) and len(cards) == CARDS_DEALT)
            or (name in spot.split_aces)
            or (play.automatic_win_cards is not None and len(cards) >= play.automatic_win_cards)
        )

    def _take_turn(self, current: Round, spot: Spot, name: str, open_card: str) -> Script:
        cards = spot.hands[name]
        by = self.in_place_of(spot.owner)
        if not by and len(cards) == CARDS_DEALT:
            if self.may_split(spot, name) and wants_split(cards, open_card):
                if self.split(current, spot, name):
                    yield from self._deal_halves(current, spot, name)
                    return
            elif wants_double(cards, open_card) and self.double(current, spot, name):
                yield self.random.uniform(0.4, 0.8)
                cards.append(self.card(current, self.recipient(spot, name)))
                spot.done.add(name)
                return
        if self.hits(cards, open_card, by=by):
            self.act(current, spot.owner.player, "hit", name, by=by)
            yield self.random.uniform(0.4, 0.8)
            cards.append(self.card(current, self.recipient(spot, name)))
        else:
            self.act(current, spot.owner.player, "stand", name, by=by)
            spot.done.add(name)

    def in_place_of(self, main: Chips) -> str:
        """Return what acts in the place of a player."""
        by = self.automatic(main.player)
        return by if by in self.plan.play.automatic_words else ""

    def hits(self, cards: list[str], open_card: str, *, by: str) -> bool:
        """Choose between a card and none."""
        play = self.plan.play
        if by:
            return total(cards) <= play.automatic_hits_to
        if total(cards) <= max(play.draws_forced_to, play.stand_needed_to):
            return True
        choice = wants_card(cards, open_card)
        return not choice if self.random.random() < OWN_MIND else choice

    def may_split(self, spot: Spot, name: str) -> bool:
        """Does the plan let a hand be split?"""
        return spot.splits < self.plan.play.splits_max and name not in spot.split_aces

    def recipient(self, spot: Spot, name: str) -> str:
        """Name a hand as the studio does."""
        del spot
        return name

    def split(self, current: Round, spot: Spot, name: str) -> bool:
        """Split a pair, with a token where there are tokens; others on the box may join."""
        second = half_names(name)[1]
        return self._add_wager(current, spot, name, "split", second, is_free=self._has_tokens)

    def double(self, current: Round, spot: Spot, name: str) -> bool:
        """Double two cards; a token stands where both are no ace."""
        is_free = self._has_tokens and all(card[0] != ACE for card in spot.hands[name])
        return self._add_wager(current, spot, name, "double", name, is_free=is_free)

    @property
    def _has_tokens(self) -> bool:
        return self.plan.play.has_free_bets

    def _add_wager(
        self, current: Round, spot: Spot, name: str, action: str, on: str, *, is_free: bool
    ) -> bool:
        """Place an additional wager of a box's owner; others on the box may join."""
        kind = f"free_{action}" if is_free else action
        for main in spot.mains:
            if main is not spot.owner and (
                self._is_out(main) or self.random.random() >= JOINS or not self._is_on(spot, name)
            ):
                continue
            cost = 0 if is_free else main.stake
            player = main.player
            if self.act(current, player, action, name, cost=cost, free=is_free):
                self.staked(current, main, f"{kind}:{on}", cost)
            elif main is spot.owner:
                return False
        return True

    def _is_on(self, spot: Spot, name: str) -> bool:
        """Is everybody of the box on a hand? Who did not join a split is on its first half."""
        return name == spot.name

    def _deal_halves(self, current: Round, spot: Spot, name: str) -> Script:
        """Make two hands of one, and give each its second card."""
        pair = spot.hands.pop(name)
        spot.splits += 1
        for card, half in zip(pair, half_names(name), strict=True):
            yield self.random.uniform(0.4, 0.8)
            spot.hands[half] = [card, self.card(current, self.recipient(spot, half))]
            if card[0] == ACE:
                spot.split_aces.add(half)

    def _finish(self, current: Round, dealer: list[str]) -> Script:
        """Turn or draw the dealer's second card, and draw to seventeen."""
        yield self.random.uniform(0.6, 1.2)
        if self.hole_card:
            self.reveal(current, "dealer")
        while len(dealer) < CARDS_DEALT or total(dealer) <= self.plan.dealer.draws_to:
            yield self.random.uniform(0.6, 1.0)
            dealer.append(self.card(current, "dealer"))
        yield self.random.uniform(0.6, 1.2)
