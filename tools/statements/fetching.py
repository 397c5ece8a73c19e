"""Fetch statements from their sources and import them, file by file.

Input: sources, the issuers' folder, a way to read the statements of the chain and one to open the
ledger. Output: a row for each file: imported, known, or failed with the reason. Guaranteed: a file
whose digest the chain has for its issuer is not imported again; a bad file, or a source that can't
be reached, holds up no other; each file goes through the same check and import as one that a person
names.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Literal

from ledger.core.errors import InputError, LedgerError
from ledger.storage.workplace import temporary_folder
from tools.statements.importing import import_file
from tools.statements.issuer import read_issuer
from tools.statements.parts import RowFaultsError
from tools.statements.reading import ReadRequest
from tools.statements.sources import fetched
from tools.web.problems import reason_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from ledger.core.phrases import Phrase
    from tools.service.client import AnyLedger
    from tools.statements.importing import RecordedStatement
    from tools.statements.sources import FetchedContent, Source

__all__ = ["FetchedFile", "Fetching", "fetch_statements"]


@dataclass(frozen=True, slots=True)
class FetchedFile:
    """A file of a source, or with an empty name the source itself, and what became of it.

    ``statements`` are those that it put in force, or of which the chain knows it. ``faults`` are
    the reasons why it was not imported.
    """

    source: str
    issuer: str
    file: str
    state: Literal["imported", "known", "failed"]
    statements: tuple[str, ...] = ()
    faults: tuple[str | Phrase, ...] = ()


@dataclass(frozen=True, slots=True)
class Fetching:
    """What a run works with.

    ``recorded`` reads the statements of the chain, ``open_ledger`` opens the ledger. ``only`` is
    the name of the one file that is fetched; with ``reason``, it supersedes what its period covers.
    """

    issuers: Path
    recorded: Callable[[], list[RecordedStatement]]
    open_ledger: Callable[[], AnyLedger]
    actor: str = ""
    sent_by: str = ""
    only: str = ""
    reason: str = ""


def fetch_statements(sources: Mapping[str, Source], run: Fetching) -> Iterator[FetchedFile]:
    """Fetch and import the files of all sources; yield a row for each file and unreachable source.

    Raises:
        AvailabilityError: the writer is unavailable; fetch again.

    """
    for name, source in sources.items():
        try:
            found = list(fetched(source, run.only))
        except LedgerError as error:
            yield FetchedFile(name, source.issuer, "", "failed", faults=(reason_of(error),))
            continue
        for one in found:
            yield _imported(name, source, one, run)


def _imported(name: str, source: Source, file: FetchedContent, run: Fetching) -> FetchedFile:
    if file.fault:
        return FetchedFile(name, source.issuer, file.name, "failed", faults=(file.fault,))
    before = run.recorded()
    digest = sha256(file.content).hexdigest()
    known = tuple(
        one.event.statement
        for one in before
        if (one.event.file_digest, one.event.issuer) == (digest, source.issuer)
    )
    if known and not run.reason:
        return FetchedFile(name, source.issuer, file.name, "known", known)
    try:
        with temporary_folder() as folder:
            path = folder / file.name
            path.write_bytes(file.content)
            request = ReadRequest(
                path,
                source.issuer,
                read_issuer(run.issuers, source.issuer),
                run.reason,
                actor=run.actor,
                source=run.sent_by,
            )
            judged = import_file(request, before, run.open_ledger)
    except RowFaultsError as error:
        return FetchedFile(name, source.issuer, file.name, "failed", faults=error.faults)
    except InputError as error:
        return FetchedFile(name, source.issuer, file.name, "failed", faults=(reason_of(error),))
    statements = tuple(one.statement for one in judged.parsed.statements)
    return FetchedFile(name, source.issuer, file.name, "imported", statements)
