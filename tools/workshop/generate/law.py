"""Legal requirements: what decides each, what finds its breach, and which tests prove it.

Input: the requirements (``docs/law/*.toml``), the paragraphs cited by refusals, findings and
figures, and the tests marked ``@pytest.mark.law(…)``, read from their source without running them.
Output: one :class:`Coverage` for each requirement. Rejected, with the place: a requirement marked
as proved without a test, a marker or a citation without a requirement, an unknown name.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import msgspec
from msgspec import Struct

from ledger.core.decoders import decoder_of
from ledger.core.errors import InputError
from ledger.core.texts import REFUSALS
from ledger.decisions.decider import COMMANDS
from ledger.events.event_types import EVENTS
from ledger.rules.operator import shipped_rules
from projections.findings.finding import paragraph_of
from projections.findings.headers import known_findings

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from ledger.rules.operator import OperatorRules

__all__ = [
    "FILES",
    "ROOT",
    "Coverage",
    "LawError",
    "Part",
    "Requirement",
    "citations",
    "marked_tests",
    "parts",
]

ROOT = Path(__file__).resolve().parents[3]
FOLDER = ROOT / "docs" / "law"
FILES = ("sazka", "acts", "rooms", "ledger")
Standing = Literal["proved", "setting", "lawyer", "people", "not_ours", "open"]


class LawError(InputError):
    """The requirements contradict the project; the text names requirement and place."""


class Requirement(Struct, frozen=True, forbid_unknown_fields=True):
    """A legal requirement; its fields: ``docs/recipes/add-a-requirement.md``."""

    id: str
    says: str
    standing: Standing
    because: str = ""
    question: str = ""
    source: str = ""
    seen: Literal["", "read", "in part", "press", "sample", "not read"] = ""
    cites: tuple[str, ...] = ()
    decided_by: tuple[str, ...] = ()
    found_by: tuple[str, ...] = ()


class Part(Struct, frozen=True, forbid_unknown_fields=True):
    """A file of requirements."""

    title: str
    introduction: str
    requirement: tuple[Requirement, ...]


class Coverage(Struct, frozen=True):
    """A requirement with the code and tests that cover it; tests are ``path::name``."""

    requirement: Requirement
    decided_by: tuple[str, ...]
    found_by: tuple[str, ...]
    tests: tuple[str, ...]


@cache
def parts(folder: Path = FOLDER, tests: Path = ROOT / "tests") -> list[tuple[Part, list[Coverage]]]:
    """Read all requirements and add to each what decides, finds and proves it.

    Raises:
        LawError: see the module.

    """
    read = [_read(folder / f"{name}.toml") for name in FILES]
    requirements = [one for part in read for one in part.requirement]
    rules = shipped_rules()["sazka"]
    refusals = _by_requirement({code: rules.paragraph(code) for code in REFUSALS}, requirements)
    findings = _by_requirement(
        {code: paragraph_of(code, rules) for code in known_findings()}, requirements
    )
    figures = _by_requirement(_figures(rules), requirements)
    proofs = _proofs(marked_tests(tests), requirements)
    lines = {
        one.id: Coverage(
            one,
            _joined(one.decided_by, figures[one.id], refusals[one.id]),
            _joined(one.found_by, findings[one.id]),
            tuple(sorted(proofs[one.id])),
        )
        for one in requirements
    }
    for line in lines.values():
        _require_sound(line)
    return [(part, [lines[one.id] for one in part.requirement]) for part in read]


def _read(path: Path) -> Part:
    try:
        return decoder_of(Part).toml(path.read_bytes())
    except msgspec.DecodeError as error:
        raise LawError(f"{path.name}: {error}") from error


def _figures(rules: OperatorRules) -> dict[str, str]:
    return {
        name: getattr(group, name).source
        for group in (rules.figures, rules.periods)
        for name in group.__struct_fields__
    }


def citations(text: str) -> Iterator[str]:
    """Yield the single paragraphs of a citation, such as SAZKA 8(6), 8(7) of "SAZKA 8(6) to (7)".

    A citation of headings, as of a game plan, is yielded whole.
    """
    for part in text.split(";"):
        source, _, rest = part.strip().partition(" ")
        if not re.match(r"\d", rest):
            yield "game plan" if part.strip().startswith("game plan") else _plain(part.strip())
            continue
        if source not in {"SAZKA", "ZHH", "GDPR"}:
            yield part.strip()
            continue
        section = named = ""
        for token in re.split(r",\s*", rest.partition(":")[0]):
            first, _, last = token.partition(" to ")
            if re.fullmatch("[a-z]", first):
                named = named[:-1] + first
            else:
                section = first.partition("(")[0] or section
                named = first if first.startswith(section) else section + first
            yield f"{source} {named}"
            if last:
                begin, end = (int(n) for n in re.findall(r"\((\d+)\)", token))
                yield from (f"{source} {section}({n})" for n in range(begin + 1, end + 1))


def _plain(text: str) -> str:
    return "SAZKA annex" if text.startswith("SAZKA annex") else text


def _by_requirement(
    cited: Mapping[str, str], requirements: Iterable[Requirement]
) -> defaultdict[str, list[str]]:
    """Group names by the requirements whose paragraphs they cite."""
    by_paragraph = defaultdict(list)
    for one in requirements:
        for paragraph in (one.id, *one.cites):
            by_paragraph[paragraph].append(one.id)
    found: defaultdict[str, list[str]] = defaultdict(list)
    for name, text in cited.items():
        if text == "assumed":
            continue
        for paragraph in citations(text):
            ids = next(filter(None, (by_paragraph.get(one) for one in _wider(paragraph))), None)
            if ids is None:
                raise LawError(f"{name} cites {paragraph}, and no requirement is called so")
            for identifier in ids:
                if name not in found[identifier]:
                    found[identifier].append(name)
    return found


def _wider(paragraph: str) -> Iterator[str]:
    """Yield a paragraph, then the paragraphs that contain it: 12(1)b, 12(1), 12."""
    yield paragraph
    while (wider := re.sub(r"(\([^()]*\)|(?<=\))[a-z])$", "", paragraph).rstrip()) != paragraph:
        yield wider
        paragraph = wider


def marked_tests(folder: Path) -> dict[str, list[str]]:
    """Return the requirements that each marked test names, by ``path::name``.

    Raises:
        LawError: a marker holds something else than names.

    """
    found: dict[str, list[str]] = {}
    for file in sorted(folder.rglob("test_*.py")):
        text = file.read_text(encoding="utf-8")
        if "mark.law" not in text:
            continue
        path = f"tests/{file.relative_to(folder)}"
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef) and (names := list(_markers(node, path))):
                found[f"{path}::{node.name}"] = names
    return found


def _markers(node: ast.FunctionDef, path: str) -> Iterator[str]:
    for decorator in node.decorator_list:
        if isinstance(decorator, ast.Call) and ast.unparse(decorator.func) == "pytest.mark.law":
            for argument in decorator.args:
                if not (isinstance(argument, ast.Constant) and isinstance(argument.value, str)):
                    raise LawError(f"{path}::{node.name}: a marker of law takes names only")
                yield argument.value


def _proofs(
    marked: Mapping[str, list[str]], requirements: Iterable[Requirement]
) -> defaultdict[str, list[str]]:
    known = [one.id for one in requirements]
    if twice := {name for name in known if known.count(name) > 1}:
        raise LawError(f"requirement {min(twice)} is there twice")
    found: defaultdict[str, list[str]] = defaultdict(list)
    for test, names in marked.items():
        for name in names:
            if name not in known:
                raise LawError(f"{test} is marked with {name}, and no requirement is called so")
            found[name].append(test)
    return found


def _joined(*names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for group in names for name in group))


def _require_sound(line: Coverage) -> None:
    one = line.requirement
    for name in one.decided_by:
        if name not in REFUSALS and name not in COMMANDS and name not in EVENTS:
            _require_file(one.id, name)
    for name in one.found_by:
        if name not in known_findings():
            _require_file(one.id, name)
    if one.standing == "proved" and not line.tests:
        raise LawError(f"{one.id} is called proved, and no test is marked with it")
    if one.standing == "lawyer" and not one.question:
        raise LawError(f"{one.id} is for the lawyer: say the question in one sentence")
    if one.standing not in {"proved", "lawyer"} and not one.because:
        raise LawError(f"{one.id} is {one.standing}: say why in `because`")
    if one.standing == "setting" and not line.decided_by:
        raise LawError(f"{one.id} is a setting: say which in `decided_by`")


def _require_file(identifier: str, name: str) -> None:
    if "/" not in name or not (ROOT / name).is_file():
        raise LawError(f"{identifier} names {name}: no code, command, event or file is called so")
