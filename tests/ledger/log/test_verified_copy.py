"""A copy that grows verified: it holds what verification accepts, and nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from ledger.core.errors import IntegrityError
from ledger.events import event_types as e
from ledger.log.memory import MemoryLog
from ledger.log.verified_copy import VerifiedCopy
from ledger.tlog.signing import Checkpoint
from ledger.verification.verify import verify
from tests.ledger.chain_cases import landed
from tests.ledger.verified_cases import (
    FULL,
    KEY,
    NAME,
    OTHER,
    adding,
    flipped,
    full,
    map_root_of,
    root_of,
    signing,
)

if TYPE_CHECKING:
    from tests.ledger.verified_cases import Stored

BODIES = [body for _, body in FULL]


def checkpoint_at(stored: Stored, size: int) -> Checkpoint:
    return Checkpoint(NAME, size, root_of(stored, size), map_root_of(stored, size))


def copied(stored: Stored) -> VerifiedCopy:
    copy = VerifiedCopy(MemoryLog(), [KEY.public])
    copy.add(body for _, body in stored)
    copy.store()
    return copy


@settings(deadline=None)
@given(st.lists(st.integers(0, len(FULL)), max_size=4), st.booleans())
def test_in_whatever_parts_a_chain_comes_the_copy_is_the_chain(
    cuts: list[int], opened_again: bool
) -> None:
    log = MemoryLog()
    copy = VerifiedCopy(log, [KEY.public])
    for end in (*sorted(cuts), len(FULL)):
        copy.add(BODIES[copy.size : end])
        if opened_again:
            copy.store()
            copy = VerifiedCopy(log, [KEY.public])
    copy.store()
    assert list(log.read()) == FULL
    copy.require(checkpoint_at(FULL, len(FULL)))
    assert copy.keys_in_force == (KEY.public,)


@settings(deadline=None)
@given(st.data())
def test_what_verification_refuses_is_not_held(data: st.DataObject) -> None:
    """One bit of any message: the copy ends before the message that shows it."""
    position = data.draw(st.integers(0, len(FULL) - 1))
    bit = data.draw(st.integers(0, len(BODIES[position]) * 8 - 1))
    damaged = flipped(FULL, position, bit)
    log = MemoryLog()
    copy = VerifiedCopy(log, [KEY.public])
    try:
        copy.add(body for _, body in damaged)
        copy.require(checkpoint_at(FULL, len(FULL)))
    except IntegrityError:
        pass
    else:
        pytest.fail("nothing was noticed")
    held = list(log.read())
    assert held == damaged[: len(held)]
    if held:
        verify(held)


def test_it_goes_on_at_its_last_checkpoint() -> None:
    """What that covers is not verified again; what is behind it is."""
    chain = full()
    size = chain.head.size
    log = copied(chain.stored).log
    checkpoint = checkpoint_at(chain.stored, size)
    chain.add(signing(chain))
    chain.add(landed(8))
    copy = VerifiedCopy(log, [KEY.public], checkpoint)
    copy.add(body for _, body in chain.stored[size:])
    copy.require(checkpoint_at(chain.stored, chain.head.size))
    assert list(log.read()) == chain.stored
    again = VerifiedCopy(log, [KEY.public], checkpoint)
    assert again.size == chain.head.size


def test_a_checkpoint_of_another_tree_or_map_is_refused() -> None:
    copy = copied(FULL)
    true = checkpoint_at(FULL, len(FULL))
    for false in (
        replace(true, root=bytes(32)),
        replace(true, map_root=bytes(32)),
        replace(true, size=len(FULL) + 1),
    ):
        with pytest.raises(IntegrityError):
            copy.require(false)
    copy.require(true)


@pytest.mark.parametrize("is_held", [False, True])
def test_a_false_map_in_a_checkpoint_of_the_chain_is_refused(is_held: bool) -> None:
    chain = full()
    false = replace(checkpoint_at(chain.stored, chain.head.size), map_root=bytes(32))
    event = signing(chain)
    chain.add(replace(event, map_root=false.map_root, signature=KEY.sign(false)))
    if is_held:
        log = MemoryLog()
        log.append(chain.messages)
        with pytest.raises(IntegrityError, match="map"):
            VerifiedCopy(log, [KEY.public])
        return
    with pytest.raises(IntegrityError, match="map"):
        copied(chain.stored)


def test_a_command_that_was_recorded_twice_is_refused() -> None:
    chain = full()
    copy = copied(chain.stored)
    again = full()
    again.add(landed(8))
    messages = again.messages[chain.head.size :]
    first = chain.messages[0].command_id
    assert first is not None
    body = messages[0].body.replace(messages[0].command_id or b"", first)
    copy.add([body])
    with pytest.raises(IntegrityError, match="which message 0 had decided"):
        copy.store()
    assert copy.log.head() == chain.head


def test_keys_are_in_force_from_their_announcement_to_their_end() -> None:
    chain = full()
    chain.add(adding(OTHER))
    copy = copied(chain.stored)
    assert copy.keys_in_force == (KEY.public, OTHER.public)
    chain.add(e.SigningKeyRevoked(key_id=KEY.key_id, reason="lost"))
    assert copied(chain.stored).keys_in_force == (OTHER.public,)
