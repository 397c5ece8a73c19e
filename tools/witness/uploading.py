"""Upload a log to a mirror (C2SP tlog-mirror): its checkpoint, then what the mirror lacks of it.

What comes in: a log, a signed checkpoint of it, and a mirror: one that is asked by HTTP, or one in
this process. What goes out: the mirror's signature lines. Guaranteed: an upload that was
interrupted goes on where the mirror says; the requests are bounded in size and number.
"""

from __future__ import annotations

import gzip
from collections.abc import Callable
from io import BytesIO
from itertools import islice
from typing import TYPE_CHECKING, BinaryIO, Protocol

from ledger.core.errors import AvailabilityError
from ledger.tlog import merkle
from ledger.tlog.mirroring import MirrorInfo, Upload, package_bytes, package_ranges
from ledger.tlog.misconduct import Submission
from tools.witness.web import send_request
from tools.witness.witness import Reply

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ledger.tlog.notes import Note, TreeHead

__all__ = ["BODY_TYPE", "HttpMirror", "TreeSource", "announcement", "upload_entries"]

BODY_TYPE = "application/octet-stream"
ANSWER_BYTES_MAX = 64 * 1024
GZIP_LEVEL = 1
"""It halves an evening's messages; level 6 takes twice as long for a sixteenth less."""
PACKAGES_SENT = 8
"""Packages of one request, of the 32 that are allowed: fewer messages are in memory at once."""
STANDSTILLS_MAX = 3
"""So often a mirror may name the message that it named before."""


class TreeSource(Protocol):
    """A log, or its tiles: messages and the hashes of nodes."""

    def read(self, start: int = 0, stop: int | None = None) -> Iterator[tuple[int, bytes]]:
        """Yield (position, message)."""

    def node(self, level: int, index: int) -> bytes:
        """Return the hash of a full node."""


AddEntries = Callable[[BinaryIO], Reply]
"""Answers an ``add-entries`` request."""


class HttpMirror:
    """A mirror that is asked by HTTP."""

    def __init__(self, url: str, seconds: float) -> None:
        """Set address and time of a request."""
        self._url, self._seconds = f"{url.rstrip('/')}/add-entries", seconds

    def add_entries(self, body: BinaryIO) -> Reply:
        """Send an ``add-entries`` request.

        Raises:
            AvailabilityError: no answer.

        """
        answer = send_request(
            self._url,
            gzip.compress(body.read(), GZIP_LEVEL),
            kind=BODY_TYPE,
            encoding="gzip",
            seconds=self._seconds,
            bytes_max=ANSWER_BYTES_MAX,
        )
        return Reply(answer.status, answer.body.decode(errors="replace"))


def announcement(log: TreeSource, old: int, note: Note) -> bytes:
    """Return the body of an ``add-checkpoint`` request, with the proof from a known size."""
    size = note.head.size
    proof = merkle.consistency(log.node, old, size) if 0 < old < size else []
    return str(Submission(old, tuple(proof), note)).encode()


def upload_entries(
    add_entries: AddEntries,
    log: TreeSource,
    tree: TreeHead,
    *,
    progress: Callable[[int, int], None] = lambda _done, _of: None,
    is_over: Callable[[], bool] = lambda: False,
) -> str:
    """Send a mirror what it lacks of an announced checkpoint; return its signature lines.

    Args:
        add_entries: the mirror.
        log: holds the messages that the checkpoint covers.
        tree: of the checkpoint, which the mirror took before.
        progress: called with the number of messages that the mirror has, and their total.
        is_over: asked before each request; an upload that is given up goes on the next time.

    Raises:
        AvailabilityError: the mirror refuses, gets no further, or time is over; the text tells.
        InputError: its answer is malformed.

    """
    standstills, info = 0, MirrorInfo(0, 0)
    reply = add_entries(BytesIO(Upload(tree.origin, 0, 0).raw))
    while reply.status in {202, 409}:
        before, info = info, MirrorInfo.parse(reply.body)
        if info.next > tree.size:
            raise AvailabilityError(f"holds {info.next} messages, and the log has {tree.size}")
        standstills = standstills + 1 if info.next == before.next else 0
        if is_over() or standstills > STANDSTILLS_MAX:
            raise AvailabilityError(
                f"holds {info.next} of {tree.size} messages: the next upload goes on there"
            )
        progress(info.next, tree.size)
        reply = add_entries(_body(log, Upload(tree.origin, info.next, tree.size, info.ticket)))
    if reply.status != 200:  # noqa: PLR2004 - HTTP
        raise AvailabilityError(f"takes no messages: {reply.body.strip()} (status {reply.status})")
    progress(tree.size, tree.size)
    return reply.body


def _body(log: TreeSource, upload: Upload) -> BinaryIO:
    parts = [upload.raw]
    for place in islice(package_ranges(upload.start, upload.end), PACKAGES_SENT):
        messages = (body for _, body in log.read(place.start, place.end))
        proof = merkle.consistency(log.node, place.end, upload.end, place.subtree)
        parts.append(package_bytes(messages, proof))
    return BytesIO(b"".join(parts))
