"""Facts of a round that the studio and players record before the result.

The ledger records cards as they are dealt, balls, fields of a wheel and actions. `RoundFacts` holds
them in the order of their record. Each family has a module `recorded_outcome` that derives its
outcome document from them, and a module `stakes` that computes the stake that an action adds.

Recipients of cards have the same names in every game: "dealer", "board" (shared cards), "burn"
(discarded), "player" and "banker" in baccarat, the name of the hand where players have hands ("1",
"1.1" …, or the box in Ultimate Texas Hold'em), and "shared", "shared.1" … where all players share
one box. The cards of a shared box exist once; each player's hand consists of as many of them as
that player's actions took.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, NamedTuple

from ledger.core.phrases import Phrase
from ledger.games.api.contract import Action, Code, SettlementError, format_amount

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from ledger.games.api.contract import Wager

DEALER, BOARD, BURN, SHARED = "dealer", "board", "burn", "shared"


class RecordedCard(NamedTuple):
    """A card on the table; `card` is empty until it lies face up."""

    recipient: str
    card: str


class ShownHand(NamedTuple):
    """A hand for display: its owner, its cards, and a description of its value."""

    name: str
    cards: tuple[str, ...]
    words: str


@dataclasses.dataclass(frozen=True, slots=True)
class RoundFacts:
    """Facts of one round in the order of their record; `wagers` exclude additional wagers.

    `owners` are the players who decide on boxes where that is not the first player who bet there.
    """

    wagers: Sequence[Wager] = ()
    actions: Sequence[Action] = ()
    cards: Sequence[RecordedCard] = ()
    number: int | None = None
    field: str | None = None
    owners: Mapping[str, str] = dataclasses.field(default_factory=dict)
    _by_recipient: dict[str, list[str]] = dataclasses.field(
        default_factory=dict, init=False, compare=False, repr=False
    )

    def dealt_to(self, recipient: str) -> list[str]:
        """Return the cards of a recipient in the order of dealing."""
        return self.by_recipient().get(recipient, [])

    def by_recipient(self) -> dict[str, list[str]]:
        """Group the cards by recipient."""
        if self.cards and not self._by_recipient:
            for recipient, card in self.cards:
                self._by_recipient.setdefault(recipient, []).append(card)
        return self._by_recipient

    @property
    def is_empty(self) -> bool:
        """Whether there are no players and no cards."""
        return not self.wagers and not self.cards


def faces(cards: Iterable[str], whose: Phrase) -> list[str]:
    """Return cards, all of which must be known; raises OUTCOME_INCOMPLETE."""
    listed = list(cards)
    if "" in listed:
        raise SettlementError(
            Code.OUTCOME_INCOMPLETE,
            Phrase("CARD_NOT_SEEN", number=listed.index("") + 1, whose=whose),
        )
    return listed


def known(cards: Iterable[str]) -> list[str]:
    """Return the cards whose face is known."""
    return [card for card in cards if card]


def not_allowed(why: Phrase) -> SettlementError:
    """Return the error for an action that is not allowed."""
    return SettlementError(Code.ACTION_NOT_ALLOWED, why)


def recorded_action(
    player: str,
    kind: str,
    *,
    hand: str,
    by: str,
    street: str = "",
    times: int = 0,
    free: bool = False,
    stake_haler: int = 0,
) -> Action:
    """Return a recorded action in the form of the contract.

    Args:
        player: the player who acted, or for whom the time limit acted.
        kind: the type of the action.
        hand: the hand; empty if the game has one action per player.
        by: "player", or the cause of an automatic action.
        street: street of a poker hand, or empty.
        times: multiple of the ante in a raise, or 0.
        free: whether a token replaces the stake.
        stake_haler: stake named by the action itself (insurance), or 0.

    """
    fields: dict[str, object] = {"player": player, "type": kind}
    if hand:
        fields["hand"] = hand
    if by != "player":
        fields["auto"] = by
    if street:
        fields["street"] = street
    if times:
        fields["times"] = times
    if free:
        fields["free"] = True
    if stake_haler:
        fields["stake"] = format_amount(stake_haler)
    return Action(player, kind, fields)
