"""The clock of the machine, which somebody may set."""

from __future__ import annotations

from datetime import date, datetime

import pytest

from ledger.core.clock import (
    CLOCKS_APART_MAX,
    PRAGUE,
    SystemClock,
    age_in_years,
    days_before,
    from_datetime,
    in_prague,
    moments_of,
    months_before,
)
from ledger.core.errors import AvailabilityError

MOMENT = 1_795_219_200_000_000


class Machine:
    """A machine with the two clocks that every one has, in nanoseconds."""

    def __init__(self) -> None:
        self.wall, self.steady = MOMENT * 1000, 5_000_000_000

    def pass_by(self, microseconds: int) -> None:
        self.wall += microseconds * 1000
        self.steady += microseconds * 1000


@pytest.mark.law("L-19")
def test_a_clock_that_was_set_ahead_gives_no_moment_until_it_is_right() -> None:
    machine = Machine()
    clock = SystemClock(lambda: machine.wall, lambda: machine.steady)
    machine.pass_by(10**15)
    assert clock.now() == MOMENT + 10**15
    machine.wall += CLOCKS_APART_MAX * 1000
    assert clock.now() == MOMENT + 10**15 + CLOCKS_APART_MAX, "NTP may correct so much"
    machine.wall += 1000
    with pytest.raises(AvailabilityError, match=r"set ahead by 60 s: set it by NTP .* start"):
        clock.now()
    machine.wall -= 1000
    clock.now()


def test_small_steps_ahead_add_up() -> None:
    machine = Machine()
    clock = SystemClock(lambda: machine.wall, lambda: machine.steady)
    for _ in range(3):
        machine.pass_by(10**6)
        machine.wall += CLOCKS_APART_MAX * 400
        if machine.wall - machine.steady < MOMENT * 1000 - 5_000_000_000 + CLOCKS_APART_MAX * 1000:
            clock.now()
    with pytest.raises(AvailabilityError, match="set ahead by 72 s"):
        clock.now()
    assert SystemClock(lambda: machine.wall, lambda: machine.steady).now() > 0, "started again"


def test_the_clock_of_this_machine_was_not_set_ahead() -> None:
    clock = SystemClock()
    assert clock.now() <= clock.now()


@pytest.mark.parametrize(
    ("start", "latest"),
    [
        ("2026-02-09T18:00", "2026-02-02T18:00"),
        ("2026-04-01T18:00", "2026-03-25T18:00"),
        ("2026-10-28T18:00", "2026-10-21T19:00"),
    ],
)
def test_days_before_are_of_24_hours_or_of_the_clock(start: str, latest: str) -> None:
    """Whichever are over earlier when summer time begins or ends."""
    moment = datetime.fromisoformat(start).replace(tzinfo=PRAGUE)
    assert in_prague(days_before(from_datetime(moment), 7)).isoformat()[:16] == latest


@pytest.mark.parametrize(
    ("day", "months", "before"),
    [
        ("2026-03-31", 1, "2026-02-28"),
        ("2028-03-31", 1, "2028-02-29"),
        ("2026-05-31", 1, "2026-04-30"),
        ("2026-01-15", 1, "2025-12-15"),
        ("2026-03-30", 24, "2024-03-30"),
        ("2026-01-31", -1, "2026-02-28"),
    ],
)
def test_months_before_a_day_end_on_the_last_day_of_a_shorter_month(
    day: str, months: int, before: str
) -> None:
    noon = datetime.fromisoformat(f"{day}T12:00").replace(tzinfo=PRAGUE)
    assert in_prague(months_before(from_datetime(noon), months)).isoformat()[:16] == (
        f"{before}T12:00"
    )


@pytest.mark.parametrize(
    ("born", "day", "years"),
    [
        ("2008-11-27", "2026-11-26", 17),
        ("2008-11-27", "2026-11-27", 18),
        ("2008-02-29", "2026-02-28", 17),
        ("2008-02-29", "2026-03-01", 18),
    ],
)
def test_a_year_of_age_is_complete_on_the_birthday(born: str, day: str, years: int) -> None:
    morning = from_datetime(datetime.fromisoformat(f"{day}T00:30").replace(tzinfo=PRAGUE))
    assert age_in_years(date.fromisoformat(born), morning) == years


@pytest.mark.parametrize(
    ("local", "offsets"),
    [
        ("2026-03-29T02:30", []),
        ("2026-03-29T03:00", ["+0200"]),
        ("2026-10-25T02:30", ["+0200", "+0100"]),
        ("2026-10-25T03:00", ["+0100"]),
    ],
)
def test_a_local_time_has_the_moments_at_which_clocks_showed_it(
    local: str, offsets: list[str]
) -> None:
    found = moments_of(datetime.fromisoformat(local))
    assert [each.strftime("%z") for each in found] == offsets
