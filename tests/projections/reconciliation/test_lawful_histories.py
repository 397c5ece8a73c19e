"""Histories that break nothing, at random: the read side finds nothing in them.

The write side decides each command, the driver does the duties of people (it settles, reports,
answers, logs out in time). They stand in one chain, one after the other, so that they are projected
and reconciled once. ``GAMELEDGER_LAWFUL_HISTORIES=500`` plays as many as were played when this was
written; the suite plays fewer.
"""

from __future__ import annotations

import os
import random
from collections import Counter, deque
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import pytest

from ledger import games
from ledger.core.clock import DAY, HOUR, MINUTE, midnight_after, months_before, to_datetime
from ledger.core.errors import InputError
from ledger.decisions.protection.measures import login_time_left
from ledger.games.baccarat.coup import does_banker_draw, does_player_draw, hand_value
from projections.reconciliation.reconcile import reconcile
from tests.projections.history_cases import PARTS, VERSION

if TYPE_CHECKING:
    from projections.store.tables import Store
    from tests.projections.history_cases import Casino

HISTORIES = int(os.environ.get("GAMELEDGER_LAWFUL_HISTORIES", "50"))
OF_A_CHAIN = 200
"""More than two years, so that accounts fall asleep; after three, unclaimed money is told."""
BACCARAT, FORTUNE = "baccarat.commission", "69games.lucky_wheel"
TABLES = ("t", "u")
"""Streamed: a roulette and a baccarat. A wheel of fortune stands on land."""
BETS = {
    "t": ("red", "black", "even"),
    "u": ("player", "banker", "tie", "any_pair"),
    "wheel": ("x1", "x2", "x10"),
}
FIELDS = [*17 * ["x1"], *10 * ["x2"], *5 * ["x5"], *2 * ["x10"], "x25_black", "x25_pink"]
VOIDS = {"t": "operator_interruption", "u": "game_error"}
NOTICE = {"notice": "n", "way": "email", "parts": PARTS}
SHOE = [rank + suit for rank in "23456789TJQKA" for suit in "CDHS"] * 8
WAITS = (1, MINUTE, MINUTE, 20 * MINUTE, HOUR, 5 * HOUR, 12 * HOUR)
STEPS = """
    play play play play play play play fortune void limit decline log log log money money cash cash
    wait wait wait move panic complaint check cancel suspend
"""
MEASURES = {
    **dict.fromkeys("abcd", (50_000, 10**6, 10**7)), "e": (2, 9, 30), "f": (30, 200, 900),
    "g": (0, 90, 600),
}  # fmt: skip


class Lawful:
    """One participant, from the registration on; whatever is refused has not happened."""

    def __init__(
        self, casino: Casino, number: int, seen: Counter[str], unused: deque[tuple[int, str]]
    ) -> None:
        self.casino, self.draw, self.seen = casino, random.Random(number), seen
        self.unused, self.used_at = unused, casino.clock.moment
        self.number, self.named, self.account = number, 0, f"a{number}"
        self.is_temporary = number % 12 == 5
        self.opened_at = self.asked_at = casino.clock.moment
        self.send(
            "open_account",
            identity=f"CZ {number}",
            name="Jan",
            birth_date="1990-01-01",
            email="jan@example.org",
            register=self.draw.choice(("clear", "clear", "unavailable")),
            verified_how="bank identity",
            address="Dlouhá 1, 110 00 Praha 1",
            plan_version=VERSION,
            regime="temporary" if self.is_temporary else "permanent",
        )
        self.send(
            "register_payment_method",
            method="bank",
            method_class="account",
            masked="**1",
            country="US" if number % 9 == 1 else "CZ",
            proof="declaration" if number % 9 == 2 else "test_payment",
        )
        for measure in self.draw.sample("abcdefg", self.draw.choice((6, 7, 7, 7, 7, 7))):
            self.limit(measure) if self.draw.random() < 0.3 else self.decline(measure)
        self.send("check_person", check="control", how="document")
        self.money()
        self.log()

    def live(self) -> None:
        for _ in range(self.draw.randrange(10, 40)):
            getattr(self, self.draw.choice(STEPS.split()))()
            self.casino.clock.moment += 1_000
        self.send("log_out")
        if self.number % 12 == 7:
            self.close()
        if self.is_temporary:
            over_at = self.opened_at + 30 * DAY
            self.wait(max(over_at - self.casino.clock.moment, 0))
            self.send("end_temporary_account")
        self.unused.append((self.used_at, self.account))

    def send(self, command: str, **fields: Any) -> bool:
        """Send a command; tell whether it was carried out."""
        with suppress(InputError):
            receipt = self.casino.do(command, **{"account": self.account} | fields)
            self.seen[receipt.refused.code if receipt.refused else command] += 1
            if command in ("log_in", "check_register") and receipt.refused is None:
                self.asked_at = self.casino.clock.moment
            if command == "log_in" and receipt.refused is None:
                self.used_at = self.casino.clock.moment
            return receipt.refused is None
        return False

    def house(self, command: str, **fields: Any) -> bool:
        with suppress(InputError):
            return self.casino.do(command, **fields).refused is None
        return False

    def new(self, letter: str) -> str:
        self.named += 1
        return f"{letter}{self.number}-{self.named}"

    def wait(self, length: int | None = None) -> None:
        """Let time pass; who reaches the login time is logged out in that moment."""
        clock = self.casino.clock
        until = clock.moment + (self.draw.choice(WAITS) if length is None else length)
        while clock.moment < until:
            self.cancel_unused()
            account = self.casino.ledger._ledger_state.account_now(self.account)
            to = min(until, midnight_after(clock.moment))
            if account.session and not account.exclusions and to > self.asked_at + 23 * HOUR:
                self.send("check_register", register="clear")
            left = login_time_left(account, clock.moment) if account.session else None
            if left is not None and clock.moment + max(left, 0) <= to:
                clock.moment += max(left, 0)
                self.seen["time_limit"] += self.send("log_out", cause="time_limit")
                continue
            clock.moment = max(to, clock.moment)

    def cancel_unused(self) -> None:
        """Do the duty of the operator: cancel accounts that nobody used for 24 months."""
        while self.unused and self.unused[0][0] <= months_before(self.casino.clock.moment, 24):
            _, account = self.unused.popleft()
            why = {"ground": "12(1)b", "explanation": "24 months"}
            if self.house("request_cancellation", account=account, **why):
                self.house("confirm_cancellation", account=account, **NOTICE)

    def table(self) -> str:
        """Choose a table, and mostly sit down at it."""
        table = self.draw.choice(TABLES)
        if self.draw.random() < 0.9:
            self.enter(self.draw.choice(("clear", "clear", "unavailable")))
            if self.draw.random() < 0.8:
                self.send("leave_seat", table=TABLES[table == TABLES[0]])
            self.send("take_seat", table=table)
        return table

    def play(self) -> None:
        """Play a round at one of the streamed tables, to its settlement."""
        self.round_at(self.table())

    def fortune(self) -> None:
        """Play a round at the wheel on land."""
        self.round_at("wheel")

    def round_at(self, table: str) -> None:
        name = self.new("r")
        if not self.open(name, table):
            return
        for _ in range(self.draw.randrange(4)):
            self.bet(name, table)
            self.wait(self.draw.choice((MINUTE, 10 * MINUTE, 50 * MINUTE)))
        results = {"t": self.spin, "u": self.coup, "wheel": self.turn}
        outcome, wording = results[table](name)
        assert self.house("record_result", round=name, outcome=outcome, wording=wording)
        self.seen[f"result {table}"] += 1
        self.wait(self.draw.choice((0, MINUTE)))
        if self.house("settle_round", round=name):  # without bets it is settled with the result
            self.seen["settle_round"] += 1

    def open(self, name: str, table: str) -> bool:
        """Open a round; the roulette is filmed."""
        is_open = self.house("open_round", round=name, table=table)
        if is_open and table == "t":
            begins, ends = (
                to_datetime(self.casino.clock.moment + after).isoformat() for after in (0, HOUR)
            )
            of = {"begins_at": begins, "ends_at": ends, "sound": True}
            assert self.house("keep_recording", round=name, camera="c", recording=name, **of)
        return is_open

    def spin(self, name: str) -> tuple[dict[str, Any], str]:
        """Spin the ball, close, and let it fall."""
        wheel = {"wheel_direction": "clockwise", "ball_direction": "counterclockwise"}
        self.house("spin_wheel", round=name, revolutions=9, **wheel)
        self.house("close_bets", round=name)
        number = self.draw.randrange(37)
        self.house("land_ball", round=name, number=number)
        return {"number": number}, str(number)

    def turn(self, name: str) -> tuple[dict[str, Any], str]:
        """Close, turn the wheel of fortune, and let it rest."""
        self.house("close_bets", round=name)
        self.house("spin_wheel", round=name, revolutions=5, wheel_direction="clockwise")
        field = self.draw.choice(FIELDS)
        self.house("stop_wheel", round=name, field=field)
        return {"field": field}, field

    def coup(self, name: str) -> tuple[dict[str, Any], str]:
        """Close and deal a coup from a shuffled shoe."""
        self.house("close_bets", round=name)
        cards, hands = self.draw.sample(SHOE, 6), {"player": [], "banker": []}

        def deal(hand: str) -> None:
            index = sum(map(len, hands.values()))
            hands[hand].append(cards[index])
            facts = {"recipient": hand, "face_up": True, "card": cards[index]}
            assert self.house("deal_card", round=name, index=index, **facts)

        def value(hand: str) -> int:
            return hand_value(games.parse_cards(hands[hand]))

        for hand in ("player", "banker", "player", "banker"):
            deal(hand)
        player, banker, third = value("player"), value("banker"), None
        if does_player_draw(player, banker):
            deal("player")
            third = hand_value(games.parse_cards(hands["player"][2:]))
        if does_banker_draw(player, banker, third):
            deal("banker")
        return hands, "coup"

    def bet(self, name: str, table: str) -> None:
        stake = self.draw.randrange(1, 60) * 1_000
        self.named += 1
        bet = f"{name}-{self.named}"
        code = self.draw.choice(BETS[table])
        if self.send("place_bet", bet=bet, round=name, bet_code=code, stake=stake):
            self.send("show_information", kind="net_result", net_result=0)

    def void(self) -> None:
        table, name = self.table(), self.new("r")
        if self.open(name, table):
            self.bet(name, table)
            if self.draw.random() < 0.5:
                self.house("close_bets", round=name)
            tried = {"how": "cameras", "by": "inspector", "succeeded": False}
            self.house("reconstruct_round", round=name, **tried)
            told = {"channels": ["voice", "chat"], "wording": "A fault.", "by": "dealer"}
            self.house("suspend_table", table=table, cause="fault")
            self.house("announce_fault", table=table, **told)
            assert self.house("void_round", round=name, ground=VOIDS[table])
            self.house("resume_table", table=table, cause="mended")

    def move(self) -> None:
        for table in TABLES:
            self.send("leave_seat", table=table)

    def limit(self, measure: str = "") -> None:
        measure = measure or self.draw.choice("abcdefg")
        self.send("set_limit", measure=measure, value=self.draw.choice(MEASURES[measure]))

    def decline(self, measure: str = "") -> None:
        self.send("decline_limit", measure=measure or self.draw.choice("abcdefg"))

    def log(self) -> None:
        if self.draw.random() < 0.3:
            self.send("log_out")
            self.wait(self.draw.choice((MINUTE, HOUR)))
        self.enter("listed" if self.draw.random() < 0.05 else "clear")

    def enter(self, answer: str) -> None:
        if not self.casino.ledger._ledger_state.account_now(self.account).session:
            self.send("log_in", session=self.new("s"), register=answer)

    def money(self) -> None:
        amount = self.draw.randrange(1, 200) * 10_000
        if self.draw.random() < 0.7:
            self.send("deposit", deposit=self.new("d"), amount=amount, method="bank")
        else:
            name = self.new("w")
            self.send("withdraw", withdrawal=name, amount=amount, method="bank")
            self.send("pay_withdrawal", withdrawal=name)

    def cash(self) -> None:
        paid = {"amount": self.draw.randrange(1, 100) * 10_000, "method": "cash"}
        shown = self.draw.random() < 0.8
        if self.draw.random() < 0.6:
            self.send("deposit", deposit=self.new("d"), document_shown=shown, **paid)
        else:
            self.send("withdraw", withdrawal=self.new("w"), document_shown=shown, **paid)

    def panic(self) -> None:
        if self.draw.random() < 0.2 and self.send("press_panic_button"):
            self.wait(self.draw.choice((1, HOUR)))
            assert self.send("report_panic_button", acknowledged=True)
            assert self.send("offer_long_exclusion", answer="declined")

    def complaint(self) -> None:
        case = self.new("k")
        self.send("file_complaint", case=case, grounds="g")
        self.wait()
        self.send("decide_complaint", case=case, upheld=False, explanation="e")

    def check(self) -> None:
        self.send("check_register", register=self.draw.choice((*["clear"] * 9, "listed")))

    def cancel(self) -> None:
        if self.draw.random() < 0.15 and self.send("request_cancellation", ground="12(4)"):
            self.send("confirm_cancellation", **NOTICE)
            self.wait()
            self.send("close_account")
            self.send("withdraw_cancellation")

    def close(self) -> None:
        self.send("request_cancellation", ground="12(4)")
        self.wait(HOUR)
        self.send("confirm_cancellation", **NOTICE)
        self.wait(20 * DAY)
        self.send("close_account")

    def suspend(self) -> None:
        table = self.draw.choice(TABLES)
        self.house("suspend_table", table=table, cause="c")
        self.play()
        self.house("resume_table", table=table, cause="c")


EXPECTED = {
    "result t", "result u", "result wheel",
    "settle_round", "place_bet", "press_panic_button", "decide_complaint", "close_account",
    "end_temporary_account", "MEASURES_MISSING", "MEASURE_LOGINS", "time_limit",
    "MEASURE_PAUSE", "MEASURE_STAKES_DAY", "MEASURE_LOSS_DAY", "CASH_LIMIT", "TEMPORARY_DEPOSITS",
    "TEMPORARY_ACCOUNT", "CLOSING_TOO_EARLY", "PANIC_BLOCK", "EXCLUDED", "OTHER_TABLE",
    "DOCUMENT_NOT_SHOWN", "METHOD_NOT_REGISTERED",
}  # fmt: skip
"""What has to occur before the histories say anything."""


@pytest.mark.law("SAZKA 8(5)", "SAZKA 8(11)", "SAZKA 12(6)", "L-28", "L-30", "L-43", "L-44", "L-48")
@pytest.mark.parametrize("first", range(0, HISTORIES, OF_A_CHAIN))
def test_nothing_is_found_in_lawful_histories(casino: Casino, store: Store, first: int) -> None:
    for table, game, kind in (("u", BACCARAT, "shoe"), ("wheel", FORTUNE, "wheel")):
        casino.do("list_game", game=game, name=game, category="m")
        rules = {"plan_version": "unknown", "effective_from": "2025-01-21T00:00:00+01:00"}
        casino.do("publish_rules", game=game, **rules)
        casino.do("launch_game", game=game)
        where = {"registration": "2", "place": "p", "streamed": table == "u"}
        assert casino.do("open_table", table=table, game=game, **where).refused is None
        casino.do("assign_device", table=table, device=f"x-{table}", kind=kind, serial="X")
        casino.do("seat_dealer", table=table, dealer=f"d-{table}")
    seen, unused = Counter[str](), deque[tuple[int, str]]()
    for number in range(first, min(first + OF_A_CHAIN, HISTORIES)):
        Lawful(casino, number, seen, unused).live()
    assert seen.keys() >= EXPECTED, EXPECTED - seen.keys()
    casino.project(store)
    assert reconcile(store) == []
