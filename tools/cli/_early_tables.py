"""Open the tables of a command early, chosen by its arguments before the program is imported."""

from __future__ import annotations

import os
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

__all__ = ["FLAGS", "FROM_TABLES", "start_opening", "tables_of"]

FROM_TABLES = {
    "account list",
    "account show",
    "balance",
    "balances",
    "bet list",
    "books day",
    "books month",
    "complaint list",
    "complaint show",
    "finding list",
    "finding show",
    "games fairness",
    "play-time",
    "reconcile",
    "report explain",
    "report status",
    "round list",
    "statement matched",
    "tournament list",
    "tournament show",
}
"""Questions that the tables answer: the engine opens them while the program is imported."""

FLAGS = {"--json", "--help", "--version"}
"""Options before the command that have no value."""


def start_opening(words: list[str]) -> tuple[AbstractContextManager[Any], Exception | None]:
    """Start opening the tables of a command; the returned context closes them at its end.

    An error of opening is returned as well, for the command to report; None if there is none.
    """
    tables, opened = tables_of(words), ExitStack()
    if tables is not None:
        try:
            from projections.store.engine import opening_early

            opened.enter_context(opening_early(tables))
        except Exception as error:  # noqa: BLE001 - reported as all others are
            return opened, error
    return opened, None


def tables_of(words: list[str]) -> Path | None:
    """Return the folder of a query's tables; None for other commands, help, and a server.

    This repeats a rule of the data directory, whose import would cost the time saved by it.
    If the parsed options name another folder, the command opens the tables there as usual.
    """
    options, rest = _parted(words)
    if "--help" in words or FROM_TABLES.isdisjoint({" ".join(rest[:1]), " ".join(rest[:2])}):
        return None
    if options.get("--clickhouse") or os.environ.get("GAMELEDGER_CLICKHOUSE"):
        return None
    split = [part for word in rest for part in word.split("=", 1)]
    named = [split[at + 1] for at, word in enumerate(split[:-1]) if word == "--data"]
    data = (*named, options.get("--data"), os.environ.get("GAMELEDGER_DATA"), "data")
    return Path(next(filter(None, data))) / "projection"


def _parted(words: list[str]) -> tuple[dict[str, str], list[str]]:
    """Separate the options before the command from the rest."""
    options: dict[str, str] = {}
    left = iter(words)
    for word in left:
        if not word.startswith("-"):
            return options, [word, *left]
        name, is_given, value = word.partition("=")
        options[name] = value if is_given or name in FLAGS else next(left, "")
    return options, []
