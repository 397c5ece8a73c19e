"""Histories that share one reconciliation, which costs over a second for the shortest chain.

A test under `together` is a generator: where it yields, its history is projected in one chain with
those of the others of its file, each under names of its own, and it is sent the findings at its
own positions.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import replace
from functools import wraps
from inspect import Parameter, signature
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace as altered

from ledger.events import event_types as e
from projections.findings.finding import Finding
from projections.reconciliation.reconcile import reconcile
from tests.projections.history_cases import House, project, record
from tests.projections.projection_cases import START, Chain

if TYPE_CHECKING:
    import pytest

    from projections.store.tables import Store

__all__ = ["Asking", "codes", "found_in", "play_together", "together"]

Asking = Generator[None, list[Finding], None]
LAST = e.ClockMeasured(source_of_time="ntp", skew=0, uncertainty=1)
"""It ends the chain, so that the time is the same to all, whoever comes last."""
ASIDE = "REGISTER_NOT_ASKED_AGAIN"
"""People made by hand stay logged in all the time, and no register is asked again meanwhile; the
duty has tests of its own (test_duties.py)."""
NAMES = ("account", "person", "session", "table", "dealer", "round", "bet", "parent")
"""Facts under which two histories could meet."""


def found_in(house: House, store: Store, *only: str) -> list[Finding]:
    """Project a history and return its findings, by codes from their checks alone."""
    project(house.chain, store)
    return [one for one in reconcile(store, only=frozenset(only)) if one.code != ASIDE]


def codes(found: list[Finding]) -> list[str]:
    return [one.code for one in found]


class Neighbour(House):
    """A house in a chain with others; everything in it has a mark at its name."""

    def __init__(self, chain: Chain, number: int) -> None:
        self.mark, self.positions = f"~{number}", set[int]()
        if number:
            self.chain = chain
        else:
            super().__init__(chain)
        self.table()
        self.account()

    def at(self, minute: float, *events: e.Event, micros: int = 0) -> int:
        first = super().at(minute, *map(self._marked, events), micros=micros)
        self.positions.update(range(first, self.chain.head.size))
        return first

    def told(self, found: list[Finding]) -> list[Finding]:
        """Return what was found here, under the names that the test knows."""
        return [
            replace(
                one,
                account=one.account.replace(self.mark, ""),
                round=one.round.replace(self.mark, ""),
                bet=one.bet.replace(self.mark, ""),
            )
            for one in found
            if one.position in self.positions and one.code != ASIDE
        ]

    def _marked(self, event: e.Event) -> e.Event:
        """Put the mark at the end of names, or before the colon behind a bet that has raises."""
        facts = {name: getattr(event, name, "").partition(":") for name in NAMES}
        return altered(
            event,
            **{
                name: f"{first}{self.mark}{colon}{rest}"
                for name, (first, colon, rest) in facts.items()
                if first
            },
        )


def together(history: Callable[..., Asking]) -> Callable[..., None]:
    """Make a test of a generator that takes a house."""

    @wraps(history)
    def test(request: pytest.FixtureRequest, outcomes: dict[str, Exception], **_: Any) -> None:
        if request.node.nodeid in outcomes:
            raise outcomes[request.node.nodeid]

    ours, own = signature(test, follow_wrapped=False), signature(history)
    test.__signature__ = own.replace(  # type: ignore[attr-defined]
        parameters=[
            *(one for one in ours.parameters.values() if one.kind is not Parameter.VAR_KEYWORD),
            *(one for one in own.parameters.values() if one.name != "house"),
        ]
    )
    return test


def play_together(request: pytest.FixtureRequest, store: Store) -> dict[str, Exception]:
    """Play the histories of a file in one chain; return what went wrong, by test."""
    chain, failed = Chain(), dict[str, Exception]()
    running: dict[str, tuple[Asking, Neighbour]] = {}
    for item in request.session.items:
        test = getattr(item, "function", None)
        if item.path == request.path and hasattr(test, "__signature__"):
            house = Neighbour(chain, len(running))
            parameters = item.callspec.params if hasattr(item, "callspec") else {}
            running[item.nodeid] = test.__wrapped__(house=house, **parameters), house
    found: list[Finding] | None = None
    while running:
        for name, (history, house) in list(running.items()):
            try:
                history.send(house.told(found) if found is not None else None)  # type: ignore[arg-type]
            except StopIteration:
                del running[name]
            except Exception as error:  # noqa: BLE001 - the test raises it
                failed[name] = error
                del running[name]
        record(chain, START, LAST)
        project(chain, store)
        found = reconcile(store)
    return failed
