"""A reader and a witness: both remember what they saw, and never see another history."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.core.errors import AvailabilityError, FencedError, InputError, IntegrityError
from ledger.events.encoding import hash_of
from ledger.tlog.merkle import consistency, require_consistency, root
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


class Witness:
    """Remembers size and root of the tree, and asks for a proof that the next one continues it."""

    def __init__(self, simulation: Simulation) -> None:
        self._simulation = simulation
        self._size, self._root = 0, b""
        Process(simulation.world, "witness").spawn(self._watch)

    def _watch(self) -> None:
        world, checks = self._simulation.world, self._simulation.checks
        chance = world.stream("witness")
        while True:
            world.pause(chance.randrange(60 * SECOND))
            leader = self._simulation.leader
            log = leader.log if leader is not None else None
            if log is None:
                continue
            try:
                size = log.head().size
                if size < self._size:  # of a writer that does not know yet that it was fenced
                    continue
                found = root(log.node, size)
                if self._size:
                    proof = consistency(log.node, self._size, size)
                    require_consistency(self._size, self._root, size, found, proof)
            except FAULTS:
                continue
            except (InputError, IntegrityError) as error:
                checks.named(IntegrityError(str(error)))
            self._size, self._root = size, found
