"""Source of random bytes."""

from __future__ import annotations

from collections.abc import Callable

__all__ = ["Entropy"]

Entropy = Callable[[int], bytes]
"""Gives that many random bytes; ``os.urandom``, or a seeded source in a simulation."""
