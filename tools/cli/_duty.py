"""``duty``: what is to be done by a day, and is not done."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tools.access.questions.duties import duties
from tools.cli._help import Commands
from tools.cli._output import counted, echo, echo_position
from tools.cli._questions import command_of

if TYPE_CHECKING:
    from projections.reconciliation.duties import DutyRegister

__all__ = ["app"]

app = Commands("Duties: list those that are open, with their last day.")


@app.callback()
def duty() -> None:
    """Keep ``duty list`` a command of two words."""


def _print_overdue(register: DutyRegister) -> None:
    if overdue := sum(one.is_overdue for one in register.duties):
        echo(f"{counted(overdue, 'duty is', 'duties are')} overdue.", style="bold red")
    echo_position(register.position, register.recorded_at)


app.command("list")(command_of(duties, footer=_print_overdue))
