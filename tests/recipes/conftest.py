"""Each recipe is followed in a copy of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.recipes.recipe_cases import Tree

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    return Tree(tmp_path / "tree")
