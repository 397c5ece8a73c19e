"""``play-time`` and ``reconcile``: what the record shows, found without the write side."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from projections.balances import balance
from projections.continuous_play import break_violations, play
from projections.reconciliation import examine
from tools.cli._money import At  # noqa: TC001 - typer reads the annotations
from tools.cli._options import Data, Json  # noqa: TC001 - typer reads the annotations
from tools.cli._output import counted, duration, emit, moment, money, say, table
from tools.cli._project import up_to_date

if TYPE_CHECKING:
    from collections.abc import Iterable

    from projections.findings import Finding

__all__ = ["findings_table", "play_time", "reconcile"]

LONGEST = 20
FOUND = 1


def play_time(
    *,
    account: Annotated[str, typer.Argument(help="Account; the longest of all by default.")] = "",
    at: At = None,
    data: Data = Path("data"),
    as_json: Json = False,
) -> None:
    """Tell how long participants played without a break, and find bets taken in a break.

    Exit code 1 when a bet was accepted that should have been refused.

    Example: `gameledger play-time a-0001`
    """
    with up_to_date(data) as (store, _):
        if account:
            balance(store, account, at=at)  # an account that nobody has broke no rule either
        found = play(store, account=account, at=at)
        broken = break_violations(store, account=account, at=at)
    if as_json:
        emit({"play": found, "violations": broken})
        raise typer.Exit(FOUND if broken.violations else 0)
    shown = found.sequences
    if not account:
        shown = tuple(sorted(shown, key=lambda one: (-one.length, one.account))[:LONGEST])
    title = f"Continuous play as of position {found.position}"
    say(title if account else f"{title}: the longest of {len(found.sequences)}", style="bold")
    table(
        ("account", ">no.", "from (Prague)", "to", ">length", ">rounds", ">bets", "bets from"),
        [
            (
                one.account,
                one.number,
                moment(one.started_at),
                moment(one.last_evaluated_at)[11:],
                duration(one.length),
                one.rounds,
                one.bets,
                moment(one.break_until)[11:] if one.break_until else "",
            )
            for one in shown
        ],
        nothing="No play is recorded.",
    )
    if not broken.violations:
        say("No bet was taken during a break.", style="green")
        return
    say(f"{counted(len(broken.violations), 'bet')} taken during a break:", style="red")
    table(
        (">position", "account", "bet", "placed (Prague)", "break until", ">stake CZK"),
        [
            (
                one.position,
                one.account,
                one.bet,
                moment(one.placed_at),
                moment(one.until)[11:],
                money(one.stake),
            )
            for one in broken.violations
        ],
    )
    raise typer.Exit(FOUND)


def reconcile(*, at: At = None, data: Data = Path("data"), as_json: Json = False) -> None:
    """Settle every bet again and compare all that must agree.

    Exit code 1 when something is found.

    Example: `gameledger reconcile --json`
    """
    with up_to_date(data) as (store, _):
        found = examine(store, at=at)
    if as_json:
        emit(found)
        raise typer.Exit(FOUND if found.findings else 0)
    say(
        f"{counted(found.bets, 'bet')} of {counted(found.rounds, 'round')} settled again, "
        f"as of position {found.position}.",
        style="bold",
    )
    if found.corrected:
        say()
        say("Were wrong, are right:")
        columns = (">position", "bet", "account", ">paid CZK", ">now", ">due")
        table(
            columns,
            [
                (
                    one.position,
                    one.bet,
                    one.account,
                    money(one.paid_before),
                    money(one.paid),
                    money(one.due),
                )
                for one in found.corrected
            ],
        )
    if not found.findings:
        say("Nothing is wrong.", style="green")
        return
    say(f"{counted(len(found.findings), 'finding')}:", style="red")
    findings_table(found.findings)
    raise typer.Exit(FOUND)


def findings_table(findings: Iterable[Finding]) -> None:
    """Show findings with their place."""
    rows = [
        (one.position, one.code, one.bet or one.round or one.account, one.sentence, one.paragraph)
        for one in findings
    ]
    table((">position", "code", "where", "what~", "paragraph~"), rows)
