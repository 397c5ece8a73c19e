"""Every moment of every command is bounded as a moment, never as a count or an amount.

The test visits the types of all commands and all structs inside them. A count ends at 10**15, which
in microseconds is September 2001.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import msgspec.inspect as of
import pytest

import schemas
from ledger.core.clock import MOMENT_MAX, from_datetime
from ledger.decisions.decider import DECISIONS
from ledger.events.command import name_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.ledger.decisions.decisions_casino import Casino

IN_2026 = from_datetime(datetime(2026, 11, 20, 18, tzinfo=UTC))
NAMED_AS_MOMENT = re.compile(
    r"at|.*_at|moments?|.*_moment|since|until|from|.*_from|.*_until|skew|uncertainty"
)
POSITIONS = {
    "note_findings.raised.shown_at",
    "conclude_reconciliation.since",
    "conclude_reconciliation.until",
    "record_package.known_at",
}
"""Fields whose names read as moments, and which hold positions in the chain."""


def names_in_schemas() -> set[str]:
    """Return the fields of all events that hold microseconds."""
    found: set[str] = set()
    for schema in schemas.numbered().values():
        for field in schema.raw["fields"]:
            if field.get("unit") == "microseconds":
                found |= {field["name"], field["name"].partition("_")[2]}
    return found - {""}


def integers(kind: Any, place: str) -> Iterator[tuple[str, str, of.IntType]]:
    """Yield every integer inside a type: its place, the name of its field, its bounds."""
    match kind:
        case of.StructType():
            for field in kind.fields:
                yield from integers(field.type, f"{place}.{field.name}")
        case of.UnionType():
            for one in kind.types:
                yield from integers(one, place)
        case of.ListType() | of.VarTupleType():
            yield from integers(kind.item_type, place)
        case of.TupleType():
            for one in kind.item_types:
                yield from integers(one, place)
        case of.DictType():
            yield from integers(kind.value_type, place)
        case of.IntType():
            yield place, place.rpartition(".")[2], kind


def moments() -> list[tuple[str, of.IntType]]:
    known = names_in_schemas()
    return [
        (place, kind)
        for command in DECISIONS
        for place, name, kind in integers(of.type_info(command), name_of(command))
        if (NAMED_AS_MOMENT.fullmatch(name) or name in known) and place not in POSITIONS
    ]


@pytest.mark.parametrize(("place", "kind"), moments(), ids=[place for place, _ in moments()])
def test_a_moment_may_be_of_any_year_that_a_chain_has(place: str, kind: of.IntType) -> None:
    """A difference of two clocks reaches as far as a moment: one of them may be set to 1970."""
    assert kind.lt == MOMENT_MAX, f"{place} is no Moment"
    assert kind.ge == 0 or kind.gt == -MOMENT_MAX, place


def test_moments_are_found_where_they_are_known_to_be() -> None:
    places = {place for place, _ in moments()}
    assert {
        "note_findings.raised.ours.at",
        "note_findings.raised.theirs.at",
        "record_statement_lines.lines.moment",
        "record_clock.skew",
        "record_clock.uncertainty",
    } <= places


def test_a_finding_with_two_sides_of_2026_is_recorded(casino: Casino) -> None:
    side = {"reference": "d-1", "amount": 50_000, "at": IN_2026}
    finding = {"finding": "0" * 16, "fingerprint": "1" * 16, "code": "AMOUNT_DIFFERS"}
    (event,) = casino.do(
        "note_findings", raised=[{**finding, "shown_at": 7, "ours": side, "theirs": side}]
    )
    assert (event.ours_at, event.theirs_at) == (IN_2026, IN_2026)  # type: ignore[attr-defined]


def test_a_clock_that_was_reset_to_1970_is_recorded(casino: Casino) -> None:
    (event,) = casino.do(
        "record_clock", source_of_time="ntp.example.cz", skew=-IN_2026, uncertainty=900
    )
    assert event.skew == -IN_2026  # type: ignore[attr-defined]
