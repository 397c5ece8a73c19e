"""Convert the details of findings from SQL views into phrases and numbers.

What comes in: rows of the views of findings (``projections/sql``). ``detail`` is the text for
readers of SQL; where it consists of several values, ``parts`` holds them. What goes out: the detail
of :class:`projections.findings.finding.DetectedFinding`, of the type and with the phrase that the
header of the check names.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ledger.core.phrases import TYPES, Phrase, placeholders_of
from ledger.core.texts import PHRASES
from projections.findings.headers import known_findings

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["detail_of"]


def detail_of(row: Mapping[str, Any]) -> Any:
    """Return the detail of a row of a view, in the type of its placeholder in the sentence."""
    header, detail = known_findings()[row["code"]], row["detail"]
    kind = placeholders_of(header.text.en).get("detail", "")
    if kind == "phrase":
        return _phrase(header.phrase, row.get("parts") or [detail])
    return tuple(detail.split(", ")) if TYPES[kind] is tuple else _typed(kind, detail)


def _phrase(code: str, values: list[str]) -> Phrase:
    if "{}" in code:
        code, values = code.format(values[0].upper()), values[1:]
    places = placeholders_of(PHRASES[code]).items()
    given = zip(places, values, strict=True)
    return Phrase(code, **{name: _typed(kind, value) for (name, kind), value in given})


def _typed(kind: str, value: str) -> str | int:
    return int(value) if TYPES[kind] is int else value
