"""The codes of the refusals: all are known here, and all were produced by some test."""

from __future__ import annotations

from decisions_paragraphs import PARAGRAPHS, SEEN

from ledger.core.refusals import REFUSALS


def test_every_code_has_a_sentence_and_the_source_that_the_tests_expect() -> None:
    assert set(REFUSALS) == set(PARAGRAPHS)
    from_plan = {"BET_NOT_ALLOWED", "DECISION_NOT_ALLOWED", "LIMITS_NOT_ALLOWED"}
    for code, rule in REFUSALS.items():
        assert rule.sentence
        assert rule.paragraph == ("game plan" if code in from_plan else PARAGRAPHS[code])


def test_every_refusal_code_was_produced_by_a_test() -> None:
    """Run last by conftest; each test that meets a refusal puts its code into SEEN."""
    assert set(REFUSALS) - SEEN == set()
