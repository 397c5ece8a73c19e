"""Source of random bytes."""

from __future__ import annotations

from collections.abc import Callable

__all__ = ["Entropy"]

Entropy = Callable[[int], bytes]
"""Function that returns a number of random bytes: ``os.urandom``, or a seeded simulation source."""
