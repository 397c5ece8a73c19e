"""The floor of a casino: a lawful operating day has no finding, each breach has its own.

Every case is a casino of its own in one chain, so that one reconciliation serves them all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from ledger.events import event_types as e
from tests.projections.history_cases import GAME, House, emptied, round_voided
from tests.projections.projection_cases import Chain
from tests.projections.shared_cases import found_in

if TYPE_CHECKING:
    from projections.store.tables import Store

DAY = {"day": "2025-10-09"}
LINKED = 4_800_000
UNFINISHED = {"ROUND_NOT_FINISHED"}
"""What the rounds of these cases have beside: none is played to its end."""


class Floor:
    """A casino whose facts are made by hand; ``wrong`` says which one is wrong, and how."""

    def __init__(self, house: House, name: str, wrong: str) -> None:
        self.house, self.name, self.wrong = house, name, wrong
        self.place, self.table, self.cage = f"p-{name}", f"t-{name}", f"c-{name}"
        self.positions: set[int] = set()
        self.slips = 0

    def at(self, minute: float, *events: e.Event) -> int:
        first = self.house.at(minute, *events)
        self.positions.update(range(first, first + len(events)))
        return first

    def section(self, station: str, *, minute: float, **facts: Any) -> None:
        kind = "cage" if station == self.cage else "table"
        currency = "" if kind == "cage" else "CZK"
        known = {"section": f"s-{station}", "place": self.place, "station_kind": kind,
                 "station": station, "currency": currency, **DAY}  # fmt: skip
        if "result" in facts:
            self.at(minute, e.SectionClosed(**known | facts))
        else:
            self.at(minute, e.SectionOpened(**known | {"game": ""} | facts))

    def head(self, station: str, **facts: Any) -> dict[str, Any]:
        return {"place": self.place, "section": f"s-{station}", "station": station,
                "currency": "CZK", **facts}  # fmt: skip

    def slip(self, station: str, amount: int, **facts: Any) -> dict[str, Any]:
        self.slips += 1
        return self.head(station, amount=amount, slip=f"{self.name}-{self.slips}", corrects="",
                         cause="") | facts  # fmt: skip

    def count(self, minute: float, stage: str, means: str, amount: int, expected: int,
              **facts: Any) -> None:  # fmt: skip
        """Count cash or chips of the cage."""
        known = self.head(self.cage, stage=stage, means=means, till=f"cage:{self.cage}",
                          amount=amount, expected=expected, denominations=(), pieces=(),
                          against="stock" if stage == "opening" else "differences",
                          counted_by="two")  # fmt: skip
        self.at(minute, e.CageCounted(**known | facts))

    def count_float(self, minute: float, stage: str, amount: int, expected: int) -> None:
        """Count the chips of the table."""
        against = "stock" if stage == "opening" else "guests"
        self.at(minute, e.TableFloatCounted(
            **self.head(self.table, stage=stage, till=f"table:{self.table}", amount=amount,
                        expected=expected, denominations=(), pieces=(), against=against,
                        counted_by="two")))  # fmt: skip

    def sold(self, minute: float, amount: int, **facts: Any) -> None:
        known = self.slip(self.cage, amount, station_kind="cage", till=f"cage:{self.cage}",
                          method="cash", guest="g", seat=0, document_shown=False)  # fmt: skip
        self.at(minute, e.ChipsSold(**known | facts))

    def bet(self, minute: float, paid: int) -> None:
        """Record a bet of 100 at a seat."""
        self.at(minute, e.ChipBetSettled(
            **self.slip(self.table, 100, till=f"table:{self.table}", round=f"q-{self.name}",
                        seat=1, bet_code="red", paid=paid)))  # fmt: skip

    def tipped(self, minute: float, amount: int) -> None:
        self.at(minute, e.TipReceived(
            **self.slip(self.table, amount, station_kind="table",
                        till=f"tronc:{self.place}")))  # fmt: skip


def day(floor: Floor) -> None:  # noqa: PLR0915 - a branch for each fault
    """Play an operating day with the fault that is asked for, or with none."""
    wrong = floor.wrong
    closes = 26 * 60 if wrong == "day too long" else 600
    floor.at(1, e.TableOpened(table=floor.table, registration="r", game=GAME, place=floor.place,
                              streamed=False))  # fmt: skip
    if wrong != "guest not admitted":
        answer = "listed" if wrong == "guest in the register" else "clear"
        floor.at(1, e.GuestAdmitted(place=floor.place, guest="g", person="p-g", answer=answer,
                                    live=True, verified_how="passport"))  # fmt: skip
    if wrong == "section before the day":
        floor.section(floor.cage, minute=2)
    floor.at(3, e.OperatingDayOpened(place=floor.place, **DAY))
    if wrong != "section before the day":
        floor.section(floor.cage, minute=4)
    floor.count(5, "opening", "cash", 1_000, 0)
    floor.count(5, "opening", "chips", 5_000_000, 0)
    floor.section(floor.table, minute=6)
    floor.count_float(7, "opening", 500, 0)
    floor.house.opened(8, f"q-{floor.name}", table=floor.table, streamed=False)
    floor.positions.add(floor.house.chain.head.size - 1)
    floor.bet(9, paid=0)
    floor.tipped(10, 30)
    cash = LINKED if wrong.startswith("much cash") else 200
    floor.sold(11, cash, document_shown=wrong == "much cash, with a document")
    filled = floor.slip(floor.table, 50, till=f"table:{floor.table}", cage=floor.cage,
                        cage_section=f"s-{floor.cage}",
                        cage_till=f"cage:{floor.cage}")  # fmt: skip
    floor.at(12, e.FillReceived(**filled, denominations=(), pieces=()))
    more = {"float below the bets": -1, "float above bets and tips": 31, "tips in the float": 30}
    closing = 650 + more.get(wrong, 0)
    if wrong != "table not counted":
        floor.count_float(20, "closing", closing, 650)
        result = closing - 550 + (5 if wrong == "result recorded wrongly" else 0)
        floor.section(floor.table, minute=21, result=result)
    else:
        floor.section(floor.table, minute=21, result=100)
    if wrong == "bet behind the close":
        floor.bet(22, paid=100)
    if wrong == "round behind the close":
        floor.house.opened(22, f"late-{floor.name}", table=floor.table, streamed=False)
        floor.positions.add(floor.house.chain.head.size - 1)
        floor.at(23, round_voided(f"late-{floor.name}", table=floor.table))
    short = 7 if wrong.startswith("cash is short") else 0
    said = 3 if wrong == "books told wrongly" else 0
    floor.count(30, "closing", "cash", 1_000 + cash - short, 1_000 + cash + said)
    if wrong == "cash is short, recounted":
        floor.count(31, "closing", "cash", 1_000 + cash, 1_000 + cash - short)
    if wrong != "cage not counted":
        left = 5_000_000 - cash - 50
        over = 7 if wrong == "cash is short, corrected" else 0
        floor.count(32, "closing", "chips", left + over, left)
    if wrong != "section still open":
        floor.section(floor.cage, minute=33, result=None)
    if wrong == "cash is short, corrected":
        floor.sold(34, -7, corrects=f"{floor.name}-3", cause="typo", till="differences")
    floor.at(closes, e.OperatingDayClosed(place=floor.place, books_kinds=(), books_amounts=(),
                                          **DAY))  # fmt: skip


CASES: dict[str, list[str]] = {
    "": [],
    "tips in the float": [],
    "cash is short, recounted": [],
    "much cash, with a document": [],
    "section before the day": ["SECTION_OUTSIDE_DAY"],
    "section still open": ["SECTION_OUTSIDE_DAY"],
    "day too long": ["OPERATING_DAY_TOO_LONG"],
    "table not counted": ["SECTION_NOT_COUNTED"],
    "cage not counted": ["SECTION_NOT_COUNTED"],
    "result recorded wrongly": ["NET_RESULT_WRONG"],
    "float below the bets": ["TABLE_RESULT_DIFFERS"],
    "float above bets and tips": ["TABLE_RESULT_DIFFERS"],
    "bet behind the close": ["OUTSIDE_SECTION"],
    "round behind the close": ["ROUND_OUTSIDE_SECTION"],
    "cash is short": ["COUNT_DIFFERS"],
    "cash is short, corrected": [],
    "books told wrongly": ["COUNT_BOOKS_WRONG", "COUNT_DIFFERS"],
    "much cash": ["GUEST_NOT_IDENTIFIED"],
    "guest not admitted": ["GUEST_NOT_ADMITTED"],
    "guest in the register": ["LISTED_LET_IN"],
}


@pytest.fixture(scope="module")
def found(tables: Store) -> dict[str, list[Any]]:
    """Play every case in one chain, and sort what was found."""
    house = House(Chain())
    floors = {wrong: Floor(house, f"n{number}", wrong) for number, wrong in enumerate(CASES)}
    for floor in floors.values():
        day(floor)
    findings = found_in(house, emptied(tables))
    return {
        wrong: [one for one in findings if one.position in floor.positions]
        for wrong, floor in floors.items()
    }


@pytest.mark.law("L-1", "L-8", "L-9", "L-55", "69GAMES 7")
@pytest.mark.parametrize("wrong", CASES)
def test_each_breach_of_the_floor_is_found(found: dict[str, list[Any]], wrong: str) -> None:
    of_floor = [one for one in found[wrong] if one.code not in UNFINISHED]
    assert sorted(one.code for one in of_floor) == CASES[wrong]
