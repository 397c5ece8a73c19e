"""``watch``: follow the log and report faults within a second of their event."""

from __future__ import annotations

import sys
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from ledger.log.opening import opening_of
from tools.cli._answering import emits
from tools.cli._options import (
    DATA,
    Data,
    HealthPort,
    Json,
)
from tools.cli._output import counted, echo, emit
from tools.cli._stop import stop_on_signals
from tools.cli._when import First, position
from tools.service.health import ProcessHealth, health_port
from tools.watch.rules import read_rules
from tools.watch.running import Metrics, follow
from tools.watch.spool import Spool
from tools.watch.watcher import Alarm

__all__ = ["CheckedRules", "watch"]


@dataclass(frozen=True, slots=True)
class CheckedRules:
    """Rules of the watch that are in order, counted."""

    rules: int
    destinations: int


@emits(Alarm | CheckedRules, is_line=True)
def watch(
    *,
    rules: Annotated[
        Path | None,
        typer.Option(
            envvar="GAMELEDGER_WATCH_RULES",
            metavar="FILE",
            help="What alarms and where it goes, in TOML; without, every finding, to stdout.",
        ),
    ] = None,
    check_rules: Annotated[
        bool, typer.Option("--check-rules", help="Check the file of rules and end.")
    ] = False,
    first: First = None,
    health: HealthPort = None,
    data: Data = DATA,
    as_json: Json = False,
) -> None:
    """Follow the log and tell a violation or a wrong payment within a second of its event.

    Alarms are lines of JSON on the standard output; the rules send them to webhooks, too. The
    first time it begins at the end of the log, or at `--from`; later where it ended. It goes on
    until SIGTERM. What needs the whole history it finds by a slower beat, with `reconcile --since
    last`. docs/watch.md has the rules, the deliveries and what is found live.

    Example: `gameledger watch --rules watch.toml --health 127.0.0.1:9412`
    """
    found = read_rules(rules)
    if check_rules:
        if as_json:
            emit(CheckedRules(len(found.rule), len(found.destination)))
        else:
            destinations = counted(len(found.destination), "destination")
            echo(f"{counted(len(found.rule), 'rule')} and {destinations} are in order.")
        return
    stop = stop_on_signals()
    with ExitStack() as stack:
        log = stack.enter_context(closing(data.read()))
        size = log.head().size
        begins = position(log, first, size=size, begins=True)
        spool = stack.enter_context(closing(Spool(data.path / "watch")))
        opening = opening_of(log)
        measured = Metrics(opening.chain, found, spool)
        watched = ProcessHealth("watch", measured.registry, data.path)
        stack.enter_context(health_port(health, watched, data.hosts))
        watched.enter("watching", ready=True)
        print("gameledger: watching", file=sys.stderr, flush=True)

        def notify(alarm: object) -> None:
            emit(alarm)
            sys.stdout.flush()

        follow(
            log,
            opening,
            found,
            spool,
            measured,
            notify,
            stop,
            first=size if begins is None else begins,
            environment=data.environment,
        )
