"""Days of packages through an authority and a service that fail at every turn.

Which fault comes when is drawn by a seed. At the end the chain says of every package what the
authority decided, each step once, and nothing is open.
"""

from __future__ import annotations

import random
import signal
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from tests.search import amount
from tests.tools.delivery.delivery_cases import Operator, exchange, recorded
from tools.data import DataDirectory
from tools.delivery.exchange import Exchange

if TYPE_CHECKING:
    from pathlib import Path

SEED = 20251102
PACKAGES = amount(9, 90)
"""Three a day, beside a casino's; 90 are a month, which takes two minutes."""
MANNERS = ("well", "well", "busy", "cut", "expired", "stranger", "garbage")
KILLS = amount(2, 4)


@pytest.mark.search
@pytest.mark.slow
def test_days_of_faults_end_with_what_the_authority_decided(tmp_path: Path) -> None:
    drawn = random.Random(SEED)
    with exchange(tmp_path, PACKAGES) as (data, delivery, authority, names):
        operator = Operator(data, delivery)
        decided: dict[str, str] = {}
        killed_at = set(drawn.sample(range(PACKAGES), KILLS))
        for day in range(0, len(names), 3):
            waiting = names[day : day + 3]
            drawn.shuffle(waiting)  # out of order
            authority.do("behave", how=drawn.choice(MANNERS))
            for number, package in enumerate(waiting, day):
                decided[package] = drawn.choice(("OK", "OK", "OK", "ERR"))
                for _ in range(drawn.choice((1, 1, 2))):
                    authority.do("fetch", package=package, port=operator.port)
                facts = {"package": package, "verdict": decided[package]}
                authority.do("confirm", **facts)
                for how in drawn.sample(("path", "query", "body"), drawn.choice((1, 1, 2))):
                    assert authority.do("notify", port=operator.port, how=how, **facts) == {
                        "status": 200
                    }
                if number in killed_at:
                    operator.end(signal.SIGKILL)
                    operator = Operator(data, delivery)
        authority.do("behave", how="well")
        log = DataDirectory(data).read()
        followed = Exchange(log)
        while followed.open_notices():
            log.wait(log.head().size, 1.0)
        log.close()
        assert operator.end(signal.SIGTERM) == 0
    kinds = ("PackageFetched", "NoticeReceived", "ConfirmationReceived")
    found = recorded(data, *kinds)
    counts = Counter((type(one).__name__, one.series) for one in found)
    assert len(counts) == 3 * len(names)
    for package in names:
        assert counts["PackageFetched", package[:-3]] == 1
        assert counts["ConfirmationReceived", package[:-3]] == 1
    received = {
        f"{one.series}-{one.version:02d}": one.verdict
        for one in found
        if type(one).__name__ == "ConfirmationReceived"
    }
    assert received == decided
    refused = recorded(data, "ConfirmationRefused")
    assert len({(one.series, one.file_digest) for one in refused}) == len(refused) > 0
