"""``feed``: what a provider tells by webhooks, as commands."""

from __future__ import annotations

import signal
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path
from threading import Event
from typing import Annotated

import typer

from ledger.core.clock import MINUTE, SystemClock
from tools.cli._answering import emits
from tools.cli._options import (
    DATA,
    Data,
    HealthPort,
    Json,
)
from tools.cli._output import ProgressMessage, echo_progress
from tools.service.address import Address, listening
from tools.signals import handling

__all__ = ["feed"]


@emits(ProgressMessage, is_line=True)
def feed(
    settings: Annotated[
        Path, typer.Argument(metavar="FILE", help="Settings of the feed, in TOML.")
    ],
    *,
    health: HealthPort = None,
    data: Data = DATA,
    as_json: Json = False,
) -> None:
    """Take a provider's webhooks and send what they say to the ledger, until SIGTERM.

    A message is on disk before it is acknowledged, and followed in the provider's order; each is
    decided once, also where this program or the writer is killed. What can't be followed is
    recorded and found by `reconcile`. docs/recipes/connect-a-provider.md shows the settings, and
    how a provider is added.

    Example: `gameledger --writers https://writer-1:7412 feed aurora.toml`
    """
    from tools.feed.following import Follower, feed_waiting
    from tools.feed.sealing import FeedSealer
    from tools.feed.server import Intake, serving
    from tools.feed.settings import read_feed
    from tools.feed.spool import Spool
    from tools.service.health import ProcessHealth, health_port
    from tools.web.metrics import ChainRegistry

    notify = partial(echo_progress, as_json=as_json)

    found = read_feed(settings)
    provider, secrets, tls = found.reader(), found.keys(), found.tls()
    key = found.source_key()
    stop, arrived = Event(), Event()

    def end() -> None:
        stop.set()
        arrived.set()

    with ExitStack() as stack:
        taking = stack.enter_context(closing(Spool(found.spool)))
        following = stack.enter_context(closing(Spool(found.spool)))
        listener = stack.enter_context(listening(found.listen))
        ledger = stack.enter_context(data.write())
        for number in (signal.SIGTERM, signal.SIGINT):
            stack.callback(signal.signal, number, signal.signal(number, handling(end)))
        intake = Intake(taking, provider, secrets, SystemClock(), arrived)
        stack.enter_context(serving(intake, listener, tls, data.hosts))
        scheme = "https" if tls else "http"
        notify(f"feed {found.name}: webhooks at {scheme}://{Address.of(listener)}")
        registry = ChainRegistry()
        waiting = feed_waiting(registry, found.name)
        watched = ProcessHealth("feed", registry, found.spool.parent, data.certificates)
        stack.enter_context(health_port(health, watched, data.hosts))
        watched.enter("following", ready=True)
        sealer = None
        if key is not None:
            system, interval = found.system or found.name, found.seal_minutes * MINUTE
            sealer = FeedSealer(
                found.spool,
                key,
                chain=found.chain,
                system=system,
                clock=SystemClock(),
                interval=interval,
            )
            stack.callback(sealer.close)
        follower = Follower(following, provider, ledger, SystemClock(), sealer=sealer)
        follower.run(stop, arrived, notify, waiting.set)
    notify("stopped")
