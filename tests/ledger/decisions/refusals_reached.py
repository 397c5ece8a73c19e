"""Which refusals a decision can reach, found in its source: codes in the order of judgement.

Functions are followed where they are named. What is caught as a refusal is none.
"""

from __future__ import annotations

import ast
import inspect
from functools import cache
from textwrap import dedent
from types import FunctionType, ModuleType
from typing import TYPE_CHECKING, Any

from ledger.core.texts import REFUSALS

if TYPE_CHECKING:
    from collections.abc import Iterator

HOME = "ledger.decisions."


def reached(decision: FunctionType) -> list[str]:
    """Return the codes of all refusals of a decision, each where it is judged first."""
    return list(dict.fromkeys(_of_function(decision)))


@cache
def _of_function(function: FunctionType) -> tuple[str, ...]:
    (definition,) = ast.parse(dedent(inspect.getsource(function))).body
    assert isinstance(definition, ast.FunctionDef)
    return tuple(code for node in definition.body for code in _codes(node, function.__globals__))


def _codes(node: ast.AST, names: dict[str, Any]) -> Iterator[str]:
    if isinstance(node, ast.Constant) and node.value in REFUSALS:
        yield node.value
    for child in _as_evaluated(node):
        yield from _codes(child, names)
    named = _value(node, names)
    if isinstance(named, FunctionType) and named.__module__.startswith(HOME):
        yield from _of_function(named)


def _value(node: ast.AST, names: dict[str, Any]) -> Any:
    """Return what a name stands for, or an attribute of a module."""
    if isinstance(node, ast.Name):
        return names.get(node.id)
    if isinstance(node, ast.Attribute):
        module = _value(node.value, names)
        return getattr(module, node.attr) if isinstance(module, ModuleType) else None
    return None


def _as_evaluated(node: ast.AST) -> list[ast.AST]:
    """Return the parts of a node in the order in which Python evaluates them."""
    match node:
        case ast.Call(func=func, args=args, keywords=keywords):
            return [*args, *keywords, func]
        case ast.ListComp(elt=elt) | ast.SetComp(elt=elt) | ast.GeneratorExp(elt=elt):
            return [*node.generators, elt]
        case ast.IfExp(test=test, body=body, orelse=orelse):
            return [test, body, orelse]
        case ast.Try(handlers=handlers) if any(
            isinstance(one.type, ast.Name) and one.type.id == "RefusedError" for one in handlers
        ):
            return [*handlers, *node.orelse, *node.finalbody]
    return list(ast.iter_child_nodes(node))
