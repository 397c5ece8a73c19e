# needs = ["HandStarted", "SeatDrawn"]
# reads = ["HandAction", "RoundResulted", "RoundVoided", "PlayerEliminated", "ChipsHandedBack"]
#
# [PLAYER_STILL_IN_HAND]
# name.en = "Player moved or out during a hand"
# name.cs = "Hráč přesazen nebo vyřazen během hry"
# text.en = "The player was moved, or recorded as out, while still in a hand of the tournament."
# text.cs = "Hráč byl přesazen nebo zapsán jako vyřazený, ač byl ještě ve hře turnaje."
# paragraph = "69GAMES tournament rules"

"""Find players of tournaments who were moved or went out in the middle of their hand.

What comes in: hands of tournaments, folds, seats and eliminations, below a position. What goes out:
findings. A player is out with the loss of the last chip, which a running hand does not decide, and
plays a hand where it began. A disqualification may come at any time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.events import event_types as e
from projections.findings.finding import DetectedFinding
from projections.store.events import read_events

if TYPE_CHECKING:
    from collections.abc import Iterator

    from projections.checks import CheckInput

__all__ = ["find"]

OF_TOURNAMENTS = "tournament != ''"
OF_THEIR_HANDS = """
round IN (SELECT round FROM HandStarted WHERE tournament != '' AND position < {end:Int64})"""
WANTED = {
    "HandStarted": OF_TOURNAMENTS,
    "HandAction": "tournament != '' AND action IN ('fold', 'muck', 'dead')",
    "RoundResulted": OF_THEIR_HANDS,
    "RoundVoided": OF_THEIR_HANDS,
    "SeatDrawn": "",
    "PlayerEliminated": "",
    "ChipsHandedBack": "",
}


class _Hands:
    """Players who are still in the last hand of each table of a tournament."""

    def __init__(self) -> None:
        self.players: dict[tuple[str, str], tuple[str, set[str]]] = {}
        self.seats: dict[tuple[str, str], str] = {}

    def leave(self, round_: str, account: str = "") -> None:
        """Take a player out of a hand, or all players."""
        for of_round, players in self.players.values():
            if of_round == round_:
                players.intersection_update({*players} - {account} if account else ())

    def hand_of(self, tournament: str, account: str) -> str:
        """Return the hand of a tournament in which a player still is; empty if in none."""
        return next(
            (
                round_
                for (of, _), (round_, players) in self.players.items()
                if of == tournament and account in players
            ),
            "",
        )


def find(of: CheckInput) -> Iterator[DetectedFinding]:
    """Find players who changed their table, or went out, before their hand was over for them."""
    hands = _Hands()
    for at in read_events(of.store, WANTED, first=0, end=of.size):
        gone: tuple[str, ...] = ()
        match at.event:
            case e.HandStarted() as event:
                hands.players[event.tournament, event.table] = event.round, {*event.accounts}
            case e.HandAction() as event:
                hands.leave(event.round, event.account)
            case e.RoundResulted() | e.RoundVoided() as event:
                hands.leave(event.round)
            case e.SeatDrawn() as event:
                place = (event.tournament, event.account)
                gone = (
                    (event.account,) if hands.seats.get(place, event.table) != event.table else ()
                )
                hands.seats[place] = event.table
            case e.PlayerEliminated() as event:
                gone = () if event.disqualified_for else event.accounts
            case e.ChipsHandedBack() as event:
                gone = (event.account,)
        for name in gone:
            if round_ := hands.hand_of(at.event.tournament, name):
                yield DetectedFinding(
                    "PLAYER_STILL_IN_HAND", position=at.position, account=name, round=round_
                )
