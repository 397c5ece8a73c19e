"""Headers of checks: complete, in both languages, and about events and tables that exist."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

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
DUTY = """\
duty.who = "operator"
-- duty.name = { en = "a", cs = "b" }
-- duty.begins_when = "a"
-- duty.done_when = "b\""""


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
    fault = rf"projections/checks/A_B\.sql:[46]: A_B: .*field `{language}`.*{place}"
    with pytest.raises(ValueError, match=fault):
        parse_header("A_B.sql", "\n".join(lines))


@pytest.mark.parametrize(
    ("content", "line", "fault"),
    [
        ("SELECT 1", 1, "begin the file with a header"),
        (WHOLE.replace("needs", "wants"), 1, "unknown field `wants`"),
        (WHOLE.replace("BetPlaced", "BetPlace"), 1, "BetPlace is no event type"),
        (WHOLE.replace("text.cs =", "text.cs"), 7, "Expected '='"),
        (WHOLE.replace("name.cs", "name.de"), 5, "unknown field `de`"),
        (WHOLE.replace("text.en", "sentence.en"), 6, "unknown field `sentence`"),
        (WHOLE.replace('-- name.en = "a"', '-- name.en = "a"\n-- identity = "any"'), 5, "'any'"),
        (WHOLE.replace("[A_B]", "[A_C]"), 3, r"the check of A_C is the file A_C\.sql"),
        (WHOLE.replace('"c"', '"c {detail:phrase}"'), 6, "A_B: `phrase` belongs to a sentence"),
        (
            WHOLE.replace('"c"', '"c"\n-- phrase = "AT_TABLE"'),
            6,
            "A_B: `phrase` belongs to a sentence",
        ),
        (WHOLE.replace("needs", 'duty.who = "bank"\n-- needs'), 1, "'bank'"),
        (WHOLE.replace("needs", DUTY + "\n-- needs"), 1, "A_B has no deadline in"),
    ],
)
def test_a_header_is_rejected_with_its_file_line_and_fault(
    content: str, line: int, fault: str
) -> None:
    with pytest.raises(ValueError, match=rf"^projections/checks/A_B\.sql:{line}: .*{fault}"):
        parse_header("A_B.sql", content)


def test_a_code_of_two_files_is_rejected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(read.resources, "files", lambda _: tmp_path)
    (tmp_path / "A_B.sql").write_text(WHOLE, encoding="utf-8")
    (tmp_path / "c.py").write_text(WHOLE.replace("--", "#"), encoding="utf-8")
    with pytest.raises(ValueError, match=r"checks/c\.py: A_B belongs to A_B\.sql"):
        read.compile_headers()


def test_a_deadline_without_a_duty_is_rejected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other way round, a duty without a deadline is a fault of its header."""
    monkeypatch.setattr(read.resources, "files", lambda _: tmp_path)
    with pytest.raises(ValueError, match=r"deadlines\.toml: no check declares the duty CHAIN_SIL"):
        read.compile_headers()


@pytest.mark.parametrize("name", headers())
def test_a_header_names_tables_and_codes_that_exist(name: str) -> None:
    header = headers()[name]
    if header.reads != "time":
        assert set(header.reads) <= all_names()
    assert set(header.also) <= known_findings().keys() - header.findings.keys()


def test_a_wheel_has_the_headers_of_the_files() -> None:
    found = read.msgspec.json.decode(read.compile_headers(), type=dict[str, read.CheckHeader])
    assert found == headers()
