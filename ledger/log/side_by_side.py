"""Verification on several cores: stretches judged side by side, joined in the order of the chain.

What comes in: how a log is opened, and how many processes there may be. What goes out: what
``ledger.core.verification.verify`` gives, fault for fault: a stretch in which a process finds
anything unusual is read and judged again here, in order. Each process reads the log for itself, and
this one judges too, while none of the others' is there to be joined; memory is that of a few
stretches, however long the chain is and however large its messages are. One of the others sums the
index meanwhile.
"""

from __future__ import annotations

import gc
import pickle
import signal
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager, suppress
from functools import partial
from multiprocessing.connection import Connection, wait
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec import Struct

from ledger.core.errors import AvailabilityError, LedgerError
from ledger.core.message import BLOCK, in_blocks
from ledger.core.stretch import Judge
from ledger.core.verification import verifying
from ledger.log.index.check import IndexCheck, held
from ledger.log.processes import start

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
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

STRETCH = 2 * BLOCK
"""Messages that a process judges at once; fewer, if they are large."""

_AHEAD = 2
"""Stretches for each process, this one too, that may be judged before their turn."""


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
        indexed = crew.sum_index() if jobs and is_indexed else None
        compared = check if is_indexed else None
        with verifying(keys=keys, since=since, index=compared, reads_facts=reads_facts) as walk:
            judge = partial(_answer, walk.judge, log, setting)
            for task, stretch in crew.judged(_tasks(size, walk), judge):
                if stretch is not None:
                    walk.join(stretch)
                if walk.size < task.end:
                    _take(walk, log, task.end, size)
                progress(walk.size, size)
        if not reads_facts:
            return walk.result(), 0
        return walk.result(), check.finish(None if indexed is None else crew.answer(indexed))


def _tasks(size: int, walk: Walk) -> Iterator[_Task]:
    for first in range(0, size, STRETCH):
        yield _Task(first, min(first + STRETCH, size), tuple(walk.unknown))


def _take(walk: Walk, log: ReadableLog, end: int, size: int) -> None:
    """Judge here what is left of a stretch, message by message where that is needed."""
    blocks = in_blocks(log.read(walk.size, end))
    for block in blocks:
        walk.take(block, lambda: next(blocks, None) or next(in_blocks(log.read(end, size)), []))


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


class _Asked(Struct):
    """Something that a process was asked: nothing but to start, a stretch, or the index."""

    task: _Task | None = None
    answer: Any = None
    is_answered: bool = False


class _Worker:
    """A process that does what it is asked, one thing after the other."""

    def __init__(self, setting: _Setting) -> None:
        """Start it."""
        self.process, self.connection = start(serve)
        self.connection.send(setting)
        self.asked = deque([_Asked()])

    @property
    def has_room(self) -> bool:
        """Whether a stretch would not have to wait for long, nor the process for a stretch."""
        return len(self.asked) < _AHEAD and all(one.task is not None for one in self.asked)

    def ask(self, task: _Task | None) -> _Asked:
        """Have a stretch judged, or, without one, the index summed."""
        with _told():
            self.connection.send(task)
        self.asked.append(_Asked(task))
        return self.asked[-1]

    def hear(self) -> None:
        """Take the next answer."""
        with _told():
            answer = pickle.loads(self.connection.recv_bytes())  # noqa: S301 - of our own process
        asked = self.asked.popleft()
        asked.answer, asked.is_answered = answer, True

    def close(self) -> None:
        """End it, whatever it does."""
        self.process.kill()
        self.process.wait()
        self.connection.close()


class _Crew:
    """Processes that judge stretches beside this one."""

    def __init__(self, count: int, setting: _Setting) -> None:
        """Start them."""
        self._workers = [_Worker(setting) for _ in range(count)]

    def judged(
        self, tasks: Iterator[_Task], here: Callable[[_Task], Stretch | None]
    ) -> Iterator[tuple[_Task, Stretch | None]]:
        """Yield each task with its stretch, in order; none where it is to be judged again.

        Args:
            tasks: made when their turn comes.
            here: judges one in this process.

        Raises:
            AvailabilityError: a process ended before it answered.

        """
        asked: deque[tuple[_Task, _Asked]] = deque()
        room = _AHEAD * (len(self._workers) + 1)
        while True:
            self._hear(0)
            while asked and asked[0][1].is_answered:
                task, found = asked.popleft()
                yield task, found.answer
            for worker in self._workers:
                while len(asked) < room and worker.has_room and (due := next(tasks, None)):
                    asked.append((due, worker.ask(due)))
            if len(asked) < room and (due := next(tasks, None)):
                asked.append((due, _Asked(due, here(due), is_answered=True)))
            elif not asked:
                return
            elif not asked[0][1].is_answered:
                self._hear(None)

    def sum_index(self) -> _Asked:
        """Have the index summed."""
        return self._workers[0].ask(None)

    def answer(self, asked: _Asked) -> Any:
        """Wait for an answer.

        Raises:
            AvailabilityError: the process ended before it answered.

        """
        while not asked.is_answered:
            self._hear(None)
        return asked.answer

    def close(self) -> None:
        """End the processes."""
        for worker in self._workers:
            worker.close()

    def _hear(self, seconds: float | None) -> None:
        """Take what is answered, and wait for it so long, or until something is."""
        busy = [worker for worker in self._workers if worker.asked]
        ready = wait([worker.connection for worker in busy], seconds)
        for worker in busy:
            if worker.connection in ready:
                worker.hear()


@contextmanager
def _told() -> Iterator[None]:
    try:
        yield
    except (OSError, EOFError) as error:
        text = "a process that verifies ended before it was done"
        raise AvailabilityError(f"{text}: look for memory, repeat with --jobs 1") from error


def serve(fileno: int) -> None:
    """Answer in a process of its own, until the one that asks is gone.

    What is answered is sent by a thread, so that nobody waits until it is taken.
    """
    connection = Connection(fileno)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.disable()
    setting: _Setting = connection.recv()
    due = None if setting.keys is None else setting.keys.due
    judge = Judge(due, reads_facts=setting.reads_facts)
    with (
        closing(setting.opened()) as log,
        suppress(EOFError, OSError),
        ThreadPoolExecutor(1) as thread,
    ):
        connection.send(None)
        while True:
            task: _Task | None = connection.recv()
            answer = pickle.dumps(_answer(judge, log, setting, task))
            thread.submit(connection.send_bytes, answer)


def _answer(judge: Judge, log: ReadableLog, setting: _Setting, task: _Task | None) -> Any:
    """Return the stretch of a task, or what the index holds; nothing, if anything is wrong."""
    with suppress(LedgerError):
        if task is None:
            return held(setting.index_path, log, setting.keys)
        judge.learn(task.learned)
        block = next(in_blocks(log.read(task.first, task.end), STRETCH), None)
        return judge.judged(block) if block else None
    return None
