"""Interface between the command line and a country's folder: a module ``country`` with these names.

``projections/packages/cz`` is the first. Another country is a folder next to it whose
``country.py`` has every name of :class:`Country`; ``gameledger report --country XX`` then builds,
lists, validates, seals and explains its packages. Values that the commands do not inspect
(settings, jobs, options) are of the country's own types. Results are values of
``projections.packages.results`` and ``status``.
"""

from __future__ import annotations

import re
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Protocol, cast

from ledger.core.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from cryptography import x509
    from pyhanko.sign.timestamps import TimeStamper

    from ledger.core.clock import Clock
    from projections.packages.cz import country as cz
    from projections.packages.keys import KeyPair
    from projections.packages.results import (
        Casino,
        Confirmation,
        ExplainedRow,
        JobResult,
        Name,
        OpenedPackage,
        RebuiltFile,
        Totals,
        Verdict,
        ZipPackage,
    )
    from projections.packages.status import PeriodStatus
    from projections.packages.trust import Trust
    from projections.store.tables import Store

__all__ = ["CZ", "Country", "country_of"]

CODE = re.compile(r"[a-z]{2}")
CZ = "cz"
"""The country of the shipped rules of operation."""


class Country(Protocol):
    """Functions that a country provides to ``gameledger report``.

    Every function raises ``InputError`` for what the caller can correct, such as an invalid name or
    settings file. Times are microseconds.
    """

    SEALED: str
    """Suffix of the name of a sealed file."""
    ANSWER_BYTES_MAX: int
    """Maximum bytes of a response of the authority."""
    SEALED_BYTES_MAX: int
    """Maximum bytes of a sealed package."""

    def read_settings(self, path: Path | None) -> Any:
        """Parse the interpretation of the law from a file, or return the default."""

    def periods_with_status(self, store: Store, settings: Any, now: int) -> list[PeriodStatus]:
        """List the periods due by ``now``, oldest first, with their status."""

    def pending_jobs(self, store: Store, settings: Any, now: int) -> Iterator[Any]:
        """Return the jobs due by ``now``, oldest first; a job has a ``name``."""

    def job_for(
        self,
        store: Store,
        settings: Any,
        now: int,
        period: str,
        *,
        version: int | None = None,
        known_at: int | None = None,
        cause: str = "",
    ) -> Any:
        """Return the job that builds one period now."""

    def run(self, store: Store, job: Any, out: Path) -> JobResult:
        """Build the package of a job in a folder, and return the command that records it."""

    def explain(
        self,
        store: Store,
        package: str,
        file: str,
        row: str,
        *,
        settings: Any,
        known_at: int | None,
    ) -> ExplainedRow:
        """Find a row of a package, and the positions of the events from which it was made."""

    def rows_known_at(
        self, store: Store, name: Any, *, settings: Any, known_at: int
    ) -> list[dict[str, str]]:
        """List the rows of a package by the messages below a position.

        Each row has ``file`` and ``key``, which identify it, and the fields of its file.
        """

    def rebuild_package(self, store: Store, name: Any) -> tuple[RebuiltFile, ...]:
        """Build a recorded package again, and compare its files."""

    def totals_of(self, store: Store, name: Any, at: int) -> Totals:
        """Sum the rows of a recorded package, for the comparison with the books at a position."""

    def due_of_period(
        self, store: Store, begins: int, ends: int, now: int
    ) -> Iterator[tuple[str, Name]]:
        """Return casino (or empty) and name of each package of a time that is over by ``now``."""

    def due_since(
        self, operator: str, since: int, casinos: Iterable[Casino], now: int, settings: Any
    ) -> Iterator[Name]:
        """Return the packages of all periods since a time that are due by ``now``."""

    def period_at(self, operator: str, moment: int) -> Name:
        """Return the name of the package whose period contains a time."""

    def month_of(self, place: str, day: str, settings: Any) -> str:
        """Return the period of the casino package that contains a day (ISO format)."""

    def practice_settings(self, places: Sequence[str]) -> Any:
        """Return settings for practice, with an invented address of each casino."""

    def file_names(self, name: Any) -> tuple[str, ...]:
        """Return the names of the files of a package, in their order."""

    def parse_name(self, text: str) -> Any:
        """Parse the name of a package; the result implements :class:`Name`."""

    def package_name(self, path: Path) -> Any:
        """Parse the name of the package at a path."""

    def options_for(
        self,
        package: Path,
        earlier: list[Path] | None = None,
        *,
        strict: bool = True,
        allows_late: bool = False,
    ) -> Any:
        """Return validation options of a package.

        ``earlier`` are earlier packages; by default those next to the package.
        """

    def validate(self, path: Path, options: Any, *, clock: Clock | None = None) -> Verdict:
        """Validate a package by the authority's rules."""

    def pack(self, source: Path, folder: Path) -> ZipPackage:
        """Pack a package into the one file that is sealed."""

    def seal(
        self,
        content: bytes,
        sealer: KeyPair,
        recipients: Sequence[x509.Certificate],
        *,
        time_stamper: TimeStamper | None = None,
    ) -> bytes:
        """Encrypt a file for its recipients and seal it, with a time stamp if one is available."""

    def certificates_in(self, sealed: bytes) -> tuple[x509.Certificate, ...]:
        """Return the certificates in a seal, unverified."""

    def stamped_seal(self, sealed: bytes, roots: Sequence[x509.Certificate], now: int) -> int:
        """Verify the time stamp of a seal, and return its time in microseconds."""

    def open_sealed(self, sealed: bytes, reader: KeyPair, trust: Trust) -> OpenedPackage:
        """Verify a seal and decrypt its content."""

    def read_confirmation(self, file_name: str, content: bytes) -> Confirmation:
        """Parse the authority's confirmation."""


def country_of(code: str) -> Country:
    """Return the country with a code of two lower-case letters, such as ``cz``.

    Raises:
        InputError: there is no such folder, or its ``country.py`` is incomplete.

    """
    place = f"projections.packages.{code}"
    if not CODE.fullmatch(code) or find_spec(place) is None:
        raise InputError(f"there is no country {code!r}: projections/packages has no such folder")
    try:
        country = import_module(f"{place}.country")
    except ModuleNotFoundError as error:
        raise InputError(f"projections/packages/{code}/country.py is missing: {error}") from error
    wanted = {*Country.__annotations__, *vars(Country)} - {*vars(Protocol)}
    missing = sorted(name for name in wanted if name[0] != "_" and not hasattr(country, name))
    if missing:
        raise InputError(f"projections/packages/{code}/country.py lacks {', '.join(missing)}")
    return cast("Country", country)


if TYPE_CHECKING:
    _CHECKED: Country = cz
