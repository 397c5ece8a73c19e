"""No history passes a measure: at each conclusion, over midnights, month ends, clock changes."""

from __future__ import annotations

import tempfile
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, event, example, given, settings
from hypothesis import strategies as st

from ledger.core.clock import HOUR, MINUTE, SECOND, midnight_after
from ledger.core.errors import InputError
from tests.ledger.decisions.decisions_casino import Casino
from tests.ledger.decisions.poker_room import Room
from tests.measures_twin import MeasuresTwin
from tests.search import amount

if TYPE_CHECKING:
    from collections.abc import Callable

STARTS = (
    "2026-03-28 20:00",  # the clocks go forward in the night after
    "2026-10-24 20:00",  # and back again
    "2026-03-31 20:00",  # the last evening of a month
    "2026-12-31 20:00",
)
SPANS = (1, 10 * SECOND, 20 * MINUTE, HOUR, 12 * HOUR, 24 * HOUR)
NAME = "anna"


class History:
    """Turns pairs of numbers into commands; whatever is not possible is refused."""

    def __init__(self, casino: Casino, start: str) -> None:
        self.casino = casino
        casino.at(start)
        casino.open_house()
        self.room = Room(casino)
        for name in (NAME, "bara"):
            casino.player(name)
            casino.do("take_seat", account=name, table="l1")
            casino.do("take_seat", account=name, table="x1")
        self.steps: tuple[Callable[[int], None], ...] = (
            self.wait, self.to_midnight, self.bet, self.bet, self.bet, self.close, self.close,
            self.settle, self.void, self.limit, self.limit, self.act, self.act, self.misdeal,
            self.session,
        )  # fmt: skip

    def send(self, name: str, **facts: Any) -> None:
        with suppress(InputError):
            self.casino.send(name, **facts)

    def table(self, number: int) -> str:
        return ("r1", "l1")[number % 2]

    def running(self, number: int) -> str:
        return (
            self.casino.ledger._ledger_state.operator_state.tables[self.table(number)].round
            or "none"
        )

    def wait(self, number: int) -> None:
        self.casino.clock.moment += SPANS[number % len(SPANS)]

    def to_midnight(self, number: int) -> None:
        """Go to ten seconds before midnight, or to the midnight itself."""
        midnight = midnight_after(self.casino.clock.moment)
        before = midnight - number % 2 * 10 * SECOND
        self.casino.clock.moment = max(before, self.casino.clock.moment)

    def bet(self, number: int) -> None:
        table = self.table(number)
        if self.running(number) == "none":
            self.send("open_round", round=self.casino.new_name("q"), table=table)
        chips = self.casino.chips(self.running(number), number % 30 + 1)
        self.send("place_bet", **chips)

    def close(self, number: int) -> None:
        self.send("close_bets", round=self.running(number))

    def settle(self, number: int) -> None:
        round_, pocket = self.running(number), number % 37
        wheel = {"wheel_direction": "clockwise", "ball_direction": "counterclockwise"}
        self.send("spin_wheel", round=round_, revolutions=9, **wheel)
        self.send("close_bets", round=round_)
        self.send("land_ball", round=round_, number=pocket)
        self.send("record_result", round=round_)
        self.send("settle_round", round=round_)

    def void(self, number: int) -> None:
        self.send("void_round", round=self.running(number), ground="operator_interruption")

    def limit(self, number: int) -> None:
        named = {"account": NAME, "measure": "abcdfg"[number % 6]}
        value = number % 60 + 1 if number % 6 >= 4 else (number % 50 + 1) * 200
        if number % 5:
            self.send("set_limit", value=value, **named)
        else:
            self.send("decline_limit", **named)

    def act(self, number: int) -> None:
        hand = self.casino.ledger._ledger_state.operator_state.tables["x1"].round
        if not hand:
            self.send("start_hand", **self.room.terms(self.casino.new_name("h"), NAME, "bara"))
            return
        acts = (("post", 50), ("raise", 150), ("call", 50), ("fold", 0), ("raise", 300))
        action, amount = acts[number % len(acts)]
        player = (NAME, "bara")[number % 2]
        amount = 100 if action == "post" and player == "bara" else amount
        named = {"round": hand, "account": player, "action": action}
        self.send("act_in_hand", amount=amount * 100, **named)
        if action == "fold":
            self.send("settle_hand", round=hand)

    def misdeal(self, _: int) -> None:
        hand = self.casino.ledger._ledger_state.operator_state.tables["x1"].round or "none"
        self.send("declare_misdeal", round=hand, ground="misdeal_extra_cards")

    def session(self, number: int) -> None:
        self.send("log_out", account=NAME)
        self.wait(number)
        self.send("log_in", account=NAME, session=self.casino.new_name("s"), register="clear")


BET, CLOSE, LIMIT, MIDNIGHT, WAIT = 2, 5, 9, 1, 0


@pytest.mark.slow
@pytest.mark.law("SAZKA 13(2)", "L-47")
@settings(max_examples=amount(20, 80), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.sampled_from(STARTS),
    st.lists(st.tuples(st.integers(0, 14), st.integers(0, 5000)), min_size=20, max_size=80),
)
@example(  # 19 CZK lie at midnight, when a limit of 10 a day begins to bind
    STARTS[2], [(LIMIT, 54), (MIDNIGHT, 1), (BET, 18), (WAIT, 2), (CLOSE, 0)]
)
def test_no_bet_passes_a_measure_in_force_at_its_conclusion(
    start: str, history: list[tuple[int, int]]
) -> None:
    with tempfile.TemporaryDirectory() as directory:
        casino = Casino(Path(directory))
        walk = History(casino, start)
        for step, number in history:
            walk.steps[step](number)
        twin = MeasuresTwin.of(message for _, message in casino.log.read())
        assert twin.breaches == []
        event(f"bets: {min(len(casino.all_events('BetConcluded')), 5)}")
        event(f"chips back: {min(len(casino.all_events('BetReturned')), 3)}")
        casino.assert_cold_is_hot()
        casino.ledger.close()
