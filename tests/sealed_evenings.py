"""A short simulated evening whose sources seal what they send, verified."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.log.memory import MemoryLog
from ledger.verification.verify import verify
from tools.simulator import create, run

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from tools.simulator import SourceFault


def played(folder: Path, sources: Mapping[str, SourceFault | None]) -> MemoryLog:
    log, copy = MemoryLog(), MemoryLog()
    with create(log, folder, seed=3) as ledger:
        run(ledger, seed=3, hours=0.5, players=12, tables=2, casino=True, sources=sources)
        copy.append(log._messages)
    verify(copy.read())
    return copy
