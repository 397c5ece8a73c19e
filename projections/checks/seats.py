# needs = ["SeatTaken"]
# reads = ["SeatLeft", "TableOpened", "RulesPublished"]
#
# [TABLE_OVERFULL]
# name.en = "More players than seats"
# name.cs = "Více hráčů než míst"
# text.en = "A seat was taken at a table without a free one: {detail:phrase}."
# text.cs = "Hráč usedl ke stolu, u kterého nebylo volné místo: {detail}."
# paragraph = "game plan"

"""Find tables with more players than seats, and colour chips that two players share.

What comes in: openings of tables, seats taken and left, colour chips issued and returned, below a
position. What goes out: a finding for each seat beyond those of the table by its plan (SAZKA annex
Blackjack 2), for each colour that two players have, and for each player with two colours (Czech
Casinos, cash and chips).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger import games
from ledger.core.phrases import Phrase
from ledger.events import event_types as e
from projections.findings.finding import DetectedFinding
from projections.store.events import read_events

if TYPE_CHECKING:
    from collections.abc import Iterator

    from projections.checks import CheckInput

__all__ = ["find"]


def find(of: CheckInput) -> Iterator[DetectedFinding]:
    """Find seats taken at a table that had no free seat."""
    rows = of.store.rows(
        "SELECT DISTINCT table, game FROM TableOpened WHERE position < {size:Int64}", size=of.size
    )
    seats = {row["table"]: most for row in rows if (most := _seats_of(row["game"]))}
    if not seats:
        return
    of_tables = "table IN {tables:Array(String)}"
    wanted = dict.fromkeys(("TableOpened", "SeatTaken", "SeatLeft"), of_tables)
    seated: dict[str, set[str]] = {table: set() for table in seats}
    for at in read_events(of.store, wanted, first=0, end=of.size, tables=sorted(seats)):
        match at.event:
            case e.TableOpened(table=table):
                seated[table].clear()
            case e.SeatLeft(table=table, account=account):
                seated[table].discard(account)
            case e.SeatTaken(table=table, account=account):
                seated[table].add(account)
                if len(seated[table]) > seats[table]:
                    yield DetectedFinding(
                        "TABLE_OVERFULL",
                        position=at.position,
                        account=account,
                        detail=Phrase(
                            "SEATS_AT_TABLE",
                            count=len(seated[table]),
                            due=seats[table],
                            table=table,
                        ),
                    )


def _seats_of(game: str) -> int:
    """Return the number of seats in a game's plan, the highest of its versions; 0 for no limit."""
    if game not in games.games():
        return 0
    most = [plan.seats_max for plan in games.plans_of(game)]
    return max(most, default=0) if all(most) else 0
