"""Parts shared by pictures of all games: heading, chips, bets with their results, notes.

Every bet of a round is listed once, with its stake, its payment, and a mark for its result: a tick
for a win, a dash for a loss, an equals sign for a returned stake, a cross for a void bet. A payment
that differs from the amount due has an exclamation mark.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from projections.pictures.svg import (
    GREEN,
    INK,
    LINE,
    PAPER,
    SOFT,
    WIDTH,
    Drawing,
    Svg,
    below,
    columns,
    element,
    escaped,
    fitted,
    group,
    line,
    rectangle,
    words_at,
    wrapped,
)
from projections.words.names import bet, card, paragraph

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from projections.pictures.scene import Scene
    from projections.replay.round import Wager

__all__ = [
    "ROW",
    "bet_words",
    "bets_of",
    "chip",
    "describe_bets",
    "game_name",
    "heading",
    "label",
    "mark",
    "notes",
    "people_with_bets",
    "person",
    "text_lines",
    "winner_badge",
]

CHIPS = ("#ffffff", "#ffe08a", "#a7d3ff", "#ffb9ad", "#bfe6b5", "#dcc8f2", "#f7cbe2", "#cfd8dc")
ROW = 17
MARKS = {
    "win": "M3 7.5L6 10.5L11.500 4",
    "lose": "M4 7.500H10.500",
    "push": "M4 5.500H10.500M4 9H10.500",
    "half_back": "M4 5.500H10.500M4 9H7",
    "void": "M4 4.500L10.500 10.500M10.500 4.500L4 10.500",
    "": "",
}


def heading(scene: Scene) -> Drawing:
    """Draw the game, the round, its table, its moments and its plan."""
    shown, words = scene.replay.round, scene.words
    parts = [
        scene.text("pictures.round", round=shown.round),
        scene.text("pictures.table", table=shown.table),
        words.moment(shown.resulted_at or shown.voided_at or shown.opened_at),
    ]
    shoe = next((f["shoe"] for f in scene.facts("CardDealt") if f["shoe"]), "")
    if shoe:
        parts.append(scene.text("pictures.shoe", shoe=shoe))
    status = scene.named("statuses", shown.status)
    body = words_at(0, 18, game_name(scene), size=19, bold=True, width_max=WIDTH - 150)
    body = Svg(body + words_at(WIDTH, 18, status, size=13, bold=True, anchor="end"))
    body = Svg(body + words_at(0, 36, " · ".join(parts), size=11.5, fill=SOFT, width_max=WIDTH))
    return Drawing(WIDTH, 42, body)


def game_name(scene: Scene) -> str:
    """Return the name of the game of a round; without a translation its code."""
    return scene.named("games", scene.replay.round.game)


def label(text: str, *, size: float = 12, bold: bool = True, width_max: float = WIDTH) -> Drawing:
    """Write one line of text."""
    body = words_at(0, size, text, size=size, bold=bold, width_max=width_max)
    return Drawing(width_max, size + 4, body)


def text_lines(lines: Iterable[str], *, width_max: float, size: float = 12) -> Drawing:
    """Write lines below each other, each broken where it is too long."""
    shown = [part for one in lines for part in wrapped(one, width_max, size)]
    step = size + 4
    body = "".join(
        words_at(0, size + number * step, part, size=size) for number, part in enumerate(shown)
    )
    return Drawing(width_max, len(shown) * step, Svg(body))


def chip(number: int, *, radius: float = 8.5, is_winner: bool = False, said: str = "") -> Svg:
    """Draw the chip of a participant around the origin; a winning one has a thick dark ring."""
    title = element("title", escaped(said)) if said else Svg("")
    return group(title, _plain_chip(number, radius, is_winner=is_winner))


@lru_cache(maxsize=1_024)
def _plain_chip(number: int, radius: float, *, is_winner: bool) -> Svg:
    fill = CHIPS[(number - 1) % len(CHIPS)]
    ring = (
        element("circle", r=radius + 3.6, fill=INK, stroke=PAPER, stroke_width=1.6)
        if is_winner
        else Svg("")
    )
    edge = element(
        "circle", r=radius - 2, fill="none", stroke=INK, stroke_dasharray="2 2", stroke_width=0.7
    )
    said = words_at(0, radius * 0.42, str(number), size=radius * 1.15, bold=True, anchor="middle")
    return Svg(ring + element("circle", r=radius, fill=fill, stroke=INK) + edge + said)


@lru_cache(maxsize=64)
def mark(result: str) -> Svg:
    """Draw the mark of a result, in a field of 15 by 15."""
    if result == "win":
        ring = element("circle", cx=7.5, cy=7.5, r=7, fill=GREEN)
        return Svg(
            ring + element("path", d=MARKS["win"], stroke=PAPER, stroke_width=2.2, fill="none")
        )
    ring = element("circle", cx=7.5, cy=7.5, r=6.5, fill=PAPER, stroke=LINE)
    return Svg(
        ring + element("path", d=MARKS.get(result, ""), stroke=INK, stroke_width=1.8, fill="none")
    )


def winner_badge(text: str) -> Drawing:
    """Draw the name of the winner in a dark field, with a tick."""
    width = max(60.0, len(text) * 7.2 + 28)
    body = rectangle(0, 0, width, 20, rx=10, fill=INK, stroke=None)
    tick = element(
        "path",
        d=MARKS["win"],
        stroke=PAPER,
        stroke_width=2.2,
        fill="none",
        transform="translate(5 2)",
    )
    return Drawing(
        width, 20, Svg(body + tick + words_at(22, 14.5, text, size=12, bold=True, fill=PAPER))
    )


def _result_of(wager: Wager) -> str:
    """Return the result of a bet, one of the marks."""
    if wager.status in {"voided", "given_back"}:
        return "void"
    return wager.result or ""


def bet_words(scene: Scene, wager: Wager) -> str:
    """Return the name of a bet in the language of the picture, with its numbers."""
    selection = scene.selections.get(wager.bet, "")
    try:
        name = bet(scene.words, wager.bet_code, selection, additional=bool(wager.parent))
    except (ValueError, KeyError, TypeError, RecursionError):
        return wager.wording
    hand = wager.bet.rpartition(":")[2] if wager.parent else ""
    part = hand.removeprefix(wager.account).removeprefix(".")
    return f"{name} {part}" if "." in hand else name


def bets_of(scene: Scene, wagers: Sequence[Wager], *, width_max: float) -> Drawing:
    """Draw bets, a line each: mark, name, stake and payment."""
    return below(*(_bet_line(scene, wager, width_max) for wager in wagers), gap=0)


def _bet_line(scene: Scene, wager: Wager, width_max: float) -> Drawing:
    money = _money_words(scene, wager)
    size = 11
    money_room = len(money) * size * 0.53
    body = group(
        mark(_result_of(wager)),
        words_at(
            19, 11.5, bet_words(scene, wager), size=size, width_max=width_max - 23 - money_room
        ),
        words_at(
            width_max,
            11.5,
            money,
            size=size,
            anchor="end",
            bold=_result_of(wager) == "win" or _is_paid_wrongly(wager),
        ),
        data_bet=wager.bet,
        data_account=wager.account,
        data_stake=wager.stake,
    )
    return Drawing(width_max, ROW, body)


def _is_paid_wrongly(wager: Wager) -> bool:
    return wager.paid_now is not None and wager.paid_now != wager.due


def _money_words(scene: Scene, wager: Wager) -> str:
    """Format stake and payment, and the amount due if it differs."""
    stake = _short_money(scene, wager.stake)
    if wager.status in {"voided", "given_back"}:
        return f"{stake} → {stake}"
    if wager.paid_now is None:
        return stake
    paid = f"{stake} → {_short_money(scene, wager.paid_now)}"
    if _is_paid_wrongly(wager):
        due = scene.text("pictures.due", amount=_short_money(scene, wager.due or 0))
        return f"{paid} ! {due}"
    return paid


def _short_money(scene: Scene, haler: int) -> str:
    """Format crowns, without haléř if there are none."""
    return scene.words.number(haler // 100) if haler % 100 == 0 else scene.words.amount(haler)


def people_with_bets(scene: Scene, *, width_max: float = WIDTH, count: int = 2) -> Drawing:
    """List participants with their chips, and the bets of each."""
    if not scene.people:
        return label(scene.text("pictures.no_bets"), bold=False)
    each = (width_max - 18 * (count - 1)) / count
    pieces = [
        _person_with_bets(scene, account, scene.wagers_of(account), width_max=each)
        for account in scene.people
    ]
    title = label(scene.text("pictures.bets_heading"), size=12, width_max=width_max)
    return below(title, columns(pieces, count, gap=18), gap=4)


def _person_with_bets(
    scene: Scene, account: str, wagers: Sequence[Wager], *, width_max: float, said: str = ""
) -> Drawing:
    """Draw the name of a participant at the chip, with the participant's bets."""
    return below(
        person(scene, account, width_max=width_max, said=said),
        bets_of(scene, wagers, width_max=width_max),
        gap=2,
    )


def person(scene: Scene, account: str, *, width_max: float, said: str = "") -> Drawing:
    """Draw the name of a participant next to the participant's chip, followed by a remark."""
    number = scene.people.get(account, 0)
    behind = len(said) * 6.2
    body = group(
        group(chip(number), transform="translate(9 10)"),
        words_at(23, 14, account, size=12, bold=True, width_max=width_max - 27 - behind),
        words_at(width_max, 14, said, size=11, anchor="end", fill=SOFT) if said else Svg(""),
        line(0, 21, width_max, 21),
        data_person=number,
    )
    return Drawing(width_max, 23, body)


def notes(scene: Scene, *more: str) -> Drawing:
    """Write facts that a picture does not show: corrections, voids, contradictions, its limits."""
    found = [*more]
    found += [
        scene.text(
            "pictures.corrected",
            place=dealt.place,
            was=card(dealt.was),
            card=card(dealt.card),
        )
        for dealt in scene.cards
        if dealt.was
    ]
    found += [
        scene.text(
            "pictures.voided",
            ground=scene.named("voids", fact["ground"]),
            paragraph=paragraph(scene.words, fact["paragraph"]),
        )
        for fact in scene.facts("RoundVoided", "MisdealDeclared")
    ]
    found += [scene.text("pictures.contradicted")] * bool(scene.replay.contradictions)
    if not found:
        return Drawing(0, 0, Svg(""))
    return text_lines(dict.fromkeys(found), width_max=WIDTH, size=11)


def describe_bets(scene: Scene) -> str:
    """Describe all bets for screen readers."""
    said = []
    for wager in scene.replay.wagers:
        end = scene.named("results", _result_of(wager)) or scene.named("statuses", wager.status)
        said.append(
            f"{fitted(wager.account, 300, 12)}: {bet_words(scene, wager)}, "
            f"{_money_words(scene, wager)} ({end})"
        )
    return "; ".join(said)
