"""The entrance of a casino: identity, age, register, and no chips without (69GAMES 7)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from ledger.events import event_types as e

if TYPE_CHECKING:
    from tests.ledger.decisions.decisions_casino import Casino


def guest(number: str = "g-1", **facts: Any) -> dict[str, Any]:
    return {
        "place": "casino",
        "guest": number,
        "identity": f"CZ {number}",
        "birth_date": "1980-01-01",
        "register": "clear",
        "verified_how": "identity card",
        **facts,
    }


@pytest.fixture
def cage(house: Casino) -> Casino:
    house.do("open_operating_day", place="casino")
    house.do("open_section", section="c-1", place="casino", kind="cage", station="main")
    for means in ("cash", "chips"):
        count = {"section": "c-1", "stage": "opening", "means": means, "amount": 10_000_000}
        house.do("count_cage", counted_by="Nováková", **count)
    return house


@pytest.mark.law("69GAMES 7")
@pytest.mark.parametrize(
    ("facts", "code"),
    [
        ({"register": "listed"}, "LISTED_IN_REGISTER"),
        ({"birth_date": "2015-01-01"}, "UNDER_AGE"),
        ({"verified_how": ""}, "IDENTITY_NOT_VERIFIED"),
    ],
)
def test_nobody_is_let_in_against_the_register_or_unidentified(
    cage: Casino, facts: dict[str, Any], code: str
) -> None:
    cage.refuse(code, "admit_guest", **guest(**facts))
    sale = {"section": "c-1", "slip": "1", "amount": 1_000, "guest": "g-1"}
    cage.refuse("GUEST_NOT_ADMITTED", "sell_chips", **sale)
    (admitted,) = cage.do("admit_guest", **guest())
    assert isinstance(admitted, e.GuestAdmitted)
    assert (admitted.answer, admitted.live) == ("clear", True)
    assert "CZ g-1" not in repr(admitted)
    cage.do("sell_chips", **sale)
    cage.assert_cold_is_hot()


@pytest.mark.law("69GAMES 7")
def test_a_participant_whom_the_register_listed_stays_out_while_it_is_away(cage: Casino) -> None:
    cage.register("anna", identity="CZ g-1")
    cage.do("check_register", account="anna", register="listed")
    cage.refuse("LISTED_IN_REGISTER", "admit_guest", **guest(register="unavailable"))
    (admitted,) = cage.do("admit_guest", **guest("g-2", register="unavailable"))
    assert isinstance(admitted, e.GuestAdmitted)
    assert (admitted.answer, admitted.live) == ("not_checked", False)
