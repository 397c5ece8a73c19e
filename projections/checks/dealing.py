# also = ["CARD_NOT_BURNT"]
# settled = true
#
# [DEALING_ORDER_WRONG]
# name.en = "Wrong order of dealing"
# name.cs = "Nesprávné pořadí rozdávání"
# text.en = "The cards were dealt in another order than that of the plan: {detail:phrase}."
# text.cs = "Karty byly rozdány v jiném pořadí než podle herního plánu: {detail}."
# paragraph = "game plan, cards"

"""Dealing rules of each game plan: shoe, order of the cards, burnt cards.

``DEALING`` is a table for all games; the findings compare the recorded cards with it. Cards drawn
later to a hand (hits, splits) come after the first ones and are checked with the settlement.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct

from ledger import games
from ledger.core.phrases import Phrase

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["DEALING", "Dealing", "ShoeRules", "dealing_faults", "shoe_rules"]

DECK = 52
DEALER, BOARD = "dealer", "board"
BOXES, BOXES_BY_TWO = "boxes", "boxes by two"
"""One card to each box in turn, or two."""


class Dealing(Struct, frozen=True):
    """Rules for dealing the first cards of a round, and for the shoe of a game.

    ``orders`` are the orders that the plan allows, as recipients; ``boxes`` stands for one card to
    each box. ``to_each`` is the number of cards of each player in a hand among players, starting at
    the left of the button; ``at_once``: the plan leaves open whether a player gets them one by one.
    ``dealer_first`` is the number of the dealer's cards before the boxes draw; all other cards of
    the dealer come after the last card of a box. ``burns`` lists the numbers of board cards after
    which a card is burnt; -1 means before all other cards. ``cut`` is the smallest and the largest
    allowed number of cards behind the cut card, ``burnt`` the number of cards burnt from a fresh
    shoe, ``burnt_at_change``: another dealer who takes over a shoe burns a card first.
    """

    paragraph: str
    orders: tuple[tuple[str, ...], ...] = ()
    to_each: int = 0
    at_once: bool = True
    dealer_first: int = 0
    burns: tuple[int, ...] = ()
    cut: tuple[int, int] | None = None
    burnt: int = 0
    burnt_at_change: bool = False


class ShoeRules(Struct, frozen=True):
    """Rules for a shoe by a plan; 0 decks and ``cut`` None if the plan does not set them."""

    decks: int
    cut: tuple[int, int] | None
    burnt: int
    paragraph: str


BOTH_TWICE = (BOXES, DEALER, BOXES, DEALER)
TWO_AT_ONCE = (BOXES_BY_TWO, DEALER, DEALER)
STREETS = (0, 3, 4)
"""Number of board cards before flop, turn and river."""


def _streamed_blackjack(paragraph: str) -> Dealing:
    return Dealing(paragraph, orders=(BOTH_TWICE,), dealer_first=2)


DEALING = {
    "baccarat.commission": Dealing(
        "Baccarat, course of the game", orders=(("player", "banker", "player", "banker"),)
    ),
    "sazka.blackjack_synot": _streamed_blackjack("SAZKA annex Blackjack 10"),
    "sazka.all_bets_blackjack": _streamed_blackjack("SAZKA annex All Bets Blackjack 9"),
    "sazka.infinite_blackjack": _streamed_blackjack("SAZKA annex Infinite Blackjack 11"),
    "sazka.blackjack_evolution": _streamed_blackjack("SAZKA annex Blackjack (Evolution) 10"),
    "69games.blackjack": Dealing(
        "69GAMES Black Jack 3, 6",
        orders=((BOXES, DEALER, BOXES),),
        dealer_first=1,
        cut=(DECK, 5 * DECK),
        burnt=3,
        burnt_at_change=True,
    ),
    "sl.free_bet_blackjack": Dealing("SL 1, 3", dealer_first=1, cut=(3 * DECK // 2, 3 * DECK)),
    "sazka.casino_holdem": Dealing(
        "SAZKA annex Casino Hold'em 7, 9", orders=(BOTH_TWICE, TWO_AT_ONCE), burns=(-1,)
    ),
    "69games.ultimate_texas_holdem": Dealing(
        "69GAMES Ultimate Texas Hold'em 2", orders=(BOTH_TWICE, TWO_AT_ONCE), burns=(0, 3)
    ),
    "69games.texas_holdem_cash": Dealing(
        "69GAMES Cash game Texas Hold'em, course of the game", to_each=2, burns=STREETS
    ),
    "69games.omaha_cash": Dealing(
        "69GAMES Cash game Omaha Hold'em, course of the game", to_each=4, burns=STREETS
    ),
    "69games.texas_holdem_tournament": Dealing(
        "69GAMES tournament Texas Hold'em, course of the game", to_each=2, burns=STREETS
    ),
    "69games.omaha_tournament": Dealing(
        "69GAMES tournament Omaha Hold'em, course of the game", to_each=4, burns=STREETS
    ),
    "69games.pineapple_ofc_cash": Dealing(
        "69GAMES Pineapple, rules and dealing", to_each=5, at_once=False
    ),
    "69games.pineapple_ofc_tournament": Dealing(
        "69GAMES Pineapple, rules and dealing", to_each=5, at_once=False
    ),
}
"""Dealing rules by game. For games that are not listed, the order and the burnt cards are not
checked."""


def shoe_rules(game: str, version: str) -> ShoeRules:
    """Return the shoe rules of a plan version; those of an unknown plan require nothing."""
    dealing = DEALING.get(game, Dealing(""))
    try:
        plan = games.plan(game, version)
    except games.SettlementError:
        return ShoeRules(0, None, 0, "")
    tables: list[Any] = [getattr(plan, name, None) for name in ("seats", "cards")]
    decks = next((table.decks for table in tables if hasattr(table, "decks")), 0)
    return ShoeRules(decks, dealing.cut, dealing.burnt, dealing.paragraph)


def dealing_faults(
    game: str, recipients: Sequence[str], seats: Sequence[str] = ()
) -> Iterator[tuple[str, Phrase, str]]:
    """Compare the recipients of the cards of a round with the dealing rules of its game.

    Args:
        game: code of the game.
        recipients: recipient of each card, in the order of dealing.
        seats: players of a hand among players, clockwise from the left of the button.

    Returns:
        Finding code, detail and paragraph of each fault.

    """
    dealing = DEALING.get(game)
    if dealing is None or not recipients:
        return
    for board in dealing.burns:
        if not _is_card_burnt(recipients, board):
            before = Phrase("BEFORE_CARD_OF_BOARD", number=board + 1)
            where = Phrase("FIRST_CARD") if board < 0 else before
            yield "CARD_NOT_BURNT", where, dealing.paragraph
    dealt = [name for name in recipients if name != games.BURN]
    fault = _out_of_order(dealing, dealt, seats) or _dealer_early(dealing, dealt)
    if fault:
        yield "DEALING_ORDER_WRONG", fault, dealing.paragraph


def _is_card_burnt(recipients: Sequence[str], board: int) -> bool:
    """Return whether a card was burnt before the board continued, or the board did not continue."""
    if board < 0:
        return recipients[0] == games.BURN
    on_board = [place for place, name in enumerate(recipients) if name == BOARD]
    if len(on_board) <= board:
        return True
    since = on_board[board - 1] if board else -1
    return games.BURN in recipients[since + 1 : on_board[board]]


def _out_of_order(dealing: Dealing, dealt: Sequence[str], seats: Sequence[str]) -> Phrase | None:
    """Return the first deviation from the allowed order that is followed longest, or None."""
    faults = []
    for order in _expected(dealing, dealt, seats):
        got = [*dealt[: len(order)], *[""] * (len(order) - len(dealt))]
        differs = [place for place, due in enumerate(order) if got[place] != due]
        if not differs:
            return None
        faults.append((differs[0], got, order))
    if not faults:
        return None
    first, got, order = max(faults, key=lambda fault: fault[0])
    if not got[first]:
        return Phrase("CARD_TO_NO_ONE", number=first + 1, due_recipient=order[first])
    return Phrase(
        "CARD_TO_OTHER", number=first + 1, recipient=got[first], due_recipient=order[first]
    )


def _expected(dealing: Dealing, dealt: Sequence[str], seats: Sequence[str]) -> list[list[str]]:
    """Return the recipients of the first cards by each allowed order.

    Boxes are taken in the order of their first card.
    """
    if seats and dealing.to_each:
        one_by_one = list(seats) * dealing.to_each
        at_once = [name for name in seats for _ in range(dealing.to_each)]
        return [one_by_one, at_once] if dealing.at_once else [one_by_one]
    boxes = [name for name in dict.fromkeys(dealt) if _is_box(name) and "." not in name]
    steps = {BOXES: boxes, BOXES_BY_TWO: [name for name in boxes for _ in range(2)]}
    return [
        [name for step in order for name in steps.get(step, [step])] for order in dealing.orders
    ]


def _dealer_early(dealing: Dealing, dealt: Sequence[str]) -> Phrase | None:
    """Return which card the dealer got before the boxes had theirs, or None."""
    of_dealer = [place for place, name in enumerate(dealt) if name == DEALER]
    if not dealing.dealer_first or len(of_dealer) <= dealing.dealer_first:
        return None
    drawn = of_dealer[dealing.dealer_first]
    late = next((name for name in dealt[drawn:] if _is_box(name)), "")
    return Phrase("CARD_TO_DEALER_EARLY", number=drawn + 1, recipient=late) if late else None


def _is_box(recipient: str) -> bool:
    return recipient not in {DEALER, BOARD}
