"""``bet``: the bets of an account, a round, a day."""

from __future__ import annotations

from tools.access.questions.rounds import bets
from tools.cli._help import Commands
from tools.cli._questions import command_of

__all__ = ["app"]

app = Commands("Bets: list them.")


@app.callback()
def bet() -> None:
    """Bets against the house."""


app.command("list")(command_of(bets))
