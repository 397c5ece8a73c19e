from __future__ import annotations

import json
import random
import threading
from typing import TYPE_CHECKING

import pytest

from ledger.events.encoding import hash_of
from ledger.log.sqlite import SqliteLog
from ledger.verification.verify import verify
from tests.tools.cli_cases import login, started

if TYPE_CHECKING:
    from pathlib import Path

ROUNDS = 50
KILL_AFTER_LINES_MAX = 120
READY_SECONDS = 180


@pytest.mark.slow
def test_killing_record_keeps_every_acknowledged_receipt(studio: Path) -> None:
    """Kill -9 at 50 random moments; the chain holds every receipt and no half decision."""
    chance = random.Random(20261120)
    acknowledged: dict[int, str] = {}
    number = 0
    for _ in range(ROUNDS):
        number += 4 * KILL_AFTER_LINES_MAX
        kill_after = chance.randint(1, KILL_AFTER_LINES_MAX)
        for line in _killed(studio, number, kill_after, delay=chance.uniform(0, 0.004)):
            answer = json.loads(line)
            assert answer["status"] in {"recorded", "refused"}, line
            acknowledged[answer["last_position"]] = answer["hash"]
    log = SqliteLog(studio, writable=False)
    hashes = {position: hash_of(message).hex() for position, message in log.read()}
    verify(log.read())
    log.close()
    assert len(acknowledged) > ROUNDS
    assert {position: hashes.get(position) for position in acknowledged} == acknowledged


def _killed(data: Path, first: int, kill_after: int, *, delay: float) -> list[str]:
    """Log in and out, kill the process after some answers; return every whole line it wrote.

    A login is a decision of two events, so that half of one would show.
    """
    process = started("record", data=data)
    enough = threading.Event()
    lines: list[str] = []

    def read() -> None:
        for line in process.stdout:
            if line.endswith(b"\n"):
                lines.append(line.decode())
            if len(lines) >= kill_after:
                enough.set()
        enough.set()

    def feed() -> None:
        try:
            for number in range(first, first + 2 * KILL_AFTER_LINES_MAX):
                process.stdin.write(json.dumps(login(number)).encode() + b"\n")
            process.stdin.flush()
        except BrokenPipeError:
            pass

    threads = [threading.Thread(target=work, daemon=True) for work in (read, feed)]
    for thread in threads:
        thread.start()
    is_ready = enough.wait(READY_SECONDS)
    threading.Event().wait(delay)
    process.kill()
    assert is_ready
    for thread in threads:
        thread.join(READY_SECONDS)
    process.wait(READY_SECONDS)
    process.close()
    return lines
