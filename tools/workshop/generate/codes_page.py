"""The page of the codes of findings, ``docs/codes.md``, written from the headers of the checks."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ledger.rules.operator import shipped_rules
from projections.findings.finding import paragraph_of
from projections.findings.headers import known_findings

if TYPE_CHECKING:
    from ledger.rules.operator import OperatorRules
    from projections.findings.headers import FindingHeader

__all__ = ["codes_page"]

OPENING = """\
# Codes of findings

Generated from the checks in [projections/checks](../projections/checks). What a finding is and who
handles it: [findings](findings.md); duties that were not done in time: [duties](duties.md).
Paragraphs are those of SAZKA's rules; another operator gives its own. `gameledger reconcile --only
CODE` looks for one code alone.

| code | name | sentence | paragraph |
|---|---|---|---|
"""
PLACE = re.compile(r"\{([^{}:]+)(?::[^{}]*)?\}")


def codes_page() -> str:
    """Write ``docs/codes.md``."""
    rules, found = shipped_rules()["sazka"], sorted(known_findings().items())
    return OPENING + "".join(_row(code, header, rules) for code, header in found)


def _row(code: str, header: FindingHeader, rules: OperatorRules) -> str:
    sentence = PLACE.sub(_value, header.text.en)
    cells = (f"`{code}`", header.name.en, sentence, paragraph_of(code, rules))
    return f"| {' | '.join(cells)} |\n"


def _value(place: re.Match[str]) -> str:
    name = place[1].removeprefix("figures.").removeprefix("periods.").partition(".")[0]
    return f"*{name.replace('_', ' ')}*"
