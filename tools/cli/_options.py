"""Options common to all commands, and their settings."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from math import isfinite
from pathlib import Path
from typing import Annotated, Any

import typer

from ledger.core.errors import InputError
from tools.data import DataDirectory

__all__ = [
    "DATA",
    "Csv",
    "Data",
    "DryRun",
    "For",
    "FullHashes",
    "HealthPort",
    "Json",
    "Settings",
    "finite",
    "path_of_data",
    "require_part",
    "settings_of",
]


@dataclass(slots=True)
class Settings:
    """Values of the options before a command, which override the environment.

    The root of the context of typer has it as ``obj``; the options :data:`Data` and :data:`Json`
    hand it on to the commands.
    """

    environment: dict[str, str] = field(default_factory=lambda: dict(os.environ))
    """Variables of the program, with what the options before the command say in their place."""
    data: str | None = None
    as_json: bool = False
    """Whether errors are for a machine, too."""
    country: str = ""
    """Code of the country whose packages are asked for."""


def settings_of(ctx: typer.Context) -> Settings:
    """Return what was asked before the command."""
    return ctx.ensure_object(Settings)


def _directory(ctx: typer.Context, value: DataDirectory) -> DataDirectory:
    """Pass the settings to the directory, and to programs that the command starts."""
    path, settings = path_of_data(ctx, value.path), settings_of(ctx)
    environment = settings.environment | {"GAMELEDGER_DATA": str(path)}
    return DataDirectory(path, environment=environment)


def path_of_data(ctx: typer.Context, value: Path) -> Path:
    """Use the directory given before the command, if none is given after it."""
    named, source = settings_of(ctx).data, ctx.get_parameter_source("data")
    is_given = source is not None and source.name == "COMMANDLINE"
    return Path(named) if named is not None and not is_given else value


def _is_json(ctx: typer.Context, value: bool) -> bool:
    settings = settings_of(ctx)
    settings.as_json = settings.as_json or value
    return settings.as_json


Data = Annotated[
    DataDirectory,
    typer.Option(
        "--data",
        envvar="GAMELEDGER_DATA",
        metavar="DIR",
        parser=DataDirectory,
        callback=_directory,
        help="Data directory of the chain.",
    ),
]
"""The data directory; ``./data`` by default."""

DATA: Any = "data"
"""Its default, which typer reads as it reads a value."""

Json = Annotated[
    bool,
    typer.Option(
        "--json",
        envvar="GAMELEDGER_JSON",
        is_eager=True,
        callback=_is_json,
        help="Answer in JSON, for machines.",
    ),
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
