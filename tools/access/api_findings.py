"""The API of findings: current disagreements, and the lifecycle of recorded findings."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Literal, TypeVar

from fastapi import APIRouter, Depends, Query

from ledger.core.clock import in_prague
from ledger.core.errors import InputError
from ledger.core.phrases import Phrase
from projections.findings.finding import Finding
from projections.reconciliation.deputies import deputies_on, with_deputy
from projections.reconciliation.finding_lifecycle import (
    list_findings,
    require_code,
)
from projections.reconciliation.reconcile import Reconciliation
from tools.access.addresses import add_addresses, span_of
from tools.access.parameters import (
    Day,
    Named,
    Openness,
    PageNumber,
    form_wished,
)
from tools.access.query_context import QueryContext
from tools.access.questions.declaration import question
from tools.access.questions.duties import items_by_age, one_finding, statements
from tools.access.scopes import Scope

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from projections.reconciliation.deputies import Deputy

__all__ = [
    "PAGE",
    "Order",
    "deputies_of",
    "known",
    "narrowed",
    "ordered",
    "paged",
    "restated",
    "router",
]

PAGE = 100
"""Findings of a page."""

_Row = TypeVar("_Row")
Order = Literal["oldest", "newest", "amount"]
"""Of findings: by the position that shows them, or the largest amount first."""

router = APIRouter(prefix="/api", dependencies=[Depends(form_wished)])


def known(context: QueryContext, examined: Reconciliation) -> tuple[Finding, ...]:
    """Return current findings, and recorded findings that are no longer found.

    The state is that at the position of the answer, which may be later than the examination. An
    open finding that is no longer found stays open until a reconciliation records its end.
    """
    register = list_findings(context.store, with_ended=True, at=context.size)
    recorded = {one.finding.identity: one.finding for one in register.findings}
    found = (restated(one, recorded.pop(one.identity, None)) for one in examined.findings)
    return (*found, *recorded.values())


def restated(finding: Finding, recorded: Finding | None) -> Finding:
    """Return a finding with its recorded state, unless its facts have changed since."""
    if recorded is None:
        return finding
    if recorded.fingerprint != finding.fingerprint or recorded.state == "gone":
        return replace(finding, state="open", assignee=recorded.assignee, number=recorded.number)
    return replace(
        finding, state=recorded.state, assignee=recorded.assignee, number=recorded.number
    )


def deputies_of(context: QueryContext) -> dict[str, Deputy]:
    """Return the deputies of the day of the question."""
    return deputies_on(context.store, context.size, in_prague(context.now).date())


def narrowed(
    findings: Iterable[Finding],
    state: Openness,
    code: str,
    assignee: str,
    deputies: Mapping[str, Deputy],
) -> tuple[Finding, ...]:
    """Filter findings; an empty code or assignee matches all, a deputy those of the person."""
    return tuple(
        one
        for one in findings
        if state in {"all", "open" if one.is_open else "closed"}
        and code in {"", one.code}
        and assignee in {"", *with_deputy(one.assignee, deputies)}
    )


def ordered(findings: Iterable[Finding], order: Order) -> tuple[Finding, ...]:
    """Sort findings, open ones first."""

    def key(one: Finding) -> tuple[bool, int]:
        place = {"oldest": one.position, "newest": -one.position, "amount": -abs(one.amount)}
        return not one.is_open, place[order]

    return tuple(sorted(findings, key=key))


def paged(
    rows: Sequence[_Row], number: int, size: int | None = None
) -> tuple[tuple[_Row, ...], int]:
    """Return the rows of a page (``PAGE`` by default), counted from 1, and the number of pages.

    Raises:
        InputError: there is no such page.

    """
    size = PAGE if size is None else size
    pages = max(-(-len(rows) // size), 1)
    if number > pages:
        raise InputError(Phrase("PAGE_NUMBER_UNKNOWN", number=number, pages=pages))
    return tuple(rows[(number - 1) * size : number * size]), pages


@question("/findings", Scope.MONEY, rows="findings", is_timed=True, serving={"is_examined": True})
def findings(
    context: QueryContext,
    one_day: Annotated[Day, Query(alias="day")] = "",
    state: Openness = "all",
    code: Named = "",
    assignee: Named = "",
    order: Annotated[Order | None, Query(alias="sort")] = None,
    part: Annotated[PageNumber | None, Query(alias="page")] = None,
) -> Reconciliation:
    """List what does not agree, as examined up to the place that the answer names, and what ended.

    With `day`, what events of that day show, as it stands at that place. With `page`, a hundred of
    them.
    """
    span = span_of(context, one_day)
    found = context.examined
    every = known(context, found)
    require_code(code, every)
    shown = (one for one in every if span.holds(one.position))
    listed = narrowed(shown, state, code, assignee, deputies_of(context))
    listed = listed if order is None else ordered(listed, order)
    return replace(
        found,
        findings=listed if part is None else paged(listed, part)[0],
        corrected=tuple(one for one in found.corrected if span.holds(one.position)),
    )


add_addresses(router, findings, one_finding, items_by_age, statements)
