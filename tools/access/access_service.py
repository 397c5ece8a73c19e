"""Answer a reader's query: authenticate, authorise, run the query, record the access, respond.

:func:`serve_query` performs these steps for every route of the API and every page; no route reaches
the tables in another way. An answer is based on one position in the chain, which it names. If the
access can't be recorded, the answer is discarded.
"""

from __future__ import annotations

import re
from base64 import b64decode
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from http import HTTPStatus
from threading import BoundedSemaphore
from threading import Event as Signal
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from ledger.core.clock import SECOND, Clock, SystemClock
from ledger.core.errors import AvailabilityError, InputError
from ledger.core.phrases import Phrase
from ledger.events import event_types as e
from ledger.events.command import LETTERS
from ledger.log.port import Query
from ledger.rules.published_plans import register_plans
from projections.store.as_of import judged_at, place_in
from tools.access.answer import Answer, Basis
from tools.access.dashboard import DashboardCache
from tools.access.examiner import Examiner
from tools.access.formats import FORM, cache_headers, format_of
from tools.access.language import language_of
from tools.access.person_index import PersonIndex
from tools.access.query_context import QueryContext, ScopeError
from tools.access.saved import SavedQuestions
from tools.data.moments import now_of_question, parse_now, position, when
from tools.sanitize import json_line
from tools.web.framing import GONE
from tools.web.problems import CancelledQueryError, NotModifiedError, ProblemError, reason_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path

    from starlette.requests import Request

    from ledger.core.message import Head
    from projections.store.as_of import AsOf
    from projections.store.tables import Store
    from tools.access.chain import AccessChain
    from tools.access.readers import AccessUser, Readers
    from tools.access.refusals import Refusals
    from tools.access.scopes import Scope
    from tools.access.sessions import FailedTokens, Session, Sessions
    from tools.access.sources import Sources
    from tools.data.documents import Event

__all__ = [
    "PURPOSE_MAX",
    "AccessService",
    "Principal",
    "QueryContext",
    "account_and_round_in",
    "accounts_and_rounds_in",
    "address_of",
    "may_act",
    "named_in",
    "note_refused_parameter",
    "question_of",
    "require_scopes",
    "serve_query",
    "service_of",
]

_Found = TypeVar("_Found")

RECORDED = "gameledger.recorded"
"""Where a request notes that a record of it is in the chain of accesses."""
BEARER, BASIC, FEED, ATOM = "Bearer ", "Basic ", "/feed", "atom"
PURPOSE = "Gameledger-Purpose"
LIVE = "Gameledger-Live"
"""Says that a script renews a page by itself, which is no use of the session."""
MANY = "tag"
"""The parameter that may be given several times."""
ABOUT = ("account", "round")
"""Subjects that the record of an access names."""
PURPOSE_MAX = 250
DOWNLOADS_MAX = 4
"""Concurrent downloads; each may hold a connection to the tables for long."""
PARAMETERS_MAX = 20_000
IDENTIFIER = re.compile(rf"[{LETTERS}-]{{1,50}}")
LISTENERS_MAX = 64
"""Self-refreshing pages at a time; each holds a client connection, but none to the tables."""


class Principal(NamedTuple):
    """An authenticated reader, the purpose of the request and a browser's session, or None."""

    reader: AccessUser
    purpose: str
    session: Session | None


@dataclass(slots=True)
class AccessService:
    """The parts of the running service."""

    sources: Sources
    chain: AccessChain
    readers: Readers
    sessions: Sessions
    wrong: FailedTokens
    refusals: Refusals
    cookie: str
    clock: Clock = field(default_factory=SystemClock)
    downloads: BoundedSemaphore = field(default_factory=lambda: BoundedSemaphore(DOWNLOADS_MAX))
    listening: BoundedSemaphore = field(default_factory=lambda: BoundedSemaphore(LISTENERS_MAX))
    tiles: Path | None = None
    """Folder of the published tiles, whose state the front page shows."""
    fronts: DashboardCache = field(default_factory=DashboardCache)
    persons: PersonIndex = field(default_factory=PersonIndex)
    examiner: Examiner = field(init=False)
    saved: SavedQuestions = field(init=False)
    over: Signal = field(default_factory=Signal)
    """Set when the service is to end, so that no request keeps waiting."""

    def __post_init__(self) -> None:
        """Prepare the front page whenever the tables have grown."""
        self.sources.prepare = partial(self.fronts.prepare, self.sources)
        self.examiner = Examiner(self.sources, self.over, self.clock)
        self.saved = SavedQuestions(self.sources.folder / "access" / "saved.json", self.chain.keys)

    def visitor(self, request: Request) -> Principal:
        """Return the reader of a request, by token, session or certificate, in this order.

        Raises:
            ProblemError: the reader is not authenticated, or sent too many wrong tokens.

        """
        found: Principal | None = getattr(request.state, "visitor", None)
        if found is None:
            found = request.state.visitor = self._authenticated(request)
        return found

    def _authenticated(self, request: Request) -> Principal:
        self.chain.wait_until_current()
        purpose = _as_sent(request.headers.get(PURPOSE, ""))[:PURPOSE_MAX]
        if token := _bearer(request):
            return Principal(self.by_token(token, request), purpose, None)
        now = self.clock.now()
        is_used = LIVE not in request.headers
        session = self.sessions.find(request.cookies.get(self.cookie, ""), is_used=is_used)
        if session is not None:
            reader = self.readers.still(session.reader, session.known_by, now)
            if reader is not None:
                return Principal(reader, session.purpose, session)
        certificate = request.scope.get("client_certificate", "")
        reader = self.readers.by_certificate(certificate, now)
        if reader is None:
            if certificate:
                self.refusals.note("certificate", question_of(request))
            raise _unknown(Phrase("SIGN_IN_REQUIRED"))
        return Principal(reader, purpose, None)

    def by_token(self, token: str, request: Request) -> AccessUser:
        """Return the reader of a token; record wrong tokens. A valid token is accepted at any time.

        Raises:
            ProblemError: the token is unknown, or too many wrong ones came from the address.

        """
        reader = self.readers.by_token(token, self.clock.now())
        if reader is not None:
            return reader
        self.refusals.note("token", question_of(request))
        address = address_of(request)
        if self.wrong.is_too_often(address):
            raise ProblemError(
                HTTPStatus.TOO_MANY_REQUESTS,
                "too-many-wrong-tokens",
                Phrase("TOO_MANY_WRONG_TOKENS"),
                headers={"Retry-After": "60"},
            )
        self.wrong.note(address)
        raise _unknown(Phrase("TOKEN_UNKNOWN"))

    def basis(self, context: QueryContext) -> Basis:
        """Return the position and time on which an answer is based."""
        age = max(self.clock.now() - context.recorded_at, 0) // SECOND
        chain, place = self.sources.opening.chain, context.place
        return Basis(chain, place.position, place.head, context.recorded_at, age, context.now)

    def record(  # noqa: PLR0917 - the facts of one event
        self,
        visitor: Principal,
        request: Request,
        scopes: str,
        place: AsOf,
        rows: int | None,
        about: dict[str, str],
    ) -> int:
        """Record an access; return its position in the chain of accesses."""
        request.scope[RECORDED] = True
        month, parameters = self.chain.sealed(_parameters(request)[:PARAMETERS_MAX])
        return self.chain.record(
            e.AccessRecorded(
                reader=visitor.reader.name,
                scope=scopes,
                question=question_of(request),
                period_key=month,
                parameters=parameters,
                purpose=visitor.purpose,
                account=self._known("account", about.get("account", "")),
                round=self._known("round", about.get("round", "")),
                size=place.position,
                head=place.head,
                rows=rows,
            ),
            actor=visitor.reader.name,
        )

    def _known(self, kind: str, asked: str) -> str:
        """Return the name of an account or round of the chain; other texts are recorded sealed."""
        if not IDENTIFIER.fullmatch(asked):
            return ""
        query = Query(tags=(f"{kind}:{asked}",))
        return asked if self.sources.log.find(query, limit=1) else ""


def service_of(request: Request) -> AccessService:
    """Return the service that received a request."""
    service: AccessService = request.app.state.service
    return service


def serve_query(
    request: Request,
    scope: Scope,
    ask: Callable[[QueryContext], _Found],
    *,
    at: str = "",
    now: str = "",
    is_timed: bool = False,
    of_log: bool = False,
    up_to_tables: bool = False,
    is_named: bool = False,
    is_of_chain: bool = True,
    is_slow: bool = False,
    is_examined: bool = False,
    is_supervised: bool = False,
    begins: Callable[[QueryContext], str] | None = None,
    with_scopes: Iterable[Scope] = (),
    rows: Callable[[_Found], int | None] = lambda _: 1,
    concerns: Callable[[_Found], dict[str, str]] = lambda _: {},
    **about: str,
) -> Answer:
    """Run the query of a reader and record the access, even if the query has no answer.

    Args:
        request: of the reader.
        scope: right that the route requires.
        ask: the query.
        at: position or time as of which to answer; empty for now.
        now: moment of the question; empty for that of the clock, or of ``at``.
        is_timed: time alone changes the answer, so that it is never that of an earlier question.
        of_log: the query needs only the log.
        up_to_tables: of the log, only what is below the watermark of the tables.
        is_named: the route is about one object, which may not exist.
        is_of_chain: the answer stays the same as long as the chain does.
        is_slow: the query takes long; the number of such queries at a time is limited.
        is_examined: the query needs the findings of its position; without ``at`` it falls back to
            the position examined last if examining its own takes too long.
        is_supervised: the examining worker computes this answer, too; without ``at`` the query uses
            the position of the worker's last result, if there is one.
        begins: returns the position or time at which a comparison begins, with the context of the
            query, whose ``earlier`` is then that place.
        with_scopes: further rights under which the response shows data; the record names those
            that the reader has.
        rows: returns the number of rows of the answer.
        concerns: returns the ``account`` or ``round`` that only the answer reveals.
        about: ``account`` or ``round`` of the request.

    Raises:
        ProblemError: the reader lacks the right, or the request is invalid.
        LedgerError: the query has no answer, or the access could not be recorded.

    """
    service = service_of(request)
    visitor = service.visitor(request)
    require_scopes(request, scope)
    granted = " ".join((scope, *(one for one in with_scopes if one in visitor.reader.scopes)))
    _require_known(request)
    sources = service.sources
    gone = request.scope.get(GONE)
    if not of_log:
        sources.require_ready()
    head = sources.log.head() if of_log and not up_to_tables else sources.projected
    context = _context_at(service, visitor.reader.scopes, at, now, head)
    is_settled = bool(now) or at.isdigit()
    is_of_chain = is_of_chain and (is_settled or not is_timed)
    if is_supervised:
        context = _supervised(service, context, is_exact=bool(at or now))
        is_slow = is_slow and context.supervision is None
    if is_of_chain:
        _require_new(request, context)
    if is_examined:  # before a connection is lent: a waiting request holds none
        context = _examination(service, context, gone, is_exact=bool(at or now))
    if begins is not None:
        earlier = _earlier(service, context, begins(context))
        if earlier is not None and is_examined:
            earlier = _examination(service, earlier, gone, is_exact=True)
        context = replace(context, earlier=earlier)
    with nullcontext() if of_log else sources.store(gone, is_slow=is_slow) as store:
        context = _with_store(context, store)
        try:
            found = ask(context)
        except ScopeError as error:
            raise _refused(request, error.scope) from error
        except (InputError, ProblemError) as error:
            rows_found = None if isinstance(error, CancelledQueryError) else 0
            service.record(visitor, request, granted, context.place, rows_found, about)
            if is_named and isinstance(error, InputError):
                raise ProblemError(HTTPStatus.NOT_FOUND, "unknown", reason_of(error)) from error
            raise
    about |= concerns(found)
    access = service.record(visitor, request, granted, context.place, rows(found), about)
    basis, scopes = service.basis(context), visitor.reader.scopes
    return Answer(found, basis, visitor.reader.name, access, is_of_chain, scopes)


def require_scopes(request: Request, *scopes: Scope) -> None:
    """Refuse a reader who lacks a scope, and record the refusal.

    Raises:
        ProblemError: the reader is not authenticated, or its roles lack a scope.

    """
    reader = service_of(request).visitor(request).reader
    for scope in scopes:
        if scope not in reader.scopes:
            raise _refused(request, scope)


def may_act(request: Request, scope: Scope) -> bool:
    """Return whether the reader may act: with a session, the right and configured writers."""
    visitor = service_of(request).visitor(request)
    has_writer = request.app.state.writers is not None and visitor.session is not None
    return has_writer and scope in visitor.reader.scopes


def _refused(request: Request, scope: str) -> ProblemError:
    service = service_of(request)
    name = service.visitor(request).reader.name
    request.scope[RECORDED] = True
    service.refusals.note("scope", question_of(request), reader=name, scope=scope)
    return ProblemError(HTTPStatus.FORBIDDEN, "scope", Phrase("SCOPE_MISSING", scope=scope))


def note_refused_parameter(request: Request) -> None:
    """Record that a request was refused before its query ran, unless it is recorded already."""
    route = request.scope.get("route")
    if route is None or request.scope.get(RECORDED):
        return
    service = service_of(request)
    with suppress(ProblemError):  # not authenticated: recorded at detection
        reader = service.visitor(request).reader.name
        service.refusals.note("parameter", question_of(request), reader=reader)


def question_of(request: Request) -> str:
    """Return method and path pattern of a route, without the values of the request."""
    return f"{request.method} {getattr(request.scope.get('route'), 'path', '')}"


def named_in(tags: Sequence[str]) -> dict[str, str]:
    """Return the first account and the first round among tags, for :func:`serve_query`."""
    parts = (tag.partition(":") for tag in reversed(tags))
    return {kind: name for kind, _, name in parts if kind in ABOUT}


def account_and_round_in(facts: Mapping[str, Any]) -> dict[str, str]:
    """Return the account and the round that the facts of an event name, for :func:`serve_query`."""
    return {kind: facts[kind] for kind in ABOUT if facts.get(kind)}


def accounts_and_rounds_in(events: Iterable[Event]) -> dict[str, str]:
    """Return the account and the round that events name, if it is one, for :func:`serve_query`."""
    named = [account_and_round_in(event.facts) for event in events]
    found = {kind: {one[kind] for one in named if kind in one} for kind in ABOUT}
    return {kind: names.pop() for kind, names in found.items() if len(names) == 1}


def address_of(request: Request) -> str:
    """Return the network address of the client."""
    return request.client.host if request.client else ""


def _examination(
    service: AccessService, context: QueryContext, gone: Signal | None, *, is_exact: bool
) -> QueryContext:
    """Wait for the findings of a position, or use the position that was examined last."""
    found = service.examiner.of(context.size, context.now, is_exact=is_exact, gone=gone)
    return replace(_moved(context, found.position), now=found.moment, _examined=found)


def _supervised(service: AccessService, context: QueryContext, *, is_exact: bool) -> QueryContext:
    """Use the position of the worker's last result, unless another position is requested."""
    found = service.examiner.supervision
    if found is None or is_exact:
        return context
    moved = _moved(context, found.position)
    return replace(moved, now=found.duties.moment, supervision=found)


def _moved(context: QueryContext, size: int) -> QueryContext:
    """Move a query to an earlier position."""
    if size == context.size:
        return context
    place, recorded_at = place_in(context.log, size, context.size)
    return replace(context, place=place, recorded_at=recorded_at)


def _earlier(service: AccessService, context: QueryContext, text: str) -> QueryContext | None:
    """Return the context of an earlier place; None if nothing was recorded by then.

    Raises:
        InputError: the place is later, or none.

    """
    point = when(text)
    size = position(context.log, point, size=context.size)
    if not size:
        return None
    if size > context.size:
        raise InputError(Phrase("COMPARISON_REVERSED", size=size, most=context.size))
    moved = _moved(context, size)
    return replace(
        moved,
        now=judged_at(moved.recorded_at, now_of_question(service.clock, point)),
        supervision=None,
    )


def _with_store(context: QueryContext, store: Store | None) -> QueryContext:
    """Lend tables to a context and to the one that it is compared with."""
    earlier = context.earlier
    if earlier is not None:
        earlier = replace(earlier, _store=store)
    return replace(context, _store=store, earlier=earlier)


def _context_at(
    service: AccessService, scopes: frozenset[Scope], at: str, now: str, head: Head
) -> QueryContext:
    """Find the position in the chain for a query in the log, which is faster than the tables.

    Raises:
        AvailabilityError: the position is in the log, and the tables have not reached it yet.
        InputError: the position is not in the chain.
        IntegrityError: the message at the position was altered.

    """
    sources, point = service.sources, when(at) if at else None
    log = sources.log
    register_plans(log)
    counted = position(log, point, size=head.size)
    if counted is not None and head.size < counted <= log.head().size:
        raise AvailabilityError(Phrase("POSITION_PENDING", size=counted))
    place, recorded_at = place_in(log, counted, head.size)
    asked_at = now_of_question(service.clock, point, parse_now(now) if now else None)
    moment = judged_at(recorded_at, asked_at)
    return QueryContext(sources, place, recorded_at, moment, scopes, None)


def _require_new(request: Request, context: QueryContext) -> None:
    """Stop if the reader already has the answer (HTTP 304), before anything is read."""
    known = request.headers.get("If-None-Match", "")
    if known and request.method == "GET" and request.url.path.startswith("/api/"):
        form, language = format_of(request, is_list=True), language_of(request)
        place = context.place
        headers = cache_headers(place.position, place.head, form, language, context.scopes)
        if headers["ETag"] in known:
            raise NotModifiedError(headers)


def _require_known(request: Request) -> None:
    """Refuse a parameter that the route does not have: a typing error must not widen a query."""
    dependant = getattr(request.scope.get("route"), "dependant", None)
    parts = [dependant, *dependant.dependencies] if dependant else []
    known = {one.alias for part in parts for one in part.query_params}
    given = [name for name, _ in request.query_params.multi_items()]
    for name in given:
        if name not in known:
            names = ", ".join(sorted(known)) or "none"
            raise InputError(Phrase("PARAMETER_UNKNOWN", name=f"{name[:50]!r}", names=names))
        if given.count(name) > 1 and name != MANY:
            raise InputError(Phrase("PARAMETER_TWICE", name=repr(name)))


def _parameters(request: Request) -> str:
    """Format the request's parameters as JSON: a list where a name was given several times."""
    given = request.query_params
    several = {name: given.getlist(name) for name in given}
    context = {name: values if len(values) > 1 else values[0] for name, values in several.items()}
    return json_line({**request.path_params, **context})


def _as_sent(header: str) -> str:
    """Decode a header: as UTF-8 if it is valid, otherwise as Latin-1."""
    try:
        return header.encode("latin-1").decode()
    except UnicodeDecodeError:
        return header


def _bearer(request: Request) -> str:
    """Return the token of a request; for a feed also the password of ``Basic``."""
    given = request.headers.get("Authorization", "")
    is_feed = request.url.path.endswith(FEED) or request.query_params.get(FORM) == ATOM
    if given.startswith(BASIC) and is_feed:
        with suppress(ValueError):
            _, _, token = b64decode(given.removeprefix(BASIC)).decode().partition(":")
            return token.strip()
    return given.removeprefix(BEARER).strip() if given.startswith(BEARER) else ""


def _unknown(reason: Phrase) -> ProblemError:
    headers = {"WWW-Authenticate": 'Bearer realm="gameledger"'}
    return ProblemError(HTTPStatus.UNAUTHORIZED, "not-signed-in", reason, headers=headers)
