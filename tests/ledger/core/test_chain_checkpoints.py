"""Checkpoints are true, in time, and signed by a key in force."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from chain_cases import Chain, landed
from msgspec.structs import replace
from verified_cases import FULL, KEY, NAME, OTHER, adding, begun, fault, full, opening, signing

from ledger.core import events as e
from ledger.core.chain import CHECKPOINT_WINDOW, verify
from ledger.core.encoding import hash_of
from ledger.core.errors import InputError
from ledger.core.message import Head
from ledger.core.signing import Checkpoint, SigningKey


@dataclass(frozen=True)
class Case:
    """A checkpoint that is false in one respect."""

    event: e.CheckpointSigned
    cause: str


def cases() -> list[Case]:
    head = full().head
    good = signing(head)
    return [
        Case(replace(good, signature=bytes(64)), "false signature"),
        Case(replace(good, head=bytes(32)), "another hash"),
        Case(signing(Head(head.size, bytes(32))), "another hash"),
        Case(replace(good, size=head.size - 1), "another hash"),
        Case(replace(good, size=0), "more than there were"),
        Case(replace(good, size=-5), "more than there were"),
        Case(signing(Head(head.size + 1, head.hash)), "more than there were"),
        Case(signing(head, OTHER), "not in force"),
        Case(signing(head, chain="other"), "false signature"),
    ]


@pytest.mark.parametrize("case", cases(), ids=range(9))
def test_false_checkpoint_is_a_fault(case: Case) -> None:
    chain = full()
    chain.add(case.event)
    position, text = fault(chain.stored)
    assert position == len(FULL)
    assert case.cause in text


def test_checkpoint_may_be_recorded_a_little_later() -> None:
    chain = full()
    head = chain.head
    chain.add(landed(1))
    chain.add(signing(head))
    assert verify(chain.stored).covered == head.size


@pytest.mark.slow
def test_checkpoint_may_not_be_recorded_much_later() -> None:
    chain = full()
    head = chain.head
    for number in range(CHECKPOINT_WINDOW):
        chain.add(landed(number))
    in_time, late = Chain(chain.head), Chain(chain.head)
    in_time.moment = late.moment = chain.moment
    in_time.add(signing(Head(head.size + 1, hash_of(chain.stored[head.size][1]))))
    verify(chain.stored + in_time.stored)
    late.add(signing(head))
    assert fault(chain.stored + late.stored)[0] == chain.head.size


def test_revoked_key_signs_no_more() -> None:
    chain = full()
    chain.add(e.SigningKeyRevoked(key_id=KEY.key_id, reason="lost"))
    assert verify(chain.stored).checkpoints == 1
    chain.add(signing(chain.head))
    assert fault(chain.stored)[0] == len(FULL) + 1


@pytest.mark.parametrize("key_id", ["", "a b", "a+b", "a\nb", "č", "a\x7f", "x" * 129])
def test_key_id_is_ascii_without_spaces_and_plus(key_id: str) -> None:
    chain = begun()
    chain.add(e.SigningKeyAdded(key_id=key_id, public_key=bytes(32), reason="r"))
    assert fault(chain.stored) == (5, "message 5 adds something that is no key")


@pytest.mark.parametrize("size", [0, 31, 33])
def test_public_key_has_32_bytes(size: int) -> None:
    chain = begun()
    chain.add(e.SigningKeyAdded(key_id="k", public_key=bytes(size), reason="r"))
    assert fault(chain.stored) == (5, "message 5 adds something that is no key")


@pytest.mark.parametrize("is_revoked", [False, True])
@pytest.mark.parametrize("again", [KEY, SigningKey(KEY.key_id, b"\x09" * 32)])
def test_name_of_a_key_is_given_once(is_revoked: bool, again: SigningKey) -> None:
    chain = full()
    if is_revoked:
        chain.add(e.SigningKeyRevoked(key_id=KEY.key_id, reason="lost"))
    chain.add(adding(again))
    position, text = fault(chain.stored)
    assert position == chain.head.size - 1
    assert "there was one of that name" in text


def test_only_a_key_in_force_is_revoked() -> None:
    chain = full()
    chain.add(e.SigningKeyRevoked(key_id=KEY.key_id, reason="lost"))
    verify(chain.stored)
    chain.add(e.SigningKeyRevoked(key_id=KEY.key_id, reason="lost"))
    assert fault(chain.stored)[0] == chain.head.size - 1


@pytest.mark.parametrize("name", ["", "a\nb", "a\x85b", "a\u2028b", "x" * 257])
def test_name_of_a_chain_is_one_line(name: str) -> None:
    chain = Chain()
    chain.add(opening(chain=name))
    position, text = fault(chain.stored)
    assert position == 0
    assert "not one line" in text


def test_note_of_another_chain_is_refused() -> None:
    head = full().head
    verify(FULL, since=Checkpoint(NAME, *head))
    with pytest.raises(InputError, match="the note is of the chain other, and this is short"):
        verify(FULL, since=Checkpoint("other", *head))


def test_added_key_takes_over() -> None:
    chain = full()
    chain.add(e.SigningKeyRevoked(key_id=KEY.key_id, reason="yearly change"))
    chain.add(adding(OTHER))
    chain.add(signing(chain.head, OTHER))
    assert verify(chain.stored).checkpoints == 2


def test_only_checkpoints_of_trusted_keys_count_as_cover() -> None:
    chain = full()
    chain.add(adding(OTHER))
    chain.add(signing(chain.head, OTHER))
    assert verify(chain.stored).covered == len(FULL) + 1
    found = verify(chain.stored, keys={KEY.key_id: KEY.public.raw})
    assert (found.checkpoints, found.covered) == (2, 10)


def test_chain_that_puts_another_key_under_a_trusted_name_is_refused() -> None:
    position, text = fault(FULL, keys={KEY.key_id: OTHER.public.raw})
    assert position == 5
    assert "not the one trusted" in text
