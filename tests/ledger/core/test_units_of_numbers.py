"""Units of numbers follow from the types of fields, never from their names."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec

from ledger.core.units import Count, Haler, Moment, Unit, unit_of, units_of


@dataclass(frozen=True)
class Line:
    paid: Haler
    stakes: Count
    placed_at: Count
    refund: Haler | None
    until: Moment | None
    plain: int
    name: str = ""


def test_a_field_has_the_unit_that_its_type_declares() -> None:
    assert units_of(Line) == {
        "paid": Unit.HALER,
        "stakes": Unit.COUNT,
        "placed_at": Unit.COUNT,
        "refund": Unit.HALER,
        "until": Unit.MOMENT,
        "plain": None,
        "name": None,
    }


def test_a_unit_changes_neither_json_nor_its_schema() -> None:
    line = Line(1, 2, 3, None, 4, 5)
    assert msgspec.json.decode(msgspec.json.encode(line), type=Line) == line
    (_,), named = msgspec.json.schema_components([Line])
    assert named["Line"]["properties"]["paid"] == {"type": "integer"}
    assert unit_of(list[Haler]) is None
