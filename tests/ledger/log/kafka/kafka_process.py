"""A writer in a process of its own: appends until it is killed, and says what was acknowledged."""

from __future__ import annotations

import sys
from itertools import count
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[4]))

from ledger.log.kafka.log import KafkaLog
from tests.ledger.chain_cases import Chain, landed


def main(url: str, directory: str) -> None:
    log = KafkaLog(url, directory, writable=True)
    chain = Chain.behind(log) if log.head().size else Chain()
    if not chain.head.size:
        log.append(chain.open().messages)
    for number in count():
        batch = chain.add(landed(number % 37), landed(number % 37, "r-2"))
        head = log.append(batch + chain.add(landed(number % 37)))
        sys.stdout.write(f"{head.size} {head.hash.hex()}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
