"""``games`` and ``settle``: game plans in words, and settlement without a ledger."""

from __future__ import annotations

import sys
from contextlib import closing
from typing import Annotated, Any

import typer

from ledger import games as plans
from ledger.rules.published_plans import register_plans
from tools.cli._answering import answers
from tools.cli._fairness import fairness
from tools.cli._help import Commands
from tools.cli._options import DATA, Csv, Data
from tools.cli._output import echo, right, table, wrapped
from tools.data import DataDirectory
from tools.data.plans import Edge, GameVersion, edges_of, game_versions
from tools.sanitize import plain_json

__all__ = ["app", "settle"]

app = Commands("Game plans in words.")
app.command()(fairness)

Toml = Annotated[
    bool, typer.Option("--toml", help="Print the plan file, to begin one of your own.")
]


def _show_games(found: list[GameVersion], *, as_csv: Csv = False) -> None:
    rows = [(entry.game, entry.version, entry.name) for entry in found]
    table(("game", "plan version", "name"), rows, as_csv=as_csv)


@app.command("list")
@answers(_show_games)
def list_games() -> list[GameVersion]:
    """List the games that can be settled, with the versions of their plans.

    Example: `gameledger games list`
    """
    return game_versions()


def _show_plan(_: dict[str, Any], *, game: str, version: str | None, as_toml: Toml = False) -> None:
    from tools.plans.rows import load

    plan = load(game, version)
    if as_toml:
        print(plan.text, end="")
        return
    header = plan.header
    echo(f"{header.name}, plan version {header.version}", style="bold")
    echo(header.source)
    echo(f"Settled by {header.rule_settled}.")
    echo()
    bets = plan.bets()
    if bets:
        table(
            (
                "bet",
                right("pays"),
                right("least CZK"),
                right("most CZK"),
                wrapped("made of"),
                wrapped("paragraph"),
            ),
            bets,
        )
    table(("rule in force", wrapped("value"), wrapped("source")), plan.rules())
    payouts = plan.payouts()
    if payouts:
        table(("entries", wrapped("percent of the prize pool, first place first")), payouts)
    reasons = [(name.replace("_", " "), rule) for name, rule in header.void_reasons.items()]
    if reasons:
        table(("void for", wrapped("paragraph")), reasons)
    table(
        (wrapped("paragraph"), wrapped("unclear"), wrapped("read as"), wrapped("decided by")),
        plan.readings(),
    )


@app.command()
@answers(_show_plan)
def show(
    *,
    game: Annotated[str, typer.Argument(help="Game, as `games list` names it.")],
    version: Annotated[
        str | None, typer.Option(help="Version of the plan; the newest by default.")
    ] = None,
    data: Data = DATA,
) -> dict[str, Any]:
    """Show a plan: bets, what they pay, rules in force, source, and how unclear places are read.

    A plan that does not ship is taken from the chain that published it.

    Example: `gameledger games show sazka.roulette_evolution`
    """
    from tools.plans.rows import load

    _learn(game, version, data)
    return load(game, version).document


def _show_edges(found: list[Edge], *, game: str | None, as_csv: Csv = False) -> None:
    rows = [
        (
            one.game,
            one.bet,
            one.percent or "-",
            one.published_percent or "none known",
            one.published_in or "",
            one.note,
        )
        for one in found
    ]
    columns = (
        "game",
        "bet",
        right("edge %"),
        right("published %"),
        wrapped("published in"),
        wrapped("note"),
    )
    skipped = 0 if game is None or as_csv else 1
    table(columns[skipped:], [row[skipped:] for row in rows], as_csv=as_csv)


@app.command()
@answers(_show_edges)
def edge(
    *,
    game: Annotated[
        str | None, typer.Argument(help="Game, as `games list` names it; all by default.")
    ] = None,
    version: Annotated[
        str | None, typer.Option(help="Version of the plan; the newest by default.")
    ] = None,
    data: Data = DATA,
) -> list[Edge]:
    """Count the house edge of every bet from the plan, beside the figure published for it.

    The edge is the share of the stake that stays with the house on average, counted over all
    pockets, fields or cards of a full shoe. Bets that depend on the player's actions have none.

    Example: `gameledger games edge baccarat.commission`
    """
    if game is not None:
        _learn(game, version, data)
    names = plans.games() if game is None else (game,)
    return [one for name in names for one in edges_of(name, version)]


def _learn(game: str, version: str | None, data: DataDirectory) -> None:
    """Register the plans of the chain if the program ships none of this name."""
    try:
        plans.plan(game, version)
    except plans.UnknownGameError:
        if data.has_log:
            with closing(data.read()) as log:
                register_plans(log)


def settle() -> None:
    """Settle rounds without a ledger: one JSON request a line in, one answer a line out.

    Nothing is recorded; a request that can't be settled is answered with its error.

    Example: `gameledger settle < requests.jsonl`
    """
    for line in sys.stdin.buffer:
        if line.strip():
            sys.stdout.write(plain_json(plans.settle_line(line)) + "\n")
            sys.stdout.flush()
