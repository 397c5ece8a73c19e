"""Derive readable content from verified evidence: its facts, and the replay of a round.

What comes in: verified evidence. What goes out: facts as on the read side, and a replay of the
round with a new settlement. Everything is derived only from what the file proves, so every holder
of the file gets the same result. Nothing is rejected; events that this version cannot replay are
shown individually.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec import ValidationError
from msgspec.structs import asdict

from ledger import games
from ledger.core.errors import LedgerError
from ledger.events import event_types as e
from ledger.events.encoding import decode
from ledger.log.finality import SealState
from ledger.rules.operator import decode_operator_rules
from projections.facts.facts import Fact
from projections.facts.rendering import in_english
from projections.facts.timing import late_by, timing
from projections.replay.round import replayed
from projections.resettlement.limits import limits_in
from projections.store.as_of import AsOf

if TYPE_CHECKING:
    from collections.abc import Iterable
    from contextlib import AbstractContextManager

    from projections.evidence.document import ProvedEvent
    from projections.evidence.origin import ProvedOrigin
    from projections.evidence.verify import VerifiedFile
    from projections.replay.round import Replay, ShownResult
    from projections.words.catalogue import Words

__all__ = [
    "ROUND",
    "Story",
    "certificates_of",
    "late_text",
    "origin_text",
    "plans_of",
    "shown_result_text",
    "story_of",
]

ROUND = "round:"


class Story(NamedTuple):
    """Readable content of a file; ``replay`` is None if there is no round that could be replayed.

    ``closed_at`` is the time of the recorded close of bets, None if it is not among the facts;
    ``clock`` is the last comparison of the record's clock with its source before the round.
    """

    operator: str
    operator_name: str
    facts: tuple[Fact, ...]
    basis: tuple[Fact, ...]
    replay: Replay | None
    closed_at: int | None
    clock: Fact | None


def plans_of(found: VerifiedFile) -> AbstractContextManager[None]:
    """Use the game plans of the file, next to those of this program, within this context."""
    published = [one.facts for one in found.basis if one.name == e.RulesPublished.__name__]
    return games.only_published(
        (
            str(facts.get("game", "")),
            str(facts.get("plan_version", "")),
            str(facts.get("document", "")),
            str(facts.get("document_digest", "")),
        )
        for facts in published
    )


def story_of(found: VerifiedFile) -> Story:
    """Return the content of verified evidence."""
    bodies = {one.position: one.body for one in found.evidence.messages}
    opened = next(one for one in found.basis if one.name == "ChainOpened")
    closed = next((one for one in found.events if one.name == "BetsClosed"), None)
    closed_at = closed.envelope["recorded_at"] if closed else None
    facts = tuple(_fact(one, bodies[one.position], closed_at) for one in found.events)
    basis = tuple(_fact(one, bodies[one.position], None) for one in found.basis)
    return Story(
        operator=opened.facts["operator"],
        operator_name=opened.facts["operator_name"],
        facts=facts,
        basis=basis,
        replay=_replay(found, facts, bodies),
        closed_at=closed_at,
        clock=next((one for one in basis if one.event == e.ClockMeasured.__name__), None),
    )


def shown_result_text(words: Words, shown: ShownResult) -> str:
    """Describe how and when a result was recorded whose own record is withheld."""
    last, settled = shown.shown_by, shown.settled_by
    if settled is None:
        return words.text("evidence.result_open")
    parts = [words.text("evidence.result_shown")]
    for key, fact in (("evidence.result_after", last), ("evidence.result_before", settled)):
        moment = words.moment(fact.recorded_at)
        parts.append(words.text(key, position=fact.position, moment=moment))
    return " ".join(parts)


def late_text(words: Words, fact: Fact, story: Story) -> str:
    """Describe how late a bet was recorded, and by which clock; "" if it was not late."""
    late = late_by(words, fact.facts.get("code", ""), fact.recorded_at, story.closed_at)
    if not late:
        return ""
    if story.clock is None:
        return f"{late} {words.text('evidence.clock_unknown')}"
    measured = story.clock.facts
    skew, source = measured["skew"], measured["source_of_time"]
    known = {"source": source, "moment": words.moment(story.clock.recorded_at)}
    if skew is None:
        return f"{late} {words.text('evidence.clock_silent', **known)}"
    clock = words.text(
        "evidence.clock_measured",
        skew=words.decimal(skew, 3),
        uncertainty=words.decimal(measured["uncertainty"] or 0, 3),
        **known,
    )
    return f"{late} {clock}"


def origin_text(words: Words, origin: ProvedOrigin) -> str:
    """Describe by whom the command of a fact was sealed."""
    state, system, number, position = origin.seal
    if state is SealState.UNSEALED:
        return words.text("evidence.origin_unsealed", system=system)
    if state is SealState.UNREGISTERED:
        return words.text("evidence.origin_unregistered", system=system or "-")
    text = words.text(f"origin_seals.{state}", system=system, number=number, position=position)
    if state is not SealState.SEALED:
        return text
    how = "evidence.origin_whole" if origin.is_whole else "evidence.origin_mark"
    return f"{text} {words.text(how)}"


def certificates_of(found: VerifiedFile) -> tuple[str, ...]:
    """Return the certificates with which sources sealed facts, each with the name of its source."""
    sealed = (one for one in found.origins if one.seal.state is SealState.SEALED)
    return tuple(dict.fromkeys(f"{one.seal.system} {one.certificate}" for one in sealed))


def _fact(event: ProvedEvent, body: bytes, closed_at: int | None) -> Fact:
    envelope = event.envelope
    facts = _newest(event, body)
    known = event.name in e.EVENTS
    recorded_at, occurred_at = envelope["recorded_at"], envelope["occurred_at"]
    return Fact(
        position=event.position,
        recorded_at=recorded_at,
        occurred_at=occurred_at,
        event=event.name,
        sentence=in_english(event.name, facts) if known else event.name,
        actor=envelope["actor"],
        source=envelope["source"],
        hash=event.hash.hex(),
        facts=facts,
        timing=timing(event.name, occurred_at, recorded_at, closed_at),
    )


def _newest(event: ProvedEvent, body: bytes) -> dict[str, Any]:
    """Return the fields of an event by its newest schema, without encrypted ones (bytes)."""
    facts = asdict(decode(body).event) if event.name in e.EVENTS else event.facts
    return {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in facts.items()
        if not isinstance(value, bytes)
    }


def _replay(
    found: VerifiedFile, facts: tuple[Fact, ...], bodies: dict[int, bytes]
) -> Replay | None:
    """Replay a round; a hand among players only if none of its events is withheld.

    Returns None without the rules of operator or game, and for a part of a round whose plan is
    unknown: it may be a hand, whose state is then in events that are withheld.
    """
    published = [one for one in found.basis if one.name == "OperatorRulesPublished"]
    tag = found.evidence.subject.tag
    if not (tag.startswith(ROUND) and published):
        return None
    table = _limits(decode(bodies[one.position]).event for one in found.basis)
    place = AsOf(found.checkpoint.size, found.checkpoint.root.hex())
    is_part = bool(found.evidence.withheld)
    try:
        if is_part and _is_hand(facts):
            return None
        name = tag.removeprefix(ROUND)
        rules = decode_operator_rules(published[-1].facts["rules"])
        return replayed(
            name,
            facts,
            place,
            limits=lambda _: table,
            rules=rules,
            is_part=is_part,
        )
    except (LedgerError, games.SettlementError, ValidationError):
        return None


def _is_hand(facts: Iterable[Fact]) -> bool:
    """Return whether a round was opened as a hand among players; its start names all of them."""
    return any(
        games.is_among_players(one.facts["game"], one.facts["plan_version"])
        for one in facts
        if one.event == e.RoundOpened.__name__
    )


def _limits(basis: Iterable[e.Event]) -> games.TableLimits:
    found = [limits_in(event) for event in basis if isinstance(event, e.TableLimitsSet)]
    return found[-1] if found else games.TableLimits()
