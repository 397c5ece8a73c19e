"""Replay rounds from the log, found by their tags, without the tables.

What comes in: a log and a position. What goes out: replays and lines of a list, equal to those from
the tables; a test compares them. The cost depends on the number of events of the requested rounds,
not on the length of the log. It is faster than a query over all event types, whose planning takes
the engine longer than reading a round here.
"""

from __future__ import annotations

from collections import OrderedDict
from functools import partial
from threading import Lock
from typing import TYPE_CHECKING

from msgspec.structs import asdict

from ledger import games
from ledger.events import event_types as e
from ledger.log.port import Query, events_at
from ledger.rules.published_plans import register_plans
from ledger.rules.published_rules import rules_in_force
from projections.checks.legal_holds import Hold
from projections.facts.facts import fact_of
from projections.reconciliation.finding_lifecycle import (
    LIFECYCLE_EVENTS,
    finding_histories_in,
    with_state,
)
from projections.reconciliation.numbers import number_at
from projections.replay.round import replayed
from projections.replay.round_line import OF_LINE, line_of_events
from projections.resettlement.limits import limits_in
from projections.store.as_of import place_in
from projections.store.events import EventAt

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ledger.events.encoding import RecordedEvent
    from ledger.log.port import Log
    from projections.findings.finding import Finding
    from projections.replay.round import Replay
    from projections.replay.round_line import RoundLine
    from projections.resettlement.round_history import RoundHistory

__all__ = ["RoundLines", "replay"]

LINES_MAX = 1_000
TYPES_OF_LINE = tuple(kind.__name__ for kind in OF_LINE)


def replay(log: Log, name: str, *, at: int | None = None) -> Replay:
    """Replay a round.

    Args:
        log: the chain.
        name: the round.
        at: messages below this position count; all of them by default.

    Raises:
        InputError: no counted message opened the round, or there are fewer messages.

    """
    place, recorded_at = place_in(log, at, log.head().size)
    register_plans(log)
    recorded = list(_about(log, f"round:{name}", place.position))
    closed_at = next(
        (one.envelope.recorded_at for one in recorded if isinstance(one.event, e.BetsClosed)), None
    )
    return replayed(
        name,
        [fact_of(one, closed_at) for one in recorded],
        place,
        limits=lambda history: _limits(log, history),
        rules=rules_in_force(log),
        holds=tuple(_holds(log, recorded, name, place.position, recorded_at)),
        stated=lambda findings: _with_state(log, findings, place.position),
    )


class RoundLines:
    """Lines of the newest rounds; the line of an unchanged round is cached."""

    def __init__(self, log: Log) -> None:
        """Store the log; nothing is read yet."""
        self._log = log
        self._lines: OrderedDict[tuple[str, int], RoundLine] = OrderedDict()
        self._changing = Lock()

    def newest(self, size: int, limit: int) -> tuple[RoundLine, ...]:
        """List rounds by the messages below ``size``, newest opening first."""
        opened = Query(types=("RoundOpened",))
        positions = self._log.find(opened, before=size, limit=limit, backwards=True)
        names = dict.fromkeys(
            one.event.round
            for one in events_at(self._log, positions)
            if isinstance(one.event, e.RoundOpened)
        )
        return tuple(self._line(name, size) for name in names)

    def _line(self, name: str, size: int) -> RoundLine:
        query = Query(types=TYPES_OF_LINE, tags=(f"round:{name}",))
        positions = self._log.find(query, before=size)
        key = name, positions[-1]
        with self._changing:
            line = self._lines.get(key)
        if line is None:
            line = line_of_events(
                [
                    EventAt(one.position, one.envelope.recorded_at, one.event)
                    for one in events_at(self._log, positions)
                ]
            )
            if line is None:
                raise AssertionError(f"round {name} was found by its opening")
            with self._changing:
                self._lines[key] = line
                while len(self._lines) > LINES_MAX:
                    self._lines.popitem(last=False)
        return line


def _about(log: Log, tag: str, size: int, *types: str) -> Iterable[RecordedEvent]:
    return events_at(log, log.find(Query(types=types, tags=(tag,)), before=size))


def _with_state(log: Log, findings: Sequence[Finding], size: int) -> tuple[Finding, ...]:
    events = (
        EventAt(one.position, one.envelope.recorded_at, one.event)
        for finding in findings
        for one in _about(log, f"finding:{finding.identity}", size, *LIFECYCLE_EVENTS)
    )
    return with_state(findings, finding_histories_in(events, partial(number_at, log)))


def _limits(log: Log, history: RoundHistory) -> games.TableLimits:
    """Return the limits of a round's table, recorded and in force at its opening."""
    tag, at = f"table:{history.table}", history.opened_position
    opened = Query(types=("TableOpened",), tags=(tag,))
    since = log.find(opened, before=at, limit=1, backwards=True)
    in_force = [
        (one.event.effective_from, one.position, one.event)
        for one in _about(log, tag, at, "TableLimitsSet")
        if isinstance(one.event, e.TableLimitsSet)
        and one.position >= max(since, default=0)
        and one.event.effective_from <= history.opened_at
    ]
    return limits_in(max(in_force)[2]) if in_force else games.TableLimits()


def _holds(
    log: Log, recorded: list[RecordedEvent], name: str, size: int, now: int
) -> Iterable[Hold]:
    """Yield the legal holds in force on a round."""
    for one in recorded:
        placed = one.event
        if not isinstance(placed, e.LegalHoldPlaced) or placed.round != name:
            continue
        ends = [
            (found, found.event)
            for found in _about(log, f"hold:{placed.hold}", size, "LegalHoldEnded")
            if isinstance(found.event, e.LegalHoldEnded)
        ]
        ended, how = ends[0] if ends else (None, None)
        hold = Hold(
            **asdict(placed),
            placed_at=one.envelope.recorded_at,
            position=one.position,
            ended_at=ended.envelope.recorded_at if ended else None,
            ended_position=ended.position if ended else None,
            ended_by=how.ordered_by if how else "",
            ended_reason=how.reason if how else "",
        )
        if hold.is_in_force(size, now):
            yield hold
