"""Reports of suspicion: sealed, in a chain apart, and in no other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from ledger.core.clock import StoppedClock
from ledger.core.errors import InputError
from ledger.decisions.suspicion import APART
from ledger.events.encoding import decode
from ledger.events.event_types import SuspicionReported
from ledger.log.memory import MemoryLog
from ledger.privacy import KeyStore, open_fields
from ledger.writer import Ledger
from tests.ledger.decisions.decisions_casino import CROWN, command

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.ledger.decisions.decisions_casino import Casino

REPORT = {
    "report": "s-1",
    "account": "anna",
    "transactions": "withdrawal w-77",
    "grounds": "the money was never played with",
    "sent": "2026-02-02 by data box, 4711",
    "suspected_at": "2026-02-02T08:00:00+01:00",
}


class Apart:
    """A chain apart."""

    def __init__(self, folder: Path) -> None:
        self.log, self.keys = MemoryLog(), KeyStore(folder)
        self.ledger = Ledger.create(
            self.log,
            self.keys,
            operator="26493993",
            operator_name="SAZKA a.s.",
            chain_name=f"sazka-live{APART}",
            clock=StoppedClock(1_795_219_200_000_000),
        )

    def report(self, **facts: Any) -> SuspicionReported:
        receipt = self.ledger.execute(command("report_suspicion", **REPORT | facts))
        ((_, message),) = self.log.read(receipt.last_position)
        event = decode(message).event
        assert isinstance(event, SuspicionReported)
        return event


@pytest.fixture
def apart(tmp_path: Path) -> Iterator[Apart]:
    made = Apart(tmp_path / "apart")
    with made.ledger:
        yield made


@pytest.mark.law("L-57")
def test_a_report_is_sealed_and_opens_with_the_keys_of_its_chain(apart: Apart) -> None:
    event = apart.report()
    opened = open_fields(apart.keys, event.person, event)
    assert opened == {
        "about": "anna",
        **{name: REPORT[name] for name in ("transactions", "grounds", "sent")},
    }
    messages = b"".join(message for _, message in apart.log.read())
    assert not [
        text for text in ("anna", "w-77", "never played", "4711") if text.encode() in messages
    ]


def test_reports_of_an_account_are_found_by_a_name_that_no_other_chain_has(
    apart: Apart, casino: Casino
) -> None:
    assert apart.report().person == apart.report(report="s-2").person
    assert apart.report(report="s-3", account="bert").person != apart.keys.person("anna")
    assert casino.account().person != apart.keys.person("anna")
    with pytest.raises(InputError, match="report s-2 exists already"):
        apart.report(report="s-2")


@pytest.mark.law("L-57")
def test_no_other_chain_takes_a_report(casino: Casino) -> None:
    casino.fail("belongs into a chain apart", "report_suspicion", **REPORT)


@pytest.mark.law("L-57")
def test_an_erasure_in_the_main_chain_says_nothing_of_reports(casino: Casino) -> None:
    casino.do("withdraw", account="anna", withdrawal="w", amount=100_000 * CROWN, method="bank")
    casino.do("pay_withdrawal", account="anna", withdrawal="w")
    casino.do("request_cancellation", account="anna", ground="12(4)")
    casino.do("confirm_cancellation", account="anna", notice="sent")
    casino.wait(minutes=30 * 24 * 60)
    casino.do("close_account", account="anna")
    (erased,) = casino.erase()
    assert erased.fields
    assert not [field for field in erased.fields if "Suspicion" in field]
