"""Make commands of functions that return an answer, or a command for the ledger.

Input: a function whose parameters are the options and whose returned type is the answer. Output:
a command with ``--json`` besides, which writes that answer as JSON or shows it as text; the JSON
schema of the answer is made of the same type, see :mod:`tools.cli.answers`.
"""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from inspect import getdoc, signature
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Literal, get_type_hints

import typer

from ledger.core.clock import SystemClock
from ledger.core.errors import AuthorizationError
from ledger.receipts import Receipt
from tools.access.questions.declaration import sign
from tools.cli._options import DATA, Data, DryRun, Json
from tools.cli._output import echo, emit

if TYPE_CHECKING:
    from collections.abc import Callable

    from ledger.core.refusals import Refusal
    from ledger.events.command import Command
    from tools.data import DataDirectory

__all__ = ["AnswerType", "Rehearsed", "answer_of", "answers", "emits", "sends"]


@dataclass(frozen=True, slots=True)
class AnswerType:
    """The type of a command's answer, and whether there is one on each line."""

    kind: Callable[[], Any]
    is_line: bool = False


@dataclass(frozen=True, slots=True)
class Rehearsed:
    """A command that would be carried out, and the events that would follow."""

    dry_run: Literal[True]
    events: list[str]


def answers(
    show: Callable[..., None] | None = None, *, end: Callable[[Any], int] | None = None
) -> Callable[[Callable[..., Any]], Callable[..., None]]:
    """Make a command of a function that returns its answer.

    Args:
        show: prints the answer as text; its keyword-only parameters are options, too, or those of
            the function.
        end: returns the exit code of an answer, or raises its error; it is 0 by default.

    """
    shown_by = {} if show is None else _parameters(show, keyword_only=True)

    def registered(ask: Callable[..., Any]) -> Callable[..., None]:
        own = _parameters(ask)

        def command(*, as_json: bool, **given: Any) -> None:
            found = ask(**{name: given[name] for name in own})
            if as_json:
                emit(found)
            elif show is not None:
                show(found, **{name: given[name] for name in shown_by})
            if end is not None and (code := end(found)):
                raise typer.Exit(code)

        return _signed(command, ask, {**_with_json(own), **shown_by, **own}, ask)

    return registered


def sends(*, done: str, would: str) -> Callable[[Callable[..., Command]], Callable[..., None]]:
    """Make a command of a function that returns a command for the ledger, which is sent.

    Args:
        done: text of what was done, without its position; options and ``command`` in braces.
        would: text of a dry run, the same.

    """

    def registered(make: Callable[..., Command]) -> Callable[..., None]:
        own = _parameters(make)

        def command(*, data: DataDirectory, as_json: bool, dry_run: bool, **given: Any) -> None:
            given |= {"data": data} if "data" in own else {}
            sent = make(**given)
            text = (would if dry_run else done).format(**given, command=sent)
            found, refused = _rehearsed(data, sent) if dry_run else _executed(data, sent)
            if as_json and found is not None:
                emit(found)
            if refused is not None:
                raise AuthorizationError(f"{refused.sentence} ({refused.paragraph})")
            if not as_json:
                place = f": position {found.last_position}" if isinstance(found, Receipt) else ""
                echo(f"{text}{place}.")

        common = {"data": (Data, DATA), "as_json": (Json, False), "dry_run": (DryRun, False)}
        return _signed(command, make, {**own, **common}, _sent)

    return registered


def _sent() -> Receipt | Rehearsed:
    """Give the type of what a command for the ledger is answered with."""
    raise NotImplementedError


def _executed(data: DataDirectory, command: Command) -> tuple[Receipt, Refusal | None]:
    with data.write() as ledger:
        receipt = ledger.execute(command)
    return receipt, receipt.refused


def _rehearsed(data: DataDirectory, command: Command) -> tuple[Rehearsed | None, Refusal | None]:
    """Decide a command without recording it; a refusal has no other answer."""
    from ledger.decisions.decider import decide
    from ledger.state.ledger_state import LedgerState

    with closing(data.read()) as log, closing(data.keys()) as keys:
        decided = decide(LedgerState(log, keys), command, SystemClock().now())
    if decided.refusal is not None:
        return None, decided.refusal
    return Rehearsed(dry_run=True, events=[event.type for event in decided.events]), None


def _parameters(
    function: Callable[..., Any], *, keyword_only: bool = False
) -> dict[str, tuple[Any, Any]]:
    """Return types and defaults of a function's parameters by name."""
    found = {
        name: one
        for name, one in signature(function).parameters.items()
        if not keyword_only or one.kind is one.KEYWORD_ONLY
    }
    read = SimpleNamespace(__annotations__={name: one.annotation for name, one in found.items()})
    hints = get_type_hints(read, function.__globals__, include_extras=True)
    return {name: (hints[name], one.default) for name, one in found.items()}


def _with_json(own: dict[str, tuple[Any, Any]]) -> dict[str, tuple[Any, Any]]:
    """Insert ``--json`` behind ``--data``, as all commands list it."""
    found = {}
    for name, parameter in own.items():
        found[name] = parameter
        if name == "data":
            found["as_json"] = (Json, False)
    return {**found, "as_json": (Json, False)}


def _signed(
    command: Callable[..., None],
    function: Callable[..., Any],
    parameters: dict[str, tuple[Any, Any]],
    answered_by: Callable[..., Any],
) -> Callable[..., None]:
    sign(command, [(name, kind, default) for name, (kind, default) in parameters.items()])
    command.__name__, command.__doc__ = function.__name__, getdoc(function)
    return _declared(command, AnswerType(lambda: get_type_hints(answered_by)["return"]))


def emits(
    kind: Any, *, is_line: bool = False
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Declare the type of the answer of a command that writes it itself, or one on each line."""
    return lambda command: _declared(command, AnswerType(lambda: kind, is_line=is_line))


def _declared(command: Callable[..., None], answer: AnswerType) -> Callable[..., None]:
    command.answer = answer  # type: ignore[attr-defined]
    return command


def answer_of(command: Any) -> AnswerType | None:
    """Return what the answer of a command is; None if it has none in JSON."""
    found: AnswerType | None = getattr(command, "answer", None)
    return found
