"""``hold``: legal holds, which keep personal data as evidence."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ledger.core.clock import in_prague
from ledger.decisions.accounts.holds import EndHold, PlaceHold
from projections.reconciliation.holds import list_holds
from tools.cli._carried_out import carried_out
from tools.cli._help import Commands
from tools.cli._options import Csv, Data, DryRun, Json  # noqa: TC001 - typer reads the annotations
from tools.cli._output import echo_position, emit, moment, table
from tools.cli._project import up_to_date
from tools.cli._when import At, When, moment_or_midnight, position

if TYPE_CHECKING:
    from projections.reconciliation.holds import Hold, HoldRegister

__all__ = ["app", "print_holds"]

app = Commands("Legal holds: place, end, list.")

Name = Annotated[str, typer.Argument(metavar="HOLD", help="Name of the hold.")]
By = Annotated[
    str, typer.Option("--by", help="Who asks for it: a court, an authority, the legal department.")
]
Reason = Annotated[str, typer.Option(help="Why, in words that name no person.")]


@app.command()
def place(
    *,
    hold: Name,
    by: By,
    reason: Reason,
    reference: Annotated[str, typer.Option(help="The case or evidence that it belongs to.")],
    account: Annotated[str, typer.Option(help="Hold the person of this account.")] = "",
    round_name: Annotated[
        str, typer.Option("--round", help="Hold all who took part in this round.")
    ] = "",
    until: Annotated[
        When | None,
        typer.Option(
            parser=moment_or_midnight,
            metavar="DAY|MOMENT",
            help="When it ends by itself: a moment in Prague, or the midnight that begins a day.",
        ),
    ] = None,
    data: Data = Path("data"),
    as_json: Json = False,
    dry_run: DryRun = False,
) -> None:
    """Hold the personal data of a person, or of a round: `person erase` is refused until it ends.

    Example: `gameledger hold place h-1 --round evo-1-00042 --by "District court Brno" --reason
    "Action for payment" --reference "12 C 34/2026"`
    """
    command = PlaceHold(
        hold=hold,
        account=account,
        round=round_name,
        ordered_by=by,
        reason=reason,
        reference=reference,
        until=in_prague(until.begins) if until else None,
        source="cli",
    )
    carried_out(
        data,
        command,
        done=f"Hold {hold} is placed",
        would=f"Would place hold {hold}",
        as_json=as_json,
        dry_run=dry_run,
    )


@app.command()
def end(
    *,
    hold: Name,
    by: By,
    reason: Reason,
    reference: Annotated[str, typer.Option(help="The decision that it rests on.")] = "",
    data: Data = Path("data"),
    as_json: Json = False,
    dry_run: DryRun = False,
) -> None:
    """End a hold; what else keeps the data goes on keeping them.

    Example: `gameledger hold end h-1 --by "District court Brno" --reason "Judgment is final"`
    """
    command = EndHold(hold=hold, ordered_by=by, reason=reason, reference=reference, source="cli")
    carried_out(
        data,
        command,
        done=f"Hold {hold} is ended",
        would=f"Would end hold {hold}",
        as_json=as_json,
        dry_run=dry_run,
    )


@app.command("list")
def list_command(
    *,
    ended: Annotated[bool, typer.Option("--all", help="Also holds that have ended.")] = False,
    at: At = None,
    data: Data = Path("data"),
    as_json: Json = False,
    as_csv: Csv = False,
) -> None:
    """List the legal holds in force.

    Example: `gameledger hold list --all`
    """
    with up_to_date(data) as (store, log):
        size = position(log, at, size=store.position)
        register = list_holds(store, with_ended=ended, at=size)
    if as_json:
        emit(register)
        return
    nothing = "No hold is recorded." if ended else "No hold is in force."
    _print_register(register, nothing=nothing, as_csv=as_csv)


def _print_register(register: HoldRegister, *, nothing: str, as_csv: bool) -> None:
    table(
        ("hold", "on", "ordered by", "reference", "reason~", "placed (Prague)", "until", "ended"),
        [
            (
                hold.hold,
                _on(hold),
                hold.ordered_by,
                hold.reference,
                hold.reason,
                moment(hold.placed_at),
                _end(hold),
                moment(hold.ended_at) if hold.ended_at else "",
            )
            for hold in register.holds
        ],
        nothing=nothing,
        as_csv=as_csv,
    )
    if not as_csv:
        echo_position(register.position, register.recorded_at)


def print_holds(holds: tuple[Hold, ...]) -> None:
    """Show the holds in force on what was asked for; nothing where there is none."""
    if holds:
        table(
            ("legal hold", "on", "ordered by", "reference", "since (Prague)", "until"),
            [
                (
                    hold.hold,
                    _on(hold),
                    hold.ordered_by,
                    hold.reference,
                    moment(hold.placed_at),
                    _end(hold),
                )
                for hold in holds
            ],
        )


def _on(hold: Hold) -> str:
    return f"round {hold.round}" if hold.round else f"account {hold.account}"


def _end(hold: Hold) -> str:
    return moment(hold.until) if hold.until else "it is ended"
