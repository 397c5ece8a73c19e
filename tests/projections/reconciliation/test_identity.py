"""What findings are called: the same in every run, and no two alike."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.core.detail_texts import DETAILS
from ledger.core.errors import IntegrityError
from ledger.core.phrases import placeholders_of
from ledger.events import event_types as e
from ledger.log.memory import MemoryLog
from projections.reconciliation.finding_lifecycle import FindingHistory, with_state
from projections.reconciliation.findings import FINDINGS, DetectedFinding, Side
from projections.reconciliation.identity import fingerprint_of, identities_of, identity_of
from projections.reconciliation.reconcile import reconcile
from projections.store.events import EventAt
from projections.store.operator import operator_rules
from projections.store.projector import Projector
from tests.projections.history_cases import emptied
from tools.simulator import START, breaches

if TYPE_CHECKING:
    from projections.reconciliation.findings import Finding
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


OF_1_0_0 = {
    "BET_AFTER_CLOSE": ("dbee7e67c9510c90", "2ec66818c7bb566b"),
    "BET_WHILE_PANIC": ("2bb3ddce7595a65e", "869415f7f6e6e985"),
    "BONUS_NOT_ANNOUNCED": ("049a1c86d77adf6f", "12c88d7bf91ce00b"),
    "BREAK_VIOLATED": ("41c5f967407956bb", "83bc47dccdda84c3"),
    "CASH_LIMIT_PASSED": ("66cd8da7c7a9e941", "2c0591795afadd32"),
    "CHECK_NOT_DONE": ("68a9ccc7ae3d2d86", "ecb828fd3b310fd3"),
    "CLOCK_APART": ("0c96fc51c5759881", "6fe0a727b2bb30c5"),
    "COMPLAINT_OVERDUE": ("8b9d690017ef82e2", "6365e85d9a603143"),
    "COUNT_DIFFERS": ("8e459169a457846e", "51b337723440b019"),
    "DEPOSIT_WHILE_EXCLUDED": ("0734d1837adcc017", "3e844d3e38418a0d"),
    "ERASED_TOO_EARLY": ("de38e1e40f11b094", "f3957cd7bd2ea179"),
    "INFORMATION_NOT_SHOWN": ("783271dbfa910856", "860e3133a55728e7"),
    "MEASURE_LOOSENED_EARLY": ("91a13a141943bc69", "ad9880513b3cbfaf"),
    "MEASURE_PASSED": ("203d6760bfbf32f6", "cb6d92e20046fd04"),
    "PAID_TOO_LITTLE": ("b6ccee55cbc45668", "869415f7f6e6e985"),
    "PANIC_NOT_REPORTED": ("4e2f59c79b0cb0ff", "ad63f9968853581c"),
    "RECEIPT_NOT_SENT": ("396032728c30b5be", "7ba69c12fcfe9db9"),
    "RECORDING_MISSING": ("fec6330d5f0a49cc", "ada04aaffaa89321"),
    "REGISTER_NOT_ASKED": ("799a77e900986035", "e8c533451fa5620d"),
    "RESULTS_LEAN": ("021cacbea3ef32d9", "b6953e29f0cc2883"),
    "RESULT_NOT_LANDED": ("5016e1a91598d261", "748a3f478b250fe9"),
    "RULES_NOT_IN_FORCE": ("16c42f36d0c7ef07", "710e7189e825aabf"),
    "STATEMENT_WRONG": ("bd299f6123f4dbda", "130997204c419941"),
    "TOO_FEW_TABLES": ("607db53cac3772ab", "cbac7e32c31873fd"),
    "TWO_TABLES": ("e5a2be77987f9cbc", "dd6893cee90681a9"),
}
"""Names and fingerprints that version 1.0.0 recorded of what a careless operator did."""
TEXTS_OF_1_0_0 = "07e2c8f87599c704"
"""Digest of the English texts of details, by which findings of version 1.0.0 are recognised."""


def test_texts_of_details_stay_those_of_the_records_of_version_1() -> None:
    """A new code needs its digest here; a text that changes takes a new code instead."""
    texts = "".join(f"{code} {text}\n" for code, text in sorted(DETAILS.items()))
    assert sha256(texts.encode()).hexdigest()[:16] == TEXTS_OF_1_0_0


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


def closed(
    one: Finding, fingerprint: str, *, detail: str = "", parameters: str = ""
) -> FindingHistory:
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


def test_what_version_1_recorded_and_people_closed_stays_closed(careless: Store) -> None:
    found, rules = reconcile(careless), operator_rules(careless)
    assert {one.code: one.identity for one in found} == {
        code: name for code, (name, _) in OF_1_0_0.items()
    }
    old = {one.identity: closed(one, OF_1_0_0[one.code][1], detail=one.detail) for one in found}
    later = with_state(found, old)
    assert {one.state for one in later} == {"closed"}
    assert {one.code: (one.identity, one.fingerprint) for one in later} == OF_1_0_0
    assert [old[one.identity].finding(rules).sentence for one in later] == [
        one.sentence for one in later
    ]
    moved = [replace(one, amount=one.amount + 1, fingerprint="f") for one in found]
    assert {one.state for one in with_state(moved, old)} == {"open"}


def test_what_is_recorded_now_is_closed_by_its_parameters(careless: Store) -> None:
    found, rules = reconcile(careless), operator_rules(careless)
    now = {
        one.identity: closed(
            one,
            one.fingerprint,
            parameters=one.parameters,
            detail="" if "detail" in placeholders_of(FINDINGS[one.code]) else one.detail,
        )
        for one in found
    }
    later = with_state(found, now)
    assert {one.state for one in later} == {"closed"}
    assert [now[one.identity].finding(rules) for one in later] == list(later)
    by_text = {one.identity: closed(one, "f", parameters=one.parameters) for one in found}
    assert {one.state for one in with_state(found, by_text)} == {"open"}
