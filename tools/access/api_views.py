"""The API of whole tables: each view for readers, streamed, however many rows it has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from fastapi import APIRouter, Depends, Query, Request
from starlette.responses import Response

from ledger.core.errors import InputError
from ledger.core.phrases import Phrase
from projections.store.reader_views import shown, source_of, view_name
from tools.access.addresses import add_addresses
from tools.access.downloads import Content, Tally, counted, download, file_name
from tools.access.engine_forms import ENGINE_FORMS, FORM_SETTINGS, selected, written
from tools.access.formats import choose
from tools.access.openapi import gives_files
from tools.access.parameters import AsOf, Name, Named, Since, Until, form_wished
from tools.access.query_context import QueryContext
from tools.access.questions.declaration import UNDATED, question
from tools.access.scopes import Scope, hidden_fields, scope_of
from tools.access.writers import BATCHED, FORMATS, Column, write_batches
from tools.data.moments import Span, when
from tools.web.problems import not_found

if TYPE_CHECKING:
    from projections.store import definitions

__all__ = ["View", "ViewColumn", "router"]

router = APIRouter(prefix="/api", dependencies=[Depends(form_wished)])

SCOPES = {
    "postings": Scope.MONEY,
    "bets": Scope.ROUNDS,
    "rounds": Scope.ROUNDS,
    "play": Scope.ACCOUNTS,
    "break_violations": Scope.ACCOUNTS,
    "cases": Scope.ACCOUNTS,
    "statement_lines": Scope.MONEY,
    "statements": Scope.MONEY,
    "account_owners": Scope.ACCOUNTS,
    "account_regimes": Scope.ACCOUNTS,
    "measures_in_force": Scope.ACCOUNTS,
    "operator_figures": Scope.CHAIN,
}
"""What a view asks for that is no table of an event type; findings are of money."""
PLACES = ("position", "first_position")
"""Columns that say where in the chain a row belongs."""
ORDER = (*PLACES, "posting", "code")
BYTES_IN_MEMORY = 200_000_000
BOUNDS = (
    f"max_bytes_before_external_sort = {BYTES_IN_MEMORY}, "
    f"max_bytes_before_external_group_by = {BYTES_IN_MEMORY}"
)
"""What is larger is sorted and grouped on the disk."""
ROWS = "max_block_size = 16384"
"""Of a block that is written here."""
TEXTS = ("String", "LowCardinality(String)")


@dataclass(frozen=True, slots=True)
class ViewColumn:
    """A column of a view, with its type as ClickHouse writes it."""

    name: str
    type: str
    meaning: str


@dataclass(frozen=True, slots=True)
class View:
    """A view for readers, the scope that it asks for, and its columns."""

    view: str
    scope: Scope
    meaning: str
    columns: tuple[ViewColumn, ...]


@question("/views", Scope.CHAIN, **UNDATED)
def views(context: QueryContext) -> list[View]:
    """List the views that `/api/views/{name}` gives and that can be asked in SQL."""
    return [
        View(
            view_name(found.name),
            _scope(found),
            found.meaning,
            tuple(ViewColumn(*column) for column in _seen(found, columns, context)),
        )
        for found, columns in shown()
    ]


add_addresses(router, views)


@router.get("/views/{name}", response_class=Response, responses=gives_files(*FORMATS))
def one_view(
    request: Request,
    name: Name,
    account: Named = "",
    round_name: Annotated[Named, Query(alias="round")] = "",
    since: Since = "",
    until: Until = "",
    as_of: AsOf = "",
) -> Response:
    """Give all rows of a view, streamed: CSV, NDJSON, Arrow, Parquet, or a short one as XLSX.

    `since` and `until` are of its column `position`, or else `first_position`. Of an account or a
    round the rows come in that order; else postings come by kind and account, lines of statements
    by issuer and statement, and all others by position.
    """
    found, all_columns = next(
        (one for one in shown() if view_name(one[0].name) == name), (None, None)
    )
    if found is None or all_columns is None:
        raise not_found(Phrase("VIEW_UNKNOWN", name=name))
    form = choose(request, {one: FORMATS[one].suffix for one in FORMATS})

    def prepare(context: QueryContext) -> Content:
        span = Span.of(
            context.log,
            context.size,
            None,
            when(since) if since else None,
            when(until) if until else None,
        )
        conditions = {
            "account": "source.account = {account:String}" if account else "",
            "round": "source.round = {round:String}" if round_name else "",
            "position": "source.{place} >= {first:Int64} AND source.{place} < {end:Int64}"
            if since or until
            else "",
        }
        end = context.size if span.end is None else span.end
        given = {one: text for one, text in conditions.items() if text}
        columns = _seen(found, all_columns, context)
        sql = _sql(found, columns, given, context, form)
        tally = Tally()
        values = {"account": account, "round": round_name, "first": span.first, "end": end}
        if form in ENGINE_FORMS:
            lines = context.store.written(sql, ENGINE_FORMS[form], **values)
            pieces = written(form, [column.name for column in columns], lines, tally)
        elif form in BATCHED:
            batches = counted(context.store.batches(sql, **values), tally)
            pieces = write_batches(form, list(map(_column, columns)), batches)
        else:
            blocks = counted(context.store.blocks(sql, **values), tally)
            pieces = FORMATS[form].write(list(map(_column, columns)), blocks)
        return Content(pieces, form, f"{file_name(name)}.{FORMATS[form].suffix}", tally)

    return download(request, _scope(found), prepare, at=as_of, account=account, round=round_name)


def _scope(found: definitions.Definition) -> Scope:
    """Return the scope of a view: its own, or that of the event type whose table it shows."""
    if found.name.endswith("findings"):
        return Scope.MONEY
    return SCOPES.get(found.name) or scope_of(found.name) or Scope.SQL


def _seen(
    found: definitions.Definition, columns: list[definitions.Column], context: QueryContext
) -> list[definitions.Column]:
    """Return the columns of a view without those of fields that the reader does not see."""
    hidden = hidden_fields(found.name, context.scopes)
    return [column for column in columns if column.name not in hidden]


def _column(column: definitions.Column) -> Column:
    if column.type == "Bool":
        return Column(column.name, "bool")
    if column.type in TEXTS or column.type.startswith(("FixedString", "Date")):
        return Column(column.name, "text")
    return Column(column.name, "json" if column.type.startswith("Array") else "int")


def _sql(
    found: definitions.Definition,
    columns: list[definitions.Column],
    conditions: dict[str, str],
    context: QueryContext,
    form: str,
) -> str:
    names = [column.name for column in columns]
    place = next((one for one in PLACES if one in names), None)
    for asked_for in conditions:
        if asked_for not in names and (asked_for != "position" or place is None):
            raise InputError(
                Phrase("VIEW_NOT_NARROWED", view=view_name(found.name), names=asked_for)
            )
    given = ", ".join(selected(column, form) for column in columns)
    source = source_of(found, str(context.size))
    plain = ", ".join(f"`{name}`" for name in names)
    sql = f"SELECT {given} FROM (SELECT {plain} FROM {source}) AS source"  # noqa: S608 - own names
    if conditions:
        sql += " WHERE " + " AND ".join(conditions.values()).replace("{place}", str(place))
    # Much of a table comes as it lies there: nothing is sorted, so rows leave at once. That is so
    # for a column of the source, and not for the text under its name that is given.
    first = () if conditions.keys() & {"account", "round"} else found.order
    order = dict.fromkeys(one for one in (*first, *ORDER) if one in names)
    if order:
        sql += f" ORDER BY {', '.join(f'source.{one}' for one in order)}"
    return f"{sql} SETTINGS {BOUNDS}, {FORM_SETTINGS.get(form, ROWS)}"
