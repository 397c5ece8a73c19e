"""Virtual time, and everything that happens as steps of one scheduler.

Parts of the system run as greenlets: one runs at a time, until it waits. The next is the one whose
moment comes first; at the same moment, the one that began to wait first. Nothing reads a clock or
starts a thread, and each use of chance has a stream of its own, so a seed gives one history.
"""

from __future__ import annotations

import random
from functools import cached_property, partial
from hashlib import sha256
from heapq import heappop, heappush
from typing import TYPE_CHECKING, Any

from greenlet import GreenletExit, getcurrent, greenlet

if TYPE_CHECKING:
    from collections.abc import Callable

SECOND = 1_000_000


class StepsExhaustedError(AssertionError):
    """The system did not come to rest within the bound of steps."""


class Process:
    """Greenlets that live and die together, as threads of a process do."""

    def __init__(self, world: World, name: str) -> None:
        self.world, self.name = world, name
        self.is_dead = False
        self.greenlets: list[greenlet] = []
        world.processes.append(self)

    def spawn(self, run: Callable[[], None], delay: int = 0) -> greenlet:
        """Begin something as a part of this process."""

        def bounded() -> None:
            try:
                if not self.is_dead:
                    run()
            except GreenletExit:
                if not self.is_dead:
                    raise

        begun = greenlet(bounded, self.world.hub)
        begun.process, begun.token = self, 0
        begun.is_parked = begun.is_signalled = False
        self.greenlets.append(begun)
        self.world.wake((begun, 0), delay)
        return begun

    @property
    def is_current(self) -> bool:
        """Whether one of its parts runs now."""
        return getcurrent() in self.greenlets

    def kill(self) -> None:
        """Stop it where it stands; from another part, or from inside."""
        if self.is_dead:
            return
        self.is_dead = True
        self.world.log(self.name, "killed")
        own = getcurrent()
        for each in self.greenlets:
            if each is not own and not each.dead:
                self.world.call_in(0, partial(self.end, each))
        if own in self.greenlets:
            raise GreenletExit

    @staticmethod
    def end(each: greenlet) -> None:
        while not each.dead:
            each.throw(GreenletExit)


class World:
    """The scheduler of one seed."""

    def __init__(self, seed: int, *, steps_max: int = 200_000) -> None:
        self.seed = seed
        self.now = 0
        self.steps = 0
        self.trace: list[str] = []
        self.processes: list[Process] = []
        self.after_step: list[Callable[[], None]] = []
        self.closing: list[Callable[[], None]] = []
        self.is_faulty = True
        self.hub = getcurrent()
        self._steps_max = steps_max
        self._due: list[tuple[int, int, Any]] = []
        self._counter = 0
        self._streams: dict[str, random.Random] = {}

    def stream(self, name: str) -> random.Random:
        """Return the source of chance of one use; it depends on the seed and the name only."""
        if name not in self._streams:
            self._streams[name] = random.Random(f"{self.seed}/{name}")
        return self._streams[name]

    def log(self, part: str, text: str) -> None:
        """Add a line to the trace."""
        self.trace.append(f"{self.now} {part} {text}")

    @cached_property
    def entropy(self) -> Callable[[int], bytes]:
        """Random bytes for keys, nonces and identifiers."""
        return self.stream("entropy").randbytes

    @property
    def digest(self) -> str:
        """Hash of the trace."""
        return sha256("\n".join(self.trace).encode()).hexdigest()

    def wake(self, what: Any, delay: int = 0) -> None:
        """Go on with a part that waits, or call a function, after so many microseconds."""
        self._counter += 1
        heappush(self._due, (self.now + delay, self._counter, what))

    def call_in(self, delay: int, what: Callable[[], None]) -> None:
        """Call a function after so many microseconds."""
        self.wake(what, delay)

    def pause(self, delay: int) -> None:
        """Let time pass for the part that calls this."""
        own = getcurrent()
        if not hasattr(own, "process"):  # a test without parts
            self.run(until=self.now + delay)
            return
        self._wait(own, delay)

    def park(self, delay: int | None = None) -> None:
        """Let the part that calls this wait for a signal, or for so many microseconds."""
        own = getcurrent()
        if not own.is_signalled:
            own.is_parked = True
            self._wait(own, delay)
        own.is_parked = own.is_signalled = False

    def signal(self, part: greenlet) -> None:
        """Wake a part that is parked; one that is not will not park next time."""
        if part.is_parked and not part.is_signalled:
            self.wake((part, part.token))
        part.is_signalled = True

    def _wait(self, own: greenlet, delay: int | None) -> None:
        if not own.process.is_dead:
            self._counter += 1
            own.token = self._counter
            if delay is not None:
                self.wake((own, own.token), delay)
            self.hub.switch()
        if own.process.is_dead:
            raise GreenletExit

    def run(self, *, until: int | None = None, is_over: Callable[[], bool] | None = None) -> None:
        """Take steps until a moment, or until something is so, or nothing is left to do."""
        while self._due and not (is_over is not None and is_over()):
            if until is not None and self._due[0][0] > until:
                break
            self.now, _, what = heappop(self._due)
            self._step(what)
        if until is not None:
            self.now = max(self.now, until)

    def _step(self, what: Any) -> None:
        self.steps += 1
        if self.steps > self._steps_max:
            raise StepsExhaustedError(f"{self._steps_max} steps and no rest")
        if isinstance(what, tuple):
            part, token = what
            if not part.dead and part.token == token:
                part.switch()
        else:
            what()
        for check in self.after_step:
            check()

    def close(self) -> None:
        """End everything that still waits, so that no greenlet outlives its world."""
        for process in self.processes:
            process.is_dead = True
            for each in process.greenlets:
                process.end(each)
        for end in self.closing:
            end()
        self._due.clear()
