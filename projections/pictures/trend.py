"""Draw a trend of days as small bars without axes; the last bar is the day in question."""

from __future__ import annotations

from typing import TYPE_CHECKING

from projections.pictures.svg import INK, PALE, Svg, element, escaped, line, rectangle

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["draw_trend"]

EACH, HIGH = 4.0, 24.0


def draw_trend(values: Sequence[int], *, title: str) -> Svg:
    """Draw values as bars above and below zero; return an ``svg`` element named by its title."""
    most = max((abs(one) for one in values), default=0) or 1
    zero = HIGH / 2
    bars = [
        rectangle(
            place * EACH + 0.5,
            zero - max(value, 0) / most * zero,
            EACH - 1,
            max(abs(value) / most * zero, 0.5),
            fill=INK if place == len(values) - 1 else PALE,
            stroke=INK,
            stroke_width=0.4,
        )
        for place, value in enumerate(values)
        if value
    ]
    wide = len(values) * EACH
    return element(
        "svg",
        element("title", escaped(title)),
        line(0, zero, wide, zero, stroke_width=0.4),
        *bars,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {wide:g} {HIGH:g}",
        width=wide,
        height=HIGH,
        role="img",
    )
