"""What findings are called: the same in every run, and no two alike."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.core.errors import IntegrityError
from ledger.core.phrases import placeholders_of
from ledger.events import event_types as e
from ledger.log.memory import MemoryLog
from projections.findings.finding import DetectedFinding, Side
from projections.findings.headers import known_findings
from projections.findings.identity import fingerprint_of, identities_of, identity_of
from projections.reconciliation.finding_lifecycle import FindingHistory, with_state
from projections.reconciliation.reconcile import reconcile
from projections.store.events import EventAt
from projections.store.projector import Projector
from tests.projections.history_cases import emptied
from tools.simulator import START, breaches

if TYPE_CHECKING:
    from projections.findings.finding import Finding
    from projections.store.tables import Store

NAMES = st.sampled_from(("", "a", "a1", "1", "1a"))
FOUND = st.builds(
    DetectedFinding,
    code=st.sampled_from(("CLAIM_OPEN", "BET_AFTER_CLOSE", "MEASURE_PASSED")),
    position=st.integers(0, 3),
    account=NAMES,
    round=NAMES,
    bet=NAMES,
    about=NAMES,
    detail=NAMES,
)


@given(found=st.lists(FOUND, max_size=30))
def test_findings_of_a_run_never_share_a_name(found: list[DetectedFinding]) -> None:
    names = list(identities_of(found))
    assert len(set(names)) == len(names)


@given(found=FOUND, amount=st.integers(), paragraph=st.text())
def test_amounts_and_sources_are_no_part_of_a_name(
    found: DetectedFinding, amount: int, paragraph: str
) -> None:
    assert identity_of(replace(found, amount=amount, paragraph=paragraph)) == identity_of(found)


def test_parts_of_a_name_are_told_apart() -> None:
    one = DetectedFinding("BET_AFTER_CLOSE", position=1, account="ab", round="c")
    assert identity_of(one) != identity_of(replace(one, account="a", round="bc"))
    assert identity_of(one) != identity_of(replace(one, position=2))


def test_fingerprint_follows_both_sides_and_not_their_place() -> None:
    ours, theirs = Side("d-1", 10_000, position=5), Side("x", 9_900, statement="s", line=3)
    one = DetectedFinding("CLAIM_OPEN", position=5, ours=ours, theirs=theirs)
    moved = replace(theirs, statement="s-corrected", line=4, position=9)
    assert fingerprint_of(replace(one, theirs=moved, position=9)) == fingerprint_of(one)
    for other in (replace(theirs, amount=9_901), None):
        assert fingerprint_of(replace(one, theirs=other)) != fingerprint_of(one)


IDENTITIES = {
    "BET_AFTER_CLOSE": "dbee7e67c9510c90",
    "BET_WHILE_PANIC": "2bb3ddce7595a65e",
    "BONUS_NOT_ANNOUNCED": "049a1c86d77adf6f",
    "BREAK_VIOLATED": "41c5f967407956bb",
    "CASH_LIMIT_PASSED": "66cd8da7c7a9e941",
    "CHECK_NOT_DONE": "68a9ccc7ae3d2d86",
    "CLOCK_APART": "0c96fc51c5759881",
    "COMPLAINT_OVERDUE": "8b9d690017ef82e2",
    "COUNT_DIFFERS": "8e459169a457846e",
    "DEPOSIT_WHILE_EXCLUDED": "0734d1837adcc017",
    "ERASED_TOO_EARLY": "de38e1e40f11b094",
    "INFORMATION_NOT_SHOWN": "783271dbfa910856",
    "MEASURE_LOOSENED_EARLY": "91a13a141943bc69",
    "MEASURE_PASSED": "203d6760bfbf32f6",
    "PAID_TOO_LITTLE": "b6ccee55cbc45668",
    "PANIC_NOT_REPORTED": "4e2f59c79b0cb0ff",
    "RECEIPT_NOT_SENT": "396032728c30b5be",
    "RECORDING_MISSING": "fec6330d5f0a49cc",
    "REGISTER_NOT_ASKED": "799a77e900986035",
    "RESULTS_LEAN": "021cacbea3ef32d9",
    "RESULT_NOT_LANDED": "5016e1a91598d261",
    "RULES_NOT_IN_FORCE": "16c42f36d0c7ef07",
    "STATEMENT_WRONG": "bd299f6123f4dbda",
    "TOO_FEW_TABLES": "607db53cac3772ab",
    "TWO_TABLES": "e5a2be77987f9cbc",
}
"""Identifiers of what a careless operator did: recorded ones, so they never change."""

NO_SIDE = {"reference": "", "amount": None, "at": 0, "position": -1, "count": 0}


@pytest.fixture(scope="module")
def careless(tables: Store) -> Store:
    """Tables of what a careless operator recorded."""
    store, log = emptied(tables), MemoryLog()
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


def closed(one: Finding, fingerprint: str, *, parameters: str, detail: str = "") -> FindingHistory:
    """Return the life of a finding that was recorded and closed."""
    sides: dict[str, Any] = {
        f"{side}_{name}": value for side in ("ours", "theirs") for name, value in NO_SIDE.items()
    }
    event = e.FindingRaised(
        finding=one.identity,
        code=one.code,
        fingerprint=fingerprint,
        about=one.about,
        shown_at=one.position,
        of_account=one.account,
        of_round=one.round,
        of_bet=one.bet,
        amount=one.amount,
        detail=detail,
        parameters=parameters,
        paragraph=one.paragraph,
        theirs_statement="",
        theirs_line=0,
        **sides,
    )
    return FindingHistory(EventAt(one.position, START, event), state="closed")


def test_findings_have_the_identifiers_that_chains_hold(careless: Store) -> None:
    assert {one.code: one.identity for one in reconcile(careless)} == IDENTITIES


def test_what_is_recorded_now_is_closed_by_its_parameters(careless: Store) -> None:
    found = reconcile(careless)
    now = {
        one.identity: closed(
            one,
            one.fingerprint,
            parameters=one.parameters,
            detail=""
            if "detail" in placeholders_of(known_findings()[one.code].text.en)
            else one.detail,
        )
        for one in found
    }
    later = with_state(found, now)
    assert {one.state for one in later} == {"closed"}
    assert [now[one.identity].finding() for one in later] == list(later)
    by_text = {one.identity: closed(one, "f", parameters=one.parameters) for one in found}
    assert {one.state for one in with_state(found, by_text)} == {"open"}
