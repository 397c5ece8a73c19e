"""Draw baccarat and poker against the dealer: hands, board, best five cards, bets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger import games
from ledger.games.baccarat import hand_value
from ledger.games.casino_poker import CasinoHoldemPlan, UltimateHoldemPlan
from projections.pictures.hands import (
    actions_line,
    best_hand,
    describe_cards,
    hand_drawn,
    poker_hand,
    rank_words,
)
from projections.pictures.pieces import (
    bets_of,
    label,
    notes,
    people_with_bets,
    person,
    winner_badge,
)
from projections.pictures.svg import EDGE, PAPER, WIDTH, Drawing, below, framed, side_by_side

if TYPE_CHECKING:
    from collections.abc import Sequence

    from projections.pictures.cards import TableCard
    from projections.pictures.scene import Scene
    from projections.replay.round import Wager

__all__ = ["describe_baccarat", "describe_house_poker", "draw_baccarat", "draw_house_poker"]

PAD, GAP = 8, 9
HALF = (WIDTH - 2 * PAD - GAP) / 2
THIRD = (WIDTH - 2 * PAD - 2 * GAP) / 3
SIDES = ("player", "banker")


def draw_baccarat(scene: Scene) -> list[Drawing]:
    """Draw a coup (one round of baccarat)."""
    values = {side: _value(scene.dealt_to(side)) for side in SIDES}
    known = None not in values.values()
    ahead = _ahead(values) if known and scene.replay.round.status != "voided" else ""
    panels = [_side(scene, side, values[side], is_winner=side == ahead) for side in SIDES]
    pieces = [side_by_side(*panels, gap=GAP)]
    if ahead == "tie":
        pieces.append(winner_badge(scene.named("bets", "tie")))
    burnt = scene.dealt_to("burn")
    if burnt:
        pieces.append(hand_drawn(scene.text("pictures.burnt"), burnt, width_max=HALF))
    return [
        framed(below(*pieces), width=WIDTH, pad=PAD),
        people_with_bets(scene),
        notes(scene),
    ]


def describe_baccarat(scene: Scene) -> str:
    """Describe both hands with their points."""
    return " ".join(
        f"{scene.named('bets', side)}: {describe_cards(cards)} ({_value(cards)})."
        for side in SIDES
        if (cards := scene.dealt_to(side))
    )


def _ahead(values: dict[str, int | None]) -> str:
    player, banker = values["player"] or 0, values["banker"] or 0
    return "tie" if player == banker else "player" if player > banker else "banker"


def _value(cards: Sequence[TableCard]) -> int | None:
    try:
        known = games.parse_cards(card.card for card in cards)
    except games.SettlementError:
        return None
    return hand_value(known) if known else None


def _side(scene: Scene, side: str, value: int | None, *, is_winner: bool) -> Drawing:
    width_max = HALF - 2 * PAD
    worth = "" if value is None else scene.words.counted("pictures.points", value)
    hand = hand_drawn(
        scene.named("bets", side), scene.dealt_to(side), width_max=width_max, worth=worth
    )
    badge = winner_badge(scene.text("pictures.wins")) if is_winner else side_by_side()
    return framed(below(hand, badge), width=HALF, height=130, fill=PAPER, stroke=EDGE, pad=PAD)


def draw_house_poker(scene: Scene) -> list[Drawing]:
    """Draw a round of Casino Hold'em or Ultimate Texas Hold'em."""
    dealt = scene.dealt_to("board")
    board = [card.card for card in dealt]
    top = side_by_side(
        poker_hand(
            scene, scene.text("pictures.dealer"), scene.dealt_to("dealer"), board, width_max=THIRD
        ),
        hand_drawn(scene.text("pictures.board"), dealt, width_max=2 * THIRD - 90),
        hand_drawn(scene.text("pictures.burnt"), scene.dealt_to("burn"), width_max=90)
        if scene.dealt_to("burn")
        else side_by_side(),
        gap=GAP,
    )
    qualifies = _qualifies(scene, board)
    told = label(qualifies, size=12, bold=False) if qualifies else side_by_side()
    if isinstance(scene.plan, UltimateHoldemPlan):
        rows = _rows([_box(scene, box, board) for box in _boxes(scene)])
    else:
        width_max = THIRD - 2 * PAD
        hand = poker_hand(
            scene,
            scene.text("pictures.shared_box"),
            scene.dealt_to("shared"),
            board,
            width_max=width_max,
        )
        shared = framed(hand, width=THIRD, fill=PAPER, stroke=EDGE, pad=PAD)
        rows = _rows([shared, *(_player(scene, account) for account in scene.people)])
    table = framed(below(top, told, *rows, gap=12), width=WIDTH, pad=PAD)
    return [table, label(scene.text("pictures.money_note"), size=11, bold=False), notes(scene)]


def describe_house_poker(scene: Scene) -> str:
    """Describe every hand and the board with their ranks."""
    board = [card.card for card in scene.dealt_to("board")]
    said = []
    for name in dict.fromkeys(card.recipient for card in scene.cards):
        cards = scene.dealt_to(name)
        best = best_hand([c.card for c in cards], board) if name not in {"board", "burn"} else None
        worth = f" ({rank_words(scene, best)})" if best else ""
        said.append(f"{_named(scene, name)}: {describe_cards(cards)}{worth}.")
    return " ".join([*said, _qualifies(scene, board)])


def _named(scene: Scene, name: str) -> str:
    keys = {
        "dealer": "pictures.dealer",
        "board": "pictures.board",
        "burn": "pictures.burnt",
        "shared": "pictures.shared_box",
    }
    return scene.text(keys[name]) if name in keys else scene.text("pictures.box", box=name)


def _qualifies(scene: Scene, board: Sequence[str]) -> str:
    """Describe whether the dealer's hand qualifies by the plan."""
    plan = scene.plan
    best = best_hand([card.card for card in scene.dealt_to("dealer")], board)
    if best is None or not isinstance(plan, CasinoHoldemPlan | UltimateHoldemPlan):
        return ""
    plays = best.rank.is_at_least_pair_of(plan.dealer.pair_min)
    rank = "10" if plan.dealer.pair_min == "T" else plan.dealer.pair_min
    key = "pictures.qualifies" if plays else "pictures.does_not_qualify"
    return scene.text(key, rank=rank)


def _rows(panels: Sequence[Drawing]) -> list[Drawing]:
    return [side_by_side(*panels[first : first + 3], gap=GAP) for first in range(0, len(panels), 3)]


def _boxes(scene: Scene) -> list[str]:
    """Return the boxes with cards or bets."""
    dealt = {card.recipient for card in scene.cards} - {"dealer", "board", "burn"}
    return sorted(dealt | {wager.box for wager in scene.replay.wagers}, key=lambda b: (len(b), b))


def _box(scene: Scene, box: str, board: Sequence[str]) -> Drawing:
    width_max = THIRD - 2 * PAD
    hand = poker_hand(
        scene, scene.text("pictures.box", box=box), scene.dealt_to(box), board, width_max=width_max
    )
    wagers = [wager for wager in scene.replay.wagers if wager.box == box]
    pieces = [hand]
    for account in dict.fromkeys(wager.account for wager in wagers):
        own = [wager for wager in wagers if wager.account == account]
        pieces += _person_and_bets(scene, account, own, box, width_max)
    return framed(below(*pieces, gap=5), width=THIRD, fill=PAPER, stroke=EDGE, pad=PAD)


def _player(scene: Scene, account: str) -> Drawing:
    width_max = THIRD - 2 * PAD
    pieces = _person_and_bets(scene, account, scene.wagers_of(account), None, width_max)
    return framed(below(*pieces, gap=5), width=THIRD, fill=PAPER, stroke=EDGE, pad=PAD)


def _person_and_bets(
    scene: Scene, account: str, wagers: Sequence[Wager], hand: str | None, width_max: float
) -> list[Drawing]:
    return [
        person(scene, account, width_max=width_max),
        actions_line(scene, account, hand, width_max=width_max),
        bets_of(scene, wagers, width_max=width_max),
    ]
