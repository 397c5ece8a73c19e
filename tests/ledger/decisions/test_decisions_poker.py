"""Texas and Omaha hands for money: what is recorded, what is refused, where the money goes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.ledger.decisions.decisions_casino import CROWN, sentence_of
from tests.ledger.decisions.poker_room import BOARD, OMAHA, PLAYERS, TEXAS, Room

if TYPE_CHECKING:
    from tests.ledger.decisions.decisions_casino import Casino


@pytest.fixture
def room(house: Casino) -> Room:
    room = Room(house)
    room.players()
    return room


def names_of(events: list[Any]) -> list[str]:
    return [type(event).__name__ for event in events]


def test_a_hand_is_a_round_with_terms(room: Room) -> None:
    opened, started = room.hand("h")
    assert names_of([opened, started]) == ["RoundOpened", "HandStarted"]
    assert (started.game, started.plan_version, started.fee) == (TEXAS, "unknown", "rake")
    assert started.accounts == PLAYERS
    assert room.casino.ledger._ledger_state.operator_state.tables["x1"].round == "h"


def test_money_put_in_is_a_bet_at_once(room: Room) -> None:
    room.hand("h")
    (post,) = room.act("h", "bara", "post", 50)
    assert (post.bet, post.street, post.amount, post.total) == ("h-2", "preflop", 5_000, 5_000)
    account = room.casino.account("bara")
    assert account.wallet == 995_000
    assert account.in_play == 5_000
    assert account.today(room.casino.clock.moment).stakes == 5_000


@pytest.mark.law("69GAMES poker rules, Rake", "69GAMES poker rules, Showdown")
def test_pot_goes_to_the_best_hand_less_the_rake(room: Room) -> None:
    resulted, pot, rake = room.play("h")
    assert names_of([resulted, pot, rake]) == ["RoundResulted", "PotAwarded", "RakeTaken"]
    assert (pot.amount, pot.rake, pot.winners, pot.due) == (
        30_000,
        1_500,
        ("anna",),
        (28_500, 0, 0),
    )
    assert (pot.paid, pot.stakes) == (pot.due, (10_000, 10_000, 10_000))
    assert (rake.amount, rake.due, rake.cap, rake.pot, rake.players) == (
        1_500, 1_500, 20_000, 30_000, 3,
    )  # fmt: skip
    assert json.loads(resulted.outcome)["hands"]["anna"] == ["AS", "AD"]
    assert room.wallets() == [10_185, 9_900, 9_900]
    assert room.casino.round("h").status == "settled"
    assert all(not room.casino.account(name).bets for name in PLAYERS)
    assert room.casino.ledger._ledger_state.operator_state.tables["x1"].round == ""


def test_what_the_table_paid_stands_beside_what_is_due(room: Room) -> None:
    payments = [
        {"account": "anna", "amount": 20_000},
        {"account": "bara", "amount": 8_500},
    ]
    _, pot, rake = room.play("h", payments=payments, rake=1_000)
    assert (pot.due, pot.paid) == ((28_500, 0, 0), (20_000, 8_500, 0))
    assert (rake.due, rake.amount) == (1_500, 1_000)
    assert room.casino.round("h").bets["h-2"].paid == 8_500
    room.casino.do("correct_win", round="h", bet="h-1", difference=8_500, cause="wrong pot")
    assert room.casino.round("h").bets["h-1"].paid == 28_500


@pytest.mark.law("SAZKA 14(1)")
def test_a_hand_whose_card_says_two_things_is_not_settled(house: Casino) -> None:
    room = Room(house)
    room.players()
    room.hand("h")
    room.blinds("h")
    room.deal("h", "anna", "AS", "AD")
    again = {"index": room.index, "recipient": "anna", "face_up": False, "card": "AC"}
    house.do("deal_card", round="h", **again)
    room.act("h", "anna", "fold")
    room.act("h", "bara", "fold")
    house.refuse("RESULT_CONTRADICTS", "settle_hand", round="h")
    house.do("correct_card", round="h", index=room.index, actual="AD", by="inspector")
    house.do("settle_hand", round="h")
    house.assert_cold_is_hot()


@pytest.mark.law("69GAMES poker rules, Rake", "69GAMES poker rules, Showdown")
def test_side_pots_and_uncalled_money(house: Casino) -> None:
    room = Room(house)
    room.players("anna", money=300)
    room.players("bara", "cyril")
    room.hand("h")
    room.blinds("h")
    room.deal("h", "anna", "AS", "AD")
    room.deal("h", "bara", "KS", "KD")
    room.deal("h", "cyril", "QS", "QD")
    room.act("h", "anna", "raise", 300, all_in=True)
    room.act("h", "bara", "raise", 950)
    room.act("h", "cyril", "raise", 1_900)
    room.act("h", "bara", "call", 500, all_in=True)
    room.deal("h", "board", *BOARD)
    events = house.do("settle_hand", round="h")
    assert names_of(events) == [
        "RoundResulted", "UncalledReturned", "PotAwarded", "PotAwarded", "RakeTaken",
    ]  # fmt: skip
    _, uncalled, main, side, rake = events
    assert (uncalled.account, uncalled.amount) == ("cyril", 50_000)
    assert (main.amount, main.eligible, main.winners) == (90_000, PLAYERS, ("anna",))
    assert (side.amount, side.eligible, side.winners) == (240_000, ("bara", "cyril"), ("bara",))
    assert rake.amount == 16_500 == main.rake + side.rake
    assert sum(room.wallets()) * 100 == 2_030_000 - rake.amount


def test_button_ante_is_dead_money_of_the_main_pot(room: Room) -> None:
    room.hand("h", ante=2_000)
    room.act("h", "anna", "ante", 20)
    room.blinds("h")
    for name in ("anna", "bara"):
        room.act("h", name, "fold")
    _, uncalled, pot, _ = room.casino.do("settle_hand", round="h")
    assert (uncalled.amount, pot.amount) == (5_000, 12_000)
    assert dict(zip(pot.accounts, pot.stakes, strict=True)) == {
        "anna": 2_000, "bara": 5_000, "cyril": 5_000,
    }  # fmt: skip


def test_omaha_takes_two_of_four(house: Casino) -> None:
    room = Room(house)
    room.players("anna", "bara", table="o1")
    started = room.hand("h", "anna", "bara", table="o1")[1]
    assert started.game == OMAHA
    room.blinds("h", "anna", "bara")
    room.act("h", "anna", "call", 50)
    room.act("h", "bara", "check")
    room.deal("h", "anna", "AS", "KS", "2D", "3C")
    room.deal("h", "bara", "QH", "QD", "4C", "5C")
    room.deal("h", "board", "TS", "JS", "QS", "8H", "4D")
    _, pot, _ = house.do("settle_hand", round="h")
    assert pot.winners == ("anna",)


@pytest.mark.law("69GAMES poker rules, fees")
def test_time_collection_takes_the_place_of_the_rake(room: Room) -> None:
    room.casino.do("announce_time_collection", table="x1", amount=50_000, by="floorman")
    (taken,) = room.casino.do("take_time_collection", table="x1", account="anna", amount=50_000)
    assert room.casino.account("anna").wallet == 950_000
    assert taken.period_from == room.casino.clock.moment
    room.hand("h", time_fee=50_000)
    room.blinds("h")
    for name in ("anna", "bara"):
        room.act("h", name, "fold")
    assert "RakeTaken" not in names_of(room.casino.do("settle_hand", round="h"))


@pytest.mark.law("69GAMES poker rules, fees")
def test_time_collection_that_the_rules_do_not_allow(room: Room) -> None:
    casino = room.casino
    named = {"table": "x1", "account": "anna"}
    casino.refuse("FEE_OUT_OF_RANGE", "take_time_collection", amount=9_900, **named)
    casino.refuse("FEE_OUT_OF_RANGE", "start_hand", **room.terms("h", time_fee=1_000_100))
    casino.refuse("NOT_SEATED", "take_time_collection", amount=50_000, account="anna", table="o1")
    casino.refuse("FEE_OUT_OF_RANGE", "take_time_collection", amount=50_000, **named)
    casino.do("announce_time_collection", table="x1", amount=50_000, by="floorman")
    casino.do("withdraw", account="anna", withdrawal="w", amount=980_000, method="bank")
    casino.refuse("INSUFFICIENT_FUNDS", "take_time_collection", amount=50_000, **named)
    casino.fail("no time collection", "take_time_collection", table="l1", account="anna", amount=1)
    room.hand("h")
    casino.refuse("ROUND_RUNNING", "take_time_collection", amount=20_000, **named)


@pytest.mark.law("69GAMES poker rules, course of the game")
@pytest.mark.parametrize(
    ("terms", "code", "reason"),
    [
        ({"seats": ["anna"]}, "HAND_NOT_ALLOWED", "TABLE_PLAYERS_COUNT"),
        ({"seats": ["anna", "anna", "bara", "cyril"]}, "HAND_NOT_ALLOWED", "SEATED_TWICE"),
        ({"button": "dora"}, "HAND_NOT_ALLOWED", "BUTTON_NOT_AT_TABLE"),
        ({"big_blind_of": "bara"}, "HAND_NOT_ALLOWED", "BLINDS_NOT_AT_TABLE"),
        ({"small_blind_of": ""}, "HAND_NOT_ALLOWED", "SMALL_BLIND_WRONG"),
        ({"small_blind": 0}, "HAND_NOT_ALLOWED", "SMALL_BLIND_WRONG"),
        ({"small_blind": 20_000}, "HAND_NOT_ALLOWED", "SMALL_BLIND_WRONG"),
        ({"seats": ["anna", "bara"], "small_blind_of": "bara", "big_blind_of": "anna"},
         "HAND_NOT_ALLOWED", "HEADS_UP_BLIND"),
        ({"big_blind": 10_050}, "NOT_WHOLE_CROWNS", ""),
        ({"table": "o1"}, "NOT_SEATED", ""),
    ],
)  # fmt: skip
def test_hands_that_the_plan_does_not_allow(
    room: Room, terms: dict[str, Any], code: str, reason: str
) -> None:
    *_, refused = room.casino.refuse(code, "start_hand", **room.terms("h") | terms)
    assert reason in refused.parameters  # type: ignore[attr-defined] # of every refusal


def test_a_dead_small_blind_is_allowed(room: Room) -> None:
    dead = {"small_blind": 0, "small_blind_of": ""}
    room.casino.refuse("HAND_NOT_ALLOWED", "start_hand", **room.terms("h", **dead))
    room.play("first")
    room.hand("h", **dead)
    room.act("h", "cyril", "post", 100)
    room.refuse("ACTION_NOT_ALLOWED", "h", "bara", "post", 50)


@pytest.mark.law("69GAMES poker rules, Rake (rounding)")
def test_money_is_whole_crowns(room: Room) -> None:
    room.hand("h")
    room.casino.refuse(
        "NOT_WHOLE_CROWNS", "act_in_hand", round="h", account="bara", action="post", amount=5_050
    )


@pytest.mark.law("69GAMES poker rules, Showdown")
@pytest.mark.parametrize("street", [0, 3])
@pytest.mark.parametrize("action", ["show", "muck", "check"])
@pytest.mark.parametrize("player", ["anna", "bara"])
def test_a_player_who_did_not_call_can_only_fold(
    room: Room, player: str, action: str, street: int
) -> None:
    """Or the hand could not be settled; the flop may lie there too early."""
    room.hand("h")
    room.blinds("h")
    room.deal("h", "board", *BOARD[:street])
    for name in ("anna", "bara") if street == 0 else ("bara", "cyril", "anna"):
        if name == player and (action, player) != ("show", "bara"):
            room.refuse("ACTION_NOT_ALLOWED", "h", name, action)
        room.act("h", name, "check" if name == "cyril" else "fold")
    room.casino.do("settle_hand", round="h")


@pytest.mark.law("69GAMES poker rules, Showdown")
def test_cards_are_not_mucked_while_another_player_has_to_call(room: Room) -> None:
    room.hand("h")
    room.blinds("h")
    room.act("h", "anna", "raise", 300)
    room.refuse("ACTION_NOT_ALLOWED", "h", "anna", "muck")
    room.act("h", "bara", "fold")
    room.act("h", "cyril", "fold")
    room.casino.do("settle_hand", round="h")


@pytest.mark.law("69GAMES poker rules, course of the game")
@pytest.mark.parametrize(
    ("account", "action", "amount", "all_in"),
    [
        ("bara", "check", 0, False),
        ("anna", "check", 100, False),
        ("anna", "fold", 100, False),
        ("anna", "call", 99, False),
        ("anna", "call", 101, False),
        ("anna", "call", 0, False),
        ("anna", "bet", 300, False),
        ("anna", "raise", 100, False),
        ("anna", "raise", 0, False),
        ("anna", "post", 50, False),
        ("bara", "post", 50, False),
        ("anna", "ante", 20, False),
    ],
)
def test_actions_that_do_not_fit_the_betting(
    room: Room, account: str, action: str, amount: int, *, all_in: bool
) -> None:
    room.hand("h")
    room.blinds("h")
    room.refuse("ACTION_NOT_ALLOWED", "h", account, action, amount, all_in=all_in)


def test_blinds_are_what_the_table_says(room: Room) -> None:
    room.hand("h")
    room.refuse("ACTION_NOT_ALLOWED", "h", "bara", "post", 40)
    room.act("h", "bara", "post", 40, all_in=True)
    room.refuse("ACTION_NOT_ALLOWED", "h", "bara", "call", 60)


@pytest.mark.law("69GAMES poker rules, Raise")
def test_minimum_raise(room: Room) -> None:
    room.hand("h")
    room.blinds("h")
    room.refuse("RAISE_TOO_SMALL", "h", "anna", "raise", 199)
    room.act("h", "anna", "raise", 400)
    room.refuse("RAISE_TOO_SMALL", "h", "bara", "raise", 649)
    room.act("h", "bara", "raise", 450, all_in=True)
    room.refuse("RAISE_TOO_SMALL", "h", "cyril", "raise", 499)
    room.act("h", "cyril", "raise", 500)


@pytest.mark.law("69GAMES poker rules, course of the game")
def test_who_folded_or_does_not_sit_there_is_not_in_the_hand(room: Room) -> None:
    room.hand("h")
    room.blinds("h")
    room.act("h", "anna", "fold")
    room.refuse("NOT_IN_HAND", "h", "anna", "call", 100)
    room.players("dora")
    room.refuse("NOT_IN_HAND", "h", "dora", "call", 100)


def test_a_pot_is_never_left_to_nobody(house: Casino) -> None:
    room = Room(house)
    room.players("anna", money=300)
    room.players("bara", "cyril")
    room.hand("h")
    room.blinds("h")
    room.act("h", "anna", "raise", 300, all_in=True)
    room.act("h", "bara", "raise", 950)
    room.act("h", "cyril", "call", 900)
    room.deal("h", "board", *BOARD)
    room.deal("h", "anna", "AS", "AD")
    room.deal("h", "cyril", "QS", "QD")
    room.act("h", "bara", "muck")
    room.refuse("ACTION_NOT_ALLOWED", "h", "cyril", "muck")
    room.refuse("ACTION_NOT_ALLOWED", "h", "cyril", "fold")
    room.act("h", "anna", "muck")
    _, main, side, _ = house.do("settle_hand", round="h")
    assert (main.winners, side.winners) == (("cyril",), ("cyril",))


def test_the_last_player_left_does_not_fold(room: Room) -> None:
    room.hand("h")
    room.blinds("h")
    room.act("h", "anna", "fold")
    room.act("h", "bara", "fold")
    room.refuse("ACTION_NOT_ALLOWED", "h", "cyril", "fold")
    room.casino.do("settle_hand", round="h")


@pytest.mark.law("69GAMES poker rules, Showdown")
def test_a_hand_that_is_not_over_is_not_settled(room: Room) -> None:
    room.hand("h")
    room.blinds("h")
    events = room.casino.refuse("HAND_NOT_FINISHED", "settle_hand", round="h")
    assert "did not match 100.00" in sentence_of(events[0])
    for name in ("anna", "bara"):
        room.act("h", name, "fold")
    room.casino.do("settle_hand", round="h")
    room.casino.refuse("WRONG_ORDER", "settle_hand", round="h")
    room.refuse("WRONG_ORDER", "h", "cyril", "show")


@pytest.mark.law("69GAMES poker rules, Misdeal")
def test_misdeal_returns_everything(room: Room) -> None:
    room.hand("h")
    room.blinds("h")
    room.act("h", "anna", "call", 100)
    voided, misdeal = room.casino.do("declare_misdeal", round="h", ground="misdeal_extra_cards")
    assert names_of([voided, misdeal]) == ["RoundVoided", "MisdealDeclared"]
    assert (misdeal.acted, misdeal.amounts) == (1, (10_000, 5_000, 10_000))
    assert room.wallets() == [10_000] * 3
    account = room.casino.account("anna")
    assert not account.bets
    assert account.today(room.casino.clock.moment).stakes == 0
    room.hand("h2")


@pytest.mark.law("69GAMES poker rules, Misdeal")
def test_misdeal_that_is_not_allowed(room: Room) -> None:
    room.hand("h")
    room.blinds("h")
    room.casino.refuse("VOID_REASON_UNKNOWN", "declare_misdeal", round="h", ground="no reason")
    room.act("h", "anna", "call", 100)
    room.act("h", "bara", "fold")
    ground = "misdeal_extra_cards"
    room.casino.refuse("MISDEAL_NOT_ALLOWED", "declare_misdeal", round="h", ground=ground)


def test_money_of_a_hand_is_checked_like_a_bet(room: Room) -> None:
    casino = room.casino
    room.hand("h")
    room.blinds("h")
    room.refuse("INSUFFICIENT_FUNDS", "h", "anna", "raise", 10_001)
    casino.do("set_limit", account="anna", measure="a", value=50_000)
    casino.do("suspend_game", game=TEXAS, cause="c")
    room.refuse("GAME_SUSPENDED", "h", "anna", "call", 100)
    casino.do("resume_game", game=TEXAS, cause="c")
    casino.do("suspend_table", table="x1", cause="c")
    room.refuse("TABLE_SUSPENDED", "h", "anna", "call", 100)
    casino.do("resume_table", table="x1", cause="c")
    casino.do("leave_seat", account="anna", table="x1")
    room.refuse("NOT_SEATED", "h", "anna", "call", 100)
    casino.do("take_seat", account="anna", table="x1")
    casino.do("log_out", account="anna")
    room.refuse("NOT_LOGGED_IN", "h", "anna", "call", 100)
    casino.log_in("anna")
    casino.do("press_panic_button", account="anna")
    room.refuse("PANIC_BLOCK", "h", "anna", "call", 100)
    room.act("h", "anna", "fold")
    casino.do("request_cancellation", account="bara", ground="12(4)")
    room.refuse("CANCELLATION_RUNS", "h", "bara", "call", 50)


def test_measures_bind_in_a_hand(house: Casino) -> None:
    room = Room(house)
    room.players("anna", "bara")
    house.do("set_limit", account="anna", measure="a", value=15_000)
    house.wait(minutes=24 * 60)
    room.hand("h", "anna", "bara")
    room.blinds("h", "anna", "bara")
    room.refuse("MEASURE_STAKES_DAY", "h", "anna", "raise", 150)
    room.act("h", "anna", "raise", 100, all_in=True)


def test_commands_against_the_house_do_not_fit_a_hand(room: Room) -> None:
    casino = room.casino
    casino.fail("start_hand", "open_round", round="q", table="x1")
    room.hand("h")
    for name, facts in (
        ("close_bets", {}),
        ("void_round", {"ground": "misdeal_extra_cards"}),
        ("record_result", {"outcome": {}}),
        ("place_bet", {"bet": "h-1", "account": "anna", "bet_code": "pot", "stake": 100}),
    ):
        casino.fail("hand among players", name, round="h", **facts)
    casino.fail("no Texas or Omaha", "start_hand", **room.terms("h2", table="l1"))
    casino.fail("no Texas or Omaha", "start_hand", **room.terms("h2", table="p1"))
    casino.fail("no hand among players", "settle_hand", round=casino.open_round())
    room.blinds("h")
    for name in ("anna", "bara"):
        room.act("h", name, "fold")
    nothing = [{"account": "anna", "amount": 1}, {"account": "anna", "amount": 1}]
    casino.fail("pays anna nothing", "settle_hand", round="h", payments=nothing)
    casino.fail("pays bara nothing", "settle_hand", round="h",
                payments=[{"account": "bara", "amount": 1, "pot": 3}])  # fmt: skip


def test_no_break_is_needed_at_a_table_that_is_not_streamed(room: Room) -> None:
    room.hand("h")
    room.blinds("h")
    room.casino.wait(minutes=300)
    room.act("h", "anna", "call", 100)
    assert room.casino.account("anna").sequence_started_at == 0


def test_cold_is_hot_in_the_middle_of_a_hand_and_after_it(room: Room) -> None:
    room.play("h1")
    room.hand("h2")
    room.blinds("h2")
    room.casino.assert_cold_is_hot()
    with room.casino.as_reopened():
        room.act("h2", "anna", "fold")
        room.act("h2", "bara", "fold")
        room.casino.do("settle_hand", round="h2")
        room.casino.assert_cold_is_hot()


def test_an_account_with_money_in_a_hand_is_not_closed(room: Room) -> None:
    room.hand("h")
    room.blinds("h")
    casino = room.casino
    casino.do("request_cancellation", account="bara", ground="12(4)")
    casino.do("confirm_cancellation", account="bara", notice="n")
    casino.wait(minutes=17 * 24 * 60)
    casino.refuse("CLOSING_TOO_EARLY", "close_account", account="bara")


def test_statements_of_a_day_with_hands_add_up(room: Room) -> None:
    room.play("h1")
    room.hand("h2")
    room.blinds("h2")
    room.casino.wait(minutes=24 * 60)
    for name in PLAYERS:
        room.casino.do("close_books", account=name)
    statements = {s.account: s for s in room.casino.all_events("AccountStatement")}
    bara = statements["bara"]
    assert (bara.stakes, bara.winnings, bara.in_play) == (15_000, 0, 5_000)
    for s in statements.values():
        moved = s.deposits - s.withdrawals - s.fees - s.stakes + s.winnings + s.corrections
        assert s.closing == s.opening + moved


@pytest.mark.law("69GAMES poker rules, course of the game")
def test_players_act_in_turn_and_after_the_blinds(room: Room) -> None:
    room.hand("h")
    room.act("h", "bara", "post", 50)
    room.refuse("ACTION_NOT_ALLOWED", "h", "anna", "call", 100)
    room.act("h", "cyril", "post", 100)
    for early in ("bara", "cyril"):
        room.refuse("ACTION_NOT_ALLOWED", "h", early, "fold")
    room.act("h", "anna", "raise", 300)
    room.act("h", "bara", "call", 250)
    room.act("h", "cyril", "raise", 500)
    room.refuse("ACTION_NOT_ALLOWED", "h", "bara", "fold")
    room.act("h", "anna", "fold")
    room.act("h", "bara", "call", 300)
    room.refuse("ACTION_NOT_ALLOWED", "h", "cyril", "check")
    room.deal("h", "board", *BOARD[:3])
    room.refuse("ACTION_NOT_ALLOWED", "h", "cyril", "check")
    room.act("h", "bara", "check")
    room.act("h", "cyril", "bet", 200)
    room.act("h", "bara", "call", 200)
    room.refuse("ACTION_NOT_ALLOWED", "h", "bara", "check")


@pytest.mark.law("69GAMES poker rules, course of the game")
def test_heads_up_the_button_acts_first_and_then_last(room: Room) -> None:
    room.hand("h", "anna", "bara")
    room.blinds("h", "anna", "bara")
    room.refuse("ACTION_NOT_ALLOWED", "h", "bara", "check")
    room.act("h", "anna", "call", 50)
    room.act("h", "bara", "check")
    room.deal("h", "board", *BOARD[:3])
    room.refuse("ACTION_NOT_ALLOWED", "h", "anna", "check")
    room.act("h", "bara", "check")
    room.act("h", "anna", "bet", 900, all_in=True)
    room.act("h", "bara", "call", 900)
    room.deal("h", "board", *BOARD[3:4])
    room.refuse("ACTION_NOT_ALLOWED", "h", "bara", "bet", 100)


@pytest.mark.law("69GAMES poker rules, course of the game")
@pytest.mark.parametrize("names", [("bara", "anna"), ("", "anna")])
def test_blinds_of_the_first_hand_lie_to_the_left_of_the_button(
    room: Room, names: tuple[str, str]
) -> None:
    small, big = names
    terms = {"small_blind_of": small, "big_blind_of": big} | ({} if small else {"small_blind": 0})
    room.casino.refuse("HAND_NOT_ALLOWED", "start_hand", **room.terms("h", **terms))


@pytest.mark.law("69GAMES poker rules, fees")
def test_the_time_collection_is_the_announced_one(room: Room) -> None:
    casino = room.casino
    told = {"table": "x1", "by": "floorman"}
    casino.refuse("FEE_OUT_OF_RANGE", "announce_time_collection", **told, amount=50_00)
    casino.do("announce_time_collection", **told, amount=200_00)
    taken = {"table": "x1", "account": "anna"}
    casino.refuse("FEE_OUT_OF_RANGE", "take_time_collection", **taken, amount=300_00)
    casino.do("take_time_collection", **taken, amount=200_00)


@pytest.mark.law("69GAMES poker rules, course of the game")
@pytest.mark.parametrize(
    ("cards", "button"),
    [
        ({"anna": "KD", "bara": "AC", "cyril": "QS"}, "bara"),
        ({"anna": "KD", "bara": "KC", "cyril": "KH"}, "cyril"),
        ({"anna": "KS", "bara": "KH"}, "anna"),
        ({"anna": "TC", "bara": "9S"}, "anna"),
    ],
)
def test_the_button_is_drawn_by_rank_and_then_by_suit(
    room: Room, cards: dict[str, str], button: str
) -> None:
    (drawn,) = room.casino.do("draw_button", table="x1", cards=cards)
    assert (drawn.accounts, drawn.cards) == (tuple(cards), tuple(cards.values()))
    assert drawn.button == button


def test_draws_that_are_not_possible(room: Room) -> None:
    casino = room.casino
    casino.refuse("HAND_NOT_ALLOWED", "draw_button", table="x1", cards={"anna": "2C", "bara": "2C"})
    casino.player("dana", table="")
    casino.refuse("NOT_SEATED", "draw_button", table="x1", cards={"anna": "2C", "dana": "3C"})
    casino.fail("has no Texas or Omaha game", "draw_button", table="p1", cards={"anna": "2C"} | {
        "bara": "3C"
    })  # fmt: skip


@pytest.mark.law("69GAMES poker rules, Misdeal")
def test_a_hand_with_a_wrong_number_of_cards_is_dead_whatever_its_turn(room: Room) -> None:
    room.hand("h")
    room.blinds("h")
    room.act("h", "anna", "raise", 300, all_in=True)
    room.act("h", "cyril", "dead")
    room.refuse("NOT_IN_HAND", "h", "cyril", "call", 200)
    room.act("h", "bara", "call", 250)
    room.act("h", "anna", "dead")
    room.refuse("ACTION_NOT_ALLOWED", "h", "bara", "dead")
    events = room.casino.do("settle_hand", round="h")
    (pot,) = (one for one in events if one.type == "PotAwarded")
    assert (pot.amount, pot.winners) == (70_000, ("bara",))


@pytest.mark.law("69GAMES poker rules, course of the game")
def test_nobody_acts_before_the_antes(room: Room) -> None:
    """Everybody owes one; in a cash game the button may pay it alone."""
    room.hand("h", ante=2_000)
    room.blinds("h")
    room.refuse("ACTION_NOT_ALLOWED", "h", "anna", "call", 100)
    room.act("h", "bara", "ante", 20)
    room.refuse("ACTION_NOT_ALLOWED", "h", "anna", "call", 100)
    room.act("h", "anna", "ante", 20)
    room.refuse("ACTION_NOT_ALLOWED", "h", "anna", "call", 100)
    room.act("h", "cyril", "ante", 20)
    room.act("h", "anna", "call", 100)


TWO_CARDS = {"anna": ("AS", "AD"), "bara": ("KS", "KD"), "cyril": ("QS", "QD")}
ENDS = {
    "the button's ante, all others fold": "anna ante 10; cyril post 100; bara fold; anna fold",
    "a fold after the button's ante": (
        "anna ante 10; bara post 50; cyril post 100; anna call 100; bara fold; cyril check"
    ),
    "a blind and no ante": (
        "anna ante 10; cyril ante 10; bara post 50; cyril post 100; bara fold; anna call 100"
    ),
    "a muck before the betting ends": (
        "bara post 50; cyril post 100; anna call 100; bara call 50; cyril check; flop; bara muck; "
        "cyril bet 100; anna call 100"
    ),
    "a dead hand whose bet was not called": (
        "bara post 50; cyril post 100; anna call 100; bara call 50; cyril check; flop; bara bet 90;"
        " bara dead; cyril fold"
    ),
    "no player with money is left": "bara post 50; cyril post 100; bara dead; cyril dead",
    "no player put money in": "cyril fold; bara fold",
}


@pytest.mark.law("69GAMES poker rules, Showdown", "69GAMES poker rules, Misdeal")
@pytest.mark.parametrize("acts", ENDS.values(), ids=ENDS)
def test_every_hand_of_accepted_actions_ends_and_pays_all_its_money(room: Room, acts: str) -> None:
    """By its settlement, or as a misdeal if no player is left who could win."""
    room.hand("h", ante=1_000 if "ante" in acts else 0)
    for name, cards in TWO_CARDS.items():
        room.deal("h", name, *cards)
    for act in acts.split("; "):
        if act == "flop":
            room.deal("h", "board", *BOARD[:3])
        else:
            name, kind, *amount = act.split()
            room.act("h", name, kind, *(int(crowns) for crowns in amount))
    room.deal("h", "board", *BOARD[3 if "flop" in acts else 0 :])
    if room.casino.send("settle_hand", round="h").refused is not None:
        room.casino.do("declare_misdeal", round="h", ground="misdeal_extra_cards")
    rake = sum(event.amount for event in room.casino.all_events("RakeTaken"))
    held = [room.casino.account(name) for name in TWO_CARDS]
    assert sum(one.wallet + one.in_play for one in held) == 30_000 * CROWN - rake
    assert not any(one.bets for one in held)


def test_the_last_chips_go_into_the_ante_before_they_go_into_a_blind(room: Room) -> None:
    """Otherwise the player, all-in, would owe an ante for ever, and no other could act."""
    room.hand("h", ante=1_000)
    room.refuse("ACTION_NOT_ALLOWED", "h", "cyril", "post", 40, all_in=True)
    room.act("h", "bara", "post", 50)
    room.refuse("ACTION_NOT_ALLOWED", "h", "bara", "ante", 5, all_in=True)
