# needs = ["HandStarted", "ChipRaceHeld"]
# reads = ["HandsSet", "SeatLeft", "SeatDrawn", "PlayerEliminated", "ChipsHandedBack"]
#
# [PLAYER_NOT_SEATED]
# name.en = "Player without a seat"
# name.cs = "Hráč bez místa"
# text.en = "The player had no seat at the table of the tournament, or was out."
# text.cs = "Hráč neměl místo u stolu turnaje nebo byl z turnaje vyřazen."
#
# [FANTASYLAND_WRONG]
# name.en = "Wrong Fantasyland"
# name.cs = "Neoprávněná nebo chybějící Fantasy Land"
# text.en = "The player began the game in Fantasyland, or not, wrongly: {detail:phrase}."
# text.cs = "Hráč neměl začínat hru ve Fantasy Land, nebo v ní začínat měl: {detail}."
#
# [CHIP_RACE_WRONG]
# name.en = "Wrong chip race"
# name.cs = "Chybný chip race"
# text.en = "The chip race was held against the rules: {detail:phrase}."
# text.cs = "Chip race proběhl v rozporu s pravidly: {detail}."
#
# [TABLES_UNEQUAL]
# name.en = "Unequal tables of a tournament"
# name.cs = "Nevyrovnané stoly turnaje"
# text.en = """\
#   Two hands in a row began at the table with at least two more players than another one has: \
#   {detail:phrase}."""
# text.cs = """\
#   U stolu začaly dvě hry za sebou s nejméně o dva hráče více, než je u jiného stolu: {detail}."""
# paragraph = "69GAMES operation, seats of a tournament"

"""Check seats, Fantasyland and chip races of a card room, across hands.

What comes in: seats, eliminations, hands, sets of open-face poker and chip races, below a position.
What goes out: findings. A tournament player must play at the table where the seat was drawn, and
must not play after elimination. An open-face player is in Fantasyland if, and only if, the player's
previous set at the table earned it. Between two hands of a table its players are balanced with the
other tables. A chip race gives each player at most one chip of the higher
value, and to all players together no more than the value of their chips.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from ledger.core.phrases import Phrase
from ledger.events import event_types as e
from projections.findings.finding import DetectedFinding
from projections.store.events import read_events

if TYPE_CHECKING:
    from collections.abc import Iterator

    from projections.checks import CheckInput
    from projections.store.events import EventAt

__all__ = ["find"]

UNEQUAL = 2
"""Number of players by which a table may not be above another."""
OF_OPEN_FACE = "table IN (SELECT table FROM HandsSet WHERE position < {end:Int64})"
WANTED = {
    "HandStarted": "",
    "HandsSet": "",
    "SeatLeft": OF_OPEN_FACE,
    "SeatDrawn": "",
    "PlayerEliminated": "",
    "ChipsHandedBack": "",
    "ChipRaceHeld": "",
}


class _Seats:
    """Seats of tournaments: the table of each player, and the number of players at each."""

    def __init__(self) -> None:
        self.tables: dict[tuple[str, str], str] = {}
        self.players: defaultdict[str, Counter[str]] = defaultdict(Counter)

    def move(self, tournament: str, account: str, table: str) -> None:
        """Seat a player at a table, or at none."""
        players = self.players[tournament]
        if before := self.tables.pop((tournament, account), ""):
            players[before] -= 1
        if table:
            self.tables[tournament, account] = table
            players[table] += 1


def find(of: CheckInput) -> Iterator[DetectedFinding]:
    """Find players without a seat, wrong Fantasylands, and chip races that break the rules."""
    seats = _Seats()
    earned: set[tuple[str, str]] = set()
    unequal = set[tuple[str, str]]()
    for at in read_events(of.store, WANTED, first=0, end=of.size):
        match at.event:
            case e.SeatDrawn() as event:
                seats.move(event.tournament, event.account, event.table)
            case e.PlayerEliminated() as event:
                for name in event.accounts:
                    seats.move(event.tournament, name, "")
            case e.ChipsHandedBack() as event:
                seats.move(event.tournament, event.account, "")
            case e.SeatLeft() as event:
                earned.discard((event.table, event.account))
            case e.HandsSet() as event:
                place = (event.table, event.account)
                earned = earned | {place} if event.fantasyland else earned - {place}
            case e.HandStarted():
                yield from _started(at, seats, earned)
                if at.event.tournament:
                    yield from _balanced(at, seats, unequal)
            case e.ChipRaceHeld() as event:
                fault = _fault_of_race(event)
                if fault:
                    yield DetectedFinding("CHIP_RACE_WRONG", position=at.position, detail=fault)


def _balanced(
    at: EventAt[e.HandStarted], seats: _Seats, unequal: set[tuple[str, str]]
) -> Iterator[DetectedFinding]:
    """Find the second hand in a row at a table that has too many players."""
    event = at.event
    players = seats.players[event.tournament]
    own, least = players[event.table], min(filter(None, players.values()), default=0)
    place = (event.tournament, event.table)
    if own - least < UNEQUAL:
        unequal.discard(place)
    elif place in unequal:
        detail = Phrase("PLAYERS_AT_TABLES", table=event.table, count=own, least=least)
        yield DetectedFinding(
            "TABLES_UNEQUAL", position=at.position, round=event.round, detail=detail
        )
    else:
        unequal.add(place)


def _started(
    at: EventAt[e.HandStarted], seats: _Seats, earned: set[tuple[str, str]]
) -> Iterator[DetectedFinding]:
    event = at.event
    for name in event.accounts if event.tournament else ():
        if seats.tables.get((event.tournament, name)) != event.table:
            yield DetectedFinding(
                "PLAYER_NOT_SEATED", position=at.position, account=name, round=event.round
            )
    for name in event.accounts if event.point_value else ():
        is_due = (event.table, name) in earned
        if is_due != (name in event.in_fantasyland):
            yield DetectedFinding(
                "FANTASYLAND_WRONG",
                position=at.position,
                account=name,
                round=event.round,
                detail=Phrase("FANTASYLAND_EARNED" if is_due else "FANTASYLAND_UNEARNED"),
            )


def _fault_of_race(event: e.ChipRaceHeld) -> Phrase | None:
    if event.higher <= event.chip or event.higher % event.chip:
        return Phrase("CHIP_NO_MULTIPLE")
    if len(set(event.won)) != len(event.won) or not set(event.won) <= set(event.accounts):
        return Phrase("CHIPS_PER_PLAYER")
    if len(event.won) > -(-sum(event.odd) * event.chip // event.higher):
        return Phrase("CHIPS_ABOVE_ODD")
    return None
