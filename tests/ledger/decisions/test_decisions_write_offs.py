"""Write-offs: two persons, within the difference and the limit, booked once and taken back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ledger.core.clock import in_prague
from ledger.core.errors import InputError
from tests.ledger.decisions.test_decisions_findings import FACTS, ONE
from tests.ledger.decisions.test_decisions_matching_rules import set_rules
from tests.ledger.decisions.test_decisions_statements import OTHER, A, B, imported, piece, statement

if TYPE_CHECKING:
    from tests.ledger.decisions.decisions_casino import Casino

LIMIT = 5_000
LINE = {"reference": "b-1", "amount": 10_000, "statement": A, "line": 1}


def import_line(casino: Casino, amount: int = 900, **facts: Any) -> None:
    """Record a finding about the first line of a statement that counts."""
    day = in_prague(casino.clock.now()).date().isoformat()
    casino.do("record_statement_lines", **piece())
    casino.do("import_statements", **imported(statement(day=day)))
    raised = {"finding": ONE, **FACTS, "amount": amount, "theirs": LINE, **facts}
    casino.do("note_findings", raised=[raised])


def propose(casino: Casino, amount: int, by: str = "jana", **facts: Any) -> Any:
    wanted = {"finding": ONE, "reason": "bank rounds", "by": by, "evidence": "R 1", **facts}
    (event,) = casino.do("propose_write_off", amount=amount, **wanted)
    return event


def confirm(casino: Casino, number: int, by: str = "eva") -> Any:
    name = f"{ONE}-{number}"
    (event,) = casino.do("confirm_write_off", write_off=name, by=by, comment="seen")
    return event


def test_what_one_proposes_and_another_confirms_is_booked(casino: Casino) -> None:
    set_rules(casino, 0, write_off_max=LIMIT)
    import_line(casino)
    proposed = propose(casino, 900)
    assert (proposed.write_off, proposed.item, proposed.amount) == (f"{ONE}-1", "line", 900)
    assert (proposed.statement, proposed.line, proposed.method_class) == (A, 1, "account")
    for same in (" Jana", "JA\N{FULLWIDTH LATIN SMALL LETTER N}A\N{NO-BREAK SPACE}"):
        casino.refuse(
            "WRITE_OFF_SAME_PERSON", "confirm_write_off", write_off=f"{ONE}-1", by=same, comment=""
        )
    booked = confirm(casino, 1)
    assert (booked.proposed_by, booked.by, booked.amount) == ("jana", "eva", 900)
    with pytest.raises(InputError, match="does not wait for a decision"):
        casino.send("confirm_write_off", write_off=f"{ONE}-1", by="eva")


def test_no_rules_no_write_off_and_the_limit_holds_at_both_steps(casino: Casino) -> None:
    import_line(casino)
    wanted = {"finding": ONE, "reason": "r", "by": "jana"}
    casino.refuse("WRITE_OFF_ABOVE_LIMIT", "propose_write_off", **wanted, amount=1)
    set_rules(casino, 1, write_off_max=LIMIT)
    casino.refuse("WRITE_OFF_ABOVE_LIMIT", "propose_write_off", **wanted, amount=1)
    set_rules(casino, 0, write_off_max=LIMIT)
    casino.refuse("WRITE_OFF_ABOVE_DIFFERENCE", "propose_write_off", **wanted, amount=901)
    propose(casino, 900)
    set_rules(casino, 0, write_off_max=899)
    casino.refuse("WRITE_OFF_ABOVE_LIMIT", "confirm_write_off", write_off=f"{ONE}-1", by="eva")


def test_a_reversal_takes_two_persons_too_and_frees_the_statement(casino: Casino) -> None:
    set_rules(casino, 0, write_off_max=LIMIT)
    import_line(casino)
    propose(casino, 900)
    confirm(casino, 1)
    day = in_prague(casino.clock.now()).date().isoformat()
    corrected = imported(
        statement(B, day, closing=8_500), digest=OTHER, supersedes=[A], reason="a line was wrong"
    )
    casino.do("record_statement_lines", **piece(B))
    with pytest.raises(InputError, match="take it back first"):
        casino.send("import_statements", **corrected)
    back = {"write_off": f"{ONE}-1", "reason": "The player wrote.", "by": "eva"}
    (proposed,) = casino.do("propose_reversal", **back)
    assert (proposed.write_off, proposed.reverses, proposed.amount) == (
        f"{ONE}-2", f"{ONE}-1", -900,
    )  # fmt: skip
    casino.refuse("WRITE_OFF_SAME_PERSON", "confirm_write_off", write_off=f"{ONE}-2", by="eva")
    confirm(casino, 2, by="jana")
    with pytest.raises(InputError, match="was taken back"):
        casino.send("propose_reversal", **back)
    casino.do("import_statements", **corrected)
    with pytest.raises(InputError, match="does not count"):
        casino.send("propose_write_off", finding=ONE, amount=1, reason="r", by="jana")


def test_a_refused_proposal_books_nothing_and_another_may_follow(casino: Casino) -> None:
    set_rules(casino, 0, write_off_max=LIMIT)
    import_line(casino)
    propose(casino, 900)
    with pytest.raises(InputError, match="waits for a decision"):
        casino.send("propose_write_off", finding=ONE, amount=1, reason="r", by="eva")
    (refused,) = casino.do("decline_write_off", write_off=f"{ONE}-1", reason="Ask.", by="jana")
    assert (refused.finding, refused.by) == (ONE, "jana")
    assert propose(casino, 500).write_off == f"{ONE}-2"


def test_other_facts_of_the_finding_void_the_proposal(casino: Casino) -> None:
    set_rules(casino, 0, write_off_max=LIMIT)
    import_line(casino)
    propose(casino, 900)
    raised = {"finding": ONE, **FACTS, "fingerprint": "f" * 16, "amount": 950, "theirs": LINE}
    casino.do("note_findings", raised=[raised])
    with pytest.raises(InputError, match="other facts than at the proposal"):
        casino.send("confirm_write_off", write_off=f"{ONE}-1", by="eva")


@pytest.mark.parametrize(
    ("facts", "why"),
    [
        ({"theirs": {**LINE, "count": 2}}, "correct the books"),
        ({"theirs": {**LINE, "statement": B}}, "does not count"),
        ({"theirs": None}, "explain or close other findings"),
        ({"theirs": None, "account": "anna"}, "explain or close other findings"),
    ],
)
def test_what_is_no_line_payment_or_claim_is_not_written_off(
    casino: Casino, facts: dict[str, Any], why: str
) -> None:
    set_rules(casino, 0, write_off_max=LIMIT)
    import_line(casino, **facts)
    with pytest.raises(InputError, match=why):
        propose(casino, 1)


def test_a_payment_and_a_claim_are_written_off_where_they_are(casino: Casino) -> None:
    set_rules(casino, 0, write_off_max=100_000)
    late = casino.pay_in(100)
    position = casino.log.head().size - 1
    raised = {
        "finding": ONE, **FACTS, "amount": 100_00, "account": "anna",
        "ours": {"reference": late, "amount": 100_00, "position": position},
    }  # fmt: skip
    casino.do("note_findings", raised=[raised])
    event = propose(casino, 100_00)
    assert (event.item, event.entry, event.amount, event.account) == (
        "payment", position, -100_00, "",
    )  # fmt: skip
    casino.do(
        "withdraw", account="anna", withdrawal="w", amount=casino.account().wallet, method="bank"
    )
    casino.do("return_deposit", account="anna", deposit=late, reason="chargeback")
    assert casino.account().claims == 100_00
    other = "f" * 16
    casino.do("note_findings", raised=[{**raised, "finding": other, "ours": None}])
    assert propose(casino, 60_00, finding=other).item == "claim"
    casino.do("confirm_write_off", write_off=f"{other}-1", by="eva")
    assert casino.account().claims == 40_00
    casino.do("settle_claim", account="anna", amount=40_00, way="outside", reason="paid")
    casino.do("propose_reversal", write_off=f"{other}-1", reason="found", by="jana")
    casino.do("confirm_write_off", write_off=f"{other}-2", by="eva")
    assert casino.account().claims == 60_00
    propose(casino, 1_00, finding=other)
    casino.do("settle_claim", account="anna", amount=60_00, way="outside", reason="paid")
    casino.refuse("CLAIM_TOO_LOW", "confirm_write_off", write_off=f"{other}-3", by="eva")


STEPS = st.lists(
    st.tuples(
        st.sampled_from(["propose", "propose", "reverse", "confirm", "confirm", "refuse"]),
        st.integers(1, 1_200),
        st.sampled_from(["jana", "eva"]),
        st.integers(1, 4),
    ),
    max_size=14,
)


@settings(
    max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(steps=STEPS)
def test_whatever_is_tried_the_net_amount_stays_within_the_difference(
    casino: Casino, steps: list[tuple[str, int, str, int]]
) -> None:
    """And each booked amount has two persons."""
    finding = f"{casino.log.head().size:016x}"
    if not casino.all_events("MatchingRulesSet"):
        set_rules(casino, 0, write_off_max=LIMIT)
        import_line(casino)
    casino.do(
        "note_findings", raised=[{"finding": finding, **FACTS, "amount": 900, "theirs": LINE}]
    )
    booked: list[Any] = []
    for action, amount, by, number in steps:
        name = f"{finding}-{number}"
        sent: dict[str, tuple[str, dict[str, Any]]] = {
            "propose": ("propose_write_off", {"finding": finding, "amount": amount, "reason": "r"}),
            "reverse": ("propose_reversal", {"write_off": name, "reason": "r"}),
            "confirm": ("confirm_write_off", {"write_off": name}),
            "refuse": ("decline_write_off", {"write_off": name, "reason": "r"}),
        }
        command, facts = sent[action]
        try:
            receipt = casino.send(command, **facts, by=by)
        except InputError:
            continue
        if receipt.refused is None and action == "confirm":
            booked.append(casino.all_events()[-1])
    assert all(event.by != event.proposed_by for event in booked)
    net = 0
    for event in booked:
        net += event.amount
        assert 0 <= net <= 900
