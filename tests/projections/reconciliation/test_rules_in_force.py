"""Rules of the operator judge the play from their publication on, and stay within the law."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from ledger.core.errors import InputError
from ledger.rules.law import FIGURE_BOUNDS
from ledger.rules.operator import (
    NamedRules,
    decode_operator_rules,
    encode_operator_rules,
    parse_operator_rules,
    shipped_rules,
)
from projections.reconciliation.reconcile import reconcile
from tests.projections.history_cases import Casino, House, placed, project, settled
from tests.projections.projection_cases import Chain
from tests.projections.reconciliation.test_duties import SAZKA_FILE
from tests.projections.shared_cases import codes, found_in

if TYPE_CHECKING:
    from pathlib import Path

    from ledger.events import event_types as e
    from projections.store.tables import Store

SAZKA = shipped_rules()["sazka"]
BEYOND = [
    (name, value)
    for name, (least, most, _) in FIGURE_BOUNDS.items()
    for value in (least - 1, *([] if most is None else [most + 1]))
]


def published(**figures: int) -> e.OperatorRulesPublished:
    document: Any = json.loads(encode_operator_rules(SAZKA))
    for name, value in figures.items():
        document["figures"][name]["value"] = value
    return NamedRules("other", decode_operator_rules(json.dumps(document))).event


@pytest.mark.law("SAZKA 5a(3)", "SAZKA 12a(1)")
@pytest.mark.parametrize(("name", "value"), BEYOND)
def test_rules_beyond_the_law_are_rejected(tmp_path: Path, name: str, value: int) -> None:
    text = SAZKA_FILE.read_text(encoding="utf-8")
    figure = getattr(SAZKA.figures, name).value
    assert f"{name} = {{ value = {figure}," in text
    wrong = text.replace(f"{name} = {{ value = {figure},", f"{name} = {{ value = {value},")
    with pytest.raises(InputError, match=rf"acme\.toml: \[figures\] {name} = {value}: ZHH"):
        parse_operator_rules(wrong.encode(), "acme.toml")
    casino = Casino(tmp_path)
    with pytest.raises(InputError, match=rf"\[figures\] {name} = {value}: ZHH"):
        casino.do(
            "publish_operator_rules",
            name="acme",
            rules=json.loads(published(**{name: value}).rules),
        )
    lawful = {
        one: least if most is None else most for one, (least, most, _) in FIGURE_BOUNDS.items()
    }
    lawful["break_minutes"] += 1
    document = msgspec.json.decode(published(**lawful).rules)
    assert casino.do("publish_operator_rules", name="acme", rules=document).events
    casino.close()


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
        ("RULES_BEYOND_LAW", position, "break_minutes is below 15"),
        ("RULES_BEYOND_LAW", position, "panic_hours is below 48"),
        ("RULES_BEYOND_LAW", position, "play_minutes is above 120"),
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
    late = [one for one in found_in(house, store) if one.code == "CREDITED_LATE"]
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
    found = codes([one for one in found_in(house, store) if one.code == "BREAK_VIOLATED"])
    assert found == (["BREAK_VIOLATED"] if is_found and is_before else [])
