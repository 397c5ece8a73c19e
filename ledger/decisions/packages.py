"""Lifecycle of the regulator's packages, and exchange rates (decree 10/2019 Sb.).

A package is built from the chain and then recorded in it. Every version that was built, published
or confirmed is identified by its digest, because later packages are checked against it. The
versions of one period share the tag ``series``, which is the name without the version.
"""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Annotated, Literal

from msgspec import Meta, Struct

from ledger.core.errors import InputError
from ledger.core.phrases import Phrase
from ledger.core.version import VERSION
from ledger.events import event_types as e
from ledger.events.command import (
    LETTERS,
    Command,
    Count,
    Name,
    OptionalName,
    OptionalText,
    OptionalWord,
    Text,
)

if TYPE_CHECKING:
    from ledger.state.ledger_state import LedgerState

__all__ = [
    "FILE_MAX",
    "FINDINGS_BYTES_MAX",
    "KEY_MAX",
    "Digest",
    "Finding",
    "FixRate",
    "Package",
    "PublishPackage",
    "RecordConfirmation",
    "RecordPackage",
    "RequestCorrection",
    "bytes_of",
    "fix_rate",
    "publish_package",
    "record_confirmation",
    "record_package",
    "request_correction",
    "series_of",
]

Package = Annotated[
    str, Meta(pattern=rf"^[{LETTERS}]{{1,20}}-[VM]-[{LETTERS}-]{{6,70}}-[0-9]{{2}}\Z")
]
"""Name of a package with its version, such as ``12345678-V-2026112108-Z-01``."""

Digest = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}\Z")]
FILE_MAX, KEY_MAX = 100, 150
FINDINGS_BYTES_MAX = 40_000
FileName = Annotated[str, Meta(min_length=1, max_length=100, pattern=rf"^[{LETTERS}.-]+\Z")]


class RecordPackage(Command, frozen=True):
    """Record that a version of a package was built.

    ``files`` is the number of records and the digest of each file by its name; the event lists them
    in alphabetical order. ``known_at`` is the number of messages from which the package was built.
    """

    package: Package
    known_at: Annotated[int, Meta(ge=1, le=10**15)]
    files: Annotated[dict[FileName, tuple[Count, Digest]], Meta(max_length=30)]
    digest: Digest
    settings: Text
    cause: OptionalText = ""


class PublishPackage(Command, frozen=True):
    """Record that a sealed package was made available to the authority.

    ``digest`` is that of the package as built.
    """

    package: Package
    digest: Digest
    file: FileName
    file_digest: Digest
    size: Annotated[int, Meta(gt=0, le=10**15)]


class Finding(Struct, frozen=True, forbid_unknown_fields=True):
    """One finding of a confirmation; ``key`` is a line or a primary key."""

    file: Annotated[str, Meta(max_length=FILE_MAX)]
    key: Annotated[str, Meta(max_length=KEY_MAX)]
    code: OptionalWord
    column: OptionalWord = ""
    message: OptionalName = ""


def bytes_of(finding: Finding) -> int:
    """Return the number of bytes that a finding takes in an event, length fields included."""
    texts = (finding.file, finding.key, finding.code, finding.column, finding.message)
    return sum(len(text.encode()) + 2 for text in texts)


class RecordConfirmation(Command, frozen=True):
    """Record the authority's confirmation of a package, with its findings.

    Findings are cut to ``FINDINGS_BYTES_MAX`` together; ``cut`` says that some were left out or
    shortened. ``file_digest`` is that of the whole file, which must be kept.
    """

    package: Package
    confirmation: Name
    verdict: Literal["OK", "ERR"]
    file_digest: Digest
    findings: tuple[Finding, ...] = ()
    cut: bool = False


class RequestCorrection(Command, frozen=True):
    """Record that a published package must be corrected by a higher version."""

    package: Package
    kind: Literal["formal", "material"]
    explanation: Text
    request: OptionalName = ""


class FixRate(Command, frozen=True):
    """Fix an exchange rate for the tax base, in thousandths of a crown for one unit."""

    currency: Annotated[str, Meta(pattern=r"^[A-Z]{3}\Z")]
    rate: Annotated[int, Meta(gt=0, le=10**15)]
    day: date


def series_of(package: str) -> tuple[str, int]:
    """Split the name of a package into the name without version, and the version."""
    series, _hyphen, version = package.rpartition("-")
    return series, int(version)


def record_package(ledger_state: LedgerState, command: RecordPackage, _: int) -> list[e.Event]:
    """Decide :class:`RecordPackage`.

    Versions are consecutive from 1; one that was not published may be built again.
    """
    history = _history(ledger_state, command.package)
    series, version = series_of(command.package)
    if not series.startswith(f"{ledger_state.operator_state.operator}-"):
        raise InputError(
            f"package {command.package} is not of operator {ledger_state.operator_state.operator}"
        )
    if command.known_at > ledger_state.size:
        raise InputError(
            f"the chain has {ledger_state.size} messages, less than {command.known_at}"
        )
    last = max((event.version for event in history if isinstance(event, e.PackageBuilt)), default=0)
    if not 1 <= version <= last + 1:
        raise InputError(f"version {version} can't follow version {last} of {series}")
    if _is_published(history, version):
        raise InputError(f"package {command.package} is published: build the next version")
    if version > 1 and not command.cause:
        raise InputError("another version has a cause: fill `cause`")
    if version > 1 and not _is_published(history, version - 1):
        before = f"{series}-{version - 1:02d}"
        raise InputError(f"package {before} is not published: build that version again")
    return [
        command.as_event(
            e.PackageBuilt,
            series=series,
            version=version,
            files=tuple(command.files),
            rows=tuple(rows for rows, _ in command.files.values()),
            digests=tuple(digest for _, digest in command.files.values()),
            software_version=VERSION,
        )
    ]


def publish_package(ledger_state: LedgerState, command: PublishPackage, _: int) -> list[e.Event]:
    """Decide :class:`PublishPackage`; only the last build under its name may be published."""
    history = _history(ledger_state, command.package)
    series, version = series_of(command.package)
    built = [
        event for event in history if isinstance(event, e.PackageBuilt) and event.version == version
    ]
    if not built:
        raise InputError(Phrase("PACKAGE_TO_BUILD", name=command.package))
    if built[-1].digest != command.digest:
        raise InputError(f"package {command.package} was built with other content: seal that")
    if _is_published(history, version):
        raise InputError(f"package {command.package} is published already")
    return [command.as_event(e.PackagePublished, series=series, version=version)]


def record_confirmation(
    ledger_state: LedgerState, command: RecordConfirmation, _: int
) -> list[e.Event]:
    """Decide :class:`RecordConfirmation`.

    An accepted package can be rejected later, when an earlier one was corrected; the last
    confirmation applies.
    """
    history = _history(ledger_state, command.package)
    series, version = series_of(command.package)
    _require_published(history, command.package)
    size = sum(bytes_of(finding) for finding in command.findings)
    if size > FINDINGS_BYTES_MAX:
        raise InputError(
            f"record_confirmation: `findings` have {size} bytes, {FINDINGS_BYTES_MAX} at most: "
            "leave some out and say `cut`"
        )
    received = [event for event in history if isinstance(event, e.ConfirmationReceived)]
    if any(event.file_digest == command.file_digest for event in received):
        raise InputError(f"confirmation {command.confirmation} is recorded already")
    return [
        command.as_event(
            e.ConfirmationReceived,
            series=series,
            version=version,
            files=tuple(finding.file for finding in command.findings),
            keys=tuple(finding.key for finding in command.findings),
            columns=tuple(finding.column for finding in command.findings),
            codes=tuple(finding.code for finding in command.findings),
            messages=tuple(finding.message for finding in command.findings),
        )
    ]


def request_correction(
    ledger_state: LedgerState, command: RequestCorrection, _: int
) -> list[e.Event]:
    """Decide :class:`RequestCorrection`; what a published version replaced is not corrected."""
    history = _history(ledger_state, command.package)
    _require_published(history, command.package)
    series, version = series_of(command.package)
    newest = max(event.version for event in history if isinstance(event, e.PackagePublished))
    if version < newest:
        raise InputError(
            f"package {command.package} was replaced by {series}-{newest:02d}: correct that one"
        )
    return [command.as_event(e.CorrectionRequested, series=series, version=version)]


def fix_rate(_: LedgerState, command: FixRate, _now: int) -> list[e.Event]:
    """Decide :class:`FixRate`."""
    if command.currency == "CZK":
        raise InputError("the crown has no exchange rate to itself")
    return [e.RateFixed(currency=command.currency, rate=command.rate, day=command.day.isoformat())]


def _history(ledger_state: LedgerState, package: str) -> list[e.Event]:
    return ledger_state.events(f"series:{series_of(package)[0]}")


def _is_published(history: list[e.Event], version: int) -> bool:
    return any(
        isinstance(event, e.PackagePublished) and event.version == version for event in history
    )


def _require_published(history: list[e.Event], package: str) -> None:
    if not _is_published(history, series_of(package)[1]):
        raise InputError(f"package {package} was not published: record that first")
