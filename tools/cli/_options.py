"""Options that every command has, and where the answers go."""

from __future__ import annotations

from math import isfinite
from pathlib import Path
from typing import Annotated

import typer

from ledger.core.errors import InputError

__all__ = [
    "Csv",
    "Data",
    "DryRun",
    "For",
    "FullHashes",
    "HealthPort",
    "Json",
    "finite",
    "require_part",
]

Data = Annotated[
    Path,
    typer.Option(
        "--data", envvar="GAMELEDGER_DATA", metavar="DIR", help="Data directory of the chain."
    ),
]
"""The data directory; ``./data`` by default."""

Json = Annotated[
    bool, typer.Option("--json", envvar="GAMELEDGER_JSON", help="Answer in JSON, for machines.")
]
"""Whether the answer is for a machine."""

DryRun = Annotated[
    bool,
    typer.Option(
        "--dry-run", envvar="GAMELEDGER_DRY_RUN", help="Check what is asked, write nothing."
    ),
]
"""Whether nothing is to be written."""

Csv = Annotated[
    bool,
    typer.Option(
        "--csv",
        help="Write CSV: plain numbers, moments with their offset, no formulas.",
    ),
]
"""Whether the answer is for a spreadsheet."""

FullHashes = Annotated[bool, typer.Option("--full-hashes", help="Show every hash in full.")]
"""Whether hashes are not shortened; in JSON and CSV they never are."""

HealthPort = Annotated[
    str | None,
    typer.Option(
        "--health",
        envvar="GAMELEDGER_HEALTH",
        metavar="HOST:PORT",
        help="Port of /health, /ready and /metrics, without TLS.",
    ),
]
"""Where a long-running process reports its health; nowhere by default."""

For = Annotated[
    str,
    typer.Option(
        "--for", metavar="ACCOUNT", help="Meant for this participant: the others are numbers."
    ),
]
"""For whom an answer is."""


def finite(value: float) -> float:
    """Refuse, as the callback of an option, what passes every bound: nan is above none of them."""
    if not isfinite(value):
        raise typer.BadParameter(f"{value} is no number to count with")
    return value


def require_part(account: str, accounts: list[str], what: str) -> list[str]:
    """Refuse an answer for an account that it does not concern; return the accounts in it."""
    if account not in accounts:
        raise InputError(f"account {account} has no part in {what}: name one that has")
    return accounts
