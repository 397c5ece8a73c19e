"""The API of the chain itself: events, decoded and as they are stored; SQL; packages; accesses."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec
from fastapi import APIRouter, Depends, Path, Query, Request
from starlette.responses import Response

from ledger.core.errors import InputError
from ledger.core.phrases import Phrase
from ledger.events import event_types as e
from ledger.events.encoding import decode
from ledger.log import port
from projections.packages.status import PeriodStatus
from tools.access.access_service import (
    account_and_round_in,
    accounts_and_rounds_in,
    named_in,
    serve_query,
    service_of,
)
from tools.access.accesses import Access, Accesses, ShownAccount, read_accesses, require_known
from tools.access.addresses import add_addresses
from tools.access.engine_forms import in_ndjson
from tools.access.event_queries import require_kinds
from tools.access.formats import JSON, basis_headers, choose, in_form
from tools.access.openapi import gives
from tools.access.parameters import (
    POSITION_MAX,
    AsOf,
    Before,
    Limit,
    Name,
    Named,
    Now,
    Since,
    Until,
    form_wished,
)
from tools.access.query_context import QueryContext
from tools.access.questions.declaration import UNDATED, question
from tools.access.scopes import Scope, types_for
from tools.access.sql_gateway import TablesVersion, read_answer, run_sql
from tools.access.writers import ARROW, FORMATS, NDJSON, PARQUET, Column
from tools.data.documents import Event, Explanation, masked_document, matching
from tools.data.moments import Span, when

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tools.access.answer import Answer

__all__ = ["SQL_MAX", "Events", "Message", "ask_accesses", "router"]

router = APIRouter(prefix="/api", dependencies=[Depends(form_wished)])

SQL_MAX = 8000
FORMS = {NDJSON: "JSONEachRow", ARROW: "ArrowStream", PARQUET: "Parquet"}
"""Forms that are the engine's own; the others are written here, from its JSON."""

Position = Annotated[int, Path(ge=0, le=POSITION_MAX, description="Place in the chain.")]


@dataclass(frozen=True, slots=True)
class Events:
    """A page of events in the order of the chain; ``after`` asks for the next page, if any."""

    events: tuple[Event, ...]
    after: int | None


@dataclass(frozen=True, slots=True)
class Message:
    """The exact bytes of one message, hexadecimal: SHA-256 over 00 and them is ``hash``."""

    position: int
    message: str
    hash: str


@router.get("/events", responses=gives(Events, is_list=True))
def events(
    request: Request,
    event_type: Annotated[Named, Query(alias="type")] = "",
    tag: Annotated[
        list[str] | None,
        Query(max_length=4, description="Such as round:r-1; with several, those with all of them."),
    ] = None,
    since: Since = "",
    until: Until = "",
    after: Annotated[
        int | None, Query(ge=0, le=POSITION_MAX, description="Cursor: `after` of the page before.")
    ] = None,
    limit: Limit = 100,
) -> Response:
    """Show events by type, tag, position and time, in the order of the chain.

    Of all types those are shown whose scope the reader's roles have.
    """
    if event_type and event_type not in e.EVENTS:
        raise InputError(Phrase("EVENT_TYPE_UNKNOWN", name=event_type))
    scopes = service_of(request).visitor(request).reader.scopes
    types = (event_type,) if event_type else types_for(scopes)
    require_kinds(tag or ())
    query = port.Query(types=types, tags=tuple(tag or ()))

    def ask(context: QueryContext) -> Events:
        if event_type:
            context.require_may_read(event_type)
        first, end = (when(text) if text else None for text in (since, until))
        span = Span.of(context.log, context.size, None, first, end)
        begun = span.first if after is None else max(span.first, after + 1)
        span = Span(begun, context.size if span.end is None else min(span.end, context.size))
        found = list(matching(context.log, query, span, limit + 1))
        page = tuple(context.masked(position, message) for position, message in found[:limit])
        return Events(page, page[-1].position if len(found) > limit else None)

    answer = serve_query(
        request,
        Scope.CHAIN,
        ask,
        of_log=True,
        rows=lambda found: len(found.events),
        concerns=lambda _: named_in(query.tags),
    )
    return in_form(request, answer, answer.found.events, Event)


@question(
    "/events/{position}",
    Scope.CHAIN,
    **UNDATED,
    concerns=lambda found: account_and_round_in(found.facts),
)
def one_event(context: QueryContext, position: Position) -> Event:
    """Show one event: its envelope and its facts; personal fields are left out."""
    found = context.masked(position, _message(context, position))
    context.require_may_read(found.type)
    return found


def _named_in_message(found: Message) -> dict[str, str]:
    return account_and_round_in(masked_document(found.position, bytes.fromhex(found.message)).facts)


@question("/events/{position}/message", Scope.CHAIN, **UNDATED, concerns=_named_in_message)
def one_message(context: QueryContext, position: Position) -> Message:
    """Give the bytes of one message, to be hashed again; personal fields in them are sealed."""
    message = _message(context, position)
    recorded = decode(message)
    context.require_may_read_whole(type(recorded.event).__name__)
    return Message(position, message.hex(), recorded.hash.hex())


add_addresses(router, one_event, one_message)


def _message(context: QueryContext, position: int) -> bytes:
    for _, message in port.linked_messages(context.log, position, min(position + 1, context.size)):
        return message
    raise InputError(Phrase("MESSAGE_UNKNOWN", at=position, size=context.size))


@router.get("/packages", responses=gives(list[PeriodStatus], is_list=True))
def packages(request: Request, limit: Limit = 30, now: Now = "") -> Response:
    """List the periods that are over, newest last, and what became of their packages."""
    service = service_of(request)
    country = service.sources.country

    def ask(context: QueryContext) -> list[PeriodStatus]:
        return country.periods_with_status(context.store, country.read_settings(None), context.now)[
            -limit:
        ]

    answer = serve_query(request, Scope.PACKAGES, ask, now=now, is_timed=True, rows=len)
    return in_form(request, answer, answer.found, PeriodStatus)


@question("/packages/{name}", Scope.PACKAGES, is_whole=True, count=len, serving={"is_slow": True})
def package_rows(context: QueryContext, name: str) -> list[dict[str, str]]:
    """List the rows of a package as known at the place of the answer, built or not.

    Each has `file` and `key`, which identify it, and the fields of its file as texts.
    """
    country = context.sources.country
    return country.rows_known_at(
        context.store,
        country.parse_name(name),
        settings=country.read_settings(None),
        known_at=context.size,
    )


add_addresses(router, package_rows)


@router.get("/packages/{name}/{file}/{row}", responses=gives(Explanation))
def one_row(request: Request, name: Name, file: Name, row: Name) -> Response:
    """Show a row of a package with the events that it was made from, as far as roles allow."""
    country = service_of(request).sources.country

    def ask(context: QueryContext) -> Explanation:
        country.parse_name(name)
        settings = country.read_settings(None)
        found = country.explain(context.store, name, file, row, settings=settings, known_at=None)
        messages = ((at, _message(context, at)) for at in found.positions)
        events = [context.masked(at, message) for at, message in messages]
        return Explanation(found, [one for one in events if context.may_read(one.type)])

    answer = serve_query(
        request,
        Scope.PACKAGES,
        ask,
        is_named=True,
        concerns=lambda found: accounts_and_rounds_in(found.events),
    )
    return in_form(request, answer)


@router.get("/accesses", responses=gives(Accesses, is_list=True))
def accesses(
    request: Request,
    reader: Named = "",
    account: Named = "",
    before: Before = None,
    limit: Limit = 100,
) -> Response:
    """Say who read what, newest first."""
    answer = ask_accesses(request, reader, account, before, limit)
    return in_form(request, answer, answer.found.accesses, Access)


def ask_accesses(
    request: Request, reader: str, account: str, before: int | None, limit: int
) -> Answer:
    """Ask who read what: of all readers or of one, and about one account."""
    chain = service_of(request).chain

    def ask(context: QueryContext) -> Accesses:
        require_known(chain, context.log, reader=reader, account=account)
        shown = ShownAccount(context.log, account) if account else None
        return read_accesses(chain, reader=reader, account=shown, before=before, limit=limit)

    return serve_query(
        request,
        Scope.ACCESS,
        ask,
        of_log=True,
        is_of_chain=False,
        rows=lambda found: len(found.accesses),
        account=account,
    )


@router.get("/sql", responses=gives(dict[str, Any], is_list=True))
def sql(
    request: Request,
    q: Annotated[
        str, Query(min_length=1, max_length=SQL_MAX, description="One SELECT over reader_* views.")
    ],
    as_of: AsOf = "",
) -> Response:
    """Ask in SQL: one SELECT over the views of docs/sql.md, with limits on what it costs.

    In JSON the answer has `meta`, `data` and `rows`; also CSV, NDJSON, Arrow, Parquet and XLSX.
    """
    form = choose(request, {JSON: "json"} | {one: FORMATS[one].suffix for one in FORMATS})

    def ask(context: QueryContext) -> bytes:
        with closing(context.store.for_readers()) as client:
            version = TablesVersion(context.size, context.store.database)
            return run_sql(client, q, FORMS.get(form, "JSONCompact"), version=version)

    answer = serve_query(request, Scope.SQL, ask, at=as_of, rows=lambda found: _rows(found, form))
    headers = basis_headers(answer, form)
    if form == JSON:
        shown = answer.found.decode("utf-8", "replace").encode()
        line = msgspec.Raw(msgspec.json.format(shown, indent=-1))
        return in_form(request, answer._replace(found=line))
    if form == NDJSON:
        content = in_ndjson(answer.found)
    else:
        content = answer.found if form in FORMS else _written(answer.found, form)
    headers["Content-Disposition"] = f'attachment; filename="answer.{FORMATS[form].suffix}"'
    return Response(content, media_type=form, headers=headers)


def _rows(found: bytes, form: str) -> int | None:
    if form == NDJSON:
        return found.count(b"\n")
    return None if form in FORMS else int(msgspec.json.decode(found)["rows"])


def _written(found: bytes, form: str) -> bytes:
    """Write what the engine's own form would not be harmless in a spreadsheet as."""
    document = read_answer(found)
    columns = [
        Column(one["name"], _kind(row[place] for row in document["data"]))
        for place, one in enumerate(document["meta"])
    ]
    block = [[row[place] for row in document["data"]] for place in range(len(columns))]
    return b"".join(FORMATS[form].write(columns, [block]))


def _kind(values: Iterable[Any]) -> Literal["number", "text", "json"]:
    """Find what a column of an answer holds; numbers of any kind are written as they are."""
    for value in values:
        if isinstance(value, str):
            return "text"
        if isinstance(value, list | dict):
            return "json"
    return "number"
