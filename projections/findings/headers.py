"""The headers of the checks: all that a finding has beside the code that detects it.

What comes in: the files of ``projections/checks``. A check begins with a header, TOML in the
comment block at the top of the file (``--`` in SQL, ``#`` in Python); ``duties.toml`` has those of
the duties. The header has:

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
- a table for each code: ``name`` and ``text`` (the sentence), both with ``en`` and ``cs``; the
  ``paragraph``, where an operator's rules name none; and its ``identity``: ``position``, or
  ``moving`` where more events move the position, so that only account, round and bet identify the
  finding, or ``named`` where the detail distinguishes several findings at one position. A query
  whose sentence has ``{detail:phrase}`` names the ``phrase``; its values are the parts of a row,
  or else the detail, and the first of them replaces ``{}`` in the code of the phrase.

What goes out: the headers by file, and the findings by code. The files are read when the first
header is needed; a wheel holds their headers as one file. Rejected: a file without a header, a
header that lacks a name or sentence in one of the languages, or a query the phrase of its detail,
and a code of two files.

A code never changes its meaning; a sentence may be improved.
"""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources
from itertools import takewhile
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from ledger.core.decoders import decoder_of
from ledger.core.phrases import placeholders_of
from ledger.rules.duties import DUTIES

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = [
    "CHECKS",
    "COMPILED",
    "CheckHeader",
    "FindingHeader",
    "compile_headers",
    "headers",
    "known_findings",
    "parse_header",
]

CHECKS, COMPILED = "projections/checks", "checks.json"
COMMENTS = {"sql": "--", "py": "#", "toml": ""}
"""Beginning of a line of the header, by the suffix of the file."""
HELPERS = frozenset({"__init__.py", "texts.toml"})


class _Text(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    en: str
    cs: str


class FindingHeader(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a header says about one code."""

    name: _Text
    text: _Text
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

    @property
    def codes(self) -> frozenset[str]:
        """The codes that the check detects."""
        return frozenset((*self.findings, *self.also))


@cache
def headers() -> Mapping[str, CheckHeader]:
    """Return the header of each check by the name of its file."""
    file = resources.files("projections") / COMPILED
    content = file.read_bytes() if file.is_file() else compile_headers()
    return decoder_of(dict[str, CheckHeader]).json(content)


@cache
def known_findings() -> Mapping[str, FindingHeader]:
    """Return all findings by code, in alphabetical order."""
    found = (pair for header in headers().values() for pair in header.findings.items())
    return dict(sorted(found, key=lambda pair: pair[0]))


def compile_headers() -> bytes:
    """Return the headers of all files as the JSON that a wheel holds.

    Raises:
        ValueError: a header is missing or incomplete, or two files declare one code.

    """
    found: dict[str, CheckHeader] = {}
    owners: dict[str, str] = {}
    for file in sorted(resources.files("projections.checks").iterdir(), key=lambda one: one.name):
        suffix = file.name.rpartition(".")[2]
        if suffix not in COMMENTS or file.name in HELPERS:
            continue
        found[file.name] = parse_header(file.name, file.read_text(encoding="utf-8"))
        for code in found[file.name].findings:
            if code in owners:
                raise ValueError(f"{CHECKS}/{file.name}: {code} belongs to {owners[code]}")
            owners[code] = file.name
    return msgspec.json.encode(found)


def parse_header(name: str, content: str) -> CheckHeader:
    """Parse the header at the beginning of a file.

    Raises:
        ValueError: it is missing or incomplete; the text names the file and the fault.

    """
    mark = COMMENTS[name.rpartition(".")[2]]
    lines = takewhile(lambda line: line.startswith(mark), content.splitlines())
    if not content.startswith(mark or "["):
        raise ValueError(f"{CHECKS}/{name}: begin the file with a header, as its neighbours do")
    try:
        read = tomllib.loads("\n".join(line.removeprefix(mark).removeprefix(" ") for line in lines))
        findings = {code: _of_duty(code, one) for code, one in read.items() if code.isupper()}
        rest = {key: value for key, value in read.items() if key not in findings}
        header = decoder_of(CheckHeader).plain({"findings": findings, **rest})
        if name.endswith(".sql"):
            _require_phrases(header)
    except ValueError as error:
        raise ValueError(f"{CHECKS}/{name}: {error}") from error
    return header


def _require_phrases(header: CheckHeader) -> None:
    for code, one in header.findings.items():
        is_phrase = placeholders_of(one.text.en).get("detail") == "phrase"
        if is_phrase != bool(one.phrase):
            raise ValueError(f"{code}: `phrase` belongs to a sentence with {{detail:phrase}}")


def _of_duty(code: str, header: dict[str, Any]) -> dict[str, Any]:
    """Return a header with the sentence and the paragraph that the table of duties has."""
    if code not in DUTIES:
        return header
    text = {"en": DUTIES[code].finding, **header.get("text", {})}
    return {"paragraph": DUTIES[code].paragraph, **header, "text": text}
