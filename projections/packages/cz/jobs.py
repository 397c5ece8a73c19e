"""Jobs that build packages, with their interpretation and cut-off, and the command to record them.

A recorded version requested by its number is built again as it was, and its digest is compared.
Without a number, a period gets its first version, or a rebuild of the unpublished version, or the
next version with its cause. The next version of a casino package includes all later knowledge,
because totals of a section have no correction rows in later packages.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ledger.core.errors import InputError, IntegrityError
from ledger.decisions.packages import RecordPackage
from projections.packages.cz.build import build, cut_of
from projections.packages.cz.names import PackageName
from projections.packages.cz.periods import ends_at, is_period_over, operator_of
from projections.packages.cz.settings import Settings, settings_from_json
from projections.packages.cz.status import periods_with_status
from projections.packages.results import JobResult
from projections.packages.status import built_version, period_status
from projections.store.as_of import size_at

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from projections.store.tables import Store

__all__ = ["Job", "job_for", "pending_jobs", "run"]


@dataclass(frozen=True, slots=True)
class Job:
    """One package to build.

    ``digest`` is the recorded digest if the result must be the same again, otherwise empty;
    ``is_recorded``: nothing is to be recorded; ``unpublished`` is the digest of the version that
    was recorded and not published.
    """

    name: PackageName
    settings: Settings
    known_at: int | None = None
    cause: str = ""
    digest: str = ""
    is_recorded: bool = False
    unpublished: str = ""


def pending_jobs(store: Store, settings: Settings, now: int) -> Iterator[Job]:
    """Yield the job for the first version of each period that is due and has none, oldest first."""
    for status in periods_with_status(store, settings, now):
        if status.state == "due":
            yield Job(PackageName.parse(status.package), settings)


def job_for(
    store: Store,
    settings: Settings,
    now: int,
    period: str,
    *,
    version: int | None = None,
    known_at: int | None = None,
    cause: str = "",
) -> Job:
    """Return the job that builds a period now.

    Raises:
        InputError: the period is not over, or another version lacks its cause.

    """
    operator, _ = operator_of(store)
    if version is not None:
        return _rebuilt_job(store, PackageName.of_period(operator, period, version), known_at)
    name = PackageName.of_period(operator, period)
    status = period_status(store, name)
    number = max(status.version, 1)
    if status.version and status.state != "built":
        number = status.version + 1
        if not cause:
            raise InputError(
                f"package {status.package} is published: say why there is to be another version "
                f"with --cause, or make the same again with --version {status.version}"
            )
    if known_at is None and name.place and number > 1:
        known_at = store.position
    is_over = is_period_over(store, name, settings, now)
    if not is_over and known_at is None:
        raise InputError(f"period {period} is not over: its package would change")
    name = PackageName.of_period(operator, period, number)
    end = ends_at(store, name, settings, store.position)
    is_whole = known_at is None or known_at >= size_at(store, end, store.position)
    return Job(
        name,
        settings,
        known_at,
        cause,
        is_recorded=not is_whole or not is_over,
        unpublished=built_version(store, name).digest if status.state == "built" else "",
    )


def _rebuilt_job(store: Store, name: PackageName, known_at: int | None) -> Job:
    recorded = built_version(store, name)
    is_same = known_at in {None, recorded.known_at}
    return Job(
        name,
        settings_from_json(recorded.settings),
        known_at or recorded.known_at,
        digest=recorded.digest if is_same else "",
        is_recorded=True,
    )


def run(store: Store, job: Job, out: Path) -> JobResult:
    """Build a package, and return the command that records it.

    Raises:
        IntegrityError: the result differs from the recorded package.
        InputError, AvailabilityError: as :func:`projections.packages.cz.build.build`.

    """
    cut = cut_of(store, job.name, job.settings, known_at=job.known_at)
    built = build(store, cut, out)
    if job.digest and built.digest != job.digest:
        raise IntegrityError(
            f"package {job.name} was recorded with digest {job.digest} and comes out with "
            f"{built.digest}: the tables are damaged, or another version of this program built it"
        )
    if job.is_recorded or built.digest == job.unpublished:
        return JobResult(built, None)
    command = RecordPackage(
        package=str(job.name),
        known_at=cut.known_at,
        files={one.name: (one.rows, one.digest) for one in built.files},
        digest=built.digest,
        settings=job.settings.to_json(),
        cause=job.cause,
        source="report build",
    )
    return JobResult(built, command)
