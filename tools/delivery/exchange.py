"""State of packages in delivery: an in-memory fold that follows the chain as it grows.

Input: a log. Output: the file published under a name, and the open notices of the authority. Each
read continues from the previous position, so that its cost depends only on new events. This fold
and the one that decides (``ledger.decisions.delivery``) are written independently.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple

from ledger.events import event_types as e
from ledger.log.port import Query, events_at

if TYPE_CHECKING:
    from ledger.events.encoding import RecordedEvent
    from ledger.log.port import Log

__all__ = ["Exchange", "Notice", "Version"]

TYPES = (
    "PackageBuilt",
    "PackagePublished",
    "PackageFetched",
    "NoticeReceived",
    "ConfirmationFetched",
    "ConfirmationRefused",
    "ConfirmationReceived",
)


class Notice(NamedTuple):
    """An open notice of the authority; ``position`` is that of its record."""

    package: str
    verdict: str
    position: int


@dataclass(slots=True)
class Version:
    """The recorded state of one version of a package."""

    package: str
    files: dict[str, str] = field(default_factory=dict)
    """SHA-256 of each file as it was built."""
    published: e.PackagePublished | None = None
    published_at: int = 0
    clients: set[str] = field(default_factory=set)
    """Who fetched it."""
    notices: dict[str, Notice] = field(default_factory=dict)
    """Open ones by their verdict."""
    fetched: dict[str, tuple[int, e.ConfirmationFetched]] = field(default_factory=dict)
    """Confirmations by digest, with the position of the last fetch."""
    refused: set[str] = field(default_factory=set)
    received: dict[str, str] = field(default_factory=dict)
    """Verdicts by digest of the confirmation."""

    def apply(self, recorded: RecordedEvent) -> None:
        """Apply one event of this version."""
        position = recorded.position
        match recorded.event:
            case e.PackageBuilt(files=files, digests=digests):
                self.files = dict(zip(files, digests, strict=True))
            case e.PackagePublished() as event:
                self.published, self.published_at = event, recorded.envelope.recorded_at
            case e.PackageFetched(client=client):
                self.clients.add(client)
            case e.NoticeReceived(verdict=verdict):
                self.notices[verdict] = Notice(self.package, verdict, position)
            case e.ConfirmationFetched(file_digest=digest, verdict=verdict) as event:
                self.fetched[digest] = position, event
                if self.received.get(digest) == verdict:
                    self.notices.pop(verdict, None)
            case e.ConfirmationRefused(file_digest=digest):
                self.refused.add(digest)
            case e.ConfirmationReceived(file_digest=digest, verdict=verdict):
                self.received[digest] = verdict
                self.notices.pop(verdict, None)

    def fetched_confirmation(self, notice: Notice) -> e.ConfirmationFetched | None:
        """Return a confirmation fetched for a notice but not yet received or refused, or None."""
        for digest, (position, event) in self.fetched.items():
            is_judged = digest in self.received or digest in self.refused
            if event.verdict == notice.verdict and position > notice.position and not is_judged:
                return event
        return None


class Exchange:
    """Versions of packages, as of the last read of the log."""

    def __init__(self, log: Log) -> None:
        """Begin with no state; the first read takes all events of packages."""
        self._log = log
        self._read = 0
        self._versions: dict[str, Version] = {}
        self._newest: dict[str, int] = {}
        self._lock = Lock()

    def version(self, package: str) -> Version | None:
        """Return the current recorded state of a published version."""
        with self._lock:
            self._follow()
            found = self._versions.get(package)
            return found if found is not None and found.published is not None else None

    def newest(self, package: str) -> int:
        """Return the newest published version of the package of which this is a version."""
        with self._lock:
            self._follow()
            return self._newest[package.rpartition("-")[0]]

    def open_notices(self) -> list[Notice]:
        """Return the notices without a recorded confirmation, oldest first."""
        with self._lock:
            self._follow()
            found = [one for each in self._versions.values() for one in each.notices.values()]
        return sorted(found, key=lambda one: one.position)

    def _follow(self) -> None:
        size = self._log.head().size
        if size == self._read:
            return
        positions = self._log.find(Query(types=TYPES), after=self._read - 1, before=size)
        for recorded in events_at(self._log, positions):
            series, version = recorded.event.series, recorded.event.version  # type: ignore[attr-defined]
            package = f"{series}-{version:02d}"
            self._versions.setdefault(package, Version(package)).apply(recorded)
            if isinstance(recorded.event, e.PackagePublished):
                self._newest[series] = max(version, self._newest.get(series, 0))
        self._read = size
