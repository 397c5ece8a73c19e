"""``log export-seal`` and ``export-source-seal``: seals as files that other programs verify."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Annotated

import typer
from msgspec.structs import asdict

from ledger.core.errors import InputError
from ledger.events import event_types as e
from ledger.log.checkpoints import checkpoints
from ledger.log.finality import newest_of
from ledger.log.port import events_at
from ledger.tlog.source_seals import SealStatement
from tools.cli._answering import answers
from tools.cli._options import DATA, Data
from tools.cli._output import echo, facts, moment, number
from tools.whole_files import write_whole

__all__ = ["ExportedSeal", "ExportedSourceSeal", "export_seal", "export_source_seal"]

NOTE, SEAL = "checkpoint.txt", "checkpoint.p7s"


@dataclass(frozen=True, slots=True)
class ExportedSeal:
    """A sealed checkpoint in two files; ``certificate`` is its SHA-256, hexadecimal."""

    size: int
    sealed_at: int
    certificate: str
    note: str
    seal: str


@dataclass(frozen=True, slots=True)
class ExportedSourceSeal:
    """A seal of a source in a file; ``certificate`` is its SHA-256, hexadecimal."""

    position: int
    system: str
    certificate: str
    file: str


def _show(done: ExportedSeal) -> None:
    echo(f"The seal over the first {number(done.size)} messages was written.", style="green")
    facts([("sealed", moment(done.sealed_at)), ("certificate", done.certificate)])
    command = f"openssl cms -verify -binary -inform DER -in {done.seal} -content {done.note}"
    facts([("verify", f"{command} -CAfile ISSUER.pem -partial_chain -purpose any -out /dev/null")])


@answers(_show)
def export_seal(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Where the files go.")],
    *,
    data: Data = DATA,
) -> ExportedSeal:
    """Write the last sealed checkpoint as a note and its seal, which other programs verify.

    The note bears only the signature of the log, as it was sealed. The seal is a detached CMS
    signature: `openssl cms -verify` and `gameledger-verify checkpoint --seal` verify it.

    Example: `gameledger log export-seal sealed`
    """
    with closing(data.read()) as log:
        for one in checkpoints(log):
            for recorded in one.seals[-1:]:
                note, seal = folder / NOTE, folder / SEAL
                write_whole(note, str(one.log_note).encode())
                write_whole(seal, recorded.seal)
                signer = recorded.signer
                digest = signer.digest.hex()
                return ExportedSeal(one.size, signer.sealed_at, digest, str(note), str(seal))
    raise InputError("no checkpoint is sealed: `gameledger log checkpoint --seal-key` seals one")


def _show_source_seal(done: ExportedSourceSeal) -> None:
    echo(f"The seal of {done.system} at position {number(done.position)} was written: {done.file}")
    facts([("certificate", done.certificate)])


@answers(_show_source_seal)
def export_source_seal(
    *,
    position: Annotated[int, typer.Argument(min=0, help="Position of a SourceSealed.")],
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FILE", help="The file to write; named by default."),
    ] = None,
    data: Data = DATA,
) -> ExportedSourceSeal:
    """Write the seal of a source as a JWS in JSON, with its certificate in the header `x5c`.

    Programs that read JOSE verify its signature; docs/format.md describes the payload.

    Example: `gameledger log export-source-seal 5120`
    """
    with closing(data.read()) as log:
        sealed = next((one.event for one in events_at(log, [position])), None)
        if not isinstance(sealed, e.SourceSealed):
            text = f"there is no seal of a source at position {position}"
            raise InputError(f"{text}: `gameledger log show --type SourceSealed` lists them")
        (found,) = newest_of(log, e.SourceRegistered, sealed.system, before=position)
    registered = found.event
    assert isinstance(registered, e.SourceRegistered)  # noqa: S101 - the query names the type
    statement = SealStatement.of(data.chain_name(), asdict(sealed))
    file = out or Path(f"seal-{sealed.system}-{position}.json")
    write_whole(file, statement.jws(registered.certificate, sealed.signature).encode())
    digest = sha256(registered.certificate).hexdigest()
    return ExportedSourceSeal(position, sealed.system, digest, str(file))
