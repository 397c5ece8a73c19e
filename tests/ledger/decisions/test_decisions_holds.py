"""Legal hold: what is needed as evidence is not erased (GDPR 17(3)(b), 17(3)(e), 18)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from ledger.core.clock import DAY, in_prague
from ledger.events.encoding import decode, hash_of
from ledger.privacy import open_fields
from ledger.tlog.merkle import inclusion_of_all, root, root_from_multiproof
from tests.ledger.decisions.decisions_casino import close

if TYPE_CHECKING:
    from ledger.events.event_types import Event
    from tests.ledger.decisions.decisions_casino import Casino

WHY = {"ordered_by": "District court Brno", "reason": "Action for payment"}
HOLD = {**WHY, "hold": "h1", "reference": "12 C 34/2026"}


def hold(casino: Casino, **facts: Any) -> list[Event]:
    return casino.do("place_hold", **{**HOLD, **facts})


def held(casino: Casino, account: str = "anna") -> None:
    casino.refuse("LEGAL_HOLD", "erase_person", account=account)
    casino.assert_cold_is_hot()
    with casino.as_reopened():
        casino.refuse("LEGAL_HOLD", "erase_person", account=account)


@pytest.mark.law("GDPR 17(3), 18")
def test_a_person_under_hold_is_erased_only_after_its_end(casino: Casino) -> None:
    (placed,) = hold(casino, account="anna")
    assert placed.person == casino.account().person
    close(casino)
    held(casino)
    (ended,) = casino.do("end_hold", hold="h1", **WHY, reference="judgment")
    assert (ended.account, ended.person) == ("anna", placed.person)
    casino.assert_cold_is_hot()
    casino.erase()


def test_a_hold_covers_every_account_of_the_person(casino: Casino) -> None:
    close(casino)
    casino.register("anna2", identity="CZ anna")
    hold(casino, account="anna2")
    close(casino, "anna2")
    held(casino, "anna")
    held(casino, "anna2")


@pytest.mark.law("GDPR 17(3), 18")
def test_a_hold_on_a_round_covers_who_played_in_it(casino: Casino) -> None:
    casino.player("bara")
    round_ = casino.play()
    casino.play(account="bara")
    hold(casino, round=round_)
    for account in ("anna", "bara"):
        close(casino, account)
    held(casino, "anna")
    casino.erase("bara")


def test_a_hold_on_a_round_covers_who_comes_later_or_was_refused(casino: Casino) -> None:
    casino.player("bara")
    casino.player("cyril")
    round_ = casino.open_round()
    hold(casino, round=round_)
    casino.bet(round_)
    casino.settle(round_)
    casino.refuse_bet("BET_AFTER_CLOSE", round_, account="bara")
    for account in ("anna", "bara", "cyril"):
        close(casino, account)
    held(casino, "anna")
    held(casino, "bara")
    casino.erase("cyril")


def test_a_hold_with_an_end_ends_by_itself(casino: Casino) -> None:
    until = casino.clock.moment + 30 * DAY
    hold(casino, account="anna", until=in_prague(until).isoformat())
    close(casino)
    casino.clock.moment = until - 1
    held(casino)
    casino.clock.moment = until
    casino.fail("no hold h1 is in force", "end_hold", hold="h1", **WHY)
    casino.refuse("RETENTION_RUNS", "erase_person", account="anna")
    casino.erase()


def test_one_hold_that_ends_leaves_the_other(casino: Casino) -> None:
    hold(casino, account="anna")
    hold(casino, hold="h2", round=casino.play())
    close(casino)
    casino.do("end_hold", hold="h1", **WHY)
    held(casino)
    casino.do("end_hold", hold="h2", **WHY)
    casino.erase()


@pytest.mark.parametrize(
    ("facts", "words"),
    [
        ({}, "one account or one round"),
        ({"account": "anna", "round": "q1"}, "one account or one round"),
        ({"account": "nobody"}, "account nobody is unknown"),
        ({"round": "q77"}, "round q77 is unknown"),
        ({"account": "anna", "until": "2026-02-02T12:00:00+01:00"}, "end before it begins"),
    ],
)
def test_a_hold_that_can_not_be_is_told(casino: Casino, facts: Any, words: str) -> None:
    casino.fail(words, "place_hold", **{**HOLD, **facts})


def test_names_of_holds_are_used_once_and_the_erased_are_not_held(casino: Casino) -> None:
    hold(casino, account="anna")
    casino.fail("hold h1 exists already", "place_hold", **HOLD, account="anna")
    casino.do("end_hold", hold="h1", **WHY)
    casino.fail("no hold h1 is in force", "end_hold", hold="h1", **WHY)
    casino.fail("hold h1 exists already", "place_hold", **HOLD, account="anna")
    close(casino)
    casino.erase()
    casino.fail("was erased already", "place_hold", **{**HOLD, "hold": "h2"}, account="anna")


def test_a_proof_made_before_an_erasure_stays_valid(casino: Casino) -> None:
    close(casino)
    messages = [message for _, message in casino.log.read()]
    place = next(
        at for at, message in enumerate(messages) if decode(message).event.type == "AccountOpened"
    )
    size = len(messages)
    before, proof = root(casino.log.node, size), inclusion_of_all(casino.log.node, [place], size)
    casino.erase()
    ((_, message),) = casino.log.read(place, place + 1)
    assert message == messages[place]
    assert root_from_multiproof({place: hash_of(message)}, size, proof) == before
    event = decode(message).event
    keys = casino.ledger._keys
    assert set(open_fields(keys, casino.account().person, event).values()) <= {None, ""}
