"""A folder of the engine's tables: its lock, and whether it changed since it was closed.

What comes in: a folder. What goes out: the lock that permits opening it, and its faults, which are
searched only if anything changed in it since it was closed. A folder that the engine cannot open
prevents the engine from opening any other in the same process, and a damaged one may crash the
process; hence a separate process examines it.
"""

from __future__ import annotations

import fcntl
import os
import re
import signal
import subprocess
import time
from hashlib import sha256
from typing import TYPE_CHECKING

from ledger.core.errors import AvailabilityError
from ledger.log.processes import module_command
from ledger.storage.writer_lock import WriterLock

if TYPE_CHECKING:
    from pathlib import Path

__all__ = [
    "BUSY",
    "FAULTY",
    "NO_TABLES",
    "fault_of",
    "fault_since_close",
    "forget",
    "holder_of",
    "is_occupied",
    "is_unchanged_since_close",
    "last_used_at",
    "lock_folder",
    "may_write",
    "opened_at",
    "record_close",
    "state_of",
    "was_closed",
]

SECONDS_MAX = 3600
PATIENCE_SECONDS = 60.0
"""Maximum time of another examination of the same folder, by a process that was killed."""
LOOK_SECONDS = 0.1
NO_TABLES = "there are none"
"""The fault of a folder in which no tables were completed."""
FAULTY, BUSY = 10, 11
"""Exit codes of the examining process: the folder has a fault, another process uses it."""


def lock_folder(folder: Path) -> WriterLock | None:
    """Lock a folder; return None if another process has the lock."""
    try:
        lock = WriterLock(folder.with_name(f"{folder.name}.lock"))
    except AvailabilityError:
        return None
    if holder_of(folder):  # an engine that a library opened, without our lock
        lock.release()
        return None
    return lock


def opened_at(folder: Path) -> float:
    """Return when an engine last opened a folder, in seconds since the epoch; 0 if none did."""
    return _changed_at(folder / "status")


def last_used_at(folder: Path) -> float:
    """Return when a folder was last opened or closed, in seconds since the epoch; 0 if never."""
    return max(opened_at(folder), _changed_at(_note_of(folder)))


def _changed_at(file: Path) -> float:
    try:
        return file.stat().st_mtime
    except OSError:
        return 0.0


def holder_of(folder: Path) -> str:
    """Return a description of the process that uses a folder; empty if there is none."""
    try:
        with (folder / "status").open("rb") as file:
            text = file.read(4096).decode("utf-8", "replace")
            try:
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except BlockingIOError:
                match = re.search(r"PID: (\d+)", text)
                return f"process {match[1]}" if match else "its number is not known"
    except (FileNotFoundError, NotADirectoryError):
        return ""
    return ""


def may_write(folder: Path) -> bool:
    """Return whether this user may store tables in a folder, and a lock next to it."""
    needed = os.R_OK | os.W_OK | os.X_OK
    return os.access(folder.parent, needed) and (not folder.is_dir() or os.access(folder, needed))


def is_occupied(folder: Path) -> bool:
    """Return whether a folder exists and is not empty, or a file has its name."""
    return folder.is_symlink() or (
        folder.exists() and not (folder.is_dir() and not any(folder.iterdir()))
    )


def fault_since_close(folder: Path) -> str:
    """Return the fault of a folder's tables if the folder changed since it was closed.

    Empty if the folder is unchanged or sound, or does not exist.
    """
    if not is_occupied(folder):
        return ""
    if not folder.is_dir():
        return "it is no folder"
    return "" if is_unchanged_since_close(folder) else fault_of(folder)


def was_closed(folder: Path) -> bool:
    """Return whether the tables in a folder were ever closed properly."""
    return _note_of(folder).is_file()


def is_unchanged_since_close(folder: Path) -> bool:
    """Return whether nothing changed in a folder since its tables were closed properly."""
    return was_closed(folder) and _note_of(folder).read_bytes() == state_of(folder).encode()


def fault_of(folder: Path) -> str:
    """Return the fault of the tables in a folder, or an empty text if they are sound.

    No process may use the folder.

    Raises:
        AvailabilityError: a process uses it.

    """
    command = module_command("projections.store.health", str(folder.resolve()))
    deadline = time.monotonic() + PATIENCE_SECONDS
    try:
        while (done := _run(command)).returncode == BUSY:
            if time.monotonic() > deadline:
                text = f"the tables in {folder} are in use by another process"
                raise AvailabilityError(f"{text} ({holder_of(folder)}): stop it and repeat")
            time.sleep(LOOK_SECONDS)
    except subprocess.TimeoutExpired:
        return "the engine does not answer"
    if done.returncode == 0:
        return ""
    if done.returncode == FAULTY:
        return done.stdout.decode(errors="replace").strip()
    if done.returncode < 0:
        return f"the engine ends with {signal.Signals(-done.returncode).name}"
    return f"the engine ends with exit code {done.returncode}"


def _run(command: list[str]) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(command, capture_output=True, timeout=SECONDS_MAX, check=False)  # noqa: S603 - our own program


def record_close(folder: Path) -> None:
    """Record the state of the folder after its sound tables were closed."""
    _note_of(folder).write_text(state_of(folder))


def forget(folder: Path) -> None:
    """Delete that record, so that the folder is examined before it is opened again."""
    _note_of(folder).unlink(missing_ok=True)


def state_of(folder: Path) -> str:
    """Return a digest of the names, lengths and times of all files; reading them takes too long.

    An unreadable folder has its own digest.
    """
    found: list[str] = []

    def look(place: str, within: str) -> None:
        try:
            entries = list(os.scandir(place))
        except OSError as error:
            found.append(f"{within}\0{error.errno}\n")
            return
        for entry in entries:
            name = f"{within}/{entry.name}"
            if entry.is_dir(follow_symlinks=False):
                look(entry.path, name)
            else:
                facts = entry.stat(follow_symlinks=False)
                found.append(f"{name}\0{facts.st_size}\0{facts.st_mtime_ns}\n")

    look(str(folder), "")
    return sha256("".join(sorted(found)).encode(errors="surrogateescape")).hexdigest()


def _note_of(folder: Path) -> Path:
    return folder.with_name(f"{folder.name}.seen")
