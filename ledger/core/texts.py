"""Texts by code: the phrases and refusals that packages own, in English and Czech.

What comes in: the root packages that :func:`register` names. Each of their packages may have
``texts.toml`` with its phrases and ``refusals.toml`` with its refusals: a table for each code, with
``en`` and ``cs``. What goes out: :data:`PHRASES` and :data:`REFUSALS`. The files are read when the
first text is needed; a wheel holds those of a root package as one file, ``texts.json``.

A code never changes its meaning; its text may be improved. Rejected: a code that two packages own.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import resources
from typing import NamedTuple

from schemas.compiled import compiled

__all__ = ["COMPILED", "PHRASES", "REFUSALS", "Texts", "compile_texts", "register"]

COMPILED = "texts.json"
KINDS = ("texts", "refusals")


class _Text(NamedTuple):
    """A text in each language; places have types (:mod:`ledger.core.phrases`)."""

    en: str
    cs: str


class Texts(Mapping[str, str]):
    """English texts by code; :meth:`czech` has the Czech ones."""

    def __init__(self, kind: str) -> None:
        """Read the texts of a kind, ``texts`` or ``refusals``, when the first one is needed."""
        self._kind = kind

    def __getitem__(self, code: str) -> str:
        """Return the English text."""
        return self._read()[code].en

    def __iter__(self) -> Iterator[str]:
        """Iterate over the codes."""
        return iter(self._read())

    def __len__(self) -> int:
        """Return the number of codes."""
        return len(self._read())

    def czech(self, code: str) -> str:
        """Return the Czech text."""
        return self._read()[code].cs

    def _read(self) -> dict[str, _Text]:
        return _texts_of(self._kind, tuple(_ROOTS))


_ROOTS: list[str] = []
PHRASES = Texts("texts")
"""Reasons, details of findings, faults of a chain, errors of services."""
REFUSALS = Texts("refusals")
"""Sentences of refusals."""


def register(root: str) -> None:
    """Register the texts of the packages below a root package."""
    _ROOTS.append(root)


def compile_texts(root: str) -> str:
    """Return the texts of a root package as the JSON that a wheel holds.

    Raises:
        ValueError: two packages own one code, or a text lacks a language.

    """
    found: dict[str, dict[str, _Text]] = {kind: {} for kind in KINDS}
    for folder in sorted(resources.files(root).iterdir(), key=lambda folder: folder.name):
        for kind in KINDS:
            file = folder / f"{kind}.toml"
            if not file.is_file():
                continue
            for code, languages in tomllib.loads(file.read_text(encoding="utf-8")).items():
                if code in found[kind]:
                    raise ValueError(f"{root}/{folder.name}/{kind}.toml: {code} has another owner")
                if languages.keys() != {"en", "cs"}:
                    raise ValueError(f"{root}/{folder.name}/{kind}.toml: {code} needs en and cs")
                found[kind][code] = _Text(**languages)
    return json.dumps(found, ensure_ascii=False)


@cache
def _texts_of(kind: str, roots: tuple[str, ...]) -> dict[str, _Text]:
    return {code: text for root in roots for code, text in _compiled(root)[kind].items()}


@cache
def _compiled(root: str) -> dict[str, dict[str, _Text]]:
    patterns = tuple(f"*/{kind}.toml" for kind in KINDS)
    content = compiled(root, COMPILED, patterns, lambda: compile_texts(root))
    return {
        kind: {code: _Text(*pair) for code, pair in pairs.items()}
        for kind, pairs in json.loads(content).items()
    }
