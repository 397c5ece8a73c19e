# needs = ["RoundOpened", "ShoeLoaded"]
# reads = ["RoundResulted", "CardDealt", "OperatorRulesPublished"]
#
# [RESULTS_LEAN]
# name.en = "Results lean"
# name.cs = "Výsledky se odchylují od náhody"
# text.en = """\
#   Results lean: {detail:phrase}; a fair one ever gets as far once in \
#   {figures.fairness_evidence.value:count}."""
# text.cs = """\
#   Výsledky se vychylují: {detail}; při spravedlivé hře se to stane jednou za \
#   {figures.fairness_evidence.value} případů."""

"""Find wheels, dealers and shoes whose results lean further than a fair one ever does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from projections.fairness.watch import watch
from projections.findings.finding import DetectedFinding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from projections.checks import CheckInput

__all__ = ["find"]


def find(of: CheckInput) -> Iterator[DetectedFinding]:
    """Find devices whose results lean."""
    for one in watch(of.store, at=of.size).watched:
        if one.leans:
            about = f"{one.kind} {one.name} {one.game}"
            yield DetectedFinding(
                "RESULTS_LEAN", position=one.position, detail=one.bias, about=about
            )
