# needs = ["OperatorRulesPublished"]
#
# [RULES_BEYOND_LAW]
# name.en = "Rules beyond the law"
# name.cs = "Pravidla provozovatele mimo meze zákona"
# text.en = "The operator published rules that the law does not allow: {detail:phrase}."
# text.cs = "Provozovatel vydal pravidla, která zákon nedovoluje: {detail}."
# paragraph = "ZHH (panic button)"

"""Find published rules with a figure beyond the law (:data:`ledger.rules.law.FIGURE_BOUNDS`).

The writer rejects them; rules that another writer published judge the play under them nevertheless.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.core.phrases import Phrase
from ledger.rules.operator import figures_beyond_law
from projections.findings.finding import DetectedFinding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from projections.checks import CheckInput

__all__ = ["find"]


def find(of: CheckInput) -> Iterator[DetectedFinding]:
    """Find each figure beyond the law of each publication."""
    for position, rules in zip(of.published.positions, of.published.rules, strict=True):
        if position < of.size:
            for fault in figures_beyond_law(rules):
                least = Phrase("FIGURE_AT_LEAST", figure=fault.name, right=fault.least)
                most = Phrase("FIGURE_AT_MOST", figure=fault.name, right=fault.most or 0)
                yield DetectedFinding(
                    "RULES_BEYOND_LAW",
                    position=position,
                    detail=least if fault.value < fault.least else most,
                    paragraph=fault.source,
                    about=f"{position} {fault.name}",
                )
