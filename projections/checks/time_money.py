# needs = ["HandStarted", "TimeCollectionTaken"]
# reads = ["TableOpened", "RulesPublished", "TimeCollectionAnnounced"]
#
# [TIME_MONEY_WRONG]
# name.en = "Time money outside the plan"
# name.cs = "Time collection mimo herní plán"
# text.en = "{amount:money} of time money are not within the plan: {detail:phrase}."
# text.cs = "Time collection {amount} není v mezích herního plánu: {detail}."
# paragraph = "69GAMES poker rules, fees"
#
# [TIME_MONEY_TWICE]
# name.en = "Time money taken twice"
# name.cs = "Time collection vybrána dvakrát"
# text.en = "{amount:money} of time money were taken twice for the same half hour, table {detail}."
# text.cs = "Time collection {amount} byla vybrána dvakrát za stejnou půlhodinu, stůl {detail}."
# paragraph = "69GAMES poker rules, fees"
#
# [TIME_MONEY_BESIDE_RAKE]
# name.en = "Rake beside time money"
# name.cs = "Rake vedle time collection"
# text.en = "The hand bears a rake in a half hour that {detail} had paid time money for."
# text.cs = "Hra má rake v půlhodině, za kterou hráč {detail} zaplatil time collection."
# paragraph = "69GAMES poker rules, fees"
#
# [TIME_MONEY_NOT_TAKEN]
# name.en = "Hand without rake or time money"
# name.cs = "Hra bez rake i bez time collection"
# text.en = "The hand bears no rake, and at its table no time money was paid for its half hour."
# text.cs = "Hra je bez rake a u jejího stolu nebyla za danou půlhodinu zaplacena time collection."
# paragraph = "69GAMES poker rules, fees"

"""Check time collection at tables among players: announced, by the plan, once, instead of a rake.

What comes in: tables, game plans in force, announcements, time collections, hands charged by time,
and hands with a rake at their tables, in the order of the chain, below a position. What goes out:
findings. Amounts are haléř, timestamps microseconds (69GAMES Cash game).
"""

from __future__ import annotations

from collections import defaultdict
from functools import partial
from typing import TYPE_CHECKING

from ledger import games
from ledger.core.clock import MINUTE
from ledger.core.phrases import Phrase
from ledger.events import event_types as e
from ledger.games import ofc_rules_of, poker_rules_of
from projections.findings.finding import DetectedFinding
from projections.store.events import read_events

if TYPE_CHECKING:
    from collections.abc import Iterator

    from projections.checks import CheckInput

__all__ = ["find"]

HALF_HOUR = 30 * MINUTE
WANTED = {
    "TableOpened": "",
    "RulesPublished": "",
    "TimeCollectionAnnounced": "",
    "TimeCollectionTaken": "",
    "HandStarted": "fee = 'time' OR (fee = 'rake' AND table IN"
    " (SELECT table FROM TimeCollectionTaken WHERE position < {end:Int64}))",
}


def find(of: CheckInput) -> Iterator[DetectedFinding]:
    """Find time collections not announced, not by the plan, repeated, missing or with a rake."""
    game_of: dict[str, str] = {}
    announced: dict[str, int] = {}
    plans: defaultdict[str, list[tuple[int, int, str]]] = defaultdict(list)
    taken: defaultdict[str, defaultdict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    for position, moment, event in read_events(of.store, WANTED, first=0, end=of.size):
        match event:
            case e.TableOpened():
                game_of[event.table] = event.game
            case e.RulesPublished():
                plans[event.game].append((event.effective_from, position, event.plan_version))
            case e.TimeCollectionAnnounced():
                announced[event.table] = event.amount
            case e.HandStarted():
                of_hand = partial(DetectedFinding, position=position, round=event.round)
                payers = {
                    name
                    for name, begins in taken[event.table].items()
                    if any(0 <= moment - at < HALF_HOUR for at in begins)
                }
                payer = next((name for name in event.accounts if name in payers), "")
                if event.fee == "rake" and payer:
                    yield of_hand("TIME_MONEY_BESIDE_RAKE", account=payer, detail=payer)
                elif event.fee == "time" and not payers:
                    yield of_hand("TIME_MONEY_NOT_TAKEN")
            case e.TimeCollectionTaken():
                game = game_of.get(event.table, "")
                in_force = sorted(plan for plan in plans[game] if plan[0] <= moment)
                bounds = _bounds(game, in_force[-1][2] if in_force else "")
                found = partial(
                    DetectedFinding, position=position, account=event.account, amount=event.amount
                )
                if bounds is None or not bounds[0] <= event.amount <= bounds[1]:
                    yield found("TIME_MONEY_WRONG", detail=_of_table(event.table, bounds))
                elif event.amount != announced.get(event.table):
                    due = announced.get(event.table, 0)
                    detail = Phrase("TIME_MONEY_ANNOUNCED", table=event.table, due=due)
                    yield found("TIME_MONEY_WRONG", detail=detail)
                begins = taken[event.table][event.account]
                if any(abs(event.period_from - other) < HALF_HOUR for other in begins):
                    yield found("TIME_MONEY_TWICE", detail=event.table)
                begins.append(event.period_from)


def _bounds(game: str, version: str) -> tuple[int, int] | None:
    """Return the smallest and largest time collection for half an hour by a plan, in haléř."""
    try:
        plan = games.plan(game, version)
    except games.SettlementError:
        return None
    rules = poker_rules_of(plan) or ofc_rules_of(plan)
    if rules is None or rules.time is None:
        return None
    return rules.time.haler_min, rules.time.haler_max


def _of_table(table: str, bounds: tuple[int, int] | None) -> Phrase:
    if bounds is None:
        return Phrase("TIME_MONEY_OF_NO_PLAN", table=table)
    least, most = bounds
    return Phrase("TIME_MONEY_OF_TABLE", table=table, least=least, most=most)
