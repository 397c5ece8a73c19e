"""The simulated card room: hands, games and tournaments, all of them sound."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest

from ledger.core.clock import MINUTE
from ledger.events.encoding import decode
from ledger.log.memory import MemoryLog
from projections.checks.hands import check_hand
from projections.resettlement.hands import hand_in
from projections.store.events import EventAt
from tools.simulator import START, create, run
from tools.simulator._card_room import CARD_ROOM, CardRoom
from tools.simulator._people import HABITS, make_person
from tools.simulator._players import Player
from tools.simulator._stage import Stage

if TYPE_CHECKING:
    from pathlib import Path

    from ledger.events.encoding import RecordedEvent
    from ledger.events.event_types import Event
    from ledger.writer import Ledger

CASH = [game for game in CARD_ROOM if game.endswith("_cash")]
CUPS = [game for game in CARD_ROOM if game.endswith("_tournament")]


class Room:
    """An evening of one card room, played into a log in memory."""

    def __init__(self, folder: Path, games: list[str], minutes: float, seed: int = 1) -> None:
        self.log = MemoryLog()
        self.ledger: Ledger = create(self.log, folder / "keys", seed=seed)
        stage = Stage(self.ledger, seed=seed, start=START - 20 * MINUTE, window=64)
        self.stage, self.notable, self.number = stage, {}, 0  # type: ignore[var-annotated]
        self.room = CardRoom(stage, games, self.notable, self.new_player)
        self.players = self.room.players
        self.room.open()
        stage.after(minutes * 60, self.room.close)
        stage.run()
        stage.drain()

    def new_player(self) -> Player:
        self.number += 1
        random = self.stage.random
        return Player(
            self.stage,
            account=f"k-{self.number:03d}",
            person=make_person(random, self.number),
            habit=HABITS[2][0],
        )

    def recorded(self) -> list[RecordedEvent]:
        return [decode(body) for _, body in self.log.read()]


def findings_of(recorded: list[RecordedEvent]) -> Counter[str]:
    rounds: dict[str, list[tuple[int, Event]]] = {}
    for one in recorded:
        name = getattr(one.event, "round", "")
        if name:
            rounds.setdefault(name, []).append((one.position, one.event))
    found: Counter[str] = Counter()
    for events in rounds.values():
        history = hand_in([EventAt(position, 0, event) for position, event in events])
        if history is not None:
            found.update(one.code for one in check_hand(history, {}).findings)
    return found


@pytest.mark.parametrize("game", CASH)
def test_an_evening_at_a_cash_table_is_sound(tmp_path: Path, game: str) -> None:
    room = Room(tmp_path, [game], minutes=45)
    recorded = room.recorded()
    kinds = Counter(one.event.type for one in recorded)
    assert kinds["HandStarted"] > 15
    assert not kinds["ContradictionRecorded"]
    wrong = {} if "ofc" in game else {"PAID_TOO_LITTLE": 1}
    assert findings_of(recorded) == wrong
    if not wrong:
        assert kinds["PointsSettled"] == kinds["RakeTaken"] == kinds["HandStarted"]
    else:
        assert set(room.notable) == {"misdeal_round", "wrong_pot_round"}
    for player in room.players:
        assert room.ledger._ledger_state.account(player.account).wallet == player.wallet
    room.ledger.close()


@pytest.mark.parametrize("game", CUPS)
def test_a_tournament_is_played_to_its_prizes(tmp_path: Path, game: str) -> None:
    room = Room(tmp_path, [game], minutes=45)
    recorded = room.recorded()
    kinds = Counter(one.event.type for one in recorded)
    assert kinds["TournamentEnded"] == 1
    assert kinds["TournamentEntryPaid"] >= (4 if "ofc" in game else 10)
    assert kinds["TournamentEntryReturned"] == 1
    assert kinds["TournamentPrizePaid"] >= 1
    assert not findings_of(recorded)
    (ended,) = (one.event for one in recorded if one.event.type == "TournamentEnded")
    prizes = [one.event for one in recorded if one.event.type == "TournamentPrizePaid"]
    assert sum(prize.paid for prize in prizes) == ended.prize_pool
    assert sum(ended.stakes) == ended.prize_pool + ended.fee - ended.top_up
    room.ledger.close()


def test_a_seed_gives_one_chain(tmp_path: Path) -> None:
    heads = set()
    for part in ("one", "two"):
        room = Room(tmp_path / part, CASH, minutes=5, seed=7)
        heads.add(room.ledger.head)
        room.ledger.close()
    assert len(heads) == 1


def test_an_evening_can_be_of_the_card_room_alone(tmp_path: Path) -> None:
    ledger = create(MemoryLog(), tmp_path / "keys", seed=3)
    summary = run(ledger, seed=3, hours=0.2, dealt=(), card_room=list(CARD_ROOM))
    assert summary.rounds > 20
    assert {"tournament", "wrong_pot_round"} <= set(summary.notable)
    ledger.close()
