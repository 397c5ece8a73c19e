"""A file that comes from outside is a regular file of bounded size, wherever it is read."""

from __future__ import annotations

import ast
import os
from pathlib import Path

import pytest

from ledger.core.errors import InputError
from ledger.storage.named_files import UnreadFileError, open_regular, read_bounded, read_text

ROOT = Path(__file__).parents[3]
OWN = {
    "ledger/storage/secret_files.py": 1,  # keys and passwords, 1 MiB, with their mode
    "ledger/core/version.py": 1,  # of the program itself
    "ledger/games/plans.py": 1,  # shipped with the program
    "ledger/log/sqlite_file.py": 1,  # the log itself
    "ledger/core/texts.py": 1,
    "ledger/rules/deadlines.py": 1,
    "ledger/rules/operator.py": 1,
    "projections/books/tax.py": 1,
    "projections/evidence/page.py": 1,
    "projections/findings/headers.py": 1,
    "projections/packages/cz/build.py": 1,  # its own, to sync them
    "projections/packages/cz/content.py": 1,  # read in pieces, of entries that are files
    "projections/packages/cz/fields.py": 3,
    "projections/packages/cz/lines.py": 1,
    "projections/store/definitions.py": 2,
    "projections/store/folders.py": 2,
    "projections/store/rebuild_workers.py": 1,
    "projections/words/catalogue.py": 1,
    "projections/words/phrases.py": 1,
    "tools/access/api_files.py": 2,  # packages that this program built
    "tools/access/saved.py": 1,
    "tools/cli/_demo.py": 1,
    "tools/cli/_demo_packages.py": 1,
    "tools/cli/_record.py": 1,  # commands of the caller, line by line, from a pipe too
    "tools/cli/_rules.py": 1,
    "tools/cli/_summary.py": 1,
    "tools/data/cache_files.py": 2,
    "tools/delivery/authority_endpoint.py": 1,  # files that this program sealed
    "tools/delivery/fetching.py": 1,
    "tools/delivery/publishing.py": 1,
    "tools/mirror/folder.py": 3,
    "tools/plans/shipped.py": 1,
    "tools/service/health.py": 1,
    "tools/statements/shipped.py": 2,
    "tools/statements/sources.py": 1,  # on a server, with a bound
    "tools/whole_files.py": 1,
}
"""Readings of files that the program wrote or ships, or reads in bounded pieces."""


def readings(file: Path) -> int:
    """Count the calls in a module that read a file without a bound."""
    text = file.read_text(encoding="utf-8")
    if not any(word in text for word in ("read_bytes", "read_text", "rb")):
        return 0
    tree = ast.parse(text)
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return sum(
        isinstance(call.func, ast.Attribute)
        and (
            call.func.attr in {"read_bytes", "read_text"}
            or (
                call.func.attr == "open"
                and [one.value for one in call.args if isinstance(one, ast.Constant)] == ["rb"]
            )
        )
        for call in calls
    )


def test_files_from_outside_are_read_with_a_bound() -> None:
    files = [
        file
        for folder in ("ledger", "projections", "tools")
        for file in (ROOT / folder).rglob("*.py")
        if file.relative_to(ROOT).parts[1] != "workshop"
    ]
    found = {str(file.relative_to(ROOT)): readings(file) for file in files}
    assert {name: count for name, count in found.items() if count} == OWN


@pytest.mark.parametrize("kind", ["pipe", "socket", "device", "folder", "link to a pipe", "none"])
def test_what_is_no_regular_file_is_refused_at_once(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "file"
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "socket":
        os.mknod(path, 0o140600)
    elif kind == "device":
        path = Path("/dev/zero")
    elif kind == "folder":
        path.mkdir()
    elif kind == "link to a pipe":
        os.mkfifo(tmp_path / "pipe")
        path.symlink_to(tmp_path / "pipe")
    for read in (open_regular, read_bounded, read_text):
        with pytest.raises(UnreadFileError, match=str(path)):
            read(path)


def test_a_file_of_more_bytes_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"12345")
    assert read_bounded(path, bytes_max=5) == b"12345"
    with pytest.raises(InputError, match="more than 4 bytes"):
        read_bounded(path, bytes_max=4)


def test_text_is_utf_8_with_one_kind_of_newline(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes("ž\r\n1\r2\n".encode())
    assert read_text(path) == "ž\n1\n2\n"
    path.write_bytes(b"\xff")
    with pytest.raises(UnreadFileError, match="no text in UTF-8"):
        read_text(path)
