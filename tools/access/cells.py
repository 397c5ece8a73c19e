"""Cells of lists that people open: names of codes, sentences and headings in their language.

What comes in: the rows of an answer with the class of its rows. What goes out: the columns and
their values for a spreadsheet. A field for programs is left out where another one has the same in
words. Nothing that is nested stays: what a row holds several of is one text.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from ledger.core.clock import SECOND, is_midnight
from projections.books.sheets import account_name
from projections.facts.rendering import render_fact
from projections.store.reader_views import shown, view_name
from projections.words.descriptions import translate_view
from projections.words.names import bet, named, paragraph, wording
from projections.words.phrases import render_finding
from tools.access.access_sentences import access_sentence, parameters_in_words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from projections.findings.finding import Side
    from projections.questions.tables import Limit
    from projections.words.catalogue import Words
    from tools.access.writers import Column

__all__ = ["heading_of", "in_words", "limits_in_words", "worded"]

AREAS = {
    "AccountLine.status": "accounts.status",
    "AgedItems.kind": "open_items",
    "BetLine.status": "statuses",
    "Case.kind": "cases",
    "Case.status": "cases",
    "Event.type": "events",
    "Finding.code": "findings",
    "Finding.state": "states",
    "KnownReader.known_by": "codes.way",
    "Movement.event": "events",
    "GameRate.game": "games",
    "GameTotal.game": "games",
    "LicenceDuty.code": "duties",
    "OpenDuty.code": "duties",
    "OpenDuty.who": "codes.by",
    "PeriodStatus.step": "package_steps",
    "RoundLine.game": "games",
    "RoundLine.plan_version": "codes.plan_version",
    "RoundLine.status": "statuses",
    "TableInForce.game": "games",
    "TableInForce.state": "offers",
    "TournamentLine.game": "games",
    "TournamentLine.status": "statuses",
}
"""The area of the catalogue that names the codes of a field."""
RENDERED = {"paragraph": paragraph, "source": paragraph, "wording": wording}
"""Fields of recorded texts that the catalogue renders."""
FOR_PROGRAMS = frozenset(
    {
        "BetLine.bet_code",
        "BetLine.parent",
        "BetLine.selection",
        "Finding.detail",
        "Finding.parameters",
    }
)
"""Fields of which another field of the row has the same in words."""


class _Cell(NamedTuple):
    """How a field is written that depends on its row, or holds several values."""

    write: Callable[[Words, Any], Any]
    kind: Any = "text"


def limits_in_words(words: Words, limits: Iterable[Limit]) -> str:
    """Return the smallest and largest stakes of a table, by bet."""
    return "; ".join(
        words.text(
            "changes.limit",
            bet=bet(words, one.bet_code),
            least=words.money(one.least),
            greatest=words.money(one.greatest),
        )
        for one in limits
    )


def _side(words: Words, side: Side | None, currency: str) -> str | None:
    if side is None:
        return None
    return f"{side.reference} {words.money_in(currency, side.amount)}".strip()


def _last_second(until: int) -> int:
    """Return the last second of a period that ends with a day; other ends as they are."""
    return until - SECOND if is_midnight(until) else until


def _listed(values: Iterable[Any]) -> str:
    return ", ".join(map(str, values))


@cache
def _tables_of_views() -> dict[str, str]:
    return {view_name(table.name): table.name for table, _ in shown()}


CELLS = {
    "Access.what": _Cell(access_sentence),
    "Access.parameters": _Cell(lambda _, row: parameters_in_words(row.parameters)),
    "BetLine.wording": _Cell(
        lambda words, row: bet(words, row.bet_code, row.selection, additional=bool(row.parent))
    ),
    "Case.answer_until": _Cell(lambda _, row: _last_second(row.answer_until), "moment"),
    "Case.bets": _Cell(lambda _, row: _listed(row.bets)),
    "Case.rounds": _Cell(lambda _, row: _listed(row.rounds)),
    "CheckpointLine.cosigned": _Cell(lambda _, row: _listed(one.key for one in row.cosigned)),
    "CheckpointLine.stamped": _Cell(
        lambda words, row: _listed(
            f"{one.authority} {words.moment(one.moment)}" for one in row.stamped
        )
    ),
    "Event.envelope": _Cell(lambda _, row: row.envelope["recorded_at"], "moment"),
    "Event.facts": _Cell(lambda words, row: render_fact(words, row.type, row.facts)),
    "Finding.ours": _Cell(lambda words, row: _side(words, row.ours, row.currency)),
    "Finding.sentence": _Cell(render_finding),
    "Finding.theirs": _Cell(lambda words, row: _side(words, row.theirs, row.currency)),
    "KnownReader.roles": _Cell(lambda _, row: _listed(row.roles)),
    "OpenDuty.until": _Cell(lambda _, row: _last_second(row.until), "moment"),
    "PeriodStatus.positions": _Cell(lambda _, row: _listed(row.positions)),
    "PeriodStatus.state": _Cell(
        lambda words, row: named(words, "pictures", f"package_{row.state}")
    ),
    "TableInForce.limits": _Cell(lambda words, row: limits_in_words(words, row.limits)),
    "TableInForce.round_maximum": _Cell(lambda _, row: row.round_maximum or None, "money"),
    "TrialLine.account": _Cell(lambda words, row: account_name(words, row.account)),
    "View.columns": _Cell(lambda _, row: _listed(one.name for one in row.columns)),
    "View.meaning": _Cell(
        lambda words, row: translate_view(words, _tables_of_views()[row.view], row.meaning)
    ),
}


def worded(
    words: Words,
    kind: type,
    rows: Sequence[Any],
    columns: Sequence[Column],
    block: Sequence[list[Any]],
) -> tuple[list[Column], list[list[Any]]]:
    """Return the columns of a list and their values in the words of its reader."""
    found, values_of = [], []
    for column, values in zip(columns, block, strict=True):
        name = f"{kind.__name__}.{column.name}"
        if name in FOR_PROGRAMS:
            continue
        cell = CELLS.get(name)
        if cell is None:
            found.append(column)
            values_of.append(in_words(words, kind, column.name, values))
        else:
            found.append(column._replace(kind=cell.kind))
            values_of.append([cell.write(words, row) for row in rows])
    return found, values_of


def in_words(words: Words, kind: type, name: str, values: list[Any]) -> list[Any]:
    """Return the values of a field with the names of its codes in the language of the reader."""
    area, render = AREAS.get(f"{kind.__name__}.{name}"), RENDERED.get(name)
    if area is not None:
        return [value and named(words, area, value) for value in values]
    return values if render is None else [value and render(words, value) for value in values]


def heading_of(words: Words, kind: type, name: str) -> str:
    """Return the name of a field; one that means something else in this class has its own."""
    own = f"{kind.__name__}.{name}"
    found = named(words, "fields", own)
    return words.text(f"fields.{name}") if found == own else found
