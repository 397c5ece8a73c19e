"""The page of changes: what was added, ended or changed in an answer between two places."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, NamedTuple
from urllib.parse import quote

from fastapi import APIRouter, Query, Request
from markupsafe import Markup
from starlette.responses import Response

from projections.books.sheets import account_name, channel_name
from projections.facts.rendering import render_fact
from projections.words.names import bet, coded, named, paragraph, wording
from tools.access.api_changes import add_comparisons
from tools.access.api_findings import paged
from tools.access.changes import EVERY, Field
from tools.access.pages import event_link, link, measured, moment_of, page, words_of
from tools.access.parameters import PageNumber
from tools.sanitize import escape_controls

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from projections.words.catalogue import Words
    from tools.access.answer import Answer
    from tools.access.changes import Changes, Compared, Part
    from tools.access.differences import Change

__all__ = ["FORMS", "router"]

router = APIRouter(prefix="/changes")

EMPTY: tuple[object, ...] = (None, "", [])
"""Values of which a page shows nothing."""


class _Line(NamedTuple):
    """A field of a row: its name, and what it was and is; None where there was no row."""

    label: Markup | str
    earlier: Markup | str | None
    later: Markup | str | None


class _Row(NamedTuple):
    """A change: the list to which it belongs, what it is about, and its fields."""

    kind: str
    part: str
    name: Markup
    lines: list[_Line]


def _respond(request: Request, compared: Compared, answer: Answer, part: int) -> Response:
    words = words_of(request)
    rows = list(_rows(words, compared, answer.found))
    shown, pages = paged(rows, part)
    return page(
        request,
        "changes.html",
        answer=answer,
        found=answer.found,
        rows=shown,
        count=len(rows),
        part=part,
        pages=pages,
        of=words.text(f"asked.{compared.path}", **request.path_params),
        origin=_filled(compared.page or compared.path, request.path_params),
        has_day=compared.question.has_span,
    )


def _rows(words: Words, compared: Compared, found: Changes) -> Iterator[_Row]:
    """Yield what the page shows: a change of fields for programs alone is left out."""
    parts = {part.path: part for part in compared.parts}
    for one in found.changes:
        part = parts.get(one.part)
        shown = compared.shown if part is None else part.shown
        lines = [line for line in _lines(words, one, shown) if line is not None]
        if lines:
            title = "" if part is None else words.text(f"fields.{_last(part.path)}")
            yield _Row(one.kind, title, _name(words, one, part), lines)


def _lines(words: Words, change: Change, shown: Iterable[Field]) -> Iterator[_Line | None]:
    if shown is EVERY:
        rows = change.earlier or {}, change.later or {}
        names = (one for one in rows[1] or rows[0] if one not in change.name)
        shown = [Field(one, "code") for one in names]
    for field in shown:
        values = [
            None
            if of is None or of.get(field.path) in EMPTY
            else _written(words, field, of[field.path], {**change.name, **of})
            for of in (change.earlier, change.later)
        ]
        if values != [None, None]:
            yield _Line(_label(words, field), *values)


def _name(words: Words, change: Change, part: Part | None) -> Markup:
    """Return what identifies a row, as a link to its own page if it has one."""
    if part is None:
        return Markup("")
    texts = [
        _written(words, one, change.name[one.path], change.name)
        for one in part.names
        if change.name[one.path] not in EMPTY
    ]
    if not part.page:
        return Markup(", ").join(texts)
    address = _filled(part.page, change.name)
    return Markup('<a href="{}">{}</a>').format(address, Markup(", ").join(texts))


def _filled(address: str, names: Mapping[str, Any]) -> str:
    return address.format(**{key: quote(str(one), safe="") for key, one in names.items()})


def _last(path: str) -> str:
    return path.rpartition(".")[2]


def _label(words: Words, field: Field) -> Markup | str:
    if field.form == "code":
        return CODE.format(field.path)
    return words.text(f"fields.{_last(field.path)}")


def _written(words: Words, field: Field, value: Any, row: Mapping[str, Any]) -> Markup | str:
    """Write a value of a field; ``row`` has the other fields of its row."""
    form = field.form
    if form in FORMS:
        return FORMS[form](words, value, row)
    if form == "text":
        return escape_controls(coded(words, None, _last(field.path), str(value)))
    return named(words, form, value)


def _limits(words: Words, value: Iterable[Mapping[str, Any]], _: object) -> str:
    return "; ".join(
        words.text(
            "changes.limit",
            bet=bet(words, one["bet_code"]),
            least=words.money(one["least"]),
            greatest=words.money(one["greatest"]),
        )
        for one in value
    )


CODE = Markup("<code>{}</code>")
FORMS: dict[str, Callable[[Words, Any, Mapping[str, Any]], Markup | str]] = {
    "code": lambda _, value, __: CODE.format(escape_controls(str(value))),
    "money": lambda words, value, _: words.money(value),
    "amount": lambda words, value, _: words.amount(value),
    "count": lambda words, value, _: words.number(value),
    "length": lambda words, value, _: words.length(value),
    "moment": lambda words, value, _: moment_of(words, value),
    "flag": lambda words, value, _: words.text("changes.yes" if value else "changes.no"),
    "list": lambda _, value, __: escape_controls(", ".join(value)),
    "position": lambda words, value, _: event_link(words, value),
    "account": lambda _, value, __: link("accounts", value, escape_controls(value)),
    "round": lambda _, value, __: link("rounds", value, escape_controls(value)),
    "wording": lambda words, value, _: escape_controls(wording(words, value)),
    "paragraph": lambda words, value, _: paragraph(words, escape_controls(value)),
    "bets": lambda words, value, _: bet(words, value),
    "fact": lambda words, value, row: escape_controls(render_fact(words, row["event"], value)),
    "measure": lambda words, value, row: measured(words, row["measure"], value),
    "limits": _limits,
    "way": lambda words, value, _: named(words, "books", f"way_{value}"),
    "streamed": lambda words, value, _: named(
        words, "books", "way_remote" if value else "way_account"
    ),
    "channel": lambda words, value, _: channel_name(words, value),
    "ledger_account": lambda words, value, _: account_name(words, value),
}
"""How values are written that are not codes of an area of words."""

add_comparisons(router, _respond, [("part", Annotated[PageNumber, Query(alias="page")], 1)])
