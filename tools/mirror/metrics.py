"""How far the copies of a mirror are, as series for Prometheus."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from prometheus_client import Gauge

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from prometheus_client import CollectorRegistry

__all__ = ["measure_copies"]


def measure_copies(
    registry: CollectorRegistry,
    origins: Iterable[str],
    announced: Callable[[str], int],
    signed: Callable[[str], int],
    silent: Callable[[str], bool],
) -> None:
    """Add the series of some logs: messages announced, those held and signed, and silence."""
    announced_gauge = Gauge(
        "gameledger_mirror_announced_messages",
        "Messages that a log announced.",
        ("log",),
        registry=registry,
    )
    held = Gauge(
        "gameledger_mirror_held_messages",
        "Messages of a log that are held, verified and signed.",
        ("log",),
        registry=registry,
    )
    silent_gauge = Gauge(
        "gameledger_mirror_silent",
        "Whether a log recorded nothing for longer than its limit.",
        ("log",),
        registry=registry,
    )
    for origin in origins:
        silent_gauge.labels(origin).set_function(partial(silent, origin))
        announced_gauge.labels(origin).set_function(partial(announced, origin))
        held.labels(origin).set_function(partial(signed, origin))
