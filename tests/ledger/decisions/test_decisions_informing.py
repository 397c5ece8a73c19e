"""What a participant was shown, and bonuses with their terms."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tests.ledger.decisions.decisions_casino import Casino

TERMS = {
    "bonus": "b-1",
    "kind": "bet",
    "terms": "stake 100 CZK, get 10",
    "effective_from": "2026-02-03T00:00:00+01:00",
}


@pytest.mark.law("L-52")
@pytest.mark.parametrize(
    ("kind", "shown"),
    [
        ("play_time", {"play_minutes": 61}),
        ("net_result", {"net_result": -120_000}),
        ("warning", {"text": "Účast na hazardní hře může být škodlivá."}),
        ("rules", {"text": "roulette_evolution 2025-01-21"}),
    ],
)
def test_what_was_shown_is_a_fact(casino: Casino, kind: str, shown: dict[str, Any]) -> None:
    before = casino.account().wallet
    (event,) = casino.do("show_information", account="anna", kind=kind, **shown)
    assert (event.account, event.kind) == ("anna", kind)
    assert (event.play_minutes, event.net_result) == tuple(
        shown.get(field) for field in ("play_minutes", "net_result")
    )
    assert event.text == shown.get("text", "")
    assert casino.account().wallet == before
    other = {"text": "x"} if "text" not in shown else {"net_result": 1}
    casino.fail(f"{kind} was shown: give", "show_information", account="anna", kind=kind, **other)


@pytest.mark.law("L-53")
def test_a_bonus_is_given_under_terms_that_are_in_force(casino: Casino) -> None:
    grant = {"account": "anna", "bonus": "b-1", "amount": 1_000}
    casino.refuse("BONUS_NOT_ANNOUNCED", "grant_bonus", **grant)
    (announced,) = casino.do("announce_bonus", **TERMS)
    assert announced.terms == TERMS["terms"]
    casino.fail("bonus b-1 exists already", "announce_bonus", **TERMS)
    casino.at("2026-02-02 23:59:59.999999")
    casino.refuse("BONUS_NOT_ANNOUNCED", "grant_bonus", **grant)
    casino.at("2026-02-03 00:00")
    before = casino.account().wallet
    (granted,) = casino.do("grant_bonus", **grant)
    assert (granted.bonus, granted.amount, casino.account().wallet) == ("b-1", 1_000, before)
    late = TERMS | {"bonus": "b-2"}
    casino.wait(microseconds=1)
    casino.fail("terms are known beforehand", "announce_bonus", **late)
    with casino.as_reopened():
        casino.do("grant_bonus", **grant)


@pytest.mark.law("L-53")
def test_no_bonus_for_withdrawals_and_no_competition_for_large_stakes(casino: Casino) -> None:
    casino.refuse("BONUS_NOT_ALLOWED", "announce_bonus", **TERMS | {"kind": "withdrawal"})
    race = TERMS | {"kind": "competition"}
    casino.refuse("BONUS_NOT_ALLOWED", "announce_bonus", **race, stake_day_max=100_001)
    casino.fail("has a `stake_day_max`", "announce_bonus", **race)
    casino.fail("has a `stake_day_max`", "announce_bonus", **TERMS, stake_day_max=1)
    (announced,) = casino.do("announce_bonus", **race, stake_day_max=100_000)
    assert announced.stake_day_max == 100_000


@pytest.mark.law("L-53", "L-33")
def test_no_bonus_after_the_request_to_close(casino: Casino) -> None:
    casino.do("announce_bonus", **TERMS)
    casino.at("2026-02-03 00:00")
    casino.do("request_cancellation", account="anna", ground="12(4)")
    grant = {"account": "anna", "bonus": "b-1", "amount": 1_000}
    casino.refuse("BONUS_AFTER_REQUEST", "grant_bonus", **grant)
    casino.do("withdraw_cancellation", account="anna")
    casino.do("grant_bonus", **grant)
