"""The register of requirements: what it reads, and where it stops."""

from __future__ import annotations

import ast
import importlib
import re
import textwrap
from collections import ChainMap
from enum import EnumMeta
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ledger.core.texts import REFUSALS
from ledger.decisions.decider import COMMANDS
from projections.findings.headers import known_duties, known_findings
from tools.workshop.generate.law import FILES, ROOT, LawError, citations, marked_tests, parts

if TYPE_CHECKING:
    from tools.workshop.generate.law import Coverage

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
    monkeypatch.setattr(
        "tools.workshop.generate.law._by_requirement", lambda *_: {"L-1": [], "L-2": []}
    )
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


DUTIES = known_duties()
OF_DUTIES = "tests/projections/reconciliation/test_duties.py::test_each_duty_is_found"
WORD = re.compile(r"\b[A-Za-z]\w+\b")
CODE = re.compile(r"\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*\b")


def asserted_in(test: str) -> set[str]:
    """Return the codes in a test: in its lines, and in what it uses of its module."""
    file, _, name = test.partition("::")
    text = sources(file)
    used = {node.id for node in ast.walk(ast.parse(text[name])) if isinstance(node, ast.Name)}
    lines = [text[name], *(text[one] for one in used & text.keys())]
    codes = {found.group() for line in lines for found in CODE.finditer(line)}
    played = {code for code, duty in DUTIES.items() if duty.begins}
    return codes | (played if test.startswith(OF_DUTIES) else set())


@cache
def sources(file: str) -> dict[str, str]:
    """Return the source of each function, method and constant of a file, with its decorators."""
    text = (ROOT / file).read_text(encoding="utf-8")
    found = {}
    for node in ast.walk(ast.parse(text)):
        names = [getattr(node, "name", "")]
        if isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names = [ast.unparse(one) for one in targets]
        elif not isinstance(node, ast.FunctionDef | ast.ClassDef):
            continue
        first = min([node.lineno, *(one.lineno for one in getattr(node, "decorator_list", ()))])
        lines = text.splitlines()[first - 1 : node.end_lineno]
        found |= dict.fromkeys(names, textwrap.dedent("\n".join(lines)))
    return found


def codes_of(line: Coverage) -> set[str]:
    """Return the codes of refusals and findings that a line of the law names."""
    return {
        one
        for one in (*line.decided_by, *line.found_by)
        if one in REFUSALS | known_findings().keys()
    }


def test_a_line_counts_as_proved_only_by_a_test_that_asserts_one_of_its_codes() -> None:
    unproved = {
        line.requirement.id: sorted(codes)
        for _, lines in parts()
        for line in lines
        if line.tests
        and (codes := codes_of(line))
        and codes.isdisjoint(set[str]().union(*map(asserted_in, line.tests)))
    }
    assert unproved == {}


def words_in(test: str) -> set[str]:
    """Return the words of a test: of its lines, and of what it uses of its module and fixtures."""
    file, _, name = test.partition("::")
    fixtures = [
        sources(str(folder / "conftest.py"))
        for folder in Path(file).parents
        if (ROOT / folder / "conftest.py").is_file()
    ]
    text = {**ChainMap(sources(file), *fixtures)}
    tree = ast.parse(text[name])
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    used |= {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    lines = [text[name], *(text[one] for one in used & text.keys())]
    return {found.group() for line in lines for found in WORD.finditer(line)}


def witnesses_of(line: Coverage) -> set[str]:
    """Return what a test of a line has to name: a code, a command, an event, a part of a module.

    A command is named as it is sent, or by its class.
    """
    named = set()
    for one in (*line.decided_by, *line.found_by):
        named |= {COMMANDS[one].__name__, one} if one in COMMANDS else {one}
        if one.endswith(".py"):
            module = importlib.import_module(one.removesuffix(".py").replace("/", "."))
            named |= {*module.__all__}
            named |= {
                member.name
                for one in map(partial(getattr, module), module.__all__)
                if isinstance(one, EnumMeta)
                for member in one
            }
    return named


def test_each_proved_line_is_compared_with_a_test_that_names_what_it_names() -> None:
    """A line without a refusal or a finding names a fact, a command or a module."""
    unproved = {
        line.requirement.id: sorted(witnesses)
        for _, lines in parts()
        for line in lines
        if line.requirement.standing == "proved"
        and (witnesses := witnesses_of(line)).isdisjoint(
            set[str]().union(*map(words_in, line.tests), *map(asserted_in, line.tests))
        )
    }
    assert unproved == {}


def test_every_code_that_a_line_names_is_asserted_by_some_test() -> None:
    files = [
        one
        for one in (ROOT / "tests").rglob("*.py")
        if one.name != "test_law.py" and one.parent.name != "recipes"
    ]
    asserted = {
        found.group() for one in files for found in CODE.finditer(one.read_text(encoding="utf-8"))
    } | DUTIES.keys()
    named = {code for _, lines in parts() for line in lines for code in codes_of(line)}
    assert named - asserted == set()


def test_a_code_is_seen_in_decorators_and_in_what_a_test_uses() -> None:
    found = "tests/projections/reconciliation/test_diligence.py::test_a_control_holds_for_its_time"
    assert "CHECK_NOT_DONE" in asserted_in(found)


def test_each_requirement_with_a_duty_is_proved_by_the_test_of_its_duties() -> None:
    """The test plays each row of the table; a duty without it would be called proved by others."""
    unproved = {
        (line.requirement.id, code)
        for _, lines in parts()
        for line in lines
        for code in DUTIES.keys() & set(line.found_by)
        if not any(test.startswith(OF_DUTIES) for test in line.tests if DUTIES[code].begins)
        and code not in set[str]().union(*map(asserted_in, line.tests))
    }
    assert unproved == set()
    assert {
        code for _, lines in parts() for line in lines for code in line.found_by
    } >= DUTIES.keys()
