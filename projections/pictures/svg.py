"""Build SVG as text: elements, escaped text, parts in rows and columns, the whole picture.

What comes in: numbers, and untrusted texts. What goes out: well-formed SVG for a page under a
strict Content-Security-Policy: presentation attributes only, no style, no script, no external
reference. Every text goes through ``cleaned``: characters that XML cannot hold or that change the
direction of writing are shown as a replacement character, and text that does not fit is truncated.
Lengths are units of the view box; a picture is ``WIDTH`` wide. A page in the dark inverts how light
it is, except in what has ``data_colour="true"``: there the colour is a fact, as that of a number.
"""

from __future__ import annotations

import hashlib
import unicodedata
from functools import lru_cache
from html import escape
from typing import TYPE_CHECKING, NamedTuple, NewType

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from projections.words.catalogue import Language

__all__ = [
    "EDGE",
    "FELT",
    "GREEN",
    "INK",
    "LINE",
    "PALE",
    "PAPER",
    "RED",
    "SOFT",
    "WIDTH",
    "Drawing",
    "Svg",
    "below",
    "cleaned",
    "columns",
    "element",
    "escaped",
    "fitted",
    "framed",
    "group",
    "line",
    "picture",
    "placed",
    "rectangle",
    "side_by_side",
    "text_width",
    "words_at",
    "wrapped",
]

Svg = NewType("Svg", str)
"""Markup; only ``escaped`` and ``words_at`` convert texts to it."""

WIDTH = 720
MARGIN = 10
FONT = "Arial, Helvetica, sans-serif"
INK, SOFT, LINE, PALE, PAPER = "#1a1a1a", "#4a4a4a", "#8a8a8a", "#eef0f2", "#ffffff"
FELT, EDGE = "#e6f2ea", "#2f6b4a"
RED, GREEN = "#c4122f", "#0b6b3a"
NARROW, BROAD = frozenset("ijlIftr.,:;'|!()[]/\\- \u00a0"), frozenset("mwMW%@—…")
DESCRIPTION_MAX = 4_000
REPLACEMENT = "\N{REPLACEMENT CHARACTER}"


class Drawing(NamedTuple):
    """A drawn part of a picture with its size; its origin is the upper left corner."""

    width: float
    height: float
    body: Svg


def cleaned(text: str) -> str:
    """Return a text that is valid in XML and written from left to right."""
    if text.isprintable():  # only plain spaces, no control characters
        return text
    return "".join(
        " " if char in "\t\n\r" else REPLACEMENT if _is_hostile(char) else char for char in text
    )


def escaped(text: str) -> Svg:
    """Escape a text as a child of an element."""
    return Svg(escape(cleaned(text)))


def _is_hostile(char: str) -> bool:
    return unicodedata.category(char) in {"Cc", "Cf", "Cs", "Cn", "Co"} or char in "\u2028\u2029"


def element(name: str, *children: Svg, **attributes: str | float | None) -> Svg:
    """Return an element; ``font_size`` is the attribute ``font-size``, None is left out."""
    written = "".join([_attribute(*pair) for pair in attributes.items() if pair[1] is not None])
    inner = "".join(children)
    return Svg(f"<{name}{written}>{inner}</{name}>" if inner else f"<{name}{written}/>")


@lru_cache(maxsize=8_192, typed=True)
def _attribute(key: str, value: str | float) -> str:
    return f' {key.replace("_", "-")}="{_value(value)}"'


def _value(value: str | float) -> str:
    if isinstance(value, str):
        return escaped(value)
    if isinstance(value, int):
        return str(value)
    rounded = round(value, 1)
    return str(int(rounded) if rounded == int(rounded) else rounded)


def group(*children: Svg, **attributes: str | float | None) -> Svg:
    """Return a group."""
    return element("g", *children, **attributes)


def words_at(
    x: float,
    y: float,
    text: str,
    *,
    width_max: float | None = None,
    size: float = 12,
    bold: bool = False,
    anchor: str | None = None,
    fill: str | None = None,
    has_halo: bool = False,
) -> Svg:
    """Return a text on a base line, truncated to its width; a halo sets it off from lines."""
    shown = cleaned(text) if width_max is None else fitted(text, width_max, size, bold=bold)
    return element(
        "text",
        Svg(escape(shown)),
        x=x,
        y=y,
        font_size=size,
        font_weight="bold" if bold else None,
        text_anchor=anchor,
        fill=fill,
        stroke="#fff" if has_halo else None,
        stroke_width=4 if has_halo else None,
        paint_order="stroke" if has_halo else None,
    )


def fitted(text: str, width_max: float, size: float, *, bold: bool = False) -> str:
    """Return a text cleaned, and truncated to its width by estimated widths without a font."""
    shown = cleaned(text)
    if text_width(shown, size, bold=bold) <= width_max:
        return shown
    left = width_max - text_width("…", size, bold=bold)
    for end, char in enumerate(shown):
        left -= text_width(char, size, bold=bold)
        if left < 0:
            return f"{shown[:end].rstrip()}…"
    return shown


def wrapped(text: str, width_max: float, size: float) -> list[str]:
    """Break a text into lines at spaces; a word that is too long for a line is truncated."""
    lines: list[str] = []
    for word in cleaned(text).split(" "):
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and text_width(longer, size) <= width_max:
            lines[-1] = longer
        else:
            lines.append(fitted(word, width_max, size))
    return lines


def text_width(text: str, size: float, *, bold: bool = False) -> float:
    """Estimate the width of a text without its font, rather too wide than too narrow."""
    return sum(map(_em, text)) * size * (1.08 if bold else 1)


@lru_cache(maxsize=1_024)
def _em(char: str) -> float:
    if unicodedata.combining(char):
        return 0
    if char in NARROW:
        return 0.34
    if char in BROAD or unicodedata.east_asian_width(char) in "WF":
        return 1
    return 0.72 if char.isupper() else 0.57


def rectangle(
    x: float,
    y: float,
    width: float,
    height: float,
    *,
    fill: str = "none",
    stroke: str | None = LINE,
    **more: str | float | None,
) -> Svg:
    """Draw a rectangle."""
    return element("rect", x=x, y=y, width=width, height=height, fill=fill, stroke=stroke, **more)


def line(
    x1: float, y1: float, x2: float, y2: float, *, stroke: str = LINE, **more: str | float | None
) -> Svg:
    """Draw a straight line."""
    return element(
        "path",
        d=f"M{_value(x1)} {_value(y1)}L{_value(x2)} {_value(y2)}",
        stroke=stroke,
        fill="none",
        **more,
    )


def placed(x: float, y: float, piece: Drawing) -> Svg:
    """Move a part to a position."""
    return group(piece.body, transform=f"translate({_value(x)} {_value(y)})")


def below(*pieces: Drawing, gap: float = 8) -> Drawing:
    """Arrange parts below each other; parts without a height are left out."""
    shown = [piece for piece in pieces if piece.height]
    y, bodies = 0.0, []
    for piece in shown:
        bodies.append(placed(0, y, piece))
        y += piece.height + gap
    return Drawing(max((p.width for p in shown), default=0), max(y - gap, 0), Svg("".join(bodies)))


def side_by_side(*pieces: Drawing, gap: float = 8) -> Drawing:
    """Arrange parts in a row; parts without a width are left out."""
    shown = [piece for piece in pieces if piece.width]
    x, bodies = 0.0, []
    for piece in shown:
        bodies.append(placed(x, 0, piece))
        x += piece.width + gap
    return Drawing(max(x - gap, 0), max((p.height for p in shown), default=0), Svg("".join(bodies)))


def columns(pieces: Sequence[Drawing], count: int, *, gap: float = 12) -> Drawing:
    """Fill columns from left to right, of about the same height."""
    whole = sum(piece.height + gap for piece in pieces)
    filled: list[list[Drawing]] = [[]]
    height = 0.0
    for piece in pieces:
        if filled[-1] and len(filled) < count and height + piece.height / 2 > whole / count:
            filled.append([])
            height = 0.0
        filled[-1].append(piece)
        height += piece.height + gap
    return side_by_side(*(below(*column, gap=gap) for column in filled), gap=gap)


def framed(
    piece: Drawing,
    *,
    width: float | None = None,
    height: float = 0,
    fill: str = FELT,
    stroke: str = EDGE,
    pad: float = 8,
) -> Drawing:
    """Put a piece on a background with an edge."""
    whole = width or piece.width + 2 * pad
    tall = max(height, piece.height + 2 * pad)
    ground = rectangle(0.5, 0.5, whole - 1, tall - 1, rx=8, fill=fill, stroke=stroke)
    return Drawing(whole, tall, Svg(ground + placed(pad, pad, piece)))


def picture(pieces: Iterable[Drawing], *, title: str, description: str, language: Language) -> str:
    """Return a standalone picture: scalable, with a name and a description for screen readers."""
    whole = below(*pieces, gap=12)
    width, height = WIDTH + 2 * MARGIN, whole.height + 2 * MARGIN
    said = cleaned(description) or cleaned(title) or REPLACEMENT
    said = said if len(said) <= DESCRIPTION_MAX else f"{said[:DESCRIPTION_MAX]}…"
    mark = hashlib.sha256(f"{title}{whole.body}".encode()).hexdigest()[:10]
    return element(
        "svg",
        element("title", escaped(title or said), id=f"p{mark}t"),
        element("desc", Svg(escape(said)), id=f"p{mark}d"),
        rectangle(0, 0, width, height, fill=PAPER, stroke=None),
        placed(MARGIN, MARGIN, whole),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {_value(width)} {_value(height)}",
        role="img",
        lang=str(language),
        aria_labelledby=f"p{mark}t",
        aria_describedby=f"p{mark}d",
        font_family=FONT,
        fill=INK,
    )
