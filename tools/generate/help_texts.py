"""The help of every command, as the program prints it at 80 columns, for ``tools/cli/help.json``.

To make a text of help, the module of a command is imported with all that it works with; to print
one that is there already takes neither.
"""

from __future__ import annotations

import io
import json
import os
from contextlib import redirect_stdout
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

import typer

from tools.cli._app import app

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["help_texts"]


def help_texts() -> str:
    """Write each text by the arguments that ask for it."""
    asked = [[*path, "--help"] for path in _paths(typer.main.get_command(app), [])]
    with patch.dict(os.environ, {"COLUMNS": "80"}, clear=True):
        texts = {" ".join(arguments): _help_text(arguments) for arguments in asked}
    return json.dumps(texts, indent=0, ensure_ascii=False) + "\n"


def _paths(group: Any, path: list[str]) -> Iterator[list[str]]:
    """Name every command and every group."""
    yield path
    context = typer.Context(group)
    for name in group.list_commands(context) if hasattr(group, "list_commands") else []:
        command = group.resolve_command(context, [name])[1]
        yield from _paths(command, [*path, name])


def _help_text(arguments: list[str]) -> str:
    out = io.StringIO()
    with redirect_stdout(out):
        app(arguments, prog_name="gameledger", standalone_mode=False)
    return out.getvalue()
