"""``play-time`` and ``reconcile``: what the record shows, found without the write side."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from projections.questions.balances import balance
from projections.questions.continuous_play import break_violations, play
from projections.reconciliation.reconcile import examine
from projections.words.catalogue import Language
from tools.cli._options import Csv, Data, Json  # noqa: TC001 - typer reads the annotations
from tools.cli._output import clock, counted, cut, duration, emit, moment, money, say, table
from tools.cli._project import up_to_date
from tools.cli._summary import Summary, SummaryLanguage, write_summary
from tools.cli._when import (
    Day,
    First,
    Span,
    UntilAt,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from projections.reconciliation.findings import Finding

__all__ = ["FOUND", "findings_table", "play_time", "reconcile"]

FOUND = 1


def play_time(
    *,
    account: Annotated[str, typer.Argument(help="Account; the longest of all by default.")] = "",
    limit: Annotated[int, typer.Option(min=1, help="How many of the longest, of all.")] = 20,
    day: Day = None,
    first: First = None,
    until: UntilAt = None,
    data: Data = Path("data"),
    as_json: Json = False,
    as_csv: Csv = False,
) -> None:
    """Return how long participants played without a break, and find bets taken in a break.

    With `--day`, or `--from` and `--to`, the play that reached into that time, as it was known
    at its end. Exit code 1 when a bet was accepted that should have been refused.

    Example: `gameledger play-time a-0001 --day 2026-11-20`
    """
    with up_to_date(data) as (store, log):
        span = Span.of(log, store.position, day, first, until)
        if account:
            balance(store, account, at=span.end)  # one that nobody has broke no rule either
        found = play(store, account=account, at=span.end)
        broken = break_violations(store, account=account, at=span.end)
    found = replace(
        found, sequences=tuple(one for one in found.sequences if span.holds(one.last_position))
    )
    broken = replace(
        broken, violations=tuple(one for one in broken.violations if span.holds(one.position))
    )
    if as_json:
        emit({"play": found, "violations": broken})
        raise typer.Exit(FOUND if broken.violations else 0)
    shown = found.sequences
    if not account:
        shown = tuple(sorted(shown, key=lambda one: (-one.length, one.account))[:limit])
        if len(shown) < len(found.sequences):
            cut(f"the longest {limit} of {len(found.sequences)} are shown: --limit")
    if not as_csv:
        say(f"Continuous play as of position {found.position}", style="bold")
    table(
        ("account", ">no.", "from (Prague)", "to", ">length", ">rounds", ">bets", "bets from"),
        [
            (
                one.account,
                one.number,
                moment(one.started_at),
                clock(one.last_evaluated_at),
                duration(one.length),
                one.rounds,
                one.bets,
                clock(one.break_until) if one.break_until else "",
            )
            for one in shown
        ],
        nothing="No play is recorded.",
        as_csv=as_csv,
    )
    if as_csv:
        raise typer.Exit(FOUND if broken.violations else 0)
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
                clock(one.until),
                money(one.stake),
            )
            for one in broken.violations
        ],
    )
    raise typer.Exit(FOUND)


def reconcile(
    *,
    day: Day = None,
    first: First = None,
    until: UntilAt = None,
    summary: Summary = None,
    summary_language: SummaryLanguage = Language.EN,
    data: Data = Path("data"),
    as_json: Json = False,
    as_csv: Csv = False,
) -> None:
    """Settle every bet again and compare all that must agree.

    With `--day`, or `--from` and `--to`, what events of that time show, as it was open at its
    end. Exit code 1 when something is found.

    Example: `gameledger reconcile --day 2026-11-20`
    """
    with up_to_date(data) as (store, log):
        span = Span.of(log, store.position, day, first, until)
        found = examine(store, at=span.end)
        found = replace(
            found,
            findings=tuple(one for one in found.findings if span.holds(one.position)),
            corrected=tuple(one for one in found.corrected if span.holds(one.position)),
        )
        write_summary(summary, summary_language, found, log, store)
    if as_csv:
        findings_table(found.findings, as_csv=True)
        raise typer.Exit(FOUND if found.findings else 0)
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


def findings_table(findings: Iterable[Finding], *, as_csv: bool = False) -> None:
    """Show findings with their place."""
    rows = [
        (one.position, one.code, one.bet or one.round or one.account, one.sentence, one.paragraph)
        for one in findings
    ]
    table((">position", "code", "where", "what~", "paragraph~"), rows, as_csv=as_csv)
