"""What is decided while a batch is being stored asks the log for nothing that may be in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import ledger.batch_decider
from ledger.decisions.decider import AHEAD, decide
from ledger.log.memory import MemoryLog
from tools.simulator import ALL, CARD_ROOM, create, run

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from ledger.decisions.decider import DecisionResult
    from ledger.events.command import Command
    from ledger.log.port import Query
    from ledger.state.ledger_state import LedgerState

OF_ONE = {"account", "round", "tournament"}
OF_CHIPS = {"BoxTaken", "ColourChipsIssued", "ColourChipsReturned", "SeatTaken", "SeatLeft"}
"""Tags of what is in memory, and stays there, while it is being stored."""


def test_rounds_and_hands_ask_the_log_for_accounts_rounds_and_tournaments_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kinds: set[type[Command]] = set()
    asking: list[type[Command]] = []

    class WatchedLog(MemoryLog):
        """A log that lets a decision ask only what it may."""

        def find(self, query: Query, **limits: Any) -> list[int]:
            if asking:
                tags = {tag.partition(":")[0] for tag in query.tags}
                if query.types and set(query.types) <= OF_CHIPS:  # those decided count as well
                    return super().find(query, **limits)
                assert len(tags) == 1, f"{asking[-1].__name__} asks for {query}"
                assert tags <= OF_ONE, f"{asking[-1].__name__} asks for {query}"
            return super().find(query, **limits)

    def watched(ledger_state: LedgerState, command: Command, now: int) -> DecisionResult:
        if type(command) not in AHEAD:
            return decide(ledger_state, command, now)
        kinds.add(type(command))
        asking.append(type(command))
        try:
            return decide(ledger_state, command, now)
        finally:
            asking.pop()

    monkeypatch.setattr(ledger.batch_decider, "decide", watched)
    with create(WatchedLog(), tmp_path / "keys", seed=11) as played:
        run(played, seed=11, hours=0.1, players=40, dealt=ALL, card_room=list(CARD_ROOM))
    assert len(kinds) > len(AHEAD) // 2, sorted(kind.__name__ for kind in AHEAD - kinds)
