"""What a loss of power leaves of each durable file opens whole, with all that was acknowledged."""

from __future__ import annotations

import shutil
from itertools import islice
from random import Random
from typing import TYPE_CHECKING

import pytest

from tests.crashes.crash_programs import PROGRAMS
from tests.crashes.crash_states import examine, recorded, states

if TYPE_CHECKING:
    from pathlib import Path

    from tests.crashes.crash_disk import Recording

pytestmark = pytest.mark.skipif(
    shutil.which("strace") is None, reason="writes are recorded by strace: apt-get install strace"
)

STATES = {"log": 10, "accesses": 20, "tiles": 15, "mirror": 8}
"""Those that cost more than 10 ms each; of the others 60."""
ACKNOWLEDGED_MAX = 10


@pytest.fixture(scope="module")
def recordings() -> dict[str, Recording]:
    return recorded()


@pytest.mark.law("SAZKA 13(5)", "L-20")
@pytest.mark.parametrize("name", PROGRAMS)
def test_every_crash_state_opens_whole_with_what_was_acknowledged(
    name: str, recordings: dict[str, Recording], tmp_path: Path
) -> None:
    recording = recordings[name]
    chance = Random(name)
    least = list(recording.acknowledged())
    assert len(least) >= 2
    few = chance.sample(least, min(len(least), ACKNOWLEDGED_MAX))
    for crash in [*few, *(recording.random(chance) for _ in range(STATES.get(name, 60)))]:
        assert examine(name, crash, tmp_path / "crashed") == "", crash.at


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("log", "log.sqlite-wal"),
        ("accesses", "log.sqlite-wal"),
        ("keys", "persons.sqlite"),
        ("witness", "state.sqlite"),
        ("watch", "watch.sqlite-wal"),
        ("feed", "feed.sqlite-wal"),
        ("note", "head.note"),
        ("mirror", "log.sqlite-wal"),
    ],
)
def test_a_sync_that_is_missing_is_found(
    name: str, file: str, recordings: dict[str, Recording], tmp_path: Path
) -> None:
    without = recordings[name].without_syncs(file)
    assert len(without.steps) < len(recordings[name].steps)
    for crash in islice(states(without, Random(1)), 60):
        try:
            if examine(name, crash, tmp_path / "crashed"):
                return
        except AssertionError:
            return
    pytest.fail("not one of 60 states shows it")
