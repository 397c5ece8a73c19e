"""Queries for rounds, bets and tournaments, each an address of the API and a command."""

from __future__ import annotations

from typing import Annotated, Any

from projections.questions.bets import Bets, list_bets
from projections.questions.tournaments import TournamentLine, list_tournaments
from projections.replay.round_line import Status
from projections.replay.rounds import Rounds, list_rounds
from tools.access.questions.declaration import Column, Context, Parameter, question
from tools.access.scopes import Scope
from tools.data.moments import moment_in_prague
from tools.data.notation import minute

__all__ = ["NEAR", "bets", "rounds", "tournaments"]

NEAR = "Those opened nearest to a moment in Prague, the nearest first."


@question(
    "/rounds",
    Scope.ROUNDS,
    rows="rounds",
    columns=(
        Column("position", "opened_position"),
        Column("round"),
        Column("opened (Prague)", "opened_at", minute),
        Column("status"),
        Column("result", "wording"),
        Column("bets"),
        Column("stakes CZK", "stakes"),
        Column("paid CZK", "paid"),
        Column("house CZK", "house_result"),
    ),
    nothing="No round is like that. `gameledger round list` shows the newest of all.",
    paged="rounds opened",
    limit=20,
    limit_max=1000,
    has_span=True,
    command="round list",
    example="--status voided --day 2026-11-20",
)
def rounds(
    context: Context,
    *,
    table: Annotated[str, Parameter("Only of a table.")] = "",
    game: Annotated[str, Parameter("Only of a game.")] = "",
    account: Annotated[str, Parameter("Only with chips of an account.")] = "",
    dealer: Annotated[str, Parameter("Only of a dealer.")] = "",
    device: Annotated[str, Parameter("Only with a device, such as a wheel.")] = "",
    shoe: Annotated[str, Parameter("Only of a shoe.")] = "",
    near: Annotated[
        str, Parameter("Those opened nearest to a moment in Prague.", description=NEAR)
    ] = "",
    status: Annotated[
        Status | None,
        Parameter("Only rounds that are so now.", description="Only rounds that are so."),
    ] = None,
) -> Rounds:
    """List rounds by their opening, newest first, or those nearest to a moment first."""
    narrowed: dict[str, Any] = {"table": table, "game": game, "account": account}
    narrowed |= {"dealer": dealer, "device": device, "shoe": shoe, "status": status}
    moment = moment_in_prague(near) if near else None
    return list_rounds(context.store, **narrowed, near=moment, **context.part)


@question(
    "/bets",
    Scope.ROUNDS,
    rows="bets",
    columns=(
        Column("position"),
        Column("bet"),
        Column("account"),
        Column("placed (Prague)", "placed_at"),
        Column("concluded", "concluded_at"),
        Column("on", "wording", wraps=True),
        Column("status", lambda bet: bet.status.replace("_", " ")),
        Column("stake CZK", "stake"),
        Column("paid CZK", "paid"),
    ),
    nothing="No bet is like that. `gameledger bet list` shows the newest of all.",
    paged="bets recorded",
    has_span=True,
    command="bet list",
    example="--account a-0001 --day 2026-11-20",
    more="A bet belongs to the day on which it was concluded (SAZKA 13(5)); chips that did not "
    "become a bet belong to the day on which they were placed. `round list` has hands among "
    "players.",
)
def bets(
    context: Context,
    *,
    account: Annotated[str, Parameter("Only of an account.")] = "",
    round: Annotated[str, Parameter("Only of a round.")] = "",  # noqa: A002 - as it is asked for
) -> Bets:
    """List bets by their record, newest first."""
    return list_bets(context.store, account=account, round=round, **context.part)


@question(
    "/tournaments",
    Scope.ROUNDS,
    columns=(
        Column("tournament"),
        Column("game"),
        Column("begins (Prague)", "starts_at", minute),
        Column("status"),
        Column("entries"),
        Column("money pool CZK", "money_pool"),
        Column("prize pool CZK", "prize_pool"),
    ),
    nothing="No tournament is recorded.",
    command="tournament list",
)
def tournaments(context: Context) -> list[TournamentLine]:
    """List tournaments in the order of their announcements."""
    return list_tournaments(context.store, at=context.size)
