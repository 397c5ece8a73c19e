"""Draw frequencies of numbers, fields or ranks as bars, compared with the plan's probabilities."""

from __future__ import annotations

from typing import TYPE_CHECKING

from projections.pictures.pieces import label
from projections.pictures.svg import (
    INK,
    PALE,
    WIDTH,
    Drawing,
    Svg,
    element,
    escaped,
    group,
    line,
    picture,
    rectangle,
    words_at,
)
from projections.words.catalogue import Language, Words

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["draw_fairness"]

HIGH, FOOT = 160.0, 22.0


def draw_fairness(
    counts: Sequence[tuple[str, int, float]], language: Language, *, title: str, said: str = ""
) -> str:
    """Draw how often each kind occurred; return an ``svg`` element.

    Args:
        counts: name, count, and probability by the plan, in the order of drawing.
        language: language of the texts.
        title: name of the evaluated device.
        said: a sentence below the title, such as the evidence.

    """
    words = Words(language)
    total = sum(seen for _, seen, _ in counts)
    pieces = [label(title, size=15)]
    if said:
        pieces.append(label(said, bold=False))
    if total:
        pieces.append(_bars(words, counts, total))
        pieces.append(label(words.text("pictures.fairness_note"), bold=False))
    else:
        pieces.append(label(words.text("pictures.no_results"), bold=False))
    description = " ".join(
        f"{name}: {words.number(seen)} ({words.number(round(share * total))});"
        for name, seen, share in counts
    )
    return picture(pieces, title=title, description=description, language=language)


def _bars(words: Words, counts: Sequence[tuple[str, int, float]], total: int) -> Drawing:
    most = max(max(seen, share * total) for _, seen, share in counts)
    each = WIDTH / len(counts)
    parts = [line(0, HIGH, WIDTH, HIGH, stroke=INK)]
    for place, (name, seen, share) in enumerate(counts):
        x, high = place * each, seen / most * (HIGH - 10)
        due = HIGH - share * total / most * (HIGH - 10)
        hover = f"{name}: {words.number(seen)} / {words.number(round(share * total))}"
        bar = group(
            element("title", escaped(hover)),
            rectangle(x + each * 0.15, HIGH - high, each * 0.7, high, fill=PALE, stroke=INK),
            line(x + each * 0.02, due, x + each * 0.98, due, stroke=INK, stroke_width=2),
            data_kind=name,
            data_seen=seen,
        )
        parts += [
            bar,
            words_at(x + each / 2, HIGH + 15, name, size=10, anchor="middle", width_max=each),
        ]
    return Drawing(WIDTH, HIGH + FOOT, Svg("".join(parts)))
