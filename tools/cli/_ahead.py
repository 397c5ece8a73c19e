"""Which tables a command will ask, seen from its words before the program is imported."""

from __future__ import annotations

import os
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

__all__ = ["FLAGS", "FROM_TABLES", "begun", "tables_of"]

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


def begun(words: list[str]) -> tuple[AbstractContextManager[Any], Exception | None]:
    """Let the engine open the tables of a command from now on; the block closes them in its end.

    Why they can't be opened is returned, too, for the command to report.
    """
    tables, opened = tables_of(words), ExitStack()
    if tables is not None:
        try:
            from projections.store.engine import opening_ahead

            opened.enter_context(opening_ahead(tables))
        except Exception as error:  # noqa: BLE001 - reported as all others are
            return opened, error
    return opened, None


def tables_of(words: list[str]) -> Path | None:
    """Return where the tables of a question are; None for other commands, help, and a server.

    The data directory knows it, and takes as long to import as is won by opening tables ahead.
    Whoever reads the options after all and finds another place, opens the tables there as ever.
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
    """Part the options before the command from the rest."""
    options: dict[str, str] = {}
    left = iter(words)
    for word in left:
        if not word.startswith("-"):
            return options, [word, *left]
        name, is_given, value = word.partition("=")
        options[name] = value if is_given or name in FLAGS else next(left, "")
    return options, []
