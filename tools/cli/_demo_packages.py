"""The packages of the demo's evening: built, validated, sealed for practice, and recorded."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from ledger.core.clock import StoppedClock
from ledger.core.errors import IntegrityError
from projections.packages.cz.jobs import pending_jobs, run
from projections.packages.cz.keys import read_certificates, read_key
from projections.packages.cz.pack import pack
from projections.packages.cz.periods import period_of
from projections.packages.cz.seal import SEALED, seal
from projections.packages.cz.settings import read_settings
from projections.packages.cz.validate import options_beside, validate
from tools.cli._output import progress
from tools.data.whole_files import write_whole
from tools.delivery.publishing import publish_command
from tools.practice.keys import write_practice_keys

if TYPE_CHECKING:
    from ledger.core.command import Command
    from projections.store.tables import Store
    from tools.data import DataDirectory

__all__ = ["SealedPackage", "publish_packages"]


@dataclass(frozen=True, slots=True)
class SealedPackage:
    """A package of the evening; ``records`` of all its files, ``file`` is what is published."""

    name: str
    records: int
    file: str
    size: int


def publish_packages(store: Store, directory: DataDirectory, ended_at: int) -> list[SealedPackage]:
    """Make the packages of all periods of an evening, each valid, sealed and recorded.

    Args:
        store: the tables.
        directory: of the demo; keys go to ``practice-keys``, the rest to ``packages`` and
            ``sealed``.
        ended_at: moment of the last record of the evening; the packages are recorded when its
            last period is over.

    Raises:
        IntegrityError: a package is not valid.
        InputError, AvailabilityError: as building and sealing.

    """
    data = directory.path
    keys, packages = data / "practice-keys", data / "packages"
    clock = StoppedClock(period_of("demo", ended_at).end)
    write_practice_keys(keys)
    sealer = read_key(keys / "operator.pem", None)
    recipients = read_certificates([keys / "authority.crt", keys / "operator.crt"])
    jobs = list(pending_jobs(store, read_settings(None), clock.now()))
    sealed: list[SealedPackage] = []
    commands: list[Command] = []
    with progress("sealing") as tell, TemporaryDirectory() as place:
        for count, job in enumerate(jobs, 1):
            done = run(store, job, packages)
            folder = done.built.folder
            packed = pack(folder, Path(place))
            verdict = validate(packed.path, options_beside(folder), clock=clock)
            if not verdict.is_valid:
                raise IntegrityError(f"package {job.name} is not valid: {verdict.faults[0].text}")
            content = seal(packed.path.read_bytes(), sealer, recipients)
            file = data / "sealed" / f"{job.name}{SEALED}"
            write_whole(file, content)
            if done.command is not None:
                commands.append(done.command)
            commands.append(publish_command(job.name, packed.digest, file, content, source="demo"))
            records = sum(verdict.rows.values())
            sealed.append(SealedPackage(str(job.name), records, str(file), len(content)))
            tell(count, len(jobs))
    with directory.write(clock=clock) as ledger:
        for command in commands:
            ledger.execute(command)
    return sealed
