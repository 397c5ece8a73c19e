"""The folder of a mirror: its key, what logs announced, and the copies."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import DecodeError, Struct, json

from ledger.core.errors import AvailabilityError, InputError, IntegrityError
from ledger.log.tiles import CHECKPOINT
from ledger.tlog.notes import Note
from tools.whole_files import write_whole
from tools.witness.state import WitnessFolder
from tools.witness.witness import log_path

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["MirrorFolder", "MirroredOperator"]


class MirroredOperator(Struct, frozen=True):
    """What the authority knows of a log's operator, in ``operators/HASH.json``.

    Attributes:
        source: where its log is fetched; empty if the operator sends it.
        name: of the operator.
        contact: whom to call.
        lag_seconds: how long the copy may be behind an announced checkpoint.
        silence_seconds: how long the log may record nothing; 0: for ever.

    """

    source: str = ""
    name: str = ""
    contact: str = ""
    lag_seconds: int = 120
    silence_seconds: int = 0


class MirrorFolder(WitnessFolder):
    """Its keys, ``state.sqlite`` (what is announced), ``misconduct/``, and what is held.

    ``logs/HASH`` is the copy of a log, a data directory, and ``tiles/HASH`` the same as files for
    others, with the last checkpoint that the mirror signed; ``operators/HASH.json`` is what is
    known of its operator, and ``waiting/HASH`` since when an announced checkpoint is not held. HASH
    is the SHA-256 of its name.
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
        """Return the last checkpoint of a log that the mirror signed.

        Raises:
            IntegrityError: the file is damaged.
            AvailabilityError: it can't be read.

        """
        path = self.tiles_of(origin) / CHECKPOINT
        try:
            note = Note.parse(path.read_text())
            fault = "" if note.head.origin == origin else f"it is of {note.head.origin}"
        except FileNotFoundError:
            return None
        except (InputError, UnicodeDecodeError) as error:
            fault = str(error)
        except OSError as error:
            raise AvailabilityError(f"{path} can't be read: {error.strerror}") from error
        if fault:
            text = f"{path} is damaged ({fault}): remove it, and the next upload signs it again"
            raise IntegrityError(text)
        return note

    def operator_of(self, origin: str) -> MirroredOperator:
        """Return what is known of a log's operator.

        Raises:
            IntegrityError: the file is damaged.

        """
        path = self._operator_path(origin)
        try:
            return json.decode(path.read_bytes(), type=MirroredOperator)
        except FileNotFoundError:
            return MirroredOperator()
        except DecodeError as error:
            text = f"{path} is damaged ({error}): remove it, and repeat `gameledger mirror add`"
            raise IntegrityError(text) from error

    def set_operator(self, origin: str, operator: MirroredOperator) -> None:
        """Store what is known of a log's operator."""
        write_whole(self._operator_path(origin), json.encode(operator), replacing=True)

    def waiting_since(self, origin: str) -> int | None:
        """Return since when an announced checkpoint is not held, in microseconds."""
        try:
            return int(self._waiting_path(origin).read_text())
        except (FileNotFoundError, ValueError):
            return None

    def note_announced(self, origin: str, moment: int) -> None:
        """Store the moment of an announcement, if none is waiting."""
        if self.waiting_since(origin) is None:
            self.note_waiting(origin, moment)

    def note_waiting(self, origin: str, moment: int) -> None:
        """Store the moment of the earliest announcement that is not held."""
        write_whole(self._waiting_path(origin), f"{moment}\n".encode(), replacing=True)

    def note_held(self, origin: str) -> None:
        """Remove the moment: everything that was announced is held."""
        self._waiting_path(origin).unlink(missing_ok=True)

    def _waiting_path(self, origin: str) -> Path:
        return self.path / "waiting" / log_path(origin)

    def _operator_path(self, origin: str) -> Path:
        return self.path / "operators" / f"{log_path(origin)}.json"
