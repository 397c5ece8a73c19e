"""Stop a command that follows the log."""

from __future__ import annotations

import signal
import threading

from tools.signals import handling

__all__ = ["stop_on_signals"]


def stop_on_signals() -> threading.Event:
    """Return an event that SIGTERM and SIGINT set from now on, instead of ending the program."""
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, handling(stop.set))
    return stop
