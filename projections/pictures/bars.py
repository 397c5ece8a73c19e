"""Bars of values in columns, such as stakes by hour or findings by day and state.

What comes in: columns with a value for each kind. What goes out: an ``svg`` element as text. The
values of a column stand on each other; kinds differ by their pattern, not by colour alone, and have
a legend when there are several. Each part of a bar has its value as a title.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from projections.pictures.charts import Scale, amount_ticks
from projections.pictures.pieces import label
from projections.pictures.svg import (
    INK,
    LINE,
    PALE,
    PAPER,
    SOFT,
    WIDTH,
    Drawing,
    Svg,
    element,
    escaped,
    fitted,
    group,
    line,
    picture,
    rectangle,
    words_at,
)
from projections.words.catalogue import Language, Words

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ["Bar", "draw_bars"]

LEFT, TOP, BOTTOM, HEIGHT = 78.0, 20.0, 180.0, 206.0
RIGHT = WIDTH - 10.0
BAR_MAX = 44.0
LABEL_WIDTH = 36.0
PATTERNS = ((INK, 0), (PALE, 3), (PALE, 0), (PAPER, 6), (PAPER, 0))
"""Fill of a kind, and how far apart its lines are; 0 for none."""
SWATCH, LEGEND_HEIGHT, LEGEND_EACH = 12.0, 18.0, 235.0
DESCRIBED_MAX = 100


class Bar(NamedTuple):
    """A column: what stands below it, and its values by kind, none below zero."""

    name: str
    values: tuple[int, ...]


def draw_bars(
    bars: Sequence[Bar],
    kinds: Sequence[str],
    language: Language,
    *,
    title: str,
    axis: str,
    write: Callable[[int], str],
) -> str:
    """Draw columns of bars; return an ``svg`` element.

    Args:
        bars: in the order of drawing.
        kinds: names of the values of each bar, at most five.
        language: of the texts.
        title: name of the picture.
        axis: what the values are, with their unit.
        write: formats a value.

    """
    words = Words(language)
    pieces = [label(title, size=15)]
    if bars:
        pieces.append(_chart(bars, axis, write))
        if len(kinds) > 1:
            pieces.append(_legend(kinds))
    else:
        pieces.append(label(words.text("pictures.no_results"), bold=False))
    said = " ".join(
        f"{bar.name}: {', '.join(_texts(bar, kinds, write))};" for bar in bars[:DESCRIBED_MAX]
    )
    return picture(pieces, title=title, description=said, language=language)


def _texts(bar: Bar, kinds: Sequence[str], write: Callable[[int], str]) -> list[str]:
    pairs = zip(kinds, bar.values, strict=True)
    return [write(value) if len(kinds) == 1 else f"{kind} {write(value)}" for kind, value in pairs]


def _chart(bars: Sequence[Bar], axis: str, write: Callable[[int], str]) -> Drawing:
    ticks = amount_ticks(0, max(1, *(sum(bar.values) for bar in bars)))
    up = Scale(0, ticks[-1], BOTTOM, TOP)
    parts = [words_at(0, TOP - 10, axis, size=10, fill=SOFT)]
    for value in ticks:
        y = up.at(value)
        parts.append(line(LEFT, y, RIGHT, y, stroke=LINE, stroke_width=0.5))
        parts.append(words_at(LEFT - 6, y + 4, write(value), size=11, anchor="end", fill=SOFT))
    each = min((RIGHT - LEFT) / len(bars), BAR_MAX)
    apart = max(int(LABEL_WIDTH / each + 0.99), 1)
    for place, bar in enumerate(bars):
        x = LEFT + place * each
        parts.append(_bar(bar, x + each * 0.15, each * 0.7, up, write))
        if place % apart == 0:
            middle = x + each / 2
            parts.append(words_at(middle, BOTTOM + 17, bar.name, size=11, anchor="middle"))
    parts.append(line(LEFT, BOTTOM, RIGHT, BOTTOM, stroke=INK))
    return Drawing(WIDTH, HEIGHT, Svg("".join(parts)))


def _bar(bar: Bar, x: float, width: float, up: Scale, write: Callable[[int], str]) -> Svg:
    parts, below = [], 0
    for kind, value in enumerate(bar.values):
        if value:
            top, bottom = up.at(below + value), up.at(below)
            hover = element("title", escaped(f"{bar.name}: {write(value)}"))
            field = _field(kind, x, top, width, bottom - top)
            parts.append(group(hover, field, data_kind=kind, data_value=value))
            below += value
    return group(*parts, data_bar=bar.name)


def _field(kind: int, x: float, y: float, width: float, height: float) -> Svg:
    fill, apart = PATTERNS[kind]
    field = rectangle(x, y, width, height, fill=fill, stroke=INK)
    if not apart:
        return field
    steps = range(apart, int(height) + 1, apart)
    lines = "".join(f"M{x:.1f} {y + down:.1f}h{width:.1f}" for down in steps)
    return Svg(field + (element("path", d=lines, stroke=SOFT, fill="none") if lines else ""))


def _legend(kinds: Sequence[str]) -> Drawing:
    across = int(WIDTH // LEGEND_EACH)
    parts = []
    for place, kind in enumerate(kinds):
        row, column = divmod(place, across)
        x, y = column * LEGEND_EACH, row * LEGEND_HEIGHT
        parts.append(_field(place, x, y + 1, SWATCH, SWATCH))
        text = fitted(kind, LEGEND_EACH - SWATCH - 12, 11.5)
        parts.append(words_at(x + SWATCH + 6, y + 11, text, size=11.5))
    rows = -(-len(kinds) // across)
    return Drawing(WIDTH, rows * LEGEND_HEIGHT, Svg("".join(parts)))
