"""Verification that goes on from a trusted note finds what is false, and replaced history."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from ledger.chain import CHECKPOINT_WINDOW
from ledger.core.errors import InputError, IntegrityError
from ledger.events import event_types as e
from ledger.log.index.tag_map_file import map_in_memory
from ledger.log.memory import MemoryLog
from ledger.log.trusted_prefix import read_trusted_prefix
from ledger.tlog.signing import Checkpoint
from ledger.verification.tag_map_check import MapCheck, NoMapCheck
from ledger.verification.verify import VerificationResult, verify
from tests.ledger.chain_cases import landed
from tests.ledger.source_cases import Source
from tests.ledger.verified_cases import (
    KEY,
    NAME,
    OTHER,
    adding,
    full,
    map_root_of,
    publishing,
    root_of,
    signed,
    signing,
)

if TYPE_CHECKING:
    from tests.ledger.chain_cases import Chain


def logged(chain: Chain) -> MemoryLog:
    log = MemoryLog()
    log.append(chain.messages)
    return log


def note_of(chain: Chain, size: int) -> Checkpoint:
    roots = root_of(chain.stored, size), map_root_of(chain.stored, size)
    return Checkpoint(NAME, size, *roots)


def go_on(chain: Chain, note: Checkpoint) -> VerificationResult:
    log = logged(chain)
    maps = MapCheck(CHECKPOINT_WINDOW, initial_map=map_in_memory(log, note.size))
    return verify(log.read(note.size), after=read_trusted_prefix(log, note), maps=maps)


def grown() -> Chain:
    """A chain with a second key, checkpoints and rounds, of 60 messages and a few."""
    chain = full()
    chain.add(adding(OTHER))
    for number in range(40):
        chain.add(landed(number % 37, f"r-{number}"))
        if not number % 9:
            chain.add(signing(chain, OTHER if number % 2 else KEY))
    return chain


STARTS = [6, 10, 12, 20, 33, 45]


@pytest.mark.parametrize("size", STARTS)
def test_it_ends_as_a_verification_of_everything_does(size: int) -> None:
    chain = grown()
    whole, rest = verify(chain.stored), go_on(chain, note_of(chain, size))
    assert (rest.head, rest.root, rest.chain) == (whole.head, whole.root, whole.chain)
    assert {key.key_id for key in rest.keys} <= {KEY.key_id, OTHER.key_id}
    last = max(whole.covered, 0)
    assert rest.covered in {0, last}


def test_nothing_new_is_right_too() -> None:
    chain = grown()
    note = note_of(chain, chain.head.size)
    assert go_on(chain, note).head == chain.head


@pytest.mark.parametrize("size", STARTS)
def test_every_message_before_the_note_that_was_replaced_shows(size: int) -> None:
    note = note_of(grown(), size)
    for at in range(5, size):
        chain = grown()
        chain.messages[at] = replace(chain.messages[at], body=chain.messages[at].body + b"x")
        log = MemoryLog()
        log._messages, log._head = list(chain.messages), chain.head
        log._by_type = logged(grown())._by_type
        with pytest.raises(IntegrityError, match="is not the one of the note"):
            read_trusted_prefix(log, note)


def test_a_log_that_was_cut_off_before_the_note_shows() -> None:
    note = note_of(grown(), 40)
    with pytest.raises(IntegrityError, match="and the note covers 40 messages: messages were cut"):
        read_trusted_prefix(logged(full()), note)


@pytest.mark.parametrize("earlier", [11, 12, 14])
def test_a_checkpoint_behind_the_note_may_cover_less_than_the_note(earlier: int) -> None:
    """The first of two signers at once may record last; below the last it may not."""
    chain = full()
    for number in range(4):
        chain.add(landed(number, f"r-{number}"))
    chain.add(signing(chain, size=11))
    size = chain.head.size
    chain.add(signing(chain, size=earlier))
    chain.add(landed(36, "last"))
    found = go_on(chain, note_of(chain, size))
    assert found.head == verify(chain.stored).head
    chain.add(signing(chain, size=earlier - 1))
    with pytest.raises(IntegrityError, match="before another"):
        go_on(chain, note_of(chain, size))


def test_a_seal_behind_the_note_is_judged_by_the_registration_before_it() -> None:
    chain, source = full(), Source(chain=NAME)
    for name in ("SourceRegistered", "SourceSealed"):
        chain.add(publishing(name))
    chain.add(source.registered())
    note = note_of(chain, chain.head.size)
    chain.add(source.sealed([bytes(16)], 5))
    assert go_on(chain, note).head == chain.head
    chain.add(replace(source.sealed([], 6), is_last=True))
    with pytest.raises(IntegrityError, match="false signature") as caught:
        go_on(chain, note)
    assert caught.value.position == chain.head.size - 1


def test_a_note_of_another_chain_is_refused() -> None:
    chain = grown()
    with pytest.raises(InputError, match="the note is of the chain other"):
        read_trusted_prefix(logged(chain), replace(note_of(chain, 20), chain="other"))


@pytest.mark.parametrize("size", STARTS)
def test_every_altered_message_behind_the_note_is_a_fault(size: int) -> None:
    chain = grown()
    note = note_of(chain, size)
    after = read_trusted_prefix(logged(chain), note)
    stored = chain.stored
    for at in range(size, len(stored) - 1):
        altered = bytearray(stored[at][1])
        altered[-1] ^= 1
        messages = [*stored[size:at], (at, bytes(altered)), *stored[at + 1 :]]
        with pytest.raises(IntegrityError) as caught:
            verify(messages, after=after, maps=NoMapCheck())
        assert caught.value.position in {at, at + 1}


def test_a_note_that_ends_within_a_decision_is_refused() -> None:
    chain = grown()
    with pytest.raises(InputError, match="the note of size 9 ends within a decision"):
        read_trusted_prefix(logged(chain), note_of(chain, 9))


def test_a_key_that_was_revoked_before_the_note_signs_nothing_behind_it() -> None:
    chain = grown()
    chain.add(e.SigningKeyRevoked(key_id=OTHER.key_id, reason="lost"))
    note = note_of(chain, chain.head.size)
    chain.add(signing(chain, OTHER))
    with pytest.raises(IntegrityError, match="by a key that is not in force"):
        go_on(chain, note)


def test_a_false_tag_map_behind_the_note_is_found() -> None:
    chain = grown()
    note = note_of(chain, 30)
    good = note_of(chain, chain.head.size)
    chain.add(signed(replace(good, map_root=bytes(32))))
    with pytest.raises(IntegrityError, match="another tag map"):
        go_on(chain, note)
