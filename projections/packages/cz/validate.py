"""Validate a package before the authority does: format, values, and relations between files.

What comes in: a folder or a ZIP file named like a package, and, if there are any, the packages sent
before. What goes out: a verdict with every fault in the authority's terms. Guaranteed: memory does
not grow with the files except for eight bytes per key; nothing is written.

Two modes. *Strict* is for packages of our own and is required for sealing; it adds checks that the
authority's client leaves out: conditions, maximum lengths of text, CR LF, moments within the
period, keys, references, and fixed values. *As the client* is for packages of others, and accepts
what the authority's client accepts. See ``docs/reporting.md`` for the points that decree 10/2019
Sb. leaves open.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ledger.core.clock import SystemClock
from ledger.core.errors import InputError
from projections.packages.cz.content import ContentError, open_package
from projections.packages.cz.content import name_of as package_name
from projections.packages.cz.faults import Code
from projections.packages.cz.fields import files, files_of
from projections.packages.cz.file_check import Context, FileCheck
from projections.packages.cz.moments import Calendar
from projections.packages.cz.values import Rules
from projections.packages.results import Fault, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from ledger.core.clock import Clock
    from projections.packages.cz.content import Package
    from projections.packages.cz.links import Suspect
    from projections.packages.cz.names import PackageName

__all__ = [
    "Options",
    "earlier_packages",
    "options_for",
    "package_name",
    "validate",
]


MISSING = "the file is missing: a package holds every file, an idle one with its two first lines"
EXTRA = "the package must not hold this file: take it out (or one of two with the same name)"


@dataclass(frozen=True, slots=True)
class Options:
    """Validation options.

    ``earlier`` are folders of packages sent before; None if they are not known, and then references
    to facts of earlier periods are counted but not checked. ``allows_late`` accepts a row whose
    times lie before the period, as an operator may send late information with the next period.
    """

    strict: bool = True
    earlier: tuple[Path, ...] | None = None
    allows_late: bool = False


def validate(path: Path, options: Options = Options(), *, clock: Clock | None = None) -> Verdict:
    """Validate a package.

    Raises:
        InputError: there is no package, or no earlier packages where expected.
    """
    name = package_name(path)
    now = (clock or SystemClock()).now()
    context = Context(Rules(name, options.strict), Calendar(name), now, options.allows_late)
    try:
        with open_package(path) as package:
            return _check_files(package, context, options)
    except ContentError as error:
        fault = Fault(str(name), "", None, "", Code.UNZIP, f"the archive can't be read: {error}")
        return Verdict(name, (fault,))


def _check_files(package: Package, context: Context, options: Options) -> Verdict:
    due = {table.file_name: table for table in files_of(package.name)}
    found = _missing_and_extra(package, set(due))
    checks: dict[str, FileCheck] = {}
    for file_name, table in due.items():
        if file_name in package.files:
            check = checks[table.name] = FileCheck(table, context)
            check.run(package.files[file_name])
    unjudged = 0
    if options.strict:
        unjudged = _check_links(package, checks, options)
    for check in checks.values():
        found += sorted(check.faults.found, key=_in_file)
    return Verdict(
        package.name,
        tuple(found),
        {table: check.rows for table, check in checks.items()},
        unjudged,
    )


def _in_file(fault: Fault) -> tuple[bool, int]:
    """Sort key of faults by line; faults of the whole file, or that stop its check, come last."""
    is_last = fault.line is None or fault.code is Code.TOO_MANY
    return is_last, fault.line or 0


def _missing_and_extra(package: Package, due: set[str]) -> list[Fault]:
    missing = sorted(due - set(package.files))
    extra = sorted({*(set(package.files) - due), *package.extra})
    name = str(package.name)
    return [
        *(Fault(name, one, None, "", Code.MISSING_FILE, MISSING) for one in missing),
        *(Fault(name, one, None, "", Code.EXTRA_FILES, EXTRA) for one in extra),
    ]


def _check_links(package: Package, checks: dict[str, FileCheck], options: Options) -> int:
    from projections.packages.cz.links import Links  # noqa: PLC0415 - numpy is slow to load

    links = Links(files(package.name.model))
    links.inside(
        {name: check.gathered for name, check in checks.items()},
        frozenset(name for name, check in checks.items() if check.is_complete),
    )
    if options.earlier is not None:
        for path in earlier_packages(options.earlier, package.name):
            try:
                with open_package(path) as before:
                    links.earlier(before)
            except ContentError as error:
                raise InputError(f"earlier package {path} can't be read: {error}") from error
    for suspect in links.suspects(knows_earlier=options.earlier is not None):
        checks[suspect.table.name].faults.add_all(_located(package, suspect))
    if options.earlier is not None:
        return 0
    return sum(len(waiting) for waiting in links.waiting.values())


def _located(package: Package, suspect: Suspect) -> Iterator[tuple[int, str, Code, str]]:
    """Read a file again to find the faulty lines; of duplicate keys, the first line is valid."""
    from projections.packages.cz.links import rows_of  # noqa: PLC0415 - as above

    index = suspect.table.field(suspect.column).index
    seen: set[str] = set()
    for number, values in rows_of(package.files[suspect.table.file_name]):
        if not suspect.is_at(values):
            continue
        value = values[index]
        if suspect.code is Code.KEY_REPEATED and value not in seen:
            seen.add(value)
            continue
        yield number, suspect.column, suspect.code, f"{value}: {suspect.message}"


def options_for(
    package: Path,
    earlier: list[Path] | None = None,
    *,
    strict: bool = True,
    allows_late: bool = False,
) -> Options:
    """Return validation options; by default earlier packages are searched next to the package."""
    folders: tuple[Path, ...] | None = tuple(earlier) if earlier else None
    if folders is None and package.exists():
        beside = (package.resolve().parent,)
        folders = beside if earlier_packages(beside, package_name(package)) else None
    return Options(strict=strict, earlier=folders, allows_late=allows_late)


def earlier_packages(folders: Iterable[Path], name: PackageName) -> list[Path]:
    """Find the packages of earlier periods, of the same casino, in folders, the newest first.

    Of several versions of a period the highest counts; files with other names are skipped.

    Raises:
        InputError: there is no such folder.
    """
    newest: dict[str, tuple[PackageName, Path]] = {}
    for folder in folders:
        if not folder.is_dir():
            raise InputError(f"there is no folder {folder} of earlier packages")
        for path in sorted(folder.iterdir()):
            try:
                found = package_name(path)
            except InputError:
                continue
            is_same = (found.operator, found.place) == (name.operator, name.place)
            is_earlier = is_same and found.start < name.start
            present = newest.get(found.period)
            if is_earlier and (present is None or present[0].version < found.version):
                newest[found.period] = found, path
    return [newest[period][1] for period in sorted(newest, reverse=True)]
