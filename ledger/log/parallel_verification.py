"""Parallel verification: segments are verified in several processes, then joined in chain order.

What comes in: a function that opens the log, and the number of processes. What goes out: the same
result or the same fault as that of ``ledger.verification.verify.verify``. If a process finds
anything unusual in a segment, this process reads and verifies that segment again, in order. Each
process reads the log itself. This process verifies segments, too, while no result is ready to be
joined. Memory is that of a few segments, whatever the length of the chain and the size of its
messages. Meanwhile one of the processes computes the sums of the index.
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
from ledger.log.index.check import IndexCheck, read_index_sums
from ledger.log.processes import WorkerPool
from ledger.verification.segments import SegmentVerifier
from ledger.verification.verify import chain_verification

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from ledger.core.message import Head
    from ledger.log.index.sums import Keys
    from ledger.log.port import ReadableLog
    from ledger.tlog.signing import Checkpoint
    from ledger.verification.chain_verifier import ChainVerifier
    from ledger.verification.verify import VerificationResult
    from schemas import Schema

__all__ = ["serve", "verify_log"]

SEGMENT_MESSAGES = 2 * BLOCK
"""Messages that a process verifies at once; fewer, if they are large."""

_ENDED = "a process that verifies ended before it was done: look for memory, repeat with --jobs 1"


class _Setting(NamedTuple):
    """Initial data of a process."""

    open_log: Callable[[], ReadableLog]
    index_path: Path
    keys: Keys | None
    reads_facts: bool


class _Task(NamedTuple):
    """A range of messages to verify, with published schemas that this program lacks."""

    first: int
    end: int
    schemas: tuple[Schema, ...]


def verify_log(
    open_log: Callable[[], ReadableLog],
    index: Path,
    *,
    jobs: int,
    keys: Mapping[str, bytes] | None = None,
    since: Head | Checkpoint | None = None,
    reads_facts: bool = True,
    progress: Callable[[int, int], None] = lambda _done, _of: None,
) -> tuple[VerificationResult, int]:
    """Verify a log from its first message to its last, and its index.

    Args:
        open_log: opens the log to read, here and in other processes.
        index: path of the index file.
        jobs: number of additional processes; 0: everything is done in this one.
        keys: see ``ledger.verification.verify.verify``.
        since: see ``ledger.verification.verify.verify``.
        reads_facts: decode every message. If False, hashes, links, decisions, the tree and
            signatures are verified, but neither the tag map nor the index is compared.
        progress: called with the number of verified messages, and their total.

    Returns:
        The result, and the size up to which the index was compared.

    Raises:
        IntegrityError: the first fault, with its position.
        AvailabilityError: the log cannot be read, a temporary file cannot be written, or a
            process ended.

    """
    with ExitStack() as stack:
        stack.enter_context(_garbage_collection_paused())
        log = stack.enter_context(closing(open_log()))
        size = log.head().size
        check = IndexCheck(index, log)
        is_indexed = reads_facts and check.keys.size > 0
        setting = _Setting(open_log, index, check.keys if is_indexed else None, reads_facts)
        pool = stack.enter_context(closing(WorkerPool(serve, jobs, setting, ended=_ENDED)))
        indexed = pool.send(0, None) if jobs and is_indexed else None
        index_check = check if is_indexed else None
        with chain_verification(
            keys=keys, since=since, index=index_check, reads_facts=reads_facts
        ) as verifier:
            verify_here = partial(_perform, verifier.segment_verifier, log, setting)
            for task, segment in pool.results_in_order(_tasks(size, verifier), verify_here):
                if segment is not None:
                    verifier.append_segment(segment)
                if verifier.size < task.end:
                    _verify_in_order(verifier, log, task.end, size)
                progress(verifier.size, size)
        if not reads_facts:
            return verifier.result(), 0
        return verifier.result(), check.finish(None if indexed is None else pool.wait_for(indexed))


def _tasks(size: int, verifier: ChainVerifier) -> Iterator[_Task]:
    for first in range(0, size, SEGMENT_MESSAGES):
        yield _Task(first, min(first + SEGMENT_MESSAGES, size), tuple(verifier.unknown))


def _verify_in_order(verifier: ChainVerifier, log: ReadableLog, end: int, size: int) -> None:
    """Verify the rest of a segment in this process, message by message where necessary."""
    blocks = in_blocks(log.read(verifier.size, end))
    for block in blocks:
        verifier.verify_block(
            block, lambda: next(blocks, None) or next(in_blocks(log.read(end, size)), [])
        )


@contextmanager
def _garbage_collection_paused() -> Iterator[None]:
    """Pause the cycle collector: no cycles are created, and it takes a tenth of the time."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def serve(fileno: int) -> None:
    """Serve tasks in a separate process until the parent exits.

    A thread sends the answers, so that the next task need not wait for the receiver.
    """
    connection = Connection(fileno)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.disable()
    setting: _Setting = connection.recv()
    due = None if setting.keys is None else setting.keys.expected_sums
    verifier = SegmentVerifier(due, reads_facts=setting.reads_facts)
    try:
        log = setting.open_log()
    except LedgerError as error:
        connection.send(error)
        return
    with closing(log), suppress(EOFError, OSError), ThreadPoolExecutor(1) as thread:
        connection.send(None)
        while True:
            task: _Task | None = connection.recv()
            answer = pickle.dumps(_perform(verifier, log, setting, task))
            thread.submit(connection.send_bytes, answer)


def _perform(
    verifier: SegmentVerifier, log: ReadableLog, setting: _Setting, task: _Task | None
) -> Any:
    """Return the segment of a task, or for None the sums of the index; None if there is a fault."""
    with suppress(LedgerError):
        if task is None:
            return read_index_sums(setting.index_path, log, setting.keys)
        verifier.add_schemas(task.schemas)
        block = next(in_blocks(log.read(task.first, task.end), SEGMENT_MESSAGES), None)
        return verifier.verify_segment(block) if block else None
    return None
