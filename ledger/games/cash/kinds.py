"""One hand among players of any game: Hold'em, Omaha or Pineapple.

A hand is played for money, or in chips of a tournament that have no money value; the rules are the
same, except for the fee. Every function dispatches to the game by the type of the rules.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from msgspec import UNSET
from msgspec.structs import replace

from ledger.core.phrases import Phrase
from ledger.games.api.contract import Code, Outcome, SettlementError, read
from ledger.games.open_face.game import STACK_WORDS, check_stack_chips, settle_game
from ledger.games.open_face.outcome import OfcOutcome
from ledger.games.open_face.rules import OfcRules
from ledger.games.poker.hand import settle_hand
from ledger.games.poker.outcome import PokerOutcome
from ledger.games.poker.rules import HandRules
from ledger.games.poker.streets import POT_WORDS, check_pot_chips

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ledger.games.api.contract import Action, Disconnect, RoundResult, TableLimits, Void, Wager
    from ledger.games.api.game_plan import PlanHeader
    from ledger.games.api.typed import Document

ChipRules = HandRules | OfcRules


def chip_words(rules: ChipRules) -> Mapping[str, str]:
    """Return the names of the bets of a hand by their codes."""
    return POT_WORDS if isinstance(rules, HandRules) else STACK_WORDS


def check_chips(
    header: PlanHeader, rules: ChipRules, wager: Wager, placed: Sequence[Wager]
) -> None:
    """Check a player's chips together with the player's other wagers; raises `SettlementError`."""
    check = check_pot_chips if isinstance(rules, HandRules) else check_stack_chips
    check(header, wager, placed)


def read_chip_outcome(
    rules: ChipRules,
    document: Document,
    void: Void | None,
    disconnects: tuple[Disconnect, ...],
) -> PokerOutcome | OfcOutcome:
    """Parse the outcome of a hand; raises MALFORMED_REQUEST."""
    kind: type[PokerOutcome | OfcOutcome]
    kind = PokerOutcome if isinstance(rules, HandRules) else OfcOutcome
    outcome = replace(read(document, kind, "outcome"), void=void, disconnects=disconnects)
    if void is None and not document.keys() >= {"seats", "button"}:
        raise SettlementError(Code.MALFORMED_REQUEST, Phrase("SEATS_AND_BUTTON_MISSING"))
    if isinstance(outcome, OfcOutcome):
        for one, other in combinations(outcome.seats if void is None else (), 2):
            outcome.point_value.between(one, other)  # Raises where nothing was agreed.
    elif void is not None and void.acted_players is not UNSET:
        read(void.acted_players, int, "outcome.void.acted_players")
    return outcome


def settle_chips(
    header: PlanHeader,
    rules: ChipRules,
    wagers: Sequence[Wager],
    actions: Sequence[Action],
    outcome: Outcome,
    *,
    table: TableLimits,
) -> RoundResult:
    """Settle one hand.

    Raises:
        SettlementError: the first problem, in the order of the contract.
        TypeError: the outcome is not of this game.

    """
    if isinstance(rules, HandRules) and isinstance(outcome, PokerOutcome):
        return settle_hand(header, rules, wagers, actions, outcome, table=table)
    if isinstance(rules, OfcRules) and isinstance(outcome, OfcOutcome):
        return settle_game(header, rules, wagers, actions, outcome, table=table)
    message = "the outcome must be of a hand of this game"
    raise TypeError(message)
