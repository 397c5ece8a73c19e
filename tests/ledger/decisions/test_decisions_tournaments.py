"""Tournaments: announcement, payments, prize pool, places, deals, prizes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.ledger.decisions.poker_room import BOARD, OFC_TOURNAMENT, TOURNAMENT, Room

if TYPE_CHECKING:
    from tests.ledger.decisions.decisions_casino import Casino

NAMES = ("anna", "bara", "cyril", "dora")


def announcement(**more: Any) -> dict[str, Any]:
    """Give the facts of a tournament that begins eight days after the casino's first moment."""
    return {
        "tournament": "cup",
        "game": TOURNAMENT,
        "name": "Cup of the town",
        "format": "re_entry",
        "structure": "levels of 20 minutes",
        "fee_percent": "10",
        "starts_at": "2026-02-10T12:00:00+01:00",
        "buy_in": 100_000,
        "starting_stack": 1_000_000,
        "limit": "no limit",
    } | more


@pytest.fixture
def room(house: Casino) -> Room:
    room = Room(house)
    room.players(*NAMES, table="")
    return room


def pay(room: Room, account: str, kind: str = "buy_in", amount: int = 100_000) -> list[Any]:
    chips = {"chips": 0} if kind == "rebuy" else {}
    return room.casino.do(
        "pay_tournament_entry", tournament="cup", account=account, kind=kind, amount=amount, **chips
    )


def announced(room: Room, *names: str, **more: Any) -> None:
    room.casino.do("announce_tournament", **announcement(**more))
    for name in names:
        pay(room, name)


def started(room: Room, *names: str, **more: Any) -> None:
    announced(room, *(names or NAMES), **more)
    room.casino.at("2026-02-10 12:00")
    room.casino.do("start_tournament", tournament="cup")


def out(room: Room, *names: str, **more: Any) -> list[Any]:
    return room.casino.do("eliminate_players", tournament="cup", accounts=list(names), **more)


def test_an_announcement_names_all_that_players_must_know(room: Room) -> None:
    (event,) = room.casino.do("announce_tournament", **announcement(guarantee=1_000_000))
    assert (event.plan_version, event.fee_percent, event.guarantee) == ("unknown", "10", 1_000_000)
    room.casino.fail("exists already", "announce_tournament", **announcement())


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ({"starts_at": "2026-02-09T11:59:59+01:00"}, "ANNOUNCED_TOO_LATE"),
        ({"fee_percent": "4.99"}, "FEE_OUT_OF_RANGE"),
        ({"fee_percent": "15.01"}, "FEE_OUT_OF_RANGE"),
    ],
)
def test_announcements_that_are_refused(room: Room, more: dict[str, Any], code: str) -> None:
    room.casino.refuse(code, "announce_tournament", **announcement(**more))


def test_the_largest_guarantee_that_is_taken_can_be_paid(room: Room) -> None:
    room.casino.fail("guarantee", "announce_tournament", **announcement(guarantee=10**14))
    started(room, guarantee=10**14 - 1)
    (pool,) = room.casino.do("close_registration", tournament="cup")
    assert pool.prize_pool == 10**14 - 1


def test_percentages_are_written_with_plain_digits(room: Room) -> None:
    """The plan reads no others, so that the tournament could never be ended."""
    facts = announcement(fee_percent="\u0661\u0660")
    room.casino.fail("fee_percent", "announce_tournament", **facts)
    deal = {"tournament": "cup", "unanimous": True, "shares": {}}
    room.casino.fail("playout_percent", "agree_deal", **deal, playout_percent="\u0665")


@pytest.mark.law("69GAMES tournament rules, Payouts")
def test_seven_days_to_the_microsecond_are_enough(room: Room) -> None:
    facts = announcement(starts_at="2026-02-09T12:00:00+01:00")
    with room.casino.as_reopened():
        room.casino.do("announce_tournament", **facts)
    room.casino.wait(microseconds=1)
    room.casino.refuse("ANNOUNCED_TOO_LATE", "announce_tournament", **facts)


def test_a_tournament_of_another_game_is_none(room: Room) -> None:
    room.casino.fail("no tournament", "announce_tournament",
                     **announcement(game="69games.texas_holdem_cash"))  # fmt: skip
    room.casino.fail("unknown", "announce_tournament", **announcement(game="none"))
    room.casino.do("withdraw_game", game=TOURNAMENT, reason="r")
    room.casino.refuse("GAME_NOT_OFFERED", "announce_tournament", **announcement())


def test_an_entry_is_money_in_play(room: Room) -> None:
    announced(room)
    (event,) = pay(room, "anna")
    assert (event.entry, event.amount) == ("cup-1", 100_000)
    account = room.casino.account("anna")
    assert (account.wallet, account.in_play) == (900_000, 100_000)
    assert list(account.bets) == ["tournament:cup"]


@pytest.mark.law("69GAMES tournament rules, kinds of tournament")
def test_payments_that_are_refused(room: Room) -> None:
    casino = room.casino
    entry = {"tournament": "cup", "account": "anna", "kind": "buy_in", "amount": 100_000}
    casino.fail("unknown", "pay_tournament_entry", **entry)
    announced(room, "bara")
    for change in ({"amount": 99_999}, {"kind": "rebuy"}, {"account": "bara"}):
        casino.refuse("ENTRY_NOT_ALLOWED", "pay_tournament_entry", **entry | change)
    casino.do("suspend_game", game=TOURNAMENT, cause="c")
    casino.refuse("GAME_SUSPENDED", "pay_tournament_entry", **entry)
    casino.do("resume_game", game=TOURNAMENT, cause="c")
    casino.do("press_panic_button", account="anna")
    casino.refuse("PANIC_BLOCK", "pay_tournament_entry", **entry)
    casino.do("withdraw", account="cyril", withdrawal="w", amount=950_000, method="bank")
    casino.refuse("INSUFFICIENT_FUNDS", "pay_tournament_entry", **entry | {"account": "cyril"})


@pytest.mark.law("69GAMES tournament rules, kinds of tournament")
def test_no_add_on_before_the_tournament_begins(room: Room) -> None:
    announced(room, "anna", format="unlimited_rebuys_addon", rebuy=50_000, addon=30_000)
    room.casino.refuse(
        "ENTRY_NOT_ALLOWED", "pay_tournament_entry", tournament="cup", account="anna",
        kind="addon", amount=30_000,
    )  # fmt: skip


@pytest.mark.law("69GAMES tournament rules, kinds of tournament")
@pytest.mark.parametrize(
    ("form", "kinds", "refused"),
    [
        ("freezeout", [], "re_entry"),
        ("one_rebuy", ["rebuy"], "rebuy"),
        ("re_entry", ["re_entry", "re_entry"], "addon"),
        ("unlimited_rebuys_addon", ["rebuy", "rebuy", "addon"], "addon"),
    ],
)
def test_each_format_allows_its_payments(
    room: Room, form: str, kinds: list[str], refused: str
) -> None:
    started(room, "anna", "bara", format=form, rebuy=50_000, addon=30_000)
    prices = {"rebuy": 50_000, "addon": 30_000, "re_entry": 100_000}
    for kind in kinds:
        if kind == "re_entry":
            room.casino.do("hand_back_chips", tournament="cup", account="anna", chips=1)
        pay(room, "anna", kind, prices[kind])
    entry = {"tournament": "cup", "account": "anna", "kind": refused, "amount": prices[refused]}
    room.casino.refuse("ENTRY_NOT_ALLOWED", "pay_tournament_entry", **entry)


@pytest.mark.law("69GAMES tournament rules, Payouts")
def test_prizes_by_place(room: Room) -> None:
    started(room)
    out(room, "dora")
    (entry,) = pay(room, "dora", "re_entry")
    assert entry.entry == "cup-5"
    (pool,) = room.casino.do("close_registration", tournament="cup")
    assert (pool.entries, pool.players, pool.column) == (5, 4, "2-5")
    assert (pool.money_pool, pool.fee, pool.prize_pool) == (500_000, 50_000, 450_000)
    (gone,) = out(room, "bara", "cyril")
    assert (gone.place, gone.left) == (3, 2)
    room.casino.refuse("TOURNAMENT_NOT_FINISHED", "end_tournament", tournament="cup")
    out(room, "anna")
    ended, prize = room.casino.do("end_tournament", tournament="cup")
    assert (ended.accounts, ended.stakes) == (NAMES, (100_000, 100_000, 100_000, 200_000))
    assert (prize.account, prize.place, prize.due, prize.paid) == ("dora", 1, 450_000, 450_000)
    assert prize.entry == "cup-5"
    assert room.wallets(*NAMES) == [9_000, 9_000, 9_000, 12_500]
    assert not any(room.casino.account(name).bets for name in NAMES)
    room.casino.refuse("TOURNAMENT_STATUS", "end_tournament", tournament="cup")
    room.casino.assert_cold_is_hot()


def test_what_was_paid_stands_beside_the_due_prize(room: Room) -> None:
    started(room, "anna", "bara")
    room.casino.do("close_registration", tournament="cup")
    out(room, "bara")
    casino = room.casino
    casino.fail("no prize", "end_tournament", tournament="cup", payments={"bara": 1})
    _, prize = casino.do("end_tournament", tournament="cup", payments={"anna": 100})
    assert (prize.due, prize.paid) == (180_000, 100)


def test_operator_adds_what_the_guarantee_lacks(room: Room) -> None:
    started(room, "anna", "bara", guarantee=1_000_000)
    (pool,) = room.casino.do("close_registration", tournament="cup")
    assert (pool.fee, pool.top_up, pool.prize_pool) == (20_000, 820_000, 1_000_000)


@pytest.mark.law("69GAMES tournament rules, Registration")
def test_a_player_withdraws_before_the_first_own_hand(room: Room) -> None:
    started(room)
    room.casino.do("close_registration", tournament="cup")
    *returned, pool = room.casino.do("return_tournament_entry", tournament="cup", account="dora")
    assert [(one.account, one.amount, one.cause) for one in returned] == [
        ("dora", 100_000, "withdrawn"),
    ]  # fmt: skip
    assert (pool.entries, pool.money_pool) == (3, 300_000)
    assert room.wallets("dora") == [10_000]
    room.casino.refuse(
        "NOT_IN_TOURNAMENT", "return_tournament_entry", tournament="cup", account="dora"
    )
    room.hand("h", "anna", "bara", "cyril", table="t1", tournament="cup")
    room.casino.refuse(
        "REFUND_NOT_ALLOWED", "return_tournament_entry", tournament="cup", account="anna"
    )


@pytest.mark.law("69GAMES tournament rules, Registration", "69GAMES poker rules, Misdeal")
def test_a_misdealt_hand_is_no_hand_played(room: Room) -> None:
    """Who put nothing in is not named by the misdeal, and was dealt in all the same."""
    started(room)
    casino = room.casino
    back = {"tournament": "cup", "account": "dora"}
    room.hand("h1", "anna", "bara", table="t1", tournament="cup")
    room.hand("h2", "cyril", "dora", table=_second(room), tournament="cup")
    casino.refuse("REFUND_NOT_ALLOWED", "return_tournament_entry", **back)
    casino.do("declare_misdeal", round="h2", ground="misdeal_extra_cards")
    casino.assert_cold_is_hot()
    anna = back | {"account": "anna"}
    casino.refuse("REFUND_NOT_ALLOWED", "return_tournament_entry", **anna)
    casino.do("return_tournament_entry", **back)


def _second(room: Room) -> str:
    room.casino.open_table("t2", game=TOURNAMENT, place="casino", streamed=False)
    return "t2"


@pytest.mark.law("69GAMES tournament rules, Registration")
@pytest.mark.parametrize("facts", [{"disqualified_for": "cards under the table"}, {}])
def test_who_is_out_does_not_withdraw(room: Room, facts: dict[str, Any]) -> None:
    started(room)
    casino = room.casino
    out(room, "dora", **facts)
    back = {"tournament": "cup", "account": "dora"}
    casino.refuse("REFUND_NOT_ALLOWED", "return_tournament_entry", **back)
    casino.do("close_registration", tournament="cup")
    casino.refuse("REFUND_NOT_ALLOWED", "return_tournament_entry", **back)
    out(room, "bara", "cyril")
    ended, prize = casino.do("end_tournament", tournament="cup")
    assert (ended.prize_pool, prize.account, prize.paid) == (360_000, "anna", 360_000)


@pytest.mark.law("69GAMES tournament rules, Registration", "69GAMES tournament rules, Deal")
def test_nobody_withdraws_from_a_deal(room: Room) -> None:
    started(room)
    room.casino.do("close_registration", tournament="cup")
    shares = dict.fromkeys(NAMES, 90_000)
    room.casino.do("agree_deal", tournament="cup", shares=shares, unanimous=True)
    room.casino.refuse(
        "REFUND_NOT_ALLOWED", "return_tournament_entry", tournament="cup", account="dora"
    )
    _, *prizes = room.casino.do("end_tournament", tournament="cup")
    assert {prize.account: prize.paid for prize in prizes} == shares


@pytest.mark.law("69GAMES tournament rules, Registration")
def test_the_last_player_left_does_not_withdraw(room: Room) -> None:
    started(room, "anna", "bara")
    room.casino.do("close_registration", tournament="cup")
    out(room, "anna", disqualified_for="cards under the table")
    room.casino.refuse(
        "REFUND_NOT_ALLOWED", "return_tournament_entry", tournament="cup", account="bara"
    )
    _, prize = room.casino.do("end_tournament", tournament="cup")
    assert (prize.account, prize.paid) == ("bara", 180_000)


@pytest.mark.law("69GAMES tournament rules, Registration")
def test_a_tournament_of_which_one_entry_stays_is_cancelled(room: Room) -> None:
    """The payout table has no column for one entry, whoever is left."""
    started(room, "anna", "bara")
    back = {"tournament": "cup"}
    room.casino.do("close_registration", tournament="cup")
    room.casino.do("return_tournament_entry", account="bara", **back)
    room.casino.refuse("TOURNAMENT_NOT_FINISHED", "end_tournament", **back)
    room.casino.refuse("REFUND_NOT_ALLOWED", "return_tournament_entry", account="anna", **back)
    room.casino.do("cancel_tournament", cause="one entry", **back)
    assert room.wallets("anna", "bara") == [10_000, 10_000]


@pytest.mark.law("69GAMES tournament rules, Registration")
def test_a_cancelled_tournament_gives_everything_back(room: Room) -> None:
    started(room)
    cancelled, *returned = room.casino.do("cancel_tournament", tournament="cup", cause="fire")
    assert type(cancelled).__name__ == "TournamentCancelled"
    assert len(returned) == 4
    assert room.wallets(*NAMES) == [10_000] * 4
    for command, facts in (
        ("cancel_tournament", {"cause": "c"}),
        ("return_tournament_entry", {"account": "anna"}),
        ("pay_tournament_entry", {"account": "anna", "kind": "buy_in", "amount": 100_000}),
        ("start_tournament", {}),
        ("close_registration", {}),
    ):
        room.casino.refuse("TOURNAMENT_STATUS", command, tournament="cup", **facts)


@pytest.mark.law("69GAMES tournament rules")
def test_a_tournament_does_not_begin_before_its_moment(room: Room) -> None:
    announced(room, "anna", "bara")
    room.casino.at("2026-02-10 11:59:59.999999")
    room.casino.refuse("TOURNAMENT_STATUS", "start_tournament", tournament="cup")
    room.casino.refuse("TOURNAMENT_STATUS", "eliminate_players", tournament="cup",
                       accounts=["anna"])  # fmt: skip


@pytest.mark.law("69GAMES tournament rules, Payouts")
def test_the_payout_table_needs_two_entries(room: Room) -> None:
    started(room, "anna")
    room.casino.refuse("ENTRIES_OUT_OF_TABLE", "close_registration", tournament="cup")


def test_nothing_is_paid_after_registration(room: Room) -> None:
    started(room, "anna", "bara")
    room.casino.do("close_registration", tournament="cup")
    entry = {"tournament": "cup", "account": "cyril", "kind": "buy_in", "amount": 100_000}
    room.casino.refuse("ENTRY_NOT_ALLOWED", "pay_tournament_entry", **entry)
    room.casino.fail("closed already", "close_registration", tournament="cup")


@pytest.mark.law("69GAMES tournament rules, Deal")
def test_a_deal_shares_the_open_prizes(room: Room) -> None:
    started(room)
    deal = {"tournament": "cup", "unanimous": True}
    shares = {"anna": 200_000, "bara": 160_000}
    room.casino.refuse("DEAL_NOT_ALLOWED", "agree_deal", shares=shares, **deal)
    room.casino.do("close_registration", tournament="cup")
    out(room, "cyril", "dora")
    for change in (
        {"unanimous": False},
        {"shares": {"anna": 360_000}},
        {"shares": {"anna": 200_000, "bara": 160_001}},
        {"shares": {"anna": 200_000, "cyril": 160_000}},
        {"playout_percent": "5"},
    ):
        room.casino.refuse("DEAL_NOT_ALLOWED", "agree_deal", **deal | {"shares": shares} | change)
    (agreed,) = room.casino.do("agree_deal", shares=shares, **deal)
    assert (agreed.accounts, agreed.shares, agreed.playout) == (
        ("anna", "bara"), (200_000, 160_000), 0,
    )  # fmt: skip
    room.casino.refuse("DEAL_NOT_ALLOWED", "agree_deal", shares=shares, **deal)
    _, *prizes = room.casino.do("end_tournament", tournament="cup")
    assert [(prize.account, prize.place, prize.paid) for prize in prizes] == [
        ("anna", 0, 200_000), ("bara", 0, 160_000),
    ]  # fmt: skip


@pytest.mark.law("69GAMES tournament rules, Deal")
def test_a_part_of_a_deal_is_played_for(room: Room) -> None:
    started(room)
    room.casino.do("close_registration", tournament="cup")
    out(room, "cyril", "dora")
    shares = {"anna": 171_000, "bara": 171_000}
    (agreed,) = room.casino.do("agree_deal", tournament="cup", unanimous=True, shares=shares,
                               playout_percent="5")  # fmt: skip
    assert agreed.playout == 18_000
    room.casino.refuse("TOURNAMENT_NOT_FINISHED", "end_tournament", tournament="cup")
    out(room, "anna")
    _, *prizes = room.casino.do("end_tournament", tournament="cup")
    assert [(prize.account, prize.paid) for prize in prizes] == [
        ("bara", 189_000), ("anna", 171_000),
    ]  # fmt: skip


@pytest.mark.law("69GAMES tournament rules")
def test_places_need_players(room: Room) -> None:
    started(room, "anna", "bara")
    named = {"tournament": "cup"}
    for accounts in (["cyril"], ["anna", "anna"]):
        room.casino.refuse("NOT_IN_TOURNAMENT", "eliminate_players", accounts=accounts, **named)
    room.casino.fail("needs a winner", "eliminate_players", accounts=["anna", "bara"], **named)
    room.casino.fail("no hand of", "eliminate_players", accounts=["anna"], **named,
                     round=room.casino.open_round())  # fmt: skip
    room.casino.refuse("TOURNAMENT_NOT_FINISHED", "end_tournament", **named)


def test_hands_of_a_tournament_move_chips_and_no_money(room: Room) -> None:
    started(room)
    before = room.wallets(*NAMES)
    room.hand("h", table="t1", tournament="cup")
    room.blinds("h")
    for name, cards in (("anna", ("AS", "AD")), ("bara", ("KS", "KD")), ("cyril", ("QS", "QD"))):
        room.deal("h", name, *cards)
    room.act("h", "anna", "raise", 5_000, all_in=True)
    room.act("h", "bara", "fold")
    room.act("h", "cyril", "call", 4_900, all_in=True)
    room.refuse("ACTION_NOT_ALLOWED", "h", "cyril", "muck")
    room.deal("h", "board", *BOARD)
    events = room.casino.do("settle_hand", round="h")
    assert [type(event).__name__ for event in events] == ["RoundResulted", "PotAwarded"]
    assert (events[1].amount, events[1].rake, events[1].winners) == (1_005_000, 0, ("anna",))
    assert events[1].rule.endswith("Showdown"), "the paragraph of the hand, not that of the prizes"
    assert room.wallets(*NAMES) == before
    assert room.casino.account("anna").in_play == 100_000
    (gone,) = out(room, "cyril", round="h")
    assert (gone.place, gone.left, gone.round) == (0, 3, "h")
    room.casino.fail("bears no rake", "settle_hand", round=_folded(room), rake=1)


def _folded(room: Room) -> str:
    room.hand("h2", "anna", "bara", table="t1", tournament="cup")
    room.blinds("h2", "anna", "bara")
    room.act("h2", "anna", "fold")
    return "h2"


def test_hands_that_do_not_fit_the_tournament(room: Room) -> None:
    casino = room.casino
    announced(room, "anna", "bara")
    hand = room.terms("h", "anna", "bara", table="t1")
    casino.fail("name the tournament", "start_hand", **hand)
    casino.fail("unknown", "start_hand", **hand | {"tournament": "none"})
    cup = {"tournament": "cup"}
    casino.refuse("TOURNAMENT_STATUS", "start_hand", **hand | cup)
    casino.at("2026-02-10 12:00")
    casino.do("start_tournament", **cup)
    casino.refuse("NOT_SEATED", "start_hand", **hand | cup)
    room.draw_seats("cup", "t1", "anna", "bara")
    casino.refuse("NOT_IN_TOURNAMENT", "start_hand",
                  **room.terms("h", "anna", "cyril", table="t1") | cup)  # fmt: skip
    casino.fail("no time collection", "start_hand", **hand | cup | {"time_fee": 50_000})
    casino.fail("name the tournament", "start_hand",
                **room.terms("h", "anna", "bara", table="x1") | cup)  # fmt: skip
    stacks = {"stacks": {"anna": 1_000, "bara": 1_000}, "point_value": 100}
    face = {"round": "h", "seats": ["anna", "bara"], "button": "anna", "table": "q1"}
    casino.fail("is one of", "start_open_face", **face | stacks | cup)


def test_open_face_tournaments_have_hands_too(room: Room) -> None:
    started(room, "anna", "bara", game=OFC_TOURNAMENT, limit="")
    stacks = {"stacks": {"anna": 100_000, "bara": 100_000}, "point_value": 10_000}
    face = {"round": "h", "seats": ["anna", "bara"], "button": "anna", "table": "q1"}
    room.draw_seats("cup", "q1", "anna", "bara")
    _, hand, stack, _ = room.casino.do("start_open_face", **face | stacks, tournament="cup")
    assert (hand.fee, stack.tournament) == ("none", "cup")
    assert room.casino.account("anna").in_play == 100_000


def test_an_account_in_a_tournament_is_not_closed_and_sits_where_it_wants(room: Room) -> None:
    announced(room, "anna")
    casino = room.casino
    casino.do("take_seat", account="anna", table="r1")
    casino.do("request_cancellation", account="anna", ground="12(4)")
    casino.do("confirm_cancellation", account="anna", notice="n")
    casino.wait(minutes=17 * 24 * 60)
    casino.refuse("CLOSING_TOO_EARLY", "close_account", account="anna")


def draw(room: Room, account: str, seat: int, table: str, **more: Any) -> list[Any]:
    facts = {"tournament": "cup", "account": account, "seat": seat, "table": table}
    return room.casino.do("draw_seat", **facts, **more)


@pytest.mark.law("69GAMES operation, seats of a tournament")
def test_hands_are_played_where_seats_were_drawn(room: Room) -> None:
    casino = room.casino
    table = "t1"
    casino.open_table("t2", game=TOURNAMENT, place="casino", streamed=False)
    started(room)
    for seat, name in enumerate(NAMES, 1):
        (drawn,) = draw(room, name, seat, table)
        assert (drawn.seat, drawn.from_table, drawn.occasion) == (seat, "", "drawn")
    facts = {"tournament": "cup", "account": "dora", "seat": 1, "table": table}
    casino.refuse("SEAT_TAKEN", "draw_seat", **facts)
    casino.refuse("NOT_IN_TOURNAMENT", "draw_seat", **facts | {"account": "eva"})
    casino.fail("is one of sazka", "draw_seat", **facts | {"table": "r1"})
    (moved,) = draw(room, "dora", 1, "t2", occasion="balance")
    assert (moved.from_table, moved.occasion) == (table, "balance")
    with casino.as_reopened():
        hand = room.terms("h1", *NAMES, table=table, tournament="cup")
        casino.refuse("NOT_SEATED", "start_hand", **hand)
        casino.do("start_hand", **room.terms("h1", *NAMES[:3], table=table, tournament="cup"))


@pytest.mark.law("69GAMES operation, disqualification")
def test_who_is_disqualified_does_not_come_back(room: Room) -> None:
    started(room)
    (gone,) = out(room, "anna", disqualified_for="cards were passed under the table")
    assert gone.disqualified_for == "cards were passed under the table"
    (lost,) = out(room, "bara")
    assert lost.disqualified_for == ""
    facts = {"tournament": "cup", "kind": "re_entry", "amount": 100_000}
    room.casino.refuse("ENTRY_NOT_ALLOWED", "pay_tournament_entry", account="anna", **facts)
    room.casino.do("pay_tournament_entry", account="bara", **facts)


@pytest.mark.law("69GAMES tournament rules, kinds of tournament")
@pytest.mark.parametrize(
    ("limit", "least", "most"), [("no limit", 100, 9_000), ("pot limit", 50, 300), ("", 50, 9_000)]
)
def test_the_announced_limit_holds(room: Room, limit: str, least: int, most: int) -> None:
    """After a call all round there are 300 in the pot."""
    started(room, limit=limit)
    room.hand("h", table="t1", tournament="cup")
    room.blinds("h")
    room.act("h", "anna", "call", 100)
    room.act("h", "bara", "call", 50)
    room.act("h", "cyril", "check")
    room.deal("h", "board", *BOARD[:3])
    for refused in ({least - 1} if least == 100 else set()) | (
        {most + 1} if most == 300 else set()
    ):
        room.refuse("ACTION_NOT_ALLOWED", "h", "bara", "bet", refused)
    room.act("h", "bara", "bet", most)


@pytest.mark.law("69GAMES tournament rules, kinds of tournament")
def test_a_raise_in_pot_limit_is_at_most_the_pot_with_the_call(room: Room) -> None:
    started(room, limit="pot limit")
    room.hand("h", table="t1", tournament="cup")
    room.blinds("h")
    room.refuse("ACTION_NOT_ALLOWED", "h", "anna", "raise", 351)
    room.act("h", "anna", "raise", 350)


@pytest.mark.law("69GAMES tournament rules")
def test_the_first_hand_has_the_button_at_the_lowest_seat(room: Room) -> None:
    started(room)
    for name, seat in (("anna", 5), ("bara", 2), ("cyril", 4)):
        draw(room, name, seat, "t1")
    wrong = room.terms("h", "anna", "bara", "cyril", table="t1", tournament="cup")
    room.casino.refuse("HAND_NOT_ALLOWED", "start_hand", **wrong)
    right = room.terms("h", "bara", "cyril", "anna", table="t1", tournament="cup")
    room.casino.do("start_hand", **right)


@pytest.mark.law("69GAMES tournament rules, kinds of tournament")
def test_a_player_with_chips_hands_them_back_before_a_re_entry(room: Room) -> None:
    started(room)
    again = {"tournament": "cup", "kind": "re_entry", "amount": 100_000, "account": "anna"}
    room.casino.refuse("ENTRY_NOT_ALLOWED", "pay_tournament_entry", **again)
    back = {"tournament": "cup", "account": "anna", "chips": 5_000}
    room.casino.do("hand_back_chips", **back)
    room.casino.refuse("NOT_IN_TOURNAMENT", "hand_back_chips", **back)
    hand = room.terms("h", table="t1", tournament="cup")
    room.casino.refuse("NOT_IN_TOURNAMENT", "start_hand", **hand)
    room.casino.do("pay_tournament_entry", **again)
    room.casino.assert_cold_is_hot()
    room.casino.do("close_registration", tournament="cup")
    room.casino.refuse("ENTRY_NOT_ALLOWED", "hand_back_chips", **back)


@pytest.mark.law("69GAMES tournament rules, Chip race")
def test_a_chip_race_gives_each_player_one_higher_chip_at_most(room: Room) -> None:
    started(room)
    race = {"tournament": "cup", "table": "t1", "chip": 2_500, "higher": 10_000}
    odd = {"anna": 3, "bara": 1, "cyril": 2}
    room.casino.do("hold_chip_race", **race, odd=odd, won=["anna", "cyril"])
    for wrong in (["anna", "anna"], ["dora"], ["anna", "bara", "cyril"]):
        room.casino.refuse("CHIP_RACE_WRONG", "hold_chip_race", **race, odd=odd, won=wrong)
    other = race | {"higher": 6_000}
    room.casino.refuse("CHIP_RACE_WRONG", "hold_chip_race", **other, odd=odd, won=["anna"])
    out(room, "bara")
    room.casino.refuse("NOT_IN_TOURNAMENT", "hold_chip_race", **race, odd=odd, won=["anna"])


@pytest.mark.law("69GAMES tournament rules, kinds of tournament")
def test_a_rebuy_is_for_players_with_the_starting_stack_at_most(room: Room) -> None:
    started(room, "anna", "bara", format="unlimited_rebuys_addon", rebuy=50_000)
    entry = {"tournament": "cup", "account": "anna", "kind": "rebuy", "amount": 50_000}
    room.casino.fail("chips", "pay_tournament_entry", **entry)
    room.casino.refuse("ENTRY_NOT_ALLOWED", "pay_tournament_entry", **entry, chips=1_000_001)
    (paid,) = room.casino.do("pay_tournament_entry", **entry, chips=1_000_000)
    assert paid.chips == 1_000_000
    room.casino.fail("chips", "pay_tournament_entry", **entry | {"kind": "addon"}, chips=1)
