"""A game that keeps another share at one operator than at all others is named."""

from __future__ import annotations

from random import Random

from tools.mirror.rates import DAYS_MIN, game_rates

LOGS = ("a", "b", "c", "d")


def days_of(log: str, share: float, days: int, chance: Random) -> list[tuple[str, str, int, int]]:
    stakes = [chance.randrange(10_000, 90_000) for _ in range(days)]
    return [(log, "g", one, round(one * (share + chance.gauss(0, 0.05)))) for one in stakes]


def test_only_the_game_that_is_another_is_unusual() -> None:
    chance = Random(3)
    same = [row for log in LOGS for row in days_of(log, 0.027, 60, chance)]
    assert not any(one.is_unusual for one in game_rates(same))
    rates = game_rates([*same, *days_of("other", 0.10, 60, chance)])
    (first, *others) = rates
    assert (first.log, first.is_unusual) == ("other", True)
    assert first.errors is not None
    assert first.errors > 0
    assert abs(first.rate - 0.10) < 0.02
    assert first.others is not None
    assert abs(first.others - 0.027) < 0.02
    assert len(others) == len(LOGS)


def test_few_days_name_a_fair_game_no_more_often_than_many() -> None:
    """The spread of few days is itself uncertain: uncorrected, 6 of these 2,000 pairs differ."""
    chance = Random(5)
    pairs = (
        game_rates([row for log in "ab" for row in days_of(log, 0.027, DAYS_MIN, chance)])
        for _ in range(2_000)
    )
    assert sum(one.is_unusual for pair in pairs for one in pair) <= 2


def test_what_has_too_few_days_or_no_others_is_not_compared() -> None:
    chance = Random(4)
    few = [*days_of("a", 0.9, DAYS_MIN - 1, chance), *days_of("b", 0.02, 60, chance)]
    assert [one.errors for one in game_rates(few)] == [None, None]
    (alone,) = game_rates(days_of("a", 0.9, 60, chance))
    assert (alone.others, alone.errors) == (None, None)
    assert game_rates([("a", "g", 0, 0)]) == []
