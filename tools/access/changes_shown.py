"""Changes in the words of a reader, for the page and the feed."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import quote

from markupsafe import Markup

from ledger.core.decoders import decoder_of
from projections.books.sheets import account_name, channel_name
from projections.facts.rendering import render_fact
from projections.questions.tables import Limit
from projections.words.names import bet, coded, named, paragraph, wording
from tools.access.cells import limits_in_words
from tools.access.changes import EVERY, Field
from tools.access.pages import event_link, link, measured, moment_of
from tools.sanitize import escape_controls

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from projections.words.catalogue import Words
    from tools.access.changes import Changes, Compared, Part
    from tools.access.differences import Change, Kind

__all__ = ["ShownChange", "ShownField", "filled", "label_of", "name_of", "shown_changes", "written"]

EMPTY: tuple[object, ...] = (None, "", [])
"""Values of which nothing is shown."""
LIMITS = decoder_of(tuple[Limit, ...])


class ShownField(NamedTuple):
    """A field of a row: its name, and what it was and is; None where there was no row."""

    label: Markup | str
    earlier: Markup | str | None
    later: Markup | str | None


class ShownChange(NamedTuple):
    """A change: the list to which it belongs, its name and page in that list, its fields."""

    kind: Kind
    part: str
    name: Markup
    address: str
    fields: list[ShownField]


def shown_changes(
    words: Words, compared: Compared, found: Changes, *, links_accounts: bool = True
) -> Iterator[ShownChange]:
    """Yield changes in words; a change of fields for programs alone is left out.

    Args:
        words: of the reader.
        compared: what was compared.
        found: the changes.
        links_accounts: the reader may open the pages of accounts.

    """
    parts = {part.path: part for part in compared.parts}
    for one in found.changes:
        part = parts.get(one.part)
        shown = compared.shown if part is None else part.shown
        if not links_accounts:
            shown = shown if shown is EVERY else tuple(map(_unlinked, shown))
            part = part and part._replace(names=tuple(map(_unlinked, part.names)))
        fields = list(_fields(words, one, shown))
        if not fields:
            continue
        if part is None:
            yield ShownChange(one.kind, "", Markup(""), "", fields)
            continue
        title = words.text(f"fields.{_last(part.path)}")
        address = filled(part.page, one.name)
        yield ShownChange(one.kind, title, name_of(words, one, part), address, fields)


def _unlinked(field: Field) -> Field:
    return field._replace(form="text") if field.form == "account" else field


def _fields(words: Words, change: Change, shown: Iterable[Field]) -> Iterator[ShownField]:
    if shown is EVERY:
        rows = change.earlier or {}, change.later or {}
        names = (one for one in rows[1] or rows[0] if one not in change.name)
        shown = [Field(one, "code") for one in names]
    for field in shown:
        values = [
            None
            if of is None or of.get(field.path) in EMPTY
            else written(words, field, of[field.path], {**change.name, **of})
            for of in (change.earlier, change.later)
        ]
        if values != [None, None]:
            yield ShownField(label_of(words, field), *values)


def name_of(words: Words, change: Change, part: Part) -> Markup:
    """Return the name of a changed row in its list."""
    texts = [
        written(words, one, change.name[one.path], change.name)
        for one in part.names
        if change.name[one.path] not in EMPTY
    ]
    return Markup(", ").join(texts)


def filled(address: str, names: Mapping[str, Any]) -> str:
    """Return an address with names in their places."""
    return address.format(**{key: quote(str(one), safe="") for key, one in names.items()})


def _last(path: str) -> str:
    return path.rpartition(".")[2]


def label_of(words: Words, field: Field) -> Markup | str:
    """Return the name of a field."""
    if field.form == "code":
        return CODE.format(field.path)
    return words.text(f"fields.{_last(field.path)}")


def written(words: Words, field: Field, value: Any, row: Mapping[str, Any]) -> Markup | str:
    """Write a value of a field; ``row`` has the other fields of its row."""
    form = field.form
    if form in FORMS:
        return FORMS[form](words, value, row)
    if form == "text":
        return escape_controls(coded(words, None, _last(field.path), str(value)))
    return named(words, form, value)


def _limits(words: Words, value: Iterable[Mapping[str, Any]], _: object) -> str:
    return limits_in_words(words, LIMITS.plain(value))


CODE = Markup("<code>{}</code>")
FORMS: dict[str, Callable[[Words, Any, Mapping[str, Any]], Markup | str]] = {
    "code": lambda _, value, __: CODE.format(escape_controls(str(value))),
    "money": lambda words, value, _: words.money(value),
    "maximum": lambda words, value, _: words.money(value) if value else words.text("access.none"),
    "amount": lambda words, value, _: words.amount(value),
    "count": lambda words, value, _: words.number(value),
    "length": lambda words, value, _: words.length(value),
    "moment": lambda words, value, _: moment_of(words, value),
    "date": lambda words, value, _: words.date(date.fromisoformat(value)),
    "statement": lambda _, value, __: CODE.format(value[:8]),
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
