"""Fill in the values of a recorded or new finding in the sentence of its code."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import msgspec

from ledger.core.phrases import check_parameters, placeholders_of, render, typed_value
from projections.findings.finding import in_currency
from projections.findings.headers import known_findings

if TYPE_CHECKING:
    from ledger.core.phrases import ValueRenderer

__all__ = ["FindingFacts", "fill_finding"]


class FindingFacts(Protocol):
    """Fields of a finding that its sentence needs.

    ``parameters`` is JSON with its values except the amount, and ``currency`` if that is not haléř.
    If it lacks the detail, as in records of version 1, ``detail`` is the text of the detail.
    """

    @property
    def code(self) -> str:
        """The code of the sentence."""

    @property
    def amount(self) -> int:
        """The amount concerned, in haléř or hundredths of the currency."""

    @property
    def detail(self) -> str:
        """The detail in English."""

    @property
    def parameters(self) -> str:
        """The values as JSON."""


def fill_finding(template: str, finding: FindingFacts, show: ValueRenderer) -> str:
    """Fill in the placeholders of a sentence.

    A code or parameters of another version are shown as they are.

    Args:
        template: the sentence of the finding's code in a language.
        finding: its values.
        show: formats a value, given the name and the type of its placeholder.

    """
    as_recorded = " ".join(filter(None, (finding.code, finding.detail or finding.parameters)))
    try:
        places = placeholders_of(known_findings()[finding.code].text.en)
        given = {"amount": finding.amount, **msgspec.json.decode(finding.parameters or "{}")}
        values = {name: typed_value(given[name]) for name in places if name in given}
        values = check_parameters({name: places[name] for name in values}, values)
    except (TypeError, LookupError, msgspec.DecodeError):
        return as_recorded
    shown: dict[str, Any] = {"detail": finding.detail, **values}
    show = in_currency(str(given.get("currency", "")), show)
    try:
        return render(
            template,
            shown,
            lambda name, _, value: show(name, places[name], value) if name in values else value,
        )
    except ValueError:
        return as_recorded  # not a valid day
