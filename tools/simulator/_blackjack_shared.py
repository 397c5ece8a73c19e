"""Blackjack with one box for all: every card is dealt once, each player stops where he likes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.games.blackjack import CARDS_DEALT, half_names
from tools.simulator._blackjack import BlackjackTable, Spot
from tools.simulator._strategy import wants_double, wants_split

if TYPE_CHECKING:
    from collections.abc import Generator

    from tools.simulator._betting import Round
    from tools.simulator._stage import Script

__all__ = ["SharedBlackjackTable"]

SHARED = "shared"
HALVES = half_names(SHARED)


class SharedBlackjackTable(BlackjackTable):
    """Deals to one box; the hands of the players are beginnings of one another."""

    def __post_init__(self) -> None:
        """Begin with an empty box."""
        super().__post_init__()
        self._shared = Spot(SHARED, [])

    def places_dealt(self, spots: list[Spot]) -> list[Spot]:
        """There is one place with cards."""
        del spots
        self._shared = Spot(SHARED, [])
        return [self._shared]

    def spread(self, spots: list[Spot]) -> None:
        """The first two cards are everybody's."""
        for spot in spots:
            spot.hands[spot.name] = list(self._shared.hands[SHARED])

    def play_spots(self, current: Round, spots: list[Spot], open_card: str) -> Script:
        """Ask all, deal one card, ask again; then the halves of the pair, if anybody split."""
        splitters = yield from self._splits(current, spots, open_card)
        others = [spot for spot in spots if spot not in splitters]
        yield from self._hand(current, others, "", open_card)
        if not splitters:
            return
        pair = self._shared.hands[SHARED][:CARDS_DEALT]
        for card, half in zip(pair, HALVES, strict=True):
            yield self.random.uniform(0.4, 0.8)
            second = self.card(current, half)
            for spot in splitters:
                name = spot.name + half.removeprefix(SHARED)
                spot.hands[name] = [card, second]
                if card[0] == "A":
                    spot.split_aces.add(name)
        for half in HALVES:
            yield from self._hand(current, splitters, half.removeprefix(SHARED), open_card)

    def _splits(
        self, current: Round, spots: list[Spot], open_card: str
    ) -> Generator[float, None, list[Spot]]:
        """Have the players decide whether to split the pair."""
        splitters = []
        for spot in spots:
            cards = spot.hands[spot.name]
            is_asked = not self.is_done(spot, spot.name) and not spot.owner.player.is_away
            if is_asked and wants_split(cards, open_card):
                yield self.random.uniform(0.1, 0.5)
                if self.split(current, spot, spot.name):
                    spot.hands.pop(spot.name)
                    spot.splits += 1
                    splitters.append(spot)
        return splitters

    def _hand(self, current: Round, spots: list[Spot], part: str, open_card: str) -> Script:
        """Deal to one hand until no player wants another card."""
        playing = [spot for spot in spots if not self.is_done(spot, spot.name + part)]
        while playing:
            takers = []
            for spot in playing:
                yield self.random.uniform(0.1, 0.6)
                if self._takes(current, spot, spot.name + part, open_card):
                    takers.append(spot)
            if not takers:
                return
            yield self.random.uniform(0.5, 0.9)
            card = self.card(current, SHARED + part)
            for spot in takers:
                spot.hands[spot.name + part].append(card)
            playing = [spot for spot in takers if not self.is_done(spot, spot.name + part)]

    def _takes(self, current: Round, spot: Spot, name: str, open_card: str) -> bool:
        """Have a player decide on the next card."""
        cards, by = spot.hands[name], self.in_place_of(spot.owner)
        can_double = not by and len(cards) == CARDS_DEALT
        if can_double and wants_double(cards, open_card) and self.double(current, spot, name):
            spot.done.add(name)
            return True
        if self.hits(cards, open_card, by=by):
            self.act(current, spot.owner.player, "hit", name, by=by)
            return True
        self.act(current, spot.owner.player, "stand", name, by=by)
        spot.done.add(name)
        return False
