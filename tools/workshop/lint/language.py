"""Check the words of names and prose, and the references in docstrings.

Input: the Python files of the tree, its pages, SQL and texts. Output: one line for each fault, with
its place. Rejected: a name with a word for which the field has its own term; a reference
(``:func:``, ``:class:`` …) or a dotted name in double backquotes that does not exist; a file or a
target of ``make`` that a page names and that does not exist; more idioms in the prose of a folder
than its limit. Lower a limit when a folder has fewer; never raise it.
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
PAGES = ("*.md", "docs/**/*.md", "deploy/**/*.md", "tests/*.md", "client/*.md", "schemas/*.md")
PROSE = (*PAGES, "tests/**/*.py", "projections/**/*.sql", "*/*/texts.toml", "*/*/refusals.toml")
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
    "deploy": 15,
    "docs": 88,
    "docs/adr": 18,
    "docs/recipes": 1,
    "ledger/core": 1,
    "ledger/decisions": 2,
    "ledger/games": 4,
    "pages of the root": 2,
    "projections/checks": 1,
    "projections/packages": 6,
    "projections/sql": 2,
    "projections/words": 2,
    "tests": 284,
    "tools/access": 2,
    "tools/cli": 1,
    "tools/simulator": 6,
    "tools/workshop": 2,
}
"""Idioms that the prose of a folder may still have."""

_REFERENCE = re.compile(r":(?:func|class|meth|data|mod|attr|exc):`~?([\w.]+)`")
_DOTTED = re.compile(r"``((?:ledger|projections|tools|schemas)(?:\.\w+)+)``")
_QUOTED = re.compile(r"(?<!`)`([^`]+)`(?!`)")
_PATH = re.compile(
    r"(?:ledger|projections|schemas|tools|tests|docs|deploy|client|verifier)/[\w./-]*"
)
_FILE = re.compile(r"[\w-]+\.(?:py|sql|rs)")
_MAKE = re.compile(r"make ([a-z-]+)")
FILES = (*FOLDERS, "tests", "docs", "deploy", "client", "verifier/src")
NOT_WRITTEN = frozenset(
    {"CHANGELOG.md", "docs/codes.md", "docs/duties.md", "docs/events.md", "docs/games.md"}
    | {"docs/sql.md"}
)
"""Pages of earlier releases, and those that are generated."""


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
        *_of_prose([(one.path, one.text) for one in sources] + _prose(root)),
        *_of_pages(root),
    ]


def _prose(root: Path) -> list[tuple[str, str]]:
    """Return the pages, tests, SQL and texts that prose is counted in, without generated ones."""
    paths = {file for pattern in PROSE for file in root.glob(pattern)}
    named = {file.relative_to(root).as_posix(): file for file in paths}
    return [
        (name, file.read_text(encoding="utf-8"))
        for name, file in sorted(named.items())
        if name not in NOT_WRITTEN and not name.startswith(".")
    ]


def _of_pages(root: Path) -> Iterator[str]:
    targets = set(re.findall(r"^([a-z-]+):", (root / "Makefile").read_text("utf-8"), re.MULTILINE))
    names = {file.name for folder in FILES for file in (root / folder).rglob("*.*")}
    for page in sorted({page for pattern in PAGES for page in root.glob(pattern)}):
        name = page.relative_to(root).as_posix()
        if name in NOT_WRITTEN:
            continue
        for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
            for found in _QUOTED.findall(line):
                if not _exists(found, root, names, targets):
                    yield f"{name}:{number}: {found} does not exist"


def _exists(quoted: str, root: Path, names: set[str], targets: set[str]) -> bool:
    if _PATH.fullmatch(quoted):
        return quoted in NOT_WRITTEN or (root / quoted).exists()
    if _FILE.fullmatch(quoted):
        return quoted in names
    command = _MAKE.match(quoted)
    return command is None or command[1] in targets


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


def _of_prose(texts: Iterable[tuple[str, str]]) -> Iterator[str]:
    counts: Counter[str] = Counter()
    last: dict[str, str] = {}
    for path, text in texts:
        folder = _folder_of(path)
        for number, line in enumerate(text.splitlines(), 1):
            for found in IDIOMS.findall(line):
                counts[folder] += 1
                last[folder] = f"{path}:{number}: {found!r}"
    for folder in sorted(counts.keys() | LIMITS.keys()):
        count, limit = counts[folder], LIMITS.get(folder, 0)
        if count > limit:
            yield f"{last[folder]} …: {folder} has {count} such phrases, {limit} at most"
        elif count < limit:
            yield f"{folder} has {count} such phrases: lower its limit in LIMITS to that"


def _folder_of(path: str) -> str:
    """Return what a text counts for: a package, a folder of pages, or all tests."""
    folder, *rest = path.split("/")
    if folder in FOLDERS and rest:
        return f"{folder}/{rest[0]}" if len(rest) > 1 else folder
    if folder == "docs" and rest[0] in {"adr", "readers", "recipes"}:
        return f"docs/{rest[0]}"
    return folder if rest else "pages of the root"
