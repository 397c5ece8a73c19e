"""Blocks are judged as their messages one by one are: the same verdict at the same place."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest
from chain_cases import landed
from verified_cases import fault, full, signing

from ledger.core import chain as chains
from ledger.core.chain import verify
from ledger.core.errors import AvailabilityError, IntegrityError
from ledger.core.walk import Walk

if TYPE_CHECKING:
    from collections.abc import Iterator

Stored = list[tuple[int, bytes]]


def grown() -> Stored:
    """A chain with decisions of one and of several events, and a checkpoint here and there."""
    chain = full()
    for number in range(60):
        events = [landed(number % 37, f"r-{number}") for _ in range(1 + number % 4)]
        chain.add(*events)
        if not number % 25:
            chain.add(signing(chain))
    return chain.stored


GOOD = grown()


def altered(random: Random) -> Stored:
    """Change a chain in one of the ways in which a chain can be wrong."""
    made = list(GOOD)
    at = random.randrange(6, len(made))
    body = bytearray(made[at][1])
    how = random.randrange(6)
    if how < 3:
        body[random.randrange(len(body))] ^= 1 << random.randrange(8)
        made[at] = (at, bytes(body))
    elif how == 3:
        del made[at]
    elif how == 4:
        other = random.randrange(6, len(made))
        made[at], made[other] = (at, made[other][1]), (other, made[at][1])
    else:
        made[at] = (at, bytes(body) + b"\x00")
    return made


@pytest.fixture(params=[1, 2, 3, 7, 16, 1024])
def block(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr(chains, "BLOCK", request.param)
    return int(request.param)


def test_a_good_chain_gives_the_same(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[object] = []
    found = verify(GOOD, scanned=lambda *told: heard.append(told))
    monkeypatch.setattr(Walk, "take", lambda *_: False)
    again: list[object] = []
    assert verify(GOOD, scanned=lambda *told: again.append(told)) == found
    assert heard == again
    assert block


def test_a_bad_chain_is_judged_the_same(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    random = Random(block)
    chains_ = [altered(random) for _ in range(150)]
    found = [fault(stored) for stored in chains_ if stored != GOOD]
    monkeypatch.setattr(Walk, "take", lambda *_: False)
    assert [fault(stored) for stored in chains_ if stored != GOOD] == found


def test_what_was_read_before_an_error_is_judged_first(block: int) -> None:
    def breaking(stored: Stored) -> Iterator[tuple[int, bytes]]:
        yield from stored
        raise AvailabilityError("the disk is away")

    with pytest.raises(AvailabilityError, match="the disk is away"):
        verify(breaking(GOOD[:-block] if block < len(GOOD) else GOOD))
    bad = [*GOOD[:20], (20, GOOD[20][1] + b"\x00"), *GOOD[21:25]]
    with pytest.raises(IntegrityError, match="message 20"):
        verify(breaking(bad))
