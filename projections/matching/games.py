"""Match bets, rounds and totals with the reports of game providers.

What comes in: the sets of :mod:`projections.matching.game_sets`. What goes out: the status of each
line, added to a tally, and the differences. A bet agrees with the lines that name it if their stake
and payment equal those in our books now and their day is one on which the bet was open: it may be
placed before midnight and settled after. Once a line agrees, each further line of the bet is a
duplicate. Totals are compared by the day of settlement; once one agrees, each further one of the
same day, game and table in its report is a duplicate. Guaranteed: memory is bounded by the number
of differences and totals, not of bets.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from projections.matching.game_sets import (
    ENDED,
    KINDS,
    NAMED_SETS,
    OUR_TOTALS,
    OWN_ROUNDS,
    OWN_TOTALS,
    TOTAL_LINES,
)
from projections.matching.matching_scope import SPILLING
from projections.matching.money import rounded_or_differs
from projections.matching.tally import sums_in
from projections.matching.values import Difference, Entry, LineInForce, LineStatus

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from projections.matching.matching_scope import MatchingScope
    from projections.matching.tally import Tally
    from projections.store.tables import Store

__all__ = ["match_games"]

AT_ONCE = 250_000
"""Number of bets grouped by one query (partitioned by a hash of their names), to bound memory."""


def match_games(store: Store, scope: MatchingScope, tally: Tally) -> Iterator[Difference]:
    """Match the reports of game providers, count each line in the tally, yield the differences."""
    parameters = scope.parameters
    rows = store.rows(KINDS, statements=parameters["statements"])
    kinds = {row["kind"]: row["lines"] for row in rows}
    for level in sorted(scope.covering.places & {"bet", "round"}):
        ended = store.value(ENDED, size=scope.size, **{"from": scope.since})
        parts = 1 + max(kinds.get(level, 0), ended) // AT_ONCE
        for part in range(parts):
            of_part = parameters | {"parts": parts, "part": part}
            for row in store.stream(NAMED_SETS[level], **of_part):
                if row["is_plain"]:
                    tally.add(row["statement"], LineStatus.REFERENCE, sums_in(row))
                else:
                    yield from tally.guarded(_of_name(row, tally))
    if {"bet", "round"} <= kinds.keys():
        for row in store.stream(OWN_ROUNDS + SPILLING, **parameters):
            lines = [LineInForce(*line) for line in row["theirs"]]
            sums = _Total(row["of_stakes"], row["of_paid"])
            yield from tally.guarded(_own(lines, sums, tally))
    if "total" in kinds:
        yield from _totals(store, scope, tally, has_lines=kinds.keys() != {"total"})


def _of_name(row: dict[str, Any], tally: Tally) -> Iterator[Difference]:
    """Match the lines that name one bet or round."""
    lines = sorted(
        (LineInForce(*line) for line in row["theirs"]), key=lambda one: (one.day, one.order)
    )
    entry = Entry(*row["ours"][0])
    if not lines:
        yield Difference(LineStatus.NOT_IN_STATEMENT, (entry,), ())
    elif not row["is_ours"]:
        is_empty = row["is_known"] and not any(line.stake or line.paid for line in lines)
        for line in lines:
            if is_empty and entry.event == "round":
                tally.record((line,), LineStatus.NO_MONEY, ())
            else:
                yield _differences(tally, LineStatus.NOT_IN_BOOKS, (), (line,))
    elif row["is_open"]:
        tally.record(lines, LineStatus.WAITING, ())
    elif not row["is_settled"] and _total_of(lines).won == 0:
        tally.record(lines, LineStatus.NO_MONEY, ())
    else:
        yield from _of_settled(lines, entry, tally)


def _of_settled(lines: list[LineInForce], entry: Entry, tally: Tally) -> Iterator[Difference]:
    ours = _Total(entry.stake, entry.paid)
    if _total_of(lines) == ours:
        yield from _agreeing(lines, entry, tally)
        return
    equal = next((line for line in lines if (line.stake, line.paid) == ours), None)
    if equal is None:
        yield _differing(lines, entry, tally)
        return
    yield from _agreeing([equal], entry, tally)
    for line in lines:
        if line is not equal:
            yield _differences(tally, LineStatus.DOUBLE, (entry,), (line,))


def _agreeing(lines: Sequence[LineInForce], entry: Entry, tally: Tally) -> Iterator[Difference]:
    if all(entry.first_day <= line.day <= entry.day for line in lines):
        tally.record(lines, LineStatus.REFERENCE if len(lines) == 1 else LineStatus.TOGETHER, ())
    else:
        yield _differences(tally, LineStatus.WRONG_DAY, (entry,), tuple(lines))


def _differing(lines: Sequence[LineInForce], entry: Entry, tally: Tally) -> Difference:
    """Return the difference of a bet, with the names of the differing figures (stake, payment)."""
    figures = _differing_figures(_total_of(lines), _Total(entry.stake, entry.paid))
    are_rounded = all(
        rounded_or_differs(theirs, ours) is LineStatus.ROUNDED for theirs, ours in figures.values()
    )
    status = LineStatus.ROUNDED if are_rounded else LineStatus.DIFFERS
    tally.record(lines, status, ())
    return Difference(status, (entry,), tuple(lines), tuple(figures))


def _differing_figures(theirs: _Total, ours: _Total) -> dict[str, tuple[int, int]]:
    """Return the figures that differ by name, each with their value and ours."""
    both = {"stake": (theirs.stake, ours.stake), "payment": (theirs.paid, ours.paid)}
    return {name: sides for name, sides in both.items() if sides[0] != sides[1]}


class _Total(NamedTuple):
    """Sums of stakes and payments, in haléř."""

    stake: int
    paid: int

    @property
    def won(self) -> int:
        """The house's win: stakes less payments."""
        return self.stake - self.paid


def _total_of(lines: Iterable[LineInForce]) -> _Total:
    return _Total(sum(line.stake for line in lines), sum(line.paid for line in lines))


def _differences(
    tally: Tally, status: LineStatus, ours: tuple[Entry, ...], theirs: tuple[LineInForce, ...]
) -> Difference:
    tally.record(theirs, status, ())
    return Difference(status, ours, theirs)


def _own(lines: Sequence[LineInForce], sums: _Total, tally: Tally) -> Iterator[Difference]:
    """Compare the round lines of a report with the sum of its own bet lines."""
    if _total_of(lines) == sums:
        tally.record(lines, LineStatus.TOTAL, ())
    else:
        yield _of_total(lines, _summed(lines[0], sums), tally)


def _of_total(lines: Sequence[LineInForce], entry: Entry, tally: Tally) -> Difference:
    """Return the difference of a total from what it has to sum up."""
    tally.record(lines, LineStatus.TOTAL_DIFFERS, ())
    figures = _differing_figures(_total_of(lines), _Total(entry.stake, entry.paid))
    return Difference(LineStatus.TOTAL_DIFFERS, (entry,), tuple(lines), tuple(figures))


def _summed(line: LineInForce, sums: _Total, name: str = "") -> Entry:
    """Return an entry with the expected sums of a total line, as the other side of a difference."""
    return Entry(
        line.position, 0, "total", name or line.reference, "", "", 0,
        sums.stake, sums.paid, line.day, line.day, 0, True,
    )  # fmt: skip


def _totals(
    store: Store, scope: MatchingScope, tally: Tally, *, has_lines: bool
) -> Iterator[Difference]:
    """Compare total lines with the report's own finer lines, or with our books if it has none."""
    own = _by_day(store.rows(OWN_TOTALS + SPILLING, **scope.parameters)) if has_lines else {}
    ours = _by_day(store.rows(OUR_TOTALS + SPILLING, **scope.parameters))
    named_totals: dict[str, list[tuple[str, str]]] = {}
    seen: set[tuple[int, str, str]] = set()
    agreed: set[tuple[str, int, tuple[str, str]]] = set()
    for row in store.rows(TOTAL_LINES, **scope.parameters):
        line, named = LineInForce(*row["theirs"][0]), (row["game"], row["table"])
        is_finest = row["level"] == "total"
        among = (
            ours.get(("", line.day), []) if is_finest else own.get((line.statement, line.day), [])
        )
        subjects = scope.covering.subjects[line.statement] if is_finest else frozenset[str]()
        summed = [one for one in among if _is_of(named, one, subjects)]
        if is_finest:
            named_totals.setdefault(line.statement, []).append(named)
            seen |= {(line.day, one["game"], one["table"]) for one in summed}
        total = _Total(sum(one["stake"] for one in summed), sum(one["paid"] for one in summed))
        key, entry = (
            (line.statement, line.day, named),
            _summed(line, total, " ".join(named).strip()),
        )
        if key in agreed:
            yield _differences(tally, LineStatus.DOUBLE, (entry,), (line,))
        elif _Total(line.stake, line.paid) == total:
            agreed.add(key)
            tally.record((line,), LineStatus.TOTAL, ())
        else:
            yield _of_total([line], entry, tally)
    for statement, names in named_totals.items():
        first, last = scope.covering.periods[statement]
        subjects = scope.covering.subjects[statement]
        for (_, day), rows in sorted(ours.items()):
            for one in rows if first <= day <= last else ():
                is_named = one["is_due"] and any(_is_of(named, one, subjects) for named in names)
                if is_named and (day, one["game"], one["table"]) not in seen:
                    yield Difference(LineStatus.NOT_IN_STATEMENT, (_ours(one),), ())


def _by_day(rows: Iterable[dict[str, Any]]) -> dict[tuple[str, int], list[dict[str, Any]]]:
    """Group totals by statement (empty for our books) and day."""
    found: dict[tuple[str, int], list[dict[str, Any]]] = {}
    for row in rows:
        found.setdefault((row.get("statement", ""), row["day"]), []).append(row)
    return found


def _is_of(named: tuple[str, str], one: dict[str, Any], subjects: frozenset[str]) -> bool:
    """Return whether a total line by game, by table or of everything includes another total.

    A line that names no table sums up the issuer's ``subjects``, its tables and games, if it has
    any: other providers may have tables of the same game.
    """
    game, table = named
    is_own = bool(table) or not subjects or not subjects.isdisjoint({one["table"], one["game"]})
    return is_own and game in {"", one["game"]} and table in {"", one["table"]}


def _ours(total: dict[str, Any]) -> Entry:
    return Entry(
        total["position"], 0, "total", total["table"], "", "", 0,
        total["stake"], total["paid"], total["day"], total["day"], total["at"], True,
    )  # fmt: skip
