"""Closings, tax bases and agreements as sheets, shared by terminal, workbook and page.

What comes in: a result of this package and a language. What goes out: sheets with a heading,
columns and rows. Money stays whole hundredths of the currency that its row names; without one it is
crowns, as the heading states. The sum of a trial balance is a separate row per currency.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from projections.questions.balances import ON_THE_FLOOR
from projections.words.names import named

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from projections.books.agreement import Agreement
    from projections.books.closing import Closing, TrialLine
    from projections.books.tax import TaxBase
    from projections.words.catalogue import Words

__all__ = [
    "COLUMNS",
    "Head",
    "Sheet",
    "account_name",
    "channel_name",
    "of_agreement",
    "of_closing",
    "of_tax",
    "of_trial",
]


COLUMNS = {
    "games": (
        "game table:text way stakes:money returned:money "
        "winnings:money corrections:money result:money open:money "
    ),
    "channels": (
        "channel deposits:money deposits_returned:money paid_out:money written_off:money net:money "
    ),
    "write_offs": "position write_off item what proposed_by by reason amount:money ",
    "floor": ("place means currency movement count:count into:money out:money "),
    "earlier": ("position:count day movement account what currency amount:money "),
    "trial": ("account currency opening:money debit:money credit:money closing:money "),
    "tax": ("kind period base:money percent:count tax:money "),
    "tax_parts": (
        "way game place table:text currency "
        "stakes:money returned:money winnings:money corrections:money base:money "
        "base_czk:money "
    ),
    "agreement": ("package what of_package:money of_books:money difference:money "),
}
"""The columns of each sheet, with their types if they are not text."""


class Head(NamedTuple):
    """Heading and type of a column."""

    text: str
    kind: Literal["text", "money", "count"]


class Sheet(NamedTuple):
    """A table with its heading; the last ``sums`` rows are sums of those before."""

    title: str
    heads: tuple[Head, ...]
    rows: tuple[tuple[Any, ...], ...]
    sums: int = 0


def of_closing(closing: Closing, words: Words) -> list[Sheet]:
    """Return the sheets of a day or month: trial balance first; others only with rows."""
    games = _sheet(
        words,
        "games",
        (
            (
                one.name or one.game, one.table, _way(words, streamed=one.streamed), one.stakes,
                one.returned, one.winnings, one.corrections, one.result, one.open,
            )
            for one in closing.games
        ),
        summed=True,
    )  # fmt: skip
    channels = _sheet(
        words,
        "channels",
        (
            (
                channel_name(words, one.channel), one.deposits, one.deposits_returned,
                one.paid_out, one.written_off, one.net,
            )
            for one in closing.channels
        ),
        summed=True,
    )  # fmt: skip
    floor = _sheet(
        words,
        "floor",
        (
            (
                _place_name(words, one.place), named(words, "books.means", one.means), one.currency,
                named(words, "events", one.movement), one.count, one.into, one.out,
            )
            for one in closing.floor
        ),
    )  # fmt: skip
    earlier = _sheet(
        words,
        "earlier",
        (
            (
                one.position, one.day, named(words, "events", one.movement), one.account,
                one.what or one.round, one.currency, one.amount,
            )
            for one in closing.earlier
        ),
    )  # fmt: skip
    write_offs = _sheet(
        words,
        "write_offs",
        (
            (
                one.position, one.write_off, words.text(f"books.item_{one.item}"),
                one.account or one.statement, one.proposed_by, one.by, one.reason, one.amount,
            )
            for one in closing.write_offs
        ),
        summed=True,
    )  # fmt: skip
    return [
        of_trial(closing.trial, closing.totals, words),
        *(one for one in (games, channels, floor, earlier, write_offs) if one.rows),
    ]


def of_trial(trial: Iterable[TrialLine], totals: Mapping[str, TrialLine], words: Words) -> Sheet:
    """Return the trial balance, with a row of sums for each currency."""
    sheet = _sheet(
        words,
        "trial",
        (
            (
                account_name(words, one.account), one.currency, one.opening, one.debit, one.credit,
                one.closing,
            )
            for one in (*trial, *totals.values())
        ),
    )  # fmt: skip
    return sheet._replace(sums=len(totals))


def of_tax(base: TaxBase, words: Words) -> list[Sheet]:
    """Return the base of the tax, and its parts."""
    whole = _sheet(
        words,
        "tax",
        [(words.text(f"books.kind_{base.kind}"), base.period, base.base, base.percent, base.tax)],
    )  # fmt: skip
    parts = _sheet(
        words,
        "tax_parts",
        (
            (
                words.text(f"books.way_{one.way}"), named(words, "games", one.game), one.place,
                one.table, one.currency, one.stakes, one.returned, one.winnings, one.corrections,
                one.base, one.base_czk,
            )
            for one in base.parts
        ),
    )  # fmt: skip
    return [whole, parts] if parts.rows else [whole]


def of_agreement(found: Agreement, words: Words) -> Sheet:
    """Return the comparison with the packages."""
    return _sheet(
        words,
        "agreement",
        (
            (one.package, one.what, one.of_package, one.of_books, one.difference)
            for one in found.compared
        ),
    )  # fmt: skip


def _sheet(
    words: Words,
    title: str,
    rows: Iterable[tuple[Any, ...]],
    *,
    summed: bool = False,
) -> Sheet:
    heads = []
    columns = COLUMNS[title].split()
    for column in columns:
        key, _, kind = column.partition(":")
        text = words.text(f"books.head_{key}")
        if kind == "money" and "currency" not in columns:
            text = words.text("units.in_crowns", name=text)
        heads.append(Head(text, kind or "text"))  # type: ignore[arg-type]
    found = tuple(rows)
    if summed and found:
        total = (
            sum(row[place] for row in found) if head.kind != "text" else ""
            for place, head in enumerate(heads)
        )
        _, *rest = total
        found = (*found, (words.text("books.total"), *rest))
    return Sheet(words.text(f"books.{title}"), tuple(heads), found, int(summed and bool(found)))


def account_name(words: Words, account: str) -> str:
    """Return the name of a ledger account; a place of the floor by its means, kind and own name."""
    if not account:
        return words.text("books.total")
    if floor := ON_THE_FLOOR.fullmatch(account):
        means = named(words, "books.means", floor["means"])
        return f"{means}, {_place_name(words, floor['place'])}"
    channel = account.removeprefix("channel_")
    if channel != account:
        return words.text("books.by_channel", channel=channel_name(words, channel))
    return named(words, "books", f"account_{account}")


def _place_name(words: Words, place: str) -> str:
    """Return the name of a place of the floor: its kind and its own name."""
    kind, _, name = place.partition(":")
    return f"{named(words, 'books.place', kind)} {name}".strip()


def channel_name(words: Words, channel: str) -> str:
    """Return the name of a way of payment."""
    key = f"channel_{channel}"
    name = named(words, "books", key)
    return channel if name == key else name


def _way(words: Words, *, streamed: bool) -> str:
    return words.text("books.way_remote" if streamed else "books.way_account")
