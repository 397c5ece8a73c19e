"""Options that ask where in the chain an answer looks; see ``tools.data.moments``."""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from ledger.core.errors import InputError
from tools.data import moments
from tools.data.moments import AsOfPoint, Span, position

if TYPE_CHECKING:
    from collections.abc import Callable

_Read = TypeVar("_Read")

__all__ = [
    "WHEN",
    "AsOfPoint",
    "At",
    "Day",
    "First",
    "ListAt",
    "Now",
    "Span",
    "Until",
    "UntilAt",
    "day",
    "moment_in_prague",
    "moment_or_midnight",
    "position",
    "when",
]


def _as_parser(read: Callable[[str], _Read]) -> Callable[[str], _Read]:
    """Let the option parser report an invalid text."""

    @wraps(read)
    def parse(text: str) -> _Read:
        try:
            return read(text)
        except InputError as error:
            raise typer.BadParameter(str(error)) from error

    return parse


day = _as_parser(moments.day)
parse_now = _as_parser(moments.parse_now)
moment_in_prague = _as_parser(moments.moment_in_prague)
moment_or_midnight = _as_parser(moments.moment_or_midnight)
when = _as_parser(moments.when)

WHEN = "POSITION|DAY|MOMENT"

At = Annotated[
    AsOfPoint | None,
    typer.Option(
        "--at",
        "--day",
        parser=when,
        metavar=WHEN,
        help="Answer as of the first so many messages, the end of a day, or a moment in Prague.",
    ),
]
"""As of when an answer is; all messages by default."""

ListAt = Annotated[
    AsOfPoint | None,
    typer.Option("--at", parser=when, metavar=WHEN, help="Answer as of then, as things were."),
]
"""As of when a list is; ``--day`` chooses what is in it."""

Now = Annotated[
    int | None,
    typer.Option(
        "--now",
        parser=parse_now,
        metavar="MOMENT|record",
        envvar="GAMELEDGER_NOW",
        help="Judge what is late at this moment in Prague, or at that of the last record; by the "
        "clock by default.",
    ),
]
"""Moment of a question; see ``tools.data.moments.now_of_question``."""

Day = Annotated[
    AsOfPoint | None,
    typer.Option("--day", parser=day, metavar="DAY", help="Only of a day in Prague."),
]
"""What was recorded on a day."""

First = Annotated[
    AsOfPoint | None,
    typer.Option("--from", parser=when, metavar=WHEN, help="Only from here on; a day whole."),
]
"""Where a list begins."""

Until = Annotated[
    AsOfPoint | None,
    typer.Option("--to", parser=when, metavar=WHEN, help="Only up to here; a day whole."),
]
"""Where a list ends."""

UntilAt = Annotated[
    AsOfPoint | None,
    typer.Option(
        "--to", "--at", parser=when, metavar=WHEN, help="Only up to here, and as of then."
    ),
]
"""Where a list ends that shows the state at its end."""
