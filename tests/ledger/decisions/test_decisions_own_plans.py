"""A plan that does not ship: published with its document, once for each version."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

import pytest

from ledger import games
from ledger.core.errors import InputError
from ledger.games import plans

if TYPE_CHECKING:
    from tests.ledger.decisions.decisions_casino import Casino

GAME, VERSION, DAY = "acme.wheel", "2026-01-01", "2026-01-01T00:00:00+01:00"
PLAN = (
    games.document("69games.lucky_wheel", "unknown")
    .replace("69games.lucky_wheel", GAME)
    .replace('"unknown"', f'"{VERSION}"\nname_en = "Acme Wheel"', 1)
)
RULES = {"game": GAME, "plan_version": VERSION, "effective_from": DAY}


@pytest.fixture(autouse=True)
def _empty_register(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plans, "_PUBLISHED", {})


@pytest.fixture
def listed(house: Casino) -> Casino:
    house.do("list_game", game=GAME, name="Kolo")
    return house


@pytest.mark.law("SAZKA 1(4)", "L-40")
def test_a_plan_of_the_operator_is_recorded_whole_and_played(listed: Casino) -> None:
    listed.refuse("PLAN_UNKNOWN", "publish_rules", **RULES)
    (published,) = listed.do("publish_rules", **RULES, document=PLAN)
    assert published.document == PLAN
    assert published.document_digest == sha256(PLAN.encode()).hexdigest()
    (again,) = listed.do("publish_rules", **RULES)
    assert again.document == PLAN
    listed.do("launch_game", game=GAME)
    listed.open_table("w9", game=GAME, streamed=False)
    (opened,) = listed.do("open_round", round="q", table="w9")
    assert opened.plan_version == VERSION


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ('name_en = "Acme Wheel"', "", "document.name_en is missing"),
        ("fields = 36", "fields = 37", "document.wheel.fields must be the sum"),
        (GAME, "acme.other", f"document.game is acme.other and not {GAME}"),
        (VERSION, "2026-01-02", f"document.version is 2026-01-02 and not {VERSION}"),
        ('"wheel"', '"dice"', "document.family must be one of"),
        ("# Always", "# " + "č" * 26_000 + " Always", "a plan 50000 at most"),
    ],
)
def test_a_document_that_is_not_this_plan_is_refused(
    listed: Casino, old: str, new: str, fault: str
) -> None:
    assert old in PLAN
    with pytest.raises(InputError, match=fault):
        listed.send("publish_rules", **RULES, document=PLAN.replace(old, new, 1))


def test_a_version_has_one_document(listed: Casino) -> None:
    listed.do("publish_rules", **RULES, document=PLAN)
    with pytest.raises(InputError, match="give the new one a version of its own"):
        listed.send("publish_rules", **RULES, document=f"{PLAN}\n")
    shipped = {**RULES, "game": "69games.lucky_wheel", "plan_version": "unknown"}
    listed.do("list_game", game="69games.lucky_wheel", name="Kolo")
    with pytest.raises(InputError, match="give the new one a version of its own"):
        listed.send("publish_rules", **shipped, document=PLAN)
