"""Check that the books agree with the packages that were sent.

What comes in: the tables, a period, and the number of messages that count. What goes out: for each
package of a time within the period, in its newest version, sums of its rows next to those of the
books, and each difference by name. Rows are those of the package's own queries, with the settings
and the cut-off that ``PackageBuilt`` recorded; the books' sums come from the postings.

A period of model V is compared by stakes, winnings and returned bets, with their corrections; a
month of a casino by the net results of its tables. Play by account at land-based tables is in none
of these packages: its amount is shown separately.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from projections.books.closing import CORRECTIONS, WINNINGS, close, moved_in
from projections.books.period import read_period
from projections.books.tax import by_account, table_results
from projections.packages.cz.build import cut_of, windows
from projections.packages.cz.fields import table as file_of
from projections.packages.cz.lines import rows_query
from projections.packages.cz.names import Model, PackageName
from projections.packages.cz.periods import casinos, due_months, due_periods, operator_of
from projections.packages.cz.settings import Settings, settings_from_json
from projections.packages.cz.status import built_version
from projections.store.as_of import moment_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date

    from projections.books.period import Period
    from projections.packages.cz.build import Cut
    from projections.store.tables import Store

__all__ = ["Agreement", "Compared", "agreement"]


@dataclass(frozen=True, slots=True)
class Compared:
    """One sum of a package and that of the books: hundredths of the currency."""

    package: str
    what: str
    of_package: int
    of_books: int

    @property
    def difference(self) -> int:
        """Package less books."""
        return self.of_package - self.of_books


@dataclass(frozen=True, slots=True)
class Agreement:
    """Result of the comparison; ``missing`` are periods and months of casinos without a package.

    For a period that ``is_over`` these are all; otherwise only those that are over. ``unreported``
    is the base of play by account at land-based tables, in haléř.
    """

    period: str
    position: int
    head: str
    is_over: bool
    compared: tuple[Compared, ...]
    differences: tuple[Compared, ...]
    missing: tuple[str, ...]
    unreported: int

    @property
    def is_sound(self) -> bool:
        """Return whether everything agrees, with no package missing."""
        return not (self.differences or self.missing)


BUILT = """
SELECT series, max(version) AS version
FROM PackageBuilt
WHERE position < {size:Int64}
GROUP BY series
ORDER BY series
"""


def agreement(store: Store, period: Period, *, at: int | None = None) -> Agreement:
    """Compare the packages of a period with the books.

    Raises:
        InputError: fewer messages are projected, the period lies before the chain, or a package
            was built with settings that this version does not know.

    """
    closing = close(store, period, at=at)
    compared: list[Compared] = []
    months: set[tuple[str, date]] = set()
    names = [
        PackageName.parse(f"{row['series']}-{row['version']:02d}")
        for row in store.rows(BUILT, size=closing.position)
    ]
    names = [one for one in names if period.begins <= one.start and one.end <= period.ends]
    for name in names:
        recorded = built_version(store, name)
        settings = settings_from_json(recorded.settings)
        cut = cut_of(store, name, settings, known_at=recorded.known_at)
        compare = _casino if name.model is Model.CASINO else _remote
        compared += compare(store, cut)
        months.add((cut.place, name.day))
    return Agreement(
        period=period.text,
        position=closing.position,
        head=closing.head,
        is_over=closing.is_over,
        compared=tuple(compared),
        differences=tuple(one for one in compared if one.difference),
        missing=(
            *_missing(names, period, store, closing.position),
            *_missing_months(months, period, store, closing.position),
        ),
        unreported=sum(one.base for one in by_account(store, closing) if one.way == "account"),
    )


def _missing(names: list[PackageName], period: Period, store: Store, size: int) -> list[str]:
    """Return the past periods of model V without a package; an idle one needs it, too."""
    built = {one.period for one in names if one.model is Model.REMOTE}
    operator, since = operator_of(store)
    over = min(period.ends, moment_of(store, size))
    due = due_periods(operator, max(since, period.begins), over, delay_minutes=0)
    return [name.period for name in due if name.period not in built]


def _missing_months(
    built: set[tuple[str, date]], period: Period, store: Store, size: int
) -> Iterator[str]:
    """Return the past months of casinos without a package, whatever its name for the casino."""
    operator, _ = operator_of(store)
    now, settings = moment_of(store, size), Settings(casino_delay_minutes=0)
    for casino in casinos(store):
        for name in due_months(operator, casino, now, settings):
            is_in = period.begins <= name.start < period.ends
            if is_in and (casino.place, name.day) not in built:
                yield name.period


IN_WINDOW = "{column} >= {{begins:Int64}} AND {column} < {{ends:Int64}}"
BETS = f"""
SELECT
    sumIf(SazkaVysePuvodni, {IN_WINDOW.format(column="SazkaPrijetiCas")}) AS stakes,
    sumIf(VyhraVysePuvodni, {IN_WINDOW.format(column="VyhraVyplaceniCas")}) AS winnings
"""
CHANGES = """
SELECT
    sumIf(TokyOpravaVyse, TypTokyOprava = 'A') AS stakes,
    sumIf(TokyOpravaVyse, TypTokyOprava = 'B') AS winnings,
    sumIf(TokyOpravaVyse, TypTokyOprava = 'G') AS returned
"""


def _remote(store: Store, cut: Cut) -> list[Compared]:
    """Compare a period of model V; a repeated bet counts where it was taken and paid."""
    sums = {"stakes": 0, "winnings": 0, "returned": 0}
    bounds = {"begins": cut.name.start, "ends": cut.name.end}
    for file, columns in (("hra_toky", BETS), ("hra_toky_oprava", CHANGES)):
        table = file_of(file, cut.name.model)
        query = f"{columns} FROM ({rows_query(table, cut.name.model)})"
        for window in windows(store, cut, table):
            (row,) = store.rows(query, **window, **bounds)
            for what, amount in row.items():
                sums[what] += amount or 0
    stakes = winnings = returned = 0
    for one in moved_in(store, cut.first, cut.end):
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
    name = str(cut.name)
    return [
        Compared(name, "stakes", sums["stakes"], stakes),
        Compared(name, "winnings", sums["winnings"], winnings),
        Compared(name, "returned", sums["returned"], returned),
    ]


RESULTS = "SELECT MenaKod AS currency, sum(CistyHerniVysledek) AS result"


def _casino(store: Store, cut: Cut) -> list[Compared]:
    """Compare a month of a casino, as it was known when the package was built."""
    table = file_of("pokladna_stul_turnaj_bingo", cut.name.model)
    query = (
        f"{RESULTS} FROM ({rows_query(table, cut.name.model)}) "
        "WHERE PokladnaStulTurnajBingo = 'S' GROUP BY currency"
    )
    (window,) = windows(store, cut, table)
    packaged = {row["currency"]: row["result"] for row in store.rows(query, **window)}
    booked: dict[str, int] = {}
    month = read_period(f"{cut.name.day:%Y-%m}")
    for one in table_results(store, month, cut.known_at):
        if one.place == cut.place:
            booked[one.currency] = booked.get(one.currency, 0) + one.result
    return [
        Compared(str(cut.name), f"tables {one}", packaged.get(one, 0), booked.get(one, 0))
        for one in sorted({*packaged, *booked})
    ]
