"""Checkpoints of a log and what was said of them: all of it holds, or its position is named."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from ledger.core.clock import MINUTE, SECOND
from ledger.core.errors import InputError, IntegrityError
from ledger.events import event_types as e
from ledger.log.checkpoints import PAGE, checkpoints, keys_of, last_note
from ledger.log.memory import MemoryLog
from ledger.tlog.cosigning import WitnessKey
from ledger.tlog.notes import Note
from ledger.tlog.stamps import stamp_moment, stamp_request
from tests.ledger.log.test_tiles import SignedLog
from tests.stamp_authority import StampAuthority

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

WITNESS = WitnessKey("witness.example", b"\x01" * 32)


class CoveredLog(SignedLog):
    """A signed log whose checkpoints a witness cosigns."""

    def cosigned(self, note: str, minutes: int = 0) -> e.CheckpointCosigned:
        parsed = Note.parse(note)
        seconds = self.chain.moment // SECOND + 60 * minutes
        return e.CheckpointCosigned(
            size=parsed.head.size,
            witness=WITNESS.public.name,
            public_key=WITNESS.public.raw,
            cosigned_at=seconds * SECOND,
            signature=WITNESS.cosign(parsed.text, seconds).signature,
            algorithm="Ed25519",
            is_mirror=False,
        )


@pytest.fixture
def log() -> CoveredLog:
    return CoveredLog()


def test_checkpoints_come_newest_first_with_what_was_said_of_each(log: CoveredLog) -> None:
    notes = []
    for size in (10, 20, 30):
        log.grow(size)
        notes.append(log.sign())
        if size != 20:
            log.add(log.cosigned(notes[-1]))
    found = list(checkpoints(log.log))
    assert [one.size for one in found] == [30, 20, 10]
    assert [len(one.cosignatures) for one in found] == [1, 0, 1]
    assert [str(one.log_note) for one in found] == notes[::-1]
    assert last_note(log.log) == str(found[0].note)
    assert found[0].note.signatures[1].name == "witness.example"


def test_more_checkpoints_than_a_page(log: CoveredLog) -> None:
    for _ in range(PAGE // 2 + 1):
        log.add(log.cosigned(log.sign()))
    assert sum(len(one.cosignatures) for one in checkpoints(log.log)) == PAGE // 2 + 1


def test_a_log_without_checkpoints_has_none(log: CoveredLog) -> None:
    assert list(checkpoints(log.log)) == []
    assert list(checkpoints(MemoryLog())) == []
    with pytest.raises(InputError, match="sign one with `gameledger log checkpoint`"):
        last_note(log.log)


@pytest.mark.parametrize(
    ("change", "cause"),
    [
        (lambda event: replace(event, signature=bytes(64)), "false cosignature of witness"),
        (lambda event: replace(event, cosigned_at=event.cosigned_at + SECOND), "false cosig"),
        (lambda event: replace(event, witness="w", public_key=bytes(32)), "false cosignature of w"),
        (lambda event: replace(event, size=event.size - 1), "never signed"),
    ],
)
def test_a_false_cosignature_is_named_by_its_position(
    log: CoveredLog,
    change: Callable[[e.CheckpointCosigned], e.CheckpointCosigned],
    cause: str,
) -> None:
    log.add(change(log.cosigned(log.sign())))
    with pytest.raises(IntegrityError, match=cause) as caught:
        list(checkpoints(log.log))
    assert caught.value.position == log.chain.head.size - 1


@pytest.mark.parametrize(("minutes", "holds"), [(-3, False), (0, True), (3, False)])
def test_the_clock_of_a_witness_fits_the_record(
    log: CoveredLog, minutes: int, *, holds: bool
) -> None:
    log.add(log.cosigned(log.sign(), minutes))
    if holds:
        assert next(checkpoints(log.log)).cosignatures
        return
    with pytest.raises(IntegrityError, match="names a moment that lies before"):
        next(checkpoints(log.log))


@pytest.mark.parametrize(("minutes", "holds"), [(-2, False), (0, True), (2, False)])
def test_the_clock_of_a_stamp_fits_the_record(
    log: CoveredLog, tmp_path: Path, minutes: int, *, holds: bool
) -> None:
    """The chain says that it is some minutes later, or earlier, than the authority."""
    log.chain.moment = time.time_ns() // 1000 + minutes * MINUTE
    note = log.sign().encode()
    stamp = StampAuthority(tmp_path / "a").answer(stamp_request(note).as_bytes())
    moment, size = stamp_moment(stamp, note), Note.parse(note.decode()).head.size
    log.add(e.CheckpointStamped(size=size, authority="a", stamped_at=moment, stamp=stamp))
    if holds:
        assert [one.moment for one in next(checkpoints(log.log)).stamps] == [moment]
        return
    with pytest.raises(IntegrityError, match="names a moment that lies before"):
        next(checkpoints(log.log))


def test_a_stamp_over_something_else_is_false(log: CoveredLog, tmp_path: Path) -> None:
    log.chain.moment = time.time_ns() // 1000
    stamp = StampAuthority(tmp_path / "a").answer(stamp_request(b"else").as_bytes())
    moment, size = stamp_moment(stamp, b"else"), log.chain.head.size
    log.sign()
    event = e.CheckpointStamped(size=size, authority="a", stamped_at=moment, stamp=stamp)
    log.add(event)
    with pytest.raises(IntegrityError, match="holds a false stamp"):
        next(checkpoints(log.log))


def test_keys_are_all_that_were_added_under_the_name_of_the_chain(log: CoveredLog) -> None:
    first = log.key.public
    log.add(
        e.SigningKeyAdded(
            key_id="02" * 4, public_key=b"\x02" * 32, reason="second", algorithm="Ed25519"
        )
    )
    assert {(key.name, key.raw) for key in keys_of(log.log)} == {
        (log.name, first.raw),
        (log.name, b"\x02" * 32),
    }
    assert keys_of(MemoryLog()) == []
