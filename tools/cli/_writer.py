"""``writer``: the ledger as a service, with as many standbys as are started."""

from __future__ import annotations

import os
import signal
import sys
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NotRequired, TypedDict

import typer

from ledger.core.clock import SystemClock
from ledger.core.errors import InputError
from tools.cli._answering import answers, emits
from tools.cli._options import DATA, Data, HealthPort, Json, finite
from tools.cli._output import echo_each, emit, moment, number
from tools.data import DataDirectory
from tools.service.address import Address
from tools.service.authentication import ClientAuthenticator
from tools.service.health import ProcessHealth, health_port
from tools.service.http.serving import HttpListener
from tools.service.leader import run
from tools.service.server import Server, require_guarded
from tools.service.stop import Stop
from tools.service.time_source import TimeSource
from tools.service.tracing import tracing_of
from tools.signals import handling

if TYPE_CHECKING:
    from collections.abc import Callable

    from tools.service.kafka.serving import CommandConsumer

__all__ = ["WriterState", "practice_certificates", "writer"]

HTTP = "127.0.0.1:7412"


READY = {
    "standby": ("standby", False),
    "leading": ("leading", True),
    "not_storing": ("not storing", False),
    "storing": ("leading", True),
    "stopped": ("stopped", False),
}
"""By what is reported: the state of the process, and whether it is ready."""


class WriterState(TypedDict):
    """A state of the service, with what belongs to it."""

    state: str
    at: int
    chain: NotRequired[str]
    size: NotRequired[int]
    address: NotRequired[str]
    http: NotRequired[str]
    topics: NotRequired[list[str]]
    topic: NotRequired[str]
    turned_away: NotRequired[int]
    client: NotRequired[str]
    why: NotRequired[str]
    count: NotRequired[int]
    text: NotRequired[str]
    commands: NotRequired[list[str]]


@emits(WriterState, is_line=True)
def writer(
    *,
    listen: Annotated[
        str | None,
        typer.Option(
            envvar="GAMELEDGER_LISTEN",
            metavar="unix:/PATH",
            help="Socket for clients on this machine, which send JSON lines.",
        ),
    ] = None,
    http: Annotated[
        str | None,
        typer.Option(
            envvar="GAMELEDGER_HTTP",
            metavar="HOST:PORT",
            help=f"Where clients come over HTTP; {HTTP} if there is no --listen either.",
        ),
    ] = None,
    commands_from: Annotated[
        list[str] | None,
        typer.Option(
            envvar="GAMELEDGER_COMMANDS_FROM",
            metavar="URL",
            help="A topic of commands, kafka://host:port/topic?…; may be given again.",
        ),
    ] = None,
    clients: Annotated[
        Path | None,
        typer.Option(
            envvar="GAMELEDGER_CLIENTS",
            metavar="FILE",
            help="Who may send what: a list in TOML. Without one, whoever can connect, everything.",
        ),
    ] = None,
    socket_group: Annotated[
        str | None,
        typer.Option(
            envvar="GAMELEDGER_SOCKET_GROUP",
            metavar="GROUP",
            help="Who may connect to the socket besides the user of the writer.",
        ),
    ] = None,
    plain: Annotated[
        bool,
        typer.Option(
            "--plain",
            envvar="GAMELEDGER_PLAIN",
            help="Listen to other machines without TLS, because something before it checks.",
        ),
    ] = False,
    time_source: Annotated[
        str | None,
        typer.Option(
            envvar="GAMELEDGER_TIME_SOURCE",
            metavar="HOST[:PORT]",
            help="NTP server that the clock is compared with, at the start and every hour.",
        ),
    ] = None,
    lease_seconds: Annotated[
        float,
        typer.Option(
            envvar="GAMELEDGER_LEASE_SECONDS",
            min=6,
            max=1800,
            callback=finite,
            help="How long a leader on Kafka may be silent before a standby takes over.",
        ),
    ] = 10.0,
    health: HealthPort = None,
    data: Data = DATA,
    as_json: Json = False,
) -> None:
    r"""Decide commands as a service: over HTTP, or as the lines of `record` on a Unix socket.

    Start it twice or more: one leads, the others answer that they stand by and take over when
    it ends, is killed or is not heard of. On Kafka each has a data directory of its own, and
    they share the folder of the keys (`--keys`); with the log in the data directory all share
    that. A command that was not answered is sent again, with its `command_id`, to whoever leads.

    With `--tls-ca`, `--tls-cert` and `--tls-key` (before `writer`) clients show certificates; what
    each may send is in `--clients`, as docs/writer.md has it. Both are read again on SIGHUP.

    With `--time-source` it does not begin with a clock that is a minute away from it, and records
    how far the two are apart. A clock that is set ahead meanwhile stops the record until it is
    right.

    Ends on SIGTERM with exit code 0 when what was on its way is answered; exit code 6 when
    another writer took over.

    Example: `gameledger --tls-ca ca.crt --tls-cert writer.crt --tls-key writer.pem
    writer --http 0.0.0.0:7412 --clients clients.toml`
    """
    stop = Stop(ends_process=True)

    watched: ProcessHealth | None = None

    def notify(state: str, **facts: Any) -> None:
        if watched is not None and state in READY:
            name, ready = READY[state]
            watched.enter(name, ready=ready)
        with suppress(OSError):  # it serves on if standard error is closed
            if as_json:
                document = {"state": state, "at": SystemClock().now(), **facts}
                emit(document)
                sys.stdout.flush()
            else:
                print(f"{moment(SystemClock().now())} {_in_words(state, facts)}", file=sys.stderr)

    with ExitStack() as stack:
        for number_of_signal in (signal.SIGTERM, signal.SIGINT):
            before = signal.signal(number_of_signal, handling(stop))
            stack.callback(signal.signal, number_of_signal, before)
        path = None if listen is None else _socket_path(listen)
        authenticator = ClientAuthenticator(clients)
        http_listener = None
        if http is not None or path is None:
            http_listener = _http_listener(http or HTTP, clients, data, plain=plain)
            stack.callback(http_listener.close)
        topics = _topics(
            commands_from or [], data.locations.log, authenticator, notify, plain=plain
        )
        tracing = tracing_of(os.environ)
        stack.callback(tracing.close)
        server = Server(
            path,
            authenticator,
            group=socket_group,
            notify=notify,
            http=http_listener,
            topics=topics,
            tracing=tracing,
        )
        stack.callback(server.close)
        before = signal.signal(signal.SIGHUP, handling(server.reload))
        stack.callback(signal.signal, signal.SIGHUP, before)
        source = TimeSource(time_source) if time_source else None
        server.metrics.registry.chain = data.chain_name()
        watched = ProcessHealth("writer", server.metrics.registry, data.path, data.certificates)
        stack.enter_context(health_port(health, watched, data.hosts))
        standby = data.standby(lease_seconds=lease_seconds)
        run(standby, data.lead, server, stop, notify, source=source)


def _socket_path(listen: str) -> Path:
    if not listen.startswith("unix:/"):
        raise InputError(
            f"--listen is {listen!r}, and lines come through a socket alone: give unix:/path, or "
            "--http HOST:PORT for other machines"
        )
    return Path(listen.removeprefix("unix:"))


def _http_listener(
    place: str, clients: Path | None, data: DataDirectory, *, plain: bool
) -> HttpListener:
    """Open the port for HTTP; refuse one through which anyone on the network could write."""
    authenticator, address = (
        ClientAuthenticator(clients, data.locations.tls),
        Address.for_http(place),
    )
    require_guarded(address, authenticator, plain=plain)
    return HttpListener(address, authenticator, hosts=data.hosts)


@answers(echo_each)
def practice_certificates(
    *,
    folder: Annotated[Path, typer.Argument(help="Where they go.")],
    clients: Annotated[
        list[str], typer.Argument(metavar="CLIENT…", help="DNS names of the clients.")
    ],
    host: Annotated[
        list[str] | None,
        typer.Option(help="Name or address of the writer; localhost and 127.0.0.1 by default."),
    ] = None,
) -> list[str]:
    """Make certificates to practise `writer` with TLS; they are trusted nowhere else.

    They hold for a month. The real ones come from the operator's own authority.

    Example: `gameledger practice-certificates tls studio.example.cz cage.example.cz`
    """
    from tools.practice.certificates import write_practice_certificates

    paths = write_practice_certificates(folder, host or ["localhost", "127.0.0.1"], clients)
    return [str(path) for path in paths]


def _topics(
    urls: list[str],
    log: str | None,
    authenticator: ClientAuthenticator,
    notify: Callable[..., None],
    *,
    plain: bool,
) -> list[CommandConsumer]:
    """Open the topics of commands.

    Raises:
        LedgerError: as :class:`CommandConsumer`; or one of them is given twice, or is the log.

    """
    if not urls:
        return []
    from ledger.log.kafka.settings import KafkaSettings
    from tools.service.kafka.serving import CommandConsumer

    taken = [KafkaSettings.from_url(url).topic for url in [*urls, *([log] if log else [])]]
    if len(set(taken)) < len(taken):
        raise InputError("a topic of commands is given once, and is not that of the log")
    return [CommandConsumer(url, authenticator, notify, plain=plain) for url in urls]


def _in_words(state: str, facts: dict[str, Any]) -> str:
    if state == "leading":
        size = number(facts["size"])
        listeners = [facts[listener] for listener in ("address", "http") if listener in facts]
        places = " and ".join(
            [*listeners, *(f"topic {topic}" for topic in facts.get("topics", ()))]
        )
        return f"leading: chain {facts['chain']}, {size} messages, clients at {places}"
    words = {
        "standby": "standing by",
        "reloaded": "list of clients and certificates read again",
        "not_reloaded": "list of clients and certificates kept as they were: {text}",
        "not_storing": "not ready, commands can't be stored: {text}",
        "storing": "ready, commands are stored again",
        "log_unsafe": "the log is not as it must be: {text}\n{commands_in_lines}",
        "log_safe": "the log is kept as it must be again",
        "turned_away": "turned away: {who}, {why}, {count} so far",
        "commands_away": "commands of topic {topic} are not read: {text}",
        "commands_back": "commands of topic {topic} are read again",
        "commands_expired": "topic {topic} dropped commands before they were read: {text}",
        "clock_not_measured": "the clock was not compared with its source: {why}",
        "stopped": "stopped; turned away: {turned_away}",
    }
    lines = "\n".join(facts.get("commands", ()))
    return words[state].format(
        **facts, commands_in_lines=lines, who=facts.get("client") or "nobody of the list"
    )
