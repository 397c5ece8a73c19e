"""The API of changes: each question that can be compared, between two places of the chain.

The answer is JSON, a list of fields, or an Atom feed.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from http import HTTPStatus
from inspect import Parameter as Signed
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import msgspec
from fastapi import APIRouter, Depends, Request
from markupsafe import Markup
from starlette.responses import Response

from ledger.core.clock import DAY, in_prague
from tools.access.access_service import serve_query, service_of
from tools.access.accesses import last_reading
from tools.access.addresses import about_of, route_parameters
from tools.access.atom import ATOM, Entry, atom
from tools.access.changes import COMPARED, Changes, Field, changes_of
from tools.access.changes_shown import filled, label_of, name_of, shown_changes, written
from tools.access.formats import FOR_PEOPLE, FORM, format_of, in_form, is_worded
from tools.access.language import words_of
from tools.access.openapi import gives
from tools.access.parameters import ComparedFrom, ComparedTo, form_wished
from tools.access.questions.declaration import sign
from tools.access.writers import SPELLINGS, Spelling
from tools.sanitize import json_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from projections.words.catalogue import Words
    from tools.access.answer import Answer
    from tools.access.changes import Compared, Part
    from tools.access.changes_shown import ShownField
    from tools.access.differences import Change
    from tools.access.query_context import QueryContext

__all__ = ["FieldChange", "add_comparisons", "router", "serve_changes", "title_of"]

router = APIRouter(prefix="/api/changes", dependencies=[Depends(form_wished)])

PLAIN = {"*": ""}
"""Forms for programs: every field as it is."""


@dataclass(frozen=True, slots=True)
class FieldChange:
    """A field of a change, for lists: values are texts, or JSON where they are no texts.

    Forms that people open have the fields of the page, with money in crowns and local times, and
    in the language of the reader where their headings are.
    """

    kind: str
    part: str
    name: str
    field: str
    earlier: str | None
    later: str | None


def serve_changes(
    request: Request, compared: Compared, *, start: str, to: str, day: str = "", **given: Any
) -> Answer:
    """Answer with the changes of a question between two places.

    Args:
        request: of the reader.
        compared: the question.
        start: place at which the comparison begins; empty for the reader's last visit.
        to: place at which it ends; empty for now.
        day: only rows of a day.
        given: the question's own parameters.

    """
    service, question = service_of(request), compared.question
    visitor = service.visitor(request)
    entry = visitor.session.began if visitor.session else None
    visited_at = None if start else last_reading(service.chain, visitor.reader.name, before=entry)

    serving: dict[str, Any] = {**question.serving, "is_supervised": False}
    serving["is_of_chain"] = bool(start)

    def begins(context: QueryContext) -> str:
        since = context.recorded_at - DAY if visited_at is None else visited_at
        return start or in_prague(since).isoformat()

    concerned: dict[str, str] = {}

    def ask(context: QueryContext) -> Changes:
        earlier = context.earlier
        place = None if earlier is None else service.basis(earlier)
        found, about = changes_of(compared, context, place, given, day)
        concerned.update(about)
        return found

    return serve_query(
        request,
        question.scope,
        ask,
        at=to,
        begins=begins,
        is_timed=question.is_timed,
        is_named="{" in question.path,
        rows=lambda found: len(found.changes),
        concerns=lambda _: concerned,
        **serving,
        **about_of(question, given),
    )


def add_comparisons(
    router: APIRouter,
    respond: Callable[..., Response],
    more: Sequence[tuple[str, Any, Any]] = (),
    **options: Any,
) -> None:
    """Add a route for each question that can be compared.

    Args:
        router: takes the routes.
        respond: renders an answer; it receives request, question, answer and what ``more`` names.
        more: name, type and default of further parameters of the routes.
        options: of the routes.

    """
    for compared in COMPARED:
        parameters = [*_parameters(compared), *more]
        endpoint = _endpoint(compared, respond, parameters, [name for name, _, _ in more])
        router.add_api_route(compared.path, endpoint, methods=["GET"], **options)


def _parameters(compared: Compared) -> Iterator[tuple[str, Any, Any]]:
    """Yield name, type and default of the parameters of a comparison."""
    question = compared.question
    left_out = {"before", "limit", "as_of", "now", *compared.given}
    yield from (one for one in route_parameters(question) if one[0] not in left_out)
    yield from (("start", ComparedFrom, ""), ("to", ComparedTo, ""))


def _endpoint(
    compared: Compared,
    respond: Callable[..., Response],
    parameters: Sequence[tuple[str, Any, Any]],
    more: Sequence[str],
) -> Callable[..., Response]:
    def endpoint(request: Request, **given: Any) -> Response:
        further = {name: given.pop(name) for name in more}
        return respond(request, compared, serve_changes(request, compared, **given), **further)

    sign(endpoint, [("request", Request, Signed.empty), *parameters])
    endpoint.__name__ = f"changes_of_{compared.question.ask.__name__}"
    endpoint.__doc__ = f"Compare two places of the chain: {compared.question.description}"
    return endpoint


def title_of(request: Request, compared: Compared) -> str:
    """Return what is compared, in the reader's language."""
    return words_of(request).text(f"asked.{compared.path}", **request.path_params)


def _respond(request: Request, compared: Compared, answer: Answer) -> Response:
    if request.query_params.get(FORM) == "atom":
        return _feed(request, compared, answer)
    form, words = format_of(request, is_list=True), words_of(request)
    forms = compared.forms if form in FOR_PEOPLE else lambda _: PLAIN
    spelling = SPELLINGS[words.language]
    names_in = words if is_worded(form, words) else None
    parts = {part.path: part for part in compared.parts}
    rows = [
        row
        for one in answer.found.changes
        for row in _rows(one, forms(one.part), spelling, names_in, parts.get(one.part))
    ]
    return in_form(request, answer, rows, FieldChange)


def _feed(request: Request, compared: Compared, answer: Answer) -> Response:
    """Return changes as a feed; an entry is another one once its row changes again."""
    words, at = words_of(request), answer.basis.recorded_at
    page = filled(compared.page or compared.path, request.path_params)
    path = request.url.path.removeprefix("/api/")
    kinds = {
        "added": words.text("changes.added"),
        "ended": words.text("changes.ended"),
        "changed": words.text("changes.changed"),
    }
    entries = []
    for one in shown_changes(words, compared, answer.found):
        texts = [_in_words(field, words.text("access.none")) for field in one.fields]
        title = " ".join(filter(None, (one.part, one.name.striptags(), kinds[one.kind])))
        digest = sha256(json_line([title, *texts]).encode()).hexdigest()[:16]
        entries.append(Entry(f"{path}/{digest}", one.address or page, at, title, "; ".join(texts)))
    title = f"{words.text('changes.heading')}: {title_of(request, compared)}"
    address = f"/{path}?{urlencode(_places(request))}"
    return atom(request, path, title, entries, address=address, updated=at)


def _places(request: Request) -> dict[str, str]:
    return {name: value for name, value in request.query_params.items() if name != FORM}


def _in_words(field: ShownField, none: str) -> str:
    """Write a field that may have changed as a line of plain text."""
    label, earlier, later = (
        Markup.escape(none if one is None else one).striptags()
        for one in (field.label, field.earlier, field.later)
    )
    return f"{label}: {earlier} → {later}"


def _rows(
    change: Change,
    forms: Mapping[str, str],
    spelling: Spelling,
    words: Words | None,
    of_list: Part | None,
) -> Iterator[FieldChange]:
    """Yield the fields of a change that have a form, or all where ``*`` has one.

    With ``words`` codes and fields have names, and lists that no page shows are left out.
    """
    if words is not None and of_list is not None and not of_list.shown:
        return
    name = ", ".join(_text(value, "", spelling) or "" for value in change.name.values())
    values = change.earlier or {}, change.later or {}
    kind, part = change.kind if words is None else words.text(f"changes.{change.kind}"), change.part
    if words is not None and of_list is not None:
        part = words.text(f"fields.{part.rpartition('.')[2]}")
        name = name_of(words, change, of_list).striptags()
    for path in values[1] or values[0]:
        form = forms.get(path, forms.get("*"))
        if form is None or path in change.name:
            continue
        field, label = Field(path, form), path
        texts = [_text(of.get(path), form, spelling) for of in values]
        if words is not None:
            label = Markup.escape(label_of(words, field)).striptags()
            texts = [
                Markup.escape(written(words, field, of[path], {**change.name, **of})).striptags()
                if of.get(path) is not None and form not in SPELLED
                else text
                for text, of in zip(texts, values, strict=True)
            ]
        yield FieldChange(kind, part, name, label, *texts)


SPELLED = frozenset({"money", "amount", "moment", "count", "position", "maximum"})
"""Forms of numbers, which a spreadsheet counts with."""


def _text(value: Any, form: str, spelling: Spelling) -> str | None:
    if value is None or isinstance(value, str):
        return value
    if form == "moment":
        return spelling.moment(value)
    if form in {"money", "amount", "maximum"}:
        return spelling.money(value)
    return msgspec.json.encode(value).decode()


RESPONSES = gives(Changes, is_list=True)
RESPONSES[HTTPStatus.OK]["content"][ATOM] = {}
add_comparisons(router, _respond, responses=RESPONSES)
