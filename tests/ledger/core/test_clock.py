"""The clock of the machine, which somebody may set."""

from __future__ import annotations

import pytest

from ledger.core.clock import CLOCKS_APART_MAX, SystemClock
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
