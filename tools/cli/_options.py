"""Options that every command has, and where the answers go."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

__all__ = ["Data", "DryRun", "Json"]

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
