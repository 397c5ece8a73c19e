"""How cards are dealt by each game plan: the shoe, the order, the cards that are burnt.

One table of data for all games, which the findings compare the recorded cards with. Cards to a hand
that was split, drawn or asked for come behind the first ones and are judged with the settlement.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct

from ledger import games

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["DEALING", "Dealing", "ShoeRules", "dealing_faults", "shoe_rules"]

DECK = 52
DEALER = "dealer"
BOXES = "boxes"
"""One card to each box in turn."""


class Dealing(Struct, frozen=True):
    """How the first cards of a round are dealt, and what a shoe of the game is like.

    ``order`` names recipients, ``boxes`` stands for a card to each. ``burns`` are how many cards of
    the board lie when a card is burnt before the next ones; -1 is before all other cards. ``cut``
    is the least and the most number of cards behind the cut card, ``burnt`` how many cards of a
    fresh shoe are burnt.
    """

    paragraph: str
    order: tuple[str, ...] = ()
    burns: tuple[int, ...] = ()
    cut: tuple[int, int] | None = None
    burnt: int = 0


class ShoeRules(Struct, frozen=True):
    """What a shoe of a plan is like; 0 decks and no cut where the plan says nothing."""

    decks: int
    cut: tuple[int, int] | None
    burnt: int
    paragraph: str


BOTH_TWICE = (BOXES, "dealer", BOXES, "dealer")
DEALING = {
    "baccarat.commission": Dealing(
        "Baccarat, course of the game", order=("player", "banker", "player", "banker")
    ),
    "sazka.blackjack_synot": Dealing("SAZKA annex Blackjack 10", order=BOTH_TWICE),
    "sazka.all_bets_blackjack": Dealing("SAZKA annex All Bets Blackjack 9", order=BOTH_TWICE),
    "sazka.infinite_blackjack": Dealing("SAZKA annex Infinite Blackjack 11", order=BOTH_TWICE),
    "sazka.blackjack_evolution": Dealing("SAZKA annex Blackjack (Evolution) 10", order=BOTH_TWICE),
    "69games.blackjack": Dealing(
        "69GAMES Black Jack 3, 6",
        order=(BOXES, "dealer", BOXES),
        cut=(DECK, 5 * DECK),
        burnt=3,
    ),
    "sl.free_bet_blackjack": Dealing("SL 1", cut=(3 * DECK // 2, 3 * DECK)),
    "sazka.casino_holdem": Dealing("SAZKA annex Casino Hold'em 9", burns=(-1,)),
    "69games.ultimate_texas_holdem": Dealing("69GAMES Ultimate Texas Hold'em 2", burns=(0, 3)),
}
"""By game. The order and the burnt cards of a game that is not named are not judged."""


def shoe_rules(game: str, version: str) -> ShoeRules:
    """Return what a shoe is like by a plan; without a demand where the plan is unknown."""
    dealing = DEALING.get(game, Dealing(""))
    try:
        plan = games.plan(game, version)
    except games.SettlementError:
        return ShoeRules(0, None, 0, "")
    tables: list[Any] = [getattr(plan, name, None) for name in ("seats", "cards")]
    decks = next((table.decks for table in tables if hasattr(table, "decks")), 0)
    return ShoeRules(decks, dealing.cut, dealing.burnt, dealing.paragraph)


def dealing_faults(game: str, recipients: Sequence[str]) -> Iterator[tuple[str, str, str]]:
    """Compare the recipients of the cards of a round, in their order, with how it is dealt.

    Returns:
        Code of the finding, detail and paragraph of each fault.

    """
    dealing = DEALING.get(game)
    if dealing is None or not recipients:
        return
    for board in dealing.burns:
        if not _is_burnt(recipients, board):
            where = "the first card" if board < 0 else f"before card {board + 1} of the board"
            yield "CARD_NOT_BURNT", where, dealing.paragraph
    dealt = [name for name in recipients if name != games.BURN]
    for number, due in enumerate(_expected(dealing.order, dealt)):
        got = dealt[number] if number < len(dealt) else "no one"
        if got != due:
            yield "DEALING_ORDER_WRONG", f"card {number + 1} to {got}, not {due}", dealing.paragraph
            return


def _is_burnt(recipients: Sequence[str], board: int) -> bool:
    """Return whether a card was burnt before the board went on; so it is while it did not."""
    if board < 0:
        return recipients[0] == games.BURN
    on_board = [place for place, name in enumerate(recipients) if name == "board"]
    if len(on_board) <= board:
        return True
    since = on_board[board - 1] if board else -1
    return games.BURN in recipients[since + 1 : on_board[board]]


def _expected(order: Sequence[str], dealt: Sequence[str]) -> list[str]:
    """Write the recipients of the first cards, with the boxes in the order of their first one."""
    boxes = [name for name in dict.fromkeys(dealt) if name != DEALER and "." not in name]
    return [name for step in order for name in (boxes if step == BOXES else [step])]
