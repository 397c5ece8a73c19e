"""The program deletes and overwrites only what it made itself.

The first test knows every place where something is deleted or overwritten, and why what lies
there is ours; a new one has to say so here.
"""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

import pytest

from ledger.core.errors import AvailabilityError, InputError
from ledger.storage.writer_lock import WriterLock
from tests.tools.cli_cases import ROOT, run, run_here
from tools.cli._demo import MARK, _recreate
from tools.data import DataDirectory
from tools.data.locations import LOCAL
from tools.whole_files import write_whole

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

DESTRUCTIVE = {"unlink", "rmtree", "rmdir", "rename", "write_text", "write_bytes", "ftruncate"}
OURS = {
    ("ledger/storage/durable.py", "unlink"): "files that a step just made, if it fails",
    ("ledger/storage/writer_lock.py", "ftruncate"): "a lock of ours in a folder of ours",
    ("ledger/log/kafka/note.py", "O_TRUNC"): "head.note.new in the data directory",
    ("ledger/storage/workplace.py", "rmtree"): "a folder just made, or one that nobody has locked",
    (
        "ledger/storage/secret_files.py",
        "unlink",
    ): "a file just made that could not be written whole",
    ("ledger/log/kafka/note.py", "replace"): "makes head.note where there is none",
    ("ledger/log/sqlite_file.py", "unlink"): "the index, or a log that was never finished",
    ("ledger/log/sqlite_file.py", "replace"): "makes a file where there is none",
    ("ledger/log/tiles.py", "open w"): "beside the file of a published log that it becomes",
    ("ledger/log/tiles.py", "replace"): "a checkpoint of the same history, or a file just made",
    ("projections/evidence/collection.py", "ZipFile w"): "in memory",
    ("projections/packages/cz/build.py", "open w"): "in a folder just made",
    ("projections/packages/cz/build.py", "rename"): "to a name that is free",
    ("projections/packages/cz/pack.py", "open w"): "a member of an archive, in a folder just made",
    ("projections/packages/cz/pack.py", "ZipFile w"): "in a folder just made",
    ("projections/store/folders.py", "unlink"): "the note on how tables were left",
    ("projections/store/folders.py", "write_text"): "the same",
    (
        "projections/store/rebuild_workers.py",
        "rmtree",
    ): "a folder that a rebuild just made, once it is gone",
    ("projections/store/rebuild_workers.py", "unlink"): "a file in it, when its rows are inserted",
    ("projections/store/rebuild_workers.py", "write_bytes"): "a file in it",
    ("projections/store/tables.py", "DROP"): "a database that says that it was made here",
    ("schemas/build.py", "write_text"): "the schemas of this repository",
    ("schemas/compiled.py", "replace"): "in __pycache__ of a checkout",
    ("schemas/compiled.py", "write_bytes"): "in __pycache__, under a name of this thread alone",
    ("tools/mirror/folder.py", "unlink"): "a file of the mirror's own folder",
    ("tools/access/uploads.py", "write_bytes"): "in a folder just made",
    ("tools/statements/fetching.py", "write_bytes"): "in a folder just made",
    ("tools/workshop/bench/growth.py", "write_text"): "the file that --json names",
    ("tools/workshop/bench/lag.py", "open a"): "in a folder just made",
    ("tools/workshop/bench/lag.py", "open w"): "the same",
    ("tools/workshop/bench/lag.py", "rmdir"): "of a file system just made",
    ("tools/workshop/bench/mirror.py", "write_text"): "in a folder just made",
    ("tools/workshop/bench/report.py", "write_bytes"): "in a folder just made",
    (
        "tools/workshop/bench/scale.py",
        "rmtree",
    ): "tables that a step of the benchmark left, by their name",
    ("tools/workshop/broker/cluster.py", "write_bytes"): "in the folder of a broker just made",
    ("tools/workshop/broker/cluster.py", "write_text"): "the same",
    ("tools/workshop/broker/cluster.py", "open a"): "the same",
    ("tools/workshop/broker/cluster.py", "open w"): "a lock in the cache of the jars",
    ("tools/workshop/broker/cluster.py", "replace"): "in the cache of the jars",
    (
        "tools/workshop/broker/cluster.py",
        "unlink",
    ): "what a node was killed in writing, in the same cache",
    ("tools/workshop/broker/jars.py", "open w"): "the lock of the cache",
    ("tools/workshop/broker/jars.py", "rename"): "in the cache",
    ("tools/workshop/broker/jars.py", "rmtree"): "in the cache",
    ("tools/cli/_demo.py", "rmtree"): "a directory that holds nothing but a demo's files",
    ("tools/cli/_demo.py", "write_text"): "in a directory just made",
    ("tools/cli/_stand_alone_verifier.py", "write_text"): "in a folder just made",
    ("tools/build_hook.py", "write_text"): "in a folder just made",
    ("tools/cli/_keys.py", "replace"): "the signing key by the one that it confirmed",
    ("tools/workshop/image.py", "rmtree"): "a file system in a folder just made",
    ("tools/workshop/image.py", "write_text"): "in a folder just made",
    ("tools/workshop/release.py", "write_bytes"): "in a folder just made",
    (
        "tools/workshop/release.py",
        "write_text",
    ): "the same, and with --locks the locks of this repository",
    ("tools/cli/_report_seal.py", "unlink"): "the sealed file that this run made",
    ("tools/cli/_start.py", "open w"): "/dev/null",
    ("tools/workshop/generate/main.py", "write_text"): "the pages of this repository",
    ("tools/service/socket_file.py", "unlink"): "a socket of ours that nobody serves",
    (
        "tools/whole_files.py",
        "rename",
    ): "to a name that is free, or of a file never given away",
    ("tools/data/tables.py", "rename"): "to a name that is free; what lay there is kept",
    ("tools/data/tables.py", "rmtree"): "tables in a cache, or aside, that only the engine made",
}


def test_every_place_that_deletes_or_overwrites_is_known() -> None:
    found = {
        (str(path.relative_to(ROOT)), what)
        for folder in ("ledger", "projections", "schemas", "tools")
        for path in (ROOT / folder).rglob("*.py")
        for what in _destructive(ast.parse(path.read_text(encoding="utf-8")))
    }
    assert found == set(OURS)


def test_what_a_killed_process_left_of_a_file_is_removed_by_its_repeat(tmp_path: Path) -> None:
    left = tmp_path / ".file.zip.k1ll3d_x"
    left.mkdir()
    (left / "file.zip").write_bytes(b"half a li")
    write_whole(tmp_path / "file.zip", b"content")
    assert [one.name for one in tmp_path.iterdir()] == ["file.zip"]


def test_every_new_file_is_complete_or_absent() -> None:
    """What a kill or a full disk leaves half written is taken for whole, and hinders a repeat."""
    found = {
        str(path.relative_to(ROOT))
        for folder in ("ledger", "projections", "schemas", "tools")
        for path in (ROOT / folder).rglob("*.py")
        if re.search(r"""open\([^)]*"xb?\"""", path.read_text(encoding="utf-8"))
    }
    for_trials = {"tools/simulator/_issuer_files.py", "tools/workshop/bench/statements.py"}
    assert found - for_trials == {"tools/whole_files.py"}


def _destructive(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            name, arguments = node.func.attr, node.args
            modes = [one.value for one in arguments if isinstance(one, ast.Constant)]
            overwriting = [
                mode for mode in modes if isinstance(mode, str) and re.fullmatch("[wa]b?", mode)
            ]
            if name in DESTRUCTIVE or (name == "replace" and len(arguments) == 1):
                if not node.keywords or name in DESTRUCTIVE:
                    yield name
            elif name in {"open", "ZipFile", "fdopen"} and overwriting and name != "fdopen":
                yield f"{name} {overwriting[0][0]}"
        elif isinstance(node, ast.Attribute) and node.attr == "O_TRUNC":
            yield "O_TRUNC"
        elif isinstance(node, ast.Constant) and re.search(
            r"\bDROP (DATABASE|TABLE)", str(node.value)
        ):
            yield "DROP"


@pytest.mark.parametrize("name", ["note.txt", "log.sqlite.backup", "mine"])
def test_demo_leaves_a_directory_alone_that_holds_more_than_a_demo(
    tmp_path: Path, name: str
) -> None:
    for file in (MARK, "log.sqlite", name):
        (tmp_path / file).write_text("kept")
    done = run("demo", "--data", str(tmp_path), data=tmp_path)
    assert done.returncode == 2
    assert name in done.stderr
    assert sorted(one.name for one in tmp_path.iterdir()) == sorted({MARK, "log.sqlite", name})


def test_demo_leaves_a_chain_alone_that_is_being_written(tmp_path: Path) -> None:
    for file in (MARK, "log.sqlite"):
        (tmp_path / file).write_text("kept")
    lock = WriterLock(tmp_path / "writer.lock")
    with pytest.raises(AvailabilityError, match="is being written"):
        _recreate(DataDirectory(tmp_path, LOCAL))
    assert (tmp_path / "log.sqlite").exists()
    lock.release()
    _recreate(DataDirectory(tmp_path, LOCAL))
    assert [one.name for one in tmp_path.iterdir()] == [MARK]


def test_file_of_a_package_never_replaces_another(tmp_path: Path) -> None:
    target, hidden = tmp_path / "file.zip", tmp_path / ".file.zip.part"
    hidden.write_bytes(b"kept")
    for _ in range(2):
        write_whole(target, b"content")  # the same again is no change
    with pytest.raises(InputError, match="holds other content"):
        write_whole(target, b"other")
    (tmp_path / "link").symlink_to("nothing")
    with pytest.raises(InputError, match="holds other content"):
        write_whole(tmp_path / "link", b"other")
    assert (target.read_bytes(), hidden.read_bytes()) == (b"content", b"kept")
    assert len(list(tmp_path.iterdir())) == 3


@pytest.mark.parametrize(
    "command",
    [
        ("schema", "export", "PLACE"),
        ("mirror", "init", "PLACE", "--name", "authority.example/mirror"),
        ("report", "practice-keys", "PLACE"),
        ("log", "copy", "DATA", "PLACE"),
        ("keys", "backup", "PLACE"),
        ("simulate", "--data", "PLACE", "--hours", "0.05"),
    ],
)
def test_what_stands_in_the_way_is_named_as_a_wrong_place_and_kept(
    studio: Path, tmp_path: Path, command: tuple[str, ...]
) -> None:
    place = tmp_path / "place"
    words = [{"PLACE": str(place), "DATA": str(studio)}.get(one, one) for one in command]
    for target in ("", "nowhere", "place"):
        if target:
            place.symlink_to(target)
        else:
            place.write_text("kept")
        done = run_here(*words, data=studio)
        assert (done.returncode, str(place) in done.stderr) == (2, True), done.stderr
        assert str(place.readlink()) == target if target else place.read_text() == "kept"
        place.unlink()
