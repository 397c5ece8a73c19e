"""A test lies where the code lies that it is about."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
MIRRORED_ELSEWHERE = {
    "brokers": "deploy",
    "crashes": "ledger/storage",
    "fuzz": "ledger",
    "golden": "ledger",
    "mutation": "docs/law",
    "recipes": "docs/recipes",
    "simulation": "ledger",
}
"""Folders of tests, and what they are about."""
FOLDERS = sorted(
    {str(file.parent.relative_to(ROOT / "tests")) for file in (ROOT / "tests").rglob("test_*.py")}
    - {"."}
)


@pytest.mark.parametrize("folder", FOLDERS)
def test_a_folder_of_tests_has_the_name_of_a_folder(folder: str) -> None:
    assert (ROOT / MIRRORED_ELSEWHERE.get(folder, folder)).is_dir()


def test_no_two_files_of_tests_have_one_name() -> None:
    names = Counter(file.name for file in (ROOT / "tests").rglob("*.py"))
    shared = {"conftest.py", "__init__.py"}
    assert {name for name, count in names.items() if count > 1} <= shared
