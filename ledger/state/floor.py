"""State of the floor of one casino for decisions: its operating day and its stocks.

The state begins with the close of the last operating day, which carries the books. The fold never
rejects an event: the log records what happened. A place of cash or chips has the name of a kind of
postings, such as ``chips_CZK:table:rou-1`` or ``cash_CZK:cage:main``; amounts are hundredths of its
currency. Stocks of guests, of staff and of other owners appear only in the postings.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct, field

from ledger.core.dispatch import on, table
from ledger.events import event_types as e

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["FLOOR_EVENTS", "FloorState", "Section", "count_kind", "fold", "is_of_house"]

HOMES = ("cage", "table", "tournament", "tronc")


class Section(Struct):
    """The section of a cage, table or tournament during an operating day.

    ``opened`` and ``closed`` are the last counts at its opening and close, by place; ``touched``
    are the places with movements. ``fills``, ``credits`` and ``drop`` are sums; ``uncounted`` is
    cash that entered the box since its last count.
    """

    day: str
    kind: str
    station: str
    currency: str
    is_open: bool = True
    opened: dict[str, int] = field(default_factory=dict)
    closed: dict[str, int] = field(default_factory=dict)
    touched: set[str] = field(default_factory=set)
    fills: int = 0
    credits: int = 0
    drop: int = 0
    uncounted: int = 0

    @property
    def is_counted(self) -> bool:
        """Whether any closing count was recorded."""
        return not self.is_open or bool(self.closed)

    @property
    def till(self) -> str:
        """Return the place of the section's money, as named in postings."""
        return f"{self.kind}:{self.station}"

    @property
    def float_kind(self) -> str:
        """Return the posting account of the chips of a table, ``chips_CZK:table:rou-1``."""
        return f"chips_{self.currency}:{self.till}"

    @property
    def result(self) -> int:
        """Net result of a table with float counts at both ends."""
        ends = self.closed[self.float_kind] - self.opened[self.float_kind]
        return ends + self.drop + self.credits - self.fills


class FloorState(Struct):
    """The floor of a casino; ``day`` is empty between operating days.

    ``sections`` are those of the operating day. ``guests`` are the movements of each admitted guest
    during it, in haléř. ``admitted`` are the numbers of guests admitted since the previous day
    closed. ``jackpots`` are the ends of section or day at which a value was recorded, by section
    (empty: the day) and jackpot.
    """

    day: str = ""
    last_day: str = ""
    books: dict[str, int] = field(default_factory=dict)
    sections: dict[str, Section] = field(default_factory=dict)
    guests: dict[str, int] = field(default_factory=dict)
    admitted: set[str] = field(default_factory=set)
    jackpots: dict[tuple[str, str], set[str]] = field(default_factory=dict)

    @property
    def open_sections(self) -> list[str]:
        """Return the names of the open sections."""
        return [name for name, section in self.sections.items() if section.is_open]


def is_of_house(kind: str) -> bool:
    """Return whether a kind of postings is a counted place of the casino."""
    return kind.partition(":")[2].partition(":")[0] in HOMES


def count_kind(means: str, currency: str, till: str) -> str:
    """Return the place of a count of a cage or tronc."""
    return f"{'cash' if means == 'cash' else 'chips'}_{currency}:{till}"


def fold(floor: FloorState, event: e.Event) -> None:
    """Apply an event to the floor; other events change nothing."""
    change = CHANGES.get(type(event))
    if change is not None:
        change(floor, event)


def _day_opened(floor: FloorState, event: e.OperatingDayOpened) -> None:
    floor.day = floor.last_day = event.day
    floor.sections, floor.guests, floor.jackpots = {}, {}, {}


def _day_closed(floor: FloorState, event: e.OperatingDayClosed) -> None:
    floor.day, floor.last_day = "", event.day
    floor.books = dict(zip(event.books_kinds, event.books_amounts, strict=True))
    floor.sections, floor.guests, floor.jackpots = {}, {}, {}
    floor.admitted.clear()


def _admitted(floor: FloorState, event: e.GuestAdmitted) -> None:
    floor.admitted.add(event.guest)


def _section_opened(floor: FloorState, event: e.SectionOpened) -> None:
    floor.sections[event.section] = Section(
        event.day, event.station_kind, event.station, event.currency
    )


def _section_closed(floor: FloorState, event: e.SectionClosed) -> None:
    floor.sections[event.section].is_open = False


def _jackpot_recorded(floor: FloorState, event: e.JackpotState) -> None:
    floor.jackpots.setdefault((event.section, event.jackpot), set()).add(event.stage)


def _counted(floor: FloorState, event: Any, stage: str, kind: str) -> None:
    section = floor.sections[event.section]
    (section.opened if stage == "opening" else section.closed)[kind] = event.amount
    floor.books[kind] = event.amount


def _cage_counted(floor: FloorState, event: e.CageCounted) -> None:
    _counted(floor, event, event.stage, count_kind(event.means, event.currency, event.till))


def _float_counted(floor: FloorState, event: e.TableFloatCounted) -> None:
    _counted(floor, event, event.stage, f"chips_{event.currency}:{event.till}")


def _drop_counted(floor: FloorState, event: e.DropCounted) -> None:
    floor.books[f"cash_{event.currency}:{event.till}"] = event.amount
    floor.sections[event.section].uncounted = 0


def _add(floor: FloorState, section: str, kind: str, amount: int) -> None:
    """Change the stock of a place in the books; differences and other owners are left out."""
    if not is_of_house(kind):
        return
    floor.books[kind] = floor.books.get(kind, 0) + amount
    if section in floor.sections:
        floor.sections[section].touched.add(kind)


def _add_guest(floor: FloorState, event: Any) -> None:
    if event.guest and event.currency == "CZK" and getattr(event, "method", "cash") == "cash":
        floor.guests[event.guest] = floor.guests.get(event.guest, 0) + event.amount


def _sold(floor: FloorState, event: e.ChipsSold) -> None:
    _add(floor, event.section, f"chips_{event.currency}:{event.till}", -event.amount)
    _add(floor, event.section, f"{event.method}_{event.currency}:{event.till}", event.amount)
    if event.station_kind == "table" and event.section in floor.sections:
        floor.sections[event.section].uncounted += event.amount
    _add_guest(floor, event)


def _redeemed(floor: FloorState, event: e.ChipsRedeemed) -> None:
    _add(floor, event.section, f"chips_{event.currency}:{event.till}", event.amount)
    _add(floor, event.section, f"{event.method}_{event.currency}:{event.till}", -event.amount)
    _add_guest(floor, event)


def _cash_in(floor: FloorState, event: e.CageFunded | e.CageOtherIn | e.AccountCashIn) -> None:
    _add(floor, event.section, f"cash_{event.currency}:{event.till}", event.amount)
    if event.till.startswith("tournament:"):
        floor.sections[event.section].uncounted += event.amount


def _cash_out(floor: FloorState, event: e.CageWithdrawn | e.AccountCashOut) -> None:
    _add(floor, event.section, f"cash_{event.currency}:{event.till}", -event.amount)


def _exchanged(floor: FloorState, event: e.CurrencyExchanged) -> None:
    _add(floor, event.section, f"cash_{event.currency}:{event.till}", event.amount)
    _add(floor, event.section, f"cash_{event.given_currency}:{event.till}", -event.given)
    _add_guest(floor, event)


def _chips_over(floor: FloorState, event: Any, amount: int) -> None:
    """Move chips from a cage to a table; a negative amount moves them back."""
    kind = f"chips_{event.currency}"
    _add(floor, event.section, f"{kind}:{event.till}", amount)
    _add(floor, event.cage_section, f"{kind}:{event.cage_till}", -amount)


def _filled(floor: FloorState, event: e.FillReceived) -> None:
    _chips_over(floor, event, event.amount)
    if event.section in floor.sections:
        floor.sections[event.section].fills += event.amount


def _credited(floor: FloorState, event: e.CreditReturned) -> None:
    _chips_over(floor, event, -event.amount)
    if event.section in floor.sections:
        floor.sections[event.section].credits += event.amount


def _drop_moved(floor: FloorState, event: e.DropMovedToCage) -> None:
    _add(floor, event.section, f"cash_{event.currency}:{event.till}", -event.amount)
    _add(floor, event.cage_section, f"cash_{event.currency}:{event.cage_till}", event.amount)
    if event.section in floor.sections:
        floor.sections[event.section].drop += event.amount


def _tipped(floor: FloorState, event: e.TipReceived) -> None:
    _add(floor, event.section, f"chips_{event.currency}:{event.till}", event.amount)


def _tronc_moved(floor: FloorState, event: e.TroncMovedToCage) -> None:
    _chips_over(floor, event, -event.amount)


def _bet_settled(floor: FloorState, event: e.ChipBetSettled) -> None:
    _add(floor, event.section, f"chips_{event.currency}:{event.till}", event.amount - event.paid)


CHANGES: dict[type[e.Event], Callable[[FloorState, Any], None]] = table(
    on(e.OperatingDayOpened, _day_opened),
    on(e.OperatingDayClosed, _day_closed),
    on(e.GuestAdmitted, _admitted),
    on(e.SectionOpened, _section_opened),
    on(e.SectionClosed, _section_closed),
    on(e.JackpotState, _jackpot_recorded),
    on(e.CageCounted, _cage_counted),
    on(e.TableFloatCounted, _float_counted),
    on(e.DropCounted, _drop_counted),
    on(e.ChipsSold, _sold),
    on(e.ChipsRedeemed, _redeemed),
    on(e.CageFunded, _cash_in),
    on(e.CageOtherIn, _cash_in),
    on(e.AccountCashIn, _cash_in),
    on(e.CageWithdrawn, _cash_out),
    on(e.AccountCashOut, _cash_out),
    on(e.CurrencyExchanged, _exchanged),
    on(e.FillReceived, _filled),
    on(e.CreditReturned, _credited),
    on(e.DropMovedToCage, _drop_moved),
    on(e.TipReceived, _tipped),
    on(e.TroncMovedToCage, _tronc_moved),
    on(e.ChipBetSettled, _bet_settled),
)

FLOOR_EVENTS = frozenset(CHANGES)
"""Event types that change the floor; each names its casino in ``place``."""
