"""Programs that are not ours judge what is published: Go's sumdb libraries, and fsck of Tessera."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from base64 import b64encode
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from ledger.events.encoding import hash_of
from ledger.log.checkpoints import last_note
from ledger.log.tiles import publish
from ledger.tlog import merkle
from ledger.tlog.cosigning import Cosignature, WitnessKey
from ledger.tlog.notes import Note
from tests.ledger.audit_path import audit_path
from tests.ledger.log.test_tiles import CASES, SignedLog

if TYPE_CHECKING:
    from collections.abc import Callable

    from ledger.tlog.signing import PublicKey

pytestmark = pytest.mark.slow
JUDGES = Path(__file__).resolve().parents[2] / "judges"
SIZE = 300
IGNORED = {("tile/entries/000", "is too long"), ("tile/0/001.p/44", "is not the tile")}
"""Whole entries behind the 256th of a bundle, and hashes behind those of a partial tile: fsck does
not look at them; we refuse them."""
BROKEN = [case for case in CASES if (case[0], case[2]) not in IGNORED]


@pytest.fixture(scope="session")
def judges(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build them, or say why that can't be."""
    if shutil.which("go") is None:
        if os.environ.get("CI"):
            pytest.fail("CI has to ask the judges: install Go (Debian: golang-go)")
        pytest.skip("no judge that is not ours: Go is not installed")
    folder = tmp_path_factory.mktemp("judges")
    packages = (".", "github.com/transparency-dev/tessera/cmd/fsck")
    command = ["go", "build", "-o", f"{folder}/", *packages]
    built = subprocess.run(command, cwd=JUDGES, check=False, capture_output=True, text=True)  # noqa: S603 - of our own tree
    assert built.returncode == 0, built.stderr
    return folder


@pytest.fixture(scope="module")
def signed() -> SignedLog:
    signed = SignedLog()
    signed.grow(SIZE)
    signed.sign()
    return signed


def ask(judges: Path, questions: list[dict[str, Any]]) -> list[str]:
    text = "".join(f"{json.dumps(question)}\n" for question in questions)
    done = subprocess.run(  # noqa: S603 - built here
        [judges / "judges"], input=text, check=True, capture_output=True, text=True
    )
    return done.stdout.splitlines()


def accepts(judges: Path, folder: Path, key: PublicKey) -> bool:
    """Ask Tessera's fsck, which says so in words: its exit code is 0 either way."""
    (folder.parent / "key").write_text(f"{key.text}\n")
    place = ("-storage_url", f"{folder.as_uri()}/", "-public_key", str(folder.parent / "key"))
    command = [str(judges / "fsck"), *place, "-ui=false", "-N=4"]
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=300)  # noqa: S603 - built here
    assert "checking log of size" in done.stderr
    return "Successfully fsck'd log" in done.stderr


def in_base64(hashes: list[bytes]) -> list[str]:
    return [b64encode(one).decode() for one in hashes]


def inclusion(signed: SignedLog, index: int, size: int) -> dict[str, Any]:
    messages = [message for _, message in signed.log.read(0, size)]
    return {
        "kind": "inclusion",
        "message": b64encode(messages[index]).decode(),
        "index": index,
        "size": size,
        "root": b64encode(merkle.root(signed.log.node, size)).decode(),
        "proof": in_base64(audit_path([hash_of(message) for message in messages], index)),
    }


def consistency(signed: SignedLog, old: int, size: int) -> dict[str, Any]:
    node = signed.log.node
    return {
        "kind": "consistency",
        "old": old,
        "old_root": b64encode(merkle.root(node, old)).decode(),
        "size": size,
        "root": b64encode(merkle.root(node, size)).decode(),
        "proof": in_base64(merkle.consistency(node, old, size)),
    }


def test_our_proofs_are_proofs_to_the_libraries_of_go(judges: Path, signed: SignedLog) -> None:
    sizes = (1, 2, 3, 7, 8, 255, 256, 257, SIZE)
    right = [inclusion(signed, at, size) for size in sizes for at in {0, size // 2, size - 1}]
    right += [consistency(signed, old, size) for size in sizes for old in {1, size // 2 + 1, size}]
    wrong = [question | {"root": b64encode(bytes(32)).decode()} for question in right]
    assert ask(judges, right) == ["ok"] * len(right)
    assert "ok" not in ask(judges, wrong)


def test_our_notes_are_notes_to_the_libraries_of_go(judges: Path) -> None:
    signed = SignedLog()
    question = {"kind": "note", "note": signed.sign(), "key": signed.key.public.text}
    flipped = question["note"].replace("\n5\n", "\n4\n")
    stranger = question | {"key": SignedLog("other.example/live").key.public.text}
    answers = ask(judges, [question, question | {"note": flipped}, stranger])
    assert answers[0] == "ok"
    assert all(answer != "ok" for answer in answers[1:])


def test_our_cosignatures_are_signatures_of_notes_to_the_libraries_of_go(judges: Path) -> None:
    signed, witness = SignedLog(), WitnessKey("witness.example", b"\x01" * 32)
    note = Note.parse(signed.sign())
    lines = [witness.public.line(witness.cosign(note.text, seconds)) for seconds in (0, 1 << 40)]
    both = str(Note(note.text, (*note.signatures, *lines)))
    false = str(Note(note.text, (*note.signatures, witness.public.line(Cosignature(1, bytes(64))))))
    log = {"kind": "note", "key": signed.key.public.text}
    cosigned = {"kind": "cosignature", "key": witness.public.text}
    answers = ask(judges, [{**log, "note": both}, {**cosigned, "note": both}])
    assert answers == ["ok", "ok"]
    refused = [{**cosigned, "note": str(note)}, {**cosigned, "note": false}]
    refused.append({**cosigned, "note": both.replace("\n5\n", "\n4\n")})
    assert "ok" not in ask(judges, refused)


@pytest.mark.parametrize("size", [5, 256, 700])
def test_what_we_publish_is_a_log_to_tessera(judges: Path, tmp_path: Path, size: int) -> None:
    signed = SignedLog()
    signed.grow(size)
    publish(signed.log, signed.sign(), tmp_path / "log")
    assert accepts(judges, tmp_path / "log", signed.key.public)


@pytest.mark.parametrize(("path", "change", "_cause", "_position"), BROKEN)
def test_tessera_refuses_each_broken_copy_too(
    judges: Path,
    signed: SignedLog,
    tmp_path: Path,
    path: str,
    change: Callable[[bytes], bytes | None],
    _cause: str,
    _position: int | None,
) -> None:
    publish(signed.log, last_note(signed.log), tmp_path / "log")
    broken = tmp_path / "log" / path
    content = change(broken.read_bytes())
    if content is None:
        broken.unlink()
    else:
        broken.write_bytes(content)
    assert not accepts(judges, tmp_path / "log", signed.key.public)


def test_every_message_of_a_log_is_a_leaf_of_go(judges: Path, signed: SignedLog) -> None:
    """Leaf by leaf, the hash that links the chain is that of the tree."""
    questions = [inclusion(signed, at, SIZE) for at in range(SIZE)]
    leaves = [hash_of(message) for _, message in signed.log.read(0, SIZE)]
    frontier = merkle.CompactRange()
    for leaf in leaves:
        frontier.add(leaf)
    assert frontier.root() == merkle.root(signed.log.node, SIZE)
    assert ask(judges, questions) == ["ok"] * SIZE
