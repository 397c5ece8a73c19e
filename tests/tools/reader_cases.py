"""A process that may only read what lies in a folder, whoever runs the tests."""

from __future__ import annotations

import stat
from contextlib import contextmanager
from typing import TYPE_CHECKING

from tests.tools.cli_cases import run

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["ask", "read_only"]


@contextmanager
def read_only(folder: Path, *, files: bool = True) -> Iterator[None]:
    """Take the right to write from a folder and all in it, or from the folder alone."""
    found = (folder, *folder.rglob("*")) if files else (folder,)
    before = {path: stat.S_IMODE(path.lstat().st_mode) for path in found}
    for path, mode in before.items():
        path.chmod(mode & ~0o222)
    try:
        yield
    finally:
        for path, mode in before.items():
            path.chmod(mode)


def ask(
    *arguments: str, data: Path, home: Path, environment: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run the program with a home of its own, and without root's right to pass over modes."""
    home.mkdir(exist_ok=True)
    own = {"HOME": str(home), **(environment or {})}
    return run(*arguments, data=data, environment=own, obeying_modes=True)
