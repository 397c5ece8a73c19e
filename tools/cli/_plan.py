"""``plan``: an operator's own game plans, checked and published."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ledger.core.clock import in_prague
from tools.cli._help import Commands
from tools.cli._options import DATA, Csv, Data, DryRun, Json
from tools.cli._output import emit, table
from tools.cli._single_command import execute_or_rehearse
from tools.cli._when import AsOfPoint, moment_or_midnight
from tools.data.own_plans import check_plans, plan_command

__all__ = ["app"]

app = Commands("An operator's own game plans: check, publish.")


@app.command()
def check(
    *,
    files: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="[FILE]...",
            help="Plan files; by default those in DIR/plans.",
        ),
    ] = None,
    data: Data = DATA,
    as_json: Json = False,
    as_csv: Csv = False,
) -> None:
    """Check plan files, and tell which of them the program or the chain has already.

    The first fault is named with file and key. A file with the name and version of a known plan
    must be that plan: what changes gets a version of its own.

    Example: `gameledger plan check plans/acme.wheel@2027-01-01.toml`
    """
    found = check_plans(data, files or [])
    if as_json:
        emit(found)
        return
    table(
        ("file", "game", "plan version", "name", "in English", "SHA-256", "state"),
        [
            (*(one[key] for key in ("file", "game", "version", "name", "name_en")), one["sha256"],
             one["state"])
            for one in found
        ],
        nothing=f"There is no plan in {data.path / 'plans'}.",
        as_csv=as_csv,
    )  # fmt: skip


@app.command()
def publish(
    *,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The plan file.")],
    effective_from: Annotated[
        AsOfPoint,
        typer.Option(
            parser=moment_or_midnight,
            metavar="DAY|MOMENT",
            help="From when on rounds open under it: a moment in Prague, or a day's midnight.",
        ),
    ],
    data: Data = DATA,
    as_json: Json = False,
    dry_run: DryRun = False,
) -> None:
    """Put a plan into force from a moment on; the chain records the whole file.

    The game must be listed (`list_game`). Every reader takes the plan from the chain.

    Example: `gameledger plan publish plans/acme.wheel@2027-01-01.toml --effective-from 2027-01-01`
    """
    command = plan_command(file, in_prague(effective_from.begins))
    execute_or_rehearse(
        data,
        command,
        done=f"The plan {command.game} version {command.plan_version} is published",
        would=f"Would publish the plan {command.game} version {command.plan_version}",
        as_json=as_json,
        dry_run=dry_run,
    )
