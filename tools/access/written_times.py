"""Days and times of day in a text, as people and this program write them in Czech and English.

Input: text such as "včera ve 21:03", "20. listopadu 2026, 21:03:25,000 SEČ", "20 Nov, 9:03 pm".
Output: the text without its day, or without its time, and what that was. A day without a year is
the last such day.
"""

from __future__ import annotations

import re
from datetime import date, datetime, time, timedelta, timezone
from typing import TYPE_CHECKING, NamedTuple

from ledger.core.clock import PRAGUE, from_datetime, moments_of
from projections.words.catalogue import Language, Words
from tools.access.person_index import folded

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["BACK", "ClockTime", "loose_time_in", "named_day_in", "time_in", "written_day_in"]

HALF_DAY = 12
CENTURY = 2_000
SHORT_YEAR = 2
"""Digits of a year without its century."""
PREPOSITION = r"\b(?:v|ve|kolem|okolo|asi|cca|po|pred|at|about|around|circa)\s+"
HOUR_OF_DAY = r"(?P<hour>[01]?\d|2[0-3])"
MINUTE_OF_HOUR = r"(?P<minute>[0-5]\d)"
SECONDS = r"(?::(?P<second>[0-5]\d)(?:[.,](?P<part>\d{1,6}))?)?(?![\d:]|[.,]\d)"
ZONE = r"(?:\s*(?P<zone>Z|SELC|SEC|CEST|CET|[+-]\d\d:?\d\d)(?!\w))?"
HALF = r"(?:\s*(?P<half>[ap]\.?m\b\.?|vecer|odpoledne|rano|dopoledne|in the (?:morning|evening)))?"
CLOCK = re.compile(
    rf"(?:(?<![\d:.,-])|(?<=\d[Tt])){HOUR_OF_DAY}:{MINUTE_OF_HOUR}{SECONDS}{ZONE}{HALF}",
    re.IGNORECASE,
)
LOOSE = (
    re.compile(rf"{PREPOSITION}{HOUR_OF_DAY}\.{MINUTE_OF_HOUR}(?!\d|[.:]\d){HALF}", re.IGNORECASE),
    re.compile(
        rf"(?<![\d:.,-]){HOUR_OF_DAY}\.{MINUTE_OF_HOUR}"
        rf"(?=\s*(?:h\b|hod\b|[ap]\.?m\b|vecer|odpoledne))(?:\s*(?:h|hod)\b)?{HALF}",
        re.IGNORECASE,
    ),
    re.compile(
        rf"(?<![\d:.,-]){HOUR_OF_DAY}\s*(?:h\b|hod\b|hodin\w*|o'clock\b){HALF}", re.IGNORECASE
    ),
    re.compile(
        rf"(?<![\d:.,-]){HOUR_OF_DAY}\s*(?P<half>[ap]\.?m\b\.?|vecer|odpoledne)", re.IGNORECASE
    ),
)
"""Times with a full stop or without minutes, which only other words distinguish from amounts."""
OFFSETS = {"Z": 0, "CET": 1, "SEC": 1, "CEST": 2, "SELC": 2}
MONTHS = {
    name: month
    for language in Language
    for month in range(1, 13)
    for full in [folded(Words(language).text(f"calendar.month_{month}"))]
    for name in ([full] if language is Language.CS else [full, full[:3]])
}
"""Names of months as dates have them, without accents, and the short ones of English."""
MONTH = rf"(?P<name>{'|'.join(sorted(MONTHS, key=len, reverse=True))})\b\.?"
DAY_OF_MONTH = r"(?<![\d.,:])(?P<day>[0-3]?\d)"
YEAR = r"(?:,?\s*(?P<year>\d{4})(?![\d:]))?"
DAYS = (
    re.compile(r"(?<![\w-])(?P<year>\d{4})-(?P<month>\d\d)-(?P<day>\d\d)(?![\d-])"),
    re.compile(
        rf"{DAY_OF_MONTH}\.\s?(?P<month>[01]?\d)\.(?:\s?(?P<year>\d{{4}}|(?<=\.)\d\d(?![:.,\d])))?(?!\d)"
    ),
    re.compile(rf"{DAY_OF_MONTH}/(?P<month>[01]?\d)/(?P<year>\d{{4}}|\d\d)(?!\d)"),
    re.compile(rf"{DAY_OF_MONTH}(?:\.|st|nd|rd|th)?\s*{MONTH}{YEAR}", re.IGNORECASE),
    re.compile(rf"\b{MONTH}\s*(?P<day>[0-3]?\d)(?:st|nd|rd|th)?(?![\d:.]){YEAR}", re.IGNORECASE),
)
BACK = {"predevcirem": 2, "vcera": 1, "yesterday": 1, "dnes": 0, "today": 0}
"""Names of days, without accents, and how many days before today they mean."""
WEEK = 7
WEEKDAYS = (
    ("pondel", "monday"),
    ("uter", "tuesday"),
    ("stred", "wednesday"),
    ("ctvrt", "thursday"),
    ("patek", "friday"),
    ("sobot", "saturday"),
    ("nedel", "sunday"),
)
"""How names of the days of a week begin."""


class ClockTime(NamedTuple):
    """A time of day, and the offset of its zone from UTC if the text names one."""

    clock: time
    offset: timedelta | None = None

    def on(self, day: date) -> tuple[int, ...]:
        """Return the moments of this time on a day: two or none where clocks are set."""
        local = datetime.combine(day, self.clock)
        if self.offset is not None:
            return (from_datetime(local.replace(tzinfo=timezone(self.offset))),)
        return tuple(map(from_datetime, moments_of(local, PRAGUE)))


def time_in(text: str) -> tuple[str, ClockTime | None]:
    """Return a text without its time, and the time, which has a colon."""
    return _without(text, CLOCK.search(_plain(text)))


def loose_time_in(text: str) -> tuple[str, ClockTime | None]:
    """Return a text without its time, and the time, as in "ve 21.03", "v 9 hodin večer"."""
    plain = _plain(text)
    return _without(text, next(filter(None, (one.search(plain) for one in LOOSE)), None))


def _without(text: str, found: re.Match[str] | None) -> tuple[str, ClockTime | None]:
    if found is None:
        return text, None
    parts = found.groupdict()
    hour, half = int(parts["hour"]), parts.get("half") or ""
    if half[:1] in {"p", "v", "o"} or half.endswith("evening"):
        hour += HALF_DAY if hour < HALF_DAY else 0
    elif half[:1] == "a" and hour == HALF_DAY:
        hour = 0
    clock = time(
        hour,
        int(parts.get("minute") or 0),
        int(parts.get("second") or 0),
        int((parts.get("part") or "0").ljust(6, "0")),
    )
    rest = f"{text[: found.start()]} {text[found.end() :]}"
    return rest, ClockTime(clock, _offset(parts.get("zone")))


def _offset(zone: str | None) -> timedelta | None:
    if zone is None:
        return None
    if zone[0] not in "+-":
        return timedelta(hours=OFFSETS[zone.upper()])
    sign = -1 if zone[0] == "-" else 1
    return sign * timedelta(hours=int(zone[1:3]), minutes=int(zone[-2:]))


def written_day_in(text: str, today: date) -> tuple[str, date | None]:
    """Return a text without its day, and the day."""
    plain = _plain(text)
    for pattern in DAYS:
        for found in pattern.finditer(plain):
            if day := _day(found.groupdict(), today):
                return f"{text[: found.start()]} {text[found.end() :]}", day
    return text, None


def named_day_in(text: str, today: date) -> tuple[str, date | None]:
    """Return a text without the name of its day, as in "včera", "on Friday", and the day."""
    for found in re.finditer(r"[a-z]+", _plain(text)):
        back = _back(found[0], today)
        if back is not None:
            rest = f"{text[: found.start()]} {text[found.end() :]}"
            return rest, today - timedelta(days=back)
    return text, None


def _back(word: str, today: date) -> int | None:
    """Return how many days before today a word means."""
    for number, names in enumerate(WEEKDAYS):
        if word.startswith(names):
            return (today.weekday() - number) % WEEK
    return BACK.get(word)


def _day(parts: dict[str, str | None], today: date) -> date | None:
    """Return a day of the calendar; one without a year is the last one up to today."""
    name = parts.get("name")
    month = MONTHS[name] if name else int(parts["month"] or 0)
    year, day = parts["year"] or "", int(parts["day"] or 0)
    years = [int(year) + (CENTURY if len(year) == SHORT_YEAR else 0)] if year else [*_years(today)]
    for one in years:
        try:
            found = date(one, month, day)
        except ValueError:
            continue
        if year or found <= today:
            return found
    return None


def _years(today: date) -> Iterator[int]:
    """Yield this year and those before it, as far back as the last leap year."""
    yield from range(today.year, today.year - 9, -1)


def _plain(text: str) -> str:
    """Return a text in lower case without accents, with each character in its place."""
    return "".join(plain if len(plain := folded(one)) == 1 else one for one in text)
