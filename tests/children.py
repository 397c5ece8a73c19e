"""Programs that tests start and that go on until they are told to end."""

from __future__ import annotations

import subprocess
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["child"]


@contextmanager
def child(command: Sequence[str], **more: Any) -> Iterator[subprocess.Popen[Any]]:
    """Start a program, which is killed at the end of the block, whatever failed there.

    ``with subprocess.Popen(…)`` waits for it, and a test that fails never ends.
    """
    with subprocess.Popen(command, **more) as process:  # noqa: S603 - our own programs
        try:
            yield process
        finally:
            process.kill()
