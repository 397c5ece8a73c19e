"""One change to one field of a valid package is found, with the code that it deserves."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import pytest

from projections.packages.cz.fields import (
    Field,
    FieldType,
    FileTable,
    Repetition,
    RequiredBeginning,
    RequiredTime,
    files,
    table,
)
from projections.packages.cz.names import Model
from projections.packages.cz.values import split_line
from tests.projections.packages.package_cases import (
    BEFORE,
    BEHIND,
    CASES,
    LAST,
    NAME,
    ROWS,
    judge,
    row_of,
    text_of,
    write_package,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

FIRST_RECORD = 2
IDENTIFIERS = {FieldType.KEY, FieldType.REFERENCE}
REFERENCES = {FieldType.REFERENCE, FieldType.WIDE_REFERENCE}

WRONG_TYPE = {
    FieldType.KEY: ("12345678/x 1", "ERR_FIELD_BAD_FORMAT_RE"),
    FieldType.REFERENCE: ("12345678.a1", "ERR_FIELD_BAD_FORMAT_RE"),
    FieldType.WIDE_REFERENCE: ("12345678 p1", "ERR_FIELD_BAD_FORMAT_RE"),
    FieldType.WIDE_IDENTIFIER: ("12345678 p1", "ERR_FIELD_BAD_FORMAT_RE"),
    FieldType.PLACE: ("49.5938", "ERR_FIELD_BAD_FORMAT_RE"),
    FieldType.TEXT: ("a\tb", "ERR_FIELD_BAD_FORMAT_RE"),
    FieldType.MONEY: ("100.00", "ERR_FIELD_BAD_FORMAT_RE"),
    FieldType.RATE: ("24,3155", "ERR_FIELD_BAD_FORMAT_RE"),
    FieldType.COUNT: ("1,5", "ERR_FIELD_BAD_FORMAT_RE"),
    FieldType.FLAG: ("ano", "ERR_FIELD_BAD_FORMAT_RE"),
    FieldType.MOMENT: ("2025-01-25T16:00:00+01:00", "ERR_FIELD_BAD_FORMAT_RE"),
    FieldType.DAY: ("31.12.2024", "ERR_FIELD_BAD_FORMAT_RE"),
    FieldType.CODE: ("?", "ERR_FIELD_CODEBOOK"),
}
IMPOSSIBLE = {
    FieldType.MOMENT: ("2026-02-30T16:00:00.0+01:00", "ERR_FIELD_TYPE"),
    FieldType.DAY: ("2024-12-32", "ERR_FIELD_TYPE"),
    FieldType.COUNT: ("2147483648", "ERR_FIELD_TYPE"),
    FieldType.FLAG: ("2", "ERR_FIELD_DOMAIN_TYPE"),
}
FOREIGN = {
    RequiredBeginning.PREFIX: ("87654321-x1", "ERR_FIELD_CTX_OPERATORID_PREFIX"),
    RequiredBeginning.OPERATOR: ("87654321", "ERR_FIELD_CTX_OPERTORID"),
    RequiredBeginning.KIND: ("T", "ERR_FIELD_CTX_GAMETYPE"),
}


class Mutation(NamedTuple):
    """A value put into a field of the first fitting record, and the code that is due."""

    model: Model
    file: str
    field: str
    value: str
    code: str
    what: str


def _mutations(model: Model, file: str, field: Field) -> Iterator[Mutation]:
    case = CASES[model]

    def mutation(value: str, code: str, what: str) -> Mutation:
        return Mutation(model, file, field.name, value, code, what)

    yield mutation(*WRONG_TYPE[field.type], "wrong type")
    if field.type in IMPOSSIBLE:
        yield mutation(*IMPOSSIBLE[field.type], "impossible")
    if field.type in {FieldType.MONEY, FieldType.RATE}:
        yield mutation("1" * 19, "ERR_FIELD_BAD_FORMAT_RE", "too many digits")
    if field.size:
        value = f"{NAME.operator}-{'x' * (field.size - 8)}"
        yield mutation(value, "ERR_FIELD_TOO_LONG", "too long")
    if field.type in IDENTIFIERS:
        yield mutation("1234567", "ERR_FIELD_TOO_SHORT", "too short")
    if field.must:
        yield mutation("", "ERR_FIELD_NOT_NULL", "missing")
    elif field.condition is not None:
        yield mutation("", "ERR_FIELD_MANDATORY", "missing where its condition holds")
    if field.begins in FOREIGN:
        yield mutation(*FOREIGN[field.begins], "of another")
    if field.type in REFERENCES and field.begins is RequiredBeginning.PREFIX:
        yield mutation(f"{NAME.operator}-nowhere", "OWN_REFERENCE_DANGLING", "dangling")
    is_day = field.type is FieldType.DAY
    behind = case.day_behind if is_day else case.behind
    before = case.day_before if is_day else case.before
    if field.lies in {RequiredTime.INSIDE, RequiredTime.UNTIL, RequiredTime.ONE}:
        yield mutation(behind, "ERR_FIELD_CTX_PKG_TIMESPAN", "behind the period")
    if field.lies is RequiredTime.INSIDE:
        yield mutation(before, "ERR_FIELD_CTX_PKG_TIMESPAN", "before the period")


MUTATIONS = [
    mutation
    for model in Model
    for file in files(model).values()
    for field in file.fields
    for mutation in _mutations(model, file.name, field)
]
FILES = [(model, name) for model in Model for name in files(model)]


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> dict[Model, Path]:
    """A valid package of each model; a test puts back what it spoils."""
    folder = tmp_path_factory.mktemp("mutations")
    return {
        model: write_package(folder, case.rows, package=case.name) for model, case in CASES.items()
    }


@pytest.fixture(scope="module")
def package(packages: dict[Model, Path]) -> Path:
    """The one of model V."""
    return packages[Model.REMOTE]


@pytest.fixture(scope="module")
def nothing(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of earlier packages, of which there are none."""
    return tmp_path_factory.mktemp("earlier")


def test_every_field_has_mutations() -> None:
    touched = {(one.model, one.file, one.field) for one in MUTATIONS}
    assert touched == {
        (model, file.name, field.name)
        for model in Model
        for file in files(model).values()
        for field in file.fields
    }
    assert len(MUTATIONS) > 650


@pytest.mark.parametrize("model", Model)
def test_the_package_made_by_hand_is_valid(
    model: Model, packages: dict[Model, Path], nothing: Path
) -> None:
    assert judge(packages[model], earlier=nothing).faults == ()
    assert judge(packages[model], strict=False).faults == ()


@pytest.mark.parametrize(
    "mutation", MUTATIONS, ids=lambda one: f"{one.model} {one.file}.{one.field} {one.what}"
)
def test_a_mutation_is_found(
    mutation: Mutation, packages: dict[Model, Path], nothing: Path
) -> None:
    case, package = CASES[mutation.model], packages[mutation.model]
    file = table(mutation.file, mutation.model)
    field = file.field(mutation.field)
    rows = list(case.rows[mutation.file])
    place = _fitting_row(rows, file, field)
    values = split_line(rows[place])
    assert values is not None
    values[field.index] = mutation.value
    rows[place] = row_of(values)
    path = package / file.file_name
    before = path.read_bytes()
    path.write_text(text_of(file.name, rows, package=case.name), encoding="utf-8", newline="")
    try:
        verdict = judge(package, earlier=nothing)
    finally:
        path.write_bytes(before)
    line = FIRST_RECORD + place
    found = {
        one.code.value
        for one in verdict.faults
        if (one.file, one.line, one.field) == (file.file_name, line, field.name)
    }
    assert found == {mutation.code}
    others = {one for one in verdict.faults if one.file == file.file_name and one.line != line}
    assert not others


def _fitting_row(rows: list[str], file: FileTable, field: Field) -> int:
    """Find a record in which a condition of the field holds; else the first."""
    due = field.condition
    if due is None:
        return 0
    trigger = file.field(due.field).index
    return next(place for place, row in enumerate(rows) if row.split(";")[trigger] in due.values)


@pytest.mark.parametrize(("model", "name"), FILES)
def test_a_repeated_key_is_found_once(
    model: Model, name: str, packages: dict[Model, Path], nothing: Path
) -> None:
    case = CASES[model]
    rows = case.rows[name]
    path = packages[model] / f"{name}.csv"
    before = path.read_bytes()
    text = text_of(name, [*rows, rows[0]], package=case.name)
    path.write_text(text, encoding="utf-8", newline="")
    try:
        verdict = judge(packages[model], earlier=nothing)
    finally:
        path.write_bytes(before)
    repeated = [one for one in verdict.faults if one.code == "OWN_KEY_REPEATED"]
    line = FIRST_RECORD + len(rows)
    assert [(one.file, one.line) for one in repeated] == [(f"{name}.csv", line)]


@pytest.mark.parametrize("file", ["hra_toky", "prihlaseni"])
def test_a_row_without_a_moment_in_the_period_is_found(
    file: str, package: Path, nothing: Path
) -> None:
    fields = table(file, Model.REMOTE).fields
    values = split_line(ROWS[file][0])
    assert values is not None
    for field in fields:
        if field.lies is RequiredTime.ONE:
            values[field.index] = BEFORE
    path = package / f"{file}.csv"
    before = path.read_bytes()
    rows = [row_of(values), *ROWS[file][1:]]
    path.write_text(text_of(file, rows), encoding="utf-8", newline="")
    try:
        verdict = judge(package, earlier=nothing)
    finally:
        path.write_bytes(before)
    field_name = next(field.name for field in fields if field.lies is RequiredTime.ONE)
    assert [(one.file, one.line, one.field, one.code) for one in verdict.faults] == [
        (f"{file}.csv", FIRST_RECORD, field_name, "ERR_FIELD_CTX_PKG_TIMESPAN")
    ]


@pytest.mark.law("L-10")
def test_what_is_sent_once_is_sent_once() -> None:
    once = {one.name for one in files(Model.REMOTE).values() if one.again is Repetition.ONCE}
    assert {"ucet", "hra_toky_oprava", "sebeomezeni"} <= once
    assert not once & {"jedna_hra", "hra_toky", "konto"}


@pytest.mark.law("L-7")
def test_a_later_version_may_say_what_became_known_later(tmp_path: Path, nothing: Path) -> None:
    """A bet of the period may be paid after it; a package of the first version can't know."""
    bet = row_of([BEHIND if one == LAST else one for one in split_line(ROWS["hra_toky"][0]) or []])
    rows = {**ROWS, "hra_toky": (bet, *ROWS["hra_toky"][1:])}
    first = judge(write_package(tmp_path, rows), earlier=nothing)
    assert [(one.field, one.code) for one in first.faults] == [
        ("VyhraVyplaceniCas", "ERR_FIELD_CTX_PKG_TIMESPAN")
    ]
    second = write_package(tmp_path, rows, package=replace(NAME, version=2))
    assert judge(second, earlier=nothing).is_valid


@pytest.mark.parametrize(
    ("column", "value"), [("PokladnaStulTurnajBingo", "B"), ("TransakceTyp", "A1")]
)
def test_bingo_is_of_another_kind(column: str, value: str, tmp_path: Path) -> None:
    case = CASES[Model.CASINO]
    file = next(one for one in files(Model.CASINO).values() if column in one.header)
    values = split_line(case.rows[file.name][0])
    assert values is not None
    values[file.field(column).index] = value
    rows = {**case.rows, file.name: (row_of(values), *case.rows[file.name][1:])}
    verdict = judge(write_package(tmp_path, rows, package=case.name))
    assert [(one.field, one.code) for one in verdict.faults] == [(column, "ERR_FIELD_CTX_GAMETYPE")]


def test_a_row_repeats_the_station_of_the_section_it_names(tmp_path: Path) -> None:
    """Both stand in the package, but not in one row."""
    case = CASES[Model.CASINO]
    counted = [
        row.replace("@pokladna".replace("@", f"{NAME.operator}-"), f"{NAME.operator}-stul-1")
        for row in case.rows["prostredek"]
    ]
    verdict = judge(
        write_package(tmp_path, {**case.rows, "prostredek": counted}, package=case.name)
    )
    assert {(one.field, one.code) for one in verdict.faults} == {
        ("IDPSTB", "OWN_REFERENCE_DANGLING")
    }
    assert len(verdict.faults) == len(counted)
