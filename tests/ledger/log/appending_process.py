"""A writer in a process of its own: appends until it is killed, and says what was acknowledged."""

from __future__ import annotations

import sys
from itertools import count
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from ledger.log import SqliteLog
from tests.ledger.chain_cases import Chain, landed


def main(directory: str) -> None:
    log = SqliteLog(directory, writable=True)
    chain = Chain.behind(log)
    if chain.head.size == 0:
        log.append(chain.open().messages)
    for number in count():
        batch = chain.add(landed(number), landed(number, "r-2"))
        batch = batch + chain.add(landed(number))
        head = log.append(batch)
        sys.stdout.write(f"{head.size} {head.hash.hex()}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1])
