"""Short numbers of findings: the year of the record and its place in it, from the chain."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

from ledger.core.clock import PRAGUE, SECOND, from_datetime
from ledger.events import event_types as e
from ledger.log.port import Query, envelope_at
from projections.reconciliation.numbers import number_at, numbers_of, parse_number, position_of
from tests.projections.history_cases import record

if TYPE_CHECKING:
    from tests.projections.projection_cases import Chain


def raised(name: str) -> e.FindingRaised:
    sides = {
        f"{side}_{fact}": "" if fact == "reference" else None if fact == "amount" else 0
        for side in ("ours", "theirs")
        for fact in ("reference", "amount", "at", "position", "count")
    }
    texts = dict.fromkeys(
        ("about", "of_account", "of_round", "of_bet", "detail", "parameters", "paragraph"), ""
    )
    facts: dict[str, Any] = {"theirs_statement": "", "theirs_line": 0, "amount": 0, "shown_at": 0}
    named = {"finding": name * 16, "fingerprint": "f" * 16, "code": "X"}
    return e.FindingRaised(**texts, **sides, **facts, **named)


def test_a_number_is_the_year_and_the_ordinal_of_the_record_and_names_one_place(
    chain: Chain,
) -> None:
    new_year = from_datetime(datetime(2027, 1, 1, tzinfo=PRAGUE))
    for moment, names in ((new_year - SECOND, "ab"), (new_year, "ca"), (new_year + SECOND, "d")):
        record(chain, moment, *map(raised, names))
    log = chain.tagged()
    size = log.head().size
    places = log.find(Query(types=("FindingRaised",)))
    numbers = numbers_of((at, envelope_at(log, at).recorded_at) for at in places)
    assert list(numbers.values()) == [
        *("F-2026-000001", "F-2026-000002"),
        *("F-2027-000001", "F-2027-000002", "F-2027-000003"),
    ]
    for position, number in numbers.items():
        assert number_at(log, position) == number
        assert position_of(log, number.lower(), size) == position
    assert position_of(log, "F-2027-1", size) == places[2]
    for none in ("F-2027-000004", "F-2026-0", "F-2025-1", "F-0000-1", "F-9999-1", "F-2026", "x"):
        assert position_of(log, none, size) is None
    assert parse_number("F-2026-0\N{SUPERSCRIPT TWO}") is None
