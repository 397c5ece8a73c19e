"""``mirror``: hold the logs of operators, verified, and sign what is held."""

from __future__ import annotations

from contextlib import ExitStack, closing
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer
from msgspec import structs

from ledger.core.clock import SystemClock
from ledger.core.errors import IntegrityError
from ledger.tlog.cosigning import CosignerKey
from ledger.tlog.signing import PublicKey
from tools.cli._answering import answers, emits
from tools.cli._help import Commands
from tools.cli._mirror_ask import Folder, ask
from tools.cli._mirror_shared import add_questions, project
from tools.cli._options import HealthPort, Json, settings_of
from tools.cli._output import (
    ProgressMessage,
    echo,
    echo_progress,
    facts,
    moment,
    number,
    table,
)
from tools.cli._stop import stop_on_signals
from tools.cli._witness import CosigningAlgorithm, OfKey, port_tls, show_policy_line, show_proofs
from tools.mirror.challenge import ChallengeResult, challenge_copy
from tools.mirror.folder import MirrorFolder
from tools.mirror.status import CopyStatus, copies_of, is_silent
from tools.service.address import Address, listening
from tools.signals import wait_for
from tools.web.hosts import allowed_hosts
from tools.witness.proofs import stored_proofs

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = [
    "MirrorStatus",
    "MirroredLog",
    "NewMirror",
    "app",
]

app = Commands("A mirror: holds the logs of operators, verified, and signs what it holds.")

app.command()(ask)
app.command()(project)
add_questions(app)


@dataclass(frozen=True, slots=True)
class NewMirror:
    """A mirror that was made."""

    folder: str
    key: str


@dataclass(frozen=True, slots=True)
class MirroredLog:
    """A log that is mirrored, the keys that may sign for it, and where it is fetched."""

    log: str
    keys: list[str]
    source: str
    data: str


@dataclass(frozen=True, slots=True)
class MirrorStatus:
    """The copies of a mirror, and files of proof that a log signed two histories."""

    key: str
    keys: list[str]
    logs: list[CopyStatus]
    misconduct: list[str]


def _show_mirror(made: NewMirror, *, name: str) -> None:
    show_policy_line("mirror", made.folder, name, made.key)


@app.command()
@answers(_show_mirror)
def init(
    folder: Folder,
    *,
    name: Annotated[
        str,
        typer.Option(help="Your name: an address without its scheme, authority.example/mirror."),
    ],
    algorithm: OfKey = CosigningAlgorithm.ED25519,
) -> NewMirror:
    """Make a mirror: its key, and a memory that knows no log yet; or add a key of an algorithm.

    The key signs what is held, and nothing else: a witness has another key and another name.

    Example: `gameledger mirror init held --name authority.example/mirror`
    """
    key = MirrorFolder(folder).create(name, algorithm.algorithm)
    return NewMirror(str(folder), key.public.text)


def _show_added(log: MirroredLog) -> None:
    echo(f"The mirror holds {log.log} from now on; keys that may sign for it: {len(log.keys)}.")
    facts([("from", log.source or "its operator, which sends it"), ("copy", log.data)])


@app.command()
@answers(_show_added)
def add(
    folder: Folder,
    key: Annotated[str, typer.Argument(metavar="KEY", help="Public key of the log, one line.")],
    *,
    source: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="PLACE",
            help="Fetch it: folder or URL of its tiles, or URL of its topic.",
        ),
    ] = None,
    operator: Annotated[str | None, typer.Option(help="Name of the operator.")] = None,
    contact: Annotated[str | None, typer.Option(help="Whom to call.")] = None,
    lag: Annotated[
        int | None,
        typer.Option(
            min=1,
            metavar="SECONDS",
            help="How long the copy may be behind an announced checkpoint; 120 by default.",
        ),
    ] = None,
    silence: Annotated[
        int | None,
        typer.Option(
            min=0,
            metavar="SECONDS",
            help="How long nothing may be recorded; 0, for ever, at first.",
        ),
    ] = None,
) -> MirroredLog:
    """Hold a log from now on, or let one more key sign for it, or change what is known of it.

    The key comes from the operator by a way that you trust: `gameledger log checkpoint` prints it.
    Without `--from` the operator sends the log, as C2SP tlog-mirror has it. A running mirror takes
    a new place when it is started again.

    Example: `gameledger mirror add held casino.example/live+e86c2460+AepKbGPinFIK… --from https://log.casino.example`
    """
    found, public = MirrorFolder(folder), PublicKey.parse(key)
    found.own_keys()
    given = {
        "source": source,
        "name": operator,
        "contact": contact,
        "lag_seconds": lag,
        "silence_seconds": silence,
    }
    with found.turn() as turn:
        memory = turn.add_key(public)
    known = found.operator_of(memory.origin)
    changed = {name: value for name, value in given.items() if value is not None}
    if changed:
        known = structs.replace(known, **changed)
        found.set_operator(memory.origin, known)
    return MirroredLog(
        memory.origin,
        [one.text for one in memory.keys],
        known.source,
        str(found.data_of(memory.origin)),
    )


def _show_status(status: MirrorStatus) -> None:
    facts([("key", key) for key in status.keys])
    rows = [
        (
            one.log,
            one.operator,
            number(one.announced),
            number(one.held),
            *("" if at is None else moment(at) for at in (one.signed_at, one.recorded_at)),
            _state(one),
            one.data,
        )
        for one in status.logs
    ]
    columns = (
        *("log", "operator", "announced", "held", "signed (Prague)", "last record (Prague)"),
        *("state", "copy"),
    )
    table(columns, rows, nothing="No log is held yet: `gameledger mirror add`.")
    for one in status.logs:
        if _state(one):
            whom = f"; contact: {one.contact}" if one.contact else ""
            echo(f"{one.log}: {one.fault or _state(one)}{whom}", style="bold red")
    show_proofs(status.misconduct)


def _state(copy: CopyStatus) -> str:
    words = (("damaged", copy.fault), ("late", copy.is_late), ("silent", copy.is_silent))
    return ", ".join(word for word, applies in words if applies)


def _is_noticed(status: MirrorStatus) -> int:
    return int(bool(status.misconduct) or any(map(_state, status.logs)))


@app.command()
@answers(_show_status, end=_is_noticed)
def status(folder: Folder) -> MirrorStatus:
    """Show what is held of each log, which is late, silent or damaged, and proofs of misconduct.

    Exit code 1 if there is any of these. Limits are set by `gameledger mirror add`. Ask one copy
    like any other chain: `gameledger --data COPY round list`.

    Example: `gameledger mirror status held`
    """
    found = MirrorFolder(folder)
    proofs = [str(path) for path in stored_proofs(found.misconduct)]
    keys = [key.public.text for key in found.own_keys()]
    return MirrorStatus(keys[0], keys, copies_of(found, SystemClock().now()), proofs)


def _show_challenged(found: ChallengeResult) -> None:
    echo(
        f"{found.log}: {number(found.size)} messages signed {moment(found.signed_at)}; "
        f"{number(found.messages)} of them, chosen at random, are there."
    )


@app.command()
@answers(_show_challenged)
def challenge(
    place: Annotated[
        str, typer.Argument(metavar="PLACE", help="URL or folder of a copy that a mirror serves.")
    ],
    key: Annotated[str, typer.Argument(metavar="KEY", help="Public key of the mirror, one line.")],
    *,
    bundles: Annotated[
        int, typer.Option(min=1, max=4096, help="How many bundles of 256 messages are read.")
    ] = 16,
    size: Annotated[int, typer.Option(min=0, help="Messages that the mirror signed before.")] = 0,
) -> ChallengeResult:
    """Read random messages back from a mirror, and prove that they are in the tree it signed.

    Exit code 3 if one is missing or another, or if the mirror signed less than it did: run it from
    a timer whose failure raises an alarm. `gameledger log status` has what a mirror signed.

    Example: `gameledger mirror challenge https://authority.example/38ef… authority.example/1+1a2b…`
    """
    from ledger.log.tiles import TiledLog

    return challenge_copy(TiledLog(place), CosignerKey.parse(key), bundles=bundles, size_min=size)


@app.command()
@emits(ProgressMessage, is_line=True)
def run(
    ctx: typer.Context,
    folder: Folder,
    *,
    listen: Annotated[
        str,
        typer.Option(
            envvar="GAMELEDGER_MIRROR_LISTEN", metavar="HOST:PORT", help="Where logs come."
        ),
    ] = "127.0.0.1:7413",
    health: HealthPort = None,
    as_json: Json = False,
) -> None:
    """Take and fetch logs, verify, store and sign them, and serve the copies, until SIGTERM.

    Requests are those of C2SP tlog-mirror; HTTPS with `--tls-cert` and `--tls-key` (before
    `mirror`). A message is stored after it was verified, and a checkpoint signed after everything
    that it covers is on disk. A log with a fault is named and held up to it; others go on.

    Example: `gameledger mirror run held --listen 0.0.0.0:7413`
    """
    from tools.mirror.metrics import measure_copies
    from tools.mirror.mirror import Mirror
    from tools.mirror.pulling import Puller
    from tools.mirror.server import serving
    from tools.service.health import ProcessHealth, health_port
    from tools.web.metrics import ChainRegistry

    notify = partial(echo_progress, as_json=as_json)
    environment = settings_of(ctx).environment
    found, hosts = MirrorFolder(folder), allowed_hosts(environment)
    registry = ChainRegistry()
    with ExitStack() as stack:
        mirror = stack.enter_context(closing(Mirror(found, SystemClock(), notify)))
        origins = [memory.origin for memory in found.remembered()]
        silent = partial(is_silent, found, clock=SystemClock())
        measure_copies(registry, origins, mirror.announced, mirror.signed, silent)
        watched = ProcessHealth("mirror", registry, folder)
        stack.enter_context(health_port(health, watched, hosts))
        tls, listener = port_tls(environment), listening(listen)
        stop = stop_on_signals()
        stack.enter_context(serving(mirror, listener, notify, tls=tls, hosts=hosts))
        places = {origin: _source_of(found, origin, notify) for origin in origins}
        pullers = [Puller(mirror, *one, notify) for one in places.items() if one[1]]
        for step in (Puller.stop, Puller.end):
            for puller in pullers:
                stack.callback(step, puller)
        watched.enter("holding", ready=True)
        scheme = "https" if tls else "http"
        notify(f"mirror {mirror.keys[0].name} answers at {scheme}://{Address.of(listener)}")
        wait_for(stop)
    notify("stopped")


def _source_of(folder: MirrorFolder, origin: str, notify: Callable[[str], None]) -> str:
    """Return where a log is fetched; what is damaged is named, and holds no other log up."""
    try:
        return folder.operator_of(origin).source
    except IntegrityError as error:
        notify(str(error))
        return ""
