"""Evidence files, verified by the stand-alone program ``gameledger-verify``."""

from __future__ import annotations

import shutil
import subprocess
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from gameledger_client._errors import DamagedError, RequestError

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["Verdict", "verify_evidence"]

PROVED, INCOMPLETE, WRONG_INPUT = 0, 1, 2
SECONDS_MAX = 600


class Verdict(NamedTuple):
    """``is_proved`` if everything is; ``report`` is the verifier's answer in JSON."""

    is_proved: bool
    report: dict[str, Any]


def verify_evidence(
    file: str | Path, *, key: str | Path | None = None, program: str = "gameledger-verify"
) -> Verdict:
    """Verify an evidence file.

    Args:
        file: HTML or JSON.
        key: file of public keys that you trust; without it, the owner of the key is not checked.
        program: the verifier.

    Raises:
        RequestError: the program or the file is missing.
        DamagedError: the file is not what it claims to be.

    """
    if (verifier := shutil.which(program)) is None:
        raise RequestError(f"{program} is not installed: pip install gameledger-verify")
    options = [] if key is None else ["--key", str(key)]
    done = subprocess.run(  # noqa: S603 - the verifier that was named
        [verifier, "evidence", str(file), *options, "--json"],
        capture_output=True,
        text=True,
        timeout=SECONDS_MAX,
        check=False,
    )
    if done.returncode == WRONG_INPUT:
        raise RequestError(done.stderr.strip() or done.stdout.strip())
    if done.returncode not in {PROVED, INCOMPLETE}:
        raise DamagedError(done.stdout.strip() or done.stderr.strip())
    return Verdict(done.returncode == PROVED, msgspec.json.decode(done.stdout, type=dict[str, Any]))
