"""Draw the continuous play of one account over an evening.

The vertical axis is the length of each sequence, the horizontal one the time in Prague; the limit
is a dashed line. A break is a hatched area up to the time from which bets are accepted again, and a
cross is a bet that was accepted during a break. Below the axis a bar is a session, from login to
logout.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.core.clock import MINUTE, in_prague, occurs_twice
from projections.pictures.charts import Scale, time_axis
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
    from collections.abc import Sequence as Series

    from projections.questions.accounts import Session
    from projections.questions.continuous_play import Sequence

__all__ = ["draw_play_clock"]

HATCHED_EACH = 9
LEFT, TOP, BOTTOM, HEIGHT = 58.0, 14.0, 200.0, 226.0
SESSIONS, SESSION_HEIGHT = 224.0, 10.0
DESCRIBED_MAX = 30


def draw_play_clock(
    stretches: Series[Sequence],
    language: Language,
    *,
    title: str,
    limit_minutes: int,
    bets_in_breaks: Series[int] = (),
    sessions: Series[Session] = (),
) -> str:
    """Draw sequences of continuous play.

    Args:
        stretches: in the order of time; those of an evening or of a few days.
        language: of the words.
        title: the account.
        limit_minutes: the length at which a break begins.
        bets_in_breaks: moments of bets that were accepted during a break.
        sessions: of the same time; one that is open lasts to the end of the picture.

    Returns:
        An ``svg`` element.

    """
    words = Words(language)
    said = [_caption(words, one) for one in stretches]
    said += [words.text("pictures.bet_in_break", time=_clock(words, at)) for at in bets_in_breaks]
    said += [_session_caption(words, one) for one in sessions]
    shown = said[:DESCRIBED_MAX] + (["…"] if len(said) > DESCRIBED_MAX else [])
    pieces = [label(title, size=15)]
    if stretches:
        pieces.append(_chart(words, stretches, limit_minutes, bets_in_breaks, sessions))
    pieces.append(text_lines(shown or [words.text("pictures.no_play")], width_max=WIDTH, size=11.5))
    return picture(pieces, title=title, description=" ".join(said), language=language)


def _clock(words: Words, moment: int) -> str:
    """Format a time of day, with the zone in the hour that occurs twice."""
    shown = in_prague(moment)
    clock = shown.isoformat()[11:19]
    if not occurs_twice(moment):
        return clock
    return f"{clock} {words.text(f'calendar.{shown.tzname()}')}"


def _caption(words: Words, one: Sequence) -> str:
    minutes = words.counted("pictures.minutes", one.length // MINUTE)
    said = words.text(
        "pictures.stretch",
        first=_clock(words, one.started_at),
        last=_clock(words, one.last_evaluated_at),
        minutes=minutes,
    )
    if one.break_until is None:
        return said
    return f"{said} {words.text('pictures.break_until', time=_clock(words, one.break_until))}"


def _session_caption(words: Words, one: Session) -> str:
    ended = "…" if one.ended_at is None else _clock(words, one.ended_at)
    return words.text("pictures.session", first=_clock(words, one.began_at), last=ended)


def _chart(
    words: Words,
    stretches: Series[Sequence],
    limit_minutes: int,
    crosses: Series[int],
    sessions: Series[Session],
) -> Drawing:
    ends = [one.break_until or one.last_evaluated_at for one in stretches]
    ends += [one.ended_at for one in sessions if one.ended_at is not None]
    begins = [one.started_at for one in stretches] + [one.began_at for one in sessions]
    across = Scale(min(begins), max(*ends, *crosses, 0), LEFT, WIDTH - 10)
    most = max(limit_minutes * MINUTE, *(one.length for one in stretches)) * 11 // 10
    up = Scale(0, most, BOTTOM, TOP)
    parts = [time_axis(across, BOTTOM, TOP)]
    for minutes in range(0, most // MINUTE + 1, 30):
        y = up.at(minutes * MINUTE)
        parts.append(line(LEFT, y, WIDTH - 10, y, stroke_width=0.4))
        parts.append(words_at(LEFT - 6, y + 4, str(minutes), size=11, anchor="end", fill=SOFT))
    parts.append(words_at(0, TOP - 3, words.text("pictures.minutes_axis"), size=10, fill=SOFT))
    parts += [_sequence(one, across, up, limit_minutes) for one in stretches]
    y = up.at(limit_minutes * MINUTE)
    parts.append(line(LEFT, y, WIDTH - 10, y, stroke=RED, stroke_width=2, stroke_dasharray="7 4"))
    limit = words.counted("pictures.minutes", limit_minutes)
    parts.append(words_at(LEFT + 4, y - 5, limit, size=11, bold=True, fill=RED))
    parts += [_cross(across.at(at)) for at in crosses]
    if not sessions:
        return Drawing(WIDTH, HEIGHT, Svg("".join(parts)))
    text = words.text("pictures.sessions_axis")
    parts.append(words_at(0, SESSIONS + 9, text, size=10, fill=SOFT, width_max=LEFT - 4))
    parts += [_session(words, one, across) for one in sessions]
    return Drawing(WIDTH, SESSIONS + SESSION_HEIGHT + 6, Svg("".join(parts)))


def _session(words: Words, one: Session, across: Scale) -> Svg:
    begin = across.at(one.began_at)
    end = across.at(across.last if one.ended_at is None else one.ended_at)
    hover = element("title", escaped(_session_caption(words, one)))
    bar = rectangle(begin, SESSIONS, max(end - begin, 1), SESSION_HEIGHT, fill=PALE, stroke=INK)
    return group(hover, bar, data_session=one.session)


def _sequence(one: Sequence, across: Scale, up: Scale, limit_minutes: int) -> Svg:
    begin, end = across.at(one.started_at), across.at(one.last_evaluated_at)
    y = up.at(one.length)
    path = f"M{begin:.1f} {BOTTOM:g}L{end:.1f} {y:.1f}V{BOTTOM:g}z"
    parts = [element("path", d=path, fill=PALE, stroke=INK, stroke_width=1.8)]
    if one.break_until is not None:
        parts.append(_hatched(end, across.at(one.break_until)))
    is_long = one.length >= limit_minutes * MINUTE
    if end - begin > 14 or is_long:
        parts.append(
            words_at(end - 2, y - 4, str(one.length // MINUTE), size=12, bold=is_long, anchor="end")
        )
    return group(*parts, data_started=one.started_at)


def _hatched(begin: float, end: float) -> Svg:
    """Draw a hatched area over the height of the chart."""
    lines = "".join(
        f"M{begin + max(y - BOTTOM, 0):.1f} {min(y, BOTTOM):.1f}"
        f"L{min(end, begin + y - TOP):.1f} {max(y - end + begin, TOP):.1f}"
        for y in range(int(TOP) + HATCHED_EACH, int(BOTTOM + end - begin), HATCHED_EACH)
    )
    return Svg(
        rectangle(begin, TOP, end - begin, BOTTOM - TOP, stroke=SOFT)
        + element("path", d=lines, stroke=LINE, fill="none")
    )


def _cross(x: float) -> Svg:
    path = f"M{x - 5:.1f} {BOTTOM - 14:g}l10 10m0 -10l-10 10"
    return element("path", d=path, stroke=RED, stroke_width=3, fill="none")
