"""``report``: the regulator's remote-access packages (decree 10/2019, model V, kind Z)."""

from __future__ import annotations

import typer

__all__ = ["app"]

app = typer.Typer(
    help="The regulator's packages: build, explain, status.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="markdown",
)


@app.callback()
def report() -> None:
    """The regulator's remote-access packages (decree 10/2019, model V, kind Z)."""
