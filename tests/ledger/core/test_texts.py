"""Texts belong to packages, and arrows go down: who uses a code may import its owner."""

from __future__ import annotations

import ast
import json
import tomllib
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest

from ledger.core import texts
from ledger.core.texts import PHRASES, REFUSALS, compile_texts
from schemas.compiled import compiled

ROOT = Path(__file__).parents[3]
LAYERS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"][
    "importlinter"
]
ROOTS = ("ledger", "projections", "tools")


def ranks() -> dict[str, int]:
    """Return the height of every package, from the import contracts."""
    found, height = {}, 0
    for root in ROOTS:
        (contract,) = (one for one in LAYERS["contracts"] if one.get("containers") == [root])
        for layer in reversed(contract["layers"]):
            height += 1
            for name in layer.replace("|", ":").split(":"):
                found[f"{root}.{name.strip()}"] = height
    return found


def owners() -> dict[str, str]:
    """Return the package of every code."""
    return {
        code: f"{root}.{file.parent.name}"
        for root in ROOTS
        for kind in ("texts", "refusals")
        for file in (ROOT / root).glob(f"*/{kind}.toml")
        for code in tomllib.loads(file.read_text(encoding="utf-8"))
    }


def constants(tree: ast.Module) -> set[object]:
    """Return the constants of a module, without the names that it exports."""
    exported = {
        id(name)
        for one in tree.body
        if isinstance(one, ast.Assign) and ast.unparse(one.targets[0]) == "__all__"
        for name in ast.walk(one)
    }
    return {
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and id(node) not in exported
    }


def test_every_text_has_an_owner() -> None:
    for root in ROOTS:
        import_module(root)  # which registers its texts
    assert owners().keys() == PHRASES.keys() | REFUSALS.keys()


def test_no_package_uses_a_text_of_one_above_it() -> None:
    owner, rank = owners(), ranks()
    for root in ROOTS:
        for file in (ROOT / root).rglob("*.py"):
            module = file.relative_to(ROOT).with_suffix("").parts
            package = f"{root}.{module[1]}"
            if package not in rank:
                continue
            for code in constants(ast.parse(file.read_text(encoding="utf-8"))) & owner.keys():
                assert rank[owner[code]] <= rank[package], (file, code)


def test_the_lowest_package_owns_no_text() -> None:
    assert "ledger.core" not in owners().values()


def test_two_threads_that_need_the_first_text_at_once_get_every_text(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Both are in the middle of the same root package at one time."""
    for root in ROOTS:
        import_module(root)
    together, found = Barrier(2), len(PHRASES)

    def compiled_together(*what: Any) -> bytes:
        together.wait(10)
        return compiled(*what)

    with monkeypatch.context() as patched:
        patched.setattr(texts, "compiled", compiled_together)
        texts._texts_of.cache_clear()
        texts._compiled.cache_clear()
        with ThreadPoolExecutor(2) as threads:
            sizes = [threads.submit(len, PHRASES) for _ in range(2)]
            assert [size.result(60) for size in sizes] == [found, found]
    assert len(PHRASES) == found


def test_a_code_has_one_owner_and_a_text_in_each_language(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(texts.resources, "files", lambda _: tmp_path)
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "texts.toml").write_text(f'[{name.upper()}]\nen = "x"\ncs = "y"\n')
    assert json.loads(compile_texts("r"))["texts"] == {"A": ["x", "y"], "B": ["x", "y"]}
    (tmp_path / "b" / "texts.toml").write_text('[A]\nen = "x"\ncs = "y"\n')
    with pytest.raises(ValueError, match=r"r/b/texts\.toml: A has another owner"):
        compile_texts("r")
    (tmp_path / "b" / "texts.toml").write_text('[B]\nen = "x"\n')
    with pytest.raises(ValueError, match=r"r/b/texts\.toml: B needs en and cs"):
        compile_texts("r")
