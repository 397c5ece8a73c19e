"""Draw hands among players: seats around the table, board, actions by street, pots.

Seats are drawn clockwise as at the table, the first at the dealer's left. Each shows the player's
contribution, as the player's bet, and payment. Amounts are crowns, in a tournament chips.
"""

from __future__ import annotations

from math import cos, pi, sin
from typing import TYPE_CHECKING, Any

from ledger.games.poker import BOARD_BY_STREET
from projections.pictures.cards import cards_in_row, small_cards
from projections.pictures.hands import Best, best_hand, describe_cards, rank_words
from projections.pictures.pieces import chip, label, mark, notes
from projections.pictures.svg import (
    EDGE,
    FELT,
    INK,
    PAPER,
    SOFT,
    WIDTH,
    Drawing,
    Svg,
    below,
    columns,
    element,
    group,
    placed,
    rectangle,
    side_by_side,
    words_at,
)

if TYPE_CHECKING:
    from projections.pictures.scene import Scene
    from projections.replay.hand import HandReplay, PlayerLine, PotLine

__all__ = ["bet_of", "describe_poker", "draw_poker", "hand_amount", "seat_money", "terms_of"]

SEAT_WIDTH, SEAT_HEIGHT, SMALL = 136.0, 104.0, 0.72
MIDDLE = WIDTH / 2
GAP_AT_DEALER = 40.0
WITH_MONEY = frozenset({"post", "ante", "bet", "call", "raise", "stack"})
LEFT_HAND = frozenset({"fold", "muck", "dead"})


def draw_poker(scene: Scene) -> list[Drawing]:
    """Draw a hand of Texas Hold'em or Omaha."""
    hand = scene.replay.among_players
    if hand is None:
        return [notes(scene)]
    shown = [piece for player in hand.players if (piece := _shown(scene, player)).height]
    return [
        label(terms_of(scene, hand), size=12, bold=False),
        _table(scene, hand),
        below(label(scene.text("pictures.best_five"), size=13), columns(shown, 2, gap=3), gap=3)
        if shown
        else side_by_side(),
        below(*_pots(scene, hand), gap=3),
        side_by_side(*(_street(scene, street) for street in BOARD_BY_STREET), gap=14),
        notes(scene),
    ]


def describe_poker(scene: Scene) -> str:
    """Describe board, hands, pots and each player's contribution and payment."""
    hand = scene.replay.among_players
    if hand is None:
        return ""
    said = [terms_of(scene, hand)]
    board = scene.dealt_to("board")
    if board:
        said.append(f"{scene.text('pictures.board')}: {describe_cards(board)}.")
    for player in hand.players:
        cards = describe_cards(scene.dealt_to(player.account))
        money = seat_money(scene, hand, player)
        said.append(f"{player.seat} {player.account}: {cards} {money}.")
    said += [_pot_words(scene, pot) for pot in hand.pots]
    return " ".join([*said, *_outside_pots(scene, hand)])


def hand_amount(scene: Scene, haler: int) -> str:
    """Format an amount of a hand, crowns or chips, without hundredths if there are none."""
    return scene.words.number(haler // 100) if haler % 100 == 0 else scene.words.amount(haler)


def bet_of(scene: Scene, player: PlayerLine) -> str:
    """Return the bet name of a player's money in the hand."""
    for fact in scene.facts("HandAction"):
        if fact["account"] == player.account:
            return str(fact["bet"])
    return ""


def seat_money(scene: Scene, hand: HandReplay, player: PlayerLine) -> str:
    """Describe a player's contribution and payment; the due amount, too, if it differs."""
    back = sum(amount for account, amount in hand.uncalled if account == player.account)
    stake = hand_amount(scene, player.stake - back)
    if player.paid is None:
        return stake
    paid = f"{stake} → {hand_amount(scene, player.paid)}"
    if player.paid != player.due:
        due = scene.text("pictures.due", amount=hand_amount(scene, player.due or 0))
        return f"{paid} ! {due}"
    return paid


def terms_of(scene: Scene, hand: HandReplay) -> str:
    """Describe blinds, ante and their unit."""
    blinds = scene.text(
        "pictures.blinds",
        small=hand_amount(scene, hand.small_blind),
        big=hand_amount(scene, hand.big_blind),
    )
    said = [blinds] if hand.big_blind else []
    if hand.ante:
        said.append(scene.text("pictures.with_ante", ante=hand_amount(scene, hand.ante)))
    if hand.tournament:
        said.append(scene.text("pictures.in_chips", tournament=hand.tournament))
    else:
        said.append(scene.text("pictures.in_crowns"))
    return " ".join(said)


def _table(scene: Scene, hand: HandReplay) -> Drawing:
    """Draw the table with its seats, the board and the burnt cards in the middle."""
    seats = len(hand.players)
    tall = 138.0 if seats <= 3 else 160.0 if seats <= 6 else 235.0
    angles = [
        (GAP_AT_DEALER / 2 + (360 - GAP_AT_DEALER) * (player.seat - 0.5) / seats) * pi / 180
        for player in hand.players
    ]
    above = max(tall + 24, *(tall * cos(angle) + SEAT_HEIGHT / 2 for angle in angles))
    under = max(tall + 16, *(SEAT_HEIGHT / 2 - tall * cos(angle) for angle in angles))
    parts = [
        element(
            "ellipse",
            cx=MIDDLE,
            cy=above,
            rx=300,
            ry=tall + 14,
            fill=FELT,
            stroke=EDGE,
            stroke_width=3,
        ),
        _dealer(scene, above - tall - 14),
        _middle(scene, above),
    ]
    for angle, player in zip(angles, hand.players, strict=True):
        x = MIDDLE + 288 * sin(angle) - SEAT_WIDTH / 2
        y = above - tall * cos(angle) - SEAT_HEIGHT / 2
        parts.append(placed(min(max(x, 0), WIDTH - SEAT_WIDTH), y, _seat(scene, hand, player)))
    return Drawing(WIDTH, above + under, Svg("".join(parts)))


def _middle(scene: Scene, y: float) -> Svg:
    board = cards_in_row(scene.dealt_to("board"), width_max=230)
    parts = [placed(MIDDLE - board.width / 2, y - 62, board)]
    burnt = scene.dealt_to("burn")
    if burnt:
        small = _smaller(cards_in_row(burnt, width_max=100))
        parts.append(placed(MIDDLE - small.width / 2, y + 14, small))
        parts.append(
            words_at(MIDDLE, y + 74, scene.text("pictures.burnt"), size=10, anchor="middle")
        )
    return Svg("".join(parts))


def _dealer(scene: Scene, y: float) -> Svg:
    ground = rectangle(MIDDLE - 44, y - 9, 88, 20, rx=10, fill=INK, stroke=None)
    return Svg(
        ground
        + words_at(
            MIDDLE,
            y + 5,
            scene.text("pictures.dealer"),
            size=12,
            bold=True,
            anchor="middle",
            fill=PAPER,
        )
    )


def _smaller(piece: Drawing) -> Drawing:
    body = group(piece.body, transform=f"scale({SMALL})")
    return Drawing(piece.width * SMALL, piece.height * SMALL, body)


def _seat(scene: Scene, hand: HandReplay, player: PlayerLine) -> Drawing:
    """Draw a seat: player, cards, their rank or that the player folded, money."""
    has_won = any(player.account in pot.winners for pot in hand.pots)
    edge = rectangle(
        0.5,
        0.5,
        SEAT_WIDTH - 1,
        SEAT_HEIGHT - 1,
        rx=7,
        fill=PAPER,
        stroke=INK if has_won else EDGE,
        stroke_width=3 if has_won else 1,
    )
    best = _best(scene, player)
    row = cards_in_row(
        scene.dealt_to(player.account),
        width_max=(SEAT_WIDTH - 12) / SMALL,
        best=best.cards if best else (),
    )
    money = seat_money(scene, hand, player)
    parts = [
        edge,
        group(chip(player.seat, radius=7.5), transform="translate(13 13)"),
        words_at(25, 17, player.account, size=11, bold=True, width_max=SEAT_WIDTH - 52),
        placed(6, 24, _smaller(row)),
        words_at(
            6,
            SEAT_HEIGHT - 18,
            _standing(scene, player),
            size=10,
            width_max=SEAT_WIDTH - 12,
            fill=SOFT,
        ),
        group(
            words_at(6, SEAT_HEIGHT - 6, money, size=10, bold=has_won, width_max=SEAT_WIDTH - 12),
            data_bet=bet_of(scene, player),
            data_account=player.account,
            data_stake=player.stake,
        ),
    ]
    if has_won:
        parts.append(placed(SEAT_WIDTH - 20, 5, Drawing(15, 15, mark("win"))))
    if player.is_button:
        parts.append(_button(SEAT_WIDTH - (33 if has_won else 13)))
    return Drawing(SEAT_WIDTH, SEAT_HEIGHT, Svg("".join(parts)))


def _button(x: float) -> Svg:
    disc = element("circle", cx=x, cy=13, r=7, fill=PAPER, stroke=INK, stroke_width=1.5)
    return Svg(disc + words_at(x, 16.5, "D", size=10, bold=True, anchor="middle"))


def _standing(scene: Scene, player: PlayerLine) -> str:
    """Describe the rank of a player's cards, or that the player folded."""
    left = [
        fact["action"]
        for fact in scene.facts("HandAction")
        if fact["account"] == player.account and fact["action"] in LEFT_HAND
    ]
    if left:
        return scene.named("actions", left[-1])
    best = _best(scene, player)
    return rank_words(scene, best) if best else ""


def _best(scene: Scene, player: PlayerLine) -> Best | None:
    board = [card.card for card in scene.dealt_to("board")]
    return best_hand([card.card for card in scene.dealt_to(player.account)], board)


def _shown(scene: Scene, player: PlayerLine) -> Drawing:
    """Draw the best five of a player whose cards are known."""
    best = _best(scene, player)
    if best is None:
        return side_by_side()
    cards = small_cards(best.cards)
    body = group(
        group(chip(player.seat, radius=7.5), transform="translate(12 10)"),
        placed(28, 1, cards),
        words_at(28 + cards.width + 8, 14, rank_words(scene, best), size=11.5),
    )
    return Drawing(350, 21, body)


def _pot_words(scene: Scene, pot: PotLine) -> str:
    """Describe the winners of a pot, and its rake."""
    name = scene.text("pictures.main_pot")
    if pot.pot:
        name = scene.text("pictures.side_pot", number=pot.pot)
    return scene.text(
        "pictures.pot",
        pot=name,
        amount=hand_amount(scene, pot.amount),
        rake=hand_amount(scene, pot.rake),
        winners=scene.words.listed(pot.winners),
    )


def _pots(scene: Scene, hand: HandReplay) -> list[Drawing]:
    """List the pots, and the money outside them."""
    pots = [_pot(scene, hand, pot) for pot in hand.pots]
    title = [label(scene.text("pictures.pots_heading"), size=13)] if pots else []
    said = [label(one, size=11.5, bold=False) for one in _outside_pots(scene, hand)]
    return [*title, *pots, *said]


def _pot(scene: Scene, hand: HandReplay, pot: PotLine) -> Drawing:
    """Draw the chips of the contestants of a pot, the winners with a ring, and its result."""
    seats = {player.account: player.seat for player in hand.players}
    chips = [
        group(
            chip(seats.get(account, 0), radius=7.5, is_winner=account in pot.winners),
            transform=f"translate({12 + 24 * place} 11)",
        )
        for place, account in enumerate(sorted(pot.eligible, key=lambda name: seats.get(name, 0)))
    ]
    text = _pot_words(scene, pot)
    if pot.winners_again is not None and set(pot.winners_again) != set(pot.winners):
        again = scene.words.listed(pot.winners_again)
        text = f"{text} ! {scene.text('pictures.winners_again', winners=again)}"
    left = 24 * len(pot.eligible) + 8
    words = words_at(left, 15, text, size=11.5, width_max=WIDTH - left)
    return Drawing(WIDTH, 23, group(*chips, words, data_pot=pot.pot))


def _outside_pots(scene: Scene, hand: HandReplay) -> list[str]:
    """Describe the uncalled money and the rake of the hand."""
    said = [
        scene.text("pictures.uncalled", player=account, amount=hand_amount(scene, amount))
        for account, amount in hand.uncalled
    ]
    if hand.rake is not None:
        said.append(scene.text("pictures.rake", amount=hand_amount(scene, hand.rake)))
    return said


def _street(scene: Scene, street: str) -> Drawing:
    """List the actions of a street below its new cards."""
    acts = [fact for fact in scene.facts("HandAction") if fact["street"] == street]
    cards = scene.dealt_to("board")[BOARD_BY_STREET[street]]
    if not acts and not cards:
        return side_by_side()
    width_max = 165.0
    brought = f" {describe_cards(cards)}" if cards else ""
    title = label(f"{scene.named('streets', street)}{brought}", size=12, width_max=width_max)
    return below(title, *(_act(scene, act, width_max) for act in acts), gap=2)


def _act(scene: Scene, act: dict[str, Any], width_max: float) -> Drawing:
    hand = scene.replay.among_players
    seats = {player.account: player.seat for player in hand.players} if hand else {}
    text = scene.named("actions", act["action"])
    if hand is not None and act["action"] in WITH_MONEY:
        text = f"{text} {hand_amount(scene, act['total'])}"
    if act["all_in"]:
        text = f"{text} (all-in)"
    body = group(
        group(chip(seats.get(act["account"], 0), radius=6.5), transform="translate(8 8)"),
        words_at(19, 12, text, size=11, width_max=width_max - 19),
    )
    return Drawing(width_max, 16, body)
