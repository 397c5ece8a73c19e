"""Rules of matching: which days and values are taken, and which are in force."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest

from ledger.core.clock import in_prague
from ledger.core.errors import InputError

if TYPE_CHECKING:
    from tests.ledger.decisions.decisions_casino import Casino

RULES: dict[str, Any] = {
    "bank_days": 5,
    "payments_days": 2,
    "tolerance": 100,
    "by_amount": False,
    "write_off_max": 5_000,
    "reason": "rounding",
    "by": "finance",
}


def set_rules(casino: Casino, ahead: int, **facts: Any) -> list[Any]:
    day = in_prague(casino.clock.now()).date() + timedelta(days=ahead)
    return casino.do("set_matching_rules", first_day=day.isoformat(), **{**RULES, **facts})


def test_rules_are_a_fact_with_a_first_day_and_an_author(casino: Casino) -> None:
    (event,) = set_rules(casino, 0)
    assert {name: getattr(event, name) for name in RULES} == RULES
    assert (event.type, event.first_day) == (
        "MatchingRulesSet",
        in_prague(casino.clock.now()).date().isoformat(),
    )


@pytest.mark.parametrize(
    ("ahead", "facts", "why"),
    [
        (-1, {}, "earlier days keep the rules they had"),
        (367, {}, "earlier days keep the rules they had"),
        (0, {"bank_days": 31}, "bank_days"),
        (0, {"tolerance": 10_001}, "tolerance"),
        (0, {"tolerance": -1}, "tolerance"),
        (0, {"write_off_max": 10_000_001}, "write_off_max"),
    ],
)
def test_the_past_and_values_out_of_bounds_are_refused(
    casino: Casino, ahead: int, facts: dict[str, Any], why: str
) -> None:
    with pytest.raises(InputError, match=why):
        set_rules(casino, ahead, **facts)
