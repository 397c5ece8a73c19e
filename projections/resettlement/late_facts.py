"""Judge studio facts that were recorded after the result of their round.

What comes in: the facts of a round before its result, and each later one. What goes out: what a
later fact contradicts. A fact that repeats the record, or that agrees with the result, contradicts
nothing; nor does a card burnt afterwards. Nothing here relies on a recorded contradiction, so a
fact that did not pass the write side is judged in the same way.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from ledger import games
from ledger.core.phrases import Phrase
from ledger.events import event_types as e
from projections.resettlement.cards import follow_card
from projections.store.as_of import event_tables

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from projections.resettlement.cards import OfTheCards
    from projections.store.tables import Store

__all__ = ["card_contradictions", "last_late_facts"]


def card_contradictions(cards: dict[int, games.RecordedCard], event: OfTheCards) -> set[Phrase]:
    """Apply a card fact to the cards of the result; return what it contradicts.

    The cards are compared with all earlier facts. The face of a card that lay face down until now
    contradicts none of them; it has to be compared with the result.
    """
    known, doubts = cards.get(event.index), set[Phrase]()
    if known is None:
        is_burnt = isinstance(event, e.CardDealt) and event.recipient == games.BURN
        doubts = set() if is_burnt else {Phrase("CARD_NUMBERED", number=event.index)}
    elif isinstance(event, e.CardRecordCorrected):
        event = e.CardRevealed(round=event.round, index=event.index, card=event.actual)
    elif isinstance(event, e.CardDealt) and not event.card:
        event = replace(event, card=known.card)
    follow_card(cards, doubts, event)
    return doubts


def last_late_facts(
    store: Store,
    kinds: Collection[str],
    *,
    size: int,
    since: int,
    rounds: Collection[str],
    behind: int = 0,
) -> Mapping[str, int]:
    """Return the position of the last fact behind the result of each round that has one.

    Args:
        store: the tables.
        kinds: types of the facts.
        size: number of messages that count.
        since: first position of the facts, except in ``rounds``, of which all count.
        rounds: these rounds.
        behind: number of positions after a result whose facts do not count.

    """
    filled = set(event_tables(store))
    tables = [kind for kind in kinds if kind in filled]
    if not tables or "RoundResulted" not in filled:
        return {}
    facts = " UNION ALL ".join(
        f"SELECT round, position FROM {kind} WHERE position < {{size:Int64}} "  # noqa: S608 - own names
        "AND (position >= {since:Int64} OR round IN {rounds:Array(String)})"
        for kind in tables
    )
    rows = store.rows(
        "SELECT facts.round AS round, max(facts.position) AS last "  # noqa: S608 - own names
        f"FROM ({facts}) AS facts INNER JOIN "
        "(SELECT round, min(result.position) AS position FROM RoundResulted AS result "
        "WHERE result.position < {size:Int64} GROUP BY round) AS results "
        "ON facts.round = results.round "
        "WHERE facts.position > results.position + {behind:Int64} GROUP BY round",
        size=size,
        since=since,
        rounds=sorted(rounds),
        behind=behind,
    )
    return {row["round"]: int(row["last"]) for row in rows}
