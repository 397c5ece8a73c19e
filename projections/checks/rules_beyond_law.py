# needs = ["OperatorRulesPublished"]
#
# [RULES_BEYOND_LAW]
# name.en = "Rules beyond the law"
# name.cs = "Pravidla provozovatele mimo meze zákona"
# text.en = "The operator published rules that the law does not allow: {detail:phrase}."
# text.cs = "Provozovatel vydal pravidla, která zákon nedovoluje: {detail}."
# paragraph = "ZHH (panic button)"

"""Find published rules with a number beyond the law or the bounds of its unit.

The writer rejects them; rules that another writer published judge the play under them nevertheless,
as far as the bounds of their units allow.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.core.phrases import Phrase
from ledger.rules.operator import decode_as_published, figures_beyond_law
from projections.findings.finding import DetectedFinding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from projections.checks import CheckInput

__all__ = ["find"]


def find(of: CheckInput) -> Iterator[DetectedFinding]:
    """Find each figure beyond the law of each publication."""
    for position, text in zip(of.published.positions, of.published.texts, strict=True):
        if position < of.size:
            for fault in figures_beyond_law(decode_as_published(text)):
                least = Phrase("FIGURE_AT_LEAST", figure=fault.name, right=fault.least)
                most = Phrase("FIGURE_AT_MOST", figure=fault.name, right=fault.most)
                yield DetectedFinding(
                    "RULES_BEYOND_LAW",
                    position=position,
                    detail=least if fault.value < fault.least else most,
                    paragraph=fault.source,
                    about=f"{position} {fault.name}",
                )
