"""Tables of functions by argument type: one look-up at run time, checked by the type checker."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["on", "table"]

State = TypeVar("State")
Given = TypeVar("Given")
Result = TypeVar("Result")
Function = TypeVar("Function")
More = ParamSpec("More")


def on(
    kind: type[Given], function: Callable[Concatenate[State, Given, More], Result]
) -> tuple[type[Any], Callable[Concatenate[State, Any, More], Result]]:
    """Return an entry of a table: ``function`` takes the state and a value of type ``kind``."""
    return kind, function


def table(*entries: tuple[type[Given], Function]) -> dict[type[Given], Function]:
    """Return a table with these entries; no type may occur twice."""
    functions = dict(entries)
    assert len(functions) == len(entries), "a type has two functions"  # noqa: S101 - a bug of ours
    return functions
