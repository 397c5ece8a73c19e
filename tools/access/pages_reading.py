"""The pages that show the chain: its state, search, rounds, tournaments, events, own accesses."""

from __future__ import annotations

from datetime import date
from http import HTTPStatus
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_args

from fastapi import APIRouter, Query, Request
from starlette.responses import RedirectResponse, Response

from ledger import games
from ledger.core.errors import InputError
from ledger.core.phrases import Phrase
from ledger.log import port
from ledger.log.checkpoints import keys_of
from ledger.log.finality import Finality, OriginSeal, final_sizes, origin_seal, origin_seals
from projections.evidence.collection import ROUNDS_MAX
from projections.fairness.watch import Watched
from projections.pictures.round import draw_round
from projections.reconciliation.reconcile import Reconciliation
from projections.replay.round import Replay
from projections.replay.round_line import Status
from tools.access import charts
from tools.access.access_service import account_and_round_in, named_in, serve_query, service_of
from tools.access.accesses import Access, Accesses, read_accesses
from tools.access.addresses import serve_question, span_of
from tools.access.api import one_round, one_tournament
from tools.access.api_chain import ask_accesses
from tools.access.dashboard import Briefing, FrontPage, mirror_state
from tools.access.event_queries import event_query, event_types
from tools.access.examiner import Supervision
from tools.access.language import language_of, words_of
from tools.access.pages import page
from tools.access.parameters import AsOf, Before, Day, Name, Named
from tools.access.query_context import QueryContext
from tools.access.questions.rounds import NEAR, rounds, tournaments
from tools.access.scopes import Scope
from tools.access.search import is_of_log, search, similar
from tools.access.search_terms import SearchResult, described
from tools.data.documents import Event, newest_matching

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from tools.access.access_service import AccessService
    from tools.access.answer import Answer

__all__ = ["router"]

router = APIRouter()

ROWS = 50
OF_FRONT_PAGE = (Scope.ROUNDS, Scope.MONEY, Scope.PACKAGES, Scope.ACCESS)
"""Rights under which the front page shows data, besides that of the chain."""
NEWEST = 8
"""Accesses on the front page."""
AGAINST_PROTECTION = frozenset(
    {"BREAK_VIOLATED", "BET_WHILE_EXCLUDED", "BET_WHILE_SUSPENDED", "MEASURE_PASSED"}
)
"""Codes of findings that show a bet against the protection of its player."""
ADay = Annotated[date | None, Query(description="Gaming day, such as 2026-11-20.")]
TERM_MAX = 200
COLUMNS_MIN = 3
"""Fewer lists of one length may be so by chance."""


@router.get("/")
def front_page(request: Request, day: ADay = None) -> Response:
    """Show the state of the chain, and what happened on the last gaming day, or on another.

    It is that of the watermark, which open pages receive as news; when
    the tables don't answer, of the end of the log.
    """
    service = service_of(request)
    scopes = service.visitor(request).reader.scopes

    def ask(context: QueryContext) -> FrontPage:
        return service.fronts.of(service.sources, context.size, context.now)

    is_ready = service.sources.is_ready
    answer = serve_query(
        request,
        Scope.CHAIN,
        ask,
        of_log=True,
        up_to_tables=is_ready,
        is_timed=True,
        with_scopes=OF_FRONT_PAGE,
    )
    recorded = briefing = None
    examined = service.examiner.last
    if is_ready and Scope.MONEY in scopes:
        recorded = service.fronts.recorded(service.sources, answer.basis.position)
        briefing = service.fronts.briefing(
            service.sources, answer.basis.position, answer.basis.moment, day
        )
    return page(
        request,
        "front.html",
        recorded=recorded,
        briefing=briefing,
        trends=charts.trends(words_of(request), briefing),
        keys=[key.text for key in keys_of(service.sources.log)],
        origin=str(request.base_url).rstrip("/"),
        accesses=_newest_accesses(service, scopes),
        may_accounts=Scope.ACCOUNTS in scopes,
        answer=answer,
        found=answer.found.state,
        due=answer.found.due if Scope.PACKAGES in scopes else None,
        verified=service.sources.last_verified(),
        examined=examined,
        mirror=mirror_state(service.sources.log, service.tiles),
        violations=_violations(examined, briefing),
        lights=_lights(service.examiner.supervision),
        supervision=service.examiner.supervision,
        now=answer.basis.moment,
        may_money=Scope.MONEY in scopes,
        may_rounds=Scope.ROUNDS in scopes,
    )


def _violations(examined: Reconciliation | None, briefing: Briefing | None) -> int:
    """Count the findings of a day that show a bet against the protection of its player."""
    if examined is None or briefing is None:
        return 0
    first, end = briefing.days.first, briefing.days.end
    codes = (one.code for one in examined.findings if first <= one.position < end)
    return sum(code in AGAINST_PROTECTION for code in codes)


def _lights(supervision: Supervision | None) -> dict[str, list[Watched]]:
    """Return what is watched for fairness by kind, the strongest evidence first."""
    found: dict[str, list[Watched]] = {}
    for one in supervision.watched.fairness.watched if supervision else ():
        found.setdefault(one.kind, []).append(one)
    return {
        kind: sorted(some, key=lambda one: (not one.leans, -one.highest))
        for kind, some in sorted(found.items())
    }


def _newest_accesses(service: AccessService, scopes: frozenset[Scope]) -> tuple[Access, ...]:
    """Return the newest accesses of all readers if the scopes show them."""
    if Scope.ACCESS not in scopes:
        return ()
    return read_accesses(service.chain, limit=NEWEST).accesses


@router.get("/search")
def search_page(request: Request, q: Annotated[str, Query(max_length=TERM_MAX)] = "") -> Response:
    """Find any identifier, or what the text describes; a single result is shown at once.

    Where nothing is found, similar names are offered.
    """

    def put(
        ask: Callable[[QueryContext, str], tuple[SearchResult, ...]], *, of_log: bool
    ) -> Answer:
        return serve_query(
            request,
            Scope.CHAIN,
            lambda context: ask(context, q),
            of_log=of_log,
            rows=len,
            concerns=lambda found: (
                named_in([f"{found[0].kind}:{found[0].name}"]) if len(found) == 1 else {}
            ),
        )

    answer = put(search, of_log=is_of_log(q))
    is_ready = service_of(request).sources.is_ready
    if not answer.found and is_ready:
        answer = put(described, of_log=False)
    if len(answer.found) == 1:
        address = answer.found[0].address
        return RedirectResponse(address, status_code=HTTPStatus.SEE_OTHER)
    is_similar = not answer.found and is_ready
    if is_similar:
        answer = put(similar, of_log=False)
    return page(
        request,
        "search.html",
        answer=answer,
        found=answer.found,
        asked=q,
        is_similar=is_similar,
    )


@router.get("/rounds")
def rounds_page(
    request: Request,
    table: Named = "",
    game: Named = "",
    account: Named = "",
    dealer: Named = "",
    device: Named = "",
    shoe: Named = "",
    near: Annotated[Named, Query(description=NEAR)] = "",
    status: Annotated[Status | Literal[""], Query(description="Only rounds that are so.")] = "",
    one_day: Annotated[Day, Query(alias="day")] = "",
    before: Before = None,
) -> Response:
    """List rounds, newest first or nearest to a moment first, by the parameters of the API."""
    narrowed: dict[str, Any] = {"table": table, "game": game, "account": account}
    narrowed |= {"dealer": dealer, "device": device, "shoe": shoe, "near": near}
    narrowed["status"] = status or None
    answer = serve_question(request, rounds, **narrowed, day=one_day, before=before, limit=ROWS)
    return page(
        request,
        "rounds.html",
        answer=answer,
        found=answer.found,
        games=games.games(),
        statuses=get_args(Status),
        rounds_max=ROUNDS_MAX,
    )


@router.get("/rounds/{name}")
def round_page(request: Request, name: Name, as_of: AsOf = "") -> Response:
    """Show a round: drawn, bet by bet, fact by fact."""
    answer = serve_question(request, one_round, as_of=as_of, name=name)
    found: Replay = answer.found
    log = service_of(request).sources.log
    at_table = [one.account for one in found.wagers]
    if found.among_players:
        at_table += [one.account for one in found.among_players.players]
    return page(
        request,
        "round.html",
        answer=answer,
        found=found,
        picture=draw_round(found, language_of(request)),
        participants=sorted(set(at_table)),
        may_write=Scope.ACCOUNTS in service_of(request).visitor(request).reader.scopes,
        watched=_watched(found),
        final=final_sizes(log, log.head().size),
        sealed=origin_seals(log, (one.position for one in found.facts), log.head().size),
    )


def _watched(found: Replay) -> list[tuple[str, str]]:
    """Name what is watched for fairness in a round: its wheel and dealer, or its shoe."""
    opened = next((one.facts for one in found.facts if one.event == "RoundOpened"), {})
    devices = zip(opened.get("device_kinds", ()), opened.get("devices", ()), strict=True)
    wheels = [(kind, name) for kind, name in devices if kind == "wheel"]
    if wheels:
        return [*wheels, *([("dealer", opened["dealer"])] if opened.get("dealer") else [])]
    return [("shoe", found.round.table)] if opened.get("shoe") else []


@router.get("/tournaments")
def tournaments_page(request: Request) -> Response:
    """List tournaments, the last announced first."""
    answer = serve_question(request, tournaments)
    return page(request, "tournaments.html", answer=answer, tournaments=answer.found[::-1])


@router.get("/tournaments/{name}")
def tournament_page(request: Request, name: Name, as_of: AsOf = "") -> Response:
    """Show a tournament: what was paid in, and its prizes divided again."""
    answer = serve_question(request, one_tournament, as_of=as_of, name=name)
    return page(request, "tournament.html", answer=answer, found=answer.found)


@router.get("/events")
def events_page(
    request: Request,
    tag: Named = "",
    event: Annotated[Named, Query(alias="type")] = "",
    one_day: Annotated[Day, Query(alias="day")] = "",
    before: Before = None,
) -> Response:
    """List events, all or those of a tag, a type or a day, newest first."""
    scopes = service_of(request).visitor(request).reader.scopes
    types, query = event_types(scopes), event_query(scopes, event, tag)

    def ask(context: QueryContext) -> tuple[list[Event], int | None]:
        span = span_of(context, one_day)
        end = span.before(context.size if before is None else min(before, context.size))
        found = newest_matching(context.log, query, span.first, end or 0, ROWS + 1)
        events = [context.masked(position, message) for position, message in found[:ROWS]]
        return events, events[-1].position if len(found) > ROWS else None

    answer = serve_query(
        request,
        Scope.CHAIN,
        ask,
        of_log=True,
        rows=lambda found: len(found[0]),
        concerns=lambda _: named_in(query.tags),
    )
    events, older = answer.found
    return page(
        request, "events.html", answer=answer, events=events, before=older, tag=tag, types=types
    )


@router.get("/events/{position}")
def event_page(request: Request, position: int) -> Response:
    """Show one event: envelope, facts, and the bytes that are hashed."""

    def ask(context: QueryContext) -> tuple[Event, str, Finality, OriginSeal]:
        if not 0 <= position < context.size:
            raise InputError(Phrase("MESSAGE_UNKNOWN", at=position, size=context.size))
        ((_, message),) = port.linked_messages(context.log, position, position + 1)
        found = context.masked(position, message)
        context.require_may_read(found.type)
        stage = final_sizes(context.log, context.size).stage_of(position)
        return found, message.hex(), stage, origin_seal(context.log, position, context.size)

    answer = serve_query(
        request,
        Scope.CHAIN,
        ask,
        of_log=True,
        is_named=True,
        concerns=lambda found: account_and_round_in(found[0].facts),
    )
    event, message, stage, origin = answer.found
    return page(
        request,
        "event.html",
        answer=answer,
        event=event,
        message=message,
        stage=str(stage),
        origin=origin,
        columns=_columns_of(event.facts),
    )


def _columns_of(facts: Mapping[str, Any]) -> dict[str, Sequence[Any]]:
    """Return the lists that hold one field of several entries each, as lines of a statement."""
    lists: dict[str, Sequence[Any]] = {
        name: value for name, value in facts.items() if isinstance(value, list | tuple)
    }
    same_length = len({len(value) for value in lists.values()}) == 1
    return lists if same_length and len(lists) >= COLUMNS_MIN else {}


@router.get("/my-accesses")
def own_accesses_page(request: Request, before: Before = None) -> Response:
    """Show what the reader read, as the chain of accesses has it."""
    service = service_of(request)
    reader = service.visitor(request).reader.name

    def ask(_: QueryContext) -> Accesses:
        return read_accesses(service.chain, reader=reader, before=before, limit=ROWS)

    answer = serve_query(
        request, Scope.CHAIN, ask, of_log=True, rows=lambda found: len(found.accesses)
    )
    return page(request, "accesses.html", answer=answer, found=answer.found, is_own=True)


@router.get("/accesses")
def accesses_page(
    request: Request, reader: Named = "", account: Named = "", before: Before = None
) -> Response:
    """Show who read what, of all readers or of one, and about one account."""
    answer = ask_accesses(request, reader, account, before, ROWS)
    return page(request, "accesses.html", answer=answer, found=answer.found, is_own=False)
