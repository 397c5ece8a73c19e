"""Do the checkpoints of a chain name the right tag map? Answered beside a reading of all messages.

What comes in: the tags and the hash of each message, and what each checkpoint says, as a
verification meets them. What goes out: nothing, or the first checkpoint that names another root.
:class:`MapCheck` computes the map in this process, :class:`MapCheckBeside` in one of its own, which
takes about as long as the verification itself. Memory stays flat: what is many waits on the disk.
"""

from __future__ import annotations

import sqlite3
from collections import deque
from contextlib import closing, contextmanager
from multiprocessing import get_context
from pathlib import Path
from tempfile import gettempdir
from typing import TYPE_CHECKING, Protocol

from ledger.core.errors import AvailabilityError, IntegrityError, LedgerError
from ledger.core.map_store import TagMap
from ledger.core.sqlite_errors import explain

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from multiprocessing.connection import Connection

    from ledger.core.signing import Checkpoint

    Noted = tuple[int, Sequence[bytes], bytes]
    Claim = tuple[int, int, bytes]

__all__ = ["MapCheck", "MapCheckBeside", "MapJudge", "NoMapCheck"]

_BATCH = 4096


class MapJudge(Protocol):
    """Hears what a verification meets, in order."""

    def note(self, position: int, tags: Sequence[bytes], message_hash: bytes) -> None:
        """Take note of the next message."""

    def claim(self, at: int, size: int, map_root: bytes) -> None:
        """Take note of what the checkpoint in message ``at`` says of the first ``size``.

        Sizes never fall, and a checkpoint covers no message at or behind it.
        """

    def finish(self) -> None:
        """Compare what is left.

        Raises:
            IntegrityError: a checkpoint names another root; the position is its own.
            AvailabilityError: the temporary file can't be used.

        """

    def close(self) -> None:
        """Let go of files and processes; closing twice is allowed."""


class MapCheck:
    """Computes the map in this process."""

    def __init__(
        self, recent: int, remembered: Checkpoint | None = None, begun: TagMap | None = None
    ) -> None:
        """Begin without messages, or with a map that is there.

        Args:
            recent: a checkpoint is at most so many messages late.
            remembered: one from elsewhere, whose tag map is compared too if it names one.
            begun: the map so far, which is taken over.

        """
        self._map = begun or TagMap.temporary()
        self._recent = recent
        self._remembered = remembered
        self._waiting: deque[Noted] = deque()
        self._fault: IntegrityError | None = None

    def note(self, position: int, tags: Sequence[bytes], message_hash: bytes) -> None:
        """Take note of the next message; see :class:`MapJudge`."""
        self._waiting.append((position, tags, message_hash))
        if len(self._waiting) == self._recent + _BATCH:
            self._settle(position + 1 - self._recent)

    def claim(self, at: int, size: int, map_root: bytes) -> None:
        """Compare what a checkpoint says; the first fault waits for the end."""
        self._settle(size)
        self._compare(f"the checkpoint in message {at}", at, map_root)

    def finish(self) -> None:
        """Raise the first fault; see :class:`MapJudge`."""
        if self._remembered is not None:
            self._settle(self._remembered.size)
        if self._fault is not None:
            raise self._fault

    def close(self) -> None:
        """Delete the temporary file."""
        self._map.close()

    def _compare(self, whose: str, at: int, map_root: bytes) -> None:
        with _explained():
            found = self._map.root()
        if self._fault is None and found != map_root:
            text = f"{whose} names another tag map of {self._map.size} messages"
            self._fault = IntegrityError(text, position=at)

    def _settle(self, size: int) -> None:
        remembered = self._remembered
        if remembered is not None and remembered.size <= size:
            self._remembered = None
            self._settle(remembered.size)
            if remembered.map_root:
                self._compare("the note", remembered.size - 1, remembered.map_root)
        waiting, add = self._waiting, self._map.add
        with _explained():
            while waiting and waiting[0][0] < size:
                add(*waiting.popleft())


class NoMapCheck:
    """Computes nothing: for who knows nothing of the map so far."""

    def note(self, position: int, tags: Sequence[bytes], message_hash: bytes) -> None:
        """Pass over a message."""

    def claim(self, at: int, size: int, map_root: bytes) -> None:
        """Pass over a checkpoint."""

    def finish(self) -> None:
        """Find nothing."""

    def close(self) -> None:
        """Have nothing open."""


class MapCheckBeside:
    """Has the map computed in a process of its own."""

    def __init__(self, recent: int, remembered: Checkpoint | None = None) -> None:
        """Start the process; see :class:`MapCheck`."""
        context = get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(
            target=_judge, args=(theirs, recent, remembered), daemon=True
        )
        self._process.start()
        theirs.close()
        self._waiting: list[Noted] = []

    def note(self, position: int, tags: Sequence[bytes], message_hash: bytes) -> None:
        """Take note of the next message; see :class:`MapJudge`."""
        self._waiting.append((position, tags, message_hash))
        if len(self._waiting) == _BATCH:
            self._tell(None)

    def claim(self, at: int, size: int, map_root: bytes) -> None:
        """Pass on what a checkpoint says."""
        self._tell((at, size, map_root))

    def finish(self) -> None:
        """Wait for the answer, and raise the first fault; see :class:`MapJudge`."""
        self._tell(None)
        with _beside():
            self._pipe.send(None)
            error = self._pipe.recv()
        if error is not None:
            raise error

    def close(self) -> None:
        """End the process."""
        self._pipe.close()
        self._process.terminate()
        self._process.join()

    def _tell(self, claim: Claim | None) -> None:
        with _beside():
            self._pipe.send((self._waiting, claim))
        self._waiting = []


def _judge(pipe: Connection, recent: int, remembered: Checkpoint | None) -> None:
    """Answer in a process of its own; what fails there is told when all was heard."""
    failed: LedgerError | None = None
    with closing(MapCheck(recent, remembered)) as check:
        while (heard := pipe.recv()) is not None:
            notes, claim = heard
            try:
                if failed is None:
                    for noted in notes:
                        check.note(*noted)
                    if claim is not None:
                        check.claim(*claim)
            except LedgerError as error:
                failed = error
        try:
            check.finish()
        except LedgerError as error:
            failed = error
    pipe.send(failed)


@contextmanager
def _explained() -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        raise explain(error, Path(gettempdir())) from error


@contextmanager
def _beside() -> Iterator[None]:
    try:
        yield
    except (OSError, EOFError) as error:
        text = "the process that computes the tag map ended"
        raise AvailabilityError(f"{text}: look for memory and room in TMPDIR, repeat") from error
