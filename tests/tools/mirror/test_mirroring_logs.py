"""A mirror signs what it holds and has verified, and holds one history only."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from io import BytesIO
from itertools import pairwise
from threading import Event
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import schemas
from ledger.core.clock import SECOND
from ledger.core.errors import AvailabilityError, IntegrityError
from ledger.events import event_types as e
from ledger.events.encoding import hash_of
from ledger.log.port import checkpoint_of
from ledger.log.sqlite import SqliteLog
from ledger.tlog.mirroring import MirrorInfo, Upload, package_bytes
from ledger.tlog.misconduct import Submission, require_misconduct
from tests.ledger.chain_cases import landed, published
from tests.tools.mirror_cases import NOW, Authority, Operator
from tools.mirror.mirror import Mirror
from tools.mirror.shared_tables import SharedTables
from tools.mirror.status import copies_of


@settings(max_examples=12, deadline=None)
@given(
    st.lists(st.integers(6, 900), min_size=1, max_size=3, unique=True),
    st.integers(1, 3),
    st.booleans(),
)
def test_in_whatever_requests_a_log_comes_it_is_held_and_signed(
    tmp_path_factory: pytest.TempPathFactory, sizes: list[int], packages: int, restarts: bool
) -> None:
    operator = Operator()
    authority = Authority(tmp_path_factory.mktemp("mirror") / "m", operator)
    old = 0
    for wanted in sorted(sizes):
        note = operator.note_at(max(wanted, old + 1))
        size = note.head.size
        mirror = authority.mirror
        assert mirror.add_checkpoint(operator.submission(old, note)).status == 200
        info = MirrorInfo.parse(mirror.add_entries(operator.body(0, 0)).body)
        assert info.size == size
        reply = mirror.add_entries(operator.body(info.next, size, packages))
        while reply.status == 202:
            following = MirrorInfo.parse(reply.body)
            assert following.next > info.next
            info = following
            if restarts:
                authority.restart()
            reply = authority.mirror.add_entries(operator.body(info.next, size, packages))
        assert reply.status == 200, reply
        authority.require_held(operator, size)
        old = size
    assert authority.messages == []


def test_nothing_is_signed_before_everything_is_there(
    authority: Authority, operator: Operator
) -> None:
    note = operator.note_at(600)
    authority.mirror.add_checkpoint(operator.submission(0, note))
    reply = authority.mirror.add_entries(operator.body(0, 600, 2))
    assert (reply.status, reply.body) == (202, "600\n512\n\n")
    assert authority.folder.signed(operator.name) is None


def test_an_announced_checkpoint_waits_until_it_is_held(
    authority: Authority, operator: Operator
) -> None:
    folder = authority.folder
    for size, old in ((300, 0), (600, 300)):
        authority.mirror.add_checkpoint(operator.submission(old, operator.note_at(size)))
        authority.mirror.add_entries(operator.body(old, size, 1))
        assert folder.waiting_since(operator.name) == NOW * SECOND
        (copy,) = copies_of(folder, NOW * SECOND + 120 * SECOND)
        assert not copy.is_late
        (copy,) = copies_of(folder, NOW * SECOND + 120 * SECOND + 1)
        assert copy.is_late
        info = MirrorInfo.parse(authority.mirror.add_entries(operator.body(0, 0)).body)
        authority.mirror.add_entries(operator.body(info.next, size))
        assert folder.waiting_since(operator.name) is None


def test_what_is_asked_at_the_wrong_place_is_answered_with_the_right_one(
    authority: Authority, operator: Operator
) -> None:
    mirror = authority.mirror
    assert mirror.add_entries(operator.body(0, 0)).body == "0\n0\n\n"
    note = operator.note_at(300)
    mirror.add_checkpoint(operator.submission(0, note))
    for start, end in ((0, 299), (1, 300), (0, 0)):
        reply = mirror.add_entries(operator.body(start, end))
        assert (reply.status, reply.body) == (409, "300\n0\n\n")
    assert mirror.add_entries(operator.body(0, 300)).status == 200
    for start in (0, 256, 299, 300):
        assert mirror.add_entries(operator.body(start, 300)).status == 200
    later = operator.note_at(400)
    assert authority.take(operator, later, old=300).status == 200
    assert mirror.add_entries(operator.body(299, 300)).status == 409
    assert mirror.add_entries(Operator(name="other.example").body(0, 0)).status == 404


def test_an_upload_to_an_earlier_announcement_may_end(
    authority: Authority, operator: Operator
) -> None:
    first, second = operator.note_at(300), operator.note_at(600)
    authority.mirror.add_checkpoint(operator.submission(0, first))
    authority.mirror.add_checkpoint(operator.submission(300, second))
    assert authority.mirror.add_entries(operator.body(0, 300)).status == 200
    authority.require_held(operator, 300)
    assert authority.mirror.add_entries(operator.body(300, 600)).status == 200
    authority.require_held(operator, 600)


def test_a_log_that_sends_without_end_holds_no_other_up(
    authority: Authority, operator: Operator, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tools.mirror.log_copy.UPLOADS_MAX", 1)
    other = Operator(name="other.example")
    with authority.folder.turn() as turn:
        turn.add_key(other.key.public)
    reading, going_on = Event(), Event()

    class Endless(BytesIO):
        def read(self, size: int | None = -1, /) -> bytes:
            if self.tell() > 600:
                reading.set()
                going_on.wait(60)
            return super().read(size)

    authority.mirror.add_checkpoint(operator.submission(0, operator.note_at(300)))
    with ThreadPoolExecutor(1) as pool:
        endless = Endless(operator.body(0, 300).getvalue())
        first = pool.submit(authority.mirror.add_entries, endless)
        assert reading.wait(60)
        with pytest.raises(AvailabilityError, match="sent more than once: try again later"):
            authority.mirror.add_entries(operator.body(0, 300))
        assert authority.take(other, other.note_at(300)).status == 200
        going_on.set()
        assert first.result().status == 200
    authority.require_held(operator, 300)


@pytest.mark.parametrize("at", [0, 10, 299])
def test_a_message_that_is_not_in_the_tree_is_refused(
    authority: Authority, operator: Operator, at: int
) -> None:
    note = operator.note_at(300)
    authority.mirror.add_checkpoint(operator.submission(0, note))
    body = bytearray(operator.body(0, 300).getvalue())
    (message,) = (found for _, found in operator.log.read(at, at + 1))
    body[body.index(message) + len(message) - 1] ^= 1
    reply = authority.mirror.add_entries(BytesIO(bytes(body)))
    assert reply.status == 422
    assert "not proved to be in the tree of 300" in reply.body
    assert authority.mirror.add_entries(operator.body(0, 300)).status == 200
    authority.require_held(operator, 300)


def test_announcements_that_overtake_uploads_make_no_copy_late(
    authority: Authority, operator: Operator
) -> None:
    """Each checkpoint is held ten seconds after it was announced, when the next one is, too."""
    authority.mirror.close()
    seconds = 0
    clock = SimpleNamespace(now=lambda: (NOW + seconds) * SECOND)
    mirror = Mirror(authority.folder, clock, authority.messages.append)
    sizes = [0, *range(40, 800, 40)]
    for (before, old), size in zip(pairwise(sizes), sizes[2:], strict=False):
        if not before:
            mirror.add_checkpoint(operator.submission(0, operator.note_at(old)))
        seconds += 10
        mirror.add_checkpoint(operator.submission(old, operator.note_at(size)))
        assert mirror.add_entries(operator.body(before, old)).status == 200
        (copy,) = copies_of(authority.folder, clock.now())
        assert (copy.is_late, copy.held, copy.announced) == (False, old, size)
    assert seconds > 120
    (copy,) = copies_of(authority.folder, clock.now() + 121 * SECOND)
    assert copy.is_late
    mirror.close()


@pytest.mark.parametrize("content", [b"", b"\xff", b"casino.example/live\n3\n", None])
def test_a_signed_checkpoint_that_is_damaged_is_named_and_signed_again(
    authority: Authority, operator: Operator, content: bytes | None
) -> None:
    """It is damage of the mirror: no client is refused for it, and other logs do not stop."""
    other = Operator("other.example/live")
    with authority.folder.turn() as turn:
        turn.add_key(other.key.public)
    assert authority.take(operator, operator.note_at(40)).status == 200
    path = authority.folder.tiles_of(operator.name) / "checkpoint"
    path.write_bytes(str(other.note_at(20)).encode() if content is None else content)
    authority.restart()
    assert authority.take(other, other.note_at(40)).status == 200
    note = operator.note_at(60)
    assert authority.mirror.add_checkpoint(operator.submission(40, note)).status == 200
    with pytest.raises(IntegrityError, match=f"{path} is damaged .*: remove it"):
        authority.mirror.add_entries(operator.body(40, 60))
    statuses = copies_of(authority.folder, NOW * SECOND)
    assert [str(path) in one.fault for one in statuses] == [True, False]
    with SharedTables(authority.folder) as shared:
        assert str(path) in shared.missing()[0].reason
    assert authority.mirror.signed(operator.name) == 0
    path.unlink()
    assert authority.mirror.add_entries(operator.body(40, 60)).status == 200
    authority.require_held(operator, 60)
    assert authority.messages == []


def test_a_second_history_is_refused_and_proved(authority: Authority, operator: Operator) -> None:
    assert authority.take(operator, operator.note_at(300)).status == 200
    fork = Operator()
    fork.add(landed(36, "another"))
    other = fork.note_at(400)
    reply = authority.mirror.add_checkpoint(fork.submission(300, other))
    assert reply.status == 422
    (proof,) = authority.folder.misconduct.glob("*.txt")
    require_misconduct(proof.read_text(), [operator.key.public])
    assert "signed two histories" in authority.messages[0]
    assert authority.mirror.add_entries(fork.body(300, 400)).status == 409
    assert authority.take(operator, operator.note_at(400), old=300).status == 200
    authority.require_held(operator, 400)


def test_a_signed_message_with_a_fault_is_not_held(
    authority: Authority, operator: Operator
) -> None:
    """The log itself signed a tree whose messages break a rule of the format."""
    operator.grow(20)
    bodies = [body for _, body in operator.log.read()]
    bodies[10] = bodies[11]
    leaves = [hash_of(body) for body in bodies]
    note = operator.note_over(leaves)
    authority.mirror.add_checkpoint(str(Submission(0, (), note)).encode())
    upload = Upload(operator.name, 0, 20).raw + package_bytes(bodies, [])
    for _ in range(3):
        reply = authority.mirror.add_entries(BytesIO(upload))
        assert reply.status == 422
    assert "message 10" in reply.body
    (message,) = authority.messages
    assert f"upload of {operator.name} was refused" in message
    assert authority.folder.signed(operator.name) is None
    authority.mirror.close()
    with closing(SqliteLog(authority.folder.data_of(operator.name), writable=False)) as log:
        assert log.head().size <= 10


def test_a_checkpoint_with_another_map_is_not_signed(
    authority: Authority, operator: Operator
) -> None:
    operator.grow(50)
    note = operator.note_over([hash_of(body) for _, body in operator.log.read()])
    authority.mirror.add_checkpoint(operator.submission(0, note))
    reply = authority.mirror.add_entries(operator.body(0, 50))
    assert reply.status == 422
    assert "tag map" in reply.body
    assert authority.folder.signed(operator.name) is None


def test_a_key_that_the_chain_revoked_signs_nothing_more(
    authority: Authority, operator: Operator
) -> None:
    operator.add(published(schemas.newest()["SigningKeyRevoked"]))
    assert authority.take(operator, operator.note_at(50)).status == 200
    operator.add(e.SigningKeyRevoked(key_id=operator.key.key_id, reason="stolen"))
    size = operator.chain.head.size
    note = operator.signed_note(checkpoint_of(operator.name, operator.log))
    authority.mirror.add_checkpoint(operator.submission(50, note))
    reply = authority.mirror.add_entries(operator.body(50, size))
    assert reply.status == 422
    assert "no key in force" in reply.body


def test_a_body_without_a_whole_package_is_refused(
    authority: Authority, operator: Operator
) -> None:
    authority.mirror.add_checkpoint(operator.submission(0, operator.note_at(300)))
    body = operator.body(0, 300).getvalue()
    for part in (b"", body[:10], body[:60], body + b"more"):
        assert authority.mirror.add_entries(BytesIO(part)).status == 400


def test_a_disk_without_room_costs_nothing_that_was_signed(
    authority: Authority, operator: Operator, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What fails is answered as a failure; with room again the upload goes on."""
    assert authority.take(operator, operator.note_at(300)).status == 200
    note = operator.note_at(700)
    authority.mirror.add_checkpoint(operator.submission(300, note))

    def full(*_: object, **__: object) -> None:
        raise AvailabilityError("no room is left")

    for place in ("append", "map_root"):
        with monkeypatch.context() as patched:
            patched.setattr(SqliteLog, place, full)
            with pytest.raises(AvailabilityError, match="no room"):
                authority.mirror.add_entries(operator.body(300, 700))
        authority.require_held(operator, 300)
    info = MirrorInfo.parse(authority.mirror.add_entries(operator.body(0, 0)).body)
    assert authority.mirror.add_entries(operator.body(info.next, 700)).status == 200
    authority.require_held(operator, 700)


def test_a_copy_that_rots_is_damage_of_the_mirror_and_accuses_no_log(
    authority: Authority, operator: Operator
) -> None:
    assert authority.take(operator, operator.note_at(300)).status == 200
    note = operator.note_at(400)
    authority.mirror.close()
    path = authority.folder.data_of(operator.name) / "log.sqlite"
    content = bytearray(path.read_bytes())
    (message,) = (body for _, body in operator.log.read(299, 300))
    at = content.rindex(message[-40:])
    content[at] ^= 1
    path.write_bytes(bytes(content))
    authority.mirror.add_checkpoint(operator.submission(300, note))
    with pytest.raises(IntegrityError):
        authority.mirror.add_entries(operator.body(300, 400))
    assert authority.messages == []
