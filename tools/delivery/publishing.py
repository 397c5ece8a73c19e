"""What is due, published: built, validated, sealed, and recorded, one package after the other.

What comes in: the tables, the settings, the moment up to which periods are due. What goes out:
sealed files and facts. Promised: whatever stops it, the next run goes on from the record, and
nothing is published twice; a sealed file is served only when the chain says that it was published.
Refused: a package with a single finding, and then everything behind it, because later packages
refer to it.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple

from ledger.core.errors import AvailabilityError, LedgerError
from ledger.decisions.packages import PublishPackage
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
    "Means",
    "NotValidError",
    "Published",
    "publish_command",
    "publish_due",
    "publishing",
    "sealed_package",
]

LOCK = "report.lock"


class NotValidError(LedgerError):
    """A package that is due has findings: nothing of it, or behind it, is published."""

    def __init__(self, verdict: Verdict) -> None:
        """Name the first finding."""
        count = len(verdict.faults)
        super().__init__(
            f"package {verdict.package} has {count} findings, the first: {verdict.faults[0].text}; "
            f"neither it nor a later one was published: `gameledger report validate "
            f"{verdict.package}`, correct the fact, run again"
        )
        self.verdict = verdict


class Means(NamedTuple):
    """With what packages are sealed."""

    sealer: KeyPair
    recipients: Sequence[x509.Certificate]
    time_stamper: TimeStamper | None = None
    check: Callable[[bytes], None] | None = None


@dataclass(frozen=True, slots=True)
class Published:
    """A package that was published; ``records`` of all its files."""

    package: str
    file: str
    size: int
    records: int


@contextmanager
def publishing(data: Path) -> Iterator[None]:
    """Hold the right to publish packages of a data directory.

    Raises:
        AvailabilityError: another process has it.

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
    means: Means,
    record: Callable[[Command], None],
    *,
    readings: Any,
    now: int,
) -> Iterator[Published]:
    """Publish every period that is due and not published, oldest first.

    Args:
        store: the tables, up to the end of the log.
        data: the data directory; ``packages`` and ``sealed`` in it.
        of: the country.
        means: with what they are sealed.
        record: records a command.
        readings: of the law.
        now: moment up to which periods are due.

    Raises:
        NotValidError: a package has findings; those before it are published.
        InputError, IntegrityError, AvailabilityError: a step fails; the next run goes on there.

    """
    for job in _jobs(store, of, readings, now):
        done = of.run(store, job, data / "packages")
        if done.command is not None:
            record(done.command)
        options = of.options_for(done.built.folder)
        verdict, digest, content = sealed_package(
            of, done.built.folder, options, means, place=data / "packages"
        )
        if content is None:
            raise NotValidError(verdict)
        target = data / "sealed" / f"{job.name}{of.SEALED}"
        write_whole(target, content, replacing=True)
        record(publish_command(job.name, digest, target, content, source="delivery"))
        yield Published(str(job.name), str(target), len(content), sum(verdict.rows.values()))


def _jobs(store: Store, of: Country, readings: Any, now: int) -> Iterator[Any]:
    """Return what is to be built, or was built and not published, oldest first."""
    due = {str(job.name): job for job in of.pending_jobs(store, readings, now)}
    for status in of.periods_with_status(store, readings, now):
        if status.package in due:
            yield due[status.package]
        elif status.state == "built":
            version = status.version if status.version > 1 else None
            yield of.job_for(store, readings, now, status.period, version=version)


def sealed_package(
    of: Country, path: Path, options: Any, means: Means, *, place: Path | None = None
) -> tuple[Verdict, str, bytes | None]:
    """Pack, judge and seal a package: the very file that was judged.

    Args:
        of: the country.
        path: the package.
        options: how to judge it.
        means: with what it is sealed.
        place: where there is room for a ZIP file; where temporary files go by default.

    Returns:
        What was found, the digest of the content, and the sealed bytes, None if it is not valid.

    Raises:
        InputError, AvailabilityError: it can't be packed or sealed.

    """
    with TemporaryDirectory(dir=place, prefix=".sealing.") as folder:
        packed = of.pack(path, Path(folder))
        verdict = of.validate(packed.path, options)
        if not verdict.is_valid:
            return verdict, packed.digest, None
        content = of.seal(
            packed.path.read_bytes(),
            means.sealer,
            means.recipients,
            time_stamper=means.time_stamper,
        )
    if means.check is not None:
        means.check(content)
    return verdict, packed.digest, content


def publish_command(
    name: Name, digest: str, target: Path, sealed: bytes, *, source: str
) -> PublishPackage:
    """Make the command that records that a sealed file is published."""
    return PublishPackage(
        package=str(name),
        digest=digest,
        file=target.name,
        file_digest=sha256(sealed).hexdigest(),
        size=len(sealed),
        source=source,
    )
