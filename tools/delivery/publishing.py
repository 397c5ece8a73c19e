"""Publish due packages: build, validate, seal and record them, one after the other.

Input: the tables, the settings, the time up to which periods are due. Output: sealed files and
facts. Guaranteed: after an interruption the next run continues from the records, and nothing is
published twice; a sealed file is served only when the chain records it as published. Rejected: a
package with any finding, and all later packages, because they refer to it.
"""

from __future__ import annotations

from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from tempfile import gettempdir
from typing import TYPE_CHECKING, Any, NamedTuple

from ledger.core.errors import AvailabilityError, LedgerError
from ledger.decisions.packages import PublishPackage
from ledger.storage.workplace import workplace
from ledger.storage.writer_lock import WriterLock
from tools.whole_files import write_whole

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from cryptography import x509
    from pyhanko.sign.timestamps import TimeStamper

    from ledger.events.command import Command
    from projections.packages.country import Country
    from projections.packages.keys import KeyPair
    from projections.packages.results import Name, Verdict
    from projections.store.tables import Store

__all__ = [
    "NotValidError",
    "PublishedPackage",
    "SealingKeys",
    "publish_command",
    "publish_due",
    "publishing",
    "sealed_package",
]

LOCK = "report.lock"


class NotValidError(LedgerError):
    """A due package has findings: neither it nor any later package is published."""

    def __init__(self, verdict: Verdict) -> None:
        """Describe the first finding."""
        count = len(verdict.faults)
        super().__init__(
            f"package {verdict.package} has {count} findings, the first: {verdict.faults[0].text}; "
            f"neither it nor a later one was published: `gameledger report validate "
            f"{verdict.package}`, correct the fact, run again"
        )
        self.verdict = verdict


class SealingKeys(NamedTuple):
    """Keys and certificates with which packages are sealed."""

    sealer: KeyPair
    recipients: Sequence[x509.Certificate]
    time_stamper: TimeStamper | None = None
    check: Callable[[bytes], None] | None = None


@dataclass(frozen=True, slots=True)
class PublishedPackage:
    """A published package; ``records`` counts the records of all its files."""

    package: str
    file: str
    size: int
    records: int


@contextmanager
def publishing(data: Path) -> Iterator[None]:
    """Hold the lock for publishing packages of a data directory.

    Raises:
        AvailabilityError: another process holds the lock.

    """
    try:
        lock = WriterLock(data / LOCK)
    except AvailabilityError as error:
        raise AvailabilityError(f"packages of {data} are being published by another run") from error
    except OSError as error:
        raise AvailabilityError(f"{data / LOCK} can't be used: {error}") from error
    try:
        yield
    finally:
        lock.release()


def publish_due(
    store: Store,
    data: Path,
    of: Country,
    keys: SealingKeys,
    record: Callable[[Command], None],
    *,
    readings: Any,
    now: int,
) -> Iterator[PublishedPackage]:
    """Publish every period that is due and not published, oldest first.

    Args:
        store: the tables, up to the end of the log.
        data: the data directory, with ``packages`` and ``sealed``.
        of: the country.
        keys: keys and certificates for sealing.
        record: records a command.
        readings: interpretations of the law.
        now: time up to which periods are due, in microseconds.

    Raises:
        NotValidError: a package has findings; those before it are published.
        InputError, IntegrityError, AvailabilityError: a step failed; the next run continues there.

    """
    for job in _jobs(store, of, readings, now):
        done = of.run(store, job, data / "packages")
        if done.command is not None:
            record(done.command)
        options = of.options_for(done.built.folder)
        verdict, digest, content = sealed_package(
            of, done.built.folder, options, keys, place=data / "packages"
        )
        if content is None:
            raise NotValidError(verdict)
        target = data / "sealed" / f"{job.name}{of.SEALED}"
        write_whole(target, content, replacing=True)
        record(publish_command(job.name, digest, target, content, source="delivery"))
        yield PublishedPackage(str(job.name), str(target), len(content), sum(verdict.rows.values()))


def _jobs(store: Store, of: Country, readings: Any, now: int) -> Iterator[Any]:
    """Return the packages to be built, or built and not published, oldest first."""
    due = {str(job.name): job for job in of.pending_jobs(store, readings, now)}
    for status in of.periods_with_status(store, readings, now):
        if status.package in due:
            yield due[status.package]
        elif status.state == "built":
            version = status.version if status.version > 1 else None
            yield of.job_for(store, readings, now, status.period, version=version)


def sealed_package(
    of: Country, path: Path, options: Any, keys: SealingKeys, *, place: Path | None = None
) -> tuple[Verdict, str, bytes | None]:
    """Pack, validate and seal a package; the sealed file is exactly the one that was validated.

    Args:
        of: the country.
        path: the package.
        options: of the validation.
        keys: keys and certificates for sealing.
        place: folder with room for a ZIP file; None for the default of temporary files.

    Returns:
        The findings, the digest of the content, and the sealed bytes, None if it is not valid.

    Raises:
        InputError, AvailabilityError: the package can't be packed or sealed.

    """
    zipped = f"{of.package_name(path)}.zip"
    with _place_to_pack(place or Path(gettempdir()), zipped) as folder:
        packed = of.pack(path, folder)
        verdict = of.validate(packed.path, options)
        if not verdict.is_valid:
            return verdict, packed.digest, None
        content = of.seal(
            packed.path.read_bytes(),
            keys.sealer,
            keys.recipients,
            time_stamper=keys.time_stamper,
        )
    if keys.check is not None:
        keys.check(content)
    return verdict, packed.digest, content


@contextmanager
def _place_to_pack(folder: Path, zipped: str) -> Iterator[Path]:
    with ExitStack() as stack:
        try:
            place = stack.enter_context(workplace(folder, zipped, {zipped}))
        except OSError as error:
            raise AvailabilityError(f"{folder} can't be used: {error}") from error
        yield place


def publish_command(
    name: Name, digest: str, target: Path, sealed: bytes, *, source: str
) -> PublishPackage:
    """Create the command that records a sealed file as published."""
    return PublishPackage(
        package=str(name),
        digest=digest,
        file=target.name,
        file_digest=sha256(sealed).hexdigest(),
        size=len(sealed),
        source=source,
    )
