"""Saved questions: a reader's own list, each question delivered as an Atom feed.

The list is kept by the service beside the chain of accesses; the chain itself is only read. A feed
has the newest answers of its question, for a session, or for a program with the reader's token: as
``Bearer``, or as the password of ``Basic``, which programs for feeds have.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from fastapi import APIRouter, Path, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import RedirectResponse, Response

from ledger.core.errors import InputError
from ledger.core.phrases import Phrase
from projections.facts.rendering import render_fact
from projections.reconciliation.finding_lifecycle import list_findings
from projections.words.names import named
from projections.words.phrases import render_finding
from tools.access.access_service import require_scopes, serve_query, service_of
from tools.access.api_findings import deputies_of, narrowed
from tools.access.atom import Entry, atom
from tools.access.event_queries import event_query
from tools.access.language import words_of
from tools.access.pages import form_of, page, reader_of_form
from tools.access.query_context import QueryContext, ScopeError
from tools.access.saved import SavedQuestion
from tools.access.scopes import Scope
from tools.data.documents import newest_matching

if TYPE_CHECKING:
    from collections.abc import Mapping

    from projections.words.catalogue import Words

__all__ = ["router"]

ENTRIES = 50
SavedName = Annotated[str, Path(pattern=r"^[\w-]{1,20}$")]

router = APIRouter()


@router.get("/saved")
def saved_page(request: Request) -> Response:
    """List the saved questions of the reader, each with its feed."""
    service = service_of(request)
    reader = service.visitor(request).reader.name

    def ask(_: QueryContext) -> tuple[SavedQuestion, ...]:
        return service.saved.of(reader)

    answer = serve_query(request, Scope.CHAIN, ask, of_log=True, is_of_chain=False, rows=len)
    return page(request, "saved.html", answer=answer, saved=answer.found)


@router.post("/saved")
async def save(request: Request) -> Response:
    """Save a question of the reader, or delete one."""
    return await run_in_threadpool(_save, request, await form_of(request))


def _save(request: Request, form: Mapping[str, str]) -> Response:
    visitor, service = reader_of_form(request, form), service_of(request)
    require_scopes(request, Scope.CHAIN)
    if form.get("drop"):
        service.saved.drop(visitor.reader.name, form["drop"])
    else:
        question = SavedQuestion.of(
            form.get("title", ""), form.get("address", ""), service.clock.now()
        )
        service.saved.add(visitor.reader.name, question)
    return RedirectResponse("/saved", status_code=303)


@router.get("/api/saved/{name}/feed", response_class=Response)
def feed(request: Request, name: SavedName) -> Response:
    """Give the newest answers of a saved question as an Atom feed."""
    service, words = service_of(request), words_of(request)
    saved = service.saved.of(service.visitor(request).reader.name)
    question = next((one for one in saved if one.name == name), None)
    of_findings = question is not None and question.path == "/findings"

    def ask(context: QueryContext) -> tuple[SavedQuestion, list[Entry]]:
        if question is None:
            raise InputError(Phrase("SAVED_QUESTION_UNKNOWN", name=name))
        if of_findings and Scope.MONEY not in context.scopes:
            raise ScopeError(Scope.MONEY)
        entries = _findings if of_findings else _events
        return question, entries(context, question.filters, words)

    answer = serve_query(
        request,
        Scope.CHAIN,
        ask,
        of_log=not of_findings,
        is_named=True,
        with_scopes=[Scope.MONEY] if of_findings else [],
        rows=lambda found: len(found[1]),
    )
    saved_question, entries = answer.found
    return atom(
        request,
        f"saved/{saved_question.name}",
        saved_question.title,
        entries,
        address=saved_question.address,
        updated=max((one.at for one in entries), default=saved_question.saved_at),
    )


def _events(context: QueryContext, filters: Mapping[str, str], words: Words) -> list[Entry]:
    query = event_query(context.scopes, filters.get("type", ""), filters.get("tag", ""))
    found = newest_matching(context.log, query, 0, context.size, ENTRIES)
    events = (context.masked(position, message) for position, message in found)
    return [
        Entry(
            f"events/{one.position}",
            f"/events/{one.position}",
            one.envelope["recorded_at"],
            named(words, "events", one.type) or one.type,
            render_fact(words, one.type, one.facts),
        )
        for one in events
    ]


def _findings(context: QueryContext, filters: Mapping[str, str], words: Words) -> list[Entry]:
    register = list_findings(context.store, with_ended=True, at=context.size)
    state = filters.get("state", "all")
    wanted = narrowed(
        (one.finding for one in register.findings),
        state if state in {"open", "closed"} else "all",  # type: ignore[arg-type]
        filters.get("code", ""),
        filters.get("assignee", ""),
        deputies_of(context),
    )
    names = {one.identity for one in wanted}
    found = [
        Entry(
            f"findings/{one.finding.identity}",
            f"/findings/{one.finding.identity}",
            one.steps[-1].recorded_at,
            f"{one.finding.number} {named(words, 'findings', one.finding.code)}, "
            f"{named(words, 'states', one.finding.state)}",
            render_finding(words, one.finding),
        )
        for one in register.findings
        if one.finding.identity in names
    ]
    return sorted(found, key=lambda one: one.at, reverse=True)[:ENTRIES]
