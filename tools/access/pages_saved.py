"""Saved questions: a reader's own list, each question delivered as an Atom feed.

The list is kept by the service beside the chain of accesses; the chain itself is only read. A feed
has the newest answers of its question, for a session, or for a program with the reader's token: as
``Bearer``, or as the password of ``Basic``, which programs for feeds have.
"""

from __future__ import annotations

from datetime import UTC
from typing import TYPE_CHECKING, Annotated, NamedTuple
from xml.etree import ElementTree as ET

from fastapi import APIRouter, Path, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import RedirectResponse, Response

from ledger.core.clock import to_datetime
from ledger.core.errors import InputError
from ledger.core.phrases import Phrase
from projections.facts.rendering import render_fact
from projections.reconciliation.finding_lifecycle import list_findings
from projections.words.names import named
from projections.words.phrases import render_finding
from tools.access.access_service import require_scopes, serve_query, service_of
from tools.access.api_findings import narrowed
from tools.access.event_queries import event_query
from tools.access.pages import form_of, page, reader_of_form, words_of
from tools.access.query_context import QueryContext, ScopeError
from tools.access.saved import SavedQuestion
from tools.access.scopes import Scope
from tools.data.documents import newest_matching
from tools.sanitize import escape_controls

if TYPE_CHECKING:
    from collections.abc import Mapping

    from projections.words.catalogue import Words

__all__ = ["router"]

ENTRIES = 50
ATOM = "http://www.w3.org/2005/Atom"
TYPE = "application/atom+xml; charset=utf-8"
AUTHORITY = "gameledger,2026"
"""Of the ``tag:`` names of entries (RFC 4151), which stay the same for good."""
SavedName = Annotated[str, Path(pattern=r"^[\w-]{1,20}$")]

router = APIRouter()


class _Entry(NamedTuple):
    """An answer: its name for good, its address here, and when it changed (microseconds)."""

    name: str
    address: str
    at: int
    title: str
    text: str


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

    def ask(context: QueryContext) -> tuple[SavedQuestion, list[_Entry]]:
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
    origin = str(request.base_url).rstrip("/")
    found: tuple[SavedQuestion, list[_Entry]] = answer.found
    content = _atom(*found, origin=origin, chain=service.sources.opening.chain)
    return Response(content, media_type=TYPE, headers={"Cache-Control": "no-store"})


def _events(context: QueryContext, filters: Mapping[str, str], words: Words) -> list[_Entry]:
    query = event_query(context.scopes, filters.get("type", ""), filters.get("tag", ""))
    found = newest_matching(context.log, query, 0, context.size, ENTRIES)
    events = (context.masked(position, message) for position, message in found)
    return [
        _Entry(
            f"events/{one.position}",
            f"/events/{one.position}",
            one.envelope["recorded_at"],
            named(words, "events", one.type) or one.type,
            render_fact(words, one.type, one.facts),
        )
        for one in events
    ]


def _findings(context: QueryContext, filters: Mapping[str, str], words: Words) -> list[_Entry]:
    register = list_findings(context.store, with_ended=True, at=context.size)
    state = filters.get("state", "all")
    wanted = narrowed(
        (one.finding for one in register.findings),
        state if state in {"open", "closed"} else "all",  # type: ignore[arg-type]
        filters.get("code", ""),
        filters.get("assignee", ""),
    )
    names = {one.identity for one in wanted}
    found = [
        _Entry(
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


def _atom(question: SavedQuestion, entries: list[_Entry], *, origin: str, chain: str) -> bytes:
    """Write a feed (RFC 4287); a text holds no character that XML has not."""
    root = ET.Element("feed", xmlns=ATOM)

    def add(parent: ET.Element, name: str, text: str = "", **attributes: str) -> None:
        ET.SubElement(parent, name, attributes).text = escape_controls(text) or None

    newest = max((one.at for one in entries), default=question.saved_at)
    add(root, "id", f"tag:{AUTHORITY}:{chain}/saved/{question.name}")
    add(root, "title", question.title)
    add(root, "updated", _iso(newest))
    add(root, "link", href=f"{origin}{question.address}")
    add(root, "link", rel="self", href=f"{origin}/api/saved/{question.name}/feed")
    add(ET.SubElement(root, "author"), "name", chain)
    for one in entries:
        entry = ET.SubElement(root, "entry")
        add(entry, "id", f"tag:{AUTHORITY}:{chain}/{one.name}")
        add(entry, "title", one.title)
        add(entry, "updated", _iso(one.at))
        add(entry, "link", href=f"{origin}{one.address}")
        add(entry, "summary", one.text)
    content: bytes = ET.tostring(root, encoding="utf-8", xml_declaration=True)
    return content


def _iso(moment: int) -> str:
    return to_datetime(moment).astimezone(UTC).isoformat()
