"""Check the words of names and prose, and the references in docstrings.

Input: the Python files of the tree. Output: one line for each fault, with its place. Rejected: a
name with a word for which the field has its own term; a reference (``:func:``, ``:class:`` …) or a
dotted name in double backquotes that does not exist; more idioms in the prose of a folder than its
limit. Lower a limit when a folder has fewer; never raise it.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

__all__ = ["LIMITS", "faults"]

FOLDERS = ("ledger", "projections", "tools", "schemas")
LEFT_OUT = ("ledger/events/event_types.py", "tools/workshop/lint/language.py")
"""What is generated, and this list of words itself."""

METAPHORS = frozenset(
    {"anew", "beat", "beside", "courier", "crew", "desk", "door", "scribe"}
    | {"somebody", "stretch", "told", "trail", "walk", "whoever"}
)
"""Words that no class, function or module is named after, whole or as a part of a name."""
PARTICIPLES = frozenset(
    {"Aside", "Asked", "Carried", "Earlier", "Filed", "Followed", "Gathered", "Given"}
    | {"Held", "Kept", "Made", "Matched", "Moved", "Packed", "Said", "Seen", "Told"}
)
"""Names that are no nouns."""

IDIOMS = re.compile(
    r"\b(who(?:ever)? (?:asks|sends|reads|may|is|has|was|writes|comes|gets|wants)|is told|are told|"
    r"was told|tells? (?:of|what|how|whether)|says? (?:of|so|what|how|whether)|is said|anew|"
    r"beside it|somebody|nobody)\b"
)
"""Turns of phrase for which plain technical English has another."""

LIMITS: dict[str, int] = {
    "ledger/core": 1,
    "ledger/decisions": 2,
    "ledger/games": 4,
    "projections/reconciliation": 5,
    "projections/words": 2,
    "tools/access": 2,
    "tools/cli": 1,
    "tools/delivery": 1,
    "tools/feed": 1,
    "tools/workshop": 2,
    "tools/plans": 2,
    "tools/simulator": 6,
}
"""Idioms that the docstrings and comments of a folder may still have."""

_REFERENCE = re.compile(r":(?:func|class|meth|data|mod|attr|exc):`~?([\w.]+)`")
_DOTTED = re.compile(r"``((?:ledger|projections|tools|schemas)(?:\.\w+)+)``")


class _Source(NamedTuple):
    path: str
    module: str
    text: str
    tree: ast.Module


def faults(root: Path) -> list[str]:
    """Return every fault of the tree, as lines ``path:line: what is wrong``."""
    sources = list(_sources(root))
    known = _Known(sources)
    return [
        *_of_names(sources),
        *_of_references(sources, known),
        *_of_prose(sources),
    ]


def _sources(root: Path) -> Iterator[_Source]:
    for folder in FOLDERS:
        for file in sorted((root / folder).rglob("*.py")):
            path = file.relative_to(root).as_posix()
            if path in LEFT_OUT or "__pycache__" in path:
                continue
            text = file.read_text(encoding="utf-8")
            module = path.removesuffix(".py").replace("/", ".").removesuffix(".__init__")
            yield _Source(path, module, text, ast.parse(text))


def _of_names(sources: Iterable[_Source]) -> Iterator[str]:
    for one in sources:
        for part in one.module.split("."):
            if METAPHORS & set(part.split("_")):
                yield f"{one.path}:1: module {part}: use the field's own term"
        for node in ast.walk(one.tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                words = {word.lower() for word in _words(node.name)}
                if METAPHORS & words or node.name.lstrip("_") in PARTICIPLES:
                    yield f"{one.path}:{node.lineno}: {node.name}: use the field's own term"


def _words(name: str) -> list[str]:
    return re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name)


class _Known:
    """Every module and every name defined in one."""

    def __init__(self, sources: Iterable[_Source]) -> None:
        self.modules: dict[str, set[str]] = {}
        self.classes: dict[str, set[str]] = {}
        for one in sources:
            names = self.modules[one.module] = set[str]()
            for statement in one.tree.body:
                names |= _bound(statement)
            for node in ast.walk(one.tree):
                if isinstance(node, ast.ClassDef):
                    members = self.classes.setdefault(node.name, set())
                    for member in node.body:
                        members |= _bound(member)

    def has(self, dotted: str, module: str) -> bool:
        """Return whether a reference in a module leads to something."""
        if dotted in self.modules or dotted.split(".", maxsplit=1)[0] not in FOLDERS:
            return dotted in self.modules or self._is_near(dotted, module)
        owner, _, name = dotted.rpartition(".")
        if name in self.modules.get(owner, ()):
            return True
        above, _, kind = owner.rpartition(".")
        return kind in self.modules.get(above, ()) and name in self.classes.get(kind, ())

    def _is_near(self, name: str, module: str) -> bool:
        head, _, member = name.partition(".")
        if member:
            return member in self.classes.get(head, {member})
        return name in self.modules.get(module, ()) or name in self._members(module)

    def _members(self, module: str) -> set[str]:
        return set().union(
            *(self.classes.get(name, set()) for name in self.modules.get(module, ()))
        )


def _bound(node: ast.stmt) -> set[str]:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return {node.name}
    if isinstance(node, ast.Import | ast.ImportFrom):
        return {(alias.asname or alias.name).split(".")[0] for alias in node.names}
    if isinstance(node, ast.Assign):
        return {
            leaf.id for one in node.targets for leaf in ast.walk(one) if isinstance(leaf, ast.Name)
        }
    if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
        return {node.target.id}
    if isinstance(node, ast.If | ast.Try):
        return set().union(*(_bound(one) for one in node.body))
    return set()


def _of_references(sources: Iterable[_Source], known: _Known) -> Iterator[str]:
    for one in sources:
        for number, line in enumerate(one.text.splitlines(), 1):
            for found in (*_REFERENCE.findall(line), *_DOTTED.findall(line)):
                if not known.has(found, one.module):
                    yield f"{one.path}:{number}: {found} does not exist"


def _of_prose(sources: Iterable[_Source]) -> Iterator[str]:
    counts: Counter[str] = Counter()
    first: dict[str, str] = {}
    for one in sources:
        folder = "/".join(one.path.split("/")[:2])
        for number, line in enumerate(one.text.splitlines(), 1):
            for found in IDIOMS.findall(line):
                counts[folder] += 1
                first.setdefault(folder, f"{one.path}:{number}: {found!r}")
    for folder, count in sorted(counts.items()):
        limit = LIMITS.get(folder, 0)
        if count > limit:
            yield f"{first[folder]} …: {folder} has {count} such phrases, {limit} at most"
        elif count < limit:
            yield f"{folder} has {count} such phrases: lower its limit in LIMITS to that"
