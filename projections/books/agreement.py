"""Check that the books agree with the packages that were sent to the authority.

What comes in: the tables, a period, and the number of messages that count. What goes out: for the
newest version of each package that lies in the period, the sums of its rows next to those of the
books, and each difference by name. Rows are those of the package's own queries, with the settings
and the cut-off that ``PackageBuilt`` recorded; the books' sums come from the postings.

A period of model V is compared by stakes, winnings and returned bets, with their corrections; a
month of a casino by the net results of its tables. Such a month is a total without rows of
correction: if a fact of it was corrected since, the package needs another version. Play by account
at land-based tables is in none of these packages: its amount is shown separately.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ledger.core.clock import in_prague
from projections.books.closing import CORRECTIONS, WINNINGS, close, movements_in
from projections.books.tax import by_account, table_results
from projections.store.as_of import moment_of_question
from projections.store.period import read_period

if TYPE_CHECKING:
    from projections.packages.country import Country
    from projections.packages.results import Name, Totals
    from projections.store.period import Period
    from projections.store.tables import Store

__all__ = ["Agreement", "OutdatedPackage", "SumComparison", "agreement"]


@dataclass(frozen=True, slots=True)
class SumComparison:
    """A sum of a package next to that of the books, in hundredths of the currency."""

    package: str
    what: str
    of_package: int
    of_books: int

    @property
    def difference(self) -> int:
        """Package less books."""
        return self.of_package - self.of_books


@dataclass(frozen=True, slots=True)
class OutdatedPackage:
    """A package whose facts were corrected since it was built, and its files that would change."""

    package: str
    period: str
    files: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Agreement:
    """Result of the comparison; ``missing`` are periods and months of casinos without a package.

    ``outdated`` are packages that need another version, because their facts were corrected since.

    If the period ``is_over``, all of its packages are compared; otherwise only those of times that
    are over. ``unreported`` is the base of play by account at land-based tables, in haléř.
    """

    period: str
    position: int
    head: str
    is_over: bool
    compared: tuple[SumComparison, ...]
    differences: tuple[SumComparison, ...]
    outdated: tuple[OutdatedPackage, ...]
    missing: tuple[str, ...]
    unreported: int

    @property
    def is_sound(self) -> bool:
        """Return whether all sums agree and no package is outdated or missing."""
        return not (self.differences or self.outdated or self.missing)


BUILT = """
SELECT series, max(version) AS version
FROM PackageBuilt
WHERE position < {size:Int64}
GROUP BY series
ORDER BY series
"""


def agreement(
    store: Store,
    period: Period,
    country: Country,
    *,
    at: int | None = None,
    now: int | None = None,
) -> Agreement:
    """Compare the packages of a period with the books.

    Packages are missing that are due at ``now``, by default at the last message.

    Raises:
        InputError: fewer messages are projected, the period lies before the chain, or a package
            was built with settings that this version does not know.

    """
    closing = close(store, period, at=at, now=now)
    compared: list[SumComparison] = []
    outdated: list[OutdatedPackage] = []
    built: set[tuple[str, str]] = set()
    for row in store.rows(BUILT, size=closing.position):
        name = country.parse_name(f"{row['series']}-{row['version']:02d}")
        if not (period.begins <= name.start and name.end <= period.ends):
            continue
        totals = country.totals_of(store, name, closing.position)
        if totals.outdated:
            outdated.append(OutdatedPackage(str(name), name.period, totals.outdated))
        compared += (_casino if totals.place else _remote)(store, name, totals)
        built.add((totals.place, _day(name)))
    moment = moment_of_question(store, closing.position, now)
    due = country.due_of_period(store, period.begins, period.ends, moment)
    return Agreement(
        period=period.text,
        position=closing.position,
        head=closing.head,
        is_over=closing.is_over,
        compared=tuple(compared),
        differences=tuple(one for one in compared if one.difference),
        outdated=tuple(outdated),
        missing=tuple(name.period for place, name in due if (place, _day(name)) not in built),
        unreported=sum(one.base for one in by_account(store, closing) if one.way == "account"),
    )


def _day(name: Name) -> str:
    """Return the start of a package as text.

    It identifies the package of a casino, whatever the casino's name in package names.
    """
    return str(name.start)


def _remote(store: Store, name: Name, totals: Totals) -> list[SumComparison]:
    """Compare streamed play: stakes, winnings and returned bets."""
    stakes = winnings = returned = 0
    for one in movements_in(store, totals.first, totals.end):
        if not one.streamed:
            continue
        if one.kind == "wallet" and one.event in WINNINGS | CORRECTIONS - {"BetCorrected"}:
            winnings += one.net
        elif one.kind == "wallet" and one.event == "BetCorrected":
            stakes -= one.net
        elif one.kind == "in_play" and one.event == "BetConcluded":
            stakes += one.net
        elif one.kind == "in_play" and one.event == "BetVoided":
            returned -= one.net
    booked = {"stakes": stakes, "winnings": winnings, "returned": returned}
    return [SumComparison(str(name), what, totals.sums[what], booked[what]) for what in booked]


def _casino(store: Store, name: Name, totals: Totals) -> list[SumComparison]:
    """Compare a month of a casino, as it was known when the package was built."""
    booked: dict[str, int] = {}
    month = read_period(f"{in_prague(name.start):%Y-%m}")
    for one in table_results(store, month, totals.known_at):
        if one.place == totals.place:
            booked[one.currency] = booked.get(one.currency, 0) + one.result
    return [
        SumComparison(str(name), f"tables {one}", totals.sums.get(one, 0), booked.get(one, 0))
        for one in sorted({*totals.sums, *booked})
    ]
