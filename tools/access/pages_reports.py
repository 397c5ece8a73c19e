"""The pages of what is offered, reported and checked: tables, results, packages."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal, NamedTuple

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from ledger.core.clock import HOUR
from ledger.rules.deadlines import DEADLINES
from ledger.rules.operator import OperatorRules
from projections.packages.results import ExplainedRow, RebuiltFile
from projections.packages.results import Name as PackageName
from projections.packages.status import (
    PeriodStatus,
    first_published,
    period_status,
    published_at,
    series_of,
)
from projections.questions.over_time import (
    GameDay,
    HourStakes,
    house_by_day,
    stakes_by_hour,
)
from projections.questions.tables import Offer, offer
from projections.store.operator import operator_rules
from tools.access import charts
from tools.access.access_service import accounts_and_rounds_in, serve_query, service_of
from tools.access.addresses import serve_question, span_of
from tools.access.api_rules import fairness
from tools.access.language import words_of
from tools.access.pages import events_at, page
from tools.access.parameters import (
    AsOf as When,
)
from tools.access.parameters import (
    Day,
    Name,
    Named,
    Now,
)
from tools.access.query_context import QueryContext
from tools.access.scopes import Scope
from tools.data.documents import Event

__all__ = ["router"]

router = APIRouter()

PERIODS = 93
"""Periods on the page of packages: a month of three a day."""
EVENTS_MAX = 100
"""Events shown behind one row of a package."""


class _Results(NamedTuple):
    """The house's results by game and day, and the stakes of one day by hour."""

    results: tuple[GameDay, ...]
    day: str
    stakes: tuple[HourStakes, ...]


class _Period(NamedTuple):
    """A period, until when its package is to be published, and when it first was."""

    status: PeriodStatus
    until: int
    published_at: int | None


class _Package(NamedTuple):
    """A package, and a row of it with the events behind it, if one was asked for.

    ``again`` compares each of its files with what the facts give now, if that was asked for.
    """

    status: PeriodStatus
    begins: int
    ends: int
    until: int
    first_published_at: int | None
    published_at: int | None
    files: tuple[str, ...]
    row: ExplainedRow | None
    events: list[Event]
    again: tuple[RebuiltFile, ...] | None


@router.get("/results")
def results_page(request: Request, day: Day = "") -> Response:
    """Show what the house won by game and day, and the stakes of a day by hour.

    Without a day it is the last one with a result.
    """
    words = words_of(request)

    def ask(context: QueryContext) -> _Results:
        results = house_by_day(context.store, at=context.size)
        shown = day or max((one.day.isoformat() for one in results), default="")
        if not shown:
            return _Results(results, shown, ())
        first, end = span_of(context, shown)
        end = context.size if end is None else end
        return _Results(results, shown, stakes_by_hour(context.store, first=first, end=end))

    answer = serve_query(request, Scope.MONEY, ask, rows=lambda found: len(found.results))
    found: _Results = answer.found
    return page(
        request,
        "results.html",
        answer=answer,
        results=found.results,
        day=found.day,
        picture=charts.house(words, found.results),
        turnover=charts.turnover(words, found.stakes, date.fromisoformat(found.day))
        if found.day
        else "",
    )


@router.get("/fairness")
def fairness_page(request: Request, of: Named = "", as_of: When = "") -> Response:
    """Show which wheels, dealers and shoes lean, and of one what came and what was due."""
    answer = serve_question(request, fairness, as_of=as_of)
    watched = answer.found.fairness.watched
    drawn = next((one for one in watched if one.name == of), next(iter(watched), None))
    words, house = words_of(request), answer.found.house
    return page(
        request,
        "fairness.html",
        answer=answer,
        found=answer.found,
        drawn=drawn,
        picture=charts.watched(words, drawn) if drawn else "",
        shares=charts.shares(words, house),
        deviations=charts.deviations(words, house),
    )


def _publish_until(name: PackageName) -> int:
    """Return until when a package is to be published: the time of the duty, from its end on."""
    return name.end + (DEADLINES["PACKAGE_NOT_PUBLISHED"].hours or 0) * HOUR


@router.get("/packages")
def packages_page(request: Request, now: Now = "") -> Response:
    """Show the state of packages as a calendar, newest period first below it."""
    service = service_of(request)
    country = service.sources.country

    def ask(context: QueryContext) -> list[_Period]:
        settings, published = country.read_settings(None), first_published(context.store)
        found = country.periods_with_status(context.store, settings, context.now)
        names = [country.parse_name(one.package) for one in found]
        return [
            _Period(one, _publish_until(name), published.get(series_of(name)))
            for one, name in zip(found, names, strict=True)
        ]

    answer = serve_query(request, Scope.PACKAGES, ask, now=now, is_timed=True, rows=len)
    periods = answer.found[-PERIODS:]
    picture = charts.packages(words_of(request), [one.status for one in periods], country)
    return page(
        request,
        "packages.html",
        answer=answer,
        periods=periods[::-1],
        whole=len(answer.found),
        picture=picture,
    )


@router.get("/packages/{name}")
def package_page(
    request: Request,
    name: Name,
    file: Named = "",
    row: Named = "",
    again: Annotated[Literal["no", "yes"], Query(description="Build it again.")] = "no",
) -> Response:
    """Show a package: a row that is named leads to the events that it was made from.

    With ``again`` it is built again from the facts, and compared file by file.
    """
    country = service_of(request).sources.country

    def ask(context: QueryContext) -> _Package:
        parsed = country.parse_name(name)
        found, events = None, []
        if row:
            settings = country.read_settings(None)
            found = country.explain(
                context.store, name, file, row, settings=settings, known_at=None
            )
            events = events_at(context, found.positions[:EVENTS_MAX])
        return _Package(
            status=period_status(context.store, parsed),
            begins=parsed.start,
            ends=parsed.end,
            until=_publish_until(parsed),
            first_published_at=first_published(context.store).get(series_of(parsed)),
            published_at=published_at(context.store, parsed),
            files=country.file_names(parsed),
            row=found,
            events=events,
            again=country.rebuild_package(context.store, parsed) if again == "yes" else None,
        )

    answer = serve_query(
        request,
        Scope.PACKAGES,
        ask,
        is_named=True,
        is_slow=again == "yes",
        concerns=lambda found: accounts_and_rounds_in(found.events),
    )
    return page(
        request, "package.html", answer=answer, found=answer.found, name=name, file=file, row=row
    )


@router.get("/tables")
def tables_page(request: Request, as_of: When = "") -> Response:
    """Show tables, games, limits and the operator's figures as they were in force at a moment."""

    def ask(context: QueryContext) -> tuple[Offer, OperatorRules]:
        return offer(context.store, at=context.size, now=context.now), operator_rules(context.store)

    answer = serve_query(
        request, Scope.CHAIN, ask, at=as_of, rows=lambda found: len(found[0].tables)
    )
    found, rules = answer.found
    return page(request, "tables.html", answer=answer, found=found, rules=rules, as_of=as_of)
