"""The program from its first import on, which the engine uses to open the tables of a question."""

from __future__ import annotations

import sys
from contextlib import ExitStack, suppress

from tools.cli._ahead import tables_of
from tools.cli._interrupted import ending_if_interrupted
from tools.garbage import collect_seldom

__all__ = ["main"]


def main() -> None:
    """Run the program."""
    collect_seldom()
    ahead = ExitStack()
    with ending_if_interrupted():
        if (tables := tables_of(sys.argv[1:])) is not None:
            from projections.store.engine import opening_ahead

            with suppress(OSError):  # whoever asks the tables tells what is wrong with their folder
                ahead.enter_context(opening_ahead(tables))
        from tools.cli import _app
    _app.main(ahead)
