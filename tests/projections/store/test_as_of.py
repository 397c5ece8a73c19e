"""Where in the chain a message stands: the log and the tables say the same."""

from __future__ import annotations

from typing import TYPE_CHECKING
from unittest import mock

import pytest

from ledger.core.errors import AvailabilityError, IntegrityError
from ledger.events.encoding import NUMBERS
from ledger.events.encoding import PREVIOUS_HASH as HASHED
from projections.store.as_of import as_of, envelopes, moment_of, place_in
from projections.store.projector import Projector
from tests.projections.projection_cases import ListLog, money_history

if TYPE_CHECKING:
    from projections.store.tables import Store


def test_log_and_tables_say_the_same_of_a_message(store: Store) -> None:
    log = money_history(14, 60).log()
    size = Projector(log, store).catch_up().head.size
    positions = [*range(0, size, 7), size - 1]

    def said() -> list[object]:
        rows = sorted(envelopes(store, positions), key=lambda row: row["position"])
        places = [as_of(store, at) for at in positions]
        moments = [moment_of(store, at) for at in positions]
        return [rows, places, moments]

    of_tables = said()
    store.log = log
    with store.clone() as other:
        assert other.log is log
    assert said() == of_tables


def test_log_that_lacks_what_the_tables_hold_is_told(store: Store) -> None:
    chain = money_history(14, 20)
    size = Projector(chain.log(), store).catch_up().head.size
    store.log = ListLog(chain.messages[: size - 4])
    with pytest.raises(AvailabilityError, match=f"the log lacks message {size - 2}"):
        as_of(store, size - 2)


@pytest.mark.parametrize("place", [HASHED.start, NUMBERS + 6, -1])
@pytest.mark.parametrize("behind", [0, 1])
def test_message_that_was_altered_in_the_log_is_told(store: Store, place: int, behind: int) -> None:
    """Nothing is said of it; the last one is compared when the tables are brought up to date."""
    chain = money_history(14, 20)
    size = Projector(chain.log(), store).catch_up().head.size
    messages = list(chain.messages)
    spoilt = bytearray(messages[size - 3 + behind])
    spoilt[place] ^= 1
    messages[size - 3 + behind] = bytes(spoilt)
    store.log = ListLog(messages)
    with pytest.raises(IntegrityError) as error:
        envelopes(store, [size - 3, size - 2])
    assert error.value.position in {size - 3, size - 2}


@pytest.mark.parametrize("behind", [0, 1])
def test_no_place_is_named_by_a_message_that_was_altered(behind: int) -> None:
    messages = list(money_history(14, 20).messages)
    log, size = ListLog(messages), len(messages)
    head = log.head()
    assert place_in(log, None, size)[0].head == head.hash.hex()
    spoilt = bytearray(messages[-1 - behind])
    spoilt[NUMBERS + 6] ^= 1
    messages[-1 - behind] = bytes(spoilt)
    with mock.patch.object(log, "head", return_value=head), pytest.raises(IntegrityError) as error:
        place_in(log, size - behind, size)
    assert error.value.position == size - 1 - behind
