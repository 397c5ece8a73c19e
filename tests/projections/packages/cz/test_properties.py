"""Whatever keeps the tables is valid, and the fast way and the slow way agree."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from hypothesis import given, settings
from hypothesis import strategies as st

from projections.packages.cz.fields import (
    Field,
    FieldType,
    RequiredBeginning,
    RequiredTime,
    files,
    table,
)
from projections.packages.cz.names import Model
from projections.packages.cz.values import OF_KIND, Rules, problem, row_pattern, split_line
from tests.projections.packages.package_cases import (
    BEFORE,
    CASES,
    INSIDE,
    LAST,
    LONG_AGO,
    NAME,
    NIGHT,
    judge,
    row_of,
    write_package,
)
from tests.search import amount

if TYPE_CHECKING:
    from collections.abc import Mapping

OPERATOR = NAME.operator
LETTERS = st.characters(codec="utf-8", exclude_categories=["Cc", "Cs", "Z", "C"])
TEXTS = st.text(LETTERS, min_size=1, max_size=40)
AMOUNTS = st.from_regex(r"-?[0-9]{1,13}(,[0-9]{0,2})?", fullmatch=True).filter(str.isascii)
RATES = st.from_regex(r"-?[0-9]{1,18}(,[0-9]{0,3})?", fullmatch=True).filter(str.isascii)
PLACES = st.from_regex(r"-?[0-9]{1,4},[0-9]{4,7}", fullmatch=True).filter(str.isascii)
COUNTS = st.integers(-(2**31), 2**31 - 1).map(str)


def _values(field: Field, keys: Mapping[str, list[str]], model: Model) -> st.SearchStrategy[str]:
    if field.type is FieldType.WIDE_IDENTIFIER or field.repeats:
        return st.just(f"{OPERATOR}-station")
    if field.type in {FieldType.REFERENCE, FieldType.WIDE_REFERENCE}:
        if field.begins is RequiredBeginning.OPERATOR:
            return st.just(OPERATOR)
        if not keys.get(field.refers):
            return st.just("")
        return st.sampled_from(keys[field.refers])
    if field.type is FieldType.CODE:
        kind = field.begins is RequiredBeginning.KIND
        allowed = OF_KIND.get(field.name, field.codes)
        return st.just("Z") if kind else st.sampled_from(sorted(allowed))
    if field.type is FieldType.MOMENT and model is Model.CASINO:
        return st.just(NIGHT)
    if field.type is FieldType.MOMENT:
        if field.lies is RequiredTime.UNTIL:
            return st.sampled_from([INSIDE, LAST, BEFORE, LONG_AGO])
        return st.sampled_from([INSIDE, LAST])
    return {
        FieldType.TEXT: TEXTS.map(lambda text: text[: field.size]),
        FieldType.MONEY: AMOUNTS,
        FieldType.RATE: RATES,
        FieldType.PLACE: PLACES,
        FieldType.COUNT: COUNTS,
        FieldType.FLAG: st.sampled_from("01"),
        FieldType.DAY: st.just("2025-03-31" if model is Model.CASINO else "2024-12-31"),
    }[field.type]


@st.composite
def packages(draw: st.DrawFn, model: Model) -> dict[str, list[str]]:
    """Rows of a package that keeps the tables; a file that refers has what it refers to."""
    keys: dict[str, list[str]] = {"provozovatel": [OPERATOR]}
    rows = {"provozovatel": [row_of([OPERATOR, draw(TEXTS)])]}
    for file in files(model).values():
        if file.name == "provozovatel":
            continue
        needed = [field for field in file.fields if field.must or field.condition]
        targets = {field.refers for field in needed if field.refers}
        can_refer = all(keys.get(target) for target in targets)
        count = file.rows or (draw(st.integers(0, 4)) if can_refer else 0)
        keys[file.name] = [f"{OPERATOR}-{file.name}-{number}" for number in range(count)]
        rows[file.name] = []
        for key in keys[file.name]:
            values = [key]
            for field in file.fields[1:]:
                found = draw(_values(field, keys, model))
                is_due = field.must or field.condition is not None or draw(st.booleans())
                values.append(found if is_due else "")
            rows[file.name].append(row_of(values))
    return rows


@given(st.data(), st.sampled_from(Model))
@settings(max_examples=amount(15, 60), deadline=None)
def test_what_keeps_the_tables_is_valid(data: st.DataObject, model: Model) -> None:
    rows = data.draw(packages(model))
    with TemporaryDirectory() as place, TemporaryDirectory() as nothing:
        path = write_package(Path(place), rows, package=CASES[model].name)
        assert judge(path, earlier=Path(nothing)).faults == ()
        assert judge(path, strict=False).faults == ()


ALPHABET = st.sampled_from([*list('0123456789,-+.:;"TZzab_ \t\r\x85\u2028čß٣'), OPERATOR, INSIDE])


@st.composite
def lines(draw: st.DrawFn) -> tuple[Model, str, str]:
    """A file of a model, and a line of it with some values changed in any way."""
    model = draw(st.sampled_from(Model))
    name = draw(st.sampled_from(list(files(model))))
    keys = {one: [f"{OPERATOR}-{one}"] for one in files(model)}
    fields = table(name, model).fields[1:]
    values = [f"{OPERATOR}-key", *(draw(_values(one, keys, model)) for one in fields)]
    for _ in range(draw(st.integers(0, 2))):
        place = draw(st.integers(0, len(values) - 1))
        values[place] = "".join(draw(st.lists(ALPHABET, max_size=6)))
    return model, name, ";".join(values)


@given(lines(), st.booleans())
@settings(max_examples=amount(200, 800), deadline=None)
def test_the_fast_way_takes_nothing_that_the_slow_way_refuses(
    line: tuple[Model, str, str], strict: bool
) -> None:
    model, name, text = line
    file, rules = table(name, model), Rules(CASES[model].name, strict=strict)
    if row_pattern(file, rules).expression.fullmatch(f"{text}\r\n") is None:
        return
    values = split_line(text)
    assert values is not None
    assert len(values) == len(file.fields)
    pairs = zip(file.fields, values, strict=True)
    assert [problem(field, value, rules) for field, value in pairs] == [None] * len(values)


@given(st.lists(st.text(LETTERS, max_size=8).map(lambda text: f'{text};"'), min_size=1))
def test_a_row_that_was_written_is_read_again(values: list[str]) -> None:
    assert split_line(row_of(values)) == values
