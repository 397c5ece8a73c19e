"""Processes that read a log for a rebuild: they check it, gather its messages and pack them.

What comes in: how the log is opened. What goes out: portions, in the order of the chain. The engine
inside the process can't be reached by another one, so that there a process writes containers into
files, which this one inserts. On a server each inserts what it has read, over a connection of its
own. Stretches begin and end between decisions, and each is joined to the one before: where it took
up the chain must be where that one ended. What a process finds wrong is judged again here, in
order, so that the first fault is told and not the fastest.
"""

from __future__ import annotations

import gc
import os
import shutil
import signal
from contextlib import ExitStack, closing, suppress
from multiprocessing.connection import Connection
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple, NoReturn

import schemas
from ledger.core.avro_long import read_long
from ledger.core.encoding import MARKER, NUMBERS, decode_envelope, hash_of
from ledger.core.errors import AvailabilityError, IntegrityError, LedgerError
from ledger.core.message import EMPTY, Head
from ledger.log.processes import Crew
from projections.store.blocks import blocks
from projections.store.portions import PIECE, Gathered, Portion
from projections.store.projector import MESSAGES_MAX, check_bodies, container

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ledger.log.port import ReadableLog
    from projections.store.portions import Held, Piece
    from projections.store.tables import Store

__all__ = ["Reading", "serve"]

STRETCH = MESSAGES_MAX
"""Messages that a process reads at once, about."""

EACH = 500_000
"""Messages for which another process is worth its start."""

_NEAR = 64
"""Messages that are read at once to find the end of a decision."""

_ENDED = "a process that reads the log ended before it was done: look for memory, and repeat"


class _Stretch(NamedTuple):
    first: int
    end: int


class _Setting(NamedTuple):
    """What a process knows from the start: new tables on a server, or else where files go."""

    opened: Callable[[], ReadableLog]
    folder: Path
    tables: Callable[[], Store] | None
    piece: int


class _Read(NamedTuple):
    """Where a stretch took up the chain, and what it gave."""

    begin: Head
    portion: Portion


class Reading:
    """Reads a log in processes of its own; close it in the end."""

    def __init__(
        self,
        log: ReadableLog,
        opened: Callable[[], ReadableLog],
        tables: Callable[[], Store] | None = None,
    ) -> None:
        """Start the processes: one for each core, and no more than there are millions of messages.

        Args:
            log: what is read.
            opened: opens it in another process.
            tables: opens new tables on a server in another process.

        """
        self._log = log
        self._stack = ExitStack()
        folder = Path(self._stack.enter_context(TemporaryDirectory(prefix="gameledger-")))
        most = max(1, log.head().size // EACH)
        count, setting = len(os.sched_getaffinity(0)), _Setting(opened, folder, tables, PIECE)
        crew = Crew(serve, min(count, most), setting, ended=_ENDED)
        self._crew = self._stack.enter_context(closing(crew))

    def portions(self) -> Iterator[Portion]:
        """Yield portions from the beginning of the log; the last has what is left.

        Raises:
            IntegrityError: with the position of the first message that does not fit.
            AvailabilityError: the log or the server is away, or a process ended; a repeat is safe.

        """
        last = Portion(EMPTY, 0, 0, [])
        for stretch, answer in self._crew.in_order(self._stretches()):
            if not isinstance(answer, _Read) or answer.begin != last.head:
                self._refuse(last.head, stretch.end, answer)
            last = answer.portion
            yield last
        pieces: list[Piece] = []
        for asked in [self._crew.ask(number, None) for number in range(len(self._crew))]:
            rest = self._crew.answer(asked)
            if isinstance(rest, LedgerError):
                raise rest
            pieces += rest
        yield last._replace(pieces=pieces)

    def close(self) -> None:
        """End the processes and delete their files."""
        self._stack.close()

    def _stretches(self) -> Iterator[_Stretch]:
        size, first = self._log.head().size, 0
        while first < size:
            end = self._between(first + STRETCH, size)
            yield _Stretch(first, end)
            first = end

    def _between(self, at: int, size: int) -> int:
        """Return where a decision begins, from a position on, or the end."""
        for start in range(at, size, _NEAR):
            for position, message in self._log.read(start, min(start + _NEAR, size)):
                if decode_envelope(message).decision_index == 0:
                    return position
        return size

    def _refuse(self, head: Head, end: int, answer: object) -> NoReturn:
        """Judge a stretch again, with the message behind it, and say what is wrong.

        A body that can't be read is not seen here, but by who inserts it.
        """
        if not isinstance(answer, LedgerError) or isinstance(answer, IntegrityError):
            known, messages = schemas.catalogue(), self._log.read(head.size, end + 1)
            for _ in blocks(messages, head, known, messages_max=MESSAGES_MAX):
                pass
        if isinstance(answer, LedgerError):
            raise answer
        raise AvailabilityError(f"the log changed while message {head.size} was read: repeat")


class Filed(NamedTuple):
    """Messages of a schema, as a container in a file."""

    path: str
    fingerprint: bytes
    first: int
    last: int

    def insert(self, store: Store) -> None:
        """Insert their rows, and delete the file."""
        store.insert_file(schemas.catalogue()[self.fingerprint].name, self.path)
        Path(self.path).unlink()

    def check_bodies(self, log: ReadableLog) -> None:
        """Read them all again from the log."""
        header = MARKER + self.fingerprint
        found = [message for _, message in log.read(self.first, self.last + 1)]
        messages = [message for message in found if message.startswith(header)]
        check_bodies([(schemas.catalogue()[self.fingerprint], messages)])


def serve(fileno: int) -> None:
    """Read stretches in a process of its own, until the one that asks is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.disable()
    with closing(Connection(fileno)) as connection, suppress(EOFError, OSError):
        setting: _Setting = connection.recv()
        try:
            with ExitStack() as stack:
                log = stack.enter_context(closing(setting.opened()))
                store = stack.enter_context(setting.tables()) if setting.tables else None
                gathered = Gathered(schemas.catalogue(), setting.piece)
                connection.send(None)
                while True:
                    stretch: _Stretch | None = connection.recv()
                    connection.send(_answer(log, store, setting.folder, gathered, stretch))
        finally:
            # Who asks has ended, perhaps without deleting them.
            shutil.rmtree(setting.folder, ignore_errors=True)


def _answer(
    log: ReadableLog,
    store: Store | None,
    folder: Path,
    gathered: Gathered,
    stretch: _Stretch | None,
) -> object:
    """Read a stretch, or give what is left; an error is an answer, too."""

    def out(due: list[Held]) -> list[Filed]:
        if store is None:
            return [_filed(held, folder) for held in due]
        for held in due:
            _inserted(held, store)
        return []

    try:
        if stretch is None:
            return out(gathered.rest())
        begin = _head(log, stretch.first)
        last = Portion(begin, 0, 0, [])
        found = blocks(
            log.read(*stretch), begin, gathered.catalogue, messages_max=stretch.end - stretch.first
        )
        for block in found:
            moment = block.recorded_at if block.groups else last.recorded_at
            pieces = [*last.pieces, *out(gathered.take(block.groups))]
            last = Portion(block.head, block.torn, moment, pieces)
        return _Read(begin, last)
    except LedgerError as error:
        return error
    except OSError as error:
        text = f"{folder} can't be written ({error.strerror}): make room, and repeat"
        return AvailabilityError(text)


def _head(log: ReadableLog, size: int) -> Head:
    """Return where the chain stands after so many messages."""
    return Head(size, hash_of(next(log.read(size - 1, size))[1])) if size else EMPTY


def _filed(held: Held, folder: Path) -> Filed:
    """Write a container into a file."""
    first, last = (read_long(held.messages[at], NUMBERS)[0] for at in (0, -1))
    path = folder / f"{first}.avro"
    path.write_bytes(b"".join(container(*held)))
    return Filed(str(path), held.schema.fingerprint, first, last)


def _inserted(held: Held, store: Store) -> None:
    try:
        held.insert(store)
    except LedgerError:
        check_bodies([held])
        raise
