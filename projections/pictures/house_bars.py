"""Draw the house's result by game and day as bars: wins upwards, losses downwards and hatched.

All games share one scale, so that their bars can be compared.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from projections.pictures.pieces import label
from projections.pictures.svg import (
    INK,
    PALE,
    SOFT,
    WIDTH,
    Drawing,
    Svg,
    below,
    element,
    escaped,
    group,
    line,
    picture,
    rectangle,
    words_at,
)
from projections.words.catalogue import Language, Words
from projections.words.names import named

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

__all__ = ["HouseDay", "draw_house_results"]

NAMES, SUMS, ROW = 200.0, 120.0, 46.0
BARS_WIDTH = WIDTH - NAMES - SUMS
DESCRIBED_MAX = 200


class HouseDay(NamedTuple):
    """The house's result of a game on a day, in haléř; negative if the house lost."""

    game: str
    day: date
    haler: int


def draw_house_results(results: Sequence[HouseDay], language: Language, *, title: str) -> str:
    """Draw the house's results, a row for each game; return an ``svg`` element."""
    words = Words(language)
    days = sorted({one.day for one in results})
    games = sorted({one.game for one in results}, key=lambda game: named(words, "games", game))
    most = max((abs(one.haler) for one in results), default=0)
    sums: dict[tuple[str, date], int] = {}
    for one in results:
        sums[one.game, one.day] = sums.get((one.game, one.day), 0) + one.haler
    rows = [_game(words, game, days, sums, max(most, 1)) for game in games]
    pieces = [label(title, size=15)]
    if rows:
        pieces.append(below(*rows, _days(days), gap=0))
    else:
        pieces.append(label(words.text("pictures.no_results"), bold=False))
    said = " ".join(
        f"{named(words, 'games', game)} {day.day}. {day.month}.: {words.money(haler)};"
        for (game, day), haler in sorted(sums.items())[:DESCRIBED_MAX]
    )
    return picture(pieces, title=title, description=said, language=language)


def _game(
    words: Words, game: str, days: list[date], sums: dict[tuple[str, date], int], most: int
) -> Drawing:
    whole = sum(sums.get((game, day), 0) for day in days)
    zero = ROW / 2
    parts = [
        words_at(0, zero + 4, named(words, "games", game), size=12, width_max=NAMES - 10),
        line(NAMES, zero, NAMES + BARS_WIDTH, zero, stroke=INK),
        words_at(WIDTH, zero + 4, words.money(whole), size=12, bold=True, anchor="end"),
        line(0, ROW - 0.5, WIDTH, ROW - 0.5, stroke_width=0.4),
    ]
    each = min(BARS_WIDTH / len(days), 44)
    for place, day in enumerate(days):
        haler = sums.get((game, day))
        if haler is not None:
            x = NAMES + place * each + each * 0.15
            parts.append(_bar(words, x, each * 0.7, HouseDay(game, day, haler), most))
    return Drawing(WIDTH, ROW, group(*parts, data_game=game))


def _bar(words: Words, x: float, width: float, one: HouseDay, most: int) -> Svg:
    haler, day = one.haler, one.day
    high = max(abs(haler) / most * (ROW / 2 - 3), 0.8)
    zero = ROW / 2
    y = zero - high if haler >= 0 else zero
    said = element("title", escaped(f"{day.day}. {day.month}. {day.year}: {words.money(haler)}"))
    bar = rectangle(x, y, width, high, fill=INK if haler >= 0 else PALE, stroke=INK)
    if haler < 0:
        lines = "".join(f"M{x:.1f} {y + up:.1f}h{width:.1f}" for up in range(3, int(high), 3))
        bar = Svg(bar + (element("path", d=lines, stroke=SOFT, fill="none") if lines else ""))
    return group(said, bar, data_day=day.isoformat(), data_haler=haler)


def _days(days: list[date]) -> Drawing:
    each = min(BARS_WIDTH / len(days), 44)
    apart = max(int(36 / each + 0.99), 1)
    parts = [
        words_at(
            NAMES + (place + 0.5) * each, 16, f"{day.day}. {day.month}.", size=11, anchor="middle"
        )
        for place, day in enumerate(days)
        if place % apart == 0
    ]
    return Drawing(WIDTH, 22, Svg("".join(parts)))
