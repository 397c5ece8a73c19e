"""``duty``: what is to be done by a day, and is not done."""

from __future__ import annotations

from tools.access.questions.duties import duties
from tools.cli._help import Commands
from tools.cli._questions import command_of

__all__ = ["app"]

app = Commands("Duties: list those that are open, with their last day.")


@app.callback()
def duty() -> None:
    """Keep ``duty list`` a command of two words."""


app.command("list")(command_of(duties))
