"""Random complaints and objections get the answers that their rules, written apart, give."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tests.ledger.decisions.decisions_casino import command

if TYPE_CHECKING:
    from concurrent.futures import Future

    from ledger.writer import Receipt
    from tests.ledger.decisions.decisions_casino import Casino

STEPS: dict[str, dict[str, Any]] = {
    "file_complaint": {"grounds": "It was 4."},
    "decide_complaint": {"upheld": True, "explanation": "It was."},
    "request_cancellation": {"ground": "12(2)c", "explanation": "What was found."},
    "ask": {"ground": "12(4)"},
    "withdraw_cancellation": {},
    "file_objection": {"grounds": "It was not me."},
    "confirm_objection": {},
    "dismiss": {"upheld": False, "explanation": "It was you."},
    "uphold": {"upheld": True, "explanation": "It was not."},
}
REQUESTED = {"request_cancellation", "ask"}
FILED = {"file_complaint", "file_objection"}
ENDED = {"decide_complaint", "dismiss", "uphold"}
SENT_AS = {
    "dismiss": "decide_objection",
    "uphold": "decide_objection",
    "ask": "request_cancellation",
}


class Step(NamedTuple):
    """A command about a case of an account."""

    name: str
    account: str
    case: str

    def send(self, casino: Casino) -> Future[Receipt]:
        """Send it, without waiting for the answer."""
        name = SENT_AS.get(self.name, self.name)
        named = {"account": self.account, "case": self.case}
        if name.endswith("_cancellation"):
            del named["case"]
        return casino.ledger.submit(command(name, **named, **STEPS[self.name]))


def answer_of(step: Step, done: list[Step]) -> str:
    """Judge a step by all that was done before (SAZKA 12 and 16)."""
    name, account, case = step
    if account.startswith("nobody"):
        return f"account {account} is unknown; open it with open_account first"
    own = [one for one in done if one.account == account]
    ways = {*REQUESTED, "withdraw_cancellation", "uphold"}
    changes = [n for n, one in enumerate(own) if one.name in ways]
    last = own[changes[-1]].name if changes else ""
    runs = last in REQUESTED
    if name in REQUESTED:
        return "CANCELLATION_RUNS" if runs else ""
    if name not in {"file_complaint", "decide_complaint"}:
        if not runs:
            return "CANCELLATION_NOT_RUNNING"
        own = own[changes[-1] :]
    if name == "withdraw_cancellation":
        return "" if last == "ask" else "NOT_OWN_REQUEST"
    if name in FILED:
        text = f"case {case} exists already; give every case a name of its own"
        return text if any(one.name in FILED and one.case == case for one in done) else ""
    wanted = "file_complaint" if name == "decide_complaint" else "file_objection"
    was_filed = Step(wanted, account, case) in own
    is_ended = any(one.name in ENDED and one.case == case for one in own)
    return "" if was_filed and not is_ended else "CASE_NOT_OPEN"


LAPSED = [
    Step("request_cancellation", "anna", ""),
    Step("file_objection", "anna", "c1"),
    Step("file_objection", "anna", "c2"),
    Step("uphold", "anna", "c1"),
    Step("request_cancellation", "anna", ""),
    Step("dismiss", "anna", "c2"),
]
WITHDRAWN = [
    Step("ask", "anna", ""),
    Step("file_objection", "anna", "c1"),
    Step("withdraw_cancellation", "anna", ""),
    Step("ask", "anna", ""),
    Step("confirm_objection", "anna", "c1"),
]


@example(steps=LAPSED, in_one_batch=False)
@example(steps=WITHDRAWN, in_one_batch=True)
@given(
    steps=st.lists(
        st.builds(
            Step,
            st.sampled_from(list(STEPS)),
            st.sampled_from(["anna"] * 6 + ["bara", "nobody"]),
            st.sampled_from(["c1", "c2", "c3"]),
        ),
        min_size=10,
        max_size=40,
    ),
    in_one_batch=st.booleans(),
)
@settings(
    max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_cases_are_answered_by_what_was_done_before(
    house: Casino, steps: list[Step], *, in_one_batch: bool
) -> None:
    mark = house.new_name("x")
    done: list[Step] = []
    for account in ("anna", "bara"):
        house.register(f"{account}{mark}")
    steps = [Step(name, account + mark, case + mark) for name, account, case in steps]
    sent = (step.send(house) for step in steps)
    for step, answer in zip(steps, list(sent) if in_one_batch else sent, strict=True):
        error = answer.exception()
        refused = None if error else answer.result().refused
        said = str(error) if error else refused.code if refused else ""
        assert said == answer_of(step, done), (step, done)
        if not said:
            done.append(step)
