"""``witness``: watch the logs of others, and cosign what they show everybody."""

from __future__ import annotations

import ssl
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ledger.core.clock import SystemClock
from ledger.core.errors import InputError
from ledger.storage.named_files import read_text
from ledger.tlog.algorithms import ED25519, ML_DSA_44
from ledger.tlog.misconduct import require_misconduct
from ledger.tlog.signing import PublicKey
from tools.cli._answering import answers, emits
from tools.cli._help import Commands
from tools.cli._options import Json, settings_of
from tools.cli._output import ProgressMessage, echo, echo_progress, facts, number, table
from tools.cli._stop import stop_on_signals
from tools.service.address import Address, listening
from tools.signals import wait_for
from tools.web.hosts import allowed_hosts
from tools.web.tls import with_key
from tools.witness.proofs import stored_proofs
from tools.witness.state import WitnessFolder

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = [
    "CosignedLog",
    "CosigningAlgorithm",
    "NewWitness",
    "OfKey",
    "ProvedMisconduct",
    "WatchedLog",
    "WitnessStatus",
    "app",
    "port_tls",
    "show_policy_line",
    "show_proofs",
]

app = Commands("A witness: cosigns checkpoints of logs that it watches.")

Folder = Annotated[Path, typer.Argument(metavar="DIR", help="Folder of the witness.")]


class CosigningAlgorithm(StrEnum):
    """Algorithms of cosignatures (C2SP tlog-cosignature)."""

    ED25519 = "ed25519"
    ML_DSA_44 = "ml-dsa-44"

    @property
    def algorithm(self) -> str:
        """The name of the algorithm as it is recorded."""
        return {self.ED25519: ED25519, self.ML_DSA_44: ML_DSA_44}[self].name


OfKey = Annotated[
    CosigningAlgorithm, typer.Option("--algorithm", help="Signature algorithm of the key.")
]
"""Which algorithm a new key of a witness or mirror has."""


@dataclass(frozen=True, slots=True)
class NewWitness:
    """A witness that was made."""

    folder: str
    key: str


@dataclass(frozen=True, slots=True)
class WatchedLog:
    """A log that a witness watches, with the keys that may sign for it."""

    log: str
    keys: list[str]
    size: int


@dataclass(frozen=True, slots=True)
class CosignedLog:
    """A log that a witness watches, and its last note; empty before the first."""

    log: str
    size: int
    note: str
    keys: int


@dataclass(frozen=True, slots=True)
class WitnessStatus:
    """What a witness watches, and files of proof that a log signed two histories."""

    key: str
    keys: list[str]
    logs: list[CosignedLog]
    misconduct: list[str]


@dataclass(frozen=True, slots=True)
class ProvedMisconduct:
    """Two checkpoints of a log that can't both be true."""

    log: str
    sizes: list[int]
    roots: list[str]


def _show_witness(made: NewWitness, *, name: str) -> None:
    show_policy_line("witness", made.folder, name, made.key)


def show_policy_line(kind: str, folder: str, name: str, key: str) -> None:
    """Print how operators name a new witness or mirror in their policies."""
    echo(f"A {kind} was made in {folder}. Operators write this line into their policies:")
    host = name.partition("/")[0]  # requests come to the root, whatever tells its keys apart
    echo(f"witness {name} {key} https://{host}")


def show_proofs(proofs: list[str]) -> None:
    """Print the files of proof that a log signed two histories."""
    for proof in proofs:
        echo(f"PROOF OF MISCONDUCT: {proof}", style="bold red")


@app.command()
@answers(_show_witness)
def init(
    folder: Folder,
    *,
    name: Annotated[
        str,
        typer.Option(help="Who you are: an address without its scheme, witness.example/1."),
    ],
    algorithm: OfKey = CosigningAlgorithm.ED25519,
) -> NewWitness:
    """Make a witness: its key, and a memory that knows no log yet.

    Give the key that is printed to the operators of the logs, for their policies. In the folder of
    a witness that has no key of this algorithm, one is added: the witness then cosigns with both
    from its next start on.

    Example: `gameledger witness init watch --name witness.example/1 --algorithm ml-dsa-44`
    """
    key = WitnessFolder(folder).create(name, algorithm.algorithm)
    return NewWitness(str(folder), key.public.text)


def _show_watched(log: WatchedLog) -> None:
    echo(f"The witness watches {log.log}; keys that may sign for it: {len(log.keys)}.")


@app.command()
@answers(_show_watched)
def add(
    folder: Folder,
    key: Annotated[str, typer.Argument(metavar="KEY", help="Public key of the log, one line.")],
) -> WatchedLog:
    """Watch a log from now on, or let one more key sign for it; no restart is needed.

    The key comes from the operator by a way that you trust: `gameledger log checkpoint` prints it.

    Example: `gameledger witness add watch casino.example/live+e86c2460+AepKbGPinFIK…`
    """
    found, public = WitnessFolder(folder), PublicKey.parse(key)
    found.own_keys()
    with found.turn() as turn:
        memory = turn.add_key(public)
    return WatchedLog(memory.origin, [one.text for one in memory.keys], memory.size)


def _show_status(status: WitnessStatus) -> None:
    facts([("key", key) for key in status.keys])
    rows = [(one.log, one.keys, number(one.size)) for one in status.logs]
    nothing = "No log is watched yet: `gameledger witness add`."
    table(("log", "keys", "cosigned messages"), rows, nothing=nothing)
    show_proofs(status.misconduct)


@app.command()
@answers(_show_status, end=lambda status: int(bool(status.misconduct)))
def status(folder: Folder) -> WitnessStatus:
    """Show the logs that are watched, and proofs of misconduct; exit code 1 if there are any.

    Example: `gameledger witness status watch`
    """
    found = WitnessFolder(folder)
    keys = [key.public.text for key in found.own_keys()]
    return WitnessStatus(
        key=keys[0],
        keys=keys,
        logs=[
            CosignedLog(one.origin, one.size, str(one.note or ""), len(one.keys))
            for one in found.remembered()
        ],
        misconduct=[str(path) for path in stored_proofs(found.misconduct)],
    )


def _show_misconduct(proved: ProvedMisconduct) -> None:
    echo(f"{proved.log} signed two histories: these can't both be true.", style="bold red")
    heads = zip(proved.sizes, proved.roots, strict=True)
    facts([(f"first {number(size)}", f"root {root}") for size, root in heads])


@app.command()
@answers(_show_misconduct)
def check(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A proof of misconduct.")],
    key: Annotated[str, typer.Argument(metavar="KEY", help="Public key of the log, one line.")],
) -> ProvedMisconduct:
    """Check a proof that a log signed two histories; exit code 3 if it proves nothing.

    Example: `gameledger witness check proof.txt casino.example/live+e86c2460+AepKbGPinFIK…`
    """
    notes = require_misconduct(read_text(file), [PublicKey.parse(key)])
    heads = [note.head for note in notes]
    return ProvedMisconduct(
        heads[0].origin, [head.size for head in heads], [head.root.hex() for head in heads]
    )


@app.command()
@emits(ProgressMessage, is_line=True)
def run(
    ctx: typer.Context,
    folder: Folder,
    *,
    listen: Annotated[
        str,
        typer.Option(
            envvar="GAMELEDGER_WITNESS_LISTEN", metavar="HOST:PORT", help="Where logs come."
        ),
    ] = "127.0.0.1:7412",
    as_json: Json = False,
) -> None:
    """Answer logs by HTTP, as C2SP tlog-witness has it, until SIGTERM.

    HTTPS with `--tls-cert` and `--tls-key` (before `witness`). What is cosigned is on disk before
    the answer leaves. A lost or damaged memory is reported, and nothing is cosigned.

    Example: `gameledger witness run watch --listen 0.0.0.0:7412`
    """
    from tools.witness.server import serving
    from tools.witness.witness import Witness

    notify = partial(echo_progress, as_json=as_json)

    witness = Witness(WitnessFolder(folder), SystemClock(), notify)
    environment = settings_of(ctx).environment
    tls, listener = port_tls(environment), listening(listen)
    stop = stop_on_signals()
    with serving(witness, listener, notify, tls=tls, hosts=allowed_hosts(environment)):
        scheme = "https" if tls else "http"
        notify(f"witness {witness.keys[0].name} answers at {scheme}://{Address.of(listener)}")
        wait_for(stop)
    notify("stopped")


def port_tls(environment: Mapping[str, str]) -> ssl.SSLContext | None:
    """Prepare a port with certificate and key, if both are named.

    Raises:
        InputError: one of them is named alone, or they can't be used.

    """
    named = [environment.get(f"GAMELEDGER_TLS_{one}") for one in ("CERT", "KEY")]
    if not any(named):
        return None
    if not all(named):
        raise InputError("HTTPS needs --tls-cert and --tls-key together")
    certificate, key = (Path(str(one)) for one in named)
    return with_key(ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER), certificate, key)
