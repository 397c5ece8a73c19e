"""A witness: what it cosigns, what it never does, and what it keeps as proof."""

from __future__ import annotations

import errno
import sqlite3
from base64 import b64encode
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from threading import Event
from typing import TYPE_CHECKING

import pytest

from ledger.core.errors import AuthorizationError, AvailabilityError, InputError, IntegrityError
from ledger.tlog.merkle import EMPTY_ROOT
from ledger.tlog.misconduct import Submission, require_misconduct
from ledger.tlog.notes import Note, NoteSignature
from ledger.tlog.signing import Checkpoint, SigningKey, make_note
from tests.tools.witness_cases import FORK, LOG, NOW, STRANGER, TRUE, History, House
from tools.witness.state import KEYS_MAX, WitnessFolder
from tools.witness.witness import Reply, log_path

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path / "witness")


def cosigned(house: House, reply: Reply, text: str) -> int:
    """Check a good answer; return its time."""
    assert reply.status == 200, reply
    assert reply.body.endswith("\n")
    line = NoteSignature.parse(reply.body[:-1])
    cosignature = house.key.public.parse_cosignature(line.signature)
    assert (line.name, line.key_id) == (house.key.public.name, house.key.key_id)
    assert house.key.public.is_cosigner_of(text, cosignature)
    return cosignature.seconds


def test_a_history_that_goes_on_is_cosigned(house: House) -> None:
    for old, size in ((0, 5), (5, 5), (5, 8), (8, 9), (9, 64)):
        reply = house.witness.add_checkpoint(TRUE.submission(old, size))
        assert cosigned(house, reply, TRUE.note(size).text) == NOW
        assert house.folder.remembered()[0].size == size
    assert house.told == []


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 400),
        (b"\xff", 400),
        (TRUE.submission(9, 5), 400),
        (TRUE.submission(5, 8).replace(b"\n8\n", b"\n08\n"), 400),
        (TRUE.submission(5, 8) + b"more", 400),
        (History(name="other.example").submission(0, 5), 404),
        (TRUE.submission(5, 8, STRANGER), 403),
        (TRUE.submission(5, 8).replace(b"\n8\n", b"\n9\n"), 403),
        (TRUE.submission(6, 8), 409),
        (TRUE.submission(0, 8), 409),
        (TRUE.submission(0, 3), 409),
        (FORK.submission(5, 5), 422),
        (FORK.submission(5, 8), 422),
        (TRUE.submission(5, 8).replace(b"old 5\n", b"old 5\n" + b"A" * 43 + b"=\n"), 422),
    ],
)
def test_what_is_not_as_it_should_be_is_refused(house: House, body: bytes, status: int) -> None:
    house.witness.add_checkpoint(TRUE.submission(0, 5))
    reply = house.witness.add_checkpoint(body)
    assert reply.status == status
    if status == 409:
        assert reply == Reply(409, "5\n", "text/x.tlog.size")
    assert house.folder.remembered()[0].size == 5


def test_the_first_checkpoint_has_no_proof(house: House) -> None:
    body = TRUE.submission(0, 5).replace(b"old 0\n", b"old 0\n" + b"A" * 43 + b"=\n")
    assert house.witness.add_checkpoint(body).status == 422
    assert house.folder.remembered()[0].note is None


def test_a_log_may_begin_with_an_empty_tree(house: House) -> None:
    empty = f"{TRUE.name}\n0\n{b64encode(EMPTY_ROOT).decode()}\n"
    line = NoteSignature(TRUE.name, LOG.key_id, LOG._sign(empty.encode()))
    body = str(Submission(0, (), Note(empty, (line,)))).encode()
    for _ in range(2):
        cosigned(house, house.witness.add_checkpoint(body), empty)
    false = TRUE.submission(0, 5).replace(b"old 0\n", b"old 0\n" + b"A" * 43 + b"=\n")
    assert house.witness.add_checkpoint(false).status == 422
    cosigned(house, house.witness.add_checkpoint(TRUE.submission(0, 5)), TRUE.note(5).text)


def test_an_empty_tree_with_another_root_is_refused(house: House) -> None:
    text = f"{TRUE.name}\n0\n{b64encode(bytes(32)).decode()}\n"
    line = NoteSignature(TRUE.name, LOG.key_id, LOG._sign(text.encode()))
    body = str(Submission(0, (), Note(text, (line,)))).encode()
    assert house.witness.add_checkpoint(body).status == 422
    assert house.folder.remembered()[0].note is None


def test_a_size_beyond_all_trees_is_refused(house: House) -> None:
    """It would not fit the memory, and a log of so many messages can't be."""
    note = make_note(checkpoint := Checkpoint(TRUE.name, 2**63, bytes(32)), [])
    line = NoteSignature(TRUE.name, LOG.key_id, LOG.sign(checkpoint))
    reply = house.witness.add_checkpoint(f"old 0\n\n{note}{line.line}".encode())
    assert reply.status == 400
    assert house.folder.remembered()[0].note is None


def test_keys_of_a_log_may_change_and_those_unknown_are_ignored(house: House) -> None:
    both = TRUE.submission(0, 5, STRANGER, LOG)
    cosigned(house, house.witness.add_checkpoint(both), TRUE.note(5).text)
    assert house.witness.add_checkpoint(TRUE.submission(5, 6, STRANGER)).status == 403
    with house.folder.turn() as turn:
        turn.add_key(STRANGER.public)
    reply = house.witness.add_checkpoint(TRUE.submission(5, 6, STRANGER))
    cosigned(house, reply, TRUE.note(6).text)


def test_a_log_has_a_bounded_number_of_keys(house: House) -> None:
    keys = [SigningKey(LOG.public.name, bytes([99, n]) * 16).public for n in range(KEYS_MAX)]
    with house.folder.turn() as turn:
        for key in keys[1:]:
            turn.add_key(key)
        with pytest.raises(InputError, match="at most 16 keys"):
            turn.add_key(keys[0])


def test_a_second_history_leaves_a_proof_and_no_cosignature(house: House) -> None:
    house.witness.add_checkpoint(TRUE.submission(0, 5))
    for _ in range(2):
        assert house.witness.add_checkpoint(FORK.submission(0, 5)).status == 409
    assert house.witness.add_checkpoint(FORK.submission(5, 9)).status == 422
    same, later = sorted(house.proofs(), key=len)
    for proof, size in ((same, 5), (later, 9)):
        earlier, other = require_misconduct(proof, [LOG.public])
        assert (earlier.text, other) == (TRUE.note(5).text, FORK.note(size))
    assert "casino.example/live signed two histories: the proof is " in house.told[0]
    cosigned(house, house.witness.add_checkpoint(TRUE.submission(5, 9)), TRUE.note(9).text)


def test_lines_of_others_make_no_new_proofs(house: House) -> None:
    """Who is not the log can't fill the disk of a witness with copies of one proof."""
    house.witness.add_checkpoint(TRUE.submission(0, 5))
    for number in range(3):
        other = SigningKey("x", bytes([number]) * 32)
        house.witness.add_checkpoint(FORK.submission(5, 5, LOG, other))
    assert len(house.proofs()) == 1


def test_no_more_proofs_are_kept_than_are_enough(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tools.witness.proofs.PROOFS_MAX", 1)
    house.witness.add_checkpoint(TRUE.submission(0, 5))
    for _ in range(2):
        house.witness.add_checkpoint(FORK.submission(5, 5))
    with pytest.raises(AvailabilityError, match="takes no more"):
        house.witness.add_checkpoint(History("third").submission(5, 5))


def test_a_proof_that_a_full_disk_cut_off_is_not_taken_for_kept(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    house.witness.add_checkpoint(TRUE.submission(0, 5))
    with monkeypatch.context() as disk:
        disk.setattr("os.fsync", full)
        with pytest.raises(AvailabilityError, match="No space left"):
            house.witness.add_checkpoint(FORK.submission(5, 5))
    assert house.proofs() == []
    assert house.witness.add_checkpoint(FORK.submission(5, 5)).status == 422
    [kept] = house.folder.misconduct.iterdir()
    assert require_misconduct(kept.read_text(), [LOG.public])
    kept.chmod(0o644)
    kept.write_text(kept.read_text()[:100])  # a machine that stopped
    house.witness.add_checkpoint(FORK.submission(5, 5))
    assert require_misconduct(kept.read_text(), [LOG.public])


def test_it_remembers_after_a_restart(house: House) -> None:
    house.witness.add_checkpoint(TRUE.submission(0, 5))
    again = house.open()
    assert again.add_checkpoint(TRUE.submission(0, 3)).body == "5\n"
    assert again.add_checkpoint(FORK.submission(5, 6)).status == 422


def test_a_fork_of_the_last_size_is_refused_after_a_restart(house: House) -> None:
    fork = History()
    fork._leaves[7:] = FORK._leaves[7:]
    for old, size in ((0, 5), (5, 8)):
        assert house.witness.add_checkpoint(TRUE.submission(old, size)).status == 200
    again = house.open()
    assert again.add_checkpoint(fork.submission(5, 8)).status == 409
    assert again.add_checkpoint(fork.submission(8, 8)).status == 422
    assert len(house.proofs()) == 1


def test_the_last_checkpoint_is_shown_with_its_cosignature(house: House) -> None:
    name = log_path(TRUE.name)
    assert house.witness.last(name).status == 404
    house.witness.add_checkpoint(TRUE.submission(0, 5))
    shown = Note.parse(house.witness.last(name).body)
    assert shown.text == TRUE.note(5).text
    assert [one.name for one in shown.signatures] == [TRUE.name, "witness.example"]
    assert house.witness.last("0" * 64).status == 404


def test_a_lost_memory_is_not_begun_anew(house: House) -> None:
    state = house.folder.path / "state.sqlite"
    house.witness.add_checkpoint(TRUE.submission(0, 5))
    saved = state.read_bytes()
    state.unlink()
    for use in (house.open, lambda: house.witness.add_checkpoint(TRUE.submission(0, 5))):
        with pytest.raises(IntegrityError, match="is gone: restore it from a copy"):
            use()
    assert not state.exists()
    with pytest.raises(InputError, match="is not empty"):
        house.folder.create("witness.example")
    state.touch()
    with pytest.raises(IntegrityError, match=r"is empty: restore it .* a second history"):
        house.open()
    state.write_bytes(saved)
    assert house.open().add_checkpoint(TRUE.submission(5, 6)).status == 200


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE logs SET size = 4",
        "UPDATE logs SET note = ''",
        "UPDATE logs SET digest = x''",
    ],
)
def test_a_damaged_memory_is_noticed(house: House, damage: str) -> None:
    house.witness.add_checkpoint(TRUE.submission(0, 5))
    with closing(sqlite3.connect(house.folder.path / "state.sqlite")) as state:
        state.execute(damage)
        state.commit()
    with pytest.raises(IntegrityError, match=r"is damaged \(its row of casino"):
        house.open()
    with pytest.raises(IntegrityError, match="is damaged"):
        house.witness.add_checkpoint(TRUE.submission(5, 6))


def test_a_file_that_is_no_memory_is_noticed(house: House) -> None:
    state = house.folder.path / "state.sqlite"
    content = state.read_bytes()
    state.write_bytes(b"\x00" * 100 + content[100:])
    with pytest.raises(IntegrityError, match="is damaged"):
        house.open()


def test_a_memory_that_another_holds_is_waited_for(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tools.witness.state.WAIT_SECONDS", 0.05)
    with (
        house.folder.turn(),
        pytest.raises(AvailabilityError, match="locked"),
        WitnessFolder(house.folder.path).turn(),
    ):
        pass


def test_threads_queue_for_the_memory_and_readers_wait_for_nobody(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Together they hold it much longer than the lock of the file is waited for."""
    monkeypatch.setattr("tools.witness.state.WAIT_SECONDS", 0.2)

    def take(number: int) -> int:
        with house.folder.turn() as turn:
            read = WitnessFolder(house.folder.path).remembered()
            turn.add_key(SigningKey(f"log{number}.example", bytes(32)).public)
            Event().wait(0.02)
            return len(read)

    with ThreadPoolExecutor(50) as pool:
        assert sorted(pool.map(take, range(50))) == list(range(1, 51))
    monkeypatch.setattr("tools.witness.state.QUEUE_SECONDS", 0.01)
    with (
        house.folder.turn(),
        pytest.raises(AvailabilityError, match="busy: try again"),
        house.folder.turn(),
    ):
        pass


def test_its_key_is_for_its_owner_alone(house: House, tmp_path: Path) -> None:
    (house.folder.path / "witness.key").chmod(0o644)
    with pytest.raises(AuthorizationError, match="others can use"):
        house.open()
    with pytest.raises(InputError, match="holds no witness: make one"):
        WitnessFolder(tmp_path / "nowhere").own_keys()
    with pytest.raises(InputError, match="name without spaces"):
        WitnessFolder(tmp_path / "other").create("two words")
    assert not (tmp_path / "other").exists()
