"""Draw the roulette wheel with its pockets in real order, and a wheel of fortune.

The number where the ball came to rest has the ball in its pocket and a pointer outside; the rim has
the same orientation for every round and language, so that two wheels can be compared. A plan of a
wheel of fortune defines how many fields of each kind there are, but not where: the kinds are drawn
together, in proportion, under the pointer.
"""

from __future__ import annotations

from functools import lru_cache
from math import cos, pi, sin
from typing import TYPE_CHECKING

from ledger.games.roulette import RED as RED_NUMBERS
from ledger.games.roulette import WHEEL
from projections.pictures.svg import (
    GREEN,
    INK,
    PALE,
    PAPER,
    RED,
    SOFT,
    Drawing,
    Svg,
    element,
    group,
    words_at,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["colour_of", "fortune_wheel", "roulette_wheel"]

SIZE = 280.0
MIDDLE, RIM, OUTER, INNER, TRACK = 140.0, 138.0, 124.0, 96.0, 92.0
TINTS = ("#ffffff", "#dfe7ee", "#c3d3e0", "#f3e3b8", "#e8c4bb", "#d7d2e8")


def colour_of(number: int) -> str:
    """Return the colour of a pocket."""
    if number == 0:
        return GREEN
    return RED if number in RED_NUMBERS else INK


@lru_cache(maxsize=256)
def roulette_wheel(number: int | None, said: tuple[str, ...]) -> Drawing:
    """Draw the wheel; ``said`` are up to three lines of text in its middle."""
    step = 360 / len(WHEEL)
    parts = [
        element("circle", cx=MIDDLE, cy=MIDDLE, r=RIM, fill="#c9b48a", stroke=INK),
        element("circle", cx=MIDDLE, cy=MIDDLE, r=OUTER + 1, fill=PAPER),
    ]
    for place, pocket in enumerate(WHEEL):
        is_hit = pocket == number
        middle = place * step
        parts.append(
            group(
                element(
                    "path",
                    d=_sector(middle - step / 2, middle + step / 2, OUTER, INNER),
                    fill=colour_of(pocket),
                    stroke=PAPER,
                    stroke_width=0.8,
                ),
                element(
                    "text",
                    Svg(str(pocket)),
                    x=MIDDLE,
                    y=MIDDLE - 106,
                    font_size=12,
                    font_weight="bold",
                    text_anchor="middle",
                    fill=PAPER,
                    transform=f"rotate({middle:.2f} {MIDDLE:g} {MIDDLE:g})",
                ),
                data_colour="true",
                data_pocket=pocket,
                data_number=pocket if is_hit else None,
            )
        )
    parts.append(element("circle", cx=MIDDLE, cy=MIDDLE, r=INNER, fill=PALE, stroke=INK))
    parts.append(element("circle", cx=MIDDLE, cy=MIDDLE, r=75, fill=PAPER, stroke=SOFT))
    if number is not None:
        parts.append(_hit(WHEEL.index(number) * step, step))
    parts.append(_hub(number, said))
    return Drawing(SIZE, SIZE, Svg("".join(parts)))


def _hit(angle: float, step: float) -> Svg:
    """Mark a pocket: thick edge, ball on the inner track, pointer on the rim."""
    edge = element(
        "path",
        d=_sector(angle - step / 2, angle + step / 2, OUTER + 2, INNER - 2),
        fill="none",
        stroke=INK,
        stroke_width=3,
    )
    inner = element(
        "path",
        d=_sector(angle - step / 2, angle + step / 2, OUTER, INNER),
        fill="none",
        stroke=PAPER,
        stroke_width=1.2,
    )
    x, y = _point(angle, TRACK)
    ball = element("circle", cx=x, cy=y, r=6.5, fill=PAPER, stroke=INK, stroke_width=2)
    tip = _point(angle, OUTER + 1)
    left, right = _point(angle - 3.5, RIM + 1), _point(angle + 3.5, RIM + 1)
    pointer = element("path", d=_path([tip, left, right]), fill=INK)
    return Svg(edge + inner + ball + pointer)


def _hub(number: int | None, said: Sequence[str]) -> Svg:
    parts = []
    if number is not None:
        shown = words_at(
            MIDDLE, MIDDLE, str(number), size=40, bold=True, anchor="middle", fill=PAPER
        )
        field = element("circle", cx=MIDDLE, cy=MIDDLE - 14, r=34, fill=colour_of(number))
        parts.append(group(field, shown, data_colour="true"))
    y = MIDDLE + 38 if number is not None else MIDDLE
    parts += [
        words_at(MIDDLE, y + 14 * place, text, size=12, anchor="middle", width_max=110)
        for place, text in enumerate(said)
    ]
    return Svg("".join(parts))


def fortune_wheel(kinds: Sequence[tuple[str, str, int]], hit: str | None) -> Drawing:
    """Draw kinds of fields (code, name, count) in proportion, the result under the pointer."""
    whole = sum(count for _, _, count in kinds)
    each = 360 / whole
    start = _start(kinds, hit, each)
    parts = [element("circle", cx=MIDDLE, cy=MIDDLE, r=RIM, fill="#c9b48a", stroke=INK)]
    angle = start
    for place, (code, name, count) in enumerate(kinds):
        end = angle + count * each
        is_hit = code == hit
        fill = INK if code.endswith("_black") else TINTS[place % len(TINTS)]
        fill = "#f2b8cf" if code.endswith("_pink") else fill
        fields = [
            element(
                "path",
                d=_sector(angle + n * each, angle + (n + 1) * each, OUTER, 52),
                fill=fill,
                stroke=SOFT,
                stroke_width=0.8,
            )
            for n in range(count)
        ]
        x, y = _point((angle + end) / 2, 113 if count < 3 else 92)
        ink = PAPER if fill == INK else INK
        parts.append(
            group(
                *fields,
                element(
                    "path",
                    d=_sector(angle, end, OUTER, 52),
                    fill="none",
                    stroke=INK,
                    stroke_width=4 if is_hit else 1.5,
                ),
                words_at(
                    x,
                    y + 4,
                    name,
                    size=13 if count > 1 else 9.5,
                    bold=True,
                    anchor="middle",
                    fill=ink,
                ),
                data_colour="true" if code.endswith(("_black", "_pink")) else None,
                data_field=code,
                data_count=count,
                data_number=code if is_hit else None,
            )
        )
        angle = end
    parts.append(element("circle", cx=MIDDLE, cy=MIDDLE, r=52, fill=PAPER, stroke=INK))
    if hit is not None:
        parts.append(
            element(
                "path",
                d=_path([(MIDDLE, 22), (MIDDLE - 9, 0), (MIDDLE + 9, 0)]),
                fill=INK,
                stroke=PAPER,
            )
        )
        name = next((name for code, name, _ in kinds if code == hit), hit)
        parts.append(words_at(MIDDLE, MIDDLE + 10, name, size=28, bold=True, anchor="middle"))
    return Drawing(SIZE, SIZE, Svg("".join(parts)))


def _start(kinds: Sequence[tuple[str, str, int]], hit: str | None, each: float) -> float:
    """Return the angle at which a field of the winning kind is under the pointer."""
    before = 0
    for code, _, count in kinds:
        if code == hit:
            return -(before + (count // 2) + 0.5) * each
        before += count
    return 0.0


def _sector(first: float, last: float, outer: float, inner: float) -> str:
    """Return the SVG path of a ring sector between two angles, clockwise from the top."""
    large = 1 if last - first > 180 else 0
    a, b = _point(first, outer), _point(last, outer)
    c, d = _point(last, inner), _point(first, inner)
    return (
        f"M{a[0]:.1f} {a[1]:.1f}A{outer:g} {outer:g} 0 {large} 1 {b[0]:.1f} {b[1]:.1f}"
        f"L{c[0]:.1f} {c[1]:.1f}A{inner:g} {inner:g} 0 {large} 0 {d[0]:.1f} {d[1]:.1f}Z"
    )


def _point(angle: float, radius: float) -> tuple[float, float]:
    turned = angle * pi / 180
    return MIDDLE + radius * sin(turned), MIDDLE - radius * cos(turned)


def _path(points: Sequence[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points) + "Z"
