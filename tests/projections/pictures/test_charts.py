"""Charts: every value stands in them once, at its place, whatever the values are."""

from __future__ import annotations

import re
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.core.clock import DAY, HOUR, MINUTE, MOMENT_MAX
from projections.pictures.charts import (
    TOP,
    amount_ticks,
    axis_words,
    draw_fairness,
    draw_house_results,
    draw_money,
    moment_ticks,
)
from projections.pictures.package_calendar import PackageMark, draw_packages
from projections.pictures.play_clock import draw_play_clock
from projections.pictures.svg import SOFT
from projections.questions.accounts import Session
from projections.questions.over_time import BalanceAt, GameDay
from projections.words.catalogue import Language
from tests.projections.pictures.picture_cases import read_back, sequence, texts, values

EVENING = 1_795_197_600_000_000
"""20 November 2026, 19:00 in Prague."""
HOSTILE = "<script>alert('x')</script>\u202e\x00" + "y" * 900


@given(st.integers(-(10**14), 10**14), st.integers(0, 10**14))
def test_ticks_of_amounts_enclose_the_values_in_few_round_steps(least: int, wide: int) -> None:
    ticks = amount_ticks(least, least + wide)
    assert ticks[0] <= least
    assert least + wide <= ticks[-1]
    assert len(ticks) <= 8


@given(st.integers(0, MOMENT_MAX // 2), st.integers(0, 400 * DAY))
def test_ticks_of_time_lie_within_and_are_few(first: int, span: int) -> None:
    ticks = moment_ticks(first, first + span)
    assert all(first <= at <= first + span for at in ticks)
    assert len(ticks) <= 11


def test_ticks_of_time_are_full_hours_in_prague() -> None:
    ticks = moment_ticks(EVENING + MINUTE, EVENING + 4 * HOUR)
    assert [axis_words(at, span=4 * HOUR) for at in ticks][:3] == ["19:30", "20:00", "20:30"]


def test_the_clock_tells_sequences_breaks_and_bets_in_breaks() -> None:
    long = sequence(EVENING, EVENING + 121 * MINUTE, EVENING + 136 * MINUTE)
    short = sequence(EVENING + 140 * MINUTE, EVENING + 160 * MINUTE)
    picture = draw_play_clock(
        [long, short],
        Language.CS,
        title=HOSTILE,
        limit_minutes=120,
        bets_in_breaks=[EVENING + 125 * MINUTE],
        sessions=[
            Session("s-1", "internet", EVENING - MINUTE, EVENING + 130 * MINUTE, "own"),
            Session("s-2", "internet", EVENING + 139 * MINUTE, None, None),
        ],
    )
    root = read_back(picture)
    assert values(root, "session") == {"s-1": 1, "s-2": 1}
    assert values(root, "started") == {str(one.started_at): 1 for one in (long, short)}
    assert "120 minut" in texts(root)
    said = " ".join(texts(root))
    assert "Přihlášení 18:59:00\N{EN DASH}21:10:00." in said
    assert "Hra 19:00:00\N{EN DASH}21:01:00, 121 minut. Přestávka do 21:16:00." in said
    assert "Sázka přijatá během přestávky: 21:05:00." in said
    read_back(draw_play_clock([], Language.EN, title="", limit_minutes=120))


@pytest.mark.parametrize("played_minutes", [5, 30, 120])
def test_a_break_is_hatched_all_over_whatever_its_width(played_minutes: int) -> None:
    ends = EVENING + played_minutes * MINUTE
    paused = sequence(EVENING, ends, ends + 15 * MINUTE)
    found = read_back(draw_play_clock([paused], Language.EN, title="a", limit_minutes=120))
    (rest,) = (
        one.attrib
        for one in found.iter()
        if one.tag.endswith("rect") and one.get("stroke") == SOFT and one.get("x")
    )
    left, top, wide, high = (float(rest[name]) for name in ("x", "y", "width", "height"))
    (lines,) = (one.attrib["d"] for one in found.iter() if one.get("d", "").count("M") > 1)
    number = r"(-?[\d.]+)"
    ends_of = [
        tuple(map(float, one)) for one in re.findall(f"M{number} {number}L{number} {number}", lines)
    ]
    assert len(ends_of) >= (wide + high) // 9 - 1
    for x, y, to_x, to_y in ends_of:
        assert left - 0.2 <= x <= to_x <= left + wide + 0.2
        assert top - 0.2 <= to_y <= y <= top + high + 0.2


def test_the_hour_that_occurs_twice_is_named_with_its_zone() -> None:
    begin = 1_792_889_400_000_000
    found = draw_play_clock(
        [sequence(begin, begin + 30 * MINUTE)], Language.EN, title="a", limit_minutes=120
    )
    dash = "\N{EN DASH}"
    assert f"Play 02:50:00 CEST{dash}02:20:00 CET, 30 minutes." in " ".join(texts(read_back(found)))


def test_money_is_a_step_line_of_bounded_size_with_its_peaks() -> None:
    points = [BalanceAt(EVENING + n * MINUTE, (n % 97) * 1_000) for n in range(50_000)]
    points[25_000] = BalanceAt(points[25_000].at, 9_999_900)
    picture = draw_money(points, Language.EN, title=HOSTILE)
    assert len(picture) < 100_000
    assert "Most CZK\N{NO-BREAK SPACE}99,999.00" in picture
    read_back(picture)


@pytest.mark.parametrize("ends_at", [0, 5_000, 9_999_900])
def test_no_amount_is_written_over_the_line_of_money(ends_at: int) -> None:
    points = [BalanceAt(EVENING + n * MINUTE, (n % 2) * 9_999_900) for n in range(500)]
    points.append(BalanceAt(EVENING + 500 * MINUTE, ends_at))
    found = read_back(draw_money(points, Language.CS, title="a-1"))
    written = {one.text or "": one for one in found.iter() if one.tag.endswith("text")}
    (last,) = (one for text, one in written.items() if text.endswith("\N{NO-BREAK SPACE}Kč"))
    assert float(last.attrib["y"]) < TOP


@pytest.mark.parametrize("haler", [[0], [-5], [0, 0], [10**15, -(10**15)], []])
def test_money_of_any_amount_is_drawn(haler: list[int]) -> None:
    points = [BalanceAt(EVENING + n, one) for n, one in enumerate(haler)]
    read_back(draw_money(points, Language.CS, title="a-1"))


def test_every_result_of_the_house_is_a_bar_with_its_amount() -> None:
    days = [date(2026, 11, 1) + timedelta(days=n) for n in range(31)]
    games = ("sazka.roulette_synot", "baccarat.commission", HOSTILE)
    results = [
        GameDay(game, day, (-1) ** n * n * 777) for game in games for n, day in enumerate(days)
    ]
    root = read_back(draw_house_results(results, Language.CS, title="x"))
    bars = [one for one in root.iter() if one.get("data-haler")]
    assert len(bars) == len(results)
    assert "Baccarat s provizí" in texts(root)
    read_back(draw_house_results([], Language.EN, title=""))


def test_every_period_has_its_field_in_the_calendar() -> None:
    days = [date(2026, 10, 25) + timedelta(days=n) for n in range(10)]
    marks = [PackageMark(day, hour, "accepted") for day in days for hour in (0, 8, 16)]
    marks[4] = PackageMark(days[1], 8, "refused", to_correct=True)
    root = read_back(draw_packages(marks, Language.CS, title="Balíčky"))
    assert values(root, "state") == {"accepted": 29, "refused": 1}
    assert {"Říjen 2026", "Listopad 2026", "odmítnutý (1)"} <= set(texts(root))
    read_back(draw_packages([], Language.EN, title=""))


def test_the_month_of_a_casino_stands_below_the_calendar() -> None:
    months = [PackageMark(date(2026, 10, 1), 0, "refused", casino="sever")]
    marks = [PackageMark(date(2026, 10, 1), hour, "due") for hour in (0, 8, 16)]
    root = read_back(draw_packages(marks + months, Language.CS, title="Balíčky"))
    assert values(root, "state") == {"due": 3, "refused": 1}
    assert values(root, "casino") == {"sever": 1}
    assert "sever" in texts(root)


def test_what_came_stands_beside_what_was_due() -> None:
    counts = [(str(number), number, 1 / 37) for number in range(37)]
    root = read_back(draw_fairness(counts, Language.CS, title="<x>", said="řečeno"))
    assert values(root, "kind") == {str(number): 1 for number in range(37)}
    assert "řečeno" in " ".join(texts(root))
    read_back(draw_fairness([], Language.EN, title=""))
