"""One evening of all games, replayed: a round of each, that with the most bets."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

import pytest

from ledger.log.memory import MemoryLog
from projections.replay.from_log import RoundLines, replay
from tools.simulator import ALL, CARD_ROOM, create, run

if TYPE_CHECKING:
    from collections.abc import Iterator

    from projections.replay.round import Replay

ROUNDS_EACH = 1


@pytest.fixture(scope="session")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MemoryLog]:
    log = MemoryLog()
    ledger = create(log, tmp_path_factory.mktemp("keys"), seed=11)
    run(ledger, seed=11, hours=0.2, players=60, dealt=ALL, card_room=list(CARD_ROOM))
    yield log
    ledger.close()


@pytest.fixture(scope="session")
def replays(evening: MemoryLog) -> dict[str, list[Replay]]:
    rounds = defaultdict(list)
    for line in RoundLines(evening).newest(evening.head().size, 1000):
        rounds[line.game].append(line)
    return {
        game: [
            replay(evening, line.round)
            for line in sorted(lines, key=lambda one: (one.bets, one.round))[-ROUNDS_EACH:]
        ]
        for game, lines in rounds.items()
    }


def pytest_itemcollected(item: pytest.Item) -> None:
    """Let one worker run them: they share the pictures of an evening."""
    item.add_marker(pytest.mark.xdist_group("pictures"))
