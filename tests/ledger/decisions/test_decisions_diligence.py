"""Checks of a person as facts, without what they found."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.ledger.decisions.decisions_casino import Casino


@pytest.mark.law("L-55")
def test_a_check_is_a_fact_of_the_account(casino: Casino) -> None:
    (checked,) = casino.do("check_person", account="anna", check="control", how="questionnaire")
    assert (checked.account, checked.check, checked.how) == ("anna", "control", "questionnaire")
    casino.fail(
        "account nobody is unknown", "check_person", account="nobody", check="control", how="x"
    )
    casino.fail("suspicion", "check_person", account="anna", check="suspicion", how="x")
