"""Draw blackjack: the dealer above, the boxes below with their hands, splits and bets.

If all players share one box, its cards are drawn once, with each player's hands below. Totals are
those of the drawn cards.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ledger import games
from ledger.games.blackjack import TWENTY_ONE, best_total, is_natural
from projections.pictures.cards import TableCard, small_cards
from projections.pictures.hands import actions_line, describe_cards, hand_drawn
from projections.pictures.pieces import bets_of, label, notes, person
from projections.pictures.svg import (
    EDGE,
    PAPER,
    WIDTH,
    Drawing,
    Svg,
    below,
    framed,
    side_by_side,
    words_at,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from projections.pictures.scene import Scene
    from projections.replay.round import Wager

__all__ = ["describe_blackjack", "draw_blackjack"]

DEALER, BURN, SHARED = "dealer", "burn", "shared"
HALVES = ("1", "2")
PAIR = 2
PANELS, GAP, PAD = 3, 9, 8
PANEL = (WIDTH - 2 * PAD - GAP * (PANELS - 1)) / PANELS
INNER = PANEL - 2 * PAD


class _Hand(NamedTuple):
    """A hand on the table: its name and its cards."""

    name: str
    cards: tuple[TableCard, ...]


def draw_blackjack(scene: Scene) -> list[Drawing]:
    """Draw a round of blackjack."""
    dealer = scene.dealt_to(DEALER)
    top = side_by_side(
        hand_drawn(
            scene.text("pictures.dealer"),
            dealer,
            width_max=max(130, 42 * len(dealer)),
            worth=_worth(scene, _Hand("", dealer)),
        ),
        _burnt(scene),
        gap=60,
    )
    is_shared = any(card.recipient.startswith(SHARED) for card in scene.cards)
    boxes = _shared_boxes(scene) if is_shared else _own_boxes(scene)
    table = framed(below(_centred(top), *boxes, gap=12), width=WIDTH, pad=PAD)
    return [table, label(scene.text("pictures.money_note"), size=11, bold=False), notes(scene)]


def describe_blackjack(scene: Scene) -> str:
    """Describe the dealer's hand and all others."""
    hands = [_Hand(scene.text("pictures.dealer"), scene.dealt_to(DEALER))]
    hands += [hand for root in _roots(scene) for hand in _hands(scene, root)]
    described = " ".join(
        f"{hand.name}: {describe_cards(hand.cards)} ({_worth(scene, hand)})."
        for hand in hands
        if hand.cards
    )
    return described.replace(SHARED, scene.text("pictures.shared_box"))


def _centred(piece: Drawing) -> Drawing:
    left = (WIDTH - 2 * PAD - piece.width) / 2
    return side_by_side(Drawing(max(left, 1), 1, Svg("")), piece, gap=0)


def _burnt(scene: Scene) -> Drawing:
    burnt = scene.dealt_to(BURN)
    return (
        hand_drawn(scene.text("pictures.burnt"), burnt, width_max=60) if burnt else side_by_side()
    )


def _roots(scene: Scene) -> list[str]:
    """Return the boxes with cards or bets, in order."""
    dealt = (card.recipient.partition(".")[0] for card in scene.cards)
    boxes = (wager.box for wager in scene.replay.wagers)
    has_shared = any(card.recipient.startswith(SHARED) for card in scene.cards)
    names = dict.fromkeys([*dealt, *(() if has_shared else boxes)])
    shown = [name for name in names if name not in {DEALER, BURN, ""}]
    return sorted(shown, key=lambda name: (len(name), name))


def _hands(scene: Scene, root: str) -> Iterator[_Hand]:
    """Traverse the tree of splits; each half begins with a card of the pair."""
    yield from _below_hand(scene, _Hand(root, scene.dealt_to(root)))


def _below_hand(scene: Scene, hand: _Hand) -> Iterator[_Hand]:
    halves = [f"{hand.name}.{half}" for half in HALVES]
    split = {fact["hand"] for fact in scene.facts("PlayerDecided") if fact["decision"] == "split"}
    is_split = hand.name in split or any(
        card.recipient == half or card.recipient.startswith(f"{half}.")
        for card in scene.cards
        for half in halves
    )
    if not is_split or len(hand.cards) < PAIR:
        yield hand
        return
    for place, half in enumerate(halves):
        begun = hand.cards[place : place + 1]
        yield from _below_hand(scene, _Hand(half, (*begun, *scene.dealt_to(half))))


def _own_boxes(scene: Scene) -> list[Drawing]:
    panels = [_box(scene, root) for root in _roots(scene)]
    return [
        side_by_side(*panels[first : first + PANELS], gap=GAP)
        for first in range(0, len(panels), PANELS)
    ]


def _box(scene: Scene, root: str) -> Drawing:
    """Draw a box: its hands, and the bets on it by participant."""
    hands = list(_hands(scene, root))
    wagers = [wager for wager in scene.replay.wagers if wager.box == root]
    pieces = []
    for hand in hands:
        title = scene.text("pictures.box", box=hand.name)
        pieces.append(hand_drawn(title, hand.cards, width_max=INNER, worth=_worth(scene, hand)))
        accounts = dict.fromkeys(wager.account for wager in wagers)
        pieces += [actions_line(scene, account, hand.name, width_max=INNER) for account in accounts]
    pieces += _bets(scene, wagers)
    return framed(below(*pieces, gap=5), width=PANEL, fill=PAPER, stroke=EDGE, pad=PAD)


def _bets(scene: Scene, wagers: Sequence[Wager]) -> list[Drawing]:
    pieces = []
    for account in dict.fromkeys(wager.account for wager in wagers):
        own = [wager for wager in wagers if wager.account == account]
        pieces += [person(scene, account, width_max=INNER), bets_of(scene, own, width_max=INNER)]
    return pieces


def _shared_boxes(scene: Scene) -> list[Drawing]:
    """Draw the shared cards once, and each player's hands."""
    names = [
        name for name in dict.fromkeys(c.recipient for c in scene.cards) if name.startswith(SHARED)
    ]
    title = scene.text("pictures.shared_box")
    rows = [
        hand_drawn(
            f"{title} {name.removeprefix(SHARED).removeprefix('.')}".rstrip(),
            scene.dealt_to(name),
            width_max=190,
        )
        for name in names
    ]
    shared = framed(
        side_by_side(*rows, gap=20), width=WIDTH - 2 * PAD, fill=PAPER, stroke=EDGE, pad=PAD
    )
    panels = [_player(scene, account) for account in scene.people]
    return [
        shared,
        *(
            side_by_side(*panels[first : first + PANELS], gap=GAP)
            for first in range(0, len(panels), PANELS)
        ),
    ]


def _player(scene: Scene, account: str) -> Drawing:
    pieces = [person(scene, account, width_max=INNER)]
    for hand in scene.replay.hands:
        if hand.name == account or hand.name.startswith(f"{account}."):
            named = hand.name.removeprefix(account).removeprefix(".")
            cards = tuple(TableCard(0, "", card) for card in hand.cards)
            worth = _worth(scene, _Hand(hand.name.removeprefix(account), cards))
            line = words_at(INNER, 13, worth, size=12, bold=True, anchor="end")
            row = side_by_side(small_cards(hand.cards[:6]), gap=0)
            label_of = words_at(0, 13, named, size=10)
            pieces.append(
                Drawing(INNER, 18, Svg(f"{label_of}{line}"))
                if not row.width
                else _over(row, line, named)
            )
    pieces.append(actions_line(scene, account, None, width_max=INNER))
    pieces.append(bets_of(scene, scene.wagers_of(account), width_max=INNER))
    return framed(below(*pieces, gap=5), width=PANEL, fill=PAPER, stroke=EDGE, pad=PAD)


def _over(row: Drawing, line: Svg, named: str) -> Drawing:
    name = words_at(0, 13, named, size=10)
    moved = side_by_side(Drawing(22 if named else 0, 1, name), row, gap=0)
    return Drawing(INNER, 18, Svg(moved.body + line))


def _worth(scene: Scene, hand: _Hand) -> str:
    """Describe the value of a hand; empty while one of its cards is face down."""
    faces = [card.card for card in hand.cards]
    if not faces or not all(faces):
        return ""
    try:
        cards = games.parse_cards(faces)
    except games.SettlementError:
        return ""
    total = best_total(cards)
    if total > TWENTY_ONE:
        return scene.text("pictures.bust", total=total)
    if len(cards) == PAIR and is_natural(cards) and "." not in hand.name:
        return scene.text("pictures.blackjack")
    return str(total)
