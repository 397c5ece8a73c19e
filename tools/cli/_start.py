"""The program from its first import on, where Ctrl-C already has to end it in order."""

from __future__ import annotations

import os
import sys

from tools.cli._interrupted import ending_if_interrupted

__all__ = ["main"]

STANDARD_ERROR = 2


def main() -> None:
    """Run the program."""
    with ending_if_interrupted():
        from tools.garbage import collect_seldom

        collect_seldom()
        _open_closed_streams()
        from tools.cli import _app
    _app.main()


def _open_closed_streams() -> None:
    """Prevent files from becoming the standard output of a program started without one."""
    from pathlib import Path

    while (descriptor := os.open(os.devnull, os.O_RDWR)) <= STANDARD_ERROR:
        pass
    os.close(descriptor)
    sys.stdout = sys.stdout or Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115
    sys.stderr = sys.stderr or sys.stdout
    sys.stdin = sys.stdin or Path(os.devnull).open(encoding="utf-8")  # noqa: SIM115
