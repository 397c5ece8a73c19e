"""Verification computes the tag map again, in its own process and in one beside."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from chain_cases import landed
from verified_cases import KEY, NAME, adding, begun, full, map_root_of, root_of, signed, signing

from ledger.core.chain import CHECKPOINT_WINDOW, verify
from ledger.core.errors import AvailabilityError, IntegrityError
from ledger.core.signing import Checkpoint
from ledger.core.tag_map_check import MapCheck, MapCheckBeside, MapJudge

Stored = list[tuple[int, bytes]]
Make = Callable[[Checkpoint | None], MapJudge]


def here(remembered: Checkpoint | None) -> MapJudge:
    return MapCheck(CHECKPOINT_WINDOW, remembered)


def beside(remembered: Checkpoint | None) -> MapJudge:
    return MapCheckBeside(CHECKPOINT_WINDOW, remembered)


@pytest.fixture(scope="module")
def long() -> Stored:
    """A chain with checkpoints here and there, some of them a little late."""
    chain = full()
    for number in range(300):
        chain.add(landed(number, f"r-{number % 70}"))
        if not number % 60:
            chain.add(signing(chain, size=chain.head.size - number % 7))
    return chain.stored


def falsified(size: int) -> Stored:
    """Add a checkpoint of a key in force, whose tag map is that of another size."""
    chain = full()
    for number in range(50):
        chain.add(landed(number, f"r-{number % 7}"))
    roots = root_of(chain.stored, len(chain.stored)), map_root_of(chain.stored, size)
    chain.add(signed(Checkpoint(NAME, len(chain.stored), *roots)))
    chain.add(landed(3))
    return chain.stored


@pytest.mark.parametrize("make", [here, beside])
def test_right_maps_pass(make: Make, long: Stored) -> None:
    assert verify(long, maps=make(None)).checkpoints == 6


@pytest.mark.parametrize("make", [here, beside])
def test_a_false_map_is_named_with_its_checkpoint(make: Make) -> None:
    chain = falsified(30)
    with pytest.raises(IntegrityError, match="names another tag map of") as caught:
        verify(chain, maps=make(None))
    assert caught.value.position == len(chain) - 2


@pytest.mark.parametrize("make", [here, beside])
@pytest.mark.parametrize("size", [12, 77, 305])
def test_the_map_of_a_note_is_compared_too(make: Make, size: int, long: Stored) -> None:
    size = min(size, len(long))
    note = Checkpoint(NAME, size, root_of(long, size), map_root_of(long, size))
    verify(long, since=note, maps=make(note))
    other = Checkpoint(NAME, size, note.root, bytes(32))
    with pytest.raises(IntegrityError, match=f"the note names another tag map of {size}") as caught:
        verify(long, since=other, maps=make(other))
    assert caught.value.position == size - 1


def test_a_process_that_ended_is_told() -> None:
    check = MapCheckBeside(CHECKPOINT_WINDOW)
    check._process.kill()
    check._process.wait()
    chain = begun()
    chain.add(adding(KEY))
    chain.add(signing(chain))
    with pytest.raises(AvailabilityError, match="computes the tag map ended"):
        verify(chain.stored, maps=check)
