"""The evidence of the demo: its evening signed, and one of its rounds proved in a file."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

from ledger.core.clock import StoppedClock
from projections.evidence.collect import round_evidence
from projections.evidence.document import encode
from projections.evidence.page import page_of
from tools.cli._demo_mirror import sign
from tools.whole_files import write_whole

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from ledger.events.command import Command
    from tools.data import DataDirectory

__all__ = ["prove_round"]


def prove_round(
    directory: DataDirectory, round_name: str, moment: int, behind: Sequence[Command]
) -> Path:
    """Sign the chain with a new key, and write the evidence of a round.

    Args:
        directory: of the demo.
        round_name: the round.
        moment: when it is signed, in microseconds; not before the chain ends.
        behind: what is recorded before.

    """
    with directory.write(clock=StoppedClock(moment)) as ledger:
        for command in behind:
            ledger.execute(command)
    sign(directory, moment)
    target = directory.path / "evidence.html"
    with closing(directory.read()) as log:
        write_whole(target, page_of(encode(round_evidence(log, round_name))))
    return target
