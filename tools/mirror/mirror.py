"""A mirror (C2SP tlog-mirror): hold a verified copy of logs, and sign what is held.

What comes in: the bodies of ``add-checkpoint`` and ``add-entries`` requests. What goes out: an HTTP
status and a body as C2SP has them. Guaranteed: a checkpoint is signed when everything that it
covers is on disk and was verified (hashes, links, tree, tag map, facts, keys in force), and
after it was published; a log that signs a second history is refused, and the proof is kept.
Rejected: logs that the mirror does not know, and messages that are not in the announced tree.
"""

from __future__ import annotations

from threading import BoundedSemaphore, Lock
from typing import TYPE_CHECKING, BinaryIO

from ledger.core.clock import SECOND
from ledger.core.errors import AuthorizationError, AvailabilityError, InputError, IntegrityError
from ledger.log.sqlite_file import limit_page_caches
from ledger.tlog.cosigning import cosign_all
from ledger.tlog.mirroring import PACKAGES_MAX, MirrorInfo, Upload, packages_in
from ledger.tlog.misconduct import is_signed
from ledger.tlog.notes import Note, TreeHead
from ledger.tlog.signing import parse_note
from ledger.tlog.tiles import TILE_WIDTH
from tools.mirror.log_copy import LogCopy
from tools.witness.witness import CheckpointTaker, Reply

if TYPE_CHECKING:
    from collections.abc import Callable

    from ledger.core.clock import Clock
    from ledger.log.verified_copy import VerifiedCopy
    from ledger.tlog.cosigning import CosignerKey
    from tools.mirror.folder import MirrorFolder
    from tools.witness.state import WitnessedLog

__all__ = ["INFO_TYPE", "Mirror"]

INFO_TYPE = "text/x.tlog.mirror-info"
REPEATED_MAX = PACKAGES_MAX * TILE_WIDTH
"""Messages before the next one that may be sent once more."""
VERIFIED_AT_ONCE = 2
"""Requests that are verified at a time: more threads share the same core, and need more memory."""
PAGE_CACHE_BYTES = 64 << 20
"""Of all copies together, as much as the index of one log takes alone."""


class Mirror:
    """A running mirror; thread-safe: logs do not wait for each other."""

    def __init__(self, folder: MirrorFolder, clock: Clock, notify: Callable[[str], None]) -> None:
        """Read the mirror's keys and check its state.

        Args:
            folder: of the mirror.
            clock: returns the time of each signature.
            notify: called with messages for the operator.

        Raises:
            InputError: there is no mirror.
            AuthorizationError: other users may read its key.
            IntegrityError: its state is lost or damaged.

        """
        limit_page_caches(PAGE_CACHE_BYTES)
        self.folder = folder
        self._clock, self._notify = clock, notify
        self._taker = CheckpointTaker(folder, notify)
        self._keys = folder.own_keys()
        self._lock, self._turns = Lock(), BoundedSemaphore(VERIFIED_AT_ONCE)
        self._held: dict[str, LogCopy] = {}
        self._refusals: dict[str, str] = {}

    @property
    def keys(self) -> tuple[CosignerKey, ...]:
        """The public halves of the mirror's keys; they have one name."""
        return tuple(key.public for key in self._keys)

    def close(self) -> None:
        """Close all copies."""
        for held in self._held.values():
            held.close()

    def announced(self, origin: str) -> int:
        """Return the number of messages that a log announced."""
        memory = self._memory(origin)
        return memory.size if memory is not None else 0

    def signed(self, origin: str) -> int:
        """Return the number of messages of a log that are held and signed; 0 if it is damaged."""
        try:
            note = self.folder.signed(origin)
        except (IntegrityError, AvailabilityError):
            return 0
        return note.head.size if note is not None else 0

    def add_checkpoint(self, body: bytes) -> Reply:
        """Answer an ``add-checkpoint`` request: announce a checkpoint, which is not signed yet.

        Raises:
            IntegrityError: the state is lost or damaged; nothing was taken.
            AvailabilityError: the state can't be read or written; nothing was taken.

        """
        origins = []

        def sign_nothing(text: str) -> tuple[()]:
            origins.append(TreeHead.of(text).origin)
            return ()

        reply = self._taker.take(body, sign_nothing)
        for memory in map(self._memory, origins):
            if memory is not None and memory.note is not None:
                now = self._clock.now()
                self._held_of(memory.origin).announce(memory.note, now)
                if self.signed(memory.origin) < memory.size:
                    self.folder.note_announced(memory.origin, now)
        return reply

    def add_entries(self, body: BinaryIO) -> Reply:
        """Answer an ``add-entries`` request, of which at least the beginning has arrived.

        Raises:
            IntegrityError: state or copy is lost or damaged; nothing was signed.
            AvailabilityError: state or copy can't be read or written; nothing was signed.

        """
        try:
            upload = Upload.read(body)
        except InputError as error:
            return Reply(400, f"{error}\n")
        memory = self._memory(upload.origin)
        if memory is None:
            return Reply(404, "a log of this name is not mirrored here\n")
        held = self._held_of(upload.origin)
        with held.open(memory) as copy:
            signed = self.folder.signed(upload.origin)  # its damage accuses no client
            try:
                with self._turns:
                    reply = self._add(held, copy, memory, upload, body, signed=signed)
            except InputError as error:
                return Reply(400, f"{error}\n")
            except (IntegrityError, AuthorizationError) as error:
                refusal = f"an upload of {upload.origin} was refused: {error}"
                if self._refusals.get(upload.origin) != refusal:
                    self._notify(refusal)
                self._refusals[upload.origin] = refusal
                return Reply(422, f"{error}\n")
            if reply.status == 200:  # noqa: PLR2004 - HTTP
                self._refusals.pop(upload.origin, None)
            return reply

    def _add(
        self,
        held: LogCopy,
        copy: VerifiedCopy,
        memory: WitnessedLog,
        upload: Upload,
        body: BinaryIO,
        *,
        signed: Note | None,
    ) -> Reply:
        note = held.announced(upload.end)
        is_late = signed is not None and upload.end < signed.head.size
        is_near = copy.size - REPEATED_MAX <= upload.start <= copy.size
        if note is None or is_late or not is_near:
            return Reply(409, str(MirrorInfo(memory.size, copy.size)), INFO_TYPE)
        is_saved = upload.start == upload.end
        for place, package in packages_in(body, upload):
            held.add(copy, place, package, note.head)
            is_saved = True
        if not is_saved:
            return Reply(400, "no whole package arrived\n")
        with held.changing():
            copy.store()
            if copy.size < upload.end:
                return Reply(202, str(MirrorInfo(upload.end, copy.size)), INFO_TYPE)
            copy.require(parse_note(str(note))[0])
            if not is_signed(note, copy.keys_in_force):
                text = f"no key in force signed the checkpoint of {upload.end} messages"
                raise AuthorizationError(text)
            lines = cosign_all(self._keys, note.text, self._clock.now() // SECOND)
            held.publish(copy, Note(note.text, (*note.signatures, *lines)))
        if self.announced(upload.origin) == upload.end:
            self.folder.note_held(upload.origin)
        elif (later := held.waiting_behind(upload.end)) is not None:
            self.folder.note_waiting(upload.origin, later)
        return Reply(200, "".join(line.line for line in lines))

    def _memory(self, origin: str) -> WitnessedLog | None:
        with self.folder.snapshot() as turn:
            return turn.find(origin)

    def _held_of(self, origin: str) -> LogCopy:
        with self._lock:
            return self._held.setdefault(origin, LogCopy(self.folder, origin))
