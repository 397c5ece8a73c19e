"""Blocks are judged as their messages one by one are: the same verdict at the same place."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest

from ledger.core.errors import AvailabilityError, IntegrityError
from ledger.verification.segments import SegmentVerifier
from ledger.verification.verify import verify
from tests.ledger.chain_cases import landed
from tests.ledger.verified_cases import fault, full, signing
from tests.search import amount, share

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ledger.verification.segments import IndexableSegment, Segment

Stored = list[tuple[int, bytes]]


def grown() -> Stored:
    """A chain with decisions of one and of several events, and a checkpoint here and there."""
    chain = full()
    for number in range(20):
        events = [landed(number % 37, f"r-{number}") for _ in range(1 + number % 4)]
        chain.add(*events)
        if not number % 8:
            chain.add(signing(chain))
    return chain.stored


GOOD = grown()


class Heard:
    """Takes note of what an index would have to hold."""

    def __init__(self) -> None:
        self.heard: list[object] = []

    def expected(self, found: IndexableSegment) -> list[object]:
        tags = found.tagged
        pairs = zip(tags.numbers.tolist(), tags.rows.tolist(), strict=True)
        bears = {(found.first + row, tags.tags[number]) for number, row in pairs}
        begun = (found.first + found.decision_starts).tolist()
        types = [found.types[number] for number in found.type_of.tolist()]
        return [
            *sorted(bears),
            *enumerate(types, found.first),
            *zip(begun, found.identifiers.tolist(), found.sizes.tolist(), strict=True),
        ]

    def add(self, due: list[object]) -> None:
        self.heard = sorted([*self.heard, *due], key=repr)


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


ALTERED = [made for made in map(altered, map(Random, range(amount(80, 400)))) if made != GOOD]

BLOCKS = (1, 2, 3, 7, 16)
"""Sizes that a bad chain is judged with, a part of them with each; a search judges all with all."""


@pytest.fixture(params=[*BLOCKS, 1024])
def block(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr("ledger.core.message.BLOCK", request.param)
    return int(request.param)


@pytest.fixture
def in_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have every message judged by itself."""
    judged = SegmentVerifier.verify_segment

    def single(judge: SegmentVerifier, block: Stored) -> Segment | None:
        return judged(judge, block) if len(block) == 1 else None

    monkeypatch.setattr(SegmentVerifier, "verify_segment", single)


@pytest.fixture(scope="module")
def verdicts() -> list[tuple[int, str]]:
    """What is said of altered chains when they are judged as a whole."""
    return [fault(stored) for stored in ALTERED]


@pytest.mark.usefixtures("block")
def test_a_good_chain_gives_the_same(request: pytest.FixtureRequest) -> None:
    first, second = Heard(), Heard()
    found = verify(GOOD, index=first)
    request.getfixturevalue("in_steps")
    assert verify(GOOD, index=second) == found
    assert first.heard == second.heard


@pytest.mark.slow
@pytest.mark.parametrize(("part", "block"), [*enumerate(BLOCKS)], indirect=["block"])
@pytest.mark.usefixtures("block")
def test_a_bad_chain_is_judged_the_same(verdicts: list[tuple[int, str]], part: int) -> None:
    judged = [fault(stored) for stored in share(ALTERED, part, of=len(BLOCKS))]
    assert judged == share(verdicts, part, of=len(BLOCKS))


@pytest.mark.slow
@pytest.mark.usefixtures("in_steps")
def test_a_bad_chain_is_judged_the_same_in_steps(verdicts: list[tuple[int, str]]) -> None:
    assert [fault(stored) for stored in ALTERED] == verdicts


def test_what_was_read_before_an_error_is_judged_first(block: int) -> None:
    def breaking(stored: Stored) -> Iterator[tuple[int, bytes]]:
        yield from stored
        raise AvailabilityError("the disk is away")

    with pytest.raises(AvailabilityError, match="the disk is away"):
        verify(breaking(GOOD[:-block] if block < len(GOOD) else GOOD))
    bad = [*GOOD[:20], (20, GOOD[20][1] + b"\x00"), *GOOD[21:25]]
    with pytest.raises(IntegrityError, match="message 20"):
        verify(breaking(bad))
