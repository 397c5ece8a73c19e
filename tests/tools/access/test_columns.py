"""Columns of declared questions: what a number is follows from the type of its field."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, get_args, get_type_hints

import pytest

from ledger.core.units import Count, Haler, Moment, units_of
from tools.access.questions import accounts, duties, rounds
from tools.access.questions.declaration import Column, Question

if TYPE_CHECKING:
    from collections.abc import Iterator

QUESTIONS = [
    one
    for module in (accounts, duties, rounds)
    for one in vars(module).values()
    if isinstance(one, Question)
]


@dataclass(frozen=True)
class Row:
    stakes: Count
    until: Haler | None
    paid: Moment | None
    text: str = "as it is"


def _tables() -> Iterator[tuple[Any, tuple[Column, ...]]]:
    for one in QUESTIONS:
        kind = one.row
        if one.title:
            (kind, _) = get_args(get_type_hints(one.answer)[one.things])
            for part in one.parts:
                yield get_args(get_type_hints(kind)[part.rows])[0], part.columns
        if one.columns:
            yield kind, one.columns


@pytest.mark.parametrize(("kind", "columns"), list(_tables()))
def test_every_number_in_a_column_declares_its_unit(
    kind: type, columns: tuple[Column, ...]
) -> None:
    hints, units = get_type_hints(kind), units_of(kind)
    for column in columns:
        if not callable(column.value):
            name = column.value or column.heading
            assert units[name] is not None or int not in {hints[name], *get_args(hints[name])}


def test_a_cell_follows_the_unit_of_its_field_whatever_the_name() -> None:
    row = Row(stakes=7, until=12345, paid=1_795_000_000_000_000)
    columns = [Column(name) for name in ("stakes", "until", "paid", "text")]
    cells = [7, "123.45", "2026-11-18 12:06:40.000", "as it is"]
    assert [column.cell(row) for column in columns] == cells
    assert Column("paid").cell(Row(1, None, None)) == ""
