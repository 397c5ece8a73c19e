"""Sources of a simulated evening that seal what they send; each fault of a source is found."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from projections.reconciliation.reconcile import reconcile
from projections.store.projector import Projector
from tests.projections.history_cases import emptied
from tests.sealed_evenings import played
from tools.simulator import SourceFault

if TYPE_CHECKING:
    from pathlib import Path

    from ledger.log.memory import MemoryLog
    from projections.findings.finding import Finding
    from projections.store.tables import Store

EXPECTED: dict[SourceFault | None, set[str]] = {
    None: set(),
    SourceFault.LOST: {"SENT_NOT_RECORDED"},
    SourceFault.LEFT_OUT: {"RECORDED_NOT_SENT"},
    SourceFault.NUMBERED_TWICE: {"SENT_TWICE"},
    SourceFault.NUMBERED_LATE: {"SENT_OUT_OF_ORDER"},
    SourceFault.SEAL_LOST: {"SENT_NUMBERS_MISSING", "RECORDED_NOT_SENT", "SEAL_OVERDUE"},
    SourceFault.CUT_OFF: {"SEAL_OVERDUE"},
    SourceFault.NUMBERS_USED_AGAIN: {
        *("SEAL_CONTRADICTED", "SENT_NUMBERS_MISSING", "SENT_OUT_OF_ORDER"),
    },
}
ALL_CODES = frozenset().union(*EXPECTED.values())
LARGE = ("web", "studio", "app", "pit", "platform")
"""Systems that send often enough for any fault."""


def found_in(log: MemoryLog, store: Store) -> list[Finding]:
    projector = Projector(log, emptied(store))
    projector.catch_up()
    return reconcile(store, only=ALL_CODES)


@pytest.mark.law("L-19")
@pytest.mark.slow
def test_each_fault_of_a_source_is_found_and_nothing_else(tmp_path: Path, store: Store) -> None:
    faults = list(EXPECTED)
    for turn in range(0, len(faults), len(LARGE)):
        sources = dict(zip(LARGE, faults[turn : turn + len(LARGE)], strict=False))
        found = found_in(played(tmp_path / str(turn), sources), store)
        for name, fault in sources.items():
            codes = {one.code for one in found if f": {name}, " in one.sentence}
            assert codes == EXPECTED[fault], (name, fault)
