"""Render pages in Czech and English, complete without script; sign readers in and out."""

from __future__ import annotations

import re
from collections import defaultdict
from contextlib import suppress
from functools import cache, lru_cache, partial
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any
from urllib.parse import parse_qs, quote, urlencode, urlsplit

from fastapi import APIRouter, Query, Request
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape
from starlette.concurrency import run_in_threadpool
from starlette.responses import HTMLResponse, RedirectResponse, Response

from ledger.core.clock import is_midnight, to_datetime
from ledger.core.errors import AvailabilityError
from ledger.core.phrases import Phrase
from ledger.events import event_types as e
from ledger.log.port import linked_messages
from projections.facts.rendering import render_fact
from projections.facts.timing import timing
from projections.words.catalogue import Language, Words
from projections.words.explanations import render_explanation
from projections.words.names import bet, coded, named, paragraph, wording
from projections.words.phrases import render_finding, render_reason, render_recorded
from tools.access.access_sentences import access_sentence
from tools.access.access_service import question_of, service_of
from tools.access.charts import day_in_prague
from tools.access.guard import BODY_BYTES_MAX
from tools.access.language import LANGUAGE, words_of
from tools.access.scopes import Scope
from tools.data.moments import day
from tools.sanitize import attribute_value, escape_controls
from tools.web.problems import ProblemError
from tools.web.serving import read_body

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ledger import games
    from projections.facts.facts import Fact
    from projections.findings.finding import Side
    from tools.access.access_service import Principal, QueryContext
    from tools.access.readers import AccessUser
    from tools.data.documents import Event

__all__ = [
    "current_path",
    "event_link",
    "events_at",
    "form_of",
    "link",
    "measured",
    "moment_of",
    "page",
    "problem_page",
    "reader_of_form",
    "router",
]

router = APIRouter()

PURPOSE_MAX = 250
TOKEN_MAX = 200
UNSIGNED = HTTPStatus.UNAUTHORIZED
YEAR_SECONDS = 365 * 24 * 60 * 60
MENU = {
    "access.menu_play": (
        ("/rounds", "access.rounds", Scope.ROUNDS),
        ("/tournaments", "access.tournaments", Scope.ROUNDS),
        ("/persons", "access.find_person", Scope.UNMASK),
        ("/play-time", "access.play_time", Scope.ACCOUNTS),
        ("/tables", "access.tables_and_games", Scope.CHAIN),
    ),
    "access.menu_money": (
        ("/findings", "access.findings", Scope.MONEY),
        ("/statements", "statements.statements", Scope.MONEY),
        ("/open-items", "ageing.title", Scope.MONEY),
        ("/results", "access.results", Scope.MONEY),
        ("/books", "books.book", Scope.MONEY),
    ),
    "access.menu_supervision": (
        ("/cases", "access.cases", Scope.ACCOUNTS),
        ("/duties", "access.duties", Scope.ACCOUNTS),
        ("/packages", "access.packages", Scope.PACKAGES),
        ("/fairness", "access.fairness", Scope.ROUNDS),
    ),
    "access.menu_chain": (
        ("/events", "access.events", Scope.CHAIN),
        ("/sql", "access.sql", Scope.SQL),
        ("/saved", "access.saved_questions", Scope.CHAIN),
        ("/my-accesses", "access.my_accesses", Scope.CHAIN),
        ("/accesses", "access.all_accesses", Scope.ACCESS),
        ("/docs", "access.api_reference", Scope.CHAIN),
    ),
}
"""What the menu leads to by group, and the scope of each page."""
OF_LICENCES = frozenset({Scope.ROUNDS, Scope.ACCOUNTS, Scope.MONEY})
"""Scopes of the page over all logs of a mirror, which the menu has where there is one."""
LINKED = frozenset({Scope.ROUNDS, Scope.ACCOUNTS})
"""Scopes of what is named on pages of other scopes."""
OWN_PATH = re.compile(r"/(?![/\\])[^\x00-\x20\\]*")
"""A path of this service, with its query; a browser takes ``//`` and ``/\\`` for another host."""
Target = Annotated[str, Query(max_length=2_000, description="Path at which to go on.")]
OF_MONEY, OF_TIME = frozenset("abcd"), frozenset("fg")
"""Measures whose values are haléř, and minutes."""


@router.get("/sign-in")
def sign_in_page(request: Request, to: Target = "/") -> Response:
    """Show the form for a token; a session begins at ``to``, the page that was asked for."""
    return page(request, "sign_in.html", wrong="", to=_own_path(to))


@router.post("/sign-in")
async def sign_in(request: Request) -> Response:
    """Begin a session with a token, or with the certificate of the connection."""
    return await run_in_threadpool(_sign_in, request, await form_of(request))


def _sign_in(request: Request, form: dict[str, str]) -> Response:
    _require_own_origin(request)
    service = service_of(request)
    service.chain.wait_until_current()
    token = form.get("token", "").strip()
    certificate = request.scope.get("client_certificate", "")
    to = _own_path(form.get("to", "/"))
    try:
        if token:
            reader, way = service.by_token(token[:TOKEN_MAX], request), "token"
        else:
            found = service.readers.by_certificate(certificate, service.clock.now())
            if found is None:
                return _sign_in_again(request, "access.no_token", to)
            reader, way = found, "certificate"
    except ProblemError as problem:
        if problem.status is not UNSIGNED:
            raise
        return _sign_in_again(request, "access.wrong_token", to)
    return _begin(request, reader, way, form.get("purpose", ""), to)


def _sign_in_again(request: Request, wrong: str, to: str) -> Response:
    return page(request, "sign_in.html", status=UNSIGNED, wrong=wrong, to=to)


def _own_path(to: str) -> str:
    """Return the path if it belongs to this service; otherwise the front page."""
    return to if OWN_PATH.fullmatch(to) else "/"


def _begin(request: Request, reader: AccessUser, way: str, purpose: str, to: str) -> Response:
    service = service_of(request)
    name, session = service.sessions.begin(reader, purpose[:PURPOSE_MAX])
    session.began = service.chain.record(
        e.ReaderSignedIn(reader=reader.name, way=way, expires_at=session.expires_at),
        actor=reader.name,
    )
    response = RedirectResponse(to, status_code=HTTPStatus.SEE_OTHER)
    response.set_cookie(
        service.cookie, name, secure=True, httponly=True, samesite="strict", path="/"
    )
    return response


@router.post("/sign-out")
async def sign_out(request: Request) -> Response:
    """End the session."""
    return await run_in_threadpool(_sign_out, request, await form_of(request))


def _sign_out(request: Request, form: dict[str, str]) -> Response:
    service = service_of(request)
    name = request.cookies.get(service.cookie, "")
    session = service.sessions.find(name)
    if session is not None:
        is_ours = session.is_form_of(form.get("form_token", ""))
        _require_own_form(request, is_ours, reader=session.reader)
        service.sessions.end(name)
        service.chain.record(e.ReaderSignedOut(reader=session.reader), actor=session.reader)
    response = RedirectResponse("/sign-in", status_code=HTTPStatus.SEE_OTHER)
    response.delete_cookie(service.cookie, secure=True, httponly=True, samesite="strict", path="/")
    return response


@router.get("/language/{language}")
def choose_language(language: Language, to: Target = "/") -> Response:
    """Remember the language, and go on at ``to``; a browser gets it back with each page."""
    response = RedirectResponse(_own_path(to), status_code=HTTPStatus.SEE_OTHER)
    response.set_cookie(
        LANGUAGE, language, secure=True, httponly=True, samesite="strict", max_age=YEAR_SECONDS
    )
    return response


def page(
    request: Request, template: str, *, status: HTTPStatus = HTTPStatus.OK, **values: Any
) -> Response:
    """Render a page for the reader of a request."""
    words = words_of(request)
    visitor: Principal | None = getattr(request.state, "visitor", None)
    is_to_judge = status is not HTTPStatus.SERVICE_UNAVAILABLE and visitor is None
    if is_to_judge and "Authorization" not in request.headers:  # a wrong token is not checked twice
        with suppress(ProblemError, AvailabilityError):
            visitor = service_of(request).visitor(request)
    scopes = visitor.reader.scopes if visitor else frozenset()
    text = (
        _templates(words, scopes & LINKED)
        .get_template(template)
        .render(
            menu=_menu(request, words, visitor) if visitor else [],
            address_with=partial(_address_with, request),
            request_values=defaultdict(str, request.query_params),
            path=request.url.path,
            here=quote(current_path(request), safe=""),
            visitor=visitor,
            scopes=scopes,
            chain=service_of(request).sources.opening.chain,
            **values,
        )
    )
    return HTMLResponse(text, status_code=status, headers={"Cache-Control": "no-store"})


def _menu(
    request: Request, words: Words, visitor: Principal
) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return the groups of the menu, each with the pages that the reader may read."""
    found = []
    if request.app.state.mirror is not None and visitor.reader.scopes >= OF_LICENCES:
        licences = words.text("access.licences")
        found.append((licences, [("/licences", licences)]))
    for group, entries in MENU.items():
        may_read = [one for one in entries if one[2] in visitor.reader.scopes]
        if may_read:
            shown = [(address, words.text(key)) for address, key, _ in may_read]
            found.append((words.text(group), shown))
    return found


def _address_with(request: Request, **changes: str | int | None) -> str:
    """Return the query string of this page with other values; ``None`` removes a parameter."""
    values = {name: value for name, value in request.query_params.items() if value} | changes
    return f"?{urlencode({name: one for name, one in values.items() if one is not None})}"


@cache
def _templates(words: Words, scopes: frozenset[Scope]) -> Environment:
    """Return the templates of a language, with all functions that they call.

    An account or round is a link if the scopes allow its page, and plain text otherwise: a refusal
    would be recorded.
    Tables of many rows format their cells by filters, which cost a quarter of a macro call.
    """
    found = Environment(
        loader=FileSystemLoader(Path(__file__).with_name("templates")),
        autoescape=True,
        auto_reload=False,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    both: dict[str, Any] = {
        "plain": escape_controls,
        "why": partial(_why, words),
        "event_link": partial(event_link, words),
        "error_text": partial(_render_reason, words),
        "refusal_text": lambda one: render_recorded(words, one.code, one.parameters),
        "account_link": partial(_link_for, scopes, Scope.ACCOUNTS, "accounts"),
        "code": _code,
        "paragraph": lambda recorded: paragraph(words, escape_controls(recorded)),
        "timed": partial(_timing, words),
        "in_words": partial(access_sentence, words),
    }
    found.filters |= both | {
        "value": lambda text: Markup(attribute_value(text)),  # noqa: S704 - escaped
        "money": words.money,
        "moment": partial(moment_of, words),
        "named": lambda code, area: named(words, area, code),
        "told": lambda facts, event: render_fact(words, event, facts),
        "found": partial(render_finding, words),
    }
    found.globals |= both | {
        "words": words,
        "t": words.text,
        "counted": words.counted,
        "moment_of": partial(moment_of, words),
        "period_end": partial(_period_end, words),
        "named": partial(named, words),
        "coded": partial(coded, words, None),
        "told": partial(render_fact, words),
        "measured": partial(measured, words),
        "round_link": partial(_link_for, scopes, Scope.ROUNDS, "rounds"),
        "tournament_link": lambda name: link("tournaments", name, escape_controls(name)),
        "iso_day": day_in_prague,
        "side_money": partial(_side_money, words),
        "day_of": lambda one: words.day(day(one).begins),
        "bet": partial(bet, words),
        "wording": partial(wording, words),
    }
    return found


def _link_for(scopes: frozenset[Scope], scope: Scope, kind: str, name: str) -> Markup | str:
    return link(kind, name, escape_controls(name)) if scope in scopes else escape_controls(name)


def _side_money(words: Words, side: Side | None, amount: int, currencies: Mapping[str, str]) -> str:
    """Format an amount of a finding in the currency of the statement on its other side."""
    return words.money_in(currencies.get(side.statement, "CZK") if side else "CZK", amount)


def _code(text: str) -> Markup:
    """Format a code, which a line breaks only behind a sign, never within a word."""
    parts = re.split(r"(?<=[_.])", escape_controls(text))
    return Markup("<code>{}</code>").format(Markup("<wbr>").join(parts))


def _timing(words: Words, fact: Fact, closed_at: int | None) -> str:
    return timing(fact.event, fact.occurred_at, fact.recorded_at, closed_at, words)


def _why(words: Words, explanation: games.Explanation, *, in_chips: bool = False) -> str:
    """Explain why an amount is due, as the evidence file does."""
    return render_explanation(words, explanation, in_chips=in_chips).reason


def _render_reason(words: Words, reason: str | Phrase) -> Markup:
    """Render an error; text of another program stays English and is marked as such."""
    text, english = (escape_controls(part) for part in render_reason(words, reason))
    if not english:
        return escape(text)
    return escape(text) + Markup('<span lang="en">{}</span>').format(english)


def measured(words: Words, measure: str, value: int | None) -> str:
    """Format the value of a measure in its unit: money, logins or minutes."""
    if value is None:
        return words.text("access.declined")
    if measure in OF_MONEY:
        return words.money(value)
    return words.counted("pictures.minutes", value) if measure in OF_TIME else words.number(value)


def problem_page(request: Request, problem: ProblemError) -> Response:
    """Show a problem; without a session, lead to the sign-in page."""
    if problem.status is UNSIGNED and request.method == "GET":
        here = current_path(request)
        address = "/sign-in" if here == "/" else f"/sign-in?to={quote(here, safe='')}"
        return RedirectResponse(address, status_code=HTTPStatus.SEE_OTHER)
    response = page(request, "problem.html", status=problem.status, problem=problem)
    response.headers.update(problem.headers)
    return response


def events_at(context: QueryContext, positions: Iterable[int]) -> list[Event]:
    """Return the events visible to the reader, with everything that a page may show of them."""
    found = (one for at in positions for one in linked_messages(context.log, at, at + 1))
    events = (context.masked(at, message) for at, message in found)
    return [one for one in events if context.may_read(one.type)]


def reader_of_form(request: Request, form: Mapping[str, str]) -> Principal:
    """Return the reader who sent a form of their own session.

    Raises:
        ProblemError: the reader is not admitted, or the form is of another session or site.

    """
    visitor = service_of(request).visitor(request)
    session = visitor.session
    is_ours = session is not None and session.is_form_of(form.get("form_token", ""))
    _require_own_form(request, is_ours, reader=visitor.reader.name)
    return visitor


def _require_own_form(request: Request, is_ours: bool, *, reader: str) -> None:
    """Refuse a form sent from another site; the record names the reader whose browser sent it.

    Raises:
        ProblemError: the form is not of this service.

    """
    _require_own_origin(request, reader)
    if not is_ours:
        service_of(request).refusals.note("form", question_of(request), reader=reader)
        raise ProblemError(HTTPStatus.FORBIDDEN, "form", Phrase("FORM_OF_OTHER_SESSION"))


def _require_own_origin(request: Request, reader: str = "") -> None:
    origin = request.headers.get("Origin", "")
    if origin and urlsplit(origin).netloc != request.headers.get("Host", ""):
        service_of(request).refusals.note("form", question_of(request), reader=reader)
        raise ProblemError(HTTPStatus.FORBIDDEN, "form", Phrase("FORM_OF_OTHER_SITE"))


async def form_of(request: Request, *, fields_max: int = 10) -> dict[str, str]:
    """Read the fields of a form; of repeated names the first counts."""
    kind = request.headers.get("Content-Type", "").partition(";")[0].strip()
    if kind != "application/x-www-form-urlencoded":
        raise ProblemError(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "form", Phrase("FORM_MALFORMED"))
    body = (await read_body(request, bytes_max=BODY_BYTES_MAX)).decode("utf-8", "replace")
    try:
        fields = parse_qs(body, keep_blank_values=True, max_num_fields=fields_max)
    except ValueError as error:
        raise ProblemError(HTTPStatus.BAD_REQUEST, "form", Phrase("FORM_TOO_LARGE")) from error
    return {name: values[0] for name, values in fields.items()}


def current_path(request: Request) -> str:
    """Return path and query of the page, if it can be requested again; else the front page."""
    if request.method != "GET" or request.url.path in {"/live", "/sign-in", "/sign-out"}:
        return "/"
    return f"{request.url.path}?{request.url.query}" if request.url.query else request.url.path


def event_link(words: Words, position: int) -> Markup:
    """Link to the page of an event by its position."""
    return Markup(f'<a href="/events/{position:d}">{words.number(position)}</a>')  # noqa: S704 - digits


def link(kind: str, name: str, shown: str) -> Markup:
    """Link to the page of an object by its name."""
    return Markup(f'<a href="/{kind}/{quote(name)}">{escape(shown)}</a>')  # noqa: S704 - both are escaped


@lru_cache(maxsize=4_096)
def _period_end(words: Words, end: int) -> Markup | str:
    """Format the end of a period, which is not part of it: its last day, or a time in a day."""
    return words.last_day(end) if is_midnight(end) else moment_of(words, end)


def moment_of(words: Words, at: int) -> Markup:
    """Format a timestamp for people, with the time in UTC for machines."""
    utc = to_datetime(at).isoformat()
    return Markup(f'<time datetime="{utc}">{words.moment(at)}</time>')  # noqa: S704 - no text of others
