"""Documents of game plans that contradict each other or their digest are found and not used."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from ledger import games
from ledger.core.clock import DAY, MINUTE
from ledger.events import event_types as e
from ledger.games import plans
from ledger.log.port import events_at
from projections.evidence.collect import _MessageCache, _rules
from projections.reconciliation.reconcile import reconcile
from tests.projections.history_cases import GAME, VERSION, House, project, rules_published
from tests.projections.projection_cases import Chain

if TYPE_CHECKING:
    from projections.store.tables import Store

TEXT = games.document(GAME, VERSION)
OTHER = TEXT.replace("35", "34")
DIGEST, OTHER_DIGEST = (sha256(text.encode()).hexdigest() for text in (TEXT, OTHER))


@pytest.mark.law("SAZKA 1(4)")
@pytest.mark.parametrize(
    ("documents", "expected"),
    [
        ([(TEXT, DIGEST), (TEXT, DIGEST)], []),
        ([(TEXT, DIGEST), (OTHER, OTHER_DIGEST), (TEXT, DIGEST)], ["PLAN_PUBLISHED_TWICE"]),
        ([(OTHER, DIGEST), (TEXT, DIGEST)], ["PLAN_DIGEST_WRONG"]),
        ([(TEXT, DIGEST), (OTHER, DIGEST)], ["PLAN_DIGEST_WRONG"]),
    ],
)
def test_what_contradicts_a_plan_is_found_and_settles_nothing(
    store: Store,
    monkeypatch: pytest.MonkeyPatch,
    documents: list[tuple[str, str]],
    expected: list[str],
) -> None:
    monkeypatch.setattr(plans, "_PUBLISHED", {})
    house = House(Chain())
    house.table()
    house.account()
    positions = {
        house.at(0, replace(rules_published(), document=text, document_digest=digest)): text
        for text, digest in documents
    }
    house.played(1, "r", until=2, stake=10_000)
    house.played(DAY // MINUTE + 1, "later", until=DAY // MINUTE + 2)
    project(house.chain, store)
    assert games.document(GAME, VERSION) == TEXT
    found = reconcile(store)
    assert [one.code for one in found if one.code.startswith("PLAN_")] == expected
    assert "PAYOUT_WRONG" not in {one.code for one in found}
    log = house.chain.tagged()
    opening = next(one for one in events_at(log, range(log.head().size)) if opens(one.event))
    shown = set(_rules(_MessageCache(log), [opening]))
    assert [text for position, text in positions.items() if position in shown] == [TEXT]


def opens(event: e.Event) -> bool:
    return isinstance(event, e.RoundOpened)
