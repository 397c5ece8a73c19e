"""A call in a process of its own ends within its bounds, whatever it does."""

from __future__ import annotations

import time

import pytest

from ledger.core.errors import InputError, IntegrityError
from ledger.log.limited_call import CallLimits, call_with_limits
from ledger.storage.named_files import read_bounded
from projections.evidence.document import EvidenceError, decode
from tests.waiting import PATIENCE_SECONDS

BOUNDS = CallLimits(seconds=20, memory_bytes=1 << 30)


def test_the_result_and_errors_of_ours_come_back() -> None:
    assert call_with_limits(divmod, BOUNDS, 7, 2) == (3, 1)
    with pytest.raises(InputError, match="/nowhere"):
        call_with_limits(read_bounded, BOUNDS, "/nowhere")
    with pytest.raises(EvidenceError) as found:
        call_with_limits(decode, BOUNDS, b"{}")
    assert isinstance(found.value, IntegrityError)
    assert found.value.place


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        (bytes, (2 << 30,)),  # memory
        (pow, (7, 1 << 40)),  # time of the processor
        (time.sleep, (2 * PATIENCE_SECONDS,)),  # time of the clock
    ],
)
def test_a_call_that_passes_a_bound_ends(function: type, arguments: tuple[int, ...]) -> None:
    begun = time.monotonic()
    with pytest.raises(InputError, match="reading it takes more than 2 s or 1024 MiB"):
        call_with_limits(function, BOUNDS._replace(seconds=2), *arguments)
    assert time.monotonic() - begun < PATIENCE_SECONDS
