"""Verification on several cores: stretches judged side by side, joined in the order of the chain.

What comes in: how a log is opened, and how many processes there may be. What goes out: what
``ledger.core.verification.verify`` gives, fault for fault: a stretch in which a process finds
anything unusual is read and judged again here, in order. Each process reads the log for itself;
memory is that of a few stretches, however long the chain is. One of them sums the index meanwhile.
"""

from __future__ import annotations

import gc
import pickle
import signal
import subprocess
import sys
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager, suppress
from multiprocessing.connection import Connection, Pipe
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, NamedTuple

from ledger.core.errors import AvailabilityError, LedgerError
from ledger.core.stretch import Judge
from ledger.core.verification import BLOCK, in_blocks, verifying
from ledger.log.index.check import IndexCheck, held

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from pathlib import Path

    from ledger.core.message import Head
    from ledger.core.signing import Checkpoint
    from ledger.core.stretch import Stretch
    from ledger.core.verification import Verified
    from ledger.core.walk import Walk
    from ledger.log.index.sums import Keys
    from ledger.log.port import ReadableLog
    from schemas import Schema

__all__ = ["serve", "verify_log"]

STRETCH = 4 * BLOCK
"""Messages that a process judges at once."""

_AHEAD = 2
"""Stretches for each process that may be judged before their turn."""


class _Setting(NamedTuple):
    """What a process knows from the start."""

    opened: Callable[[], ReadableLog]
    index_path: Path
    keys: Keys | None
    reads_facts: bool


class _Task(NamedTuple):
    """Messages to be judged, with schemas that the chain has published and nobody here knows."""

    first: int
    end: int
    learned: tuple[Schema, ...]


def verify_log(
    opened: Callable[[], ReadableLog],
    index: Path,
    *,
    jobs: int,
    keys: Mapping[str, bytes] | None = None,
    since: Head | Checkpoint | None = None,
    reads_facts: bool = True,
    progress: Callable[[int, int], None] = lambda _done, _of: None,
) -> tuple[Verified, int]:
    """Verify a log from its first message to its last, and its index.

    Args:
        opened: opens the log to read, here and in other processes.
        index: file of the index.
        jobs: processes beside this one; with none, everything is done here.
        keys: see ``ledger.core.verification.verify``.
        since: see there.
        reads_facts: of every message; else its hash, its link, its place in its decision and in the
            tree are judged, and signatures, and neither the tag map nor the index is compared.
        progress: is told how many messages are verified, and of how many.

    Returns:
        What was found, and up to which size the index was compared.

    Raises:
        IntegrityError: the first fault, with its position.
        AvailabilityError: the log can't be read, a temporary file can't be written, or a process
            ended.

    """
    with ExitStack() as stack:
        stack.enter_context(_uncollected())
        log = stack.enter_context(closing(opened()))
        size = log.head().size
        check = IndexCheck(index, log)
        is_indexed = reads_facts and check.keys.size > 0
        setting = _Setting(opened, index, check.keys if is_indexed else None, reads_facts)
        crew = stack.enter_context(closing(_Crew(jobs, setting)))
        indexed = crew.ask(None) if jobs and is_indexed else None
        compared = check if is_indexed else None
        with verifying(keys=keys, since=since, index=compared, reads_facts=reads_facts) as walk:
            tasks = _tasks(size, walk)
            here = ((task, _answer(walk.judge, log, setting, task)) for task in tasks)
            for task, stretch in crew.judged(tasks) if jobs else here:
                if stretch is None or not walk.join(stretch):
                    _take(walk, log, task.end, size)
                progress(walk.size, size)
        if not reads_facts:
            return walk.result(), 0
        return walk.result(), check.finish(None if indexed is None else crew.answer(indexed))


def _tasks(size: int, walk: Walk) -> Iterator[_Task]:
    for first in range(0, size, STRETCH):
        yield _Task(first, min(first + STRETCH, size), tuple(walk.unknown))


def _take(walk: Walk, log: ReadableLog, end: int, size: int) -> None:
    """Judge a stretch here, message by message where that is needed, and the block it ends in."""
    blocks = in_blocks(log.read(walk.size, size))
    while walk.size < end and (block := next(blocks, None)):
        walk.take(block, lambda: next(blocks, []))


@contextmanager
def _uncollected() -> Iterator[None]:
    """Look for no circles of objects meanwhile: none are made, and it takes a tenth of the time."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


class _Crew:
    """Processes that judge stretches; a thread waits for each of them."""

    def __init__(self, count: int, setting: _Setting) -> None:
        """Start them."""
        self._threads = ThreadPoolExecutor(count or 1)
        self._processes: list[subprocess.Popen[bytes]] = []
        self._idle: SimpleQueue[Connection] = SimpleQueue()
        for _ in range(count):
            ours, theirs = Pipe()
            with theirs:
                code = f"from {__name__} import serve; serve({theirs.fileno()})"
                command = [sys.executable, "-c", code]
                self._processes.append(subprocess.Popen(command, pass_fds=[theirs.fileno()]))  # noqa: S603 - our own module
            ours.send(setting)
            self._idle.put(ours)

    def judged(self, tasks: Iterable[_Task]) -> Iterator[tuple[_Task, Stretch | None]]:
        """Yield each task with its stretch, in order; none where it is to be judged here."""
        asked: deque[tuple[_Task, Future[bytes]]] = deque()
        for task in tasks:
            asked.append((task, self.ask(task)))
            if len(asked) > _AHEAD * len(self._processes):
                first, answer = asked.popleft()
                yield first, self.answer(answer)
        for task, answer in asked:
            yield task, self.answer(answer)

    def ask(self, task: _Task | None) -> Future[bytes]:
        """Have a stretch judged, or, without one, the index summed."""
        return self._threads.submit(self._ask, task)

    def answer(self, asked: Future[bytes]) -> Any:
        """Wait for an answer.

        Raises:
            AvailabilityError: the process ended before it answered.

        """
        try:
            return pickle.loads(asked.result())  # noqa: S301 - of our own process
        except (OSError, EOFError) as error:
            text = "a process that verifies ended before it was done"
            raise AvailabilityError(f"{text}: look for memory, repeat with --jobs 1") from error

    def close(self) -> None:
        """End the processes, whatever they do."""
        for process in self._processes:
            process.kill()
            process.wait()
        self._threads.shutdown(cancel_futures=True)
        while not self._idle.empty():
            self._idle.get().close()

    def _ask(self, task: _Task | None) -> bytes:
        connection = self._idle.get()
        try:
            connection.send(task)
            return connection.recv_bytes()
        finally:
            self._idle.put(connection)


def serve(fileno: int) -> None:
    """Answer in a process of its own, until the one that asks is gone."""
    connection = Connection(fileno)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.disable()
    setting: _Setting = connection.recv()
    due = None if setting.keys is None else setting.keys.due
    judge = Judge(due, reads_facts=setting.reads_facts)
    with closing(setting.opened()) as log, suppress(EOFError, OSError):
        while True:
            task: _Task | None = connection.recv()
            connection.send(_answer(judge, log, setting, task))


def _answer(judge: Judge, log: ReadableLog, setting: _Setting, task: _Task | None) -> Any:
    """Return the stretch of a task, or what the index holds; nothing, if anything is wrong."""
    with suppress(LedgerError):
        if task is None:
            return held(setting.index_path, log, setting.keys)
        judge.learn(task.learned)
        block = list(log.read(task.first, task.end))
        return judge.judged(block) if len(block) == task.end - task.first else None
    return None
