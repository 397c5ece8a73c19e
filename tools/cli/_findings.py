"""Findings as tables on the screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tools.cli._output import table, wrapped

if TYPE_CHECKING:
    from collections.abc import Iterable

    from projections.findings.finding import Finding

__all__ = ["FOUND", "findings_table"]

FOUND = 1
"""Exit code where something is open."""


def findings_table(findings: Iterable[Finding], *, as_csv: bool = False) -> None:
    """Show findings with their place."""
    rows = [
        (
            one.number,
            one.identity,
            one.state,
            one.assignee,
            one.position,
            one.code,
            one.bet or one.round or one.account,
            one.sentence,
            one.paragraph,
        )
        for one in findings
    ]
    head = (
        "number",
        "finding",
        "state",
        "with",
        "position",
        "code",
        "where",
        wrapped("what"),
        wrapped("paragraph"),
    )
    table(head, rows, as_csv=as_csv)
