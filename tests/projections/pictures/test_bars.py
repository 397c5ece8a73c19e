"""Bars: every value stands in them once, whatever the values are."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from projections.pictures.bars import Bar, draw_bars
from projections.words.catalogue import Language
from tests.projections.pictures.picture_cases import read_back, texts, values

KINDS = ["nové", "otevřené", "<vysvětlené>", "uzavřené", "pryč"]
VALUES = st.tuples(*(st.integers(0, 10**13) for _ in KINDS))


@given(st.lists(VALUES, max_size=31))
def test_every_value_is_a_part_of_its_bar(rows: list[tuple[int, ...]]) -> None:
    bars = [Bar(f"{number}. 11.", row) for number, row in enumerate(rows, 1)]
    drawn = draw_bars(bars, KINDS, Language.CS, title="<x>", axis="počet", write=str)
    root = read_back(drawn)
    assert values(root, "bar").total() == len(rows)
    for kind in range(len(KINDS)):
        assert values(root, "kind")[str(kind)] == sum(row[kind] > 0 for row in rows)
    assert (set(KINDS) <= set(texts(root))) == bool(rows)


def test_a_screen_reader_reads_the_value_of_each_kind() -> None:
    bars = [Bar("20. 11.", (3, 1)), Bar("21. 11.", (0, 2))]
    drawn = draw_bars(bars, KINDS[:2], Language.CS, title="x", axis="počet", write=str)
    assert "20. 11.: nové 3, otevřené 1; 21. 11.: nové 0, otevřené 2;" in drawn
    one = draw_bars([Bar("19", (300,))], ["Vklady"], Language.CS, title="x", axis="Kč", write=str)
    assert "19: 300;" in one
