"""One hand among players, whichever game it is: Hold'em, Omaha or Pineapple.

A hand is played for money, or in chips of a tournament that have no money value; the rules are the
same, but for the fee. Every function looks at the kind of rules and calls the game they belong to.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.games.api.contract import Code, Outcome, SettlementError
from ledger.games.api.shapes import Document, optional_text
from ledger.games.open_face.game import STACK_WORDS, check_stack_chips, settle_game
from ledger.games.open_face.outcome import OfcOutcome, read_ofc_outcome
from ledger.games.open_face.rules import OfcRules, read_ofc_rules
from ledger.games.poker.hand import settle_hand
from ledger.games.poker.outcome import PokerOutcome, read_poker_outcome
from ledger.games.poker.rules import HandRules, read_hand_rules
from ledger.games.poker.streets import POT_WORDS, check_pot_chips

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ledger.games.api.contract import Action, Disconnect, RoundResult, TableLimits, Void, Wager
    from ledger.games.api.game_plan import PlanHeader
    from ledger.games.api.plan_reader import Section

ChipRules = HandRules | OfcRules


def is_hand(document: Document) -> bool:
    """Return whether an outcome is one hand or the whole tournament; raises MALFORMED_REQUEST."""
    kind = optional_text(document, "kind", "outcome")
    if kind not in (None, "prizes", "hand"):
        raise SettlementError(Code.MALFORMED_REQUEST, "outcome.kind must be prizes or hand")
    return kind == "hand"


def read_chip_rules(section: Section, rule: str | None = None) -> ChipRules:
    """Read the rules of a hand from a plan file; with royalties it is Open Face Chinese Poker.

    Args:
        section: the whole file.
        rule: the paragraph that decides a hand; None where `hand.rule` gives it.

    Raises:
        PlanError: a field is missing, misspelt or impossible.

    """
    read = read_ofc_rules if "royalties" in section else read_hand_rules
    return read(section, rule)


def chip_words(rules: ChipRules) -> Mapping[str, str]:
    """Name the bet of a hand, code to words."""
    return POT_WORDS if isinstance(rules, HandRules) else STACK_WORDS


def check_chips(
    header: PlanHeader, rules: ChipRules, wager: Wager, placed: Sequence[Wager]
) -> None:
    """Check a player's chips beside the player's other wagers; raises `SettlementError`."""
    check = check_pot_chips if isinstance(rules, HandRules) else check_stack_chips
    check(header, wager, placed)


def read_chip_outcome(
    rules: ChipRules,
    document: Document,
    void: Void | None,
    disconnects: tuple[Disconnect, ...],
) -> PokerOutcome | OfcOutcome:
    """Read the outcome of a hand; raises MALFORMED_REQUEST."""
    if isinstance(rules, HandRules):
        return read_poker_outcome(document, void, disconnects)
    return read_ofc_outcome(document, void, disconnects)


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
