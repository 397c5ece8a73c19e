"""The time to decide: it stands beside each decision, and one that comes later is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ledger.core.clock import SECOND, to_datetime
from ledger.core.errors import InputError
from ledger.events import event_types as e
from tests.ledger.decisions.decisions_casino import begin, lay, sentence_of

if TYPE_CHECKING:
    from tests.ledger.decisions.decisions_casino import Casino


def dealt(house: Casino) -> str:
    """Deal sixteen to anna against a six."""
    round_ = begin(house, "sazka.blackjack_synot")
    lay(house, round_, "main", "main", 100, box="1")
    house.close(round_)
    house.deal(round_, "1", "8H 8D")
    house.deal(round_, "dealer", "6C ?")
    return round_


def times(house: Casino, *, left: int) -> dict[str, int]:
    """Fifteen seconds, of which some are left."""
    until = house.clock.moment + left
    return {"asked_at": until - 15 * SECOND, "until": until}


@pytest.mark.law("SAZKA 5(4)")
def test_a_late_decision_is_refused_with_its_limit_and_the_time_limit_decides(
    house: Casino,
) -> None:
    round_ = dealt(house)
    over = times(house, left=-1)
    (refused,) = house.refuse_decision("DECISION_TOO_LATE", round_, "hit", "1", **over)
    assert isinstance(refused, e.CommandRefused)
    assert refused.round == round_
    assert "The time to decide ended" in sentence_of(refused)
    (made,) = house.decide(round_, "stand", "1", by="timeout", **over)
    assert isinstance(made, e.PlayerDecided)
    assert (made.asked_at, made.until) == (over["asked_at"], over["until"])
    house.assert_cold_is_hot()


def test_the_moment_of_the_click_counts_and_the_last_one_is_in_time(house: Casino) -> None:
    round_ = dealt(house)
    over = times(house, left=-SECOND)
    clicked = to_datetime(over["until"]).isoformat()
    (made,) = house.decide(round_, "hit", "1", occurred_at=clicked, **over)
    assert isinstance(made, e.PlayerDecided)
    assert made.until == over["until"]
    house.deal(round_, "1", "2S")
    house.decide(round_, "stand", "1", **times(house, left=0))


def test_a_time_that_ends_before_it_begins_is_no_time(house: Casino) -> None:
    round_ = dealt(house)
    now = house.clock.moment
    with pytest.raises(InputError, match="ends before it begins"):
        house.decide(round_, "hit", "1", asked_at=now + 1, until=now)
