"""Charts of the house against the plans: shares of stakes by game, and deviations by bet.

What comes in: what the house kept of the stakes on each bet and what is due by the plan. What goes
out: an ``svg`` element as text. A share is a filled mark, what is due a line, the bounds a band of
two standard deviations; it is counted as if all bets of a game won and lost together, so that it is
never too narrow. Deviations are marks in a row for each game, between bounds that all bets of fair
games keep with a chance of about 99 in 100. What lies outside differs in shape, and has its name.
"""

from __future__ import annotations

from itertools import groupby
from math import ceil
from statistics import NormalDist
from typing import TYPE_CHECKING, NamedTuple

from projections.pictures.charts import Scale, amount_ticks
from projections.pictures.pieces import label, text_lines
from projections.pictures.svg import (
    INK,
    LINE,
    PALE,
    RED,
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
from projections.words.names import bet, named

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["BetMark", "bound_of", "draw_deviations", "draw_shares"]

NAMES, SUMS, ROW, FOOT = 200.0, 130.0, 44.0, 24.0
LANE, LANES = 8.0, 5
APART = 9.0
"""Between two marks of one lane."""
BOUND_DEVIATIONS = 2
OUTSIDE_CHANCE = 0.01
"""With which any bet of fair games lies outside of the bounds, whatever their number."""
SHARE_MAX = 10_000
"""Hundredths of a per cent that are drawn; a share beyond stands at the edge."""
DESCRIBED_MAX = 100


class BetMark(NamedTuple):
    """What the house kept of a bet, in haléř; what the plan does not give is None.

    ``expected`` is due by the plan, ``spread`` the standard deviation of the win by the plan.
    """

    game: str
    bet: str
    staked: int
    kept: int
    expected: int | None = None
    spread: int | None = None
    leans: bool = False

    @property
    def deviations(self) -> float | None:
        """By how many standard deviations the win exceeds what is due."""
        if self.expected is None or not self.spread:
            return None
        return (self.kept - self.expected) / self.spread


def bound_of(bets: int) -> float:
    """Return the standard deviations that none of so many bets of fair games exceeds, almost."""
    return NormalDist().inv_cdf(1 - OUTSIDE_CHANCE / 2 / max(bets, 1))


def draw_deviations(marks: Iterable[BetMark], language: Language, *, title: str) -> str:
    """Draw the deviations of bets from the plan, a row for each game; return an ``svg`` element."""
    words = Words(language)
    judged = [(one, one.deviations) for one in _by_game(words, marks)]
    known = [(one, found) for one, found in judged if found is not None]
    bound = bound_of(len(known))
    pieces = [label(title, size=15)]
    if known:
        edge = ceil(max(bound, *(abs(found) for _, found in known)) + 0.5)
        across = Scale(-edge * 100, edge * 100, NAMES, WIDTH - 10)
        rows = [
            _deviations(words, game, list(bets), across, bound)
            for game, bets in groupby(known, key=lambda one: one[0].game)
        ]
        pieces.append(below(*rows, _deviation_axis(words, across), gap=0))
        note = words.text("pictures.deviations_note", bound=_decimal(words, bound), bets=len(known))
        pieces.append(text_lines([note], width_max=WIDTH, size=11.5))
    else:
        pieces.append(label(words.text("pictures.no_results"), bold=False))
    outermost = sorted(known, key=lambda one: -abs(one[1]))[:DESCRIBED_MAX]
    said = " ".join(f"{_name(words, one)}: {_decimal(words, found)};" for one, found in outermost)
    return picture(pieces, title=title, description=said, language=language)


def _by_game(words: Words, marks: Iterable[BetMark]) -> list[BetMark]:
    return sorted(marks, key=lambda one: (named(words, "games", one.game), one.game))


def _name(words: Words, one: BetMark) -> str:
    return f"{named(words, 'games', one.game)}, {bet(words, one.bet)}"


def _decimal(words: Words, value: float) -> str:
    return words.decimal(round(value * 10), 1)


def _deviations(
    words: Words,
    game: str,
    bets: Sequence[tuple[BetMark, float]],
    across: Scale,
    bound: float,
) -> Drawing:
    zero = across.at(0)
    parts = [
        _row(words, game, across, -bound * 100, bound * 100),
        line(zero, 0, zero, ROW, stroke=LINE, stroke_width=0.6),
    ]
    lanes = [-APART] * LANES
    for one, found in sorted(bets, key=lambda pair: pair[1]):
        x = across.at(round(found * 100))
        lane = next((n for n in range(LANES) if x - lanes[n] >= APART), LANES - 1)
        lanes[lane] = x
        y = ROW / 2 + (lane + 1) // 2 * LANE * (1 if lane % 2 else -1)
        hover = element("title", escaped(f"{bet(words, one.bet)}: {_decimal(words, found)}"))
        is_outside = abs(found) > bound
        parts.append(
            group(
                hover,
                _mark(x, y, is_outside=is_outside, leans=one.leans),
                data_bet=one.bet,
                data_outside="yes" if is_outside else "no",
            )
        )
        if is_outside or one.leans:
            anchor, beside = ("end", x - 8) if found > 0 else ("start", x + 8)
            parts.append(words_at(beside, y + 4, bet(words, one.bet), size=11, anchor=anchor))
    return Drawing(WIDTH, ROW, group(*parts, data_game=game))


def _row(words: Words, game: str, across: Scale, first: float, last: float) -> Svg:
    """Draw the name of a game, the band between bounds, and the line below."""
    begin, end = across.at(round(first)), across.at(round(last))
    return Svg(
        rectangle(begin, 1, end - begin, ROW - 2, fill=PALE, stroke=None)
        + words_at(0, ROW / 2 + 4, named(words, "games", game), size=12, width_max=NAMES - 12)
        + line(0, ROW - 0.5, WIDTH, ROW - 0.5, stroke_width=0.4)
    )


def _mark(x: float, y: float, *, is_outside: bool, leans: bool) -> Svg:
    if leans:
        path = f"M{x - 4:.1f} {y - 4:.1f}l8 8m0 -8l-8 8"
        return element("path", d=path, stroke=RED, stroke_width=3, fill="none")
    if is_outside:
        path = f"M{x:.1f} {y - 5:.1f}l5 5l-5 5l-5 -5z"
        return element("path", d=path, fill=INK)
    return element("circle", cx=x, cy=y, r=3, fill="none", stroke=INK, stroke_width=1.4)


def _deviation_axis(words: Words, across: Scale) -> Drawing:
    parts = [line(across.begin, 0.5, across.end, 0.5, stroke=INK)]
    edge = across.last // 100
    for value in range(-edge, edge + 1, max(edge // 5, 1)):
        x = across.at(value * 100)
        parts.append(line(x, 0, x, 5, stroke=INK))
        parts.append(words_at(x, 18, words.number(value), size=11, anchor="middle"))
    parts.append(words_at(0, 18, words.text("pictures.deviations_axis"), size=10, fill=SOFT))
    return Drawing(WIDTH, FOOT, Svg("".join(parts)))


class _Share(NamedTuple):
    """The share of a game in hundredths of a per cent; what the plan does not give is None."""

    game: str
    share: int
    due: int | None
    bound: int | None

    @property
    def verdict(self) -> str:
        if self.due is None or self.bound is None:
            return "pictures.share_unbounded"
        is_inside = abs(self.share - self.due) <= self.bound
        return "pictures.share_inside" if is_inside else "pictures.share_outside"


def draw_shares(marks: Iterable[BetMark], language: Language, *, title: str) -> str:
    """Draw the house's share of the stakes by game, with bounds; return an ``svg`` element."""
    words = Words(language)
    by_game = groupby(_by_game(words, marks), key=lambda one: one.game)
    shares = [found for game, bets in by_game if (found := _share(game, list(bets)))]
    pieces = [label(title, size=15)]
    if shares:
        ticks = _share_ticks(shares)
        across = Scale(ticks[0], ticks[-1], NAMES, WIDTH - SUMS)
        rows = [_share_row(words, one, across) for one in shares]
        pieces.append(below(*rows, _share_axis(words, across, ticks), gap=0))
        note = words.text("pictures.shares_note")
        pieces.append(text_lines([note], width_max=WIDTH, size=11.5))
    else:
        pieces.append(label(words.text("pictures.no_results"), bold=False))
    said = " ".join(f"{_share_words(words, one)};" for one in shares)
    return picture(pieces, title=title, description=said, language=language)


def _share(game: str, bets: Sequence[BetMark]) -> _Share | None:
    staked = sum(one.staked for one in bets)
    if not staked:
        return None
    due = [one.expected for one in bets if one.expected is not None]
    spreads = [one.spread for one in bets if one.spread is not None]
    is_due, is_bounded = len(due) == len(bets), len(spreads) == len(bets)
    return _Share(
        game,
        _of(sum(one.kept for one in bets), staked),
        _of(sum(due), staked) if is_due else None,
        _of(BOUND_DEVIATIONS * sum(spreads), staked) if is_bounded else None,
    )


def _of(part: int, whole: int) -> int:
    return round(part * 10_000 / whole)


def _share_ticks(shares: Sequence[_Share]) -> list[int]:
    ends = [0]
    for one in shares:
        middle, bound = one.due or 0, one.bound or 0
        ends += [one.share, middle - bound, middle + bound]
    drawn = [max(-SHARE_MAX, min(one, SHARE_MAX)) for one in ends]
    return amount_ticks(min(drawn), max(drawn))


def _share_words(words: Words, one: _Share) -> str:
    share, verdict = words.decimal(one.share, 2), words.text(one.verdict)
    return f"{named(words, 'games', one.game)}: {share} %, {verdict}"


def _share_row(words: Words, one: _Share, across: Scale) -> Drawing:
    middle, bound = one.due or 0, one.bound or 0
    first, last = (_within(across, middle + sign * bound) for sign in (-1, 1))
    zero, x = across.at(0), across.at(_within(across, one.share))
    parts = [
        _row(words, one.game, across, first, last),
        line(zero, 0, zero, ROW, stroke=LINE, stroke_width=0.6),
        element("title", escaped(_share_words(words, one))),
        _mark(x, ROW / 2, is_outside=True, leans=one.verdict == "pictures.share_outside"),
        words_at(WIDTH, ROW / 2 - 2, f"{words.decimal(one.share, 2)} %", bold=True, anchor="end"),
        words_at(WIDTH, ROW / 2 + 13, words.text(one.verdict), size=11, anchor="end"),
    ]
    if one.due is not None:
        due = across.at(_within(across, one.due))
        parts.append(line(due, 6, due, ROW - 6, stroke=INK, stroke_width=2))
    return Drawing(WIDTH, ROW, group(*parts, data_game=one.game, data_share=one.share))


def _within(across: Scale, value: int) -> int:
    return max(across.first, min(value, across.last))


def _share_axis(words: Words, across: Scale, ticks: Sequence[int]) -> Drawing:
    parts = [line(across.begin, 0.5, across.end, 0.5, stroke=INK)]
    for value in ticks:
        x = across.at(value)
        parts.append(line(x, 0, x, 5, stroke=INK))
        text = words.decimal(value, 2) if value % 100 else words.number(value // 100)
        parts.append(words_at(x, 18, text, size=11, anchor="middle"))
    parts.append(words_at(0, 18, words.text("pictures.shares_axis"), size=10, fill=SOFT))
    return Drawing(WIDTH, FOOT, Svg("".join(parts)))
