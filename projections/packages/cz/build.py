"""Build packages from the projections: a folder of CSV files, reproducible byte for byte.

What comes in: the tables, the name of a package, a cut-off position (the knowledge that counts) and
the interpretation of the law. What goes out: all files of the package, empty ones with their
header, and the content of ``PackageBuilt``. Guaranteed: the same log, name, cut-off and
interpretation give the same bytes, whatever is recorded later and whenever the package is built;
memory does not grow with the number of bets, because rows come from ClickHouse as text, in windows.
Rejected: a period that is not over, a cut-off that is not projected, a folder with other content.
"""

from __future__ import annotations

import filecmp
import os
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from msgspec.structs import asdict

from ledger.core.clock import in_prague
from ledger.core.errors import AvailabilityError, InputError
from ledger.core.phrases import Phrase
from ledger.storage.durable import make_folder, sync_folder
from ledger.storage.workplace import workplace
from projections.packages.cz.fields import RATES, files_of
from projections.packages.cz.fields import table as file_table_of
from projections.packages.cz.lines import LINE_END, lines_query, own_part_max
from projections.packages.cz.periods import casino_of, ends_at, operator_of
from projections.packages.cz.settings import CasinoFacts
from projections.packages.results import BuiltFile, BuiltFolder
from projections.store.as_of import moment_of, size_at

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from projections.packages.cz.fields import FileTable
    from projections.packages.cz.names import PackageName
    from projections.packages.cz.settings import Settings
    from projections.store.tables import Store

__all__ = ["Cut", "build", "cut_of", "moment_text", "windows"]

FORMAT_VERSION = "1.0"
WINDOW_POSITIONS = 200_000
"""Number of positions whose rows are in memory at once; a bet takes three to four positions."""

IN_WINDOWS = frozenset({"hra_toky", "vazba_hra_sazka"})
"""Files that grow with the number of bets; each other file is built by one query."""

OWN_PART_MIN = 20
WRITTEN = "package"


@dataclass(frozen=True, slots=True)
class Cut:
    """Source of a package: its events from position ``first`` up to, but not including, ``end``.

    ``known_at`` is the cut-off: messages below it count. ``oldest`` is the opening of the oldest
    round with events in this range; exchange rates of the package were fixed from ``rates_first``
    to ``rates_end``. ``place`` is the casino of a model M package, whose events are those of its
    operating days, at any position.
    """

    name: PackageName
    settings: Settings
    first: int
    end: int
    known_at: int
    oldest: int
    rates_first: int
    rates_end: int
    place: str
    created: int


def cut_of(
    store: Store, name: PackageName, settings: Settings, *, known_at: int | None = None
) -> Cut:
    """Determine the source of a package.

    Args:
        store: the tables.
        name: the package.
        settings: interpretation of the law.
        known_at: number of messages that count; by default those at the end of the period.

    Raises:
        InputError: the package belongs to another operator, or the cut-off is not projected.
        AvailabilityError: nothing is projected.

    """
    operator, _ = operator_of(store)
    if name.operator != operator:
        raise InputError(f"the chain is of operator {operator}, package {name} is not")
    if own_part_max(operator) < OWN_PART_MIN:
        raise InputError(f"operator {operator} leaves too few characters for identifiers")
    size = store.position if known_at is None else known_at
    first = size_at(store, name.start, size)
    end = size_at(store, ends_at(store, name, settings, size), size)
    known = end if known_at is None else known_at
    if not known:
        raise InputError(Phrase("PACKAGE_BEFORE_CHAIN", name=name))
    return Cut(
        name=name,
        settings=settings,
        first=first,
        end=end,
        known_at=known,
        oldest=_oldest(store, first, end),
        rates_first=size_at(store, name.rates_before.end, size) if name.has_rates else first,
        rates_end=size_at(store, name.end, size) if name.has_rates else end,
        place=casino_of(store, name, settings).place if name.place else "",
        created=max(name.end, moment_of(store, known)),
    )


def _oldest(store: Store, first: int, end: int) -> int:
    """Return the position of the opening of the oldest round with events in a range."""
    found = store.value(OLDEST, first=first, end=end)
    return first if found is None else min(first, found)


TOUCHING = ("BetConcluded", "BetSettled", "RoundResulted", "RoundVoided")
OLDEST = (
    "SELECT minOrNull(position) FROM RoundOpened WHERE position < {end:Int64} AND round IN ("  # noqa: S608 - own names
    + " UNION DISTINCT ".join(
        f"SELECT round FROM {event} WHERE position >= {{first:Int64}} AND position < {{end:Int64}}"  # noqa: S608 - own names
        for event in TOUCHING
    )
    + ")"
)


def build(store: Store, cut: Cut, out: Path) -> BuiltFolder:
    """Write a package into a folder of its name inside ``out``.

    Raises:
        InputError: the folder exists with other content.
        AvailabilityError: ClickHouse is unavailable, or the disk is full.

    """
    folder = out / str(cut.name)
    try:
        make_folder(out)
        with workplace(out, str(cut.name), _written(cut.name)) as place:
            made = place / WRITTEN
            made.mkdir()
            files = tuple(_write(store, cut, table, made) for table in files_of(cut.name))
            _put_in_place(made, folder)
    except OSError as error:
        raise AvailabilityError(f"package {cut.name} can't be written to {out}: {error}") from error
    digest = sha256("".join(f"{one.digest}  {one.name}\n" for one in files).encode())
    return BuiltFolder(cut, folder, files, digest.hexdigest())


def _written(name: PackageName) -> frozenset[str]:
    """Return the paths that a build writes in its workplace."""
    return frozenset((WRITTEN, *(f"{WRITTEN}/{table.file_name}" for table in files_of(name))))


def _put_in_place(made: Path, folder: Path) -> None:
    if not folder.exists():
        for file in made.iterdir():
            with file.open("rb") as written:
                os.fsync(written.fileno())
        sync_folder(made)
        made.rename(folder)
        sync_folder(folder.parent)
        return
    names = sorted(file.name for file in made.iterdir())
    same = names == sorted(file.name for file in folder.iterdir()) and all(
        filecmp.cmp(made / name, folder / name, shallow=False) for name in names
    )
    if not same:
        raise InputError(f"{folder} holds other content under this name: move it away first")


def _write(store: Store, cut: Cut, table: FileTable, folder: Path) -> BuiltFile:
    digest, rows = sha256(), 0
    with (folder / table.file_name).open("wb") as file:
        for text, count in _texts(store, cut, table):
            file.write(text)
            digest.update(text)
            rows += count
    return BuiltFile(table.file_name, rows, digest.hexdigest())


def _texts(store: Store, cut: Cut, table: FileTable) -> Iterator[tuple[bytes, int]]:
    """Return the bytes of a file in pieces, each with its number of records."""
    created = moment_text(cut.created)
    head = f"#{cut.name};{table.file_name};{created};{FORMAT_VERSION}"
    yield f"{head}{LINE_END}{table.header}{LINE_END}".encode(), 0
    sql = f"SELECT line FROM ({lines_query(table, cut.name)})"  # noqa: S608 - own text
    for window in windows(store, cut, table):
        lines = [row["line"] for row in store.rows(sql, **window)]
        yield "".join(lines).encode(), len(lines)


def windows(store: Store, cut: Cut, table: FileTable) -> Iterator[dict[str, Any]]:
    """Return the parameters of each query of a file, in the order of its rows.

    The bets of earlier periods come first, in one window, if one of their rounds has events in this
    period; they are at most the bets that were open when the period began.
    """
    whole = _parameters(cut)
    if table.name not in IN_WINDOWS:
        yield whole
        return
    if cut.oldest < cut.first:
        yield {**whole, "end": cut.first, "late_first": cut.first, "late_end": cut.end}
    for first in range(cut.first, cut.end, WINDOW_POSITIONS):
        end = min(first + WINDOW_POSITIONS, cut.end)
        yield {**whole, "first": first, "end": end, "oldest": _oldest(store, first, end)}


def _parameters(cut: Cut) -> dict[str, Any]:
    settings = cut.settings
    is_again = settings.late_settlement == "again"
    return {
        "operator": cut.name.operator,
        "begin": cut.first,
        "first": cut.first,
        "end": cut.end,
        "late_first": cut.first,
        "late_end": cut.first,
        "size": cut.known_at,
        "settled_end": cut.known_at if is_again else cut.end,
        "oldest": cut.oldest,
        "rates_first": cut.rates_first,
        "rates_end": cut.rates_end,
        **_rates(cut.name),
        **_casino(cut),
        "static_rows": settings.static_rows,
        "late_settlement": settings.late_settlement,
        "entitlement": settings.entitlement,
        "measure_kinds": settings.measure_kinds,
        "claim_text": settings.claim_text,
        "way_classes": list(settings.ways),
        "way_flags": [str(flag) for flag in settings.ways.values()],
        "way_words": [settings.way_words[name] for name in settings.ways],
    }


def _rates(name: PackageName) -> dict[str, Any]:
    day = before = ""
    if name.has_rates:  # the day of another package may be none of a month a quarter earlier
        day, before = (one.last_day.isoformat() for one in (name, name.rates_before))
    currencies = list(file_table_of(RATES, name.model).field("MenaKod").codes)
    return {"rates_day": day, "rates_day_before": before, "currencies": currencies}


def _casino(cut: Cut) -> dict[str, Any]:
    settings = cut.settings
    return {
        "place": cut.place,
        "day_first": cut.name.day.isoformat(),
        "day_last": cut.name.last_day.isoformat(),
        "exchange": settings.exchange,
        "tournament_fee": settings.tournament_fee,
        **asdict(settings.casinos.get(cut.place, CasinoFacts())),
    }


def moment_text(moment: int) -> str:
    """Format a time as the decree requires, truncated to a tenth of a second."""
    local = in_prague(moment)
    return f"{local:%Y-%m-%dT%H:%M:%S}.{local.microsecond // 100_000}{local.isoformat()[-6:]}"
