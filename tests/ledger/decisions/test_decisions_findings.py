"""The life of findings: each step an event of the chain, decided by a slice of the library."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import UUID

import pytest
from eventsourcing.dcb.api import DCBAppendCondition, DCBQuery, DCBQueryItem
from eventsourcing.dcb.domain import Tagged
from eventsourcing.persistence import IntegrityError as ConditionFailedError
from eventsourcing.persistence import ProgrammingError

from ledger.core.errors import InputError
from ledger.decisions.slices import DecisionRecorder, NativeMapper, fact_of
from ledger.events import event_types as e
from ledger.events.encoding import decode
from ledger.state.ledger_state import LedgerState
from ledger.verification.verify import verify
from tests.ledger.decisions.decisions_casino import command

if TYPE_CHECKING:
    from tests.ledger.decisions.decisions_casino import Casino

ONE, OTHER = "0123456789abcdef", "fedcba9876543210"
FACTS = {"fingerprint": "00000000000000aa", "code": "PAID_TOO_MUCH", "shown_at": 7}
BY = {"by": "risk", "evidence": "R 12/2026"}
STEPS: dict[str, dict[str, Any]] = {
    "assign_finding": {"assignee": "jana", "by": "risk"},
    "explain_finding": {"explanation": "Paid twice by hand.", **BY},
    "comment_finding": {"comment": "Asked the cage.", **BY},
    "close_finding": {"reason": "The player paid it back.", "assessment": "right", **BY},
    "reopen_finding": {"reason": "It was another player.", **BY},
}


def note(casino: Casino, *, finding: str = ONE, **facts: Any) -> list[e.Event]:
    return casino.do("note_findings", raised=[{"finding": finding, **FACTS, **facts}])


def step(casino: Casino, name: str, **facts: Any) -> list[e.Event]:
    return casino.do(name, **{"finding": ONE, **STEPS[name], **facts})


def refused(casino: Casino, name: str, why: str, **facts: Any) -> None:
    size = casino.log.head().size
    with pytest.raises(InputError, match=why):
        casino.send(name, **{"finding": ONE, **STEPS[name], **facts})
    assert casino.log.head().size == size


def test_each_step_says_who_and_why_and_by_what(casino: Casino) -> None:
    (raised,) = note(casino, account="anna", amount=500, detail="x", parameters="{}")
    assert (raised.of_account, raised.amount, raised.detail) == ("anna", 500, "x")
    assert raised.parameters == "{}"
    steps = [step(casino, name) for name in STEPS]
    assert [type(event).__name__ for (event,) in steps] == [
        "FindingAssigned",
        "FindingExplained",
        "FindingCommented",
        "FindingClosed",
        "FindingReopened",
    ]
    for (event,) in steps[1:]:
        assert (event.finding, event.by, event.evidence) == (ONE, "risk", "R 12/2026")
    for (event,) in (steps[1], steps[3]):
        assert event.fingerprint == FACTS["fingerprint"]
    assert verify(casino.log.read()).head == casino.log.head()


@pytest.mark.parametrize("name", STEPS)
def test_what_no_reconciliation_recorded_has_no_life(casino: Casino, name: str) -> None:
    refused(casino, name, "reconcile --record")
    with pytest.raises(InputError, match="is not recorded"):
        casino.send("note_findings", gone=[ONE])


def test_a_closed_finding_takes_no_step_until_it_is_opened_again(casino: Casino) -> None:
    note(casino)
    refused(casino, "reopen_finding", "is open: only a closed one reopens")
    step(casino, "close_finding")
    for name in ("assign_finding", "explain_finding", "close_finding"):
        refused(casino, name, "reopen it first")
    step(casino, "comment_finding")
    step(casino, "reopen_finding")
    step(casino, "assign_finding")
    refused(casino, "assign_finding", "jana looks after finding")


def test_a_step_of_who_saw_something_else_is_not_taken(casino: Casino) -> None:
    note(casino)
    seen = {"fingerprint": FACTS["fingerprint"]}
    step(casino, "assign_finding", previous="", **seen)
    refused(casino, "assign_finding", "jana looks after", assignee="eva", previous="", **seen)
    note(casino, fingerprint="00000000000000bb", amount=500_000)
    for name, to in (
        ("assign_finding", {"assignee": "eva"}),
        ("explain_finding", {}),
        ("close_finding", {}),
    ):
        refused(casino, name, "other facts than you saw", **seen, **to)
    step(casino, "assign_finding", assignee="eva", previous="jana", fingerprint="00000000000000bb")
    step(casino, "close_finding", fingerprint="00000000000000bb")


def test_a_closed_finding_comes_back_with_other_facts(casino: Casino) -> None:
    note(casino)
    step(casino, "close_finding")
    with pytest.raises(InputError, match="recorded already"):
        note(casino)
    note(casino, fingerprint="00000000000000bb")
    (closed,) = step(casino, "close_finding")
    assert closed.assessment == "right"
    assert closed.fingerprint == "00000000000000bb"


def test_a_finding_that_was_gone_comes_back_with_the_same_facts(casino: Casino) -> None:
    note(casino)
    step(casino, "close_finding")
    casino.do("note_findings", gone=[ONE])
    refused(casino, "assign_finding", "is gone .* nothing is left")
    note(casino)
    step(casino, "assign_finding")


def test_what_stands_there_is_not_noted_twice(casino: Casino) -> None:
    note(casino)
    raised = [{"finding": name, **FACTS} for name in (ONE, OTHER)]
    (new,) = casino.do("note_findings", raised=raised)
    assert new.finding == OTHER
    with pytest.raises(InputError, match="named twice"):
        casino.send("note_findings", raised=raised, gone=[ONE])


def test_decisions_of_one_batch_see_each_other(casino: Casino) -> None:
    note(casino)
    sent = [
        casino.ledger.submit(command(name, finding=ONE, **STEPS[name]))
        for name in ("close_finding", "close_finding", "reopen_finding", "close_finding")
    ]
    answers = [one.exception() for one in sent]
    assert [type(answer) for answer in answers] == [type(None), InputError, type(None), type(None)]


def test_a_repeat_gets_the_first_receipt(casino: Casino) -> None:
    note(casino)
    sent = {"finding": ONE, "command_id": str(UUID(int=7)), **STEPS["close_finding"]}
    first = casino.send("close_finding", **sent)
    assert casino.send("close_finding", **sent) == first


def test_a_reconciliation_goes_on_from_the_last_one(casino: Casino) -> None:
    found = {"digest": "0" * 64, "counts": {"CLAIM_OPEN": 2}}
    size = casino.log.head().size
    with pytest.raises(InputError, match="less than"):
        casino.send("conclude_reconciliation", until=size + 1, **found)
    (first,) = casino.do("conclude_reconciliation", until=size, **found)
    assert (first.codes, first.counts, first.since) == (("CLAIM_OPEN",), (2,), 0)
    (second,) = casino.do("conclude_reconciliation", until=size + 1, since=size, **found)
    assert second.since == size
    for wrong in ({"until": size + 2, "since": size}, {"until": size}):
        with pytest.raises(InputError, match="reconcile again"):
            casino.send("conclude_reconciliation", **wrong, **found)


def test_facts_of_slices_are_events_of_the_chain(casino: Casino) -> None:
    (raised,) = note(casino)
    mapper = NativeMapper()
    fact = fact_of(e.FindingRaised)
    message = mapper.to_dcb_event(Tagged([], fact(**{f: getattr(raised, f) for f in FIELDS})))
    assert (message.type, message.tags) == ("FindingRaised", [f"finding:{ONE}"])
    assert decode(message.data).event == raised
    back = mapper.to_domain_event(message).decision
    assert isinstance(back, fact)
    assert back.as_dict() == {f: getattr(raised, f) for f in FIELDS}


FIELDS = e.FindingRaised.__struct_fields__


def test_an_append_fails_if_something_came_between(casino: Casino) -> None:
    note(casino)
    recorder = DecisionRecorder(LedgerState(casino.log, casino.ledger._keys))
    query = DCBQuery(items=[DCBQueryItem(types=["FindingRaised"], tags=[f"finding:{ONE}"])])
    found = recorder.read(query)
    (one,) = found
    assert found.head == casino.log.head().size
    with pytest.raises(ConditionFailedError):
        recorder.append([one.event], DCBAppendCondition(query, after=one.position - 1))
    recorder.append([one.event], DCBAppendCondition(query, after=found.head))
    assert recorder.decided == [decode(one.event.data).event]
    for wrong in (None, DCBQuery(items=[DCBQueryItem(types=["FindingRaised"])])):
        with pytest.raises(ProgrammingError):
            recorder.read(wrong)
    with pytest.raises(ProgrammingError):
        recorder.subscribe()
