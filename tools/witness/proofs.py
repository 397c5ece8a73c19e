"""Store proofs of misconduct: a folder of files that are never changed.

The name of a file is derived from its content, so the same proof is stored once and no proof
replaces another. An incomplete file, left by a full disk or a crash, is written again.
"""

from __future__ import annotations

import os
from hashlib import sha256
from typing import TYPE_CHECKING

from ledger.core.errors import AvailabilityError
from tools.whole_files import write_whole

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["PROOFS_MAX", "keep_proof", "stored_proofs"]

NEVER_CHANGED = 0o444
PROOFS_MAX = 1_000
"""So many are enough; a log that signs forks without end shall not fill a disk."""


def keep_proof(folder: Path, proof: str) -> Path:
    """Store a proof and return its file, which may already exist.

    Raises:
        AvailabilityError: the file can't be written, or there are too many.
        InputError: a folder has the name of the file.

    """
    content = proof.encode()
    path = folder / f"{sha256(content).hexdigest()[:32]}.txt"
    if not os.path.lexists(path) and len(stored_proofs(folder)) >= PROOFS_MAX:
        raise AvailabilityError(f"{folder} holds {PROOFS_MAX} proofs: it takes no more")
    write_whole(path, content, replacing=True, mode=NEVER_CHANGED)
    return path


def stored_proofs(folder: Path) -> list[Path]:
    """Return the files of a folder of proofs; none if the folder does not exist."""
    return sorted(folder.glob("*.txt"))
