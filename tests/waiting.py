"""Waiting for what happens in another thread or program."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["PATIENCE_SECONDS", "until"]

PATIENCE_SECONDS = 120


def until(is_so: Callable[[], bool], state: Callable[[], object] | None = None) -> None:
    """Wait until something is so; a test that waits too long fails and shows the ``state``."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not is_so():
        if time.monotonic() > deadline:
            pytest.fail(f"it did not happen within {PATIENCE_SECONDS} s: {state and state()}")
        time.sleep(0.02)
