"""Tournaments: payout table, prizes, ties, deals, guarantee, withdrawals, every refusal."""

from __future__ import annotations

from copy import deepcopy
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger import games
from ledger.games.tournament.plan import TournamentPlan
from tests.ledger.games.poker_cases import (
    TEXAS_TOURNAMENT,
    check_money,
    haler,
    payouts,
    results,
)
from tests.ledger.games.tournament_cases import (
    TOURNAMENTS,
    agreed,
    buy_ins,
    payment,
    prizes,
    tournament,
)
from tests.search import amount

if TYPE_CHECKING:
    from collections.abc import Callable

    from ledger.games.tournament.payouts import PayoutTable

COLUMNS = {
    "2-5": 1, "6-9": 2, "9-15": 3, "16-26": 4, "27-35": 5, "36-44": 6, "45-62": 7, "63-71": 8,
    "72-99": 9, "100-134": 12, "135-164": 15, "165-199": 18, "200-245": 24, "246-270": 27,
    "271-350": 36, "351-450": 45, "451-550": 54, "551-650": 63, "651-750": 72, "751-850": 81,
    "851-950": 90, "951-1050": 99,
}  # fmt: skip


def table(game: str = TEXAS_TOURNAMENT) -> PayoutTable:
    plan = games.plan(game)
    assert isinstance(plan, TournamentPlan)
    return plan.payouts


@pytest.mark.parametrize("game", TOURNAMENTS)
def test_every_column_has_its_places_and_adds_up(game: str) -> None:
    columns = table(game).columns
    assert {column.head: len(column.shares) for column in columns} == COLUMNS
    assert table(game) == table()
    for column in columns:
        assert sum(column.shares) == (10_002 if column.head == "951-1050" else 10_000)
        assert list(column.shares) == sorted(column.shares, reverse=True)
    for before, after in pairwise(columns[2:]):
        assert after.entries_min == before.entries_max + 1


@pytest.mark.parametrize(
    ("entries", "head"),
    [
        (2, "2-5"), (5, "2-5"), (6, "6-9"), (9, "6-9"), (10, "9-15"), (15, "9-15"), (16, "16-26"),
        (99, "72-99"), (100, "100-134"), (950, "851-950"), (951, "951-1050"), (1050, "951-1050"),
    ],
)  # fmt: skip
def test_the_column_of_so_many_entries(entries: int, head: str) -> None:
    assert table().column(entries).head == head


@pytest.mark.parametrize("entries", [0, 1, 1051])
def test_no_column(entries: int) -> None:
    with pytest.raises(games.SettlementError, match="ENTRIES_OUT_OF_TABLE"):
        table().column(entries)


@pytest.mark.parametrize("column", table().columns, ids=lambda column: column.head)
def test_every_column_pays_the_whole_pool(column: Any) -> None:
    entries, paid = column.entries_max, len(column.shares)
    request = tournament(buy_ins(entries, 7), *(f"p{n + 1}" for n in range(paid)))
    answer = games.settle(request)
    check_money(answer)
    assert (answer["entries"], answer["column"]) == (
        entries,
        column.head if entries != 9 else "6-9",
    )
    pool = haler(answer["prize_pool"])
    assert pool == entries * 700 - entries * 700 // 10
    lines = [haler(line["payout"]) for line in answer["wagers"]]
    assert sum(lines) == pool
    assert lines[1:paid] == [pool * share // 10_000 for share in column.shares[1:]]
    assert results(answer) == ["win"] * paid + ["lose"] * (entries - paid)


def test_the_first_place_of_the_largest_column_takes_what_is_left() -> None:
    request = tournament(buy_ins(1000, 10), *(f"p{n + 1}" for n in range(99)))
    assert prizes(request)["p1"] == games.format_amount(9000 * 1878 // 100)


def test_places_below_the_paid_ones_get_nothing() -> None:
    request = tournament(buy_ins(6), "p2", "p5", "p1", "p3 p4 p6")
    assert prizes(request) == {"p2": "3780.00", "p5": "1620.00"}


@pytest.mark.parametrize(
    ("percent", "fee"),
    [("5", "300.15"), ("15", "900.45"), ("7.5", "450.22"), ("10.125", "607.80"), ("5.0", "300.15")],
)
def test_the_fee_is_rounded_down(percent: str, fee: str) -> None:
    wagers = buy_ins(6)
    wagers[0]["stake"] = "1003.00"
    answer = games.settle(tournament(wagers, "p1", "p2", fee_percent=percent))
    assert (answer["moneypool"], answer["fee"]) == ("6003.00", fee)
    check_money(answer)


@pytest.mark.parametrize(
    ("guarantee", "top_up", "pool"),
    [
        ("10000.00", "4600.00", "10000.00"),
        ("5500.00", "100.00", "5500.00"),
        ("5400.00", "0.00", "5400.00"),
        ("0.00", "0.00", "5400.00"),
    ],
)
def test_the_operator_tops_up_to_the_guarantee(guarantee: str, top_up: str, pool: str) -> None:
    answer = games.settle(tournament(buy_ins(6), "p1", "p2", guarantee=guarantee))
    check_money(answer)
    assert (answer["fee"], answer["top_up"], answer["prize_pool"]) == ("600.00", top_up, pool)


def test_equals_share_and_the_first_named_gets_the_left_over_haler() -> None:
    request = tournament(buy_ins(10), "p1", "p2 p3")
    assert prizes(request) == {"p1": "4500.00", "p2": "2250.00", "p3": "2250.00"}
    three = tournament(buy_ins(10, 1001), "p3 p2 p1")
    assert prizes(three) == {"p1": "3003.00", "p2": "3003.00", "p3": "3003.00"}
    odd = tournament([*buy_ins(9), payment("p10") | {"stake": "1000.02"}], "p3 p2 p1")
    assert prizes(odd) == {"p1": "3000.00", "p2": "3000.00", "p3": "3000.02"}


def test_equals_at_the_last_paid_place_share_what_there_is() -> None:
    request = tournament(buy_ins(6), "p1", "p2 p3 p4")
    assert prizes(request) == dict.fromkeys(["p2", "p3", "p4"], "540.00") | {"p1": "3780.00"}


def test_places_that_nobody_can_take_go_to_the_first() -> None:
    wagers = [
        *buy_ins(2),
        *(payment("p1", "re_entry", number=n) for n in range(4)),
        *(payment("p2", "re_entry", number=n) for n in range(4)),
    ]
    request = tournament(wagers, "p2", "p1", format="re_entry")
    assert prizes(request) == {"p2": "6300.00", "p1": "2700.00"}
    together = tournament(wagers, "p2 p1", format="re_entry")
    assert prizes(together) == {"p2": "4500.00", "p1": "4500.00"}


def test_a_prize_is_booked_on_the_last_entry_and_rebuys_are_no_entries() -> None:
    wagers = [
        payment("p1"),
        payment("p1", "rebuy", 500, 1),
        payment("p2"),
        payment("p1", "rebuy", 500, 2),
        payment("p1", "addon", 2000),
    ]
    answer = games.settle(tournament(wagers, "p1", format="unlimited_rebuys_addon"))
    assert (answer["entries"], answer["moneypool"]) == (2, "5000.00")
    assert results(answer) == ["win", "lose", "lose", "lose", "lose"]
    assert payouts(answer)["buy_in-p1-1"] == "4500.00"
    again = [payment("p1", "re_entry", number=1), *buy_ins(2), payment("p1", "re_entry", number=2)]
    entered = games.settle(tournament(again, "p1", format="re_entry"))
    assert entered["entries"] == 4
    assert results(entered) == ["lose", "lose", "lose", "win"]


def test_who_withdraws_before_the_first_hand_was_never_there() -> None:
    wagers = [*buy_ins(7), payment("p7", "re_entry")]
    gone = [{"player": "p7", "hands_played": 0}]
    answer = games.settle(tournament(wagers, "p1", "p2", format="re_entry", withdrawn=gone))
    assert results(answer)[-2:] == ["void", "void"]
    assert (answer["entries"], answer["moneypool"]) == (6, "6000.00")
    assert answer["total_payout"] == "7400.00"
    assert answer["total_staked"] == "8000.00"
    check_money(answer)


def test_a_deal_takes_the_first_places() -> None:
    deal = agreed({"p1": 4000, "p2": 3200})
    request = tournament(buy_ins(10), "p3", deal=deal)
    assert prizes(request) == {"p1": "4000.00", "p2": "3200.00", "p3": "1800.00"}
    everything = tournament(buy_ins(10), deal=agreed({"p4": 9000, "p5": 0, "p6": 0, "p7": 0}))
    assert prizes(everything) == {"p4": "9000.00"}
    del everything["outcome"]["places"]
    assert prizes(everything) == {"p4": "9000.00"}


def test_a_part_of_a_deal_is_played_for() -> None:
    playout = {"percent": "5", "winner": "p2"}
    deal = agreed({"p1": 3640, "p2": 3200}, playout=playout)
    request = tournament(buy_ins(10), "p3", deal=deal)
    assert prizes(request) == {"p1": "3640.00", "p2": "3560.00", "p3": "1800.00"}


def test_a_deal_includes_the_places_that_nobody_can_take() -> None:
    wagers = [*buy_ins(2), *(payment("p1", "re_entry", number=n) for n in range(8))]
    deal = agreed({"p1": 5000, "p2": 4000})
    assert prizes(tournament(wagers, deal=deal, format="re_entry")) == {
        "p1": "5000.00",
        "p2": "4000.00",
    }


@st.composite
def tournaments(draw: st.DrawFn) -> dict[str, Any]:
    players = [f"p{n}" for n in range(draw(st.integers(2, 30)))]
    stakes = st.integers(1, 10**6).map(games.format_amount)
    wagers = [payment(player) | {"stake": draw(stakes)} for player in players]
    for n in range(draw(st.integers(0, 20))):
        again = payment(draw(st.sampled_from(players)), "re_entry", number=n)
        wagers.append(again | {"stake": draw(stakes)})
    ranked = draw(st.permutations(players))
    places, at = [], 0
    while at < len(ranked):
        size = draw(st.sampled_from([1, 1, 1, 2, 3]))
        places.append(" ".join(ranked[at : at + size]))
        at += size
    more = draw(st.fixed_dictionaries({}, optional={"guarantee": stakes}))
    return tournament(
        wagers,
        *places,
        game=draw(st.sampled_from(TOURNAMENTS)),
        format="re_entry",
        fee_percent=draw(st.sampled_from(["5", "7.25", "12", "15"])),
        **more,
    )


@settings(deadline=None, max_examples=amount(30, 120))
@given(tournaments())
def test_random_tournaments_agree_with_the_oracle(request_: dict[str, Any]) -> None:
    answer = games.settle(request_)
    check_money(answer)
    paid = {}
    for wager, line in zip(request_["wagers"], answer["wagers"], strict=True):
        paid[wager["player"]] = paid.get(wager["player"], 0) + haler(line["payout"])
    moneypool = sum(haler(wager["stake"]) for wager in request_["wagers"])
    fee = int(moneypool * Fraction(request_["outcome"]["fee_percent"]) / 100)
    pool = max(moneypool - fee, haler(request_["outcome"].get("guarantee", "0.00")))
    assert (haler(answer["fee"]), haler(answer["prize_pool"])) == (fee, pool)
    assert sum(paid.values()) == pool
    shares = next(
        column.shares
        for column in table().columns
        if column.entries_min <= len(request_["wagers"]) <= column.entries_max
    )
    of_place = {place: pool * share // 10_000 for place, share in enumerate(shares)}
    of_place[0] = pool - sum(of_place[place] for place in range(1, min(len(shares), len(paid))))
    place = 0
    for group in request_["outcome"]["places"]:
        whole = sum(of_place.get(place + n, 0) for n in range(len(group)))
        place += len(group)
        assert sum(paid[player] for player in group) == whole
        assert {paid[player] for player in group[1:]} <= {whole // len(group)}


MISTAKES: dict[str, Callable[[dict[str, Any]], object]] = {
    "UNKNOWN_BET": lambda r: r["wagers"][0].update(bet="main"),
    "INVALID_STAKE": lambda r: r["wagers"][0].update(stake="-1.00"),
    "DUPLICATE_WAGER": lambda r: r["wagers"].append(
        payment("p0", "re_entry") | {"id": r["wagers"][0]["id"]}
    ),
    "BET_AFTER_CLOSE": lambda r: r["wagers"][0].update(late=True),
    "ENTRY_NOT_ALLOWED": lambda r: r["wagers"].append(payment("p0", "addon")),
    "INVALID_VOID_REASON": lambda r: r["outcome"].update(void={"reason": "misdeal_extra_cards"}),
    "FEE_OUT_OF_RANGE": lambda r: r["outcome"].update(fee_percent="15.01"),
    "INVALID_OUTCOME": lambda r: r["outcome"].update(
        withdrawn=[{"player": "stranger", "hands_played": 0}]
    ),
    "REFUND_NOT_ALLOWED": lambda r: r["outcome"].update(
        withdrawn=[{"player": "p0", "hands_played": 1}]
    ),
    "PLACES_INVALID": lambda r: r["outcome"]["places"].append(["stranger"]),
    "OUTCOME_INCOMPLETE": lambda r: r["outcome"].update(places=[]),
    "DEAL_NOT_ALLOWED": lambda r: r["outcome"].update(
        deal={
            "registration_closed": True,
            "unanimous": False,
            "players": ["p0", "p1"],
            "shares": {"p0": "1.00", "p1": "1.00"},
        }
    ),
    "MALFORMED_REQUEST": lambda r: r["outcome"].update(format="bounty"),
    "ACTION_NOT_ALLOWED": lambda r: r.update(actions=[{"player": "p0", "type": "fold"}]),
}


@settings(deadline=None, max_examples=amount(20, 80))
@given(tournaments(), st.sampled_from(sorted(MISTAKES)))
def test_a_single_mistake_in_a_tournament_is_found(request_: dict[str, Any], code: str) -> None:
    wrong = deepcopy(request_)
    MISTAKES[code](wrong)
    answer = games.settle(wrong)
    assert answer.get("error", {}).get("code") == code, (answer, wrong)


@pytest.mark.parametrize("game", TOURNAMENTS)
def test_placing_and_describing(game: str) -> None:
    plan = games.plan(game)
    buy_in = games.Wager("w", "p1", "buy_in", 100)
    rebuy = games.Wager("v", "p1", "rebuy", 100)
    assert games.wager_problem(plan, buy_in) is None
    assert games.wager_problem(plan, rebuy, placed=[buy_in]) is None
    for wager, lying in [(rebuy, []), (buy_in, [buy_in])]:
        problem = games.wager_problem(plan, wager, placed=lying)
        assert problem is not None
        assert problem.code == "ENTRY_NOT_ALLOWED"
    chips = "stack" if "pineapple" in game else "pot"
    assert games.wager_problem(plan, games.Wager("w", "p1", chips, 100)) is None
    assert all(games.describe(plan, bet) for bet in ("buy_in", "re_entry", "addon", chips))
    assert games.table_problem(plan, games.TableLimits()) is None
    with pytest.raises(TypeError):
        games.settle_round(plan, [buy_in], (), games.Outcome())
