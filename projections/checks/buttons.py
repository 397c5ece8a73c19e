# needs = ["HandStarted"]
# reads = ["RoundResulted", "ButtonDrawn", "SeatDrawn", "TableOpened"]
#
# [BUTTON_WRONG]
# name.en = "Button or blinds misplaced"
# name.cs = "Button nebo blindy na špatném místě"
# text.en = "Button or blinds of the hand are not where the plan has them: {detail:phrase}."
# text.cs = "Button nebo blindy hry nejsou na místě podle herního plánu: {detail}."

"""Check the dealer button and the blinds of Texas and Omaha hands, from one hand to the next.

What comes in: hands, draws of buttons and seats, openings of tables, below a position. What goes
out: findings. In the first hand after a table opens, the button is with the player who drew it, in
a tournament with the occupied seat of the lowest number. In every other hand the positions follow
from the previous hand that was played to its end. A misdealt or voided hand moves nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ledger.core.phrases import Phrase
from ledger.games.poker import Positions, first_positions, next_positions
from projections.findings.finding import DetectedFinding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from projections.checks import CheckInput

__all__ = ["find"]

HANDS = """
SELECT
    position, round, table, tournament, accounts, button, small_blind_of, big_blind_of,
    round IN (SELECT round FROM RoundResulted WHERE position < {size:Int64}) AS is_played
FROM HandStarted
WHERE position < {size:Int64} AND point_value = 0"""
DRAWS = """
SELECT position, table, button
FROM ButtonDrawn
WHERE position < {size:Int64}"""
SEATS = """
SELECT position, tournament, account, table, seat
FROM SeatDrawn
WHERE position < {size:Int64}"""
OPENINGS = """
SELECT position, table
FROM TableOpened
WHERE position < {size:Int64} AND table IN
    (SELECT table FROM HandStarted WHERE position < {size:Int64} AND point_value = 0)"""


class _Tables:
    """Positions of the buttons by table, updated in the order of the chain."""

    def __init__(self) -> None:
        self._before: dict[tuple[str, str], Positions] = {}
        self._drawn: dict[str, str] = {}
        self._seats: dict[tuple[str, str], tuple[str, int]] = {}

    def opened(self, row: dict[str, Any]) -> None:
        """Forget the positions of a cash table, because it was opened again."""
        self._before.pop((row["table"], ""), None)
        self._drawn.pop(row["table"], None)

    def drawn(self, row: dict[str, Any]) -> None:
        """Store which player drew the button."""
        self._drawn[row["table"]] = row["button"]

    def seated(self, row: dict[str, Any]) -> None:
        """Store the seat of a player in a tournament."""
        self._seats[row["tournament"], row["account"]] = row["table"], row["seat"]

    def played(self, row: dict[str, Any]) -> Phrase | None:
        """Return the fault in the positions of a hand, or None; store the positions of the hand."""
        seats, place = tuple(row["accounts"]), (row["table"], row["tournament"])
        now = Positions(seats, row["button"], row["small_blind_of"], row["big_blind_of"])
        if len(seats) < 2 or not {now.button, now.big} <= set(seats):  # noqa: PLR2004 - two players
            return None  # reported as OUTCOME_IMPOSSIBLE
        before = self._before.get(place)
        if before is None:
            first = self._first(seats, *place)
            due = first_positions(seats, first) if first in seats else None
            is_undrawn = not first and not row["tournament"]
            fault = Phrase("NO_BUTTON_DRAWN") if is_undrawn else None
        else:
            due, fault = next_positions(before, seats), None
        if row["is_played"]:
            self._before[place] = now
        return fault or (_difference(now, due) if due is not None else None)

    def _first(self, seats: tuple[str, ...], table: str, tournament: str) -> str:
        """Return the player who must have the button in the first hand; empty if unknown."""
        if not tournament:
            return self._drawn.get(table, "")
        drawn = {name: self._seats.get((tournament, name), ("", 0)) for name in seats}
        if any(at != table for at, _ in drawn.values()):
            return ""
        return min(seats, key=lambda name: drawn[name][1])


def _difference(now: Positions, due: Positions) -> Phrase | None:
    if now.big != due.big:
        return Phrase("BIG_BLIND_OWED", got=now.big, due=due.big)
    if now.button != due.button:
        return Phrase("BUTTON_LIES", got=now.button, due=due.button)
    if now.small == due.small:
        return None
    if not now.small:
        return Phrase("SMALL_BLIND_OF_NO_PLAYER", due=due.small)
    if not due.small:
        return Phrase("SMALL_BLIND_UNDUE", got=now.small)
    return Phrase("SMALL_BLIND_OWED", got=now.small, due=due.small)


def find(of: CheckInput) -> Iterator[DetectedFinding]:
    """Find hands whose button or blinds differ from those that the plan requires."""
    tables = _Tables()
    steps = [
        *((row["position"], tables.opened, row) for row in of.store.rows(OPENINGS, size=of.size)),
        *((row["position"], tables.drawn, row) for row in of.store.rows(DRAWS, size=of.size)),
        *((row["position"], tables.seated, row) for row in of.store.rows(SEATS, size=of.size)),
        *((row["position"], tables.played, row) for row in of.store.rows(HANDS, size=of.size)),
    ]
    for position, step, row in sorted(steps, key=lambda one: one[0]):
        fault = step(row)
        if fault:
            yield DetectedFinding(
                "BUTTON_WRONG", position=position, round=row["round"], detail=fault
            )
