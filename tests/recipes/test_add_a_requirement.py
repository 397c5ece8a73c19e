"""``docs/recipes/add-a-requirement.md``: each step is named by what stops after the one before."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.recipes.recipe_cases import Tree

LINE = """
[[requirement]]
id = "L-99"
says = "Tables are green."
standing = "proved"
"""
TEST = '''"""The colour of tables."""

import pytest


@pytest.mark.law("L-99")
def test_a_table_is_green() -> None:
    assert "green"
'''


@pytest.mark.search
def test_a_requirement_gets_its_line_its_proof_and_its_page(tree: Tree) -> None:
    # 1. The line alone proves nothing.
    file = "docs/law/acts.toml"
    (tree.path / file).write_text(tree.read(file) + LINE)
    assert tree.stale() == "L-99 is called proved, and no test is marked with it\n"

    # 3. The marked test proves it.
    tree.write("tests/tools/test_green.py", TEST)
    assert {line.split()[0] for line in tree.stale().splitlines()} == {"docs/law.md"}

    # 4. The page tells both.
    tree.generate()
    page = tree.read("docs/law.md").partition("### L-99")[2].partition("###")[0]
    assert "Tables are green." in page
    assert "[test_green.py](../tests/tools/test_green.py): a table is green" in page
