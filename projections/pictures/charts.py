"""Charts of values: money over time, the house's result by day, frequencies, and trends of days.

What comes in: rows of answers, and plain values. What goes out: an ``svg`` element as text. Money
over time is a step line, constant between bookings. The house's result is bars, wins upwards,
losses downwards and hatched; all games share one scale, so that their bars can be compared.
Frequencies of numbers, fields or ranks are bars beside the plan's probabilities. A trend is small
bars without axes; the last one is the day in question. Axes have ticks at round amounts, and at
times in Prague's local time.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from ledger.core.clock import DAY, HOUR, MINUTE, in_prague, midnight_after
from projections.pictures.pieces import label
from projections.pictures.svg import (
    INK,
    LINE,
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

    from projections.questions.over_time import BalanceAt, GameDay

__all__ = [
    "Scale",
    "amount_ticks",
    "axis_words",
    "draw_fairness",
    "draw_house_results",
    "draw_money",
    "draw_trend",
    "grid",
    "moment_ticks",
    "time_axis",
]

STEPS = (5 * MINUTE, 15 * MINUTE, 30 * MINUTE, HOUR, 2 * HOUR, 4 * HOUR, 8 * HOUR)
TICKS_MAX = 9
DAYS_LABELLED_MAX = 10
LEFT, TOP, BOTTOM, MONEY_HEIGHT = 78.0, 20.0, 210.0, 236.0
RIGHT = WIDTH - 10.0
HOUSE_NAMES, HOUSE_SUMS, HOUSE_ROW = 200.0, 120.0, 46.0
BARS_WIDTH = WIDTH - HOUSE_NAMES - HOUSE_SUMS
RESULTS_DESCRIBED_MAX = 200
BARS_HIGH, BARS_FOOT = 160.0, 22.0
TREND_EACH, TREND_HIGH = 4.0, 24.0


class Scale(NamedTuple):
    """Maps values linearly to coordinates."""

    first: int
    last: int
    begin: float
    end: float

    def at(self, value: int) -> float:
        """Return the coordinate of a value."""
        whole = max(self.last - self.first, 1)
        return self.begin + (self.end - self.begin) * (value - self.first) / whole


def amount_ticks(smallest: int, largest: int, *, count: int = 5) -> list[int]:
    """Return about ``count`` round values that enclose ``smallest`` and ``largest``."""
    wide = max(largest - smallest, 1)
    step = 10 ** max(len(str(wide)) - 2, 0)
    while True:
        for times in (1, 2, 5):
            if wide <= step * times * count:
                first = smallest // (step * times) * step * times
                last = -(-largest // (step * times)) * step * times
                return list(range(first, last + 1, step * times))
        step *= 10


def moment_ticks(first: int, last: int) -> list[int]:
    """Return times at whole steps of Prague's local time, or days for long ranges."""
    step = next((one for one in STEPS if (last - first) // one < TICKS_MAX), 0)
    if step:
        begin = midnight_after(first, 0)
        begin += (first - begin) // step * step
        return [at for at in range(begin, last + step, step) if first <= at <= last]
    days = [midnight_after(first, 0)]
    while days[-1] < last:
        days.append(midnight_after(days[-1]))
    apart = -(-len(days) // DAYS_LABELLED_MAX)
    return [at for at in days[::apart] if first <= at <= last]


def axis_words(moment: int, *, span: int) -> str:
    """Format a time for an axis: the time of day, or the day if ``span`` is many days."""
    shown = in_prague(moment)
    if span > 2 * DAY:
        return f"{shown.day}.\N{NO-BREAK SPACE}{shown.month}."
    return f"{shown.hour}:{shown.minute:02d}"


def time_axis(scale: Scale, y: float, top: float) -> Svg:
    """Draw the ticks of a time axis below a chart, with labels."""
    span = scale.last - scale.first
    parts = [line(scale.begin, y, scale.end, y, stroke=INK)]
    for at in moment_ticks(scale.first, scale.last):
        x = scale.at(at)
        parts.append(line(x, top, x, y + 4, stroke=LINE, stroke_width=0.5))
        parts.append(words_at(x, y + 17, axis_words(at, span=span), size=11, anchor="middle"))
    return Svg("".join(parts))


def grid(words: Words, scale: Scale, ticks: list[int], left: float, right: float) -> Svg:
    """Draw grid lines at amounts of haléř, with labels in crowns at the left."""
    parts = []
    for value in ticks:
        y = scale.at(value)
        is_zero = value == 0
        parts.append(
            line(
                left,
                y,
                right,
                y,
                stroke=INK if is_zero else LINE,
                stroke_width=1 if is_zero else 0.5,
            )
        )
        text = words.number(value // 100) if value % 100 == 0 else words.amount(value)
        parts.append(words_at(left - 6, y + 4, text, size=11, anchor="end", fill=SOFT))
    return Svg("".join(parts))


def draw_money(points: Sequence[BalanceAt], language: Language, *, title: str) -> str:
    """Draw money over time; ``points`` in the order of time. Return an ``svg`` element.

    Of the points that fall on one unit of the picture's width, only the first, smallest, largest
    and last are drawn, so that the size is bounded and no peak is lost.
    """
    words = Words(language)
    if not points:
        said = words.text("pictures.no_money")
        return picture(
            [label(title, size=15), label(said, bold=False)],
            title=title,
            description=said,
            language=language,
        )
    smallest, largest = min(points, key=lambda p: p.haler), max(points, key=lambda p: p.haler)
    said = " ".join(
        words.text(key, amount=words.money(point.haler), time=words.moment(point.at))
        for key, point in (
            ("pictures.money_first", points[0]),
            ("pictures.money_smallest", smallest),
            ("pictures.money_largest", largest),
            ("pictures.money_last", points[-1]),
        )
    )
    pieces = [label(title, size=15), _money_chart(words, points, smallest.haler, largest.haler)]
    return picture(pieces, title=title, description=said, language=language)


def _money_chart(words: Words, points: Sequence[BalanceAt], smallest: int, largest: int) -> Drawing:
    ticks = amount_ticks(min(smallest, 0), max(largest, 0, smallest + 100))
    across = Scale(points[0].at, points[-1].at, LEFT, RIGHT)
    up = Scale(ticks[0], ticks[-1], BOTTOM, TOP)
    shown = _thinned(points, across)
    path = [f"M{across.at(shown[0].at):.1f} {up.at(shown[0].haler):.1f}"]
    for before, point in pairwise(shown):
        if point.at != before.at:
            path.append(f"H{across.at(point.at):.1f}")
        path.append(f"V{up.at(point.haler):.1f}")
    last = shown[-1]
    end = words.money(last.haler)
    parts = [
        grid(words, up, ticks, LEFT, RIGHT),
        time_axis(across, BOTTOM, TOP),
        words_at(0, TOP - 10, words.text("pictures.crowns_axis"), size=10, fill=SOFT),
        element("path", d="".join(path), fill="none", stroke=INK, stroke_width=1.8),
        element("circle", cx=across.at(last.at), cy=up.at(last.haler), r=3.5, fill=INK),
        words_at(RIGHT, TOP - 5, end, size=12, bold=True, anchor="end"),
    ]
    return Drawing(WIDTH, MONEY_HEIGHT, Svg("".join(parts)))


def _thinned(points: Sequence[BalanceAt], across: Scale) -> list[BalanceAt]:
    """Keep the first, smallest, largest and last point for each unit of the picture's width."""
    units: dict[int, list[BalanceAt]] = {}
    for point in points:
        units.setdefault(int(across.at(point.at)), []).append(point)
    kept: list[BalanceAt] = []
    for found in units.values():
        ends = {0, len(found) - 1}
        ends.add(min(range(len(found)), key=lambda place: found[place].haler))
        ends.add(max(range(len(found)), key=lambda place: found[place].haler))
        kept += [found[place] for place in sorted(ends)]
    return kept


def draw_house_results(results: Sequence[GameDay], language: Language, *, title: str) -> str:
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
        for (game, day), haler in sorted(sums.items())[:RESULTS_DESCRIBED_MAX]
    )
    return picture(pieces, title=title, description=said, language=language)


def _game(
    words: Words, game: str, days: list[date], sums: dict[tuple[str, date], int], most: int
) -> Drawing:
    whole = sum(sums.get((game, day), 0) for day in days)
    zero = HOUSE_ROW / 2
    parts = [
        words_at(0, zero + 4, named(words, "games", game), size=12, width_max=HOUSE_NAMES - 10),
        line(HOUSE_NAMES, zero, HOUSE_NAMES + BARS_WIDTH, zero, stroke=INK),
        words_at(WIDTH, zero + 4, words.money(whole), size=12, bold=True, anchor="end"),
        line(0, HOUSE_ROW - 0.5, WIDTH, HOUSE_ROW - 0.5, stroke_width=0.4),
    ]
    each = min(BARS_WIDTH / len(days), 44)
    for place, day in enumerate(days):
        haler = sums.get((game, day))
        if haler is not None:
            x = HOUSE_NAMES + place * each + each * 0.15
            parts.append(_house_bar(words, x, each * 0.7, (day, haler), most))
    return Drawing(WIDTH, HOUSE_ROW, group(*parts, data_game=game))


def _house_bar(words: Words, x: float, width: float, one: tuple[date, int], most: int) -> Svg:
    day, haler = one
    high = max(abs(haler) / most * (HOUSE_ROW / 2 - 3), 0.8)
    zero = HOUSE_ROW / 2
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
            HOUSE_NAMES + (place + 0.5) * each,
            16,
            f"{day.day}. {day.month}.",
            size=11,
            anchor="middle",
        )
        for place, day in enumerate(days)
        if place % apart == 0
    ]
    return Drawing(WIDTH, 22, Svg("".join(parts)))


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
        pieces.append(_frequencies(words, counts, total))
        pieces.append(label(words.text("pictures.fairness_note"), bold=False))
    else:
        pieces.append(label(words.text("pictures.no_results"), bold=False))
    description = " ".join(
        f"{name}: {words.number(seen)} ({words.number(round(share * total))});"
        for name, seen, share in counts
    )
    return picture(pieces, title=title, description=description, language=language)


def _frequencies(words: Words, counts: Sequence[tuple[str, int, float]], total: int) -> Drawing:
    most = max(max(seen, share * total) for _, seen, share in counts)
    each = WIDTH / len(counts)
    parts = [line(0, BARS_HIGH, WIDTH, BARS_HIGH, stroke=INK)]
    for place, (name, seen, share) in enumerate(counts):
        x, high = place * each, seen / most * (BARS_HIGH - 10)
        due = BARS_HIGH - share * total / most * (BARS_HIGH - 10)
        hover = f"{name}: {words.number(seen)} / {words.number(round(share * total))}"
        bar = group(
            element("title", escaped(hover)),
            rectangle(x + each * 0.15, BARS_HIGH - high, each * 0.7, high, fill=PALE, stroke=INK),
            line(x + each * 0.02, due, x + each * 0.98, due, stroke=INK, stroke_width=2),
            data_kind=name,
            data_seen=seen,
        )
        parts += [
            bar,
            words_at(x + each / 2, BARS_HIGH + 15, name, size=10, anchor="middle", width_max=each),
        ]
    return Drawing(WIDTH, BARS_HIGH + BARS_FOOT, Svg("".join(parts)))


def draw_trend(values: Sequence[int], *, title: str) -> Svg:
    """Draw values as bars above and below zero; return an ``svg`` element named by its title."""
    most = max((abs(one) for one in values), default=0) or 1
    zero = TREND_HIGH / 2
    bars = [
        rectangle(
            place * TREND_EACH + 0.5,
            zero - max(value, 0) / most * zero,
            TREND_EACH - 1,
            max(abs(value) / most * zero, 0.5),
            fill=INK if place == len(values) - 1 else PALE,
            stroke=INK,
            stroke_width=0.4,
        )
        for place, value in enumerate(values)
        if value
    ]
    wide = len(values) * TREND_EACH
    return element(
        "svg",
        element("title", escaped(title)),
        line(0, zero, wide, zero, stroke_width=0.4),
        *bars,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {wide:g} {TREND_HIGH:g}",
        width=wide,
        height=TREND_HIGH,
        role="img",
    )
