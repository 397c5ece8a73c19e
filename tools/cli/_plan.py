"""``plan``: an operator's own game plans, checked and published."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ledger.core.clock import in_prague
from ledger.decisions.operator.setup import PublishRules
from tools.cli._answering import answers, sends
from tools.cli._help import Commands
from tools.cli._options import DATA, Csv, Data
from tools.cli._output import table
from tools.cli._when import AsOfPoint, moment_or_midnight
from tools.data.own_plans import CheckedPlan, check_plans, plan_command

__all__ = ["app"]

app = Commands("An operator's own game plans: check, publish.")


def _show(found: list[CheckedPlan], *, data: Data = DATA, as_csv: Csv = False) -> None:
    table(
        ("file", "game", "plan version", "name", "in English", "SHA-256", "state"),
        [
            (one.file, one.game, one.version, one.name, one.name_en, one.sha256, one.state)
            for one in found
        ],
        nothing=f"There is no plan in {data.path / 'plans'}.",
        as_csv=as_csv,
    )


@app.command()
@answers(_show)
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
) -> list[CheckedPlan]:
    """Check plan files, and tell which of them the program or the chain has already.

    The first fault is named with file and key. A file with the name and version of a known plan
    must be that plan: what changes gets a version of its own.

    Example: `gameledger plan check plans/acme.wheel@2027-01-01.toml`
    """
    return check_plans(data, files or [])


@app.command()
@sends(
    done="The plan {command.game} version {command.plan_version} is published",
    would="Would publish the plan {command.game} version {command.plan_version}",
)
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
) -> PublishRules:
    """Put a plan into force from a moment on; the chain records the whole file.

    The game must be listed (`list_game`). Every reader takes the plan from the chain.

    Example: `gameledger plan publish plans/acme.wheel@2027-01-01.toml --effective-from 2027-01-01`
    """
    return plan_command(file, in_prague(effective_from.begins))
