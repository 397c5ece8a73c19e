"""Ultimate Texas Hold'em of 69GAMES: boxes with ante, equal blind and optional trips.

Each box belongs to one player, and a player may have several. The plan has no void and no time
limit, so every round is played to its end. `ultimate_round` has the rules of cards and actions;
this module checks wagers in the order of the contract.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from ledger.core.phrases import Phrase
from ledger.games.api import round_checks as checks
from ledger.games.api.contract import (
    Action,
    Code,
    Outcome,
    ResultLine,
    SettlementError,
    TableLimits,
    Wager,
)
from ledger.games.api.plan_table import wrong
from ledger.games.api.stake_limits import PlacedStakes
from ledger.games.casino_poker.common import Place, check_places, check_single
from ledger.games.casino_poker.recorded_outcome import hands_shown, in_words, ultimate_outcome
from ledger.games.casino_poker.stakes import ultimate_stakes
from ledger.games.casino_poker.ultimate_actions import Street, play_times, read_street_actions
from ledger.games.casino_poker.ultimate_round import (
    UltimateHoldemOutcome,
    UltimateHoldemRules,
    decide_box_wager,
    show,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from ledger.games.api.round_facts import RoundFacts, ShownHand
    from ledger.games.api.typed import Document

_WORDS = {bet: bet for bet in ("ante", "blind", "trips")}


class UltimateHoldemPlan(UltimateHoldemRules, frozen=True):
    """One plan of Ultimate Texas Hold'em."""

    ranks_hands: ClassVar[bool] = True

    outcome_type: ClassVar[type[Outcome]] = UltimateHoldemOutcome
    optional_fields: ClassVar[frozenset[str]] = frozenset({"burn"})
    bets_depend: ClassVar[bool] = True
    additional_wagers: ClassVar[frozenset[str]] = frozenset({"raise"})

    def __post_init__(self) -> None:
        """Reject impossible raises."""
        super().__post_init__()
        times = self.play.times
        if len(times) != len(Street) or any(count < 1 for street in times for count in street):
            raise wrong("play.times", "must give the raises of all three streets")

    @property
    def bet_words(self) -> Mapping[str, str]:
        """Return the names of the bets by their codes."""
        return _WORDS

    def outcome_from_facts(self, facts: RoundFacts) -> Document:
        """Derive the cards of a hand; raises OUTCOME_INCOMPLETE."""
        return ultimate_outcome(facts)

    def outcome_for(self, document: Document, wagers: Sequence[Wager]) -> Document:
        """Return an outcome without the hands of boxes that have no wager.

        The plan has no void of single wagers.
        """
        hands = document.get("hands")
        if not isinstance(hands, dict):
            return document
        boxes = {wager.box for wager in wagers}
        return {**document, "hands": {box: hands[box] for box in hands if box in boxes}}

    def stakes_added(
        self, facts: RoundFacts, action: Action, table: TableLimits
    ) -> tuple[Wager, ...]:
        """Return the play bet that an action adds; raises `SettlementError`."""
        del table  # The play bet follows the ante.
        return ultimate_stakes(self.play.times, facts, action)

    def box_problem(
        self, wager: Wager, on_box: Sequence[Wager], table: TableLimits
    ) -> SettlementError | None:
        """Return why a wager may not join those on its box, or None: a box has one player."""
        del table
        if all(other.player == wager.player for other in on_box):
            return None
        return SettlementError(
            Code.BOX_LIMIT_EXCEEDED, Phrase("BOX_OF_ANOTHER_PLAYER", box=wager.box or "")
        )

    def may_conclude(self, wager: Wager, others: Sequence[Wager]) -> bool:
        """Return whether chips have the other chips that they require: ante and equal blind."""
        needed = "blind" if wager.bet == "ante" else "ante"
        return any((other.box, other.bet) == (wager.box, needed) for other in others)

    def hands_shown(self, document: Document) -> Iterable[ShownHand]:
        """Yield the hands with their names."""
        return hands_shown(document)

    def describe_result(self, document: Document) -> str:
        """Return the name of the dealer's hand."""
        return in_words(document)

    def check_placed(self, wager: Wager, placed: Sequence[Wager], table: TableLimits) -> None:
        """Check a wager with the player's other wagers; raises `SettlementError`.

        An ante may be alone until its blind is placed; the settlement of the round checks the
        blind.
        """
        self.check_wager(wager)
        place = _place(wager)
        others = {_place(other): other.stake_haler for other in placed}
        check_single(place, set(others))
        if wager.bet != "ante":
            _check_matches_ante(place, wager.stake_haler, others)
        self.limits.check_wager(wager, PlacedStakes((*placed, wager)), table)

    def decide(
        self,
        wagers: Sequence[Wager],
        actions: Sequence[Action],
        outcome: UltimateHoldemOutcome,
        table: TableLimits,
    ) -> Iterable[ResultLine]:
        """Settle every wager and raise of one hand."""
        places = [_place(wager) for wager in wagers]
        street_actions = read_street_actions(actions)
        owners = self._check_wagers(wagers, places)
        self.check_limits(wagers, (), table)
        checks.check_void(self.header, outcome)
        checks.check_participants(self.header, wagers, outcome)
        showdown = show(self, outcome, tuple(owners))
        times = play_times(self.play.times, street_actions, owners)
        lines: list[ResultLine] = []
        for wager, (_player, box, _bet) in zip(wagers, places, strict=True):
            lines += decide_box_wager(self, wager, box, times[box], showdown)
        return lines

    def _check_wagers(self, wagers: Sequence[Wager], places: Sequence[Place]) -> dict[str, str]:
        """Check the wagers against each other and return the player of each box."""
        owners: dict[str, str] = {}
        for place in check_places(self, wagers, places):
            if owners.setdefault(place.box, place.player) != place.player:
                raise SettlementError(
                    Code.BOX_LIMIT_EXCEEDED, Phrase("BOX_OF_ANOTHER_PLAYER", box=place.box)
                )
        stakes = {place: wager.stake_haler for wager, place in zip(wagers, places, strict=True)}
        for place, stake_haler in stakes.items():
            if place.bet != "ante":
                _check_matches_ante(place, stake_haler, stakes)
            elif place._replace(bet="blind") not in stakes:
                raise SettlementError(
                    Code.STAKE_MISMATCH, Phrase("ANTE_WITHOUT_BLIND", box=place.box)
                )
        return owners


def _place(wager: Wager) -> Place:
    if wager.box is None:
        raise SettlementError(Code.MALFORMED_REQUEST, Phrase("WAGER_NAMES_NO_BOX", wager=wager.id))
    return Place(wager.player, wager.box, wager.bet)


def _check_matches_ante(place: Place, stake_haler: int, stakes: dict[Place, int]) -> None:
    """Refuse a blind or trips that does not match the ante of its box."""
    ante = stakes.get(place._replace(bet="ante"))
    if ante is None:
        raise SettlementError(
            Code.SIDE_BET_WITHOUT_MAIN, Phrase("BET_WITHOUT_ANTE", bet=place.bet, box=place.box)
        )
    if stake_haler > ante or (place.bet == "blind" and stake_haler != ante):
        raise SettlementError(
            Code.STAKE_MISMATCH, Phrase("BET_DIFFERS_FROM_ANTE", bet=place.bet, box=place.box)
        )
