"""Build the ClickHouse query of a duty from its declaration.

What comes in: a duty. What goes out: SQL that returns, for each event that starts the duty while it
is not pending already, the next events that end it: columns ``position``, ``begun_at``,
``account``, ``round``, ``subject``, and for each of ``ENDINGS`` its position and timestamp, 0 if
there is none. Names of events and fields come from the header, where they were validated; values
are quoted here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.events.event_types import EVENTS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from projections.findings.duties import Duty, FactPattern

__all__ = ["ENDINGS", "late_sql", "open_sql"]

ENDINGS = ("done", "lapses", "before")
"""Ways in which a duty ends: an event completes it, lets it lapse, or comes although the duty had
to be done before it."""
NEVER = "9223372036854775807"
EMPTY = "''"


def late_sql(duty: Duty) -> str:
    """Return the query for duties that may be late: ended, or open at ``now``, after ``least``.

    The next one that may be late is among them: the first to begin of the other open ones.
    """
    ends = [f"if({name}_position = 0, {NEVER}, {name}_at)" for name in ENDINGS[:2]]
    closed = f"least({', '.join(ends)})"
    lasted = f"if({closed} = {NEVER}, {{now:Int64}}, {closed}) - begun_at"
    passed = " OR before_position > 0" if duty.before else ""
    return (
        f"SELECT * FROM ({_joined(duty)}) "  # noqa: S608
        f"WHERE ({lasted} >= {{least:Int64}}{passed} AS may_be_late) OR {closed} = {NEVER} "
        "ORDER BY begun_at LIMIT 1 BY if(may_be_late, position, -1)"
    )


def open_sql(duty: Duty) -> str:
    """Return the query for duties that are neither done nor lapsed."""
    return f"SELECT * FROM ({_joined(duty)}) WHERE done_position = 0 AND lapses_position = 0"  # noqa: S608


def _joined(duty: Duty) -> str:
    """Return a query that joins each start with its state and the next event of each ending.

    Starts with equal key fields that the same events close are one duty, which begins with the
    first of them.
    """
    columns = ["begun.position AS position", "begun.begun_at AS begun_at"]
    columns += [f"begun.{name} AS {name}" for name in ("account", "round", "subject")]
    joins, inside = "", ""
    if duty.during is not None:
        until = f"coalesce({duty.during.until}, {NEVER})" if duty.during.until else NEVER
        states = [
            _facts(facts, f"account AS of_account, position AS since, {end} AS until")
            for facts, end in ((duty.during.begins, until), (duty.during.ends, "0"))
        ]
        joins += (
            f" ASOF INNER JOIN ({' UNION ALL '.join(states)}) AS state"
            " ON begun.account = state.of_account AND begun.position >= state.since"
        )
        inside = " WHERE begun.begun_at < state.until"
    for ending in ENDINGS:
        facts: tuple[FactPattern, ...] = getattr(duty, ending)
        ends = [f"{ending}.{name}" if facts else "toInt64(0)" for name in ("position", "at")]
        if ending == "lapses" and duty.during is not None and duty.during.until:
            first = ", ".join(f"if({one}.at = 0, {{now:Int64}}, {one}.at)" for one in ENDINGS[:2])
            is_over = f"state.until <= least({first})"
            ends = [
                f"if({is_over}, state.{own}, {end})"
                for own, end in zip(("since", "until"), ends, strict=True)
            ]
        columns += [f"{ends[0]} AS {ending}_position", f"{ends[1]} AS {ending}_at"]
        joins += _ending(ending, facts, duty) if facts else ""
    closed = ("done_position", "lapses_position")
    begun = " UNION ALL ".join(_start_expression(fact, duty) for fact in duty.begins)
    same = ", ".join((*(f"begun.key_{place}" for place, _ in enumerate(duty.key)), *closed))
    return (
        f"SELECT {', '.join(columns)} FROM ({begun}) AS begun{joins}{inside}"  # noqa: S608
        f" ORDER BY position LIMIT 1 BY {same}"
    )


def _start_expression(fact: FactPattern, duty: Duty) -> str:
    fields = EVENTS[fact.fact].__struct_fields__
    columns = ["position", "recorded_at AS begun_at", *_keys(duty.key, duty)]
    columns += [name if name in fields else f"{EMPTY} AS {name}" for name in ("account", "round")]
    subject = f"arrayStringConcat([{', '.join(duty.names)}], ', ')" if duty.names else EMPTY
    return _facts([fact], ", ".join((*columns, f"{subject} AS subject")))


def _ending(ending: str, facts: tuple[FactPattern, ...], duty: Duty) -> str:
    """Return the join with the next of some events, all matched to the start by the same fields."""
    (by,) = {fact.by or duty.key for fact in facts}
    keys = _keys(by, duty)
    names = [key.rpartition(" ")[2] for key in keys]
    found = _facts(facts, ", ".join((*keys, "position", "recorded_at AS at")))
    agree = " AND ".join(f"begun.{name} = {ending}.{name}" for name in names)
    return (
        f" ASOF LEFT JOIN ({found}) AS {ending} ON {agree} AND begun.position < {ending}.position"
    )


def _keys(by: tuple[str, ...], duty: Duty) -> list[str]:
    """Return the key fields as columns; without key fields every event matches every start."""
    numbered = [f"{name} AS key_{duty.key.index(name)}" for name in by]
    return numbered or ["0 AS key_0"]


def _facts(facts: Iterable[FactPattern], columns: str) -> str:
    return " UNION ALL ".join(
        f"SELECT {columns} FROM {fact.fact} WHERE position < {{size:Int64}}{_where(fact)}"  # noqa: S608
        for fact in facts
    )


def _where(fact: FactPattern) -> str:
    return "".join(
        f" AND {name} IN ({', '.join(map(_literal, values))})"
        for name, values in fact.where.items()
    )


def _literal(value: bool | int | str) -> str:
    return f"'{value}'" if isinstance(value, str) else str(int(value))
