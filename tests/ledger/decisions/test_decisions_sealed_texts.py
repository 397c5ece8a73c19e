"""Texts about somebody are sealed with the key of a person or month, and erased with it."""

from __future__ import annotations

import json
from datetime import datetime
from typing import TYPE_CHECKING

import pytest

from ledger.core.clock import PRAGUE, from_datetime
from ledger.privacy import period_key
from ledger.rules.retention import KEPT, end_of_period_key
from tools.data.case_texts import FIELDS_OF_CASES, case_texts
from tools.data.personal import ERASED

if TYPE_CHECKING:
    from ledger.events import event_types as e
    from tests.ledger.decisions.decisions_casino import Casino

ANNA = {"account": "anna"}
NAMED = "Božena Panklová"
"""What people write, and what must be in no message."""
LINE = {"place": 1, "kind": "payment", "booked": "2026-02-03", "amount": 500}
PIECE = {
    "statement": "0123456789abcdef",
    "issuer": "kb",
    "issuer_kind": "BANK",
    "currency": "CZK",
    "first_line": 1,
    "lines": [LINE | {"end_to_end": NAMED, "variable_symbol": "905517"}, LINE],
}
IMPORT = {
    **{name: PIECE[name] for name in ("issuer", "issuer_kind", "currency")},
    "format": "csv",
    "covers": ["account"],
    "file": f"{NAMED}.csv",
    "file_digest": "0" * 64,
    "settings": "{}",
    "statements": [
        {
            "statement": PIECE["statement"], "number": "", "first_day": "2026-02-03",
            "last_day": "2026-02-03", "opening": None, "closing": None, "lines": 2,
            "incoming": 1000, "outgoing": 0, "fees": 0, "stakes": 0, "paid": 0,
        }
    ],
}  # fmt: skip


def in_log(casino: Casino, text: str) -> bool:
    return any(text.encode() in body for _, body in casino.log.read())


def cancelled_with_words(casino: Casino) -> list[e.Event]:
    """Let every command whose words are sealed be sent once, and return its events."""
    case = {**ANNA, "case": "c"}
    objection = {**ANNA, "case": "o"}
    return [
        *casino.do("file_complaint", **case, grounds=NAMED),
        *casino.do("decide_complaint", **case, upheld=False, explanation=NAMED),
        *casino.do("request_cancellation", **ANNA, ground="12(1)c", explanation=NAMED),
        *casino.do("confirm_cancellation", **ANNA, notice=NAMED),
        *casino.do("file_objection", **objection, grounds=NAMED),
        *casino.do("confirm_objection", **objection),
        *casino.do("decide_objection", **objection, upheld=False, explanation=NAMED),
    ]


@pytest.mark.law("L-58")
def test_words_of_a_case_are_sealed_with_the_key_of_the_person(casino: Casino) -> None:
    events = [one for one in cancelled_with_words(casino) if one.type in FIELDS_OF_CASES]
    assert {one.type for one in events} == FIELDS_OF_CASES.keys()
    assert not in_log(casino, NAMED)
    keys, person = casino.ledger._keys, casino.account().person
    for event in events:
        assert event.person == person  # type: ignore[attr-defined]
        assert set(case_texts(keys, event).values()) == {NAMED}
        assert set(case_texts(None, event).values()) == {None}


@pytest.mark.law("L-58")
def test_words_of_a_case_are_erased_with_the_person(casino: Casino) -> None:
    events = [one for one in cancelled_with_words(casino) if one.type in FIELDS_OF_CASES]
    casino.wait(minutes=16 * 24 * 60)
    casino.do("close_account", **ANNA)
    (erased,) = casino.erase()
    sealed = {f"{name}.{field}" for name, fields in FIELDS_OF_CASES.items() for field in fields}
    assert sealed <= set(erased.fields)
    assert not {one for one in erased.fields if one.startswith(("Statement", "Access"))}
    for event in events:
        assert set(case_texts(casino.ledger._keys, event).values()) == {ERASED}


def test_words_about_an_erased_person_have_the_key_of_the_month(casino: Casino) -> None:
    cancelled_with_words(casino)
    casino.wait(minutes=16 * 24 * 60)
    casino.do("close_account", **ANNA)
    casino.erase()
    (filed,) = casino.do("file_complaint", **ANNA, case="later", grounds=NAMED)
    assert filed.person == period_key("case", casino.clock.moment)
    assert not casino.ledger._keys.has_key(casino.account().person)
    with casino.as_reopened():
        assert case_texts(casino.ledger._keys, filed) == {"grounds": NAMED}


@pytest.mark.law("L-58")
def test_what_payers_write_is_sealed_with_the_key_of_the_month(bare: Casino) -> None:
    (lines,) = bare.do("record_statement_lines", **PIECE)
    (imported,) = bare.do("import_statements", **IMPORT)
    assert not any(in_log(bare, text) for text in (NAMED, "905517"))
    keys, month = bare.ledger._keys, period_key("statement", bare.clock.moment)
    assert {lines.period_key, imported.period_key} == {month}
    texts = keys.open(month, "StatementLinesRecorded.payer_texts", lines.payer_texts)
    assert json.loads(texts) == [[NAMED, "905517"], ["", ""]]
    assert keys.open(month, "StatementImported.file", imported.file) == f"{NAMED}.csv"
    assert lines.ends_to_end == (keys.name_digest(NAMED), "")
    assert lines.variable_symbols[0] == keys.name_digest("905517")
    assert lines.padded_symbols[0] == keys.name_digest("0000905517")


def test_a_line_has_the_digest_of_the_name_that_it_means(casino: Casino) -> None:
    (deposit,) = casino.do("deposit", **ANNA, deposit="d-77", amount=500, method="bank")
    named = PIECE | {"lines": [LINE | {"end_to_end": "d-77"}, LINE | {"end_to_end": "anna"}]}
    (lines,) = casino.do("record_statement_lines", **named)
    (opened,) = casino.all_events("AccountOpened")
    assert lines.ends_to_end == (deposit.name_digest, opened.name_digest)


@pytest.mark.law("L-58")
@pytest.mark.parametrize(
    ("name", "until"),
    [("statement:2026-02", "2036-02-29"), ("case:2026-12", "2030-01-01"),
     ("access:2026-02", "2029-03-01")],
)  # fmt: skip
def test_the_period_of_a_month_runs_from_its_last_day(name: str, until: str) -> None:
    assert KEPT.keys() >= {name.partition(":")[0]}
    end = datetime.fromisoformat(until).replace(tzinfo=PRAGUE)
    assert end_of_period_key(name) == from_datetime(end)


@pytest.mark.law("L-58")
def test_the_key_of_a_month_is_destroyed_after_its_period_and_never_before(bare: Casino) -> None:
    (lines,) = bare.do("record_statement_lines", **PIECE)
    month, keys = lines.period_key, bare.ledger._keys
    until = end_of_period_key(month)
    bare.clock.moment = until - 1
    bare.fail("is kept until", "destroy_period_key", period_key=month)
    assert keys.has_key(month)
    bare.clock.moment = until
    (destroyed,) = bare.do("destroy_period_key", period_key=month)
    assert set(destroyed.fields) == {
        "StatementImported.file", "StatementLinesRecorded.payer_texts",
    }  # fmt: skip
    assert keys.open(month, "StatementLinesRecorded.payer_texts", lines.payer_texts) is None
    assert month not in keys.periods()
    bare.fail("was destroyed already", "destroy_period_key", period_key=month)
    with bare.as_reopened():
        bare.fail("was destroyed already", "destroy_period_key", period_key=month)


def test_no_month_is_destroyed_while_a_hold_is_in_force(casino: Casino) -> None:
    (lines,) = casino.do("record_statement_lines", **PIECE)
    reason = {"hold": "h", "reason": "a lawsuit", "ordered_by": "the court", "reference": "1 C 2"}
    casino.do("place_hold", **ANNA, **reason)
    casino.clock.moment = end_of_period_key(lines.period_key)
    casino.fail("hold h is in force", "destroy_period_key", period_key=lines.period_key)


def test_a_key_that_a_crash_left_is_destroyed_at_the_next_start(
    bare: Casino, monkeypatch: pytest.MonkeyPatch
) -> None:
    (lines,) = bare.do("record_statement_lines", **PIECE)
    bare.clock.moment = end_of_period_key(lines.period_key)
    with monkeypatch.context() as patched:
        patched.setattr(type(bare.ledger._keys), "destroy_keys_of", lambda *_: None)
        bare.do("destroy_period_key", period_key=lines.period_key)
        assert bare.ledger._keys.has_key(lines.period_key)
    with bare.as_reopened():
        assert not bare.ledger._keys.has_key(lines.period_key)
