"""The commit of a built package is read from its file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.core import version

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def test_the_commit_is_that_of_the_package_and_empty_in_a_clone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(version.resources, "files", lambda name: tmp_path / name)
    assert not version.commit()
    (tmp_path / "ledger.core").mkdir()
    (tmp_path / "ledger.core" / "commit.txt").write_text("0123abcd\n")
    assert version.commit() == "0123abcd"
