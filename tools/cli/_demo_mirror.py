"""The mirror of the demo: an authority that holds the chain."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

from ledger.core.clock import StoppedClock
from ledger.decisions.operator.keys import AddSigningKey, RecordCheckpoint
from ledger.tlog.signing import SigningKey
from tools.cli._mirror import copies_of
from tools.cli._output import echo, progress
from tools.mirror.folder import MirrorFolder
from tools.mirror.mirror import Mirror
from tools.mirror.pulling import pull

if TYPE_CHECKING:
    from pathlib import Path

    from tools.cli._mirror import CopyStatus
    from tools.data import DataDirectory

__all__ = ["hold_copy", "sign"]


def sign(directory: DataDirectory, moment: int) -> None:
    """Sign a chain with a new key.

    Args:
        directory: of the chain.
        moment: when it is signed, in microseconds; not before the chain ends.

    """
    with directory.write(clock=StoppedClock(moment)) as ledger:
        key = SigningKey.create(directory.signing_key_path, ledger.chain)
        ledger.execute(
            AddSigningKey(key_id=key.key_id, public_key=key.public.raw, reason="Of the demo.")
        )
        ledger.execute(RecordCheckpoint.of(ledger.checkpoint(), key))


def hold_copy(folder: Path, chain: DataDirectory, moment: int) -> CopyStatus:
    """Mirror a signed chain, as an authority does, and return what it holds."""
    held = MirrorFolder(folder)
    held.create("authority.example/mirror")
    key = SigningKey.load(chain.signing_key_path).public
    with held.turn() as turn:
        turn.add_key(key)
    with (
        closing(Mirror(held, StoppedClock(moment), echo)) as mirror,
        progress("mirroring") as advance,
    ):
        pull(mirror, key.name, str(chain), progress=advance)
    (copy,) = copies_of(held)
    return copy
