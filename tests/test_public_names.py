"""What a module says is public is what it has for others, no more and no less.

Public are its functions and classes without an underscore, but those that a decorator registers
and ``main``, and whatever another module imports from it; a package also lists all that it takes
in. The files are read and not run.
"""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ROOMS = ("ledger", "projections", "schemas", "tools")
FILES = sorted(
    str(file.relative_to(ROOT)) for room in ROOMS for file in (ROOT / room).rglob("*.py")
)
KEPT = {"cache", "contextmanager"}
"""Decorators that give a function back; all others keep it in a register."""
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def text_of(file: str) -> str:
    return (ROOT / file).read_text(encoding="utf-8")


@cache
def tree_of(file: str) -> ast.Module:
    return ast.parse(text_of(file))


def listed(file: str) -> list[str] | None:
    """Names in ``__all__``, if there is such a list."""
    for node in tree_of(file).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            return list(ast.literal_eval(node.value))
    return None


def defined(file: str) -> set[str]:
    """Functions and classes without an underscore that no decorator registers."""
    return {
        node.name
        for node in tree_of(file).body
        if isinstance(node, DEFINITIONS)
        and not node.name.startswith("_")
        and (
            isinstance(node, ast.ClassDef) or KEPT.issuperset(map(ast.unparse, node.decorator_list))
        )
    } - {"main"}


def bound(file: str) -> set[str]:
    """Every name that the module gives a value at its top, by whatever statement."""
    found = {node.name for node in tree_of(file).body if isinstance(node, DEFINITIONS)}
    for node in ast.walk(tree_of(file)):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            found |= {alias.asname or alias.name for alias in node.names}
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
    return found


@cache
def imported() -> dict[str, set[str]]:
    """Names that other files import from each module."""
    found: dict[str, set[str]] = {}
    for file in FILES:
        for node in ast.walk(tree_of(file)):
            if isinstance(node, ast.ImportFrom) and node.module:
                names = {alias.name for alias in node.names}
                found.setdefault(node.module, set()).update(names)
    return found


def module_of(file: str) -> str:
    return file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def submodules(file: str) -> set[str]:
    here = (ROOT / file).parent
    return {path.stem for path in here.iterdir()} if file.endswith("__init__.py") else set()


@pytest.mark.parametrize("file", [file for file in FILES if "\n__all__ = " in text_of(file)])
def test_what_is_listed_as_public_is_what_is_public(file: str) -> None:
    names = listed(file) or []
    asked_for = {name for name in imported().get(module_of(file), ()) if not name.startswith("_")}
    assert len(set(names)) == len(names)
    assert set(names) <= bound(file)
    assert (defined(file) | asked_for) - submodules(file) - set(names) == set()


@pytest.mark.parametrize("file", [file for file in FILES if file.endswith("__init__.py")])
def test_a_package_lists_all_that_it_holds(file: str) -> None:
    held = defined(file)
    for node in tree_of(file).body:
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in ROOMS:
            held |= {alias.asname or alias.name for alias in node.names}
        elif isinstance(node, ast.Assign):
            held |= {name.id for name in node.targets if isinstance(name, ast.Name)}
    held = {name for name in held if not name.startswith("_")}
    assert sorted(held) == sorted(listed(file) or ())
