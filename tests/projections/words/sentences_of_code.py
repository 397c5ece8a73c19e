"""English sentences that the code makes, read from it: ``{}`` is where a value stands."""

from __future__ import annotations

import ast
from collections import defaultdict
from itertools import product
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

__all__ = ["sentences"]

Given = dict[str, list[ast.Assign]]
"""What is assigned to a name in a function, line by line."""


def sentences(
    folder: Path,
    said_in: Callable[[ast.Call | ast.Return, str], list[ast.expr]],
    files: str = "*.py",
) -> Iterator[str]:
    """Read the sentences of a folder.

    Args:
        folder: of modules.
        said_in: what of a call, or of the ``return`` of a function of that name, is a sentence.
        files: names of those to read, as a pattern.

    """
    for file in sorted(folder.rglob(files)):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef):
                yield from _of_function(node, said_in)


def _of_function(
    function: ast.FunctionDef, said_in: Callable[[ast.Call | ast.Return, str], list[ast.expr]]
) -> Iterator[str]:
    given: Given = defaultdict(list)
    for node in ast.walk(function):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            given[node.targets[0].id].append(node)
    for node in ast.walk(function):
        if isinstance(node, ast.Call | ast.Return):
            for said in said_in(node, function.name):
                yield from filter(None, _texts(said, given))


def _texts(node: ast.expr, given: Given) -> list[str]:
    """Return each text that an expression can be; nothing of one that is no text here."""
    match node:
        case ast.Constant(value=str(text)):
            return [text]
        case ast.JoinedStr(values=parts):
            pieces = [_pieces(part, given) for part in parts]
            return ["".join(chosen) for chosen in product(*pieces)]
        case ast.IfExp(body=one, orelse=other):
            return _texts(one, given) + _texts(other, given)
        case ast.BoolOp(values=several):
            return [text for one in several for text in _texts(one, given)]
        case ast.Name(id=name):
            before = [one for one in given.get(name, []) if one.end_lineno == node.lineno - 1]
            return [text for one in before or given.get(name, []) for text in _texts(one.value, {})]
    return []


def _pieces(part: ast.expr, given: Given) -> list[str]:
    if isinstance(part, ast.FormattedValue):
        match part.value:
            case ast.IfExp() as choice:
                return _texts(choice, given) or ["{}"]
            case ast.Name(id=name, lineno=line) as named:
                is_near = any(one.end_lineno == line - 1 for one in given.get(name, []))
                return (_texts(named, given) if is_near else []) or ["{}"]
        return ["{}"]
    return _texts(part, given)
