"""How often a program of ours looks for circles of garbage: hardly anything is in one."""

from __future__ import annotations

import gc

__all__ = ["collect_no_more", "collect_seldom"]

COLLECTED_AFTER = 50_000, 20, 100
"""Objects, and rounds, between two collections."""


def collect_seldom() -> None:
    """Let this process look for circles as seldom as the program does."""
    gc.set_threshold(*COLLECTED_AFTER)


def collect_no_more() -> None:
    """Let this process end without looking over everything that it made, which takes 60 ms."""
    gc.freeze()
