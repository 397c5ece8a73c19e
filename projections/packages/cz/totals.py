"""Sum the rows of a package, for the comparison with the books.

Rows are those of the package's own queries, with the settings and the cut-off that ``PackageBuilt``
recorded. A bet that several packages repeat counts in the one in which it was taken or paid.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from projections.packages.cz.build import cut_of, windows
from projections.packages.cz.fields import files_of
from projections.packages.cz.fields import table as file_of
from projections.packages.cz.lines import lines_query, rows_query
from projections.packages.cz.names import Model
from projections.packages.cz.periods import casinos, due_months, due_periods, operator_of
from projections.packages.cz.settings import Settings, settings_from_json
from projections.packages.results import Totals
from projections.packages.status import built_version

if TYPE_CHECKING:
    from collections.abc import Iterator

    from projections.packages.cz.build import Cut
    from projections.packages.cz.fields import FileTable
    from projections.packages.cz.names import PackageName
    from projections.store.tables import Store

__all__ = ["due_of_period", "totals_of"]

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


RESULTS = "SELECT MenaKod AS currency, sum(CistyHerniVysledek) AS result"


def totals_of(store: Store, name: PackageName, at: int) -> Totals:
    """Sum the rows of a recorded package.

    A month of a casino has no rows of correction: its files whose rows are others by the messages
    below ``at`` are named.

    Raises:
        InputError: it was not built, or was built with settings unknown to this version.

    """
    recorded = built_version(store, name)
    settings = settings_from_json(recorded.settings)
    cut = cut_of(store, name, settings, known_at=recorded.known_at)
    if name.model is not Model.CASINO:
        return Totals(cut.first, cut.end, cut.known_at, cut.place, _remote(store, cut))
    now = cut_of(store, name, settings, known_at=at)
    outdated = tuple(
        table.file_name
        for table in files_of(name)
        if _lines(store, cut, table) != _lines(store, now, table)
    )
    return Totals(cut.first, cut.end, cut.known_at, cut.place, _casino(store, cut), outdated)


def _lines(store: Store, cut: Cut, table: FileTable) -> list[str]:
    """Return the rows of a file of a casino's package, which are totals and few."""
    query = f"SELECT line FROM ({lines_query(table, cut.name)})"  # noqa: S608 - own text
    return [
        row["line"] for window in windows(store, cut, table) for row in store.rows(query, **window)
    ]


def due_of_period(
    store: Store, begins: int, ends: int, now: int
) -> Iterator[tuple[str, PackageName]]:
    """Return casino (empty for streamed play) and name of the packages of a range of time.

    Only packages whose period is over are returned. A period without play needs its package, too.

    Args:
        store: the tables.
        begins: first microsecond of the range.
        ends: first microsecond after the range.
        now: current time in microseconds; periods that end later are left out.

    """
    operator, since = operator_of(store)
    for name in due_periods(operator, max(since, begins), min(ends, now), delay_minutes=0):
        yield "", name
    settings = Settings(casino_delay_minutes=0)
    for casino in casinos(store):
        for name in due_months(operator, casino, now, settings):
            if begins <= name.start < ends:
                yield casino.place, name


def _remote(store: Store, cut: Cut) -> dict[str, int]:
    sums = {"stakes": 0, "winnings": 0, "returned": 0}
    bounds = {"begins": cut.name.start, "ends": cut.name.end}
    for file, columns in (("hra_toky", BETS), ("hra_toky_oprava", CHANGES)):
        table = file_of(file, cut.name.model)
        query = f"{columns} FROM ({rows_query(table, cut.name.model)})"
        for window in windows(store, cut, table):
            (row,) = store.rows(query, **window, **bounds)
            for what, amount in row.items():
                sums[what] += amount or 0
    return sums


def _casino(store: Store, cut: Cut) -> dict[str, int]:
    table = file_of("pokladna_stul_turnaj_bingo", cut.name.model)
    query = (
        f"{RESULTS} FROM ({rows_query(table, cut.name.model)}) "
        "WHERE PokladnaStulTurnajBingo = 'S' GROUP BY currency"
    )
    (window,) = windows(store, cut, table)
    return {row["currency"]: row["result"] for row in store.rows(query, **window)}
