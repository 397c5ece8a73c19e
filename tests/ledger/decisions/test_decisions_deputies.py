"""Deputies of those who look after findings: which days and persons are taken."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from ledger.core.errors import InputError

if TYPE_CHECKING:
    from tests.ledger.decisions.decisions_casino import Casino

NAMED: dict[str, Any] = {"absent": "cage-2", "deputy": "cage-3", "by": "risk"}


def name(casino: Casino, first: str, last: str, **facts: Any) -> list[Any]:
    return casino.do("name_deputy", **{**NAMED, "first_day": first, "last_day": last, **facts})


def test_a_deputy_is_a_fact_with_days_and_an_author(casino: Casino) -> None:
    (event,) = name(casino, "2026-12-21", "2026-12-31", reason="vacation")
    assert (event.type, event.absent, event.deputy) == ("DeputyNamed", "cage-2", "cage-3")
    assert (event.first_day, event.last_day) == ("2026-12-21", "2026-12-31")
    assert (event.by, event.reason) == ("risk", "vacation")
    (ended,) = name(casino, "2026-12-24", "2026-12-31", deputy="")
    assert ended.deputy == ""


@pytest.mark.parametrize(
    ("first", "last", "deputy", "why"),
    [
        ("2026-12-21", "2026-12-20", "cage-3", "has 1 to 366 days"),
        ("2026-01-01", "2027-01-02", "cage-3", "has 1 to 366 days"),
        ("2026-12-21", "2026-12-31", "cage-2", "can't be the deputy of cage-2"),
    ],
)
def test_other_days_and_the_person_are_refused(
    casino: Casino, first: str, last: str, deputy: str, why: str
) -> None:
    with pytest.raises(InputError, match=why):
        name(casino, first, last, deputy=deputy)
