"""What threads of a simulated process share: locks, conditions and events; and threads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from greenlet import getcurrent

from tests.simulation.simulated_world import SECOND

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.simulation.simulated_world import World


class SimulatedCondition:
    """A lock that its holder may take again, and a wait for what another part changes."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._owner: Any = None
        self._depth = 0
        self._queue: list[Any] = []
        self._waiting: list[Any] = []

    def __enter__(self) -> Self:
        """Take it, once no other part has it."""
        own = getcurrent()
        while self._owner not in {None, own}:
            self._queue.append(own)
            self._world.park()
        self._owner, self._depth = own, self._depth + 1
        return self

    def __exit__(self, *_: object) -> None:
        """Give it back."""
        self._depth -= 1
        if not self._depth:
            self._owner, queue = None, self._queue
            self._queue = []
            for each in queue:
                self._world.signal(each)

    def wait_for(self, holds: Callable[[], Any], timeout: float | None = None) -> Any:
        """Wait until something holds, for so many seconds; the lock is free meanwhile."""
        own, depth = getcurrent(), self._depth
        deadline = None if timeout is None else self._world.now + round(timeout * SECOND)
        while not (found := holds()):
            left = None if deadline is None else deadline - self._world.now
            if left is not None and left <= 0:
                break
            self._waiting.append(own)
            self._depth = 1
            self.__exit__()
            try:
                self._world.park(left)
            finally:
                self.__enter__()
                self._depth = depth
        return found

    def notify_all(self) -> None:
        """Wake all that wait."""
        waiting, self._waiting = self._waiting, []
        for each in waiting:
            self._world.signal(each)


class SimulatedEvent:
    """What parts wait for; ``on_clear`` is called when it is no more."""

    def __init__(self, world: World, on_clear: Callable[[], None] = lambda: None) -> None:
        self._changed = SimulatedCondition(world)
        self._is_set, self._on_clear = False, on_clear

    def is_set(self) -> bool:
        """Return whether it is so."""
        return self._is_set

    def set(self) -> None:
        """Let it be so."""
        self._is_set = True
        self._changed.notify_all()

    def clear(self) -> None:
        """Let it be so no more."""
        if self._is_set:
            self._is_set = False
            self._on_clear()

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until it is so, for so many seconds."""
        with self._changed:
            return bool(self._changed.wait_for(self.is_set, timeout))


class SimulatedThread:
    """A part of the process that starts it."""

    def __init__(self, *, target: Callable[[], None], **_: Any) -> None:
        self._target = target
        self._process = getcurrent().process
        self._part: Any = None

    def start(self) -> None:
        """Begin."""
        self._part = self._process.spawn(self._target)

    def join(self, timeout: float) -> None:
        """Wait until it has ended, for so many seconds."""
        world = self._process.world
        deadline = world.now + round(timeout * SECOND)
        while not self._part.dead and world.now < deadline:
            world.pause(SECOND // 10)
