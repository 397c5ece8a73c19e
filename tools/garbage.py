"""Tune Python's garbage collector: the program's objects are rarely in reference cycles."""

from __future__ import annotations

import atexit
import gc

__all__ = ["collect_seldom", "end_at_once"]

COLLECTED_AFTER = 50_000, 20, 100
"""Objects, and rounds, between two collections."""


def collect_seldom() -> None:
    """Run the cycle collector in this process as rarely as in the program."""
    gc.set_threshold(*COLLECTED_AFTER)


def end_at_once() -> None:
    """Skip the final collection of all objects when this process ends, which takes 60 ms."""
    atexit.register(gc.freeze)
