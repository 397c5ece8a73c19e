"""Results that countries return for packages: built, validated, sealed, confirmed, explained.

These are plain values that every country creates, and that pages, commands and delivery read.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Literal, Protocol

from ledger.core.errors import LedgerError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from ledger.decisions.packages import Finding, RecordPackage

__all__ = [
    "BuiltFile",
    "BuiltFolder",
    "Casino",
    "Confirmation",
    "Cut",
    "ExplainedRow",
    "Fault",
    "FileReport",
    "JobResult",
    "Name",
    "OpenedPackage",
    "RebuiltFile",
    "SealError",
    "Totals",
    "Verdict",
    "ZipPackage",
]


class Name(Protocol):
    """Name of a package; in events and folders its text is ``SERIES-VERSION``."""

    @property
    def period(self) -> str:
        """The period as text, as in options; periods sort by it."""

    @property
    def place(self) -> str:
        """The casino's part of the name; empty for streamed play."""

    @property
    def version(self) -> int:
        """Number of the version, from 1."""

    @property
    def start(self) -> int:
        """Beginning of the period, in microseconds."""

    @property
    def end(self) -> int:
        """End of the period, in microseconds."""


class Cut(Protocol):
    """Source of a package: its name, and the number of messages that count."""

    @property
    def name(self) -> Name:
        """The package."""

    @property
    def known_at(self) -> int:
        """Number of messages that count."""


@dataclass(frozen=True, slots=True)
class Totals:
    """Sums of the rows of a package, in hundredths of the currency.

    ``sums`` are stakes, winnings and returned bets of streamed play, from position ``first`` up to,
    but not including, ``end``. For a casino, ``place`` names it, and the sums are the net results
    of its tables by currency. ``outdated`` are files that would have other rows by what is known
    now, where only another version of the package can correct them.
    """

    first: int
    end: int
    known_at: int
    place: str
    sums: dict[str, int]
    outdated: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault; ``line`` counts from zero, as the authority does, and is None for a whole file."""

    package: str
    file: str
    line: int | None
    field: str
    code: str
    message: str

    @property
    def text(self) -> str:
        """The fault as a line of the authority's reports."""
        line = "" if self.line is None else str(self.line)
        message = self.message.replace('"', '""')
        return f'{self.package};{self.file};{line};{self.field};{self.code};"{message}"'

    @property
    def document(self) -> dict[str, Any]:
        """The fault as a JSON document."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Verdict:
    """Result of a validation; ``unjudged`` counts references that need earlier packages."""

    package: Name
    faults: tuple[Fault, ...]
    rows: dict[str, int] = field(default_factory=dict)
    unjudged: int = 0

    @property
    def is_valid(self) -> bool:
        """Return whether the package has no faults."""
        return not self.faults


@dataclass(frozen=True, slots=True)
class BuiltFile:
    """One file of a built package; ``rows`` counts its records, ``digest`` is its SHA-256."""

    name: str
    rows: int
    digest: str


@dataclass(frozen=True, slots=True)
class BuiltFolder:
    """A package on disk.

    ``digest`` covers all of it: SHA-256 of one line ``<digest>  <file>`` for each file in the order
    of the decree.
    """

    cut: Cut
    folder: Path
    files: tuple[BuiltFile, ...]
    digest: str


@dataclass(frozen=True, slots=True)
class JobResult:
    """Result of a job; ``command`` records it, None if there is nothing to record."""

    built: BuiltFolder
    command: RecordPackage | None


@dataclass(frozen=True, slots=True)
class ExplainedRow:
    """One row of a file; ``values`` are those of its fields, in the order of the file."""

    package: str
    file: str
    line: str
    values: dict[str, str]
    positions: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class RebuiltFile:
    """One file of a package built again: the recorded and the new number of records.

    ``agrees``: the bytes are the same as those recorded.
    """

    name: str
    recorded_rows: int
    rows: int
    agrees: bool


@dataclass(frozen=True, slots=True)
class FileReport:
    """The authority's report on a file: result, number of lines, SHA-256 (empty if not given)."""

    file: str
    result: str
    lines: str
    digest: str


@dataclass(frozen=True, slots=True)
class Confirmation:
    """A confirmation package; ``is_cut``: findings were omitted or truncated."""

    package: Name
    verdict: Literal["OK", "ERR"]
    findings: tuple[Finding, ...]
    reports: tuple[FileReport, ...]
    is_cut: bool


@dataclass(frozen=True, slots=True)
class ZipPackage:
    """A ZIP file; ``digest`` is the digest of the package's content, as when it was built."""

    name: Name
    path: Path
    digest: str


class SealError(LedgerError):
    """A sealed package is not valid; ``code`` is the authority's code."""

    def __init__(self, code: str, message: str) -> None:
        """Store the code with the text."""
        super().__init__(f"{code}: {message}")
        self.code, self._message = code, message

    def __reduce__(self) -> tuple[Any, ...]:
        """Support pickling, so that the code is kept between processes."""
        return type(self), (self.code, self._message)


@dataclass(frozen=True, slots=True)
class OpenedPackage:
    """Decrypted content, its signer, and the time of signing (microseconds; None if unknown).

    ``signed_at`` is the time that the seal claims, ``stamped_at`` that of a verified time stamp.
    """

    content: bytes
    signer: str
    signed_at: int | None
    stamped_at: int | None = None


@dataclass(frozen=True, slots=True)
class Casino:
    """A casino: its identifier, when it was opened, and its open operating day.

    ``months`` are the months with a closed operating day, such as ``2026-11``, each with the time
    at which the last one was closed: ``closed_at``.
    """

    place: str
    opened_at: int
    open_day: str
    months: Sequence[str] = ()
    closed_at: Sequence[int] = ()
