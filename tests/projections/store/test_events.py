"""Events come back from their tables as they were recorded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from projection_cases import START, Chain, any_event, seeded

import schemas
from ledger.core.chain import link
from ledger.core.encoding import decode, tags_of
from ledger.log.memory import MemoryLog
from projections.facts import facts
from projections.facts.facts import facts_of
from projections.store.as_of import as_of
from projections.store.events import read_events
from projections.store.projector import Projector

if TYPE_CHECKING:
    import pytest

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


def test_a_fact_is_the_event_that_was_recorded(store: Store) -> None:
    chain = Chain()
    dealt = any_event(seeded(3), "CardDealt")
    chain.decide(dealt)
    Projector(chain.log(), store).catch_up()
    (fact,) = facts_of(store, as_of(store), tag="round", name=dealt.round)
    assert fact.typed().event == dealt
    assert fact.typed().position == 0


def test_log_and_tables_give_the_same_facts(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of each type of event, by a round or an account that it names, late ones too.

    The sentence follows from the facts, and not from any at random.
    """
    monkeypatch.setattr(facts, "in_english", lambda *_: "")
    draw, log = seeded(11), MemoryLog()
    for number in range(3):
        for name in sorted(schemas.newest()):
            messages, _ = link(
                log.head(),
                [any_event(draw, name)],
                command_id=log.head().size.to_bytes(16, "big"),
                command_digest=bytes(16),
                recorded_at=START + log.head().size,
                occurred_at=START - number * 60_000_000,
                actor="player",
                source="web",
            )
            log.append(messages)
    Projector(log, store).catch_up()
    place = as_of(store, log.head().size - 1)
    tags = {tag for _, message in log.read() for tag in tags_of(decode(message).event)}
    asked = [tag.split(":", 1) for tag in sorted(tags) if tag.startswith(("account:", "round:"))]
    asked = [(tag, name) for tag, name in asked if name][:12]
    assert {tag for tag, _ in asked} == {"account", "round"}
    for tag, name in asked:
        for newest in (None, 2):
            store.log = None
            of_tables = facts_of(store, place, tag=tag, name=name, newest=newest)
            store.log = log
            assert facts_of(store, place, tag=tag, name=name, newest=newest) == of_tables
