"""Checkpoints are true, in time, and signed by a key in force."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from msgspec.structs import replace

from ledger.chain import CHECKPOINT_WINDOW
from ledger.core.errors import InputError, IntegrityError
from ledger.events import event_types as e
from ledger.tlog.signing import Checkpoint, PublicKey
from ledger.verification.verify import verify
from tests.ledger.chain_cases import Chain, landed
from tests.ledger.verified_cases import (
    COVERED,
    FULL,
    KEY,
    NAME,
    OTHER,
    adding,
    begun,
    fault,
    full,
    opening,
    root_of,
    signed,
    signing,
)


@dataclass(frozen=True)
class Case:
    """A checkpoint that is false in one respect."""

    event: e.CheckpointSigned
    cause: str


def cases() -> list[Case]:
    chain = full()
    size = chain.head.size
    good = signing(chain)
    return [
        Case(replace(good, signature=bytes(64)), "false signature"),
        Case(replace(good, root=bytes(32)), "another root"),
        Case(signed(Checkpoint(NAME, size, bytes(32), good.map_root)), "another root"),
        Case(signed(Checkpoint(NAME, size, good.root, bytes(32))), "another tag map"),
        Case(replace(good, map_root=bytes(32)), "false signature"),
        Case(replace(good, map_root=b""), "names no root of the tag map"),
        Case(replace(good, map_root=bytes(31)), "names no root of the tag map"),
        Case(replace(good, size=size - 1), "another root"),
        Case(replace(good, size=0), "more than there were"),
        Case(replace(good, size=-5), "more than there were"),
        Case(signed(Checkpoint(NAME, size + 1, good.root, good.map_root)), "more than there were"),
        Case(signing(chain, size=COVERED - 1), "before another"),
        Case(signing(chain, OTHER), "not in force"),
        Case(signing(chain, name="other"), "false signature"),
    ]


@pytest.mark.parametrize("case", cases(), ids=range(14))
def test_false_checkpoint_is_a_fault(case: Case) -> None:
    chain = full()
    chain.add(case.event)
    position, text = fault(chain.stored)
    assert position == len(FULL)
    assert case.cause in text


def test_checkpoint_may_be_recorded_a_little_later() -> None:
    chain = full()
    late = signing(chain)
    chain.add(landed(1))
    chain.add(late)
    assert verify(chain.stored).covered == late.size


@pytest.mark.slow
def test_checkpoint_may_not_be_recorded_much_later() -> None:
    chain = full()
    size = chain.head.size
    for number in range(CHECKPOINT_WINDOW):
        chain.add(landed(number))
    in_time, late = Chain(chain.head), Chain(chain.head)
    in_time.moment = late.moment = chain.moment
    in_time.add(signing(chain, size=size + 1))
    verify(chain.stored + in_time.stored)
    late.add(signing(chain, size=size))
    assert fault(chain.stored + late.stored)[0] == chain.head.size


def test_checkpoints_of_one_size_and_of_every_later_one_agree() -> None:
    chain = full()
    for number in range(300):
        chain.add(signing(chain), landed(number))
        chain.add(signing(chain, size=chain.head.size - number % 2))
    found = verify(chain.stored)
    assert found.checkpoints == 601
    assert found.root == root_of(chain.stored, len(chain.stored))


def test_revoked_key_signs_no_more() -> None:
    chain = full()
    chain.add(e.SigningKeyRevoked(key_id=KEY.key_id, reason="lost"))
    assert verify(chain.stored).checkpoints == 1
    chain.add(signing(chain))
    assert fault(chain.stored)[0] == len(FULL) + 1


@pytest.mark.parametrize("key_id", ["", "k", "0" * 8, KEY.key_id.upper(), OTHER.key_id])
def test_key_id_follows_from_name_and_key(key_id: str) -> None:
    chain = begun()
    chain.add(
        e.SigningKeyAdded(key_id=key_id, public_key=KEY.public.raw, reason="r", algorithm="Ed25519")
    )
    assert fault(chain.stored) == (5, "message 5 adds something that is no key")


@pytest.mark.parametrize("size", [0, 31, 33])
def test_public_key_has_32_bytes(size: int) -> None:
    chain = begun()
    raw = bytes(size)
    key_id = PublicKey(NAME, raw).key_id
    chain.add(e.SigningKeyAdded(key_id=key_id, public_key=raw, reason="r", algorithm="Ed25519"))
    assert fault(chain.stored) == (5, "message 5 adds something that is no key")


@pytest.mark.parametrize("is_revoked", [False, True])
def test_key_is_added_once(is_revoked: bool) -> None:
    chain = full()
    if is_revoked:
        chain.add(e.SigningKeyRevoked(key_id=KEY.key_id, reason="lost"))
    chain.add(adding(KEY))
    position, text = fault(chain.stored)
    assert position == chain.head.size - 1
    assert "there was one of that name" in text


def test_only_a_key_in_force_is_revoked() -> None:
    chain = full()
    chain.add(e.SigningKeyRevoked(key_id=KEY.key_id, reason="lost"))
    verify(chain.stored)
    chain.add(e.SigningKeyRevoked(key_id=KEY.key_id, reason="lost"))
    assert fault(chain.stored)[0] == chain.head.size - 1


@pytest.mark.parametrize("name", ["", "a b", "a+b", "a\nb", "č", "a\x7f", "x" * 129])
def test_name_of_a_chain_is_ascii_without_spaces_and_plus(name: str) -> None:
    chain = Chain()
    chain.add(opening(chain=name))
    position, text = fault(chain.stored)
    assert position == 0
    assert "a space, a plus or other signs" in text


def test_note_of_another_chain_is_refused() -> None:
    size = len(FULL)
    root = root_of(FULL, size)
    verify(FULL, since=Checkpoint(NAME, size, root))
    with pytest.raises(IntegrityError, match="root of the first 3 messages is not the one"):
        verify(FULL, since=Checkpoint(NAME, 3, root))
    with pytest.raises(InputError, match="the note is of the chain other, and this is short"):
        verify(FULL, since=Checkpoint("other", size, root))


def test_added_key_takes_over() -> None:
    chain = full()
    chain.add(e.SigningKeyRevoked(key_id=KEY.key_id, reason="yearly change"))
    chain.add(adding(OTHER))
    chain.add(signing(chain, OTHER))
    assert verify(chain.stored).checkpoints == 2


def test_only_checkpoints_of_trusted_keys_count_as_cover() -> None:
    chain = full()
    chain.add(adding(OTHER))
    chain.add(signing(chain, OTHER))
    assert verify(chain.stored).covered == len(FULL) + 1
    found = verify(chain.stored, keys={KEY.key_id: KEY.public.raw})
    assert (found.checkpoints, found.covered) == (2, COVERED)


def test_chain_that_puts_another_key_under_a_trusted_name_is_refused() -> None:
    position, text = fault(FULL, keys={KEY.key_id: OTHER.public.raw})
    assert position == 5
    assert "not the one trusted" in text
