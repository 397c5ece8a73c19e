"""What countries give back of packages: built, validated, sealed, confirmed, explained.

Only values: every country fills them, and pages, commands and delivery read them.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, Protocol

from cryptography import x509

from ledger.core.errors import LedgerError
from projections.packages.keys import to_der

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from ledger.decisions.packages import Finding, RecordPackage

__all__ = [
    "Built",
    "BuiltFile",
    "Casino",
    "Confirmation",
    "Cut",
    "Done",
    "ExplainedRow",
    "Fault",
    "FileReport",
    "Name",
    "Opened",
    "Packed",
    "RebuiltFile",
    "SealError",
    "Totals",
    "Trust",
    "Verdict",
]


class Name(Protocol):
    """The name of a package; its text in events and folders is ``SERIES-VERSION``."""

    @property
    def period(self) -> str:
        """The period as in options; periods sort by it."""

    @property
    def place(self) -> str:
        """The casino's part of the name; empty for streamed play."""

    @property
    def version(self) -> int:
        """Number of the version, from 1."""

    @property
    def start(self) -> int:
        """Moment at which the period begins, in microseconds."""

    @property
    def end(self) -> int:
        """Moment at which the period ends, in microseconds."""


class Cut(Protocol):
    """The source of a package: its name, and the number of messages that were known."""

    @property
    def name(self) -> Name:
        """The package."""

    @property
    def known_at(self) -> int:
        """Number of messages."""


@dataclass(frozen=True, slots=True)
class Totals:
    """Sums of the rows of a package, in hundredths of the currency.

    ``sums`` are stakes, winnings and returned bets of streamed play between the positions
    ``first`` and below ``end``. For a casino, ``place`` names it, and the sums are the net results
    of its tables by currency.
    """

    first: int
    end: int
    known_at: int
    place: str
    sums: dict[str, int]


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
    """Result; ``unjudged`` counts references that need earlier packages."""

    package: Name
    faults: tuple[Fault, ...]
    rows: dict[str, int] = field(default_factory=dict)
    unjudged: int = 0

    @property
    def is_valid(self) -> bool:
        """Return whether there are no faults."""
        return not self.faults


@dataclass(frozen=True, slots=True)
class BuiltFile:
    """One file; ``rows`` are its records, ``digest`` is the SHA-256 of its bytes."""

    name: str
    rows: int
    digest: str


@dataclass(frozen=True, slots=True)
class Built:
    """A package on disk.

    ``digest`` covers all of it: SHA-256 of one line ``<digest>  <file>`` for each file in the order
    of the decree.
    """

    cut: Cut
    folder: Path
    files: tuple[BuiltFile, ...]
    digest: str


@dataclass(frozen=True, slots=True)
class Done:
    """Result of a job; ``command`` records it, if there is something to record."""

    built: Built
    command: RecordPackage | None


@dataclass(frozen=True, slots=True)
class ExplainedRow:
    """One row; ``values`` are those of its fields, in the order of the file."""

    package: str
    file: str
    line: str
    values: dict[str, str]
    positions: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class RebuiltFile:
    """A file: records that were recorded and that the facts give, and whether its bytes agree."""

    name: str
    recorded_rows: int
    rows: int
    agrees: bool


@dataclass(frozen=True, slots=True)
class FileReport:
    """The authority's report on a file: result, lines, SHA-256 of its bytes (or empty)."""

    file: str
    result: str
    lines: str
    digest: str


@dataclass(frozen=True, slots=True)
class Confirmation:
    """A confirmation package; ``is_cut``: findings were left out or shortened."""

    package: Name
    verdict: Literal["OK", "ERR"]
    findings: tuple[Finding, ...]
    reports: tuple[FileReport, ...]
    is_cut: bool


@dataclass(frozen=True, slots=True)
class Packed:
    """A ZIP file; ``digest`` is that of the content, as the package was built."""

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
        """Keep the code when a process of its own raises it."""
        return type(self), (self.code, self._message)


CERTIFICATES = ("roots", "seals", "stamp_roots")


OTHERS_OF_TRUST = ("crls", "ocsps", "is_revocation_required")


@dataclass(frozen=True, slots=True)
class Trust:
    """Trust settings: ``roots`` of seals and, if any are named, the only accepted seals.

    ``crls`` and ``ocsps`` are revocation lists and OCSP responses in DER. With
    ``is_revocation_required`` one of them must confirm each certificate below a root.
    ``stamp_roots`` are the roots of time stamps; without them a stamp is not checked.
    """

    roots: tuple[x509.Certificate, ...]
    seals: tuple[x509.Certificate, ...] = ()
    crls: tuple[bytes, ...] = ()
    ocsps: tuple[bytes, ...] = ()
    is_revocation_required: bool = False
    stamp_roots: tuple[x509.Certificate, ...] = ()

    def __reduce__(self) -> tuple[Any, ...]:
        """Let a process of its own have it."""
        ders = tuple(tuple(map(to_der, getattr(self, name))) for name in CERTIFICATES)
        others = {name: getattr(self, name) for name in OTHERS_OF_TRUST}
        return partial(_trust, **others), (ders,)


def _trust(certificates: tuple[tuple[bytes, ...], ...], **others: Any) -> Trust:
    loaded: list[Any] = [tuple(map(x509.load_der_x509_certificate, ders)) for ders in certificates]
    return Trust(**dict(zip(CERTIFICATES, loaded, strict=True)), **others)


@dataclass(frozen=True, slots=True)
class Opened:
    """The content, its signer, and when it was signed (microseconds, or None).

    ``signed_at`` is the moment claimed by the seal, ``stamped_at`` that of a verified time-stamp
    authority.
    """

    content: bytes
    signer: str
    signed_at: int | None
    stamped_at: int | None = None


@dataclass(frozen=True, slots=True)
class Casino:
    """A casino: its identifier, when it was opened, its open operating day.

    ``months`` are those with a closed operating day, such as ``2026-11``, each with the moment of
    the
    last close: ``closed_at``.
    """

    place: str
    opened_at: int
    open_day: str
    months: Sequence[str] = ()
    closed_at: Sequence[int] = ()
