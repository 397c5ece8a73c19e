"""Names of packages: read, written, and what their periods are."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.core.clock import HOUR, in_prague
from ledger.core.errors import InputError
from projections.packages.cz.fields import RATES, TableError, files, files_of, parse_tables
from projections.packages.cz.names import HOURS, Model, PackageName

OPERATORS = st.from_regex(r"[A-Za-z0-9_]{1,20}", fullmatch=True)
DAYS = st.dates(date(1901, 1, 1), date(2199, 12, 31))
NAMES = st.builds(
    PackageName, OPERATORS, DAYS, st.sampled_from(HOURS), st.integers(1, 99)
) | st.builds(
    PackageName,
    OPERATORS,
    DAYS.map(lambda day: day.replace(day=1)),
    st.just(0),
    st.integers(1, 99),
    st.from_regex(r"[A-Za-z0-9_]{1,50}", fullmatch=True),
)


@given(NAMES)
def test_a_name_that_was_written_is_read_again(name: PackageName) -> None:
    assert PackageName.parse(str(name)) == name
    assert PackageName.of_period(name.operator, name.period, name.version) == name


@given(NAMES)
def test_periods_follow_each_other_without_gaps(name: PackageName) -> None:
    assert name.end == name.following.start
    assert name.following.version == 1
    assert (name.start, in_prague(name.start).hour) < (name.end, 24)


@pytest.mark.parametrize(
    ("period", "hours"),
    [("2026032900", 7), ("2026032908", 8), ("2026102500", 9), ("2026102516", 8), ("2026112108", 8)],
)
def test_a_period_follows_the_clocks_of_prague(period: str, hours: int) -> None:
    name = PackageName.of_period("12345678", period)
    assert name.end - name.start == hours * HOUR
    assert in_prague(name.start).strftime("%Y%m%d%H") == period


@pytest.mark.parametrize(
    "text",
    [
        "12345678-V-2026112107-Z-01",
        "12345678-V-2026113108-Z-01",
        "12345678-V-2026112108-Z-00",
        "12345678-V-2026112108-Z-1",
        "12345678-V-2026112108-T-01",
        "12345678-M-202611-z-kasino_1-01",
        "12345678-M-202613-Z-kasino_1-01",
        "12345678-M-20261101-Z-kasino_1-01",
        "12345678-M-202611-Z-kasino-1-01",
        "12345678-M-202611-Z--01",
        "12345678-V-202611-Z-kasino_1-01",
        "12345678-v-2026112108-Z-01",
        "123456789012345678901-V-2026112108-Z-01",
        "12345678-V-2026112108-Z-01\n",
        "12345678-V-٢026112108-Z-01",
        "12345678-V-9999123116-Z-01",
        "12345678-V-0001010100-Z-01",
        "",
    ],
)
def test_what_is_no_name_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        PackageName.parse(text)


@pytest.mark.law("L-5")
def test_versions_end_at_99() -> None:
    name = PackageName.parse("12345678-V-2026112108-z-99")
    assert str(name) == "12345678-V-2026112108-Z-99"
    with pytest.raises(InputError, match="1 to 99"):
        replace(name, version=100)


def test_the_period_of_a_casino_is_a_month_whose_last_night_runs_on() -> None:
    name = PackageName.of_period("12345678", "202503-kasino_1")
    assert str(name) == "12345678-M-202503-Z-kasino_1-01"
    assert in_prague(name.start).isoformat() == "2025-03-01T00:00:00+01:00"
    assert in_prague(name.end).isoformat() == "2025-04-01T00:00:00+02:00"
    assert in_prague(name.latest).isoformat() == "2025-04-02T00:00:00+02:00"
    assert name.last_day.isoformat() == "2025-03-31"
    with pytest.raises(InputError, match="is a month"):
        replace(name, day=name.last_day)
    with pytest.raises(InputError, match="can't be the casino"):
        replace(name, place="kasino-1")


@pytest.mark.law("L-12")
def test_casinos_tell_rates_in_the_last_month_of_a_quarter() -> None:
    name = PackageName.of_period("12345678", "202601-k")
    due = []
    while name.day.year == 2026:
        if name.has_rates:
            due.append(name.period)
            assert name.rates_before.has_rates
        name = name.following
    assert due == ["202603-k", "202606-k", "202609-k", "202612-k"]


@pytest.mark.law("L-12")
def test_rates_are_due_four_times_a_year() -> None:
    name = PackageName.parse("12345678-V-2026010100-Z-01")
    due = []
    while name.day.year == 2026:
        if name.has_rates:
            due.append(name.period)
        name = name.following
    assert due == ["2026012516", "2026042516", "2026072516", "2026102516"]


def test_a_package_has_fifteen_files_and_the_rates_when_due() -> None:
    plain = PackageName.parse("12345678-V-2026112108-Z-01")
    assert len(files_of(plain)) == 15
    quarter = PackageName.parse("12345678-V-2026102516-Z-01")
    assert [one.name for one in files_of(quarter)][-1] == RATES
    assert plain.day - quarter.day == timedelta(days=27)


def test_a_package_of_a_casino_has_nine_files_and_the_rates_when_due() -> None:
    plain = PackageName.of_period("12345678", "202611-kasino_1")
    assert len(files_of(plain)) == 9
    assert files_of(plain)[5].file_name == "PSTB_transakce.csv"
    assert [one.name for one in files_of(plain.following)][-1] == RATES


FILES = "file,rows,again\none,,once\n"
HEAD = "file,field,type,size,filled,begins,refers,moment,fixed\n"
CODES = '[B]\nx = "y"\n'
KEY = "one,A,key,50,must,prefix,,,\n"


@pytest.mark.parametrize(
    ("row", "match"),
    [
        ("two,A,key,50,must,prefix,,,", "does not know two"),
        ("one,B,number,,may,,,,", "one.B.*number"),
        ("one,C,code,,may,,,,", "one.C"),
        ("one,B,moment,,may,,,,", "only a moment has a position"),
        ("one,B,text,9,may,,one,,", "says to what"),
        ("one,B,reference,50,may,prefix,two,,", "no file two"),
        ("one,A,text,9,may,,,,", "twice"),
        ("one,B,text,9,C x,,,,", "no column C"),
        ("one,B,code,,B z,,,,", "not in its code list"),
        ("one,B,text,many,may,,,,", "many"),
    ],
)
def test_tables_that_contradict_themselves_are_refused(row: str, match: str) -> None:
    assert list(parse_tables(FILES, HEAD + KEY, CODES)) == ["one"]
    with pytest.raises(TableError, match=match):
        parse_tables(FILES, f"{HEAD}{KEY}{row}\n", CODES)


def test_a_file_begins_with_its_key() -> None:
    with pytest.raises(TableError, match="must be the key"):
        parse_tables(FILES, f"{HEAD}one,A,text,9,may,,,,\n", CODES)
    assert all(one.key.must for model in Model for one in files(model).values())
