"""What is compiled from the files of a package: once, and again when one of them was changed."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from schemas.compiled import compiled

if TYPE_CHECKING:
    from pathlib import Path

BUILDS = """
from pathlib import Path

def build():
    files = sorted(Path(__file__).parent.glob("*/*.txt"))
    return "".join(one.read_text() for one in files)
"""


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "compiled_package"
    for part in ("__pycache__", "a", "b"):
        (folder / part).mkdir(parents=True)
    (folder / "__init__.py").write_text(BUILDS)
    (folder / "a" / "one.txt").write_text("1")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    monkeypatch.delitem(sys.modules, folder.name, raising=False)
    return folder


def content(package: Path, *, may_build: bool = True) -> str:
    built = __import__(package.name)

    def build() -> str:
        assert may_build, "it was kept"
        return str(built.build())

    build.__module__ = package.name
    return compiled(package.name, "all.json", ("*/*.txt",), build).decode()


def test_it_is_compiled_once(package: Path) -> None:
    assert content(package) == content(package, may_build=False) == "1"


def test_it_is_compiled_again_when_a_file_is_changed_added_or_removed(package: Path) -> None:
    found = [content(package)]
    (package / "a" / "one.txt").write_text("one")
    found.append(content(package))
    (package / "b" / "two.txt").write_text("2")
    found.append(content(package))
    (package / "a" / "one.txt").unlink()
    assert [*found, content(package)] == ["1", "one", "one2", "2"]


def test_it_is_compiled_again_when_the_code_that_builds_it_is_changed(package: Path) -> None:
    content(package)
    (package / "__init__.py").write_text(BUILDS + "\n# changed\n")
    with pytest.raises(AssertionError, match="it was kept"):
        content(package, may_build=False)


def test_the_file_of_a_wheel_is_taken_as_it_is(package: Path) -> None:
    (package / "all.json").write_text("built")
    assert content(package, may_build=False) == "built"


def test_what_can_not_be_kept_is_compiled_each_time(package: Path) -> None:
    (package / "__pycache__").rename(package / "gone")
    (package / "__pycache__").write_text("a file in the place of the folder")
    assert content(package) == content(package) == "1"
