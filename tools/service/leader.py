"""Run one writer among several: wait as a standby, then lead."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from tools.service.leader_health import LeaderHealth
from tools.service.time_source import measured_hourly

if TYPE_CHECKING:
    from collections.abc import Callable

    from ledger.log.standby import Standby
    from ledger.writer import Ledger
    from tools.service.server import Server
    from tools.service.stop import Stop
    from tools.service.time_source import TimeSource

__all__ = ["run"]

WAIT_SECONDS = 0.5


def run(
    standby: Standby,
    open_ledger: Callable[[], Ledger],
    server: Server,
    stop: Stop,
    notify: Callable[..., None],
    *,
    source: TimeSource | None = None,
) -> None:
    """Wait as a standby, lead and serve until stopped.

    Args:
        standby: waits for the leadership; closed at the end.
        open_ledger: opens the log for writing, once this writer leads.
        server: accepts clients; closed at the end.
        stop: ends the writer.
        notify: called with the state (``standby``, ``leading``, ``stopped``) and its facts, and
            with what :class:`.LeaderHealth` finds.
        source: reference of the clock, compared before the first record and then every hour.

    Raises:
        FencedError: another writer took over.
        LedgerError: another error ended the writer.

    """
    with contextlib.closing(standby), contextlib.closing(server):
        notify("standby")
        while not standby.wait(WAIT_SECONDS):
            server.refresh()
            if stop.is_set:
                notify("stopped", turned_away=0)
                return
        if source is not None:
            source.require_close()
        with open_ledger() as ledger:
            standby.watch(stop)
            server.listen()
            notify("leading", chain=ledger.chain, size=ledger.head.size, **server.addresses)
            health = LeaderHealth(standby, stop, notify, server.metrics)
            with measured_hourly(ledger, source, notify), health.checked():
                server.serve(ledger, stop, health)
    notify("stopped", turned_away=server.turned_away.total)
    if stop.error is not None:
        raise stop.error
