"""The program from its first import on, where Ctrl-C already has to end it in order."""

from __future__ import annotations

import os
import sys

from tools.cli._interrupted import ending_if_interrupted

__all__ = ["main"]

STANDARD_ERROR = 2


def main() -> None:
    """Run the program; the engine opens the tables of a question while it is imported."""
    with ending_if_interrupted():
        from tools.cli._early_tables import start_opening
        from tools.garbage import collect_seldom

        collect_seldom()
        _open_closed_streams()
        beside, fault = start_opening(sys.argv[1:])
        from tools.cli import _app
    _app.main(beside, fault)


def _open_closed_streams() -> None:
    """Prevent files from becoming the standard output of a program started without one."""
    from pathlib import Path

    while (descriptor := os.open(os.devnull, os.O_RDWR)) <= STANDARD_ERROR:
        pass
    os.close(descriptor)
    sys.stdout = sys.stdout or Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115
    sys.stderr = sys.stderr or sys.stdout
    sys.stdin = sys.stdin or Path(os.devnull).open(encoding="utf-8")  # noqa: SIM115
