"""The program from its first import on, which the engine uses to open the tables of a question."""

from __future__ import annotations

import os
import sys
from contextlib import ExitStack, suppress
from pathlib import Path

from tools.cli._ahead import tables_of
from tools.cli._interrupted import ending_if_interrupted
from tools.garbage import collect_seldom

__all__ = ["main"]

STANDARD_ERROR = 2


def main() -> None:
    """Run the program."""
    collect_seldom()
    _open_closed_streams()
    ahead = ExitStack()
    with ending_if_interrupted():
        if (tables := tables_of(sys.argv[1:])) is not None:
            from projections.store.engine import opening_ahead

            with suppress(OSError):  # whoever asks the tables tells what is wrong with their folder
                ahead.enter_context(opening_ahead(tables))
        from tools.cli import _app
    _app.main(ahead)


def _open_closed_streams() -> None:
    """Let no file of ours become the standard output of a program that was started without."""
    while (descriptor := os.open(os.devnull, os.O_RDWR)) <= STANDARD_ERROR:
        pass
    os.close(descriptor)
    sys.stdout = sys.stdout or Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115
    sys.stderr = sys.stderr or sys.stdout
    sys.stdin = sys.stdin or Path(os.devnull).open(encoding="utf-8")  # noqa: SIM115
