"""Layout of the help: plain text, which loads sooner than boxes and reads well in files.

:class:`Commands` makes every group of commands and every command of the program.
"""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

import typer
from typer.core import TyperGroup

from tools.cli._strict_command import StrictCommand

if TYPE_CHECKING:
    from collections.abc import Callable

    from typer.models import CommandFunctionType

__all__ = ["Commands", "PlainGroup"]

LONGEST = 1_000
"""Characters of a command's line in the list of its group; it is wrapped, never cut."""


class PlainGroup(TyperGroup):
    """A group that lists its commands by panel, each with its whole first sentence."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return a command; answer a word that is none with those that are there."""
        typed = args[0]
        if self.get_command(ctx, typed) is None and not typed.startswith("-"):
            like = get_close_matches(typed, self.list_commands(ctx))
            if step := self.step_for(ctx, typed, like):
                ctx.fail(f"No such command {typed!r}. {step}")
        return super().resolve_command(ctx, args)

    def step_for(self, ctx: Any, typed: str, like: list[str]) -> str:  # noqa: ARG002 - of the program
        """Return what to type instead; empty if a command of the group is written like it."""
        return "" if like else f"{ctx.command_path} has {', '.join(self.list_commands(ctx))}."

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the lists."""
        panels: dict[str, list[tuple[str, str]]] = {}
        for name in self.list_commands(ctx):
            command: Any = self.get_command(ctx, name)
            panel = getattr(command, "rich_help_panel", None)
            panels.setdefault(panel if isinstance(panel, str) else "Commands", []).append(
                (name, command.get_short_help_str(LONGEST))
            )
        for panel, rows in panels.items():
            with formatter.section(panel):
                formatter.write_dl(rows)


class Commands(typer.Typer):
    """A group of commands, or the one command of a module."""

    def __init__(self, *story: str, **settings: Any) -> None:
        """Make an empty group; called without a command, it tells its help.

        Args:
            story: the help of the group; without it, the docstring of its callback.
            settings: what else typer takes.

        """
        if story:
            settings["help"] = "".join(story)
        settings = {"cls": PlainGroup, "no_args_is_help": True, **settings}
        super().__init__(add_completion=False, rich_markup_mode=None, **settings)

    def command(
        self, name: str | None = None, *, cls: Any = None, **settings: Any
    ) -> Callable[[CommandFunctionType], CommandFunctionType]:
        """Take a function as a command that passes nothing over of what it is asked."""
        return super().command(name, cls=cls or StrictCommand, **settings)
