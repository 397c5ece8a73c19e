"""Reject contradictory command lines: a time given twice, two output formats, invalid UTF-8."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from typer.core import TyperCommand

from ledger.core.errors import InputError
from tools.data import DataDirectory

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["StrictCommand"]

MOMENTS = {"when", "day", "moment_or_midnight"}
"""Names of what reads the moments of options; see ``tools.cli._when``."""


class StrictCommand(TyperCommand):
    """A command that ignores none of its arguments."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Reject a time given twice, CSV together with JSON, and names that are not UTF-8."""
        _, _, given = self.make_parser(ctx).parse_args(args=list(args))
        _require_once(given)
        rest = list(super().parse_args(ctx, args))
        if ctx.params.get("as_csv") and ctx.params.get("as_json"):
            raise InputError("ask for --csv or for --json (GAMELEDGER_JSON), not for both")
        _require_text(ctx.params.values())
        return rest


def _require_once(given: Iterable[Any]) -> None:
    """Reject a time that is given twice; otherwise the first would be ignored."""
    moments = [one for one in given if one.type.name in MOMENTS]
    for one in moments:
        if moments.count(one) > 1:
            raise InputError(f"give {' or '.join(one.opts)} once: it is one moment, not two")


def _require_text(values: Iterable[Any]) -> None:
    """Reject a name that is not valid UTF-8: no name in a log is. A path may be."""
    for value in values:
        for one in value if isinstance(value, list | tuple) else (value,):
            text = str(one) if isinstance(one, str | DataDirectory) else ""
            if text.encode(errors="replace").decode() != text:
                raise InputError(f"{text!a} is not written in UTF-8: name another")
