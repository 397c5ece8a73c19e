"""How final a fact is, by what the log records of it: a random history, and a twin of the rule."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from ledger.log.finality import (
    Finality,
    OriginSeal,
    SealState,
    final_sizes,
    origin_seal,
    origin_seals,
)
from ledger.log.memory import MemoryLog
from tests.ledger.chain_cases import Chain, landed
from tests.ledger.log.test_checkpoints import CoveredLog
from tests.ledger.source_cases import Source
from tests.ledger.verified_cases import NAME, opening


@given(st.lists(st.sampled_from(["fact", "sign", "witness", "mirror"]), max_size=12))
def test_a_fact_is_as_final_as_the_last_checkpoint_of_each_kind_says(history: list[str]) -> None:
    log = CoveredLog()
    sizes = {"sign": 0, "witness": 0, "mirror": 0}
    note = ""
    for step in history:
        if step == "fact":
            log.grow(log.log.head().size + 1)
        elif step == "sign":
            note = log.sign()
            sizes["sign"] = int(note.split("\n")[1])
        elif note:
            said = log.cosigned(note)
            log.add(replace(said, is_mirror=step == "mirror"))
            sizes["witness"] = sizes["sign"]
            if step == "mirror":
                sizes["mirror"] = sizes["sign"]
    size = log.log.head().size
    found = final_sizes(log.log, size)
    assert tuple(found) == tuple(sizes.values())
    stages = list(Finality)
    for position in range(size):
        expected = sum(position < one for one in sizes.values())
        assert found.stage_of(position) == stages[expected]
    reached = found.stages_of(range(size))
    assert reached == [stage for stage in stages if stage in map(found.stage_of, range(size))]


def test_what_a_mirror_held_stays_held_while_only_witnesses_cosign() -> None:
    """A mirror that is out for hours leaves what it signed before."""
    log = CoveredLog()
    log.grow(10)
    note = log.sign()
    log.add(replace(log.cosigned(note), is_mirror=True))
    for _ in range(100):
        log.add(log.cosigned(note))
    assert final_sizes(log.log, log.log.head().size).mirrored == 10


def test_what_is_recorded_later_does_not_change_how_final_a_fact_was() -> None:
    log = CoveredLog()
    log.grow(10)
    note = log.sign()
    size = log.log.head().size
    log.add(log.cosigned(note))
    assert final_sizes(log.log, size).stage_of(5) is Finality.COVERED
    assert final_sizes(log.log, log.log.head().size).stage_of(5) is Finality.COSIGNED


def test_a_fact_is_sealed_by_its_source_in_a_seal_before_or_behind_it() -> None:
    chain, source = Chain(), Source("studio", NAME)

    def states() -> list[OriginSeal]:
        log = MemoryLog()
        log.append(chain.messages)
        return [origin_seal(log, position, chain.head.size) for position in (1, 2)]

    chain.add(opening())
    chain.add(landed(1))
    chain.add(landed(2))
    unable = replace(source.registered(), certificate=b"", public_key=b"")
    assert {one.state for one in states()} == {SealState.UNREGISTERED}
    chain.add(unable)
    assert {one.state for one in states()} == {SealState.UNABLE}
    chain.add(source.registered())
    assert states() == [OriginSeal(SealState.UNSEALED, "studio")] * 2
    for first in range(1, 4):
        chain.add(source.sealed([bytes([first]) * 16], first))
    sealed = chain.head.size
    chain.add(source.sealed([(2).to_bytes(16), (1).to_bytes(16)], 9))
    found = [OriginSeal(SealState.SEALED, "studio", number, sealed) for number in (5, 4)]
    assert states() == found
    log = MemoryLog()
    log.append(chain.messages)
    assert origin_seals(log, (0, 1, 2, 3), chain.head.size) == dict(zip((1, 2), found, strict=True))
    assert origin_seal(log, sealed, sealed + 1).state is SealState.OWN_SEAL
    behind = Source("studio", NAME)
    chain.add(behind.sealed([chain.head.size.to_bytes(16), (chain.head.size + 1).to_bytes(16)], 9))
    chain.add(landed(3))
    log = MemoryLog()
    log.append(chain.messages)
    last = chain.head.size - 1
    assert origin_seal(log, last, last + 1) == OriginSeal(SealState.SEALED, "studio", 2, last - 1)
