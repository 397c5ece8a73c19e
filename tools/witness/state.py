"""Persistent state of a witness: for each log its keys, and the last checkpoint it cosigned.

``state.sqlite`` has one row for each log, with a hash over the row. A change is durable before it
is used, and processes lock each other out; threads that change it queue for a lock of their process
first, so that a file lock without an order is asked by one of them. Rejected: a lost or damaged
file. A witness that started with an empty state could cosign a second history, so no function here
creates a state where a key already exists.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing, contextmanager
from hashlib import sha256
from threading import Lock
from typing import TYPE_CHECKING

from msgspec import Struct

from ledger.core.errors import AvailabilityError, InputError, IntegrityError
from ledger.storage.durable import make_folder, undoing
from ledger.storage.secret_files import create_private
from ledger.tlog.algorithms import ED25519, ML_DSA_44
from ledger.tlog.cosigning import WitnessKey
from ledger.tlog.notes import Note
from ledger.tlog.signing import PublicKey

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

__all__ = ["Turn", "WitnessFolder", "WitnessedLog"]

WAIT_SECONDS = 20.0
"""How long the lock of another process is waited for; a client waits longer for its answer."""
QUEUE_SECONDS = 60.0
"""How long threads of one process wait for each other: a turn of each log, on a busy disk."""
KEYS_MAX = 16
_TABLE = """\
CREATE TABLE logs (
    origin TEXT PRIMARY KEY, keys TEXT NOT NULL, size INTEGER NOT NULL,
    note TEXT NOT NULL, digest BLOB NOT NULL
) STRICT, WITHOUT ROWID"""


class WitnessedLog(Struct, frozen=True):
    """The state of one log; ``note`` is None until a first checkpoint has been cosigned."""

    origin: str
    keys: tuple[PublicKey, ...]
    size: int = 0
    note: Note | None = None


class WitnessFolder:
    """The folder of a witness: its keys, ``state.sqlite`` and ``misconduct/``.

    ``witness.key`` is a key for Ed25519, ``witness-ml-dsa-44.key`` one for ML-DSA-44; a witness has
    one of them or both.
    """

    KIND = "witness"

    def __init__(self, path: Path) -> None:
        """Set the path; nothing is opened."""
        self.path = path
        self._queue = Lock()
        self.misconduct = path / "misconduct"
        self._state = path / "state.sqlite"
        names = {ED25519.name: self.KIND, ML_DSA_44.name: f"{self.KIND}-ml-dsa-44"}
        self._keys = {algorithm: path / f"{name}.key" for algorithm, name in names.items()}

    def create(self, name: str, algorithm: str = ED25519.name) -> WitnessKey:
        """Create a witness that knows no log yet, or its key for a second algorithm.

        Raises:
            InputError: the folder holds anything but a witness of this name without such a key, or
                the name is not valid for a key.
            IntegrityError: the state of the witness is lost or damaged.
            AvailabilityError: the folder can't be written.

        """
        path = self._keys[algorithm]
        if not path.exists() and any(other.exists() for other in self._keys.values()):
            (first, *_) = self.own_keys()
            if first.public.name != name:
                other = first.public.name
                raise InputError(f"{self.path} is the {self.KIND} {other}: a key has its name")
            return WitnessKey.create(path, name, algorithm=algorithm)
        if self.path.exists() and any(self.path.iterdir()):
            raise InputError(
                f"{self.path} is not empty, and a {self.KIND} begins in a folder of its own: "
                "move it away, or name another folder"
            )
        WitnessKey(name, bytes(32))
        with undoing() as created:
            try:
                make_folder(self.path)
                if not create_private(self._state):
                    raise FileExistsError("another process is making it")
                created(self._state)
                with closing(sqlite3.connect(self._state)) as state:
                    state.execute(_TABLE)
            except (OSError, sqlite3.Error) as error:
                raise AvailabilityError(f"{self._state} can't be made: {error}") from error
            return WitnessKey.create(path, name, algorithm=algorithm)

    def own_keys(self) -> tuple[WitnessKey, ...]:
        """Read the keys, one for each algorithm.

        Raises:
            InputError: there is no witness.
            AuthorizationError: other users may read its key.
            IntegrityError: the state is lost or damaged.

        """
        keys = tuple(WitnessKey.load(path) for path in self._keys.values() if path.exists())
        if not keys:
            raise InputError(
                f"{self.path} holds no {self.KIND}: make one with `gameledger {self.KIND} init`"
            )
        self.remembered()
        return keys

    def remembered(self) -> list[WitnessedLog]:
        """Return the state of all logs.

        Raises:
            IntegrityError: the state is lost or damaged.
            AvailabilityError: the state can't be read.

        """
        with self.snapshot() as turn:
            return turn.all()

    @contextmanager
    def snapshot(self) -> Iterator[Turn]:
        """Open the state for reading; it waits for others only while they commit.

        Raises:
            IntegrityError: the state is lost or damaged.
            AvailabilityError: the state can't be read.

        """
        with self._transaction("DEFERRED") as turn:
            yield turn

    @contextmanager
    def turn(self) -> Iterator[Turn]:
        """Lock the state for reading and changing; changes are durable after the block.

        Raises:
            IntegrityError: the state is lost or damaged.
            AvailabilityError: the state can't be read or written; nothing was changed.

        """
        if not self._queue.acquire(timeout=QUEUE_SECONDS):
            raise AvailabilityError(f"{self._state} is busy: try again later")
        try:
            with self._transaction("IMMEDIATE") as turn:
                yield turn
        finally:
            self._queue.release()

    @contextmanager
    def _transaction(self, kind: str) -> Iterator[Turn]:
        if not self._state.exists():
            raise self._lost("is gone")
        try:
            address = f"{self._state.resolve().as_uri()}?mode=rw"
            with closing(sqlite3.connect(address, uri=True, timeout=WAIT_SECONDS)) as state:
                state.isolation_level = None
                state.execute("PRAGMA synchronous = EXTRA")
                state.execute(f"BEGIN {kind}")
                yield Turn(state, self._lost)
                state.execute("COMMIT")
        except sqlite3.OperationalError as error:
            if "no such table" in str(error):
                raise self._lost("is empty") from error
            raise AvailabilityError(f"{self._state} can't be used: {error}") from error
        except sqlite3.DatabaseError as error:
            raise self._lost(f"is damaged ({error})") from error

    def _lost(self, what: str) -> IntegrityError:
        text = (
            f"{self._state} {what}: restore it from a copy that is not older than what was cosigned"
        )
        return IntegrityError(
            f"{text}, or begin again in another folder with a new key; without its memory a "
            f"{self.KIND} would cosign a second history"
        )


class Turn:
    """An open transaction on the state."""

    def __init__(self, state: sqlite3.Connection, lost: Callable[[str], IntegrityError]) -> None:
        """Wrap the connection of the transaction."""
        self._state, self._lost = state, lost

    def all(self) -> list[WitnessedLog]:
        """Return the state of all logs, ordered by origin."""
        (verdict,) = self._state.execute("PRAGMA quick_check(1)").fetchone()
        if verdict != "ok":
            raise self._lost(f"is damaged ({verdict})")
        rows = self._state.execute("SELECT origin, keys, size, note, digest FROM logs ORDER BY 1")
        return [self._memory(row) for row in rows]

    def find(self, origin: str) -> WitnessedLog | None:
        """Return the state of a log, if the witness knows it."""
        query = "SELECT origin, keys, size, note, digest FROM logs WHERE origin = ?"
        row = self._state.execute(query, (origin,)).fetchone()
        return None if row is None else self._memory(row)

    def put(self, memory: WitnessedLog) -> None:
        """Store the state of a log."""
        row = _row(memory)
        self._state.execute(
            "INSERT OR REPLACE INTO logs VALUES (?, ?, ?, ?, ?)", (*row, _digest(row))
        )

    def add_key(self, key: PublicKey) -> WitnessedLog:
        """Add a key that may sign for the log whose name it bears.

        Raises:
            InputError: the log has too many keys.

        """
        memory = self.find(key.name) or WitnessedLog(key.name, ())
        keys = tuple(dict.fromkeys((*memory.keys, key)))
        if len(keys) > KEYS_MAX:
            raise InputError(f"a log has at most {KEYS_MAX} keys")
        memory = WitnessedLog(memory.origin, keys, memory.size, memory.note)
        self.put(memory)
        return memory

    def _memory(self, row: tuple[str, str, int, str, bytes]) -> WitnessedLog:
        origin, keys, size, note, digest = row
        if _digest((origin, keys, size, note)) != digest:
            raise self._lost(f"is damaged (its row of {origin})")
        parsed = Note.parse(note) if note else None
        return WitnessedLog(origin, tuple(map(PublicKey.parse, keys.split("\n"))), size, parsed)


def _row(memory: WitnessedLog) -> tuple[str, str, int, str]:
    keys = "\n".join(key.text for key in memory.keys)
    return memory.origin, keys, memory.size, str(memory.note or "")


def _digest(row: tuple[str, str, int, str]) -> bytes:
    return sha256(repr(row).encode()).digest()
