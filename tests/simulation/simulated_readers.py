"""A reader: it remembers what it saw, and never sees another history."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.core.errors import AvailabilityError, FencedError, IntegrityError
from ledger.events.encoding import hash_of
from tests.simulation.simulated_world import SECOND, Process

if TYPE_CHECKING:
    from tests.simulation.simulation import Simulation

FAULTS = (AvailabilityError, FencedError)


class Reader:
    """Follows the log, and judges each message by the truth."""

    def __init__(self, simulation: Simulation) -> None:
        self._simulation = simulation
        self._next = 0
        self._log = None
        Process(simulation.world, "reader").spawn(self._follow)

    def _follow(self) -> None:
        world, checks = self._simulation.world, self._simulation.checks
        chance = world.stream("reader")
        while True:
            world.pause(chance.randrange(8 * SECOND))
            try:
                log = self._log = self._simulation.open_reader()
                for position, body in log.read(self._next) if log is not None else ():
                    checks.seen(position, hash_of(body), "the reader")
                    self._next = position + 1
            except FAULTS:
                continue
            except IntegrityError as error:
                checks.named(error)

    def conclude(self, messages: list[tuple[int, bytes]]) -> None:
        """Judge the end: what was read is in the log."""
        if self._next > len(messages):
            self._simulation.checks.fail("not durable", f"the reader read {self._next} messages")
