"""The question to ClickHouse for one duty, built from its row in the table of duties.

What comes in: a duty. What goes out: SQL that gives, for each fact that begins the duty, the next
facts that end it: columns ``position``, ``begun_at``, ``account``, ``round``, ``subject``, and for
each of ``ENDINGS`` its position and moment, 0 where there is none. Names of events and fields come
from the table of duties, which has checked them; values are quoted here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.events.event_types import EVENTS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ledger.rules.duties import Duty, Fact

__all__ = ["ENDINGS", "late_sql", "open_sql"]

ENDINGS = ("done", "lapses", "before")
"""What ends a duty: the fact that does it, one with which it lapses, one before which it is due."""
NEVER = "9223372036854775807"
EMPTY = "''"


def late_sql(duty: Duty) -> str:
    """Write the question for what may be late: closed, or open at ``now``, after ``least``."""
    ends = [f"if({name}_position = 0, {NEVER}, {name}_at)" for name in ENDINGS[:2]]
    closed = f"least({', '.join(ends)})"
    lasted = f"if({closed} = {NEVER}, {{now:Int64}}, {closed}) - begun_at"
    passed = " OR before_position > 0" if duty.before else ""
    return f"SELECT * FROM ({_joined(duty)}) WHERE {lasted} >= {{least:Int64}}{passed}"  # noqa: S608


def open_sql(duty: Duty) -> str:
    """Write the question for what is neither done nor lapsed."""
    return f"SELECT * FROM ({_joined(duty)}) WHERE done_position = 0 AND lapses_position = 0"  # noqa: S608


def _joined(duty: Duty) -> str:
    """Join each beginning with the state that it lies in and the next fact of each ending."""
    columns = ["begun.position AS position", "begun.begun_at AS begun_at"]
    columns += [f"begun.{name} AS {name}" for name in ("account", "round", "subject")]
    joins, inside = "", ""
    if duty.during is not None:
        states = [
            _facts(facts, f"account AS of_account, position AS since, {is_in} AS is_in")
            for facts, is_in in ((duty.during.begins, 1), (duty.during.ends, 0))
        ]
        joins += (
            f" ASOF INNER JOIN ({' UNION ALL '.join(states)}) AS state"
            " ON begun.account = state.of_account AND begun.position >= state.since"
        )
        inside = " WHERE state.is_in"
    for ending in ENDINGS:
        facts: tuple[Fact, ...] = getattr(duty, ending)
        columns += [
            f"{f'{ending}.{name}' if facts else 'toInt64(0)'} AS {ending}_{name}"
            for name in ("position", "at")
        ]
        joins += _ending(ending, facts, duty) if facts else ""
    begun = " UNION ALL ".join(_beginning(fact, duty) for fact in duty.begins)
    return f"SELECT {', '.join(columns)} FROM ({begun}) AS begun{joins}{inside}"  # noqa: S608


def _beginning(fact: Fact, duty: Duty) -> str:
    fields = EVENTS[fact.fact].__struct_fields__
    columns = ["position", "recorded_at AS begun_at", *_keys(duty.key, duty)]
    columns += [name if name in fields else f"{EMPTY} AS {name}" for name in ("account", "round")]
    subject = f"arrayStringConcat([{', '.join(duty.names)}], ', ')" if duty.names else EMPTY
    return _facts([fact], ", ".join((*columns, f"{subject} AS subject")))


def _ending(ending: str, facts: tuple[Fact, ...], duty: Duty) -> str:
    """Join the next of some facts, which all belong to the beginning by the same fields."""
    (by,) = {fact.by or duty.key for fact in facts}
    keys = _keys(by, duty)
    names = [key.rpartition(" ")[2] for key in keys]
    found = _facts(facts, ", ".join((*keys, "position", "recorded_at AS at")))
    agree = " AND ".join(f"begun.{name} = {ending}.{name}" for name in names)
    return (
        f" ASOF LEFT JOIN ({found}) AS {ending} ON {agree} AND begun.position < {ending}.position"
    )


def _keys(by: tuple[str, ...], duty: Duty) -> list[str]:
    """Name the fields of a key as columns; without any, all facts belong to one another."""
    numbered = [f"{name} AS key_{duty.key.index(name)}" for name in by]
    return numbered or ["0 AS key_0"]


def _facts(facts: Iterable[Fact], columns: str) -> str:
    return " UNION ALL ".join(
        f"SELECT {columns} FROM {fact.fact} WHERE position < {{size:Int64}}{_where(fact)}"  # noqa: S608
        for fact in facts
    )


def _where(fact: Fact) -> str:
    return "".join(
        f" AND {name} IN ({', '.join(map(_literal, values))})"
        for name, values in fact.where.items()
    )


def _literal(value: bool | int | str) -> str:
    return f"'{value}'" if isinstance(value, str) else str(int(value))
