"""How often a program of ours looks for circles of garbage: hardly anything is in one."""

from __future__ import annotations

import atexit
import gc

__all__ = ["collect_seldom", "end_at_once"]

COLLECTED_AFTER = 50_000, 20, 100
"""Objects, and rounds, between two collections."""


def collect_seldom() -> None:
    """Let this process look for circles as seldom as the program does."""
    gc.set_threshold(*COLLECTED_AFTER)


def end_at_once() -> None:
    """Let this process end without looking over everything that it made, which takes 60 ms."""
    atexit.register(gc.freeze)
