"""The program from its first import on, where Ctrl-C already has to end it in order."""

from __future__ import annotations

from tools.cli._interrupted import ending_if_interrupted

__all__ = ["main"]


def main() -> None:
    """Run the program."""
    with ending_if_interrupted():
        from tools.cli import _app
    _app.main()
