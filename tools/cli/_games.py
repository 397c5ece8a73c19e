"""``games`` and ``settle``: game plans in words, and settlement without a ledger."""

from __future__ import annotations

import sys
import tomllib
from typing import Annotated, Any

import typer

from ledger import games as plans
from tools.cli._options import Json  # noqa: TC001 - typer reads the annotations
from tools.cli._output import emit, say, table

__all__ = ["app", "settle"]

app = typer.Typer(
    help="Game plans in words.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="markdown",
)


@app.command("list")
def list_games(*, as_json: Json = False) -> None:
    """List the games that can be settled, with the versions of their plans.

    Example: `gameledger games list`
    """
    found = [
        {"game": game, "version": version, "name": plans.plan(game, version).header.name}
        for game in plans.games()
        for version in plans.versions(game)
    ]
    if as_json:
        emit(found)
    else:
        rows = [(entry["game"], entry["version"], entry["name"]) for entry in found]
        table(("game", "plan version", "name"), rows)


@app.command()
def show(
    *,
    game: Annotated[str, typer.Argument(help="Game, as `games list` names it.")],
    version: Annotated[
        str | None, typer.Option(help="Version of the plan; the newest by default.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Show a plan: bets, what they pay, limits, source, and how unclear places are read.

    Example: `gameledger games show sazka.roulette_evolution`
    """
    header = plans.plan(game, version).header
    document = tomllib.loads(plans.document(game, header.version))
    if as_json:
        emit(document)
        return
    say(f"{header.name}, plan version {header.version}", style="bold")
    say(header.source)
    say(f"Settled by {header.rule_settled}.")
    say()
    bets = {code: bet for code, bet in document.get("bets", {}).items() if isinstance(bet, dict)}
    if bets:
        table(("bet", ">pays", ">at most CZK", "made of~"), [_bet(*pair) for pair in bets.items()])
    limits = [
        (name.replace("_", " "), value)
        for name, value in document.get("limits", {}).items()
        if isinstance(value, str | int)
    ]
    if limits:
        table(("limit", ">CZK"), limits)
    reasons = [(name.replace("_", " "), rule) for name, rule in header.void_reasons.items()]
    table(("void for", "paragraph"), reasons)
    rows = [(one.paragraph, one.question, one.taken) for one in header.readings]
    table(("paragraph~", "unclear~", "read as~"), rows)


def _bet(code: str, bet: dict[str, Any]) -> tuple[str, ...]:
    pays = f"{bet['pays']}:1" if isinstance(bet.get("pays"), int) else str(bet.get("pays", ""))
    chips = bet.get("chips", [])
    lies = ", ".join("/".join(map(str, n)) if isinstance(n, list) else str(n) for n in chips)
    form = str(bet.get("form", "")).replace("_", " ")
    return code.replace("_", " "), pays, str(bet.get("maximum", "")), lies or form


@app.command()
def edge(
    *,
    game: Annotated[
        str | None, typer.Argument(help="Game, as `games list` names it; all by default.")
    ] = None,
    version: Annotated[
        str | None, typer.Option(help="Version of the plan; the newest by default.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Count the house edge of every bet from the plan, beside the figure published for it.

    The edge is the share of the stake that stays with the house on average, counted over all
    pockets, fields or cards of a full shoe. Bets that depend on the player's decisions have none.

    Example: `gameledger games edge baccarat.commission`
    """
    from tools.games_edge import edges, percent

    found = []
    for name in plans.games() if game is None else (game,):
        plan = plans.plan(name, version)
        found += [(name, plan.header.version, one) for one in edges(plan)]
    if as_json:
        emit(
            [
                {
                    "game": name,
                    "version": plan_version,
                    "bet": one.bet,
                    "house_edge": None if one.house is None else str(one.house),
                    "percent": None if one.house is None else percent(one.house),
                    "published_percent": one.published,
                    "published_in": one.where or None,
                    "note": one.note,
                }
                for name, plan_version, one in found
            ]
        )
        return
    rows = [
        (
            name,
            one.bet,
            "-" if one.house is None else percent(one.house),
            one.published or "none known",
            one.where,
            one.note,
        )
        for name, _version, one in found
    ]
    columns = ("game", "bet", ">edge %", ">published %", "published in~", "note~")
    table(columns if game is None else columns[1:], rows if game is None else [r[1:] for r in rows])


def settle() -> None:
    """Settle rounds without a ledger: one JSON request a line in, one answer a line out.

    Nothing is recorded; a request that can't be settled is answered with its error.

    Example: `gameledger settle < requests.jsonl`
    """
    for line in sys.stdin.buffer:
        if line.strip():
            sys.stdout.write(plans.settle_line(line) + "\n")
            sys.stdout.flush()
