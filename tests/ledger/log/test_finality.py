"""How final a fact is, by what the log records of it: a random history, and a twin of the rule."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from ledger.log.finality import Finality, final_sizes
from tests.ledger.log.test_checkpoints import CoveredLog


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


def test_what_is_recorded_later_does_not_change_how_final_a_fact_was() -> None:
    log = CoveredLog()
    log.grow(10)
    note = log.sign()
    size = log.log.head().size
    log.add(log.cosigned(note))
    assert final_sizes(log.log, size).stage_of(5) is Finality.COVERED
    assert final_sizes(log.log, log.log.head().size).stage_of(5) is Finality.COSIGNED
