"""The register of requirements: what it reads, and where it stops."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ledger.rules.duties import DUTIES
from tools.generate.law import FILES, LawError, citations, marked_tests, parts

if TYPE_CHECKING:
    from pathlib import Path

PROVED = 'id = "L-1"\nsays = "s"\nstanding = "proved"'
MARKED = "import pytest\n\n\n@pytest.mark.law({})\ndef test_it() -> None: ...\n"


@pytest.mark.parametrize(
    ("text", "paragraphs"),
    [
        ("SAZKA 5a(3)", ["SAZKA 5a(3)"]),
        ("SAZKA 10(1)a, 11(1)a", ["SAZKA 10(1)a", "SAZKA 11(1)a"]),
        ("SAZKA 10(1)b, c, 11(1)b", ["SAZKA 10(1)b", "SAZKA 10(1)c", "SAZKA 11(1)b"]),
        ("SAZKA 8(6) to (8)", ["SAZKA 8(6)", "SAZKA 8(7)", "SAZKA 8(8)"]),
        ("SAZKA 12(1), (2), (4)", ["SAZKA 12(1)", "SAZKA 12(2)", "SAZKA 12(4)"]),
        ("SAZKA 8(3), 8(4); ZHH 15", ["SAZKA 8(3)", "SAZKA 8(4)", "ZHH 15"]),
        ("SAZKA 2 (conclusion of a bet)", ["SAZKA 2 (conclusion of a bet)"]),
        ("SAZKA 17(3): civil code, unjust enrichment", ["SAZKA 17(3)"]),
        ("GDPR 17(3)(b), 17(3)(e), 18", ["GDPR 17(3)(b)", "GDPR 17(3)(e)", "GDPR 18"]),
        ("SAZKA 16; act 634/1992 § 19(3)", ["SAZKA 16", "act 634/1992 § 19(3)"]),
        ("69GAMES poker rules, Raise", ["69GAMES poker rules, Raise"]),
        ("game plan, valid spin", ["game plan"]),
        ("SAZKA annex, void reasons", ["SAZKA annex"]),
    ],
)
def test_a_citation_is_taken_apart(text: str, paragraphs: list[str]) -> None:
    assert list(citations(text)) == paragraphs


def test_every_requirement_has_its_line_and_every_paragraph_its_requirement() -> None:
    lines = [line for _, found in parts() for line in found]
    by_id = {line.requirement.id: line for line in lines}
    assert len(by_id) == len(lines)
    assert {f"L-{number}" for number in range(1, 59)} <= by_id.keys()
    ban = by_id["SAZKA 5a(3)"]
    assert ban.decided_by == ("play_minutes", "break_minutes", "BREAK_REQUIRED")
    assert ban.found_by == ("BREAK_VIOLATED",)
    assert any(test.endswith("::test_the_break_ends_at_exactly_15_minutes") for test in ban.tests)


@pytest.mark.parametrize(
    ("requirement", "marker", "words"),
    [
        (PROVED, '"L-2"', "marked with L-2, and no requirement is called so"),
        (PROVED, "NAME", "a marker of law takes names only"),
        (PROVED.replace("L-1", "L-2"), "", "L-2 is called proved, and no test is marked with it"),
        (PROVED + "\n[[requirement]]\n" + PROVED, '"L-1"', "requirement L-1 is there twice"),
        (PROVED + '\ndecided_by = ["NOBODY"]', '"L-1"', "L-1 names NOBODY"),
        (PROVED + '\nfound_by = ["ledger/no.py"]', '"L-1"', r"L-1 names ledger/no\.py"),
        (PROVED.replace("proved", "lawyer"), "", "say the question in one sentence"),
        (PROVED.replace("proved", "open"), "", "L-1 is open: say why"),
        (PROVED.replace("proved", "fine"), "", r"acts\.toml: Invalid enum value 'fine'"),
        (PROVED + "\nmore = 1", "", r"acts\.toml: .* unknown field `more`"),
    ],
)
def test_what_does_not_agree_is_named(
    tmp_path: Path, requirement: str, marker: str, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tools.generate.law._by_requirement", lambda *_: {"L-1": [], "L-2": []})
    for name in FILES:
        text = 'title = "t"\nintroduction = "i"\n'
        text += f"[[requirement]]\n{requirement}\n" if name == "acts" else "requirement = []\n"
        (tmp_path / f"{name}.toml").write_text(text)
    (tmp_path / "tests").mkdir()
    if marker:
        (tmp_path / "tests" / "test_it.py").write_text(MARKED.format(marker))
    with pytest.raises(LawError, match=words):
        parts(tmp_path, tmp_path / "tests")


def test_a_citation_that_meets_no_requirement_is_named(tmp_path: Path) -> None:
    for name in FILES:
        (tmp_path / f"{name}.toml").write_text('title = "t"\nintroduction = "i"\nrequirement = []')
    with pytest.raises(LawError, match=r"cites .*, and no requirement is called so"):
        parts(tmp_path, tmp_path)


def test_markers_are_read_from_functions_and_methods_of_every_folder(tmp_path: Path) -> None:
    (tmp_path / "below").mkdir()
    method = '\n\nclass TestIt:\n    @pytest.mark.law("L-3", "L-4")\n    def test_too(self): ...\n'
    (tmp_path / "below" / "test_it.py").write_text(MARKED.format('"L-1"') + method)
    assert marked_tests(tmp_path) == {
        "tests/below/test_it.py::test_it": ["L-1"],
        "tests/below/test_it.py::test_too": ["L-3", "L-4"],
    }


def test_each_requirement_with_a_duty_is_proved_by_the_test_of_its_duties() -> None:
    """The test plays each row of the table; a duty without it would be called proved by others."""
    of_duties = "tests/projections/reconciliation/test_duties.py::test_each_duty_is_found"
    unproved = {
        (line.requirement.id, code)
        for _, lines in parts()
        for line in lines
        for code in DUTIES.keys() & set(line.found_by)
        if not any(test.startswith(of_duties) for test in line.tests if DUTIES[code].begins)
        and not (line.tests and DUTIES[code].begins_when)
    }
    assert unproved == set()
    assert {
        code for _, lines in parts() for line in lines for code in line.found_by
    } >= DUTIES.keys()
