"""A mirror to test with, and an operator whose log it holds."""

from __future__ import annotations

import socket
from contextlib import contextmanager
from io import BytesIO
from typing import TYPE_CHECKING

from ledger.core.clock import SECOND, StoppedClock
from ledger.events.encoding import hash_of
from ledger.log.tiles import TiledLog, publish
from ledger.tlog import merkle
from ledger.tlog.mirroring import Upload, package_bytes, package_ranges
from ledger.tlog.notes import Note
from ledger.tlog.signing import Checkpoint, make_note
from ledger.verification.verify import verify
from tests.ledger.log.test_tiles import NAME, SignedLog
from tools.mirror.folder import MirrorFolder
from tools.mirror.mirror import Mirror
from tools.mirror.server import serving
from tools.witness.uploading import announcement

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tools.witness.witness import Reply

NOW = 1_800_000_000


class Operator(SignedLog):
    """A log that is signed, published and sent."""

    def note_at(self, size: int) -> Note:
        """Grow to a size, sign it, and return the note."""
        self.grow(size)
        return Note.parse(self.sign())

    def submission(self, old: int, note: Note) -> bytes:
        return announcement(self.log, old, note)

    def body(self, start: int, end: int, packages: int = 1000) -> BytesIO:
        """Return the body of an upload, with a limited number of its packages."""
        parts = [Upload(self.name, start, end).raw]
        for place in list(package_ranges(start, end))[:packages]:
            messages = [body for _, body in self.log.read(place.start, place.end)]
            proof = merkle.consistency(self.log.node, place.end, end, place.subtree)
            parts.append(package_bytes(messages, proof))
        return BytesIO(b"".join(parts))

    def publish(self, folder: Path, note: Note) -> None:
        publish(self.log, str(note), folder)

    def note_over(self, leaves: list[bytes]) -> Note:
        """Sign a tree of any leaves, with a tag map of nothing."""
        root = merkle.root(merkle.nodes_of(leaves), len(leaves))
        return self.signed_note(Checkpoint(self.name, len(leaves), root, bytes(32)))

    def signed_note(self, checkpoint: Checkpoint) -> Note:
        return Note.parse(make_note(checkpoint, [(self.key.public, self.key.sign(checkpoint))]))


class Authority:
    """An authority that mirrors the log, and the messages for its staff."""

    def __init__(self, path: Path, operator: Operator) -> None:
        self.folder = MirrorFolder(path)
        self.key = self.folder.create("authority.example/mirror")
        with self.folder.turn() as turn:
            turn.add_key(operator.key.public)
        self.messages: list[str] = []
        self.mirror = self.open()

    def open(self) -> Mirror:
        return Mirror(self.folder, StoppedClock(NOW * SECOND), self.messages.append)

    def restart(self) -> None:
        self.mirror.close()
        self.mirror = self.open()

    def take(self, operator: Operator, note: Note, *, old: int = 0) -> Reply:
        """Announce a checkpoint, and send everything that is missing in one request."""
        announced = self.mirror.add_checkpoint(operator.submission(old, note))
        assert (announced.status, announced.body) == (200, "")
        return self.mirror.add_entries(operator.body(old, note.head.size))

    def require_held(self, operator: Operator, size: int, name: str = NAME) -> None:
        """Read the copy as another program does: it is the log, signed by log and mirror."""
        held = TiledLog(str(self.folder.tiles_of(name)))
        messages = list(held.read())
        assert messages == list(operator.log.read(0, size))
        assert verify(messages).root == held.checkpoint.root
        assert hash_of(messages[-1][1]) == held.head().hash
        note = Note.parse(held.note)
        (line,) = (one for one in note.signatures if one.key_id == self.key.key_id)
        assert self.key.public.is_cosigner_of(
            note.text, self.key.public.parse_cosignature(line.signature)
        )

    @contextmanager
    def serving(self) -> Iterator[str]:
        with socket.create_server(("127.0.0.1", 0)) as listener:
            url = f"http://127.0.0.1:{listener.getsockname()[1]}"
            with serving(self.mirror, listener, self.messages.append):
                yield url
