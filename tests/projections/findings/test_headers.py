"""Headers of checks: complete, in both languages, and about events and tables that exist."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import schemas
from projections.findings import headers as read
from projections.findings.headers import headers, known_findings, parse_header
from projections.store.definitions import all_names

if TYPE_CHECKING:
    from pathlib import Path

WHOLE = """\
-- needs = ["BetPlaced"]
--
-- [A_B]
-- name.en = "a"
-- name.cs = "b"
-- text.en = "c"
-- text.cs = "d"

SELECT 1 -- [NOT_PART_OF_IT]
"""


def test_a_header_ends_where_the_comment_does() -> None:
    header = parse_header("A_B.sql", WHOLE)
    assert header.needs == ("BetPlaced",)
    assert header.findings.keys() == {"A_B"}
    assert header.findings["A_B"].text.cs == "d"
    assert parse_header("a_b.py", WHOLE.replace("--", "#")) == header


@pytest.mark.parametrize("lost", ["name.en", "name.cs", "text.en", "text.cs"])
def test_a_header_without_a_name_or_sentence_is_rejected(lost: str) -> None:
    lines = [line for line in WHOLE.splitlines() if lost not in line]
    place, language = lost.split(".")
    fault = rf"projections/checks/A_B\.sql: .*field `{language}`.*{place}"
    with pytest.raises(ValueError, match=fault):
        parse_header("A_B.sql", "\n".join(lines))


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        ("SELECT 1", "begin the file with a header"),
        (WHOLE.replace("needs", "wants"), "unknown field `wants`"),
        (WHOLE.replace("text.cs =", "text.cs"), "Expected '='"),
        (WHOLE.replace('-- name.en = "a"', '-- name.en = "a"\n-- identity = "any"'), "'any'"),
        (WHOLE.replace('"c"', '"c {detail:phrase}"'), "A_B: `phrase` belongs to a sentence"),
        (
            WHOLE.replace('"c"', '"c"\n-- phrase = "AT_TABLE"'),
            "A_B: `phrase` belongs to a sentence",
        ),
    ],
)
def test_a_header_is_rejected_with_its_file_and_fault(content: str, fault: str) -> None:
    with pytest.raises(ValueError, match=rf"projections/checks/A_B\.sql: .*{fault}"):
        parse_header("A_B.sql", content)


def test_a_code_of_two_files_is_rejected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(read.resources, "files", lambda _: tmp_path)
    for name in ("A_B.sql", "C.sql"):
        (tmp_path / name).write_text(WHOLE, encoding="utf-8")
    with pytest.raises(ValueError, match=r"checks/C\.sql: A_B belongs to A_B\.sql"):
        read.compile_headers()


@pytest.mark.parametrize("name", headers())
def test_a_header_names_events_tables_and_codes_that_exist(name: str) -> None:
    header = headers()[name]
    assert set(header.needs) <= schemas.newest().keys()
    if header.reads != "time":
        assert set(header.reads) <= all_names()
    assert set(header.also) <= known_findings().keys() - header.findings.keys()
    if name.endswith(".sql"):
        assert [f"{code}.sql" for code in header.findings] == [name]


def test_a_wheel_has_the_headers_of_the_files() -> None:
    found = read.msgspec.json.decode(read.compile_headers(), type=dict[str, read.CheckHeader])
    assert found == headers()
