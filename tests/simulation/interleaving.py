"""Runs threads of real code one at a time, and chooses at each line which of them goes on.

Threads, locks and queues of a module are replaced; its code is not. A schedule names the steps at
which another thread goes on than the one that would; everything else follows from it, so a failure
can be played again.
"""

from __future__ import annotations

import sys
import threading
from collections import deque
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Iterator, Mapping
    from types import FrameType

SECONDS_MAX = 60.0


class AbortedError(BaseException):
    """Ends the threads of a run that failed."""


class DeadlockError(AssertionError):
    """Every thread waits for another."""


class Controlled:
    """A thread that runs only while it is chosen."""

    def __init__(
        self, scheduler: Scheduler, target: Callable[[], None], name: str, **_: Any
    ) -> None:
        self.scheduler, self.name = scheduler, name
        self.target = target
        self.go = threading.Semaphore(0)
        self.waits_until: Callable[[], bool] | None = None
        self.is_done = False
        self.thread = threading.Thread(target=self._run, name=name, daemon=True)

    def start(self) -> None:
        """Be there to be chosen."""
        self.scheduler.threads.append(self)
        self.thread.start()

    def join(self) -> None:
        """Wait, as a controlled thread, for its end."""
        self.scheduler.block(lambda: self.is_done)

    @property
    def can_run(self) -> bool:
        """Whether it does not wait for anything that is not so yet."""
        return not self.is_done and (self.waits_until is None or self.waits_until())

    def _run(self) -> None:
        self.go.acquire()
        sys.settrace(self.scheduler.trace)
        try:
            if not self.scheduler.is_aborted:
                self.target()
        except AbortedError:
            pass
        except BaseException as error:  # noqa: BLE001 - a thread that dies is a failure
            self.scheduler.fail(error)
        finally:
            sys.settrace(None)
            self.is_done = True
            self.scheduler.leave()


class Scheduler:
    """Chooses at each step; ``schedule`` gives the choice at some of them, 0 is to go on.

    Args:
        schedule: number of the choice by number of the step.
        files: each line of these is a step.
        chance: chooses at random, at one in so many steps.

    """

    def __init__(
        self,
        schedule: Mapping[int, int],
        files: frozenset[str],
        chance: tuple[random.Random, float] | None = None,
    ) -> None:
        self.threads: list[Controlled] = []
        self.steps: list[int] = []
        self.failure: BaseException | None = None
        self.is_aborted = False
        self._schedule, self._files, self._chance = schedule, files, chance
        self._current: Controlled | None = None
        self._end = threading.Semaphore(0)

    def run(self) -> None:
        """Run all threads to their end.

        Raises:
            BaseException: the first of a thread, or that they wait for each other.

        """
        self.leave()
        assert self._end.acquire(timeout=SECONDS_MAX), "a thread waits for something else"
        for each in self.threads:
            each.thread.join(SECONDS_MAX)
        if self.failure is not None:
            raise self.failure

    def trace(self, frame: FrameType, event: str, _: Any) -> Any:
        """Make each line of the files a step."""
        if frame.f_code.co_filename not in self._files:
            return None
        if event == "line":
            self.step()
        return self.trace

    def step(self) -> None:
        """Let another thread go on, or this one."""
        own = self._current
        assert own is not None
        chosen = self._choose([own, *self._others()])
        if chosen is not own:
            self._switch(own, chosen)

    def block(self, until: Callable[[], bool]) -> None:
        """Wait for something that another thread brings about."""
        own = self._current
        assert own is not None
        while not until():
            own.waits_until = until
            others = self._others()
            if not others:
                self.fail(DeadlockError([each.name for each in self.threads if not each.is_done]))
                raise AbortedError
            self._switch(own, self._choose(others))
        own.waits_until = None

    def leave(self) -> None:
        """Go on with another thread at the end of one, or end."""
        others = self._others()
        if not others or self.is_aborted:
            if not self.is_aborted and any(not each.is_done for each in self.threads):
                self.fail(DeadlockError([each.name for each in self.threads if not each.is_done]))
            self._end.release()
            return
        self._current = self._choose(others)
        self._current.go.release()

    def fail(self, error: BaseException) -> None:
        """End the run with an error."""
        self.failure = self.failure or error
        self.is_aborted = True
        for each in self.threads:
            each.go.release()

    def _others(self) -> list[Controlled]:
        return [each for each in self.threads if each is not self._current and each.can_run]

    def _choose(self, options: list[Controlled]) -> Controlled:
        number = len(self.steps)
        self.steps.append(len(options))
        choice = self._schedule.get(number, 0)
        if self._chance is not None and self._chance[0].random() < self._chance[1]:
            choice = self._chance[0].randrange(len(options))
        return options[choice % len(options)]

    def _switch(self, own: Controlled, chosen: Controlled) -> None:
        self._current = chosen
        chosen.go.release()
        own.go.acquire()
        if self.is_aborted:
            raise AbortedError
        self._current = own


class Queue:
    """In place of ``SimpleQueue``."""

    def __init__(self, scheduler: Scheduler) -> None:
        self._scheduler, self._items = scheduler, deque[Any]()

    def put(self, item: Any) -> None:
        """Append an item."""
        self._items.append(item)

    def get(self) -> Any:
        """Wait for an item."""
        self._scheduler.block(lambda: bool(self._items))
        return self._items.popleft()

    def empty(self) -> bool:
        """Whether there is none."""
        return not self._items

    def qsize(self) -> int:
        """Count the items."""
        return len(self._items)


class Lock:
    """In place of ``threading.Lock``."""

    def __init__(self, scheduler: Scheduler) -> None:
        self._scheduler, self._is_held = scheduler, False

    def __enter__(self) -> Self:
        self._scheduler.block(lambda: not self._is_held)
        self._is_held = True
        return self

    def __exit__(self, *_: object) -> None:
        self._is_held = False


def deviations(steps: list[int]) -> Iterator[dict[int, int]]:
    """Return all schedules that differ at one step from a run with so many choices at each."""
    for number, options in enumerate(steps):
        for choice in range(1, options):
            yield {number: choice}
