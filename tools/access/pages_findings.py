"""The pages of findings: what does not agree, and of one both sides and who did what about it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from ledger.core.clock import in_prague
from projections.books.before_closing import pending_write_offs
from projections.findings.finding import Finding
from projections.matching.statement_states import foreign_currencies
from projections.questions.over_time import FindingDay, findings_by_day
from projections.reconciliation.deputies import Deputy, deputies_from, first_on
from projections.reconciliation.finding_lifecycle import FindingStep, show_finding
from projections.reconciliation.reconcile import Reconciliation
from tools.access import charts
from tools.access.access_service import may_act, serve_query, service_of
from tools.access.api_findings import Order, deputies_of, known, narrowed, ordered, paged, restated
from tools.access.language import words_of
from tools.access.pages import page
from tools.access.parameters import (
    Name,
    Named,
    Now,
    Openness,
    PageNumber,
)
from tools.access.query_context import QueryContext
from tools.access.scopes import Scope

if TYPE_CHECKING:
    from collections.abc import Iterable

    from projections.store.tables import Store

__all__ = ["router"]

router = APIRouter()

WRITTEN_OFF = frozenset(
    {
        *("AMOUNT_DIFFERS", "AMOUNT_ROUNDED", "AMOUNT_TOLERATED", "CHARGED_BACK", "CLAIM_OPEN"),
        *("LINE_DOUBLE", "NOT_IN_BOOKS", "NOT_IN_STATEMENT"),
    }
)
"""Findings whose amount can be written off."""


class _Findings(NamedTuple):
    """What was asked for, by what it can be narrowed, and what settlements recorded by bet."""

    examined: Reconciliation
    codes: set[str]
    assignees: set[str]
    deputies: dict[str, list[Deputy]]
    settled: dict[str, dict[str, Any]]
    total: int
    pages: int
    by_day: tuple[FindingDay, ...]
    pending: list[dict[str, Any]]
    currencies: dict[str, str]


class _Finding(NamedTuple):
    """A finding as it is now, or as it was recorded last; no steps where it was not recorded."""

    finding: Finding
    steps: tuple[FindingStep, ...]
    settled: dict[str, Any] | None
    deputy: Deputy | None
    currencies: dict[str, str]

    @property
    def pending(self) -> FindingStep | None:
        """The proposal of a write-off that waits for a second person."""
        of = [one for one in self.steps if one.write_off]
        return of[-1] if of and of[-1].event == "WriteOffProposed" else None

    @property
    def can_be_written_off(self) -> bool:
        """Whether a write-off may be proposed: none waits, and it is about crowns."""
        side, code = self.finding.theirs, self.finding.code
        is_foreign = side is not None and side.statement in self.currencies
        return code in WRITTEN_OFF and not is_foreign and self.pending is None

    @property
    def booked(self) -> list[FindingStep]:
        """The write-offs that are booked and were not taken back."""
        of = [one for one in self.steps if one.event == "WriteOffConfirmed"]
        gone = {one.reverses for one in of}
        return [one for one in of if not one.reverses and one.write_off not in gone]


@router.get("/findings")
def findings_page(
    request: Request,
    state: Openness = "all",
    code: Named = "",
    assignee: Named = "",
    order: Annotated[Order, Query(alias="sort")] = "oldest",
    part: Annotated[PageNumber, Query(alias="page")] = 1,
    now: Now = "",
    several: Literal["yes", "no"] = "no",
) -> Response:
    """List what does not agree, with both sides, and what ended, as it was examined last."""
    service = service_of(request)

    last = None if now else service.examiner.last

    def ask(context: QueryContext) -> _Findings:
        examined = last or context.examined
        every = known(context, examined)
        today = in_prague(context.now).date()
        planned = deputies_from(context.store, context.size, today)
        deputies = first_on(planned, today)
        listed = ordered(narrowed(every, state, code, assignee, deputies), order)
        shown, pages = paged(listed, part)
        return _Findings(
            replace(examined, findings=shown),
            {one.code for one in every} | {code} - {""},
            {one.assignee for one in every}
            | {one.deputy for one in deputies.values()}
            | {assignee},
            planned,
            _settled(context.store, shown, context.size),
            len(listed),
            pages,
            findings_by_day(context.store, listed, size=context.size),
            pending_write_offs(context.store, context.size),
            foreign_currencies(context.store, context.size),
        )

    answer = serve_query(
        request,
        Scope.MONEY,
        ask,
        now=now,
        is_timed=True,
        is_examined=last is None,
        rows=lambda found: len(found.examined.findings),
    )
    found: _Findings = answer.found
    return page(
        request,
        "findings.html",
        answer=answer,
        found=found.examined,
        age_seconds=service.examiner.age_seconds,
        count=found.total,
        part=part,
        pages=found.pages,
        picture=charts.findings(words_of(request), found.by_day) if found.by_day else "",
        settled=found.settled,
        codes=sorted(found.codes),
        assignees=sorted(found.assignees - {""}),
        deputies=found.deputies,
        pending=found.pending,
        currencies=found.currencies,
        state=state,
        code=code,
        assignee=assignee,
        order=order,
        may_act=may_act(request, Scope.HANDLE),
        several=several == "yes",
    )


@router.get("/findings/{name}")
def finding_page(request: Request, name: Name) -> Response:
    """Show a finding: what is wrong, both sides, its state, and every step of its life."""
    last = service_of(request).examiner.last

    def ask(context: QueryContext) -> _Finding:
        now = {one.identity: one for one in (last or context.examined).findings}
        finding = now.get(name)
        steps: tuple[FindingStep, ...] = ()
        if finding is None or finding.state != "new":
            recorded, *_ = show_finding(context.store, name, at=context.size).findings
            current = now.get(recorded.finding.identity, recorded.finding)
            finding, steps = restated(current, recorded.finding), recorded.steps
        settled = _settled(context.store, [finding], context.size)
        deputy = deputies_of(context).get(finding.assignee)
        currencies = foreign_currencies(context.store, context.size)
        return _Finding(finding, steps, settled.get(finding.bet), deputy, currencies)

    def named(found: _Finding) -> dict[str, str]:
        return {"account": found.finding.account, "round": found.finding.round}

    answer = serve_query(
        request, Scope.MONEY, ask, is_named=True, is_examined=last is None, concerns=named
    )
    found: _Finding = answer.found
    return page(
        request,
        "finding.html",
        answer=answer,
        one=found.finding,
        steps=found.steps,
        may_act=may_act(request, Scope.HANDLE),
        may_confirm=may_act(request, Scope.CONFIRM),
        can_be_written_off=found.can_be_written_off,
        pending=found.pending,
        booked=found.booked,
        settled=found.settled,
        deputy=found.deputy,
        currencies=found.currencies,
    )


def _settled(store: Store, findings: Iterable[Finding], size: int) -> dict[str, dict[str, Any]]:
    bets = sorted({one.bet for one in findings if one.bet})
    rows = store.rows(
        "SELECT bet, due, paid FROM BetSettled "
        "WHERE bet IN {bets:Array(String)} AND position < {size:Int64} ORDER BY position",
        bets=bets,
        size=size,
    )
    return {row["bet"]: row for row in rows}
