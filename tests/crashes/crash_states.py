"""Open what crashes left: ``python tests/crashes/crash_states.py --seconds 60``."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
import time
import traceback
from itertools import chain
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from ledger.core.errors import IntegrityError
from tests.crashes.crash_disk import Crash, Recording, Synced, record
from tests.crashes.crash_programs import PROGRAMS

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

__all__ = ["examine", "recorded", "states"]

HERE = Path(__file__).parent
REPEATS_MAX = 1000
"""States that were there before, one behind the other, until there seem to be no others."""


def recorded(names: Collection[str] = PROGRAMS.keys()) -> dict[str, Recording]:
    """Run programs once and return what each did to the disk."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place).resolve()
        for name in names:
            (folder / name).mkdir()
        path = os.pathsep.join(sys.path)
        command = [sys.executable, str(HERE / "crash_programs.py"), str(folder), *names]
        return record(["env", f"PYTHONPATH={path}", *command], folder)


def states(recording: Recording, chance: Random) -> Iterator[Crash]:
    """Yield each state once: what is least after each acknowledgement, then all others."""
    seen: set[bytes] = set()
    repeats = 0
    for crash in chain(recording.acknowledged(), recording.states(chance)):
        repeats = repeats + 1 if crash.digest in seen else 0
        if not repeats:
            seen.add(crash.digest)
            yield crash
        elif repeats == REPEATS_MAX:
            return


def examine(name: str, crash: Crash, folder: Path) -> str:
    """Open what a crash left twice, go on, and open it again; return the damage that was named."""
    program = PROGRAMS[name]
    crash.restore(folder)
    try:
        first = program.read(folder, crash.said)
        assert program.read(folder, crash.said) == first, "another opening finds something else"
        program.go_on(folder)
        program.read(folder, crash.said)
    except IntegrityError as error:
        return str(error)
    finally:
        shutil.rmtree(folder)
    return ""


def main() -> None:
    """Examine states of each program until its share of the time is over; print what failed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("programs", nargs="*", default=list(PROGRAMS), help=", ".join(PROGRAMS))
    parser.add_argument("--seconds", type=float, default=60, help="of each program")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    asked = parser.parse_args()
    failed = 0
    recordings = recorded(asked.programs)
    print(f"seed {asked.seed}")
    for name, recording in recordings.items():
        end, number = time.monotonic() + asked.seconds, 0
        with tempfile.TemporaryDirectory() as folder:
            for crash in states(recording, Random(asked.seed)):
                number += 1
                failed += not _stands(name, crash, Path(folder, "crashed"))
                if time.monotonic() > end:
                    break
        syncs = sum(isinstance(step, Synced) for step in recording.steps)
        print(f"{name}: {len(recording.steps)} steps, {syncs} syncs, {number} states")
    print(f"{failed} failed")
    sys.exit(bool(failed))


def _stands(name: str, crash: Crash, folder: Path) -> bool:
    try:
        why = examine(name, crash, folder)
    except Exception:  # noqa: BLE001 - whatever it is, it is printed
        why = traceback.format_exc()
    if why:
        print(f"{name}, after step {crash.at}: {why}")
    return not why


if __name__ == "__main__":
    main()
