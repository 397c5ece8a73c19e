"""The copy in which recipes are followed, before a recipe begins."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.recipes.recipe_cases import Tree


@pytest.mark.slow("all generated files are compared in another process")
def test_the_copy_is_complete(tree: Tree) -> None:
    assert tree.stale() == ""
