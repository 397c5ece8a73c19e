"""``statement fetch``: files from folders and SFTP servers are imported."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import typer

from ledger.core.errors import InputError
from tools.cli._answering import answers
from tools.cli._findings import FOUND
from tools.cli._options import DATA, Data
from tools.cli._output import table, wrapped
from tools.cli._statement import Issuers, Reason, Sources, imported_statements, sources_file
from tools.cli._statement_rules import app

__all__ = ["FetchedRow", "app"]


@dataclass(frozen=True, slots=True)
class FetchedRow:
    """A file of a source, or with an empty name the source itself, and what became of it.

    ``state`` is ``imported``, ``known`` or ``failed``; ``statements`` are those of the file.
    """

    source: str
    issuer: str
    file: str
    state: str
    statements: list[str]
    faults: list[str]


def _show(found: list[FetchedRow]) -> None:
    table(
        ("source", "file", "state", "statements", wrapped("what is wrong")),
        [
            (one.source, one.file, one.state, ", ".join(one.statements), "; ".join(one.faults))
            for one in found
        ],
        nothing="No file is there to be fetched.",
    )


def _end(found: list[FetchedRow]) -> int:
    return FOUND if any(one.state == "failed" for one in found) else 0


@app.command("fetch")
@answers(_show, end=_end)
def fetch_command(
    *,
    source: Annotated[
        str, typer.Option(metavar="NAME", help="One source alone; all by default.")
    ] = "",
    file: Annotated[
        str, typer.Option(metavar="NAME", help="One file alone, whatever its age.")
    ] = "",
    reason: Reason = "",
    sources: Sources = None,
    issuers: Issuers = None,
    data: Data = DATA,
) -> list[FetchedRow]:
    """Fetch statements from folders and SFTP servers, and import each that is new.

    A file that the chain has is known by its digest. What fails is a row with the reason, and exit
    code 1; the others are imported. Nothing is changed on a source.

    Example: `gameledger statement fetch`
    """
    from tools.statements.fetching import Fetching, fetch_statements
    from tools.statements.sources import read_sources

    if reason and not (source and file):
        raise InputError("a reason is of one file: name it by --source and --file")
    found = read_sources(sources_file(data, sources))
    if source and source not in found:
        raise InputError(f"no source is called {source}: there are {', '.join(found) or 'none'}")
    run = Fetching(
        issuers=issuers or data.path / "issuers",
        recorded=lambda: imported_statements(data),
        open_ledger=data.write,
        sent_by="cli",
        only=file,
        reason=reason,
    )
    wanted = {source: found[source]} if source else found
    return [
        FetchedRow(
            source=one.source,
            issuer=one.issuer,
            file=one.file,
            state=one.state,
            statements=list(one.statements),
            faults=[*map(str, one.faults)],
        )
        for one in fetch_statements(wanted, run)
    ]
