"""Verification computes the tag map again."""

from __future__ import annotations

import pytest

from ledger.core.errors import IntegrityError
from ledger.tlog.signing import Checkpoint
from ledger.verification import tag_map_check
from ledger.verification import verify as verify_module
from ledger.verification.verify import verify
from tests.ledger.chain_cases import landed
from tests.ledger.verified_cases import NAME, full, map_root_of, root_of, signed, signing

Stored = list[tuple[int, bytes]]


@pytest.fixture(params=[5, 64, 4096], autouse=True)
def block(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Add messages to the map before a checkpoint asks for them, as in a long chain."""
    monkeypatch.setattr(tag_map_check, "BLOCK", request.param)
    monkeypatch.setattr(verify_module, "CHECKPOINT_WINDOW", 64)


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


def test_right_maps_pass(long: Stored) -> None:
    assert verify(long).checkpoints == 6


def test_a_false_map_is_named_with_its_checkpoint() -> None:
    chain = falsified(30)
    with pytest.raises(IntegrityError, match="names another tag map of") as caught:
        verify(chain)
    assert caught.value.position == len(chain) - 2


@pytest.mark.parametrize("size", [12, 77, 305])
def test_the_map_of_a_note_is_compared_too(size: int, long: Stored) -> None:
    size = min(size, len(long))
    note = Checkpoint(NAME, size, root_of(long, size), map_root_of(long, size))
    verify(long, since=note)
    other = Checkpoint(NAME, size, note.root, bytes(32))
    with pytest.raises(IntegrityError, match=f"the note names another tag map of {size}") as caught:
        verify(long, since=other)
    assert caught.value.position == size - 1
