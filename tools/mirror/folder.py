"""The folder of a mirror: its key, what logs announced, and the copies."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.log.tiles import CHECKPOINT
from ledger.tlog.notes import Note
from tools.whole_files import write_whole
from tools.witness.state import WitnessFolder
from tools.witness.witness import log_path

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["MirrorFolder"]


class MirrorFolder(WitnessFolder):
    """Its keys, ``state.sqlite`` (what is announced), ``misconduct/``, and what is held.

    ``logs/HASH`` is the copy of a log, a data directory, and ``tiles/HASH`` the same as files for
    others, with the last checkpoint that the mirror signed; ``sources/HASH`` says where the log is
    fetched. HASH is the SHA-256 of its name.
    """

    KIND = "mirror"

    def __init__(self, path: Path) -> None:
        """Set the path; nothing is opened."""
        super().__init__(path)
        self.tiles = path / "tiles"

    def data_of(self, origin: str) -> Path:
        """Return the data directory of a log's copy."""
        return self.path / "logs" / log_path(origin)

    def tiles_of(self, origin: str) -> Path:
        """Return the folder of the tiles of a log's copy."""
        return self.tiles / log_path(origin)

    def signed(self, origin: str) -> Note | None:
        """Return the last checkpoint of a log that the mirror signed."""
        path = self.tiles_of(origin) / CHECKPOINT
        return Note.parse(path.read_text()) if path.exists() else None

    def source_of(self, origin: str) -> str:
        """Return where a log is fetched; empty if its operator sends it."""
        path = self.path / "sources" / log_path(origin)
        return path.read_text().strip() if path.exists() else ""

    def set_source(self, origin: str, place: str) -> None:
        """Store where a log is fetched."""
        path = self.path / "sources" / log_path(origin)
        write_whole(path, f"{place}\n".encode(), replacing=True)
