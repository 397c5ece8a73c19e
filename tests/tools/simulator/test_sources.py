"""Sources of a simulated evening that seal what they send."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.events.encoding import decode
from tests.sealed_evenings import played
from tools.simulator import SourceFault

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

OTHERS = {"SourceRegistered", "SourceSealed", "CheckpointSigned"}


def test_an_evening_with_seals_has_the_events_of_one_without(tmp_path: Path) -> None:
    def events(sources: Mapping[str, SourceFault | None]) -> list[object]:
        log = played(tmp_path / str(len(sources)), sources)
        found = [decode(body).event for _, body in log.read()]
        return [one for one in found if one.type not in OTHERS]

    assert events({"studio": None, "cage": SourceFault.LOST}) == events({})
