"""A process that projects, and may be killed in the middle of a write.

``python killed_projection.py DIRECTORY SEED STEP``: at write number STEP the process kills
itself as hard as the system allows; with 0 it goes to the end. Prints the digest of every
table, as JSON.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from typing import Any

from projections.store.projector import Projector
from projections.store.rebuild import rebuild
from tests.projections.projection_cases import money_history
from tests.projections.projection_faults import FaultyStore, digests


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def main(path: str, seed: str, step: str, way: str) -> None:
    history: Any = money_history(int(seed), 200).log()
    with FaultyStore.open(path, name="killed") as store:
        store.plan(int(step), die)
        if way == "rebuild":
            rebuild(history, store, messages_max=90)
        else:
            Projector(history, store, messages_max=90).catch_up()
        store.plan(0, die)
        print(json.dumps({"digests": digests(store), "databases": store.databases()}))  # noqa: T201 - what the test reads


if __name__ == "__main__":
    main(*sys.argv[1:])
