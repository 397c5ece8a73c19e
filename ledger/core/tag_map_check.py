"""Do the checkpoints of a chain name the right tag map? Answered beside a reading of all messages.

What comes in: the tags and the hash of each message, and what each checkpoint says, as a
verification meets them. What goes out: nothing, or the first checkpoint that names another root.
:class:`MapCheck` computes the map in this process, :class:`MapCheckBeside` in one of its own, which
has about as much to do as the rest. Memory stays flat: what is many waits on the disk.
"""

from __future__ import annotations

import pickle
import sqlite3
import subprocess
import sys
from abc import ABC, abstractmethod
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from tempfile import gettempdir
from typing import IO, TYPE_CHECKING

from ledger.core.errors import AvailabilityError, IntegrityError, LedgerError
from ledger.core.sqlite_errors import explain
from ledger.core.tag_map_store import TagMap

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ledger.core.signing import Checkpoint
    from ledger.core.tag_map_store import Noted

    Claim = tuple[int, int, bytes]

__all__ = ["MapCheck", "MapCheckBeside", "MapJudge", "NoMapCheck"]

BATCH = 4096
"""Messages of which is told at once."""


class MapJudge(ABC):
    """Hears what a verification meets, in order."""

    def __init__(self) -> None:
        """Begin without messages."""
        self._noted: list[Noted] = []

    def note(self, position: int, tags: Sequence[bytes], message_hash: bytes) -> None:
        """Take note of the next message."""
        self._noted.append((position, tags, message_hash))
        if len(self._noted) >= BATCH:
            self._flush(None)

    def note_all(self, noted: Iterable[Noted]) -> None:
        """Take note of the next messages."""
        self._noted += noted
        if len(self._noted) >= BATCH:
            self._flush(None)

    def claim(self, at: int, size: int, map_root: bytes) -> None:
        """Take note of what the checkpoint in message ``at`` says of the first ``size``.

        Sizes never fall, and a checkpoint covers no message at or behind it.
        """
        self._flush((at, size, map_root))

    def finish(self) -> None:
        """Compare what is left.

        Raises:
            IntegrityError: a checkpoint names another root; the position is its own.
            AvailabilityError: the temporary file or the process can't be used.

        """
        self._flush(None)
        self._end()

    def close(self) -> None:  # noqa: B027 - most have nothing open
        """Let go of files and processes; closing twice is allowed."""

    def _flush(self, claim: Claim | None) -> None:
        noted, self._noted = self._noted, []
        self._take(noted, claim)

    @abstractmethod
    def _take(self, noted: list[Noted], claim: Claim | None) -> None: ...

    @abstractmethod
    def _end(self) -> None: ...


class NoMapCheck(MapJudge):
    """Computes nothing: for who knows nothing of the map so far."""

    def _take(self, noted: list[Noted], claim: Claim | None) -> None: ...

    def _end(self) -> None: ...


class MapCheck(MapJudge):
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
        super().__init__()
        self._map = begun or TagMap.temporary()
        self._recent = recent
        self._remembered = remembered
        self._waiting: list[Noted] = []
        self._fault: IntegrityError | None = None

    def close(self) -> None:
        """Delete the temporary file."""
        self._map.close()

    def _take(self, noted: list[Noted], claim: Claim | None) -> None:
        """Compare what a checkpoint says; the first fault waits for the end."""
        self._waiting += noted
        if claim is not None:
            at, size, map_root = claim
            self._settle(size)
            self._compare(f"the checkpoint in message {at}", at, map_root)
        elif len(self._waiting) > self._recent + BATCH:
            self._settle(self._waiting[-self._recent][0])

    def _end(self) -> None:
        if self._remembered is not None:
            self._settle(self._remembered.size)
        if self._fault is not None:
            raise self._fault

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
        waiting = self._waiting
        count = max(0, size - waiting[0][0]) if waiting else 0
        with _explained():
            self._map.add(waiting[:count])
        del waiting[:count]


class MapCheckBeside(MapJudge):
    """Has the map computed in a process of its own."""

    def __init__(self, recent: int, remembered: Checkpoint | None = None) -> None:
        """Start the process; see :class:`MapCheck`."""
        super().__init__()
        self._process = subprocess.Popen(  # noqa: S603 - our own module
            [sys.executable, "-m", __name__], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self._tell((recent, remembered))

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        with suppress(OSError):
            self._process.communicate()

    def _take(self, noted: list[Noted], claim: Claim | None) -> None:
        self._tell((noted, claim))

    def _end(self) -> None:
        self._tell(None)
        with _beside():
            error = pickle.load(_pipe(self._process.stdout))  # noqa: S301 - of our own process
        if error is not None:
            raise error

    def _tell(self, what: object) -> None:
        with _beside():
            pipe = _pipe(self._process.stdin)
            pickle.dump(what, pipe, pickle.HIGHEST_PROTOCOL)
            pipe.flush()


def _judge(heard: IO[bytes], answer: IO[bytes]) -> None:
    """Answer in a process of its own; what fails there is told when all was heard."""
    failed: LedgerError | None = None
    with closing(MapCheck(*pickle.load(heard))) as check:  # noqa: S301 - of the process that made us
        while (told := pickle.load(heard)) is not None:  # noqa: S301 - the same
            with _kept() as kept:
                if failed is None:
                    check._take(*told)  # noqa: SLF001 - its other half
            failed = failed or kept[0]
        with _kept() as kept:
            check.finish()
    pickle.dump(failed or kept[0], answer)
    answer.flush()


@contextmanager
def _kept() -> Iterator[list[LedgerError | None]]:
    kept: list[LedgerError | None] = [None]
    try:
        yield kept
    except LedgerError as error:
        kept[0] = error


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
    except (OSError, EOFError, pickle.UnpicklingError) as error:
        text = "the process that computes the tag map ended"
        raise AvailabilityError(f"{text}: look for memory and room in TMPDIR, repeat") from error


def _pipe(found: IO[bytes] | None) -> IO[bytes]:
    if found is None:
        raise EOFError
    return found


if __name__ == "__main__":
    _judge(sys.stdin.buffer, sys.stdout.buffer)
