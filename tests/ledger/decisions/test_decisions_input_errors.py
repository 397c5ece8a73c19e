"""What can't be decided: an error names place and next step, and nothing is recorded."""

from __future__ import annotations

import gc
import json
from concurrent.futures import Future
from contextlib import suppress
from typing import TYPE_CHECKING, Any, get_type_hints

import pytest
from msgspec.structs import replace

from ledger.core.clock import StoppedClock
from ledger.core.errors import AvailabilityError, InputError
from ledger.decisions.decider import COMMANDS, decode_command
from ledger.decisions.rounds.betting import PlaceBet
from ledger.log.memory import MemoryLog
from ledger.privacy import KeyStore
from ledger.rules.operator import Figure
from ledger.writer import Ledger

if TYPE_CHECKING:
    from pathlib import Path

    from tests.ledger.decisions.decisions_casino import Casino

BET = {"command": "place_bet", "bet": "q-1", "account": "anna", "round": "q", "bet_code": "red"}
DEEP = "[" * 100_000 + "]" * 100_000


def bet_text(stake: str, more: str = "") -> str:
    return json.dumps(BET)[:-1] + f', "stake": {stake}{more}}}'


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "not a JSON object"),
        ("{", "not a JSON object: .*truncated"),
        ("null", "not a JSON object"),
        ("[1]", "not a JSON object"),
        ('{"command": "close_bets", "round": "q"} x', "trailing characters"),
        (b'{"command": "close_bets", "round": "\xff"}', "not UTF-8"),
        ('{"command": "close_bets", "round": "\\ud800"}', "not a JSON object"),
        ('{"round": "q"}', 'give "command", such as "place_bet"'),
        ('{"command": 5}', 'give "command"'),
        ('{"command": "dance"}', "no command 'dance': `gameledger record --help` lists them"),
        ('{"command": "close_bets"}', "close_bets: .*missing required field `round`"),
        ('{"command": "close_bets", "round": 5}', r"close_bets: .*got `int` - at `\$.round`"),
        ('{"command": "close_bets", "round": ""}', r"length >= 1 - at `\$.round`"),
        ('{"command": "close_bets", "round": "a b"}', r"matching regex .* at `\$.round`"),
        ('{"command": "close_bets", "round": "q", "x": 1}', "unknown field `x`"),
        ('{"command": "launch_game", "game": "g\\n"}', r"matching regex .* at `\$.game`"),
        (bet_text("-1"), r"place_bet: Expected `int` >= 1 - at `\$.stake`"),
        (bet_text("0"), r"Expected `int` >= 1 - at `\$.stake`"),
        (bet_text("0.5"), r"Expected `int`, got `float` - at `\$.stake`"),
        (bet_text("100.0"), r"Expected `int`, got `float` - at `\$.stake`"),
        (bet_text("1e3"), r"Expected `int`, got `float` - at `\$.stake`"),
        (bet_text('"100"'), r"got `str` - at `\$.stake`"),
        (bet_text("true"), r"got `bool` - at `\$.stake`"),
        (bet_text("1e400"), "out of range"),
        (bet_text("NaN"), "not a JSON object"),
        (bet_text("1000000000000001"), r"<= 1000000000000000 - at `\$.stake`"),
        (bet_text("1", f', "selection": {DEEP}'), "nested too deeply"),
        (bet_text('"x"', f', "selection": {DEEP}'), "place_bet|not a JSON object"),
        (bet_text("1", ', "stake": 20'), 'place_bet: .* key "stake" twice: give it once'),
        (bet_text("1", ', "command": "place_bet"'), 'the key "command" twice'),
        (bet_text("1", ', "selection": [{"a": 1, "a": 1}]'), 'place_bet: .* key "a" twice'),
        (bet_text("1", ', "command_id": "no"'), r"Invalid UUID - at `\$.command_id`"),
        (bet_text("1", ', "occurred_at": "2026-02-02T12:00:00"'), "timezone"),
    ],
)  # fmt: skip
def test_a_text_that_is_no_command_says_what_and_where(text: str | bytes, words: str) -> None:
    with pytest.raises(InputError, match=words):
        decode_command(text)


@pytest.mark.parametrize(
    ("command", "facts"),
    [
        ("log_in", {"session": "s", "register": "clear"}),
        ("log_out", {}),
        ("check_register", {"register": "clear"}),
        ("deposit", {"deposit": "d", "amount": 1, "method": "cash"}),
        ("withdraw", {"withdrawal": "w", "amount": 1, "method": "cash"}),
        ("charge_fee", {"fee": "f", "amount": 1, "reason": "r"}),
        ("set_limit", {"measure": "a", "value": 1}),
        ("decline_limit", {"measure": "a"}),
        ("press_panic_button", {}),
        ("impose_exclusion", {"ground": "court"}),
        ("request_cancellation", {"ground": "12(4)"}),
        ("close_account", {}),
        ("close_books", {}),
        ("erase_person", {}),
        ("take_seat", {"table": "r1"}),
        ("file_complaint", {"case": "c", "grounds": "g"}),
    ],
)
def test_an_unknown_account_is_an_input_error(
    house: Casino, command: str, facts: dict[str, Any]
) -> None:
    house.fail("account nobody is unknown; open it with", command, account="nobody", **facts)


@pytest.mark.parametrize(
    ("command", "facts"),
    [
        ("place_bet", {"bet": "none-1", "account": "anna", "bet_code": "red", "stake": 1}),
        ("close_bets", {}),
        ("land_ball", {"number": 1}),
        ("record_result", {"outcome": {}}),
        ("void_round", {"ground": "operator_interruption"}),
        ("void_bets", {"ground": "tampering", "account": "anna"}),
        ("file_complaint", {"account": "anna", "case": "c", "grounds": "g"}),
    ],
)
def test_an_unknown_round_is_an_input_error(
    casino: Casino, command: str, facts: dict[str, Any]
) -> None:
    casino.fail("round none is unknown; open it with open_round", command, round="none", **facts)


@pytest.mark.parametrize(
    ("command", "facts"),
    [
        ("open_round", {"round": "q"}),
        ("take_seat", {"account": "anna"}),
        ("suspend_table", {"cause": "c"}),
        ("seat_dealer", {"dealer": "d"}),
    ],
)
def test_an_unknown_table_is_an_input_error(
    casino: Casino, command: str, facts: dict[str, Any]
) -> None:
    casino.fail("table none is unknown; .* open_table", command, table="none", **facts)


def test_a_command_made_in_python_is_checked_like_one_from_json(casino: Casino) -> None:
    facts = {"account": "anna", "round": "q", "bet_code": "red", "bet": "q-1"}
    bad = [{"stake": -5}, {"stake": 1.5}, {"stake": 1, "selection": object()}]
    bad += [{"stake": 1, "selection": "\ud800"}, {"stake": 1, "account": "a b"}]
    head = casino.ledger.head
    for fields in bad:
        with pytest.raises(InputError, match="place_bet"):
            casino.ledger.execute(PlaceBet(**facts | fields))
    assert casino.ledger.head == head


@pytest.mark.parametrize("depth", [100, 300, 900, 950, 975, 990])
def test_a_deep_selection_is_refused_or_an_input_error_and_the_writer_goes_on(
    casino: Casino, depth: int
) -> None:
    text = json.dumps(casino.chips(casino.open_round()) | {"command": "place_bet"})
    text = text[:-1] + ', "selection": ' + "[" * depth + "]" * depth + "}"
    with suppress(InputError):
        assert casino.ledger.execute(decode_command(text)).refused is not None
    casino.bet(casino.open_round())
    casino.assert_cold_is_hot()


@pytest.mark.law("L-19")
def test_what_happened_is_recorded_beside_the_moment_of_the_record(casino: Casino) -> None:
    fee = {"account": "anna", "amount": 1, "reason": "r"}
    casino.do("charge_fee", fee="f1", occurred_at="2026-01-01T00:00:00Z", **fee)
    casino.do("charge_fee", fee="f2", occurred_at="2026-02-02T12:00:05+01:00", **fee)
    ahead = "2026-02-02T12:00:05.000001+01:00"
    casino.fail("lies in the future: compare", "charge_fee", fee="f3", occurred_at=ahead, **fee)
    casino.do("charge_fee", fee="f4", occurred_at="2025-02-01T12:00:00+01:00", **fee)
    for late in (
        "2025-02-01T11:59:59.999999+01:00",
        "2000-01-01T00:00:00Z",
        "1970-01-01T00:00:00Z",
    ):
        casino.fail("lies more than 366 days back", "charge_fee", fee="f5", occurred_at=late, **fee)

    house = casino.ledger._ledger_state.operator_state
    assert house.rules is not None
    within = Figure(30, "the operator's own")
    figures = replace(house.rules.figures, recorded_within_days=within)
    house.rules = replace(house.rules, figures=figures)
    late = "2026-01-03T11:59:59+01:00"
    casino.fail("lies more than 30 days back", "charge_fee", fee="f5", occurred_at=late, **fee)


BEYOND = [
    "0001-01-01T00:00:00+14:00",
    "1969-12-31T23:59:59.999999Z",
    "2200-01-01T00:00:00Z",
    "9999-12-31T23:59:59-14:00",
]


TOURNAMENT = {
    "tournament": "n1",
    "game": "g1",
    "name": "N",
    "format": "freezeout",
    "structure": "s",
    "fee_percent": "10",
    "buy_in": 1,
    "starting_stack": 1,
}
RECORDING = {"round": "q", "camera": "c", "recording": "r", "sound": True}
WITH_MOMENTS = {
    ("publish_rules", "effective_from"): {"game": "g1", "plan_version": "1"},
    ("set_table_limits", "effective_from"): {"table": "t1", "stakes": {}},
    ("impose_exclusion", "until"): {"account": "a", "ground": "fraud"},
    ("place_hold", "until"): {
        "hold": "h1",
        "ordered_by": "Court",
        "reason": "r",
        "reference": "1",
        "account": "a",
    },
    ("announce_bonus", "effective_from"): {"bonus": "b", "kind": "bet", "terms": "t"},
    ("take_time_collection", "period_from"): {"table": "t1", "account": "a", "amount": 1},
    ("report_suspicion", "suspected_at"): {
        "report": "r1",
        "account": "a",
        "transactions": "t",
        "grounds": "g",
        "sent": "s",
    },
    ("keep_recording", "begins_at"): {**RECORDING, "ends_at": "2026-01-01T00:00:00Z"},
    ("keep_recording", "ends_at"): {**RECORDING, "begins_at": "2026-01-01T00:00:00Z"},
    ("announce_tournament", "starts_at"): TOURNAMENT,
    ("close_bets", "occurred_at"): {"round": "r1"},
}


@pytest.mark.parametrize("moment", BEYOND)
@pytest.mark.parametrize(("name", "field"), WITH_MOMENTS)
def test_moment_beyond_the_years_of_the_format_is_no_input(
    name: str, field: str, moment: str
) -> None:
    text = {"command": name, **WITH_MOMENTS[name, field], field: "2026-01-01T00:00:00Z"}
    decode_command(json.dumps(text))
    with pytest.raises(InputError, match=f"{name}: {field} .* is no moment from 1970 to 2199"):
        decode_command(json.dumps({**text, field: moment}))


def test_every_moment_of_a_command_is_among_these() -> None:
    found = {
        (name, field)
        for name, kind in COMMANDS.items()
        for field, hint in get_type_hints(kind).items()
        if "datetime.datetime" in repr(hint) and field != "occurred_at"
    }
    assert found == set(WITH_MOMENTS) - {("close_bets", "occurred_at")}


@pytest.mark.law("L-19")
def test_a_clock_that_goes_back_stops_the_record_until_it_is_right(casino: Casino) -> None:
    casino.wait(microseconds=-1)
    head = casino.ledger.head
    with pytest.raises(AvailabilityError, match=r"clock went back: .* set it by NTP"):
        casino.pay_in(1)
    assert casino.ledger.head == head
    casino.wait(microseconds=1)
    casino.pay_in(1)


def test_a_ledger_does_not_open_with_a_clock_behind_the_chain(casino: Casino) -> None:
    casino.wait(microseconds=-1)
    with pytest.raises(AvailabilityError, match="behind the last record"):
        casino.reopened()


def test_an_empty_log_is_no_chain_and_a_chain_is_begun_once(tmp_path: Path) -> None:
    log, clock = MemoryLog(), StoppedClock(0)
    keys = KeyStore(tmp_path / "keys")
    with pytest.raises(InputError, match="gameledger init"):
        Ledger(log, keys, clock=clock)
    names = {"operator": "26493993", "operator_name": "O", "chain_name": "c"}
    made = Ledger.create(log, keys, clock=clock, **names)
    with made, pytest.raises(InputError, match="holds a chain already"):
        Ledger.create(log, keys, clock=clock, **names)


def test_a_closed_ledger_takes_no_commands(casino: Casino) -> None:
    casino.ledger.close()
    with pytest.raises(AvailabilityError, match="closed"):
        casino.pay_in(1)


def test_every_command_forbids_fields_that_it_does_not_know() -> None:
    for name in COMMANDS:
        with pytest.raises(InputError, match=name):
            decode_command(json.dumps({"command": name, "surprise": 1}))


def test_nothing_is_kept_of_commands_that_can_not_be_decided(casino: Casino) -> None:
    def answers() -> int:
        gc.collect()
        return sum(isinstance(one, Future) for one in gc.get_objects())

    before = answers()
    for number in range(50):
        with suppress(InputError):
            casino.ledger.execute(
                PlaceBet(bet=f"q-{number}", account="nobody", round="q", bet_code="red", stake=100)
            )
    assert answers() <= before + 1  # the last one, which the deciding thread still holds
