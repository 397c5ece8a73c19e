# needs = ["TournamentLevelStarted", "HandForHandSet", "PlayerEliminated"]
# reads = ["TournamentAnnounced", "HandStarted", "MisdealDeclared", "RoundResulted", "RoundVoided"]
#
# [LEVEL_NOT_ANNOUNCED]
# name.en = "Level other than announced"
# name.cs = "Úroveň turnaje neodpovídá vypsané struktuře"
# text.en = "A level began that is not of the announced structure: {detail:phrase}."
# text.cs = "Začala úroveň, která neodpovídá vypsané struktuře: {detail}."
# paragraph = "69GAMES tournament rules, course of the game"
#
# [AMOUNTS_NOT_OF_LEVEL]
# name.en = "Blinds of another level"
# name.cs = "Blindy jiné úrovně"
# text.en = "Blinds, ante or value of a point are not those of the level: {detail:phrase}."
# text.cs = "Blindy, ante nebo hodnota bodu nejsou z probíhající úrovně: {detail}."
# paragraph = "69GAMES tournament rules, course of the game"
#
# [TABLE_NOT_WAITED_FOR]
# name.en = "Hand begun before other tables had finished"
# name.cs = "Hra začala, než dohrály jiné stoly"
# text.en = "Hand for hand, a hand began before another table had finished: {detail:phrase}."
# text.cs = "Při hře hand for hand začala hra, než jiný stůl dohrál tu předchozí: {detail}."
# paragraph = "69GAMES tournament rules, Hand for hand"
#
# [PLACES_AGAINST_CHIPS]
# name.en = "Places not by chips"
# name.cs = "Pořadí neodpovídá žetonům"
# text.en = "Of the players who went out together, this one had fewer chips: {detail:phrase}."
# text.cs = "Z hráčů vyřazených zároveň měl tento méně žetonů, přesto není níže: {detail}."
# paragraph = "69GAMES tournament rules, Hand for hand"

"""Check the course of tournaments: levels, blinds, play hand for hand, places by chips.

What comes in: the events of tournaments and of their hands, below a position. What goes out:
findings. Levels are compared with the announced structure unless all players agreed to another one;
no blind falls. Players who go out in one hand, or hand for hand in the hands that all tables play
at once, are ranked by the chips that they had before it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ledger.core.phrases import Phrase
from ledger.events import event_types as e
from projections.findings.finding import DetectedFinding
from projections.store.events import read_events

if TYPE_CHECKING:
    from collections.abc import Iterator

    from projections.checks import CheckInput
    from projections.store.events import EventAt

__all__ = ["find"]

OF_TOURNAMENTS = "tournament != ''"
OF_HANDS = """round IN
    (SELECT round FROM HandStarted WHERE tournament != '' AND position < {end:Int64})"""
WANTED = {
    "TournamentAnnounced": "",
    "TournamentLevelStarted": "",
    "HandForHandSet": "",
    "HandStarted": OF_TOURNAMENTS,
    "MisdealDeclared": OF_TOURNAMENTS,
    "RoundResulted": OF_HANDS,
    "RoundVoided": OF_HANDS,
    "PlayerEliminated": "",
}


@dataclass(slots=True)
class _TournamentState:
    """One tournament so far.

    ``since`` is the number of hands of each table since play hand for hand began, None otherwise.
    ``running`` is the hand that each table plays. ``gone`` are the chips of those who went out in a
    hand, by the hand or, hand for hand, by its number.
    """

    announced: e.TournamentAnnounced
    level: e.TournamentLevelStarted | None = None
    since: dict[str, int] | None = None
    periods: int = 0
    running: dict[str, str] = field(default_factory=dict)
    gone: dict[object, int] = field(default_factory=dict)

    def begin(self, event: e.HandStarted) -> None:
        self.running[event.table] = event.round
        if self.since is not None:
            self.since[event.table] = self.since.get(event.table, 0) + 1

    def misdeal(self, table: str) -> None:
        if self.since is not None and self.since.get(table):
            self.since[table] -= 1

    def hand_of(self, event: e.PlayerEliminated) -> object:
        """Return what all who go out together share; None if that is not recorded."""
        if self.since is not None:
            return self.periods, max(self.since.values(), default=0)
        return event.round or None


def find(of: CheckInput) -> Iterator[DetectedFinding]:
    """Find levels, hands and places that break the rules of tournaments."""
    found: dict[str, _TournamentState] = {}
    tables: dict[str, tuple[str, str]] = {}
    for at in read_events(of.store, WANTED, first=0, end=of.size):
        event = at.event
        if isinstance(event, e.TournamentAnnounced):
            found.setdefault(event.tournament, _TournamentState(event))
        elif isinstance(event, e.RoundResulted | e.RoundVoided):
            tournament, table = tables.pop(event.round, ("", ""))
            if tournament in found and found[tournament].running.get(table) == event.round:
                del found[tournament].running[table]
        elif (state := found.get(event.tournament)) is not None:
            if isinstance(event, e.HandStarted):
                tables[event.round] = event.tournament, event.table
            yield from _follow(state, at)


def _follow(state: _TournamentState, at: EventAt[Any]) -> Iterator[DetectedFinding]:
    match at.event:
        case e.TournamentLevelStarted() as event:
            if fault := _fault_of_level(state, at):
                yield DetectedFinding("LEVEL_NOT_ANNOUNCED", position=at.position, detail=fault)
            state.level = event
        case e.HandForHandSet() as event:
            state.since = {} if event.begins else None
            state.periods += 1
        case e.HandStarted() as event:
            for code, detail in _faults_of_hand(state, event):
                yield DetectedFinding(code, position=at.position, round=event.round, detail=detail)
            state.begin(event)
        case e.MisdealDeclared() as event:
            state.misdeal(event.table)
        case e.PlayerEliminated() as event:
            yield from _faults_of_places(state, at)


def _fault_of_level(
    state: _TournamentState, at: EventAt[e.TournamentLevelStarted]
) -> Phrase | None:
    new, last, of = at.event, state.level, state.announced
    if new.level != (1 if last is None else last.level + 1):
        return Phrase("LEVEL_SKIPPED", level=new.level)
    if last is not None:
        falls = (
            new.small_blind < last.small_blind,
            new.big_blind < last.big_blind,
            new.point_value < last.point_value,
        )
        if any(falls):
            return Phrase("LEVEL_FELL", level=new.level)
    if new.agreed:
        return None
    if last is not None and at.recorded_at < last.ends_at:
        return Phrase("LEVEL_BEGAN_EARLY", level=new.level)
    levels = zip(of.small_blinds, of.big_blinds, of.antes, of.point_values, strict=False)
    due = [*levels][new.level - 1 : new.level]
    amounts = (new.small_blind, new.big_blind, new.ante, new.point_value)
    return Phrase("LEVEL_DIFFERS", level=new.level) if of.minutes and amounts not in due else None


def _faults_of_hand(state: _TournamentState, event: e.HandStarted) -> Iterator[tuple[str, Phrase]]:
    level = state.level
    if level is not None:
        amounts = (event.big_blind, event.ante, event.point_value)
        is_right = amounts == (level.big_blind, level.ante, level.point_value)
        if not is_right or event.small_blind not in {0, level.small_blind}:
            yield "AMOUNTS_NOT_OF_LEVEL", Phrase("LEVEL_IN_FORCE", level=level.level)
    if state.since is not None:
        played = state.since.get(event.table, 0)
        for table in state.running:
            if table != event.table and state.since.get(table, 0) <= played:
                yield "TABLE_NOT_WAITED_FOR", Phrase("TABLE_WAS_IN_HAND", table=table)


def _faults_of_places(
    state: _TournamentState, at: EventAt[e.PlayerEliminated]
) -> Iterator[DetectedFinding]:
    """Find players who went out after those with more chips; tied players have equal chips."""
    event, hand = at.event, state.hand_of(at.event)
    if not event.chips or event.disqualified_for or hand is None:
        return
    most = max(state.gone.get(hand, 0), *event.chips)
    state.gone[hand] = most
    for account, chips in zip(event.accounts, event.chips, strict=False):
        if chips < most:
            yield DetectedFinding(
                "PLACES_AGAINST_CHIPS",
                position=at.position,
                account=account,
                round=event.round,
                detail=Phrase("CHIPS_BEFORE_HAND", chips=chips, most=most),
            )
