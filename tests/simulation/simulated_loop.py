"""Coroutines and futures of the product under the scheduler, without loop and threads."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from contextvars import copy_context
from functools import partial
from math import ceil
from typing import TYPE_CHECKING, Any

from greenlet import getcurrent

from ledger.receipts import Receipt, ReceiptFuture
from tests.simulation.simulated_world import SECOND, Process, World

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from contextvars import Context


AWAITS_AT_THE_END_MAX = 10
THREAD_MICROSECONDS = 500
"""A thread of a pool begins within so long."""


class SimulatedAnswer(ReceiptFuture):
    """A future on which a part of a simulated process may wait, while the others go on."""

    def result(self, timeout: float | None = None) -> Receipt:
        """Return the receipt once it is there."""
        self._wait()
        return super().result(timeout)

    def exception(self, timeout: float | None = None) -> BaseException | None:
        """Return the error, or None, once it is known."""
        self._wait()
        return super().exception(timeout)

    def _wait(self) -> None:
        own = getcurrent()
        if self.done() or not hasattr(own, "process"):
            return
        self.add_done_callback(lambda _: own.process.world.signal(own))
        while not self.done():
            own.process.world.park()


class SimulatedLoop(asyncio.AbstractEventLoop):
    """Runs coroutines of one process in virtual time; they end with the process."""

    def __init__(self, world: World, process: Process) -> None:
        self._world, self._process = world, process
        self._tasks: set[asyncio.Task[Any]] = set()
        world.closing.append(self.end)

    def end(self) -> None:
        """End what still waits, so that no coroutine outlives its world."""
        for task in list(self._tasks):
            for _ in range(AWAITS_AT_THE_END_MAX):
                with suppress(RuntimeError):  # it awaits once more
                    task.get_coro().close()  # type: ignore[union-attr]
                    break

    def run(self, coroutine: Coroutine[Any, Any, None]) -> None:
        """Begin a coroutine."""
        self.call_soon(self._begin, coroutine)

    def _begin(self, coroutine: Coroutine[Any, Any, None]) -> None:
        task = self.create_task(coroutine)
        task.add_done_callback(lambda done: done.result())

    def time(self) -> float:
        """Return virtual seconds."""
        return self._world.now / SECOND

    def get_debug(self) -> bool:
        """Return that there is nothing to see."""
        return False

    def create_future(self) -> asyncio.Future[Any]:
        """Make a future of this loop."""
        return asyncio.Future(loop=self)

    def create_task(self, coro: Any, **options: Any) -> asyncio.Task[Any]:  # type: ignore[override]
        """Begin a task."""
        task: asyncio.Task[Any] = asyncio.Task(coro, loop=self, **options)
        task._log_destroy_pending = False  # type: ignore[attr-defined] # it ends with its process
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    def call_soon(  # type: ignore[override]
        self, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> asyncio.Handle:
        """Call a function next."""
        return self._call_in(0, callback, args, context)

    call_soon_threadsafe = call_soon

    def call_at(  # type: ignore[override]
        self, when: float, callback: Callable[..., object], *args: Any, context: Any = None
    ) -> asyncio.Handle:
        """Call a function at a moment."""
        delay = ceil(when * SECOND) - self._world.now
        return self._call_in(max(delay, 0), callback, args, context)

    def call_later(  # type: ignore[override]
        self, delay: float, callback: Callable[..., object], *args: Any, context: Any = None
    ) -> asyncio.Handle:
        """Call a function after some seconds."""
        return self._call_in(ceil(delay * SECOND), callback, args, context)

    def run_in_executor(  # type: ignore[override]
        self, _executor: None, func: Callable[..., Any], *args: Any
    ) -> asyncio.Future[Any]:
        """Call a function in another part of the process, as a thread of a pool does."""
        future = self.create_future()

        def settle(give: Callable[[Any], None], given: Any) -> None:
            if not future.done():
                give(given)

        def work() -> None:
            try:
                result = func(*args)
            except Exception as error:  # noqa: BLE001 - the future gives it
                self.call_soon(settle, future.set_exception, error)
            else:
                self.call_soon(settle, future.set_result, result)

        delay = self._world.stream("pool of threads").randrange(THREAD_MICROSECONDS)
        self._process.spawn(work, delay).gr_context = copy_context()
        return future

    def call_exception_handler(self, context: dict[str, Any]) -> None:
        """Let what nobody caught end the simulation."""
        raise context.get("exception") or AssertionError(context["message"])

    def _call_in(
        self, delay: int, callback: Callable[..., object], args: Any, context: Context | None
    ) -> asyncio.Handle:
        handle = asyncio.Handle(callback, args, self, context)
        self._world.call_in(delay, partial(self._call, handle))
        return handle

    def _call(self, handle: asyncio.Handle) -> None:
        if self._process.is_dead or handle.cancelled():
            return
        asyncio._set_running_loop(self)
        try:
            handle._run()
        finally:
            asyncio._set_running_loop(None)
