"""Processes of our own, each at one end of a pipe."""

from __future__ import annotations

import subprocess
import sys
from multiprocessing.connection import Pipe
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from multiprocessing.connection import Connection

__all__ = ["start"]


def start(serve: Callable[[int], None]) -> tuple[subprocess.Popen[bytes], Connection]:
    """Start a process that serves the other end of a pipe, and return it with this end.

    Args:
        serve: function of a module, called there with the number of the file that is its end.

    Raises:
        OSError: there is no room for one.

    """
    ours, theirs = Pipe()
    with theirs:
        end = theirs.fileno()
        code = f"from {serve.__module__} import {serve.__name__} as serve; serve({end})"
        process = subprocess.Popen([sys.executable, "-c", code], pass_fds=[end])  # noqa: S603 - our own module
    return process, ours
