"""A decision that does not balance is not recorded, and harms nothing beside it."""

from __future__ import annotations

from threading import Event
from typing import TYPE_CHECKING, Any

import pytest

from ledger.core.errors import IntegrityError
from ledger.decisions.balance import UnbalancedError
from ledger.decisions.decider import DECISIONS
from ledger.decisions.payments.payments import Deposit
from ledger.decisions.rounds.betting import PlaceBet, WithdrawBet
from ledger.events import event_types as e
from tests.ledger.decisions.decisions_casino import CROWN, Casino, command

if TYPE_CHECKING:
    from concurrent.futures import Future

    from ledger.writer import Receipt


def back(bet: str, amount: int) -> list[e.Event]:
    """Make the events of a bet of 100 CZK that is taken back, of another stake maybe."""
    round_ = bet.rpartition("-")[0]
    return [e.BetWithdrawn(bet=bet, account="anna", round=round_, amount=amount)]


def lost(bet: str, stake: int) -> list[e.Event]:
    """Make the events of its loss."""
    facts: dict[str, Any] = {"due": 0, "paid": 0, "rule": "12", "result": "lose"}
    round_ = bet.rpartition("-")[0]
    return [e.BetSettled(bet=bet, account="anna", round=round_, stake=stake, **facts)]


def for_bara(bet: str, amount: int) -> list[e.Event]:
    """Make the events that give what is anna's to bara: no money is lost, but it moves."""
    return [
        *back(bet, 100 * CROWN - amount),
        e.FeeReturned(account="bara", fee="f", amount=amount, reason=""),
        e.FeeCharged(account="", fee="f", amount=amount, reason=""),
    ]


@pytest.mark.parametrize(
    ("events", "amount", "said"),
    [
        (back, 90 * CROWN, "BetWithdrawn.* -1000 haléř too much for account 'anna'"),
        (back, 110 * CROWN, "BetWithdrawn.* 1000 haléř too much"),
        (lost, 90 * CROWN, "BetSettled.* -1000 haléř too much"),
        (for_bara, 10 * CROWN, "BetWithdrawn, FeeReturned, FeeCharged.* -1000 haléř .* 'anna'"),
    ],
)
def test_nothing_of_a_decision_that_does_not_balance_is_recorded(
    casino: Casino, monkeypatch: pytest.MonkeyPatch, events: Any, amount: int, said: str
) -> None:
    round_ = casino.open_round()
    bet = casino.bet(round_)
    head = casino.ledger.head
    identifier = "00000000-0000-0000-0000-000000000007"
    taken = {"account": "anna", "round": round_, "bet": bet, "command_id": identifier}
    with monkeypatch.context() as patch:
        patch.setitem(DECISIONS, WithdrawBet, lambda *_: events(bet, amount))
        with pytest.raises(UnbalancedError, match=f"{identifier} .*{said}") as caught:
            casino.send("withdraw_bet", **taken)
    assert isinstance(caught.value, IntegrityError)
    assert casino.ledger.head == head
    assert casino.account().wallet == 99_900 * CROWN
    casino.assert_cold_is_hot()
    casino.do("withdraw_bet", **taken)
    assert casino.account().wallet == 100_000 * CROWN


def test_decisions_of_the_same_batch_are_recorded(
    casino: Casino, monkeypatch: pytest.MonkeyPatch
) -> None:
    round_, gate = casino.open_round(), Event()
    bet = casino.bet(round_)
    chips = [command("place_bet", **casino.chips(round_)) for _ in range(2)]
    place_bet = DECISIONS[PlaceBet]

    def waiting(*arguments: Any) -> list[e.Event]:
        gate.wait(120)
        return place_bet(*arguments)

    monkeypatch.setitem(DECISIONS, PlaceBet, waiting)
    monkeypatch.setitem(DECISIONS, WithdrawBet, lambda *_: lost(bet, 90 * CROWN))
    paid = {"account": "anna", "deposit": "late", "amount": 500, "method": "bank"}
    taken = {"account": "anna", "round": round_, "bet": bet}
    answers: list[Future[Receipt]] = [
        casino.ledger.submit(one)
        for one in (*chips, command("withdraw_bet", **taken), Deposit(**paid))
    ]
    gate.set()
    assert isinstance(answers[2].exception(), UnbalancedError)
    found = [answers[place].result() for place in (0, 1, 3)]
    first = found[0].first_position
    assert [receipt.first_position for receipt in found] == [first, first + 1, first + 2]
    assert casino.ledger.head.size == first + 3
    assert casino.account().wallet == 99_700 * CROWN + 500
    casino.assert_cold_is_hot()
