"""Recorded status of packages: built, published, confirmed, refused.

What comes in: the tables and the name of a package. What goes out: its newest version with its
status, and what was recorded when a version was built.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from ledger.core.errors import InputError
from ledger.core.phrases import Phrase
from ledger.core.units import Count

if TYPE_CHECKING:
    from projections.packages.results import Name
    from projections.store.tables import Store

__all__ = [
    "BuiltVersion",
    "PeriodStatus",
    "Step",
    "built_version",
    "first_published",
    "histories",
    "is_built",
    "period_status",
    "published_at",
    "recorded_status",
    "series_of",
]

State = Literal["due", "built", "published", "accepted", "refused"]


Step = Literal["", "fetched", "noticed", "confirmation_fetched", "confirmation_refused"]


@dataclass(frozen=True, slots=True)
class BuiltVersion:
    """The last ``PackageBuilt`` of a version; its files have records and digests in one order."""

    package: str
    version: int
    position: int
    known_at: int
    cause: str
    digest: str
    settings: str
    files: tuple[str, ...]
    rows: tuple[int, ...]
    digests: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PeriodStatus:
    """One period; ``version`` is 0 and ``package`` the first version while none is built.

    ``to_correct`` says that another version must follow: the authority refused this one, or a
    correction was requested. ``findings`` counts those of the last confirmation. ``step`` is the
    progress of the exchange with the authority since the last publication or confirmation: the
    package was fetched, the notice received, its confirmation fetched, or the confirmation
    belonged to another package.
    """

    package: str
    period: str
    version: Count
    state: State
    to_correct: bool
    findings: Count
    step: Step = ""
    positions: tuple[int, ...] = field(default=())


COLUMNS = "SELECT series, version, position, event, verdict, findings, digest"


EVENTS = """
    SELECT
        series, version, position, 'built' AS event, '' AS verdict, 0 AS findings,
        '' AS digest
    FROM PackageBuilt
    UNION ALL
    SELECT series, version, position, 'published', '', 0, '' FROM PackagePublished
    UNION ALL
    SELECT series, version, position, 'confirmed', verdict, length(codes), file_digest
    FROM ConfirmationReceived
    UNION ALL
    SELECT series, version, position, 'to_correct', '', 0, '' FROM CorrectionRequested
    UNION ALL
    SELECT series, version, position, 'fetched', '', 0, '' FROM PackageFetched
    UNION ALL
    SELECT series, version, position, 'noticed', verdict, 0, '' FROM NoticeReceived
    UNION ALL
    SELECT series, version, position, 'confirmation_fetched', verdict, 0, file_digest
    FROM ConfirmationFetched
    UNION ALL
    SELECT series, version, position, 'confirmation_refused', verdict, 0, file_digest
    FROM ConfirmationRefused
"""


STEPS: dict[str, Step] = {
    step: step for step in ("fetched", "noticed", "confirmation_fetched", "confirmation_refused")
}


def histories(store: Store) -> dict[str, list[dict[str, Any]]]:
    """Return the records of all packages by series, oldest first."""
    history: dict[str, list[dict[str, Any]]] = {}
    for row in store.rows(f"{COLUMNS} FROM ({EVENTS}) ORDER BY position"):
        history.setdefault(row["series"], []).append(row)
    return history


def period_status(store: Store, name: Name) -> PeriodStatus:
    """Return the recorded status of one period."""
    rows = store.rows(
        f"{COLUMNS} FROM ({EVENTS}) WHERE series = {{series:String}} ORDER BY position",
        series=series_of(name),
    )
    return recorded_status(name, rows)


def series_of(name: Name) -> str:
    """Return the name of a package without its version, as in events."""
    return str(name).rpartition("-")[0]


def recorded_status(name: Name, rows: list[dict[str, Any]]) -> PeriodStatus:
    """Return the status that follows from the records of a series, which must be oldest first."""
    version = max((row["version"] for row in rows), default=0)
    state: State = "due"
    step: Step = ""
    to_correct, findings, positions = False, 0, []
    judged: dict[tuple[str, str], Step] = {}
    for row in rows:
        if row["version"] != version:
            continue
        positions.append(row["position"])
        if row["event"] == "built":
            state = "built"
        elif row["event"] == "published":
            state = "published"
        elif row["event"] == "to_correct":
            to_correct = True
        elif row["event"] in STEPS:
            # a file that is fetched again was judged before: nothing follows its second fetch
            step = judged.get((row["digest"], row["verdict"]), STEPS[row["event"]])
        else:
            state = "accepted" if row["verdict"] == "OK" else "refused"
            findings, step = row["findings"], ""
        if row["event"] in {"confirmation_refused", "confirmed"}:
            for verdict in ("OK", "ERR"):
                is_right = row["event"] == "confirmed" and verdict == row["verdict"]
                judged[row["digest"], verdict] = "" if is_right else "confirmation_refused"
    return PeriodStatus(
        package=f"{series_of(name)}-{max(version, 1):02d}",
        period=name.period,
        version=version,
        state=state,
        to_correct=to_correct or state == "refused",
        findings=findings,
        step=step,
        positions=tuple(positions),
    )


def published_at(store: Store, name: Name) -> int | None:
    """Return when a version was first published (microseconds); None if it was not."""
    rows = store.rows(
        "SELECT recorded_at FROM PackagePublished WHERE series = {series:String} "
        "AND version = {version:Int32} ORDER BY position LIMIT 1",
        series=series_of(name),
        version=name.version,
    )
    return rows[0]["recorded_at"] if rows else None


def first_published(store: Store) -> dict[str, int]:
    """Return when any version of each series was first published (microseconds)."""
    sql = "SELECT series, min(recorded_at) AS at FROM PackagePublished GROUP BY series"
    return {row["series"]: row["at"] for row in store.rows(sql)}


def is_built(store: Store, name: Name) -> bool:
    """Return whether a version is recorded as built."""
    sql = "SELECT count() FROM PackageBuilt WHERE series = {series:String} AND version = {v:Int32}"
    return bool(store.value(sql, series=series_of(name), v=name.version))


def built_version(store: Store, name: Name) -> BuiltVersion:
    """Return the record of a built package.

    Raises:
        InputError: it was not built.

    """
    rows = store.rows(
        "SELECT version, position, known_at, cause, digest, settings, files, rows, digests "
        "FROM PackageBuilt "
        "WHERE series = {series:String} AND version = {version:Int32} "
        "ORDER BY position DESC LIMIT 1",
        series=series_of(name),
        version=name.version,
    )
    if not rows:
        raise InputError(Phrase("PACKAGE_NOT_BUILT", name=name))
    return BuiltVersion(package=str(name), **rows[0])
