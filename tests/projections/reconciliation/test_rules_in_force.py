"""Rules of the operator judge the play from their publication on, and stay within the law."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from ledger.chain import link
from ledger.core.clock import HOUR
from ledger.core.errors import InputError
from ledger.events import event_types as e
from ledger.events.event_types import OperatorRulesPublished
from ledger.log.memory import MemoryLog
from ledger.privacy import KeyStore
from ledger.rules.deadlines import DEADLINES
from ledger.rules.law import FIGURE_BOUNDS, UNIT_BOUNDS
from ledger.rules.operator import SETTINGS, parse_operator_rules, shipped_rules
from ledger.writer import Ledger
from projections.findings.headers import known_duties
from projections.reconciliation.duties import list_duties
from projections.reconciliation.reconcile import reconcile
from projections.store.reader_views import shown, source_of
from tests.projections.history_cases import Casino, House, deposited, placed, project, settled
from tests.projections.projection_cases import START, Chain
from tests.projections.reconciliation.test_duties import SAZKA_FILE
from tests.projections.shared_cases import codes, found_in

if TYPE_CHECKING:
    from pathlib import Path

    from projections.store.tables import Store

SAZKA = shipped_rules()["sazka"]
OF_LAW = {place.removeprefix("figures."): bounds for place, bounds in FIGURE_BOUNDS.items()}
BOUNDS = {
    name: OF_LAW.get(name) or (*UNIT_BOUNDS[name.rpartition("_")[2]], "assumed")
    for name in msgspec.to_builtins(SAZKA.figures)
}
BEYOND = [
    (name, value)
    for name, (least, most, _) in BOUNDS.items()
    for value in (least - 1, most + 1, -(2**63), 2**70)
]


def document_with(**figures: int) -> Any:
    document = msgspec.to_builtins(SAZKA)
    for name, value in figures.items():
        document["figures"][name]["value"] = value
    return document


def published(**figures: int) -> e.OperatorRulesPublished:
    return OperatorRulesPublished(name="other", rules=json.dumps(document_with(**figures)))


@pytest.mark.law("SAZKA 5a(3)", "SAZKA 12a(1)")
@pytest.mark.parametrize(("name", "value"), BEYOND)
def test_rules_beyond_the_law_are_rejected(tmp_path: Path, name: str, value: int) -> None:
    text = SAZKA_FILE.read_text(encoding="utf-8")
    wrong, times = re.subn(
        rf"^{name} = {{ value = [0-9_]+,", f"{name} = {{ value = {value},", text, flags=re.MULTILINE
    )
    assert times == 1
    fault = (
        rf"figures\.{name} = {value}: at least {BOUNDS[name][0]} and at most {BOUNDS[name][1]} \("
    )
    with pytest.raises(InputError, match=rf"acme\.toml: {fault}"):
        parse_operator_rules(wrong.encode(), "acme.toml")
    casino = Casino(tmp_path)
    with pytest.raises(InputError, match=fault):
        casino.do("publish_operator_rules", name="acme", rules=document_with(**{name: value}))
    casino.close()


@pytest.mark.law("SAZKA 5a(3)", "SAZKA 12a(1)")
@pytest.mark.parametrize("number", [0, 1])
def test_rules_at_the_bounds_of_the_law_are_published(tmp_path: Path, number: int) -> None:
    casino = Casino(tmp_path)
    document = document_with(**{name: bounds[number] for name, bounds in BOUNDS.items()})
    assert casino.do("publish_operator_rules", name="acme", rules=document).events
    casino.close()


@pytest.mark.law("L-49", "L-51")
@pytest.mark.law("SAZKA 5a(3)", "SAZKA 12a(1)")
def test_rules_beyond_the_law_are_found_once_for_each_figure(store: Store) -> None:
    house = House(Chain())
    lawful = published(panic_hours=72, break_minutes=20, play_minutes=90)
    house.at(1, lawful)
    position = house.at(2, published(panic_hours=1, break_minutes=1, play_minutes=121))
    house.at(3, lawful)
    project(house.chain, store)
    found = [(one.code, one.position, one.detail) for one in reconcile(store)]
    assert sorted(found) == [
        ("RULES_BEYOND_LAW", position, "figures.break_minutes is below 15"),
        ("RULES_BEYOND_LAW", position, "figures.panic_hours is below 48"),
        ("RULES_BEYOND_LAW", position, "figures.play_minutes is above 120"),
    ]


def paid(house: House, name: str, minute: float, after: float) -> None:
    chips = placed(name)
    house.opened(minute, name)
    house.at(minute, chips)
    house.closed(minute + 1, name, chips)
    house.resulted(minute + 1, name, 1)
    house.at(minute + 1 + after, settled(chips, due=2_000))


@pytest.mark.law("SAZKA 15(3)")
@pytest.mark.parametrize(("before", "then"), [(60, 10), (10, 60)])
def test_later_rules_judge_later_credits_only(store: Store, before: int, then: int) -> None:
    house = House(Chain())
    house.table()
    house.account()
    house.at(0, published(credited_minutes=before))
    paid(house, "r", 1, after=30)
    house.at(40, published(credited_minutes=then))
    paid(house, "s", 41, after=30)
    late = found_in(house, store, "CREDITED_LATE")
    assert [(one.round, f"later than {min(before, then)}" in one.sentence) for one in late] == [
        ("r" if before < then else "s", True)
    ]


@pytest.mark.law("SAZKA 5a(3)", "SAZKA 5a(5)")
@pytest.mark.parametrize(("pause", "is_found"), [(19, True), (20, False)])
@pytest.mark.parametrize("is_before", [True, False])
def test_later_rules_judge_later_breaks_only(
    store: Store, pause: int, is_found: bool, is_before: bool
) -> None:
    """Longer breaks bind play from their publication on; earlier play had 15 minutes."""
    house = House(Chain())
    house.table()
    house.account()
    if is_before:
        house.at(0, published(break_minutes=20))
    for number in range(13):
        house.played(10 * number, f"r{number}", until=10 * number + 5)
    house.played(125 + pause, "late", until=126 + pause)
    house.at(300, published(break_minutes=20, cash_haler=1, panic_hours=72))
    found = codes(found_in(house, store, "BREAK_VIOLATED"))
    assert found == (["BREAK_VIOLATED"] if is_found and is_before else [])


@pytest.mark.parametrize(
    "wild",
    [
        -(2**63),
        pytest.param(-1, marks=pytest.mark.search),
        pytest.param(2**63 - 1, marks=pytest.mark.search),
        2**70,
    ],
)
def test_rules_with_any_numbers_stop_no_question_and_no_decision(
    store: Store, tmp_path: Path, wild: int
) -> None:
    """Each number counts as the nearest one that its unit allows, for readers and writer."""
    document = document_with(**dict.fromkeys(BOUNDS, wild))
    for period in document["periods"].values():
        period["days"] = wild
    document["duties"] = {
        code: {"days": wild, "source": "assumed"} for code, duty in DEADLINES.items() if duty.days
    }
    wild_rules = OperatorRulesPublished(name="other", rules=json.dumps(document))
    house = House(Chain())
    house.at(0, wild_rules)
    house.table()
    house.account()
    house.at(1, deposited("a", 10_000))
    paid(house, "r", 2, after=30)
    house.at(40, e.PanicButtonPressed(account="a", channel="web", until=START + 100 * HOUR))
    project(house.chain, store)
    found = codes([one for one in reconcile(store) if one.code == "RULES_BEYOND_LAW"])
    assert len(found) == len(BOUNDS) + len(document["periods"]) + len(document["duties"])
    assert list_duties(store) is not None
    for view, _ in shown():
        rows = store.rows(f"SELECT * FROM {source_of(view, str(house.chain.head.size))} LIMIT 1000")  # noqa: S608 - own views
        assert list(rows) is not None
    casino = Casino(tmp_path)
    casino.seat(money=100_000)
    facts = {"command_id": bytes(16), "command_digest": bytes(16), "actor": "x", "source": "x"}
    now, head = casino.clock.moment, casino.log.head()
    linked, _ = link(head, [wild_rules], recorded_at=now, occurred_at=now, **facts)
    log = MemoryLog()
    log.append([*casino.log._messages, *linked])
    casino.close()
    casino.ledger = Ledger(log, KeyStore(tmp_path / "keys"), clock=casino.clock)
    casino.do("open_round", round="r", table="t")
    bet = casino.bet("r", 1, "straight", 1_000, selection=[7])
    pressed = casino.do("press_panic_button", account="a")
    casino.close()
    assert bet.refused is None or bet.refused.code == "BREAK_REQUIRED"
    assert pressed.refused is None


@pytest.mark.parametrize("setting", sorted(SETTINGS - {""}))
def test_a_duty_takes_its_length_from_each_setting_of_time(setting: str) -> None:
    text = SAZKA_FILE.read_text("utf-8").replace(
        "[periods]", f"[duties.HELD_TOO_LONG]\nsetting = '{setting}'\n[periods]"
    )
    rules = parse_operator_rules(text.encode(), "acme.toml")
    held = known_duties()["HELD_TOO_LONG"]
    assert 0 <= held.least_length(rules) <= held.end(0, rules)
    assert held.source(rules)
