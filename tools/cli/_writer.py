"""``writer``: the ledger as a service, with as many standbys as are started."""

from __future__ import annotations

import signal
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated, Any

import typer

from ledger.clock import SystemClock
from tools.cli._options import Data, Json  # noqa: TC001 - typer reads the annotations
from tools.cli._output import emit, moment, number
from tools.data import DataDirectory
from tools.service import Address, Server, Stop, run

__all__ = ["writer"]


def writer(
    *,
    listen: Annotated[
        str,
        typer.Option(
            envvar="GAMELEDGER_LISTEN",
            metavar="HOST:PORT",
            help="Where clients come, or unix:/path.",
        ),
    ] = "127.0.0.1:7411",
    lease_seconds: Annotated[
        float,
        typer.Option(
            envvar="GAMELEDGER_LEASE_SECONDS",
            help="How long a leader on Kafka may be silent before a standby takes over.",
        ),
    ] = 10.0,
    data: Data = Path("data"),
    as_json: Json = False,
) -> None:
    r"""Decide commands as a service: the lines and answers of `record`, over TCP or a Unix socket.

    Start it twice or more: one leads, the others stand by with closed ports and take over when
    it ends, is killed or is not heard of. On Kafka each has a data directory of its own, and
    they share the folder of the keys (`--keys`); with the log in the data directory all share
    that. A command that was not answered is sent again, with its `command_id`, to whoever leads.

    Ends on SIGTERM with exit code 0 when what was on its way is answered; exit code 6 when
    another writer took over.

    Example: `gameledger --log kafka://kafka-1:9092/sazka-live writer --listen 0.0.0.0:7411`
    """
    directory, stop = DataDirectory(data), Stop(ends_process=True)

    def tell(state: str, **facts: Any) -> None:
        if as_json:
            document = {"state": state, "at": SystemClock().now(), **facts}
            emit(document)
            sys.stdout.flush()
        else:
            print(f"{moment(SystemClock().now())} {_in_words(state, facts)}", file=sys.stderr)

    with ExitStack() as stack:
        for number_of_signal in (signal.SIGTERM, signal.SIGINT):
            before = signal.signal(number_of_signal, lambda *_: stop())
            stack.callback(signal.signal, number_of_signal, before)
        server = Server(Address.parse(listen))
        stack.callback(server.close)
        standby = directory.standby(lease_seconds=lease_seconds)
        run(standby, directory.lead, server, stop, tell)


def _in_words(state: str, facts: dict[str, Any]) -> str:
    if state == "leading":
        size = number(facts["size"])
        return f"leading: chain {facts['chain']}, {size} messages, clients at {facts['address']}"
    return {"standby": "standing by", "stopped": "stopped"}[state]
