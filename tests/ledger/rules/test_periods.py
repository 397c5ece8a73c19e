"""Legal periods of days end on a working day (SAZKA 17(3), civil code 605(1) and 607)."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.core.clock import DAY, from_datetime, in_prague
from ledger.rules import periods
from ledger.rules.periods import Period, end_of_period


def prague(text: str) -> int:
    return from_datetime(datetime.fromisoformat(text).replace(tzinfo=ZoneInfo("Europe/Prague")))


FIFTEEN = Period(15, "test")


@pytest.mark.parametrize(
    ("begun_by", "end"),
    [
        ("2026-10-20 18:00", "2026-11-05"),  # Wednesday
        ("2026-10-22 00:00", "2026-11-07"),  # Friday
        ("2026-10-23 23:59:59.999999", "2026-11-10"),  # Saturday
        ("2026-10-24 12:00", "2026-11-10"),  # Sunday
        ("2026-10-25 12:00", "2026-11-10"),  # Monday
        ("2026-11-02 12:00", "2026-11-19"),  # 17 November, a Tuesday
        ("2026-12-09 12:00", "2026-12-29"),  # Christmas Eve, two holidays, Sunday
        ("2026-03-19 12:00", "2026-04-08"),  # Good Friday to Easter Monday
        ("2026-06-20 12:00", "2026-07-08"),  # 5 and 6 July, a Sunday and a Monday
        ("2027-12-17 12:00", "2028-01-04"),  # New Year on a Saturday
    ],
)
def test_a_period_that_would_end_on_a_free_day_ends_with_the_next_working_day(
    begun_by: str, end: str
) -> None:
    assert end_of_period(prague(begun_by), FIFTEEN) == prague(end)


def test_the_day_of_the_fact_does_not_count_and_the_last_day_counts_whole() -> None:
    begun = [end_of_period(prague(f"2026-02-02 {hour}"), FIFTEEN) for hour in ("00:00", "23:59")]
    assert begun == [prague("2026-02-18")] * 2


def test_the_rule_is_one_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(periods, "MOVES_TO_WORKING_DAY", False)
    assert end_of_period(prague("2026-10-23 12:00"), FIFTEEN) == prague("2026-11-08")


@given(begun=st.integers(prague("2017-01-01"), prague("2060-01-01")), days=st.integers(1, 60))
def test_a_period_is_never_shorter_and_less_than_a_week_longer(begun: int, days: int) -> None:
    end = end_of_period(begun, Period(days, "test"))
    last = in_prague(end - 1).date()
    shortest = in_prague(begun).date() + timedelta(days=days)
    assert in_prague(end).time() == datetime.min.time()
    assert timedelta(0) <= last - shortest < timedelta(days=7)
    assert last.weekday() < 5
    assert last != date(last.year, 12, 24)
    assert end - begun > (days - 1) * DAY
