"""The checks that are queries: which of them must run, and how each one is run.

What comes in: the headers of the checks (:mod:`projections.findings.headers`). What goes out: for
each check its name and a function that returns what it detects. Checks of a settlement are not
among them; :mod:`projections.reconciliation.reconcile` calls those round by round.
"""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from projections.checks import check_module
from projections.findings.headers import headers
from projections.reconciliation.duties import duties_not_done
from projections.store.definitions import definitions, named_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from projections.checks import CheckInput
    from projections.findings.finding import DetectedFinding
    from projections.findings.headers import CheckHeader

    Find: TypeAlias = Callable[[CheckInput], Iterable[DetectedFinding]]

__all__ = ["Check", "View", "python_checks", "settled_codes", "tables_read", "views_of_findings"]


class Check(NamedTuple):
    """A check; it detects nothing unless an event of one of the types in ``needs`` exists.

    ``sources`` are the tables that determine its result; none if the result changes with time in a
    way that the check does not foresee.
    """

    name: str
    needs: tuple[str, ...]
    find: Find
    codes: frozenset[str]
    sources: frozenset[str] = frozenset()


class View(NamedTuple):
    """A view of findings: the event types that each of its checks needs, by the check's code.

    ``of_rounds`` are the tables of which only the rows of rounds to be checked again are read; none
    if its findings do not follow from the events of their round and earlier ones of others.
    """

    name: str
    checks: Mapping[str, tuple[str, ...]]
    of_rounds: frozenset[str]

    @property
    def codes(self) -> frozenset[str]:
        """The codes that its checks detect."""
        return frozenset(self.checks)


@cache
def python_checks() -> tuple[Check, ...]:
    """Return the checks that are Python modules, and those of duties by their code."""
    found = []
    for name, header in headers().items():
        module = check_module(name) if name.endswith(".py") and not header.settled else None
        if header.duty is not None:
            find = partial(duties_not_done, header.duty)
            needs = tuple(header.duty.first_facts)
            found.append(Check(header.duty.code, needs, find, header.codes, header.duty.facts))
        elif module is not None:
            sources = () if header.reads == "time" else (*header.needs, *header.reads)
            found.append(Check(name, header.needs, module.find, header.codes, frozenset(sources)))
    return tuple(found)


@cache
def settled_codes() -> frozenset[str]:
    """Return the codes that the settlement of rounds, hands and tournaments detects."""
    return frozenset().union(*(one.codes for one in headers().values() if one.settled))


@cache
def views_of_findings() -> tuple[View, ...]:
    """Return the views of findings."""
    views: dict[str, list[CheckHeader]] = {}
    for header in headers().values():
        if header.view:
            views.setdefault(header.view, []).append(header)
    return tuple(
        View(
            name,
            {code: one.needs for one in checks for code in one.codes},
            _tables_of_rounds(name, checks),
        )
        for name, checks in views.items()
    )


def tables_read(view: str) -> frozenset[str]:
    """Return the tables and views that a view of findings names."""
    sql = f"SELECT code FROM {view}(size = {{size:Int64}})"  # noqa: S608 - own view
    return frozenset(named_in(sql))


def _tables_of_rounds(view: str, checks: Iterable[CheckHeader]) -> frozenset[str]:
    """Return the tables of which a view needs no rows of other rounds; none if it needs others."""
    completely: set[str] = set()
    for one in checks:
        if one.reads == "time":
            return frozenset()
        completely.update(one.reads)
    of_rounds = {
        one.name
        for one in definitions()
        if not one.is_view and any(column.name == "round" for column in one.columns)
    }
    return tables_read(view) & of_rounds - completely
