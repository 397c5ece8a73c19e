"""Money paid beyond what is due, or less, is named with its amount."""

from __future__ import annotations

import pytest

from projections.checks.rounds import Amendment, money_faults


@pytest.mark.parametrize(
    ("excess", "withheld", "collected", "faults"),
    [
        (0, 0, 0, []),
        (0, 500, 0, []),
        (-1, 500, 0, [("PAID_TOO_LITTLE", 1)]),
        (1, 0, 0, [("PAID_TOO_MUCH", 1)]),
        (500, 500, 0, [("PRIZE_NOT_COLLECTED", 500)]),
        (501, 500, 0, [("PAID_TOO_MUCH", 501)]),
        (300, 500, 200, [("PRIZE_NOT_COLLECTED", 300)]),
        (301, 500, 200, [("PAID_TOO_MUCH", 301)]),
        (1, 500, 500, [("PAID_TOO_MUCH", 1)]),
    ],
)
def test_what_is_paid_beyond_a_withheld_prize_not_yet_collected_is_too_much(
    excess: int, withheld: int, collected: int, faults: list[tuple[str, int]]
) -> None:
    change = Amendment(withheld=withheld, collected=collected)
    assert list(money_faults(excess, change)) == faults
