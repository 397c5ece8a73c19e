"""What findings are called: the same in every run, and no two alike."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.core.errors import IntegrityError
from ledger.log.memory import MemoryLog
from projections.reconciliation.findings import Found, Side
from projections.reconciliation.identity import fingerprint_of, identities_of, identity_of
from projections.reconciliation.reconcile import reconcile
from projections.store.projector import Projector
from tools.simulator import START, breaches

if TYPE_CHECKING:
    from projections.reconciliation.findings import Finding
    from projections.store.tables import Store

NAMES = st.sampled_from(("", "a", "a1", "1", "1a"))
FOUND = st.builds(
    Found,
    code=st.sampled_from(("CLAIM_OPEN", "BET_AFTER_CLOSE", "MEASURE_PASSED")),
    position=st.integers(0, 3),
    account=NAMES,
    round=NAMES,
    bet=NAMES,
    about=NAMES,
    detail=NAMES,
)


@given(found=st.lists(FOUND, max_size=30))
def test_findings_of_a_run_never_share_a_name(found: list[Found]) -> None:
    names = list(identities_of(found))
    assert len(set(names)) == len(names)


@given(found=FOUND, amount=st.integers(), paragraph=st.text())
def test_amounts_and_sources_are_no_part_of_a_name(
    found: Found, amount: int, paragraph: str
) -> None:
    assert identity_of(replace(found, amount=amount, paragraph=paragraph)) == identity_of(found)


def test_parts_of_a_name_are_told_apart() -> None:
    one = Found("BET_AFTER_CLOSE", position=1, account="ab", round="c")
    assert identity_of(one) != identity_of(replace(one, account="a", round="bc"))
    assert identity_of(one) != identity_of(replace(one, position=2))


def test_fingerprint_follows_both_sides_and_not_their_place() -> None:
    ours, theirs = Side("d-1", 10_000, position=5), Side("x", 9_900, statement="s", line=3)
    one = Found("CLAIM_OPEN", position=5, ours=ours, theirs=theirs)
    moved = replace(theirs, statement="s-corrected", line=4, position=9)
    assert fingerprint_of(replace(one, theirs=moved, position=9)) == fingerprint_of(one)
    for other in (replace(theirs, amount=9_901), None):
        assert fingerprint_of(replace(one, theirs=other)) != fingerprint_of(one)


@pytest.fixture
def careless(store: Store) -> Store:
    """Tables of what a careless operator recorded."""
    log = MemoryLog()
    breaches(log, START)
    Projector(log, store).catch_up()
    return store


def test_what_is_found_keeps_its_name_as_facts_come(careless: Store) -> None:
    def told(at: int) -> dict[str, Finding]:
        try:
            found = reconcile(careless, at=at)
        except IntegrityError:
            return {}
        names = {one.identity: one for one in found}
        assert len(names) == len(found)
        return names

    size = careless.position
    last = told(size)
    by_place = {(one.code, one.account, one.round, one.bet): name for name, one in last.items()}
    kept = 0
    for at in range(size // 4, size, size // 4):
        for name, one in told(at).items():
            place = one.code, one.account, one.round, one.bet
            assert by_place.get(place, name) == name, one
            kept += place in by_place
    assert kept > len(last) // 2
