# needs = ["CasinoHoursBegan"]
#
# [TOO_FEW_TABLES]
# name.en = "Too few live tables in an open casino"
# name.cs = "V otevřeném kasinu bylo málo živých stolů"
# text.en = "Casino {detail:phrase} live tables while its doors were open."
# text.cs = "Kasino mělo v otevírací době málo živých stolů: {detail}."
# paragraph = "ZHH 68(4)"

"""Find casinos with too few live tables during their opening hours (ZHH 68(4))."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.core.phrases import Phrase
from ledger.events import event_types as e
from ledger.rules.law import LIVE_TABLES_MIN
from projections.findings.finding import DetectedFinding
from projections.store.events import read_events

if TYPE_CHECKING:
    from collections.abc import Iterator

    from projections.checks import CheckInput

__all__ = ["find"]

WANTED = dict.fromkeys(("CasinoHoursBegan", "CasinoHoursEnded", "TableOpened", "TableClosed"), "")


def find(of: CheckInput) -> Iterator[DetectedFinding]:
    """Find the times at which an open casino has too few live tables.

    Checked when the casino opens, and whenever one of its tables closes.
    """
    place_of: dict[str, str] = {}
    doors_open: set[str] = set()
    for at in read_events(of.store, WANTED, first=0, end=of.size):
        place = ""
        match at.event:
            case e.CasinoHoursBegan() as event:
                doors_open.add(event.place)
                place = event.place
            case e.CasinoHoursEnded() as event:
                doors_open.discard(event.place)
            case e.TableOpened(streamed=False) as event:
                place_of[event.table] = event.place
            case e.TableClosed() as event:
                place = place_of.pop(event.table, "")
        tables = list(place_of.values()).count(place)
        if place in doors_open and tables < LIVE_TABLES_MIN:
            detail = Phrase("LIVE_TABLES", place=place, count=tables)
            yield DetectedFinding("TOO_FEW_TABLES", position=at.position, detail=detail)
