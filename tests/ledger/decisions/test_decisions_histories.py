"""Random histories through the API: cold equals hot, money is conserved, nobody owes."""

from __future__ import annotations

import tempfile
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ledger.core.clock import HOUR, MINUTE, day_of
from ledger.core.errors import InputError
from tests.ledger.decisions.decisions_casino import Casino
from tests.ledger.decisions.test_decisions_books import folded_from_the_beginning
from tests.search import amount

if TYPE_CHECKING:
    from collections.abc import Callable

PLAYERS = ("anna", "bara")
SPANS = (1, 15 * MINUTE, 2 * HOUR, 24 * HOUR, 16 * 24 * HOUR)
MONEY_IN = {"DepositCredited": "amount", "FeeReturned": "amount", "WithdrawalCancelled": "amount",
            "BetSettled": "paid", "BetWithdrawn": "amount", "BetReturned": "amount",
            "BetVoided": "amount", "WinCorrected": "difference"}  # fmt: skip
MONEY_OUT = {"WithdrawalRequested": "amount", "FeeCharged": "amount", "BalanceReturned": "amount",
             "BetPlaced": "stake", "BetCorrected": "difference",
             "PrizeWithheld": "collected"}  # fmt: skip


class History:
    """Turns pairs of numbers into commands that are mostly possible."""

    def __init__(self, casino: Casino) -> None:
        self.casino = casino
        self.bets: list[tuple[str, str, str]] = []
        self.rounds: list[str] = []
        self.steps: list[Callable[[str, int], None]] = [
            self.bet, self.play_on, self.ready, self.wait, self.bet, self.play_on, self.ready,
            self.bet, self.play_on, self.deposit, self.bet, self.play_on, self.correct,
            self.withdraw, self.end_withdrawal, self.fee, self.session, self.register_says,
            self.seat, self.connection, self.take_back, self.close, self.void, self.limit,
            self.protect, self.cancellation, self.books, self.settle_claim,
        ]  # fmt: skip

    def send(self, name: str, **facts: Any) -> None:
        with suppress(InputError):
            self.casino.send(name, **facts)

    def pick(self, items: list[Any], number: int, default: Any = "none") -> Any:
        return items[-1 - number % min(len(items), 3)] if items else default

    def wait(self, _: str, number: int) -> None:
        self.casino.clock.moment += SPANS[number % len(SPANS)] - number % 2

    def deposit(self, account: str, number: int) -> None:
        method = ("bank", "card", "cash", "friend")[number % 4]
        facts = {"deposit": self.casino.new_name("d"), "amount": number * 100 + 1}
        facts |= {"method": method, "document_shown": True, "received": number % 3 == 0}
        self.send("deposit", account=account, **facts)
        if number % 5 == 0:
            back = {"deposit": facts["deposit"], "reason": "r"}
            self.send("return_deposit", account=account, **back)

    def withdraw(self, account: str, number: int) -> None:
        facts = {"withdrawal": f"w{number % 4}", "amount": number * 50 + 1}
        method = ("bank", "cash", "card")[number % 3]
        self.send("withdraw", account=account, method=method, document_shown=True, **facts)

    def end_withdrawal(self, account: str, number: int) -> None:
        named = {"account": account, "withdrawal": f"w{number // 2 % 4}"}
        if number % 2:
            self.send("pay_withdrawal", **named)
        else:
            self.send("cancel_withdrawal", reason="r", **named)

    def fee(self, account: str, number: int) -> None:
        named = {"account": account, "fee": f"f{number % 3}", "amount": number + 1, "reason": "r"}
        self.send("charge_fee" if number % 2 else "return_fee", **named)

    def session(self, account: str, number: int) -> None:
        if number % 2:
            self.send("log_out", account=account)
        answer = ("clear", "clear", "listed", "unavailable")[number % 4]
        session = self.casino.new_name("s")
        self.send("log_in", account=account, session=session, register=answer)

    def ready(self, account: str, number: int) -> None:
        """Bring a participant back to where bets are possible."""
        self.send("end_exclusion", account=account, ground="court")
        if number % 2:
            self.send("withdraw_cancellation", account=account)
        self.send("log_out", account=account)
        self.session(account, 0)
        self.send("reconnect", account=account, table="r1")
        self.send("take_seat", account=account, table="r1")

    def register_says(self, account: str, number: int) -> None:
        answer = "clear" if number % 3 else "listed"
        self.send("check_register", account=account, register=answer)

    def seat(self, account: str, number: int) -> None:
        table = ("r1", "r2", "l1")[number % 3]
        self.send("take_seat" if number % 2 else "leave_seat", account=account, table=table)

    def connection(self, account: str, number: int) -> None:
        self.send("disconnect" if number % 2 else "reconnect", account=account, table="r1")

    def bet(self, account: str, number: int) -> None:
        table = ("r1", "r1", "r1", "r2", "l1")[number % 5]
        round_ = self.casino.ledger._ledger_state.operator_state.tables[table].round
        if not round_:
            round_ = self.casino.new_name("q")
            self.rounds.append(round_)
            self.send("open_round", round=round_, table=table)
        chips = self.casino.chips(round_, number % 150 + 1, account)
        if number % 2:
            chips["bet_code"] = "black"
        self.bets.append((chips["bet"], round_, account))
        self.send("place_bet", **chips)

    def take_back(self, _: str, number: int) -> None:
        bet, round_, account = self.pick(self.bets, number, ("none-1", "none", "anna"))
        self.send("withdraw_bet", bet=bet, round=round_, account=account)

    def close(self, _: str, number: int) -> None:
        self.send("close_bets", round=self.pick(self.rounds, number))

    def play_on(self, _: str, number: int) -> None:
        round_, pocket = self.pick(self.rounds, number), number % 37
        wheel = {"wheel_direction": "clockwise", "ball_direction": "counterclockwise"}
        self.send("spin_wheel", round=round_, revolutions=3 + number % 9, **wheel)
        self.send("close_bets", round=round_)
        self.send("land_ball", round=round_, number=pocket)
        if number % 7 == 0:
            self.send("reconstruct_round", round=round_, how="h", by="b", succeeded=True)
        self.send("record_result", round=round_, outcome={"number": pocket})
        if number % 4:
            self.send("settle_round", round=round_)

    def void(self, account: str, number: int) -> None:
        ground = ("operator_interruption", "tampering", "operator_interruption")[number % 3]
        named = {"round": self.pick(self.rounds, number), "ground": ground}
        if number % 2:
            self.send("void_round", **named)
        else:
            self.send("void_bets", account=account, **named)

    def correct(self, _: str, number: int) -> None:
        bet, round_, _account = self.pick(self.bets, number, ("none-1", "none", "anna"))
        named = {"bet": bet, "round": round_, "cause": "c"}
        kind = number % 3
        if kind and number % 2000 != 1000:
            command = "correct_win" if kind == 1 else "correct_bet"
            self.send(command, difference=(number % 2000) - 1000, **named)
        else:
            self.send("withhold_prize", amount=number + 1, paragraph="SAZKA 15(1)", **named)

    def settle_claim(self, account: str, number: int) -> None:
        way = "wallet" if number % 2 else "outside"
        self.send("settle_claim", account=account, amount=number + 1, way=way, reason="r")

    def limit(self, account: str, number: int) -> None:
        named = {"account": account, "measure": "abcdefg"[number % 7]}
        if number % 3:
            self.send("set_limit", value=number * 30 + 10_000, **named)
        else:
            self.send("decline_limit", **named)

    def protect(self, account: str, number: int) -> None:
        ground = {"account": account, "ground": "court"}
        kind = number % 3
        if kind == 0:
            self.send("press_panic_button", account=account)
        else:
            self.send("impose_exclusion" if kind == 1 else "end_exclusion", **ground)

    def cancellation(self, account: str, number: int) -> None:
        named = {"account": account}
        case = named | {"case": f"c{account}{number % 2}"}
        decided = case | {"explanation": "e", "upheld": number % 4 == 0}
        commands: list[tuple[str, dict[str, Any]]] = [
            ("request_cancellation", named | {"ground": "12(4)"}),
            ("confirm_cancellation", named | {"notice": "n"}),
            ("withdraw_cancellation", named),
            ("file_objection", case | {"grounds": "g"}),
            ("decide_objection", decided),
            ("file_complaint", case | {"grounds": "g"}),
            ("decide_complaint", decided),
            ("close_account", named),
            ("erase_person", named),
        ]
        for name, facts in commands[:2] if number % 2 else []:
            self.send(name, **facts)
        if number % 8 == 7:
            self.casino.clock.moment += 17 * 24 * HOUR
        name, facts = commands[number % len(commands)]
        self.send(name, **facts)

    def books(self, account: str, _: int) -> None:
        self.send("close_books", account=account)


def money_of(casino: Casino, account: str) -> int:
    """Add up what the events of an account did to its wallet; the wallet is never below zero."""
    wallet = 0
    for event in casino.all_events():
        name = type(event).__name__
        if getattr(event, "account", "") == account:
            wallet += getattr(event, MONEY_IN.get(name, ""), 0)
            wallet -= getattr(event, MONEY_OUT.get(name, ""), 0)
            wallet += getattr(event, "claimed", 0) if name != "PrizeWithheld" else 0
            if name == "DepositReturned" and event.credited:
                wallet -= event.amount
            if name == "ClaimSettled" and event.way == "wallet":
                wallet -= event.amount
        assert wallet >= 0
    return wallet


def assert_books_add_up(casino: Casino, account: str) -> None:
    closing, days = 0, []
    for s in casino.all_events("AccountStatement"):
        if s.account == account:
            assert s.opening == closing
            moved = s.deposits - s.withdrawals - s.fees - s.stakes + s.winnings + s.corrections
            assert s.closing == s.opening + moved
            closing = s.closing
            days.append(s.gaming_day)
    assert days == sorted(set(days))
    assert all(day < day_of(casino.clock.moment) for day in days)


def claims_of(casino: Casino, account: str) -> int:
    """Add up what an account owes; it never is owed more than it owes."""
    claims = 0
    for event in casino.all_events():
        if getattr(event, "account", "") == account:
            claims += getattr(event, "claimed", 0)
            claims -= event.amount if type(event).__name__ == "ClaimSettled" else 0
        assert claims >= 0
    return claims


steps = st.lists(
    st.tuples(st.integers(0, 27), st.sampled_from(PLAYERS), st.integers(0, 5000)),
    min_size=20,
    max_size=70,
)


@pytest.mark.slow
@settings(
    max_examples=amount(30, 120),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(steps)
def test_after_any_history_cold_equals_hot_and_money_is_conserved(
    history: list[tuple[int, str, int]],
) -> None:
    with tempfile.TemporaryDirectory() as directory:
        casino = Casino(Path(directory))
        casino.open_house()
        for player in PLAYERS:
            casino.player(player, money=1000)
        walk = History(casino)
        for step, account, number in history:
            walk.steps[step](account, number)
        for player in PLAYERS:
            state = casino.account(player)
            assert state.wallet == money_of(casino, player)
            assert state.session_mode == "full" or not state.reserved
            assert state.claims == claims_of(casino, player)
            assert folded_from_the_beginning(casino, player) == state
            assert_books_add_up(casino, player)
        casino.assert_cold_is_hot()
        casino.ledger.close()
