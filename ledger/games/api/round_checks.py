"""Checks of a round that all games against the house share.

The order in which a family calls them is the order of the contract: wagers one by one, limits,
void reason, outcome, actions. A failed check raises `SettlementError`.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from ledger.core.phrases import Phrase
from ledger.games.api.contract import Code, Outcome, Phase, SettlementError, Void, Wager
from ledger.games.api.explanation import Reason, Why
from ledger.games.api.facts import VoidFacts
from ledger.games.api.plan_table import PlanTable, wrong

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ledger.games.api.game_plan import PlanHeader


_Judged = TypeVar("_Judged")


def players_disconnected(header: PlanHeader, outcome: Outcome) -> frozenset[str]:
    """Return the players of a streamed game whose wagers never became bets.

    Source: SAZKA 2 and the annexes.
    """
    if not header.streamed:
        return frozenset()
    return frozenset(
        entry.player for entry in outcome.disconnects if entry.phase == Phase.BEFORE_CLOSE
    )


def check_each_wager(
    header: PlanHeader, wagers: Sequence[Wager], check: Callable[[Wager], _Judged]
) -> list[_Judged]:
    """Check wagers one by one; return the results of `judge`.

    After `judge`, which is the check of the family, each wager is checked by the rules of all
    games: late chips and duplicate ids.
    """
    seen: set[str] = set()
    results = []
    for wager in wagers:
        results.append(check(wager))
        check_late(header, wager)
        check_identifiers(wager, seen)
    return results


def check_identifiers(wager: Wager, seen: set[str]) -> None:
    """Refuse a wager whose id is in `seen`; otherwise add the id."""
    if wager.id in seen:
        raise SettlementError(Code.DUPLICATE_WAGER, Phrase("WAGER_ID_TWICE", wager=wager.id))
    seen.add(wager.id)


def check_late(header: PlanHeader, wager: Wager) -> None:
    """Refuse chips placed after the close of betting if the plan has no rule for them."""
    if wager.late and header.rules.late is None:
        raise SettlementError(
            Code.BET_AFTER_CLOSE,
            Phrase("WAGER_AFTER_CLOSE", wager=wager.id),
        )


def check_void(header: PlanHeader, outcome: Outcome) -> None:
    """Refuse a void without a reason of the plan, or while a reconstruction is possible."""
    void = outcome.void
    if void is None:
        return
    if void.reason not in header.void_reasons:
        raise SettlementError(
            Code.INVALID_VOID_REASON,
            Phrase("VOID_GROUND_UNKNOWN", game=header.game, ground=void.reason),
        )
    if void.reconstructable:
        raise SettlementError(Code.VOID_NOT_ALLOWED, Phrase("VOID_ALTHOUGH_RECONSTRUCTABLE"))


CARD_FAULTS = frozenset(
    (
        *("card_misrecorded", "multiple_cards_face_up_in_shoe", "cards_fell_order_unknown"),
        *("hole_card_exposed_early", "hidden_card_exposed"),
    )
)
"""Reasons for which a round is void only once its reconstruction has failed (SAZKA annex
Blackjack 15, All Bets Blackjack 15, Casino Hold'em 17, Infinite Blackjack 17, Blackjack
(Evolution) 16); no other plan asks for one."""


class VoidScope(PlanTable, frozen=True):
    """The players whose bets a void can concern.

    `for_all` are the reasons that void a round for all players; a void for a reason in `for_named`
    must name the players.
    """

    for_all: frozenset[str] = frozenset()
    for_named: frozenset[str] = frozenset()

    def check_reasons(self, header: PlanHeader) -> None:
        """Reject reasons that the plan lacks; raises `ValueError` for its file."""
        for key in ("for_all", "for_named"):
            if not header.void_reasons.keys() >= getattr(self, key):
                raise wrong(f"void.{key}", "must be reasons of void_reasons")

    def allows(self, reason: str, *, everybody: bool) -> bool:
        """Return whether a reason may apply to all players, or to single ones."""
        return reason not in (self.for_named if everybody else self.for_all)

    def check(self, header: PlanHeader, outcome: Outcome) -> None:
        """Refuse a void without a reason of the plan, or for players to whom it cannot apply."""
        void = outcome.void
        if void is not None and (
            (void.reason in self.for_all and void.players is not None)
            or (void.reason in self.for_named and not void.players)
        ):
            raise SettlementError(
                Code.INVALID_VOID_REASON,
                Phrase("VOID_GROUND_FOR_OTHERS", ground=void.reason),
            )
        check_void(header, outcome)


def check_participants(header: PlanHeader, wagers: Sequence[Wager], outcome: Outcome) -> None:
    """Refuse an outcome that names unknown players or an impossible disconnection."""
    players = {wager.player for wager in wagers}
    if outcome.void is not None and outcome.void.players is not None:
        named = outcome.void.players
        if not named or not players.issuperset(named):
            raise SettlementError(Code.INVALID_OUTCOME, Phrase("VOID_PLAYERS_UNKNOWN"))
    for entry in outcome.disconnects:
        if entry.player not in players:
            raise SettlementError(
                Code.INVALID_OUTCOME,
                Phrase("DISCONNECTED_WITHOUT_WAGER", player=entry.player),
            )
        if entry.phase not in tuple(Phase):
            raise SettlementError(
                Code.INVALID_OUTCOME, Phrase("DISCONNECT_PHASE_UNKNOWN", phase=entry.phase)
            )
        if entry.phase == Phase.BEFORE_CLOSE and not header.streamed:
            raise SettlementError(
                Code.INVALID_OUTCOME,
                Phrase("DISCONNECTED_AT_LAND_BASED_TABLE"),
            )


class ReturnGround(NamedTuple):
    """The paragraph by which a stake is returned because its bet is void, and the reason."""

    rule: str
    why: Why


def return_ground(
    header: PlanHeader, wager: Wager, outcome: Outcome, disconnected: frozenset[str]
) -> ReturnGround | None:
    """Return why a wager's stake is returned without a result, or None if it takes part."""
    rules, void = header.rules, outcome.void
    if wager.player in disconnected and rules.disconnected is not None:
        return ReturnGround(rules.disconnected, Why(Reason.DISCONNECTED))
    if void is not None and (void.players is None or wager.player in void.players):
        return declared_void(header, void)
    if wager.late and rules.late is not None:
        return ReturnGround(rules.late, Why(Reason.LATE))
    return None


def declared_void(header: PlanHeader, void: Void) -> ReturnGround:
    """Return why stakes of a void round are returned."""
    why = Why(Reason.DECLARED_VOID, partial(VoidFacts, void.reason))
    return ReturnGround(header.void_reasons[void.reason], why)
