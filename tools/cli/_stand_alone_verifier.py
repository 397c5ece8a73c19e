"""``log verify`` by the stand-alone verifier, where its package is installed with this program.

What comes in: the folder of a log, and what the reader knows from elsewhere. What goes out: the
result of ``ledger.verification.verify.verify``, or None: the verifier is not installed, or it found
something. Then the reference in this program verifies, and its answer stands, so that faults have
the same texts and places everywhere.
"""

from __future__ import annotations

import subprocess
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec.json import decode

from ledger.core.message import Head
from ledger.log.index.check import IndexCheck
from ledger.log.index.sums import KeySums
from ledger.storage.workplace import temporary_folder
from ledger.tlog.signing import PublicKey
from ledger.verification.verify import UnknownSchema, VerificationResult

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ledger.log.port import ReadableLog

__all__ = ["DISTRIBUTION", "Finding", "installed", "verify_log"]

DISTRIBUTION = "gameledger-verify"

_INTEGRITY = 3
_ANSWERED = (0, 1)


class Finding(NamedTuple):
    """The answer of the stand-alone verifier.

    Attributes:
        result: what it verified; None if it gives no result.
        indexed: the size up to which the index was compared.
        is_fault: whether it found a fault in the records.

    """

    result: VerificationResult | None
    indexed: int = 0
    is_fault: bool = False


def installed() -> Path | None:
    """Return the program, if its package has the version of this one: it knows the same events."""
    try:
        package = metadata.distribution(DISTRIBUTION)
        if package.version != metadata.version("gameledger"):
            return None
    except metadata.PackageNotFoundError:
        return None
    paths = [Path(str(file.locate())) for file in package.files or () if file.name == DISTRIBUTION]
    return next((path for path in paths if path.is_file()), None)


def verify_log(
    program: Path,
    log: ReadableLog,
    folder: Path,
    index: Path,
    *,
    keys: Sequence[PublicKey],
    since: Path | None,
    reads_facts: bool,
    jobs: int,
    progress: Callable[[int], None],
) -> Finding:
    """Verify a log on SQLite, and its index.

    Args:
        program: as :func:`installed` returns it.
        log: the log, open.
        folder: where its file is.
        index: path of the index.
        keys: public keys that the reader trusts.
        since: file of a note that the chain must contain.
        reads_facts: decode every message; otherwise the index is not compared.
        jobs: threads; 0: one for each core.
        progress: called at the end with the number of verified messages.

    Raises:
        IntegrityError: the index does not match the messages.
        AvailabilityError: the index can't be read.

    """
    check = IndexCheck(index, log) if reads_facts else None
    with temporary_folder() as temporary:
        options = ["--json", "log", str(folder), "--jobs", str(jobs)]
        if check is None:
            options.append("--links")
        else:
            options += ["--index-keys", f"{check.keys.secret.hex()}:{check.keys.size}"]
        if keys:
            file = temporary / "keys.txt"
            file.write_text("".join(f"{key.text}\n" for key in keys), encoding="ascii")
            options += ["--key", str(file)]
        if since is not None:
            options += ["--since", str(since)]
        command = [str(program), *options]
        done = subprocess.run(command, check=False, capture_output=True)  # noqa: S603 - of our package
    if done.returncode not in _ANSWERED:
        return Finding(None, is_fault=done.returncode == _INTEGRITY)
    answer = decode(done.stdout)
    progress(answer["size"])
    sums = answer["index"]
    if check is not None:
        check.expect(KeySums(sums["number"], int(sums["total"], 16)), sums["foreign"])
    return Finding(_result(answer), check.finish() if check else 0)


def _result(answer: dict[str, Any]) -> VerificationResult:
    """Return the answer as the reference gives it."""
    return VerificationResult(
        chain=answer["chain"],
        head=Head(answer["size"], bytes.fromhex(answer["head"])),
        root=bytes.fromhex(answer["root"]),
        decisions=answer["decisions"],
        checkpoints=answer["checkpoints"],
        covered=answer["covered"],
        first_recorded_at=answer["first_recorded_at"],
        last_recorded_at=answer["last_recorded_at"],
        keys=tuple(map(PublicKey.parse, answer["keys"])),
        unknown=tuple(UnknownSchema(**schema) for schema in answer["unknown"]),
    )
