"""The headers of the checks: all that a finding has beside the code that detects it.

What comes in: the files of ``projections/checks``. A check begins with a header, TOML in the
comment block at the top of the file (``--`` in SQL, ``#`` in Python); that of a duty which begins
and ends with facts is a TOML file, and needs no code. The header has:

- ``needs``: event types of which at least one must exist for the check to detect anything;
- ``reads``: further tables that determine its result, or ``"time"`` if it changes with time; of an
  SQL check the tables of which it needs rows of other rounds, too: if all checks of a view have it,
  only rounds with new events are checked again, from their own rows and these tables;
- ``also``: codes that this check detects and another file declares;
- ``view``: the view of findings to which an SQL check belongs. Its query has the columns position,
  account, round, bet, amount and detail, and parts where the view has them; it may use what the
  view defines before ``{checks}``. One that only selects rows of such a part by
  a condition shares one pass with the others (:mod:`projections.store.check_queries`);
- ``settled``: whether the check is part of the settlement of rounds, hands and tournaments;
- ``duty``: the duty (:mod:`projections.findings.duties`) of which the one code of the file reports
  that it was not done in time;
- a table for each code: ``name`` and ``text`` (the sentence), both with ``en`` and ``cs``; the
  ``paragraph``, where an operator's rules name none; and its ``identity``: ``position``, or
  ``moving`` where more events move the position, so that only account, round and bet identify the
  finding, or ``named`` where the detail distinguishes several findings at one position. A query
  whose sentence has ``{detail:phrase}`` names the ``phrase``; its values are the parts of a row,
  or else the detail, and the first of them replaces ``{}`` in the code of the phrase.

What goes out: the headers by file, and the findings by code. The files are read when the first
header is needed; a wheel holds their headers as one file. Rejected, with file and line: a file
without a header, a header that lacks a name or sentence in one of the languages, or a query the
phrase of its detail, an event type or code that does not exist, a code of two files, and a deadline
without its duty.

A code never changes its meaning; a sentence may be improved.
"""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib import resources
from itertools import takewhile
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import msgspec

from ledger.core.decoders import decoder_of
from ledger.core.phrases import placeholders_of
from ledger.events.event_types import EVENTS
from ledger.rules.deadlines import DEADLINES
from projections.findings.duties import Duty, Text
from schemas.compiled import compiled

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = [
    "CHECKS",
    "COMPILED",
    "CheckHeader",
    "FindingHeader",
    "compile_headers",
    "headers",
    "known_duties",
    "known_findings",
    "parse_header",
]

CHECKS, COMPILED = "projections/checks", "checks.json"
COMMENTS = {"sql": "--", "py": "#", "toml": ""}
"""Beginning of a line of the header, by the suffix of the file."""
HELPERS = frozenset({"__init__.py", "texts.toml"})
_T = TypeVar("_T")


class FindingHeader(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a header says about one code."""

    name: Text
    text: Text
    paragraph: str = ""
    phrase: str = ""
    identity: Literal["position", "moving", "named"] = "position"


class CheckHeader(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The header of one file."""

    findings: dict[str, FindingHeader]
    needs: tuple[str, ...] = ()
    reads: tuple[str, ...] | Literal["time"] = "time"
    also: tuple[str, ...] = ()
    view: str = ""
    settled: bool = False
    duty: Duty | None = None

    @property
    def codes(self) -> frozenset[str]:
        """The codes that the check detects."""
        return frozenset((*self.findings, *self.also))


@cache
def headers() -> Mapping[str, CheckHeader]:
    """Return the header of each check by the name of its file."""
    content = compiled("projections", COMPILED, ("checks/*.*",), compile_headers)
    return decoder_of(dict[str, CheckHeader]).json(content)


@cache
def known_findings() -> Mapping[str, FindingHeader]:
    """Return all findings by code, in alphabetical order."""
    found = (pair for header in headers().values() for pair in header.findings.items())
    return dict(sorted(found, key=lambda pair: pair[0]))


@cache
def known_duties() -> Mapping[str, Duty]:
    """Return all duties by the code of their finding, in the order of the table of deadlines."""
    declared = {one.duty.code: one.duty for one in headers().values() if one.duty is not None}
    return {code: declared[code] for code in DEADLINES}


def compile_headers() -> str:
    """Return the headers of all files as the JSON that a wheel holds.

    Raises:
        ValueError: a header is missing or incomplete, two files declare one code, or none declares
            the duty of a deadline.

    """
    found: dict[str, CheckHeader] = {}
    owners: dict[str, str] = {}
    duties: set[str] = set()
    for file in sorted(resources.files("projections.checks").iterdir(), key=lambda one: one.name):
        suffix = file.name.rpartition(".")[2]
        if suffix not in COMMENTS or file.name in HELPERS:
            continue
        header = found[file.name] = parse_header(file.name, file.read_text(encoding="utf-8"))
        for code in header.findings:
            if code in owners:
                raise ValueError(f"{CHECKS}/{file.name}: {code} belongs to {owners[code]}")
            owners[code] = file.name
        duties |= {header.duty.code} if header.duty else set()
    for name, header in found.items():
        if unknown := set(header.also) - owners.keys():
            raise ValueError(f"{CHECKS}/{name}: also: no check declares {', '.join(unknown)}")
    if lost := sorted(DEADLINES.keys() - duties):
        raise ValueError(f"ledger/rules/deadlines.toml: no check declares the duty {lost[0]}")
    return msgspec.json.encode(found).decode()


def parse_header(name: str, content: str) -> CheckHeader:
    """Parse the header at the beginning of a file.

    Raises:
        ValueError: it is missing or incomplete; the text names file, line and fault.

    """
    mark = COMMENTS[name.rpartition(".")[2]]
    lines = list(takewhile(lambda line: line.startswith(mark), content.splitlines()))
    if not lines:
        raise ValueError(f"{CHECKS}/{name}:1: begin the file with a header, as its neighbours do")
    lines = [line.removeprefix(mark).removeprefix(" ") for line in lines]
    try:
        read = tomllib.loads("\n".join(lines))
    except tomllib.TOMLDecodeError as error:
        at = re.search(r"line (\d+)", str(error))
        raise ValueError(f"{CHECKS}/{name}:{at[1] if at else len(lines)}: {error}") from error
    header = _Header(name, lines)
    findings = {code: header.finding(code, read.pop(code)) for code in [*read] if code.isupper()}
    if "duty" in read:
        code, needs = next(iter(findings), ""), read.get("needs", [])
        duty = {"code": code, "needs": needs, **read["duty"]}
        read["duty"] = header.decoded(Duty, duty, prefix="duty.")
    return header.decoded(CheckHeader, {**read, "findings": findings})


class _Header:
    """The lines of a header, by which a fault is reported."""

    def __init__(self, name: str, lines: Sequence[str]) -> None:
        self._name, self._lines = name, lines

    def finding(self, code: str, values: dict[str, Any]) -> FindingHeader:
        """Return the part about one code; the name of an SQL file is its code."""
        found = self.decoded(FindingHeader, values, table=f"[{code}]")
        if self._name.endswith(".sql"):
            if self._name != f"{code}.sql":
                raise self._fault(f"the check of {code} is the file {code}.sql", f"[{code}]")
            is_phrase = placeholders_of(found.text.en).get("detail") == "phrase"
            if is_phrase != bool(found.phrase):
                fault = f"{code}: `phrase` belongs to a sentence with {{detail:phrase}}"
                raise self._fault(fault, f"[{code}]", "text.en")
        return found

    def decoded(
        self, kind: type[_T], values: dict[str, Any], *, table: str = "", prefix: str = ""
    ) -> _T:
        """Decode a part of the header; event types that it needs must exist."""
        for event in values.get("needs", ()):
            if event not in EVENTS:
                raise self._fault(f"{event} is no event type", "", "needs")
        try:
            return decoder_of(kind).plain(values)
        except msgspec.ValidationError as error:
            path = re.search(r"`\$\.([a-z_.]+)", str(error))
            field = re.search(r"field `(\w+)`", str(error))
            keys = [prefix + one[1] for one in (path, field) if one]
            fault = f"{table.strip('[]')}: {error}" if table else str(error)
            raise self._fault(fault, table, ".".join(keys), *keys, prefix) from error

    def _fault(self, fault: str, table: str, *keys: str) -> ValueError:
        """Return an error at the first of the keys that a table of the header has."""
        first = self._lines.index(table) if table and table in self._lines else 0
        rest = list(enumerate(self._lines[first:], first))
        lines = (line for key in keys if key for line, text in rest if text.startswith(key))
        return ValueError(f"{CHECKS}/{self._name}:{next(lines, first) + 1}: {fault}")
