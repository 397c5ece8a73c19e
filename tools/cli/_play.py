"""``play-time``: how long participants played, found without the write side."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Annotated

import typer

from projections.questions.balances import balance
from projections.questions.continuous_play import break_violations, play
from projections.store.parallel_query import query_in_parallel
from tools.cli._answering import answers
from tools.cli._cuts import cut
from tools.cli._findings import FOUND
from tools.cli._options import DATA, Csv, Data
from tools.cli._output import clock, counted, duration, echo, moment, money, right, table
from tools.cli._project import up_to_date
from tools.cli._when import (
    Day,
    First,
    Span,
    UntilAt,
)
from tools.data.documents import PlayTime

__all__ = ["play_time"]

Limit = Annotated[int, typer.Option(min=1, help="How many of the longest, of all.")]


def _show(answer: PlayTime, *, account: str, limit: Limit = 20, as_csv: Csv = False) -> None:
    found, broken = answer.play, answer.violations
    shown = found.sequences
    if not account:
        shown = tuple(sorted(shown, key=lambda one: (-one.length, one.account))[:limit])
        if len(shown) < len(found.sequences):
            cut(f"the longest {limit} of {len(found.sequences)} are shown: --limit")
    if not as_csv:
        echo(f"Continuous play as of position {found.position}", style="bold")
    table(
        ("account", "no.", "from (Prague)", "to", right("length"), "rounds", "bets", "bets from"),
        [
            (
                one.account,
                one.number,
                moment(one.started_at),
                clock(one.last_evaluated_at, after=one.started_at),
                duration(one.length),
                one.rounds,
                one.bets,
                clock(one.break_until, after=one.started_at) if one.break_until else "",
            )
            for one in shown
        ],
        nothing="No play is recorded.",
        as_csv=as_csv,
    )
    if as_csv:
        return
    if not broken.violations:
        echo("No bet was taken during a break.", style="green")
        return
    echo(f"{counted(len(broken.violations), 'bet')} taken during a break:", style="red")
    table(
        ("position", "account", "bet", "placed (Prague)", "break until", "stake CZK"),
        [
            (
                one.position,
                one.account,
                one.bet,
                moment(one.placed_at),
                clock(one.until, after=one.placed_at),
                money(one.stake),
            )
            for one in broken.violations
        ],
    )


@answers(_show, end=lambda answer: FOUND if answer.violations.violations else 0)
def play_time(
    *,
    account: Annotated[str, typer.Argument(help="Account; the longest of all by default.")] = "",
    day: Day = None,
    first: First = None,
    until: UntilAt = None,
    data: Data = DATA,
) -> PlayTime:
    """Return how long participants played without a break, and find bets taken in a break.

    With `--day`, or `--from` and `--to`, the play that reached into that time, as it was known
    at its end. Exit code 1 when a bet was accepted that should have been refused.

    Example: `gameledger play-time a-0001 --day 2026-11-20`
    """
    with up_to_date(data) as (store, log):
        span = Span.of(log, store.position, day, first, until)
        if account:
            balance(
                store, account, at=span.end
            )  # an unknown account is an error, not an account without breaches
        with query_in_parallel(store, partial(play, account=account, at=span.end)) as played:
            broken = break_violations(store, account=account, at=span.end)
        found = played.result()
    found = replace(
        found, sequences=tuple(one for one in found.sequences if span.holds(one.last_position))
    )
    broken = replace(
        broken, violations=tuple(one for one in broken.violations if span.holds(one.position))
    )
    return PlayTime(play=found, violations=broken)
