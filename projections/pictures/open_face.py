"""Draw open-face Chinese poker: three rows per player, fouls, royalties, points.

A card that was set without a recorded deal has no place in the deal beneath it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ledger import games
from ledger.games import ofc_rules_of
from projections.pictures.cards import TableCard, cards_in_row
from projections.pictures.hands import describe_cards
from projections.pictures.pieces import chip, label, mark, notes, text_lines
from projections.pictures.poker import bet_of, hand_amount, seat_money, terms_of
from projections.pictures.svg import (
    EDGE,
    LINE,
    PAPER,
    SOFT,
    WIDTH,
    Drawing,
    Svg,
    below,
    framed,
    group,
    line,
    placed,
    side_by_side,
    words_at,
)

if TYPE_CHECKING:
    from ledger.games.open_face import RankedSet
    from projections.pictures.scene import Scene
    from projections.replay.hand import HandReplay, PlayerLine

__all__ = ["describe_open_face", "draw_open_face"]

PAD, GAP = 8, 9
ROWS = {
    "front": "pictures.front",
    "middle": "pictures.middle",
    "back": "pictures.back",
    "discards": "pictures.discards",
}


def draw_open_face(scene: Scene) -> list[Drawing]:
    """Draw a game of open-face Chinese poker."""
    hand = scene.replay.among_players
    if hand is None:
        return [notes(scene)]
    count = min(max(len(hand.players), 1), 3)
    width_max = (WIDTH - 2 * PAD - GAP * (count - 1)) / count
    panels = [_player(scene, hand, player, width_max) for player in hand.players]
    rows = [
        side_by_side(*panels[first : first + count], gap=GAP)
        for first in range(0, len(panels), count)
    ]
    said = [*_point_lines(scene, hand)]
    if hand.rake is not None:
        said.append(scene.text("pictures.rake", amount=hand_amount(scene, hand.rake)))
    return [
        label(terms_of(scene, hand), size=12, bold=False),
        framed(below(*rows), width=WIDTH, pad=PAD),
        text_lines(said, width_max=WIDTH),
        notes(scene),
    ]


def describe_open_face(scene: Scene) -> str:
    """Describe each player's rows with their values, and the points."""
    hand = scene.replay.among_players
    if hand is None:
        return ""
    said = []
    for player in hand.players:
        rows = _rows(scene, player)
        cards = "; ".join(f"{scene.text(ROWS[row])} {describe_cards(rows[row])}" for row in rows)
        said.append(f"{player.seat} {player.account}: {cards}. {_worth(scene, player)}")
        said.append(f"{seat_money(scene, hand, player)}.")
    return " ".join([*said, *_point_lines(scene, hand)])


def _set(scene: Scene, player: PlayerLine) -> dict[str, Any]:
    found = [fact for fact in scene.facts("HandsSet") if fact["account"] == player.account]
    return found[-1] if found else {}


def _rows(scene: Scene, player: PlayerLine) -> dict[str, list[TableCard]]:
    """Return the cards by rows; without a set, none."""
    dealt = {card.card: card for card in scene.dealt_to(player.account) if card.card}
    known = _set(scene, player)
    return {
        row: [dealt.get(card, TableCard(-1, player.account, card)) for card in known.get(row, ())]
        for row in ROWS
        if known.get(row)
    }


def _player(scene: Scene, hand: HandReplay, player: PlayerLine, width_max: float) -> Drawing:
    inner = width_max - 2 * PAD
    rows = _rows(scene, player)
    ranked = _ranked(scene, player)
    pieces = [_head(scene, hand, player, inner)]
    for row, cards in rows.items():
        rank = getattr(ranked, row, None)
        kind = scene.named("hands", rank.category.name.lower()) if rank is not None else ""
        head = words_at(0, 11, scene.text(ROWS[row]), size=10.5, fill=SOFT)
        worth = words_at(inner, 11, kind, size=10.5, bold=True, anchor="end") if kind else Svg("")
        pieces.append(Drawing(inner, 13, Svg(head + worth)))
        pieces.append(cards_in_row(cards, width_max=inner))
    set_cards = {card.card for cards in rows.values() for card in cards}
    loose = [card for card in scene.dealt_to(player.account) if card.card not in set_cards]
    if loose:
        pieces.append(label(scene.text("pictures.not_set"), size=10.5, bold=False, width_max=inner))
        pieces.append(cards_in_row(loose, width_max=inner))
    pieces.append(label(_worth(scene, player), size=12, width_max=inner))
    return framed(below(*pieces, gap=3), width=width_max, fill=PAPER, stroke=EDGE, pad=PAD)


def _head(scene: Scene, hand: HandReplay, player: PlayerLine, width_max: float) -> Drawing:
    has_gained = player.paid is not None and player.paid > player.stake
    money = seat_money(scene, hand, player)
    button = f" {scene.text('pictures.button')}" if player.is_button else ""
    body = group(
        group(chip(player.seat), transform="translate(9 10)"),
        words_at(23, 14, f"{player.account}{button}", size=12, bold=True, width_max=width_max - 45),
        group(
            words_at(0, 33, money, size=11.5, bold=has_gained, width_max=width_max),
            data_bet=bet_of(scene, player),
            data_account=player.account,
            data_stake=player.stake,
        ),
        placed(width_max - 17, 2, Drawing(15, 15, mark("win"))) if has_gained else Svg(""),
        line(0, 40, width_max, 40, stroke=LINE),
    )
    return Drawing(width_max, 44, body)


def _ranked(scene: Scene, player: PlayerLine) -> RankedSet | None:
    known = _set(scene, player)
    rules = ofc_rules_of(scene.plan) if scene.plan is not None else None
    if rules is None or not known:
        return None
    try:
        rows = {row: games.parse_cards(known[row]) for row in ("front", "middle", "back")}
        return games.rank_set(rules.rows, rows)
    except (games.SettlementError, ValueError, KeyError, IndexError):
        return None


def _worth(scene: Scene, player: PlayerLine) -> str:
    """Describe royalties or foul, as recorded."""
    known = _set(scene, player)
    if not known:
        return ""
    if known["foul"]:
        return scene.text("pictures.foul")
    said = scene.text("pictures.royalties", points=known["royalties"])
    if known["fantasyland"]:
        said = f"{said} {scene.text('pictures.fantasyland', cards=known['fantasyland'])}"
    return said


def _point_lines(scene: Scene, hand: HandReplay) -> list[str]:
    said = []
    for pair in hand.pairs:
        one, _, other = pair.pair.partition("|")
        text = scene.text(
            "pictures.pair",
            one=one,
            other=other,
            points=scene.words.counted("pictures.points", pair.points),
            amount=hand_amount(scene, pair.amount),
        )
        if pair.points_again not in {None, pair.points}:
            again = scene.words.counted("pictures.points", pair.points_again or 0)
            text = f"{text} ! {scene.text('pictures.points_again', points=again)}"
        said.append(text)
    return said
