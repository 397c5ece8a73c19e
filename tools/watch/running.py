"""The loop of the watch: follow the log, send alarms, store the position, count metrics.

Input: a log, rules, a spool and a stop signal. Output: each alarm as a line, then in the spool
together with the position in the chain, so that a line may be repeated but is never missing.
"""

from __future__ import annotations

from contextlib import ExitStack
from functools import partial
from typing import TYPE_CHECKING, Any

from prometheus_client import Counter, Gauge, Histogram

from ledger.core.clock import SECOND, SystemClock
from ledger.core.decoders import build_types
from ledger.core.errors import IntegrityError
from tools.sanitize import warn
from tools.watch.periodic_reconciliation import RECONCILE, PeriodicReconciliation
from tools.watch.watcher import Watcher
from tools.watch.webhook_sender import WebhookSender
from tools.web.metrics import ChainRegistry

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from threading import Event

    from ledger.events.event_types import ChainOpened
    from ledger.log.port import Log
    from tools.watch.rules import Rules
    from tools.watch.spool import Spool
    from tools.watch.watcher import Alarm

    Alarms = Sequence[tuple[Alarm, tuple[str, ...]]]

__all__ = ["Metrics", "follow"]

LOOK_SECONDS = 0.5
"""How long the loop waits for messages before it looks whether it is to end."""
FULL_SECONDS = 1.0
BUCKETS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60)


class Metrics:
    """The series of one watch; labels hold no name of a person or an account."""

    def __init__(self, chain: str, rules: Rules, spool: Spool) -> None:
        """Begin at zero."""
        self.registry = registry = ChainRegistry(chain)
        self.alarms = Counter(
            "gameledger_watch_alarms",
            "Alarms told, by code and severity.",
            ("code", "severity"),
            registry=registry,
        )
        self.position = Gauge(
            "gameledger_watch_position", "Messages that were looked at.", registry=registry
        )
        self.behind = Gauge(
            "gameledger_watch_behind_messages",
            "Messages of the log that are still to be looked at.",
            registry=registry,
        )
        self.seconds = Histogram(
            "gameledger_watch_alarm_seconds",
            "From the record of an event to its alarm.",
            buckets=BUCKETS,
            registry=registry,
        )
        self.failures = Counter(
            "gameledger_watch_delivery_failures",
            "Attempts that a destination did not take.",
            ("destination",),
            registry=registry,
        )
        self.beats = Counter(
            "gameledger_watch_reconciliations",
            "Reconciliations of the slower beat.",
            ("outcome",),
            registry=registry,
        )
        waiting = Gauge(
            "gameledger_watch_undelivered",
            "Alarms that wait for a destination.",
            ("destination",),
            registry=registry,
        )
        for one in rules.destination:
            name = one.name
            waiting.labels(name).set_function(partial(spool.waiting_for, name))
            self.failures.labels(name)
        for outcome in ("done", "failed"):
            self.beats.labels(outcome)
        for rule in rules.rule:
            for code in rule.names:
                self.alarms.labels(code, rule.severity)

    def record_alarms(
        self, alarms: Alarms, notify: Callable[[Alarm], Any], *, is_live: bool
    ) -> None:
        """Report and count alarms; measure the delay of those whose events are recent."""
        clock = SystemClock()
        for alarm, _ in alarms:
            notify(alarm)
            self.alarms.labels(alarm.code, alarm.severity).inc()
            if is_live:
                self.seconds.observe(max(clock.now() - alarm.recorded_at, 0) / SECOND)


def _failed(metrics: Metrics, destination: str, why: str) -> None:
    metrics.failures.labels(destination).inc()
    warn(f"{destination}: {why}")


def _warn_of_foreign_spools(spool: Spool, destinations: Sequence[str]) -> None:
    """Warn of alarms queued for a destination that the rules lack; they use no queue space."""
    for name in spool.destinations():
        if name not in destinations:
            count = spool.waiting_for(name)
            waiting = "1 alarm waits" if count == 1 else f"{count} alarms wait"
            text = f"{waiting} for {name}, a destination that the rules do not name"
            warn(f"{text}: name it again to have them delivered")


def _reconciliation_failed(metrics: Metrics, why: str) -> None:
    metrics.beats.labels("failed").inc()
    warn(f"the reconciliation failed: {why}")


def follow(  # noqa: PLR0917 - the parts of one program
    log: Log,
    opening: ChainOpened,
    rules: Rules,
    spool: Spool,
    metrics: Metrics,
    notify: Callable[[Alarm], Any],
    stop: Event,
    *,
    first: int = 0,
    reconciling: Sequence[str] = RECONCILE,
    environment: Mapping[str, str] | None = None,
) -> int:
    """Follow a log until stopped; return the position after the last examined message.

    Args:
        log: the chain.
        opening: its first event.
        rules: alarm rules.
        spool: stores the position and the queued deliveries.
        metrics: counters.
        notify: called with each alarm.
        stop: ends the watch.
        first: where to begin if the spool has no position.
        reconciling: command that prints a reconciliation as JSON, run periodically.
        environment: its variables; by default those of this process.

    Raises:
        IntegrityError: the log is shorter than the position.

    """
    if (position := spool.position(opening.chain)) is None:
        spool.begin(opening.chain, position := first)
    since, open_before = spool.last_reconciliation(opening.chain)
    watcher = Watcher(log, opening, rules, open_before=open_before, since=since)
    if position > log.head().size:
        raise IntegrityError(
            f"the watch has seen {position} messages and the log has {log.head().size}: it lost "
            "some, or it is another chain; look at both before you move the spool away"
        )
    destinations = [one.name for one in rules.destination]
    _warn_of_foreign_spools(spool, destinations)
    senders = [
        WebhookSender(one, spool, failed=partial(_failed, metrics)) for one in rules.destination
    ]
    build_types()  # before there are threads
    with ExitStack() as stack:
        for sender in senders:
            sender.start()
            stack.callback(sender.stop)
        reconciler = None
        if rules.beat_seconds:
            failed = partial(_reconciliation_failed, metrics)
            reconciler = stack.enter_context(
                PeriodicReconciliation(
                    reconciling, rules.beat_seconds, failed=failed, environment=environment
                )
            )
        while not stop.is_set():
            if spool.is_full(destinations):
                stop.wait(FULL_SECONDS)
                continue
            seen = watcher.read_alarms(position)
            metrics.record_alarms(seen.alarms, notify, is_live=True)
            if reconciler is not None and (found := reconciler.take()) is not None:
                at_once = len(seen.alarms)
                seen = watcher.add_findings(found, seen)
                metrics.record_alarms(seen.alarms[at_once:], notify, is_live=False)
                metrics.beats.labels("done").inc()
            if seen.position > position or seen.open is not None:
                spool.keep(opening.chain, seen)
                position = seen.position
                for sender in senders:
                    sender.wake()
            size = log.head().size
            metrics.position.set(position)
            metrics.behind.set(size - position)
            if position >= size:
                log.wait(size, LOOK_SECONDS)
    return position
