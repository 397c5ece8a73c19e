"""Exchange of published packages and confirmations with the authority (decree 10/2019 Sb.).

The authority fetches the sealed file and notifies us that it was processed; we fetch its
confirmation. Each step is recorded before the other side can rely on it: a fetch before the last
part is sent, a notice before it is answered, a confirmation before it is parsed. A notice is open
until the announced confirmation is recorded, so after any interruption the chain shows what
remains to be done.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from msgspec import Meta

from ledger.core.errors import InputError
from ledger.decisions.packages import Digest, Package, series_of
from ledger.events import event_types as e
from ledger.events.command import Command, Name

if TYPE_CHECKING:
    from ledger.state.ledger_state import LedgerState

__all__ = [
    "RecordConfirmationFetch",
    "RecordFetch",
    "RecordNotice",
    "RefuseConfirmation",
    "record_confirmation_fetch",
    "record_fetch",
    "record_notice",
    "refuse_confirmation",
]

Verdict = Literal["OK", "ERR"]


class RecordFetch(Command, frozen=True):
    """Record that the authority fetches the sealed file of a package, once per certificate."""

    package: Package
    file_digest: Digest
    client: Digest


class RecordNotice(Command, frozen=True):
    """Record the authority's notice that it processed a package."""

    package: Package
    verdict: Verdict
    client: Digest


class RecordConfirmationFetch(Command, frozen=True):
    """Record that a confirmation was fetched and stored, before it is read."""

    package: Package
    confirmation: Name
    verdict: Verdict
    file_digest: Digest
    size: Annotated[int, Meta(gt=0, le=10**15)]
    server: Digest


class RefuseConfirmation(Command, frozen=True):
    """Record that a fetched file is not a confirmation of this package, and why."""

    package: Package
    confirmation: Name
    verdict: Verdict
    file_digest: Digest
    reason: Name


def record_fetch(ledger_state: LedgerState, command: RecordFetch, _: int) -> list[e.Event]:
    """Decide :class:`RecordFetch`."""
    series, version = series_of(command.package)
    history = _published(ledger_state, command.package)
    published = next(event for event in history if isinstance(event, e.PackagePublished))
    if published.file_digest != command.file_digest:
        raise InputError(f"package {command.package} was published as another file")
    if any(
        isinstance(event, e.PackageFetched) and event.client == command.client for event in history
    ):
        raise InputError(f"that package {command.package} was fetched is recorded already")
    return [command.as_event(e.PackageFetched, series=series, version=version)]


def record_notice(ledger_state: LedgerState, command: RecordNotice, _: int) -> list[e.Event]:
    """Decide :class:`RecordNotice`; a repeat records nothing while the first one is open."""
    series, version = series_of(command.package)
    if command.verdict in _open(_published(ledger_state, command.package)):
        raise InputError(
            f"the notice {command.verdict} of package {command.package} is recorded already, "
            "and its confirmation not fetched yet"
        )
    return [
        e.NoticeReceived(
            series=series, version=version, verdict=command.verdict, client=command.client
        )
    ]


def record_confirmation_fetch(
    ledger_state: LedgerState, command: RecordConfirmationFetch, _: int
) -> list[e.Event]:
    """Decide :class:`RecordConfirmationFetch`; a file is recorded once per notice."""
    series, version = series_of(command.package)
    for event in reversed(_published(ledger_state, command.package)):
        if isinstance(event, e.NoticeReceived) and event.verdict == command.verdict:
            break
        if isinstance(event, e.ConfirmationFetched) and event.file_digest == command.file_digest:
            raise InputError(
                f"that confirmation {command.confirmation} was fetched is recorded already"
            )
    return [command.as_event(e.ConfirmationFetched, series=series, version=version)]


def refuse_confirmation(
    ledger_state: LedgerState, command: RefuseConfirmation, _: int
) -> list[e.Event]:
    """Decide :class:`RefuseConfirmation`; the notice stays open for a corrected confirmation."""
    series, version = series_of(command.package)
    of_file = [
        event
        for event in _published(ledger_state, command.package)
        if isinstance(event, e.ConfirmationFetched | e.ConfirmationRefused | e.ConfirmationReceived)
        and event.file_digest == command.file_digest
    ]
    if not of_file:
        raise InputError(f"confirmation {command.confirmation} was not fetched: record that first")
    if not all(isinstance(event, e.ConfirmationFetched) for event in of_file):
        raise InputError(f"confirmation {command.confirmation} is judged already")
    return [command.as_event(e.ConfirmationRefused, series=series, version=version)]


def _published(ledger_state: LedgerState, package: str) -> list[e.Event]:
    """Return the events of one package version in order."""
    series, version = series_of(package)
    history = [
        event
        for event in ledger_state.events(f"series:{series}")
        if getattr(event, "version", None) == version
    ]
    if not any(isinstance(event, e.PackagePublished) for event in history):
        raise InputError(f"package {package} was not published: nothing passes before that")
    return history


def _open(history: list[e.Event]) -> set[str]:
    """Return the announced verdicts whose confirmation is not recorded."""
    announced: set[str] = set()
    received: dict[str, str] = {}
    for event in history:
        if isinstance(event, e.NoticeReceived):
            announced.add(event.verdict)
        elif isinstance(event, e.ConfirmationReceived):
            received[event.file_digest] = event.verdict
            announced.discard(event.verdict)
        elif (
            isinstance(event, e.ConfirmationFetched)
            and received.get(event.file_digest) == event.verdict
        ):
            announced.discard(event.verdict)
    return announced
