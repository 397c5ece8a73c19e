"""The pages of participants: accounts, continuous play, complaints, duties, a person."""

from __future__ import annotations

from typing import Annotated, NamedTuple

import segno
from fastapi import APIRouter, Query, Request
from markupsafe import Markup
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from ledger.core.clock import in_prague
from ledger.core.errors import InputError
from ledger.log.port import Query as LogQuery
from projections.evidence.balance import ProvedBalance, balance_proof, verify_balance
from projections.questions.accounts import AccountStory, Session, account_story, sessions_of
from projections.questions.balances import balance, held_by_all
from projections.questions.continuous_play import (
    BreakViolation,
    Sequence,
    play_and_violations,
)
from projections.questions.over_time import BalanceAt, money_over_time
from projections.reconciliation.complaints import Case, CaseRegister, list_cases
from projections.store.operator import operator_rules
from projections.store.period import read_period
from tools.access import charts
from tools.access.access_service import PURPOSE_MAX, Principal, serve_query, service_of
from tools.access.addresses import serve_question
from tools.access.api import play_time
from tools.access.language import words_of
from tools.access.pages import form_of, page, reader_of_form
from tools.access.parameters import (
    AsOf,
    Before,
    Day,
    Name,
    Named,
    Now,
)
from tools.access.query_context import QueryContext
from tools.access.questions.accounts import movements
from tools.access.questions.duties import duties, one_case
from tools.access.scopes import Scope
from tools.access.unmasking import find_persons, unmask
from tools.data.moments import day
from tools.data.personal import ERASED

__all__ = ["router"]

router = APIRouter()

ROWS = 50
PERSON_MAX = 200


CASES_BEGIN = ("ComplaintFiled", "ObjectionFiled")
"""Without one of these an account has no case, which the index of the log tells at once."""


class _Account(NamedTuple):
    story: AccountStory
    held: tuple[BalanceAt, ...]
    cases: tuple[Case, ...]


class _ClosingBalance(NamedTuple):
    text: str
    proved: ProvedBalance


class _Clock(NamedTuple):
    """One day of an account; ``days`` are all on which it played, with the longest play of each."""

    day: str
    days: dict[str, int]
    sequences: list[Sequence]
    violations: list[BreakViolation]
    sessions: list[Session]
    limit_minutes: int


@router.get("/accounts/{name}")
def account_page(request: Request, name: Name, as_of: AsOf = "", now: Now = "") -> Response:
    """Show an account: money over time, measures, sessions, play, last facts."""

    def ask(context: QueryContext) -> _Account:
        begun = LogQuery(types=CASES_BEGIN, tags=(f"account:{name}",))
        has_cases = context.log.find(begun, before=context.size, limit=1)
        return _Account(
            account_story(
                context.store, context.log, name, at=context.size, now=context.now, facts=ROWS
            ),
            money_over_time(context.store, name, at=context.size),
            list_cases(
                context.store, account=name, with_ended=True, at=context.size, now=context.now
            ).cases
            if has_cases
            else (),
        )

    answer = serve_query(
        request,
        Scope.ACCOUNTS,
        ask,
        at=as_of,
        now=now,
        is_timed=True,
        account=name,
        is_named=True,
    )
    found: _Account = answer.found
    picture = charts.money(words_of(request), found.held, account=name)
    return page(
        request,
        "account.html",
        answer=answer,
        found=found.story,
        cases=found.cases,
        picture=picture,
        may_unmask=_may_unmask(service_of(request).visitor(request)),
    )


@router.get("/accounts/{name}/movements")
def movements_page(
    request: Request,
    name: Name,
    one_day: Annotated[Day, Query(alias="day")] = "",
    before: Before = None,
    as_of: AsOf = "",
) -> Response:
    """List movements of an account's wallet with the balance after each."""
    answer = serve_question(
        request, movements, name=name, day=one_day, before=before, as_of=as_of, limit=ROWS
    )
    month = f"{in_prague(answer.basis.recorded_at):%Y-%m}"
    return page(request, "movements.html", answer=answer, found=answer.found, month=month)


@router.get("/accounts/{name}/closing-balance")
def closing_balance_page(request: Request, name: Name, period: Named = "") -> Response:
    """Show the balance at the close of a day or month with its proof, as a QR code for print."""
    if period:
        read_period(period)

    def ask(context: QueryContext) -> _ClosingBalance | None:
        balance(context.store, name, at=context.size)  # refuses an unknown account
        try:
            proof = balance_proof(
                context.log, period, name, lambda size: held_by_all(context.store, at=size)
            )
        except InputError:  # nothing to prove: not closed, not covered, or no such account then
            return None
        return _ClosingBalance(str(proof), verify_balance(proof, []))

    answer = serve_query(
        request, Scope.MONEY, ask, is_slow=True, account=name, is_named=True, rows=_one_or_none
    )
    found: _ClosingBalance | None = answer.found
    return page(
        request,
        "closing_balance.html",
        answer=answer,
        found=found,
        account=name,
        period=period,
        code="" if found is None else _code_of(found.text),
    )


def _one_or_none(found: _ClosingBalance | None) -> int:
    return int(found is not None)


def _code_of(text: str) -> Markup:
    """Return a QR code that holds a text as its bytes; empty if the text is too long for one."""
    try:
        code = segno.make_qr(text.encode(), error="L", boost_error=False)
    except segno.DataOverflowError:
        return Markup("")
    drawn = code.svg_inline(omitsize=True, light="#fff", svgclass=None, lineclass=None)
    return Markup(drawn)  # noqa: S704 - modules of the code only


def _may_unmask(visitor: Principal) -> bool:
    return visitor.session is not None and Scope.UNMASK in visitor.reader.scopes


@router.post("/accounts/{name}/person")
async def person_page(request: Request, name: Name) -> Response:
    """Show the personal data of an account's person, for the purpose that the form gives."""
    form = await form_of(request)
    purpose = form.get("purpose", "")[:PURPOSE_MAX]

    def shown() -> Response:
        visitor = reader_of_form(request, form)
        request.state.visitor = visitor._replace(purpose=purpose)
        answer = unmask(request, name, purpose)
        return page(
            request,
            "person.html",
            answer=answer,
            found=answer.found,
            purpose=purpose,
            erased=ERASED,
        )

    return await run_in_threadpool(shown)


@router.get("/persons")
def persons_page(request: Request) -> Response:
    """Show the form that finds the accounts of a person."""
    answer = serve_query(request, Scope.UNMASK, lambda _: (), of_log=True, rows=len)
    return page(request, "persons.html", answer=answer, found=None)


@router.post("/persons")
async def found_persons_page(request: Request) -> Response:
    """Find the accounts of a person by name or e-mail, for the purpose that the form gives."""
    form = await form_of(request)
    purpose = form.get("purpose", "")[:PURPOSE_MAX]

    def shown() -> Response:
        visitor = reader_of_form(request, form)
        request.state.visitor = visitor._replace(purpose=purpose)
        answer = find_persons(request, form.get("person", "")[:PERSON_MAX], purpose)
        return page(request, "persons.html", answer=answer, found=answer.found)

    return await run_in_threadpool(shown)


@router.get("/accounts/{name}/play-time")
def clock_page(
    request: Request, name: Name, one_day: Annotated[Day, Query(alias="day")] = ""
) -> Response:
    """Show the clock of continuous play of an account over an evening."""

    def ask(context: QueryContext) -> _Clock:
        balance(context.store, name, at=context.size)  # refuses an unknown account
        found, broken = play_and_violations(context.store, account=name, at=context.size)
        limit = operator_rules(context.store).figures.play_minutes.value
        logged_in = sessions_of(context.store, name, at=context.size)
        return _clock(found.sequences, broken.violations, logged_in, one_day, limit)

    if one_day:
        day(one_day)
    answer = serve_query(request, Scope.ACCOUNTS, ask, account=name, is_named=True)
    found: _Clock = answer.found
    picture = charts.clock(
        words_of(request),
        found.sequences,
        found.violations,
        account=name,
        limit_minutes=found.limit_minutes,
        sessions=found.sessions,
    )
    return page(request, "clock.html", answer=answer, found=found, account=name, picture=picture)


def _clock(
    sequences: tuple[Sequence, ...],
    violations: tuple[BreakViolation, ...],
    logged_in: tuple[Session, ...],
    one_day: str,
    limit_minutes: int,
) -> _Clock:
    """Choose a day, the last one by default; what began before midnight belongs to its evening."""
    days: dict[str, int] = {}
    for one in sequences:
        begun = charts.day_in_prague(one.started_at)
        days[begun] = max(days.get(begun, 0), one.length)
    chosen = one_day or max(days, default="")
    return _Clock(
        chosen,
        days,
        [one for one in sequences if charts.day_in_prague(one.started_at) == chosen],
        [one for one in violations if charts.day_in_prague(one.started_at) == chosen],
        [one for one in logged_in if charts.day_in_prague(one.began_at) == chosen],
        limit_minutes,
    )


@router.get("/play-time")
def play_time_page(request: Request) -> Response:
    """List the longest continuous play, and what broke its rule."""
    answer = serve_question(request, play_time)
    found, violations = answer.found.play, answer.found.violations.violations
    longest = sorted(found.sequences, key=lambda one: (-one.length, one.account))[:ROWS]
    return page(
        request,
        "play_time.html",
        answer=answer,
        sequences=longest,
        whole=len(found.sequences),
        violations=violations,
    )


@router.get("/duties")
def duties_page(request: Request, account: Named = "", now: Now = "") -> Response:
    """List the open duties, overdue ones first, as the worker that examines found them last."""
    answer = serve_question(request, duties, now=now, account=account, code="")
    return page(request, "duties.html", answer=answer, found=answer.found, account=account)


@router.get("/cases")
def cases_page(request: Request, account: Named = "", now: Now = "") -> Response:
    """List complaints and objections, those first that are to be answered first."""

    def ask(context: QueryContext) -> CaseRegister:
        return list_cases(
            context.store, account=account, with_ended=True, at=context.size, now=context.now
        )

    answer = serve_query(
        request,
        Scope.ACCOUNTS,
        ask,
        now=now,
        is_timed=True,
        rows=lambda found: len(found.cases),
        account=account,
    )
    return page(request, "cases.html", answer=answer, cases=answer.found.cases, account=account)


@router.get("/cases/{name}")
def case_page(request: Request, name: Name, now: Now = "") -> Response:
    """Show a complaint or objection, what it concerns, and its answer."""
    answer = serve_question(request, one_case, now=now, name=name)
    (case,) = answer.found.cases
    return page(request, "case.html", answer=answer, case=case)
