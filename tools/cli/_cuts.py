"""Report on stderr what a list leaves out; the same for JSON."""

from __future__ import annotations

import sys

from tools.sanitize import escape_controls

__all__ = ["UNREAD", "cut", "cut_before", "warn_of_cuts"]

UNREAD = 141
"""Exit code of an answer that is not read to its end: what shells report after SIGPIPE."""

_CUT: list[str] = []


def cut(text: str) -> None:
    """Queue a note that a list is incomplete, and how to see more; printed at the end."""
    _CUT.append(text)


def cut_before(position: int | None, limit: int) -> None:
    """Queue a note that older entries come before a position; do nothing for None."""
    if position is not None:
        cut(f"the newest {limit} are shown; older ones: --before {position}, or --limit")


def warn_of_cuts() -> None:
    """Print the notes of :func:`cut`; nothing if the lists themselves could not be written."""
    told = [] if getattr(sys.stdout, "has_failed", False) else list(_CUT)
    _CUT.clear()
    for text in told:
        print(f"gameledger: {escape_controls(text)}", file=sys.stderr, flush=True)
