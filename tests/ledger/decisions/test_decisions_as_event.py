"""Events that take fields from a command, or a refusal: what a type checker would say of each.

``Command.as_event`` hides from mypy which fields an event is given. Each use in the source is read
here: the fields are all there, none twice, and what is taken fits what the event wants.
"""

from __future__ import annotations

import ast
import importlib
from datetime import datetime
from itertools import product
from pathlib import Path
from types import UnionType
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    Literal,
    NamedTuple,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

import pytest
from msgspec.structs import fields

from ledger.core.refusals import Refusal
from ledger.events import event_types as e
from ledger.events.command import Command

if TYPE_CHECKING:
    from collections.abc import Iterator

    from msgspec import Struct

DECISIONS = Path("ledger/decisions")
OF_ALL = {field.name for field in fields(Command)}


class Use(NamedTuple):
    """One call of ``as_event``: whose fields are taken, the event, and the fields given besides."""

    said_by: tuple[type[Struct], ...]
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
                    func=ast.Attribute(value=command, attr="as_event"),
                    args=[ast.Attribute(attr=event), *beside],
                    keywords=keywords,
                ):
                    kinds = [kinds_of(told[ast.unparse(one)], names) for one in (command, *beside)]
                    given = [name for one in keywords for name in names_in(one, names)]
                    for said_by in product(*kinds):
                        yield Use(said_by, getattr(e, event), given)


def names_in(keyword: ast.keyword, names: dict[str, Any]) -> list[str]:
    """Return the field that is given, or behind two stars those of a function's ``TypedDict``."""
    if keyword.arg is not None:
        return [keyword.arg]
    assert isinstance(keyword.value, ast.Call)
    function = names[ast.unparse(keyword.value.func)]
    return list(get_type_hints(function.__globals__[function.__annotations__["return"]]))


def kinds_of(annotation: ast.expr | None, names: dict[str, Any]) -> tuple[type[Struct], ...]:
    assert annotation is not None
    kind = eval(ast.unparse(annotation), names | {"Refusal": Refusal})  # noqa: S307
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
    "use", USES, ids=lambda use: f"{use.said_by[0].__name__}-{use.event.__name__}"
)
def test_event_has_each_field_from_one_of_them(use: Use) -> None:
    own = [(one.name, one.type) for kind in use.said_by for one in fields(kind)]
    said = {name: kind for name, kind in own if name not in OF_ALL}
    wanted = {field.name: field.type for field in fields(use.event)}
    taken = wanted.keys() & said.keys() - set(use.given)
    assert taken | set(use.given) == wanted.keys()
    assert all([name for name, _ in own].count(name) == 1 for name in taken)
    misfits = {name for name in taken if not fits(said[name], wanted[name])}
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
