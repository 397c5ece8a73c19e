"""How values become text: each expression against a plain-Python twin."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime, timedelta
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ledger.core.clock import in_prague
from projections.packages.cz.build import moment_text
from projections.packages.cz.fields import Field, files, table
from projections.packages.cz.lines import _cell, own_part_max, rows_query
from projections.packages.cz.names import Model
from tests.projections.packages.build_cases import OPERATOR, prague
from tests.search import amount

if TYPE_CHECKING:
    from projections.store.tables import Store

KEY = table("hra_toky", Model.REMOTE).field("IDHraToky")
MONEY = table("hra_toky", Model.REMOTE).field("SazkaVysePuvodni")
MOMENT = table("hra_toky", Model.REMOTE).field("SazkaPrijetiCas")
TEXT = table("hra_toky", Model.REMOTE).field("SazkaHerniKombinace")
RATE = table("mena_kurs", Model.REMOTE).field("KursVyse")
PARAMETER = re.compile(r"\{(\w+):([\w()]+)\}")
EMPTY: dict[str, Any] = {"String": "", "Int64": 0, "Array(String)": []}
SHARED = settings(
    max_examples=amount(15, 60),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


def written(store: Store, field: Field, values: list[Any], kind: str) -> list[str]:
    """Write values of a column as the files do."""
    rows = store.rows(
        f"SELECT {_cell(field, OPERATOR)} AS text FROM "  # noqa: S608 - own text
        f"(SELECT arrayJoin({{values:Array({kind})}}) AS {field.name})",
        values=values,
        operator=OPERATOR,
    )
    return [row["text"] for row in rows]


def identifier(name: str) -> str:
    is_changed = re.search(r"_x[0-9a-f]{16}\Z", name)
    if re.fullmatch(r"[0-9A-Za-z_-]{1,41}", name) and not is_changed:
        return f"{OPERATOR}-{name}"
    plain = re.sub(r"[^0-9A-Za-z_-]", "_", name)
    return f"{OPERATOR}-{plain[:23]}_x{sha256(name.encode()).hexdigest()[:16]}"


@pytest.mark.law("L-13")
@SHARED
@given(names=st.lists(st.text(alphabet="aB9_-.ž :x", min_size=1, max_size=50), min_size=1))
def test_identifiers_have_the_prefix_and_at_most_50_characters_of_the_decree(
    store: Store, names: list[str]
) -> None:
    found = written(store, KEY, names, "String")
    assert found == [identifier(name) for name in names]
    assert all(re.fullmatch(r"[\w-]{10,50}", text, re.ASCII) for text in found)
    assert len(set(found)) == len(set(names))


@pytest.mark.law("L-13")
def test_an_identifier_that_looks_like_a_changed_one_is_changed_too(store: Store) -> None:
    long_name = "r" * 42
    mapped = identifier(long_name).removeprefix(f"{OPERATOR}-")
    first, second = written(store, KEY, [long_name, mapped], "String")
    assert first != second
    assert [first, second] == [identifier(long_name), identifier(mapped)]
    assert first == f"{OPERATOR}-{'r' * 23}_x{sha256(long_name.encode()).hexdigest()[:16]}"


def test_the_name_of_a_game_can_still_be_read(store: Store) -> None:
    (found,) = written(store, KEY, ["sazka.blackjack_synot"], "String")
    assert found == "26493993-sazka_blackjack_synot_xc78ab1829f94d5b5"


@pytest.mark.law("L-13")
def test_a_longer_number_of_the_operator_leaves_fewer_characters(store: Store) -> None:
    operator = "o" * 20
    assert own_part_max(operator) == 29
    rows = store.rows(
        f"SELECT {_cell(KEY, operator)} AS text FROM (SELECT {{name:String}} AS IDHraToky)",  # noqa: S608 - own text
        name="r" * 30,
        operator=operator,
    )
    assert len(rows[0]["text"]) == 50


@SHARED
@given(amounts=st.lists(st.integers(-(10**15), 10**15), min_size=1))
def test_money_has_a_comma_and_two_decimals(store: Store, amounts: list[int]) -> None:
    found = written(store, MONEY, amounts, "Int64")
    assert [int(text.replace(",", "")) for text in found] == amounts
    assert all(re.fullmatch(r"-?\d{1,14},\d\d", text) for text in found)


def test_small_negative_money_keeps_its_sign(store: Store) -> None:
    assert written(store, MONEY, [-5, 0, 5, -100], "Int64") == ["-0,05", "0,00", "0,05", "-1,00"]


def test_a_rate_has_three_decimals(store: Store) -> None:
    assert written(store, RATE, [24_315, 5, 1_000], "Int64") == ["24,315", "0,005", "1,000"]


def twin(moment: int) -> str:
    local = in_prague(moment)
    cut = local - timedelta(microseconds=local.microsecond % 100_000)
    text = cut.isoformat(timespec="milliseconds")
    return text[:21] + text[23:]


@SHARED
@given(
    moments=st.lists(
        st.integers(prague("2009-01-01"), prague("2036-12-31 23:59:59")), min_size=1, max_size=20
    )
)
def test_moments_are_cut_to_a_tenth_in_the_time_of_prague(store: Store, moments: list[int]) -> None:
    found = written(store, MOMENT, moments, "Int64")
    assert found == [twin(moment) for moment in moments]
    assert found == [moment_text(moment) for moment in moments]
    for text, moment in zip(found, moments, strict=True):
        late = in_prague(moment) - datetime.fromisoformat(text)
        assert timedelta() <= late < timedelta(milliseconds=100)


@pytest.mark.parametrize(
    ("moment", "text"),
    [
        (prague("2026-03-02 07:59:59.96"), "2026-03-02T07:59:59.9+01:00"),
        (prague("2026-03-29 01:59:59.999999"), "2026-03-29T01:59:59.9+01:00"),
        (prague("2026-03-29 03:00:00"), "2026-03-29T03:00:00.0+02:00"),
        (prague("2026-10-25 02:30"), "2026-10-25T02:30:00.0+02:00"),
        (prague("2026-10-25 02:30", fold=1), "2026-10-25T02:30:00.0+01:00"),
    ],
)
def test_a_moment_never_moves_into_the_next_period(store: Store, moment: int, text: str) -> None:
    assert written(store, MOMENT, [moment], "Int64") == [text]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("17, 20", "17, 20"),
        ("a;b", '"a;b"'),
        ('say "x"', '"say ""x"""'),
        ("two\r\nlines\tand\x00more\x85end\u2028", "two  lines and more end "),
        ("", ""),
        ("ž" * 251, "ž" * 250),
        ('"' * 251, '"' + '""' * 250 + '"'),
    ],
)
def test_text_is_quoted_cut_and_without_control_characters(
    store: Store, value: str, text: str
) -> None:
    assert written(store, TEXT, [value], "String") == [text]


def test_nothing_stands_for_an_empty_value(store: Store) -> None:
    for field in (KEY, MONEY, MOMENT, TEXT, replace(KEY, size=20)):
        rows = store.rows(
            f"SELECT {_cell(field, OPERATOR)} AS text FROM "  # noqa: S608 - own text
            f"(SELECT NULL AS {field.name}) WHERE {{operator:String}} != ''",
            operator=OPERATOR,
        )
        assert rows[0]["text"] == ""


@pytest.mark.parametrize("model", list(Model))
def test_a_query_gives_the_fields_of_its_file_and_no_other_column(
    store: Store, model: Model
) -> None:
    """A column that the table of fields does not name would be left out without an error."""
    for one in files(model).values():
        query = rows_query(one, model)
        given = {name: EMPTY[kind] for name, kind in PARAMETER.findall(query)}
        found = {row["name"] for row in store.rows(f"DESCRIBE TABLE ({query})", **given)}
        assert found == {field.name for field in one.fields} | {"position", "positions"}, one.name
