"""Fetch logs from where their operators publish them, each in a thread of its own.

What comes in: the place of a log, which is its tiles (folder or URL) or a topic. What goes out: the
same requests to the mirror as from an operator that sends: there is one way in. A place
that can't be read, or that shows something false, is named once and tried again.
"""

from __future__ import annotations

import time
from contextlib import closing
from threading import Event, Thread
from typing import TYPE_CHECKING

from ledger.core.errors import IntegrityError, LedgerError
from ledger.log.checkpoints import last_note
from ledger.log.tiles import TiledLog, is_tiled
from ledger.tlog.notes import Note, parse_size
from tools.data import open_log
from tools.witness.uploading import announcement, upload_entries
from tools.witness.witness import SIZE_TYPE, log_path

if TYPE_CHECKING:
    from collections.abc import Callable

    from ledger.log.port import Log
    from tools.mirror.mirror import Mirror

__all__ = ["Puller", "pull"]

POLL_SECONDS = 1.0
RETRY_SECONDS_MAX = 5.0
STOP_SECONDS = 30.0
REPORT_SECONDS = 10.0
"""A fetch that takes longer reports its progress so often."""


def pull(
    mirror: Mirror,
    origin: str,
    place: str,
    *,
    progress: Callable[[int, int], None] = lambda _done, _of: None,
    is_over: Callable[[], bool] = lambda: False,
) -> Note | None:
    """Fetch what a place has and the mirror lacks; return the checkpoint that is signed now.

    Args:
        mirror: takes the messages.
        origin: name of the log.
        place: folder or URL of tiles, or URL of a topic.
        progress: called with the number of messages that are held, and their total.
        is_over: asked between requests; what is missing is fetched the next time.

    Returns:
        The checkpoint, or None if the mirror has signed it before.

    Raises:
        InputError: there is no log, or it is none of this name.
        IntegrityError: what it shows is false.
        AvailabilityError: it can't be read, or the copy can't be written.

    """
    with closing(_source(mirror, origin, place)) as source:
        note = Note.parse(source.note if isinstance(source, TiledLog) else last_note(source))
        signed = mirror.folder.signed(origin)
        if signed is not None and signed.text == note.text:
            return None
        if note.head.origin != origin:
            raise IntegrityError(f"{place} shows {note.head.origin}, and {origin} is asked for")
        _announce(mirror, source, note)
        upload_entries(mirror.add_entries, source, note.head, progress=progress, is_over=is_over)
    return mirror.folder.signed(origin)


def _announce(mirror: Mirror, source: TiledLog | Log, note: Note) -> None:
    old, size = 0, note.head.size
    for _ in range(2):
        reply = mirror.add_checkpoint(announcement(source, old, note))
        if reply.kind != SIZE_TYPE:
            break
        old = parse_size(reply.body.strip())
        if old > size:
            text = f"announced {old} messages before, and shows {size} now"
            raise IntegrityError(f"{note.head.origin} {text}: its end was cut off")
    if reply.status != 200:  # noqa: PLR2004 - HTTP
        raise IntegrityError(f"{note.head.origin} shows a checkpoint that is refused: {reply.body}")


def _source(mirror: Mirror, origin: str, place: str) -> TiledLog | Log:
    if is_tiled(place):
        return TiledLog(place)
    return open_log(place, mirror.folder.path / "readers" / log_path(origin), writable=False)


class Puller:
    """Fetches one log until it is stopped."""

    def __init__(
        self, mirror: Mirror, origin: str, place: str, notify: Callable[[str], None]
    ) -> None:
        """Start the thread."""
        self._mirror, self._origin, self._place, self._notify = mirror, origin, place, notify
        self._stop = Event()
        self._reported = 0.0
        self._thread = Thread(target=self._run, name=f"pull {origin}", daemon=True)
        self._thread.start()

    def end(self) -> None:
        """End after the request that is being made; :meth:`stop` waits for it."""
        self._stop.set()

    def stop(self) -> None:
        """Wait for the end, unless the place does not answer: nothing of it is stored then."""
        self.end()
        self._thread.join(STOP_SECONDS)

    def _report(self, done: int, size: int) -> None:
        if done < size and time.monotonic() - self._reported > REPORT_SECONDS:
            self._reported = time.monotonic()
            self._notify(f"{self._origin}: {done} of {size} messages held")

    def _run(self) -> None:
        said, wait = "", POLL_SECONDS
        while not self._stop.wait(wait):
            try:
                self._reported = time.monotonic()
                pull(
                    self._mirror,
                    self._origin,
                    self._place,
                    progress=self._report,
                    is_over=self._stop.is_set,
                )
            except LedgerError as error:
                wait = min(2 * wait, RETRY_SECONDS_MAX)
                if str(error) != said:
                    said = str(error)
                    self._notify(f"{self._origin}: {said}")
                continue
            said, wait = "", POLL_SECONDS
