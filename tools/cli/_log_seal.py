"""``log export-seal``: a sealed checkpoint as two files that other programs verify."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from ledger.core.errors import InputError
from ledger.log.checkpoints import checkpoints
from tools.cli._answering import answers
from tools.cli._options import DATA, Data
from tools.cli._output import echo, facts, moment, number
from tools.whole_files import write_whole

__all__ = ["ExportedSeal", "export_seal"]

NOTE, SEAL = "checkpoint.txt", "checkpoint.p7s"


@dataclass(frozen=True, slots=True)
class ExportedSeal:
    """A sealed checkpoint in two files; ``certificate`` is its SHA-256, hexadecimal."""

    size: int
    sealed_at: int
    certificate: str
    note: str
    seal: str


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
