"""``serve``: the chain for people who have only a browser, read-only."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ledger.core.errors import InputError
from projections.packages.country import CZ
from tools.access.pages_actions import Writers
from tools.access.serving import serve as serve_access
from tools.cli._answering import emits
from tools.cli._options import DATA, Data, Json
from tools.cli._output import echo, emit
from tools.cli._report_options import CountryCode
from tools.cli._statement import Issuers, Sources, sources_file
from tools.mirror.folder import MirrorFolder
from tools.service.address import Address

if TYPE_CHECKING:
    from tools.data.locations import Locations

__all__ = ["Serving", "serve"]


@dataclass(frozen=True, slots=True)
class Serving:
    """Where the service is, and the token of the reader for trying, if there is one."""

    address: str
    token: str | None


@emits(Serving)
def serve(
    *,
    listen: Annotated[
        str,
        typer.Option(
            envvar="GAMELEDGER_SERVE",
            metavar="HOST:PORT",
            help="Where browsers and programs come, or unix:/path.",
        ),
    ] = "127.0.0.1:8411",
    plain: Annotated[
        bool,
        typer.Option(
            "--plain",
            envvar="GAMELEDGER_PLAIN",
            help="Serve other machines without TLS, because something before it has it.",
        ),
    ] = False,
    actions: Annotated[
        bool,
        typer.Option(
            "--actions",
            envvar="GAMELEDGER_ACTIONS",
            help="Let readers with the role `clerk` handle findings and import statements; "
            "`--writers` (before `serve`) names where their commands go.",
        ),
    ] = False,
    issuers: Issuers = None,
    sources: Sources = None,
    country: CountryCode = CZ,
    tiles: Annotated[
        Path | None,
        typer.Option(
            envvar="GAMELEDGER_TILES",
            metavar="DIR",
            help="Folder of `log tiles`, whose state the front page shows.",
        ),
    ] = None,
    mirror: Annotated[
        Path | None,
        typer.Option(
            envvar="GAMELEDGER_MIRROR",
            metavar="DIR",
            help="Folder of the mirror whose copy is served, for the page over all its logs.",
        ),
    ] = None,
    data: Data = DATA,
    as_json: Json = False,
) -> None:
    """Serve the chain read-only: pages for people, an API for programs.

    Without a reader (`gameledger reader add`) it serves this machine alone, and prints a token to
    try it with. With `--tls-ca`, `--tls-cert` and `--tls-key` (before `serve`) it speaks TLS, and
    readers may show certificates of that authority.

    Everything that is read is recorded in a chain of its own, in `access/` of the data directory;
    when that can't be written, nothing is read. The chain itself is only read: with `--actions`
    what a reader does about a finding, or imports, goes to the writer in the reader's name.

    Example: `gameledger serve --data data/demo`
    """

    def notify(address: str, token: str) -> None:
        if as_json:
            emit(Serving(address, token or None))
        else:
            echo(f"Serving {address}")
            if token:
                echo(f"Token to try it with, until you add a reader: {token}")
        sys.stdout.flush()

    address = Address.parse(listen)
    tls = None if address.path else data.locations.tls
    writers = None
    if actions:
        folder, named = issuers or data.path / "issuers", sources_file(data, sources)
        writers = _writers(data.locations, folder, named)
    serve_access(
        data,
        address,
        tls=tls,
        plain=plain,
        notify=notify,
        writers=writers,
        tiles=tiles,
        mirror=_mirror(mirror),
        country=country,
    )


def _mirror(folder: Path | None) -> MirrorFolder | None:
    if folder is None:
        return None
    found = MirrorFolder(folder)
    found.own_keys()
    return found


def _writers(locations: Locations, issuers: Path, sources: Path) -> Writers:
    if locations.writers is None:
        raise InputError("--actions needs a writer: name it with --writers, before `serve`")
    addresses = tuple(locations.writers.split(","))
    return Writers(addresses, locations.tls, locations.token, issuers, sources)
