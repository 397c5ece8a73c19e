"""``completion``: the script by which a shell completes commands and options."""

from __future__ import annotations

from typing import Annotated, Literal

import typer
from typer._completion_shared import get_completion_script

from tools.cli._app import COMPLETE

__all__ = ["completion"]


def completion(
    shell: Annotated[Literal["bash", "zsh", "fish"], typer.Argument(help="Your shell.")],
) -> None:
    """Print the script that completes commands and options in a shell.

    Example: `eval "$(gameledger completion bash)"`
    """
    print(get_completion_script(prog_name="gameledger", complete_var=COMPLETE, shell=shell))
