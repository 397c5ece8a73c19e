"""Events come back from their tables as they were recorded."""

from __future__ import annotations

from typing import TYPE_CHECKING

import schemas
from ledger.events.encoding import decode
from projections.facts.facts import newest_facts
from projections.store.events import read_events
from projections.store.projector import Projector
from tests.projections.projection_cases import Chain, any_event, seeded

if TYPE_CHECKING:
    from projections.store.tables import Store


def has_bytes(schema: schemas.Schema) -> bool:
    return any(fact["type"] == "bytes" for fact in schema.facts)


def test_every_event_without_bytes_is_read_as_it_was_recorded(store: Store) -> None:
    draw, chain = seeded(7), Chain()
    readable = [name for name, one in schemas.newest().items() if not has_bytes(one)]
    for _ in range(2):
        for name in readable:
            chain.decide(any_event(draw, name))
    Projector(chain.log(), store).catch_up()
    recorded = [decode(message) for message in chain.messages]
    read = read_events(store, dict.fromkeys(readable, ""), first=3, end=len(recorded) - 2)
    assert [at.event for at in read] == [one.event for one in recorded[3:-2]]
    assert [(at.position, at.recorded_at) for at in read] == [
        (one.position, one.envelope.recorded_at) for one in recorded[3:-2]
    ]
    dealt = [one.event for one in recorded if one.event.type in {"RoundOpened", "CardDealt"}]
    name = next(event.round for event in dealt if event.type == "CardDealt")
    of_round = read_events(
        store,
        {"RoundOpened": "round = {name:String}", "CardDealt": "round = {name:String}"},
        first=0,
        end=len(recorded),
        name=name,
    )
    assert [at.event for at in of_round] == [event for event in dealt if event.round == name]


def test_a_fact_is_the_event_that_was_recorded() -> None:
    chain = Chain()
    dealt = any_event(seeded(3), "CardDealt")
    chain.decide(dealt)
    (fact,) = newest_facts(chain.tagged(), tag=f"round:{dealt.round}", size=1, limit=2)
    assert fact.typed().event == dealt
    assert fact.typed().position == 0


def test_events_are_read_from_the_tables_that_have_rows(store: Store) -> None:
    chain = Chain()
    chain.decide(any_event(seeded(5), "CardDealt"))
    Projector(chain.log(), store).catch_up()
    before = store.tables()
    every = dict.fromkeys(schemas.newest(), "")
    (read,) = read_events(store, every, first=0, end=1)
    assert read.event == decode(chain.messages[0]).event
    assert read_events(store, {"RoundOpened": ""}, first=0, end=1) == []
    assert store.tables() == before
