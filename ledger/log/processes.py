"""Worker processes connected by pipes, and pools of them that return results in order."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections import deque
from contextlib import contextmanager
from multiprocessing.connection import Pipe, wait
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from ledger.core.errors import AvailabilityError, LedgerError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from multiprocessing.connection import Connection

__all__ = ["WorkerPool", "WorkerRequest", "module_command", "start_process"]

_AHEAD = 2
"""Tasks per process, this one included, that may be done before their turn."""


def module_command(module: str, *words: str) -> list[str]:
    """Return the command that runs a module of ours as a program, as ``python -m`` does.

    The process imports from where this one does. ``python -m`` and ``python -c`` would look in the
    current folder first, which may hold files of others: their ``html.py`` would be executed.
    """
    code = f"import runpy; runpy.run_module({module!r}, run_name='__main__', alter_sys=True)"
    return [*_command(code), *words]


def _command(code: str) -> list[str]:
    return [sys.executable, "-P", "-c", f"import sys; sys.path[:] = {sys.path!r}; {code}"]


def start_process(serve: Callable[[int], None]) -> tuple[subprocess.Popen[bytes], Connection]:
    """Start a process connected by a pipe; return it with this process's end of the pipe.

    Args:
        serve: function of a module; the process calls it with the file descriptor of its own end.

    Raises:
        OSError: no process or descriptor is available.

    """
    ours, theirs = Pipe()
    with theirs:
        end = theirs.fileno()
        code = f"from {serve.__module__} import {serve.__name__} as serve; serve({end})"
        setting = os.environ | {"OPENBLAS_NUM_THREADS": "1"}  # unused threads of NumPy
        process = subprocess.Popen(_command(code), pass_fds=[end], env=setting)  # noqa: S603 - our own module
    return process, ours


class WorkerRequest(Struct):
    """A request to a process: its start (``is_start``), a task, or another request."""

    task: Any = None
    answer: Any = None
    is_answered: bool = False
    is_start: bool = False


class _Worker:
    """A process that performs tasks one after the other."""

    def __init__(self, serve: Callable[[int], None], setting: object, ended: str) -> None:
        """Start the process."""
        self._ended = ended
        self.pending = deque([WorkerRequest(is_start=True)])
        self.process, self.connection = start_process(serve)
        try:
            with self._reports_exit():
                self.connection.send(setting)
        except BaseException:
            self.close()
            raise

    @property
    def has_room(self) -> bool:
        """Whether the process can accept a task that it would start soon."""
        return len(self.pending) < _AHEAD and all(
            request.task is not None for request in self.pending
        )

    def send(self, task: Any) -> WorkerRequest:
        """Send a task."""
        with self._reports_exit():
            self.connection.send(task)
        self.pending.append(WorkerRequest(task))
        return self.pending[-1]

    def receive(self) -> None:
        """Receive the next answer."""
        with self._reports_exit():
            answer = pickle.loads(self.connection.recv_bytes())  # noqa: S301 - of our own process
        request = self.pending.popleft()
        if request.is_start and isinstance(answer, LedgerError):
            raise answer
        request.answer, request.is_answered = answer, True

    def close(self) -> None:
        """Stop the process, whatever it does."""
        self.process.kill()
        self.process.wait()
        self.connection.close()

    @contextmanager
    def _reports_exit(self) -> Iterator[None]:
        try:
            yield
        except (OSError, EOFError) as error:
            raise AvailabilityError(self._ended) from error


class WorkerPool:
    """Processes that perform tasks in parallel with this one.

    Each process gets its setting first, and answers when it is ready or with the error that
    prevents it from starting; then it answers each task with one pickle.
    """

    def __init__(
        self, serve: Callable[[int], None], count: int, setting: object, *, ended: str
    ) -> None:
        """Start the processes.

        Args:
            serve: see :func:`start_process`.
            count: number of processes.
            setting: initial data of each process.
            ended: text of the error for a process that ended before it answered.

        """
        self._workers: list[_Worker] = []
        try:
            for _ in range(count):
                self._workers.append(_Worker(serve, setting, ended))
        except BaseException:
            self.close()
            raise

    def __len__(self) -> int:
        """Return the number of processes."""
        return len(self._workers)

    def results_in_order(self, tasks: Iterator[Any]) -> Iterator[tuple[Any, Any]]:
        """Yield each task with its answer, in the order of the tasks.

        Args:
            tasks: the tasks; each is taken from the iterator when a process can accept it.

        Raises:
            AvailabilityError: a process ended before it answered.
            LedgerError: a process could not start.

        """
        pending: deque[tuple[Any, WorkerRequest]] = deque()
        pending_max = _AHEAD * (len(self._workers) + 1)
        while True:
            self._receive(0)
            while pending and pending[0][1].is_answered:
                task, request = pending.popleft()
                yield task, request.answer
            for worker in self._workers:
                while (
                    len(pending) < pending_max
                    and worker.has_room
                    and (new_task := next(tasks, None))
                ):
                    pending.append((new_task, worker.send(new_task)))
            if not pending and not any(worker.pending for worker in self._workers):
                return
            if not pending or not pending[0][1].is_answered:
                self._receive(None)

    def send(self, number: int, task: Any) -> WorkerRequest:
        """Send a task, or None for the extra request that ``serve`` defines, to one process.

        Args:
            number: index of the process in the pool.
            task: the task.

        """
        return self._workers[number].send(task)

    def wait_for(self, request: WorkerRequest) -> Any:
        """Wait for the answer of a task.

        Raises:
            AvailabilityError: the process ended before it answered.

        """
        while not request.is_answered:
            self._receive(None)
        return request.answer

    def close(self) -> None:
        """Stop the processes."""
        for worker in self._workers:
            worker.close()

    def _receive(self, seconds: float | None) -> None:
        """Receive answers; wait at most ``seconds``, or without a limit until there is one."""
        busy = [worker for worker in self._workers if worker.pending]
        ready = wait([worker.connection for worker in busy], seconds)
        for worker in busy:
            if worker.connection in ready:
                worker.receive()
