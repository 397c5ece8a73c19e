"""``hold``: legal holds, which keep personal data as evidence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from ledger.core.clock import in_prague
from ledger.decisions.accounts.legal_holds import EndHold, PlaceHold
from tools.access.questions.duties import holds
from tools.cli._answering import sends
from tools.cli._help import Commands
from tools.cli._output import table
from tools.cli._questions import command_of
from tools.cli._when import AsOfPoint, moment_or_midnight

if TYPE_CHECKING:
    from projections.checks.legal_holds import Hold

__all__ = ["app", "print_holds"]

app = Commands("Legal holds: place, end, list.")

Name = Annotated[str, typer.Argument(metavar="HOLD", help="Name of the hold.")]
By = Annotated[
    str, typer.Option("--by", help="Who asks for it: a court, an authority, the legal department.")
]
Reason = Annotated[str, typer.Option(help="Why, in words that name no person.")]


@app.command()
@sends(done="Hold {hold} is placed", would="Would place hold {hold}")
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
        AsOfPoint | None,
        typer.Option(
            parser=moment_or_midnight,
            metavar="DAY|MOMENT",
            help="When it ends by itself: a moment in Prague, or the midnight that begins a day.",
        ),
    ] = None,
) -> PlaceHold:
    """Hold the personal data of a person, or of a round: `person erase` is refused until it ends.

    Example: `gameledger hold place h-1 --round evo-1-00042 --by "District court Brno" --reason
    "Action for payment" --reference "12 C 34/2026"`
    """
    return PlaceHold(
        hold=hold,
        account=account,
        round=round_name,
        ordered_by=by,
        reason=reason,
        reference=reference,
        until=in_prague(until.begins) if until else None,
        source="cli",
    )


@app.command()
@sends(done="Hold {hold} is ended", would="Would end hold {hold}")
def end(
    *,
    hold: Name,
    by: By,
    reason: Reason,
    reference: Annotated[str, typer.Option(help="The decision that it rests on.")] = "",
) -> EndHold:
    """End a hold; what else keeps the data goes on keeping them.

    Example: `gameledger hold end h-1 --by "District court Brno" --reason "Judgment is final"`
    """
    return EndHold(hold=hold, ordered_by=by, reason=reason, reference=reference, source="cli")


app.command("list")(command_of(holds))


def print_holds(found: tuple[Hold, ...]) -> None:
    """Show the holds in force on what was asked for; nothing where there is none."""
    columns = [one for one in holds.columns if one.heading not in {"reason", "ended"}]
    headings = ("legal hold", "on", "ordered by", "reference", "since (Prague)", "until")
    if found:
        table(headings, [[one.cell(hold) for one in columns] for hold in found])
