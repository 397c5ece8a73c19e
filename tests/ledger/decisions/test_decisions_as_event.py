"""Events that take their fields from a command: what a type checker would say of each.

``Command.as_event`` hides from mypy which fields an event is given. Each use in the source is read
here: the fields are all there, none twice, and what the command has fits what the event wants.
"""

from __future__ import annotations

import ast
import importlib
from datetime import datetime
from pathlib import Path
from types import UnionType
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple, Union, get_args, get_origin

import pytest
from msgspec.structs import fields

from ledger.core import events as e
from ledger.core.command import Command

if TYPE_CHECKING:
    from collections.abc import Iterator

DECISIONS = Path("ledger/decisions")
OF_ALL = {field.name for field in fields(Command)}


class Use(NamedTuple):
    """One call of ``as_event``: who it is called on, the event, and the fields given besides."""

    command: type[Command]
    event: type[e.Event]
    given: list[str]


def uses_in(path: Path) -> Iterator[Use]:
    names = vars(importlib.import_module(".".join(path.with_suffix("").parts)))
    for definition in ast.parse(path.read_text()).body:
        if not isinstance(definition, ast.FunctionDef):
            continue
        told = {one.arg: one.annotation for one in definition.args.args}
        for node in ast.walk(definition):
            match node:
                case ast.Call(
                    func=ast.Attribute(value=ast.Name(id=name), attr="as_event"),
                    args=[ast.Attribute(attr=event)],
                    keywords=keywords,
                ):
                    annotation = told[name]
                    assert isinstance(annotation, ast.expr)
                    for command in kinds(eval(ast.unparse(annotation), names)):  # noqa: S307
                        yield Use(command, getattr(e, event), [one.arg or "**" for one in keywords])


def kinds(kind: Any) -> tuple[Any, ...]:
    return get_args(kind) if isinstance(kind, UnionType) else (kind,)


def fits(said: Any, wanted: Any) -> bool:
    """Return whether every value of a field of a command is one of a field of an event."""
    origin, parts = get_origin(said), get_args(said)
    if origin is Annotated:
        return fits(parts[0], wanted)
    if origin is Literal:
        return all(fits(type(one), wanted) for one in parts)
    if origin in {Union, UnionType}:
        return all(fits(one, wanted) for one in parts)
    if get_origin(wanted) in {Union, UnionType}:
        return any(fits(said, one) for one in get_args(wanted))
    if origin is tuple and get_origin(wanted) is tuple:
        return parts[1:] == (...,) and fits(parts[0], get_args(wanted)[0])
    return bool(said == wanted)


USES = [use for path in sorted(DECISIONS.rglob("*.py")) for use in uses_in(path)]


@pytest.mark.parametrize(
    "use", USES, ids=lambda use: f"{use.command.__name__}-{use.event.__name__}"
)
def test_event_has_each_field_from_one_of_the_two(use: Use) -> None:
    own = {field.name: field.type for field in fields(use.command) if field.name not in OF_ALL}
    wanted = {field.name: field.type for field in fields(use.event)}
    said = wanted.keys() & own.keys() - set(use.given)
    assert said | set(use.given) == wanted.keys()
    misfits = {name for name in said if not fits(own[name], wanted[name])}
    assert not misfits


def test_the_uses_were_found() -> None:
    written = "".join(path.read_text() for path in DECISIONS.rglob("*.py"))
    assert len(USES) >= written.count(".as_event(") > 0


@pytest.mark.parametrize(
    ("said", "wanted"),
    [
        (datetime, int),
        (int | None, int),
        (Literal["a", 1], str),
        (tuple[int, ...], tuple[str, ...]),
        (dict[str, int], tuple[str, ...]),
        (bool, int),
    ],
)
def test_a_misfit_is_seen(said: Any, wanted: Any) -> None:
    assert not fits(said, wanted)
