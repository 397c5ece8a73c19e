"""``bet``: the bets of an account, a round, a day."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from projections.questions.bets import list_bets
from tools.cli._cuts import cut_before
from tools.cli._help import Commands
from tools.cli._options import Csv, Data, Json  # noqa: TC001 - typer reads the annotations
from tools.cli._output import emit, moment, money, table
from tools.cli._project import up_to_date
from tools.cli._when import Day, First, ListAt, Span, Until, position

__all__ = ["app"]

app = Commands("Bets: list them.")


@app.callback()
def bet() -> None:
    """Bets against the house."""


@app.command("list")
def list_command(
    *,
    account: Annotated[str, typer.Option(help="Only of an account.")] = "",
    round_name: Annotated[str, typer.Option("--round", help="Only of a round.")] = "",
    before: Annotated[
        int | None, typer.Option(help="Only bets recorded before this position.")
    ] = None,
    limit: Annotated[int, typer.Option(min=1, max=10_000, help="How many at most.")] = 50,
    day: Day = None,
    first: First = None,
    until: Until = None,
    at: ListAt = None,
    data: Data = Path("data"),
    as_json: Json = False,
    as_csv: Csv = False,
) -> None:
    """List bets by their record, newest first.

    A bet belongs to the day on which it was concluded (SAZKA 13(5)); chips that did not become
    a bet belong to the day on which they were placed. `round list` has hands among players.

    Example: `gameledger bet list --account a-0001 --day 2026-11-20`
    """
    with up_to_date(data) as (store, log):
        span = Span.of(log, store.position, day, first, until)
        found = list_bets(
            store,
            account=account,
            round=round_name,
            since=span.first,
            before=span.before(before),
            limit=limit,
            at=position(log, at, size=store.position),
        )
    cut_before(found.before, limit)
    if as_json:
        emit(found)
        return
    columns = (">position", "bet", "account", "placed (Prague)", "concluded", "on~", "status")
    table(
        (*columns, ">stake CZK", ">paid CZK"),
        [
            (
                one.position,
                one.bet,
                one.account,
                moment(one.placed_at),
                "" if one.concluded_at is None else moment(one.concluded_at),
                one.wording,
                one.status.replace("_", " "),
                money(one.stake),
                "" if one.paid is None else money(one.paid),
            )
            for one in found.bets
        ],
        nothing="No bet is like that. `gameledger bet list` shows the newest of all.",
        as_csv=as_csv,
    )
