"""Each duty that facts begin: done in time, late, never, lapsed, and what does not do it.

The histories are written from the declarations, and judged by the question that is built from
them and by a twin that walks over the events.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from importlib import resources
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest

from ledger.core.clock import DAY, HOUR, MINUTE
from ledger.events import event_types as e
from ledger.events.event_types import OperatorRulesPublished
from ledger.rules.operator import encode_operator_rules, parse_operator_rules, shipped_rules
from projections.checks import CheckInput
from projections.findings.duties import Duty, FactPattern
from projections.findings.headers import known_duties
from projections.reconciliation.duties import duties_not_done, list_duties
from projections.store.as_of import moment_of
from projections.store.operator import published_rules
from tests.projections.history_cases import House, project, record
from tests.projections.projection_cases import START, Chain, seeded
from tests.projections.twins.duties import breaches_of, open_in, until_of
from tests.search import amount

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from projections.reconciliation.duties import OpenDuty
    from projections.store.tables import Store

RULES = shipped_rules()["sazka"]
SAZKA_FILE = resources.files("ledger.rules") / "operators" / "sazka.toml"
PAUSE = 40 * DAY
CLOCK = e.ClockMeasured(source_of_time="ntp", skew=0, uncertainty=0)


@dataclass
class Case:
    """One beginning of a duty, and where in the chain it must be found, or open, or neither."""

    duty: Duty
    what: str
    position: int = 0
    looks: list[tuple[int, bool]] = field(default_factory=list)

    @property
    def name(self) -> str:
        return f"{self.duty.code}: {self.what}"


OF_FACTS = {code: duty for code, duty in known_duties().items() if duty.begins}
"""Duties that a fact begins; the others have a question of their own, and tests of their own."""


class Histories:
    """Histories of all duties, one after the other in one chain, each under keys of its own."""

    def __init__(self) -> None:
        self.chain, self.moment, self.number = Chain(), START, 0
        self.cases: list[Case] = []
        House(self.chain)
        for duty in OF_FACTS.values():
            for begins in duty.begins:
                self.of(duty, begins)

    def of(self, duty: Duty, begins: FactPattern) -> None:
        for done in duty.done:
            self.play(duty, begins, "done in time", (done, -1), found=False)
            self.play(duty, begins, "done late", (done, 0), found=True)
            for name, values in done.where.items():
                wrong = altered(done, name, values[0])
                self.play(duty, begins, f"{name} is wrong", (wrong, -1), found=True)
        if duty.key:
            other = duty.done[0]
            self.play(duty, begins, "of another", (other, -1), found=True, key="o")
        self.play(duty, begins, "never done", found=True)
        for lapses in duty.lapses:
            self.play(duty, begins, f"lapses with {lapses.fact}", (lapses, -1), found=False)
        for before in duty.before:
            self.play(duty, begins, f"{before.fact} first", (before, -1), found=True)
        if duty.during is not None and begins not in duty.during.begins:
            self.play(duty, begins, "outside its state", found=False, is_outside=True)

    def play(
        self,
        duty: Duty,
        begins: FactPattern,
        what: str,
        *ends: tuple[FactPattern, int],
        found: bool,
        is_outside: bool = False,
        key: str = "",
    ) -> None:
        """Begin a duty, end it so long before or behind its time, and look before and after."""
        self.number += 1
        self.moment += PAUSE
        case = Case(duty, f"{begins.fact}, {what}")
        own = f"n{self.number}"
        if duty.during is not None and begins not in duty.during.begins:
            state = duty.during.ends if is_outside else duty.during.begins
            self.write(self.moment, made(state[0], own))
        case.position = self.write(self.moment + HOUR, made(begins, own))
        begun_at = self.moment + HOUR
        until = until_of(duty, begun_at, RULES)
        for fact, after in ends:
            self.write(until + after, made(fact, own + key))
        if not ends:
            case.looks.append((self.write(until - 1, CLOCK) + 1, False))
        case.looks.append((self.write(until, CLOCK) + 1, found))
        self.moment = until
        self.cases.append(case)

    def write(self, moment: int, event: e.Event) -> int:
        return record(self.chain, moment, event)


def made(fact: FactPattern, key: str) -> e.Event:
    """Make an event of a kind; what it names has a key of its own."""
    kind = e.EVENTS[fact.fact]
    values: dict[str, Any] = {}
    for name, annotation in kind.__annotations__.items():
        if not annotation.startswith("ClassVar"):
            values[name] = plain(annotation, f"{name}-{key}")
    return kind(**values | {name: given[0] for name, given in fact.where.items()})


def plain(annotation: str, text: str) -> Any:
    if annotation.endswith("None"):
        return None
    for kind, value in (("tuple", ()), ("bytes", b""), ("bool", False), ("int", 0)):
        if annotation.startswith(kind):
            return value
    return text


def altered(fact: FactPattern, name: str, value: Any) -> FactPattern:
    """Return the fact with a value that does not meet what is asked of it."""
    wrong = not value if isinstance(value, bool) else f"not {value}"
    return FactPattern(fact.fact, {**fact.where, name: (wrong,)}, fact.by)


@pytest.fixture(scope="module")
def histories() -> Histories:
    return Histories()


def found_at(store: Store, size: int, duty: Duty) -> set[int]:
    found = duties_not_done(
        duty, CheckInput(store, size, moment_of(store, size), published_rules(store), {})
    )
    return {one.position for one in found}


@pytest.mark.law("SAZKA 12(3)", "SAZKA 12(4)", "SAZKA 12(7)", "SAZKA 12a(1)", "SAZKA 12a(2)")
@pytest.mark.law("SAZKA 12a(3)", "SAZKA 8(11)", "SAZKA 9(5)", "SAZKA 11(1)a", "SAZKA 11(1)b")
@pytest.mark.law(
    "SAZKA 15(1)",
    "SAZKA 15(3)",
    "SAZKA 16(1)",
    "SAZKA 10(3)",
    "L-9",
    "L-11",
    "L-28",
    "L-31",
    "L-32",
    "L-37",
    "L-57",
    "Czech Casinos, play",
    "69GAMES tournament rules",
)
def test_each_duty_is_found_when_its_time_is_over_and_open_before(
    store: Store, histories: Histories
) -> None:
    project(histories.chain, store)
    wrong = [
        (case.name, size)
        for case in histories.cases
        for size, is_found in case.looks
        if is_found != (case.position in found_at(store, size, case.duty))
    ]
    assert wrong == []


def test_a_duty_is_open_until_it_is_done_and_overdue_when_its_time_is_over(
    store: Store, histories: Histories
) -> None:
    project(histories.chain, store)
    for case in histories.cases:
        if case.what.endswith("never done"):
            for size, is_found in case.looks:
                listed = list_duties(store, code=case.duty.code, at=size).duties
                (seen,) = (one for one in listed if one.position == case.position)
                assert seen.is_overdue == is_found, case.name


def test_the_questions_agree_with_a_walk_over_the_events(
    store: Store, histories: Histories
) -> None:
    project(histories.chain, store)
    size = histories.chain.head.size
    expected = breaches_of(histories.chain.messages, RULES)
    found = {
        (code, position)
        for code, duty in OF_FACTS.items()
        for position in found_at(store, size, duty)
    }
    assert found == expected
    assert {code for code, _ in expected} == OF_FACTS.keys()
    listed = list_duties(store).duties
    assert open_of_facts(listed) == open_in(histories.chain.messages)
    assert all(one.until <= other.until for one, other in pairwise(listed))


def open_of_facts(listed: Iterable[OpenDuty]) -> set[tuple[str, int]]:
    return {(one.code, one.position) for one in listed if one.code in OF_FACTS}


def random_facts(seed: int, size: int) -> Iterator[tuple[int, list[e.Event]]]:
    """Yield moments and decisions of facts of the table, most of them of the same few keys."""
    draw, moment = seeded(seed), START
    kinds = [
        fact
        for duty in OF_FACTS.values()
        for fact in (
            *(*duty.begins, *duty.done, *duty.lapses, *duty.before),
            *((*duty.during.begins, *duty.during.ends) if duty.during else ()),
        )
    ]
    for _ in range(size):
        moment += draw.choice((0, 1, HOUR, 5 * HOUR, DAY, 9 * DAY))
        yield (
            moment,
            [
                made(draw.choice(kinds), str(draw.randrange(2)))
                for _ in range(draw.choice((1, 1, 2)))
            ],
        )


@pytest.mark.parametrize("seed", range(amount(1, 20)))
def test_random_histories_are_judged_alike(store: Store, seed: int) -> None:
    chain = Chain()
    House(chain)
    for moment, facts in random_facts(seed, 400):
        record(chain, moment, *facts)
    project(chain, store)
    for size in (chain.head.size, chain.head.size // 2):
        found = {
            (code, position)
            for code, duty in OF_FACTS.items()
            for position in found_at(store, size, duty)
        }
        assert found == breaches_of(chain.messages[:size], RULES)
        listed = open_of_facts(list_duties(store, at=size).duties)
        assert listed == open_in(chain.messages[:size])


def test_the_operator_may_have_another_period(store: Store) -> None:
    """A period of the operator's rules goes before that of the table, and its source with it."""
    text = 'duties = { PANIC_NOT_REPORTED = { minutes = 30, source = "order 1" } }\n' + (
        SAZKA_FILE.read_text(encoding="utf-8")
    )
    rules = parse_operator_rules(text.encode(), "test")
    chain = Chain()
    house = House(chain)
    house.at(0, OperatorRulesPublished(name="x", rules=encode_operator_rules(rules)))
    pressed = house.at(0, e.PanicButtonPressed(account="a", until=0, channel="web"))
    house.at(29, CLOCK)
    project(chain, store)
    (one,) = list_duties(store, code="PANIC_NOT_REPORTED").duties
    assert (one.position, one.until, one.source) == (pressed, START + 30 * MINUTE + 1, "order 1")
    assert not one.is_overdue
    house.at(31, CLOCK)
    project(chain, store)
    (one,) = list_duties(store, code="PANIC_NOT_REPORTED").duties
    assert one.is_overdue
