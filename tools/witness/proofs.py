"""Where proofs of misconduct are kept: a folder of files that are never changed.

A file is named by what it holds, so the same proof is kept once and no proof takes the place of
another. One that is not whole, because a disk was full or a machine stopped, is written again.
"""

from __future__ import annotations

import os
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

from ledger.core.errors import AvailabilityError

__all__ = ["PROOFS_MAX", "keep_proof", "kept_proofs"]

READABLE = 0o444
PROOFS_MAX = 1_000
"""So many are enough; a log that signs forks without end shall not fill a disk."""


def keep_proof(folder: Path, proof: str) -> Path:
    """Keep a proof and return its file, which may be there already.

    Raises:
        AvailabilityError: it can't be written, or there are too many.

    """
    path = folder / f"{sha256(proof.encode()).hexdigest()[:32]}.txt"
    content = proof.encode()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if path.exists() and path.read_bytes() == content:
            return path
        if not path.exists() and len(kept_proofs(folder)) >= PROOFS_MAX:
            raise AvailabilityError(f"{folder} holds {PROOFS_MAX} proofs: it takes no more")
        with TemporaryDirectory(dir=folder, prefix=".") as place:
            part = Path(place) / path.name
            with part.open("xb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            part.chmod(READABLE)
            part.rename(path)
    except OSError as error:
        raise AvailabilityError(f"the proof {path} can't be written: {error}") from error
    return path


def kept_proofs(folder: Path) -> list[Path]:
    """Return the files of a folder of proofs, of one that is not there none."""
    return sorted(folder.glob("*.txt"))
