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
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager, suppress
from functools import partial
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING, Any, NamedTuple

from ledger.core.errors import LedgerError
from ledger.core.message import BLOCK, in_blocks
from ledger.core.segments import SegmentVerifier
from ledger.core.verification import verifying
from ledger.log.index.check import IndexCheck, held_index
from ledger.log.processes import WorkerPool

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from ledger.core.chain_verifier import ChainVerifier
    from ledger.core.message import Head
    from ledger.core.signing import Checkpoint
    from ledger.core.verification import Verified
    from ledger.log.index.sums import Keys
    from ledger.log.port import ReadableLog
    from schemas import Schema

__all__ = ["serve", "verify_log"]

SEGMENT_MESSAGES = 2 * BLOCK
"""Messages that a process judges at once; fewer, if they are large."""

_ENDED = "a process that verifies ended before it was done: look for memory, repeat with --jobs 1"


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
        pool = stack.enter_context(closing(WorkerPool(serve, jobs, setting, ended=_ENDED)))
        indexed = pool.ask(0, None) if jobs and is_indexed else None
        compared = check if is_indexed else None
        with verifying(keys=keys, since=since, index=compared, reads_facts=reads_facts) as verifier:
            judge = partial(_answer, verifier.judge, log, setting)
            for task, segment in pool.in_order(_tasks(size, verifier), judge):
                if segment is not None:
                    verifier.append_segment(segment)
                if verifier.size < task.end:
                    _take(verifier, log, task.end, size)
                progress(verifier.size, size)
        if not reads_facts:
            return verifier.result(), 0
        return verifier.result(), check.finish(None if indexed is None else pool.answer(indexed))


def _tasks(size: int, verifier: ChainVerifier) -> Iterator[_Task]:
    for first in range(0, size, SEGMENT_MESSAGES):
        yield _Task(first, min(first + SEGMENT_MESSAGES, size), tuple(verifier.unknown))


def _take(verifier: ChainVerifier, log: ReadableLog, end: int, size: int) -> None:
    """Judge here what is left of a stretch, message by message where that is needed."""
    blocks = in_blocks(log.read(verifier.size, end))
    for block in blocks:
        verifier.verify_block(
            block, lambda: next(blocks, None) or next(in_blocks(log.read(end, size)), [])
        )


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


def serve(fileno: int) -> None:
    """Answer in a process of its own, until the one that asks is gone.

    What is answered is sent by a thread, so that nobody waits until it is taken.
    """
    connection = Connection(fileno)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.disable()
    setting: _Setting = connection.recv()
    due = None if setting.keys is None else setting.keys.due
    judge = SegmentVerifier(due, reads_facts=setting.reads_facts)
    try:
        log = setting.opened()
    except LedgerError as error:
        connection.send(error)
        return
    with closing(log), suppress(EOFError, OSError), ThreadPoolExecutor(1) as thread:
        connection.send(None)
        while True:
            task: _Task | None = connection.recv()
            answer = pickle.dumps(_answer(judge, log, setting, task))
            thread.submit(connection.send_bytes, answer)


def _answer(judge: SegmentVerifier, log: ReadableLog, setting: _Setting, task: _Task | None) -> Any:
    """Return the stretch of a task, or what the index holds; nothing, if anything is wrong."""
    with suppress(LedgerError):
        if task is None:
            return held_index(setting.index_path, log, setting.keys)
        judge.learn(task.learned)
        block = next(in_blocks(log.read(task.first, task.end), SEGMENT_MESSAGES), None)
        return judge.judged(block) if block else None
    return None
