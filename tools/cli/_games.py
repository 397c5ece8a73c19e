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


def settle() -> None:
    """Settle rounds without a ledger: one JSON request a line in, one answer a line out.

    Nothing is recorded; a request that can't be settled is answered with its error.

    Example: `gameledger settle < requests.jsonl`
    """
    for line in sys.stdin:
        if line.strip():
            sys.stdout.write(plans.settle_line(line) + "\n")
            sys.stdout.flush()
