"""The packages of the demo's evening: built, validated, sealed for practice, and recorded.

The month of a casino is not over with the evening: its package is built as far as it goes.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ledger.core.clock import StoppedClock
from ledger.core.errors import IntegrityError
from ledger.storage.workplace import temporary_folder
from projections.packages.country import CZ, country_of
from projections.packages.keys import read_certificates, read_key
from tools.cli._output import progress
from tools.delivery.publishing import publish_command
from tools.practice.keys import write_practice_keys
from tools.whole_files import write_whole

if TYPE_CHECKING:
    from ledger.events.command import Command
    from projections.store.tables import Store
    from tools.data import DataDirectory

__all__ = ["CasinoPackage", "SealedPackage", "casino_packages", "publish_packages"]


@dataclass(frozen=True, slots=True)
class SealedPackage:
    """A package of the evening; ``records`` of all its files, ``file`` is what is published."""

    name: str
    records: int
    file: str
    size: int


@dataclass(frozen=True, slots=True)
class CasinoPackage:
    """The package of a casino's month as far as it goes, where it is, its records and sections."""

    name: str
    folder: str
    records: int
    sections: int


def casino_packages(store: Store, folder: Path) -> list[CasinoPackage]:
    """Build and judge the packages of casinos that had an operating day, in a folder apart.

    Raises:
        IntegrityError: a package is not valid.
        InputError, AvailabilityError: as building.

    """
    found, country = [], country_of(CZ)
    days = store.rows("SELECT place, max(day) AS day FROM OperatingDayClosed GROUP BY place")
    for row in days:
        settings = country.practice_settings([row["place"]])
        period = country.month_of(row["place"], row["day"], settings)
        job = country.job_for(store, settings, 0, period, known_at=store.position)
        built = country.run(store, job, folder).built
        clock = StoppedClock(job.name.latest)
        verdict = country.validate(built.folder, country.options_for(built.folder, []), clock=clock)
        if not verdict.is_valid:
            raise IntegrityError(f"package {job.name} is not valid: {verdict.faults[0].text}")
        records, sections = sum(verdict.rows.values()), verdict.rows["pokladna_stul_turnaj_bingo"]
        found.append(CasinoPackage(str(job.name), str(built.folder), records, sections))
    return found


def publish_packages(
    store: Store, directory: DataDirectory, ended_at: int, *, periods_max: int | None = None
) -> list[SealedPackage]:
    """Make the packages of the periods of an evening, each valid, sealed and recorded.

    Args:
        store: the tables.
        directory: of the demo; keys go to ``practice-keys``, the rest to ``packages`` and
            ``sealed``.
        ended_at: moment of the last record of the evening; the packages are recorded when its
            last period is over.
        periods_max: how many periods, by default all.

    Raises:
        IntegrityError: a package is not valid.
        InputError, AvailabilityError: as building and sealing.

    """
    data, country = directory.path, country_of(CZ)
    keys, packages = data / "practice-keys", data / "packages"
    clock = StoppedClock(country.period_at("demo", ended_at).end)
    write_practice_keys(keys)
    sealer = read_key(keys / "operator.pem", None)
    recipients = read_certificates([keys / "authority.crt", keys / "operator.crt"])
    jobs = list(country.pending_jobs(store, country.read_settings(None), clock.now()))[:periods_max]
    sealed: list[SealedPackage] = []
    commands: list[Command] = []
    with progress("sealing") as advance, temporary_folder() as place:
        for count, job in enumerate(jobs, 1):
            done = country.run(store, job, packages)
            folder = done.built.folder
            packed = country.pack(folder, place)
            verdict = country.validate(packed.path, country.options_for(folder), clock=clock)
            if not verdict.is_valid:
                raise IntegrityError(f"package {job.name} is not valid: {verdict.faults[0].text}")
            content = country.seal(packed.path.read_bytes(), sealer, recipients)
            file = data / "sealed" / f"{job.name}{country.SEALED}"
            write_whole(file, content)
            if done.command is not None:
                commands.append(done.command)
            commands.append(publish_command(job.name, packed.digest, file, content, source="demo"))
            records = sum(verdict.rows.values())
            sealed.append(SealedPackage(str(job.name), records, str(file), len(content)))
            advance(count, len(jobs))
    with directory.write(clock=clock) as ledger:
        for command in commands:
            ledger.execute(command)
    return sealed
