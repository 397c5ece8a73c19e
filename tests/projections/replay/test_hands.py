"""Hands among players in the projections: money, reconciliation, replay."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from ledger import games
from ledger.core.clock import MINUTE
from ledger.core.errors import InputError
from ledger.events import event_types as e
from projections.questions.accounts import account_story
from projections.questions.balances import all_balances, open_stakes, trial_balance
from projections.questions.report import day_report
from projections.questions.tournaments import list_tournaments, show_tournament
from projections.reconciliation.reconcile import examine, reconcile
from projections.replay.from_log import replay
from projections.replay.rounds import list_rounds
from tests.projections.hand_cases import NAMES, PokerRoom
from tests.projections.history_cases import Casino, House, project
from tests.projections.projection_cases import START, Chain
from tests.projections.shared_cases import ASIDE

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from projections.store.tables import Store


@pytest.fixture
def room(tmp_path: Path) -> Iterator[PokerRoom]:
    casino = Casino(tmp_path)
    yield PokerRoom(casino)
    casino.close()


def found(store: Store) -> list[tuple[str, str, int]]:
    found = [one for one in reconcile(store) if one.code != ASIDE]
    return [(one.code, one.account, one.amount) for one in found]


def wallets(store: Store) -> dict[str, int]:
    return {one.account: one.wallet for one in all_balances(store) if one.account}


def test_sound_hands_have_no_findings(room: PokerRoom, store: Store) -> None:
    room.play("h1")
    room.open_face("p1")
    room.start("h2", "b", "c", "a")
    room.casino.project(store)
    examined = examine(store)
    assert {one.code for one in examined.findings} <= {ASIDE}
    assert examined.bets == 6
    trial = trial_balance(store)
    assert trial.is_sound
    assert trial.totals["charges"] == 1_500 + 7_500
    assert trial.totals["in_play"] == 15_000
    assert trial.totals.get("game_result", 0) == 0


def test_wallets_are_those_of_the_write_side(room: PokerRoom, store: Store) -> None:
    room.play("h1")
    room.open_face("p1")
    room.start("h2")
    room.casino.project(store)
    ledger_state = room.casino.ledger._ledger_state
    assert wallets(store) == {name: ledger_state.account(name).wallet for name in NAMES}
    stakes = open_stakes(store)
    assert [(one.account, one.bet, one.amount) for one in stakes.stakes] == [
        ("b", "h2-2", 5_000), ("c", "h2-3", 10_000),
    ]  # fmt: skip


def test_a_wrong_pot_is_found_and_its_correction_seen(room: PokerRoom, store: Store) -> None:
    room.play("h1", payments=[{"account": "a", "amount": 20_000}, {"account": "b", "amount": 500}])
    room.casino.project(store)
    assert found(store) == [
        ("PAID_TOO_LITTLE", "a", 8_500),
        ("PAID_TOO_MUCH", "b", 500),
    ]
    room.casino.do("correct_win", round="h1", bet="h1-1", difference=8_500, cause="c")
    room.casino.do("correct_win", round="h1", bet="h1-2", difference=-500, cause="c")
    room.casino.project(store)
    examined = examine(store)
    assert {one.code for one in examined.findings} <= {ASIDE}
    assert [(one.account, one.paid, one.due) for one in examined.corrected] == [
        ("a", 28_500, 28_500), ("b", 0, 0),
    ]  # fmt: skip


@pytest.mark.law("69GAMES poker rules, Rake")
def test_wrong_rake_is_found(room: PokerRoom, store: Store) -> None:
    room.play("h1", rake=1_400)
    room.play("h2", rake=1_600)
    room.casino.project(store)
    of_rake = [one for one in found(store) if one[0] != "BUTTON_WRONG"]  # it stays in the room
    assert of_rake == [("RAKE_TOO_LITTLE", "", 100), ("RAKE_TOO_MUCH", "", 100)]


def test_wrong_points_money_is_found(room: PokerRoom, store: Store) -> None:
    room.open_face("p1", payments=[{"account": "c", "amount": 10_000}])
    room.casino.project(store)
    ((code, account, _),) = found(store)
    assert (code, account) == ("PAID_TOO_MUCH", "c")


def test_a_list_of_rounds_has_the_money_of_hands(room: PokerRoom, store: Store) -> None:
    room.play("h1")
    room.start("h2")
    room.casino.do("declare_misdeal", round="h2", ground="misdeal_extra_cards")
    room.casino.project(store)
    void, line = list_rounds(store, game="69games.texas_holdem_cash").rounds
    assert (line.bets, line.stakes, line.paid, line.house_result) == (3, 30_000, 28_500, 1_500)
    assert (line.status, void.status, void.stakes, void.bets) == ("settled", "voided", 0, 0)
    for name in ("h1", "h2"):
        assert replay(room.casino.log, name).round in (line, void)
    assert [one.round for one in list_rounds(store, account="a").rounds] == ["h1"]


def test_a_report_counts_the_rake_as_the_result_of_the_house(room: PokerRoom, store: Store) -> None:
    room.play("h1")
    room.open_face("p1")
    room.start("h2")
    room.casino.do("declare_misdeal", round="h2", ground="misdeal_extra_cards")
    room.casino.project(store)
    report = day_report(store)
    assert (report.bets, report.stakes) == (6, 30_000 + 600_000)
    assert [(one.game, one.bets, one.stakes, one.house_result) for one in report.games] == [
        ("69games.pineapple_ofc_cash", 3, 600_000, 7_500),
        ("69games.texas_holdem_cash", 3, 30_000, 1_500),
    ]  # fmt: skip


def test_replay_shows_cards_streets_pots_and_rake(room: PokerRoom, store: Store) -> None:
    room.play("h1")
    room.casino.project(store)
    shown = replay(room.casino.log, "h1")
    hand: Any = shown.among_players
    assert shown.findings == ()
    assert hand.board == ("2C", "7D", "9H", "JS", "3D")
    seats = [(one.account, one.cards, one.stake, one.due, one.due_again) for one in hand.players]
    assert seats == [
        ("a", ("AS", "AD"), 10_000, 28_500, 28_500),
        ("b", ("KS", "KD"), 10_000, 0, 0),
        ("c", ("QS", "QD"), 10_000, 0, 0),
    ]  # fmt: skip
    assert hand.streets[0].actions == (
        "b post 50.00", "c post 100.00", "a call 100.00", "b call 100.00", "c check",
    )  # fmt: skip
    assert [street.cards for street in hand.streets] == [
        (), ("2C", "7D", "9H"), ("JS",), ("3D",),
    ]  # fmt: skip
    explained = [one.explanation for one in hand.players]
    assert [one.amount for one in explained] == [28_500, 0, 0]
    assert [one.reason for one in explained] == ["pots_won", "no_pot", "no_pot"]
    assert explained[0].terms == (games.PotShare(28_500, 0, 30_000, 1_500, 1, 0),)
    (pot,) = hand.pots
    assert (pot.winners, pot.winners_again, hand.rake, hand.rake_again) == (
        ("a",), ("a",), 1_500, 1_500,
    )  # fmt: skip


def test_replay_shows_rows_and_points_of_open_face(room: PokerRoom, store: Store) -> None:
    room.open_face("p1")
    room.casino.project(store)
    hand: Any = replay(room.casino.log, "p1").among_players
    assert hand.players[2].rows[-1] == "foul"
    assert all(one.explanation.amount == one.due_again for one in hand.players)
    assert hand.players[0].explanation.facts.fouled == ("c",)
    assert hand.players[0].rows[-1] == "royalties 7, Fantasyland with 14 cards"
    assert [(one.pair, one.points == one.points_again) for one in hand.pairs] == [
        ("b|c", True), ("b|a", True), ("c|a", True),
    ]  # fmt: skip


def test_a_tournament_is_told_with_its_money(room: PokerRoom, store: Store) -> None:
    room.casino.do("deposit", account="a", deposit="more", amount=1, method="bank")
    room.tournament()
    room.casino.project(store)
    assert found(store) == []
    trial = trial_balance(store)
    assert trial.is_sound
    assert (trial.totals["charges"], trial.totals["game_result"]) == (30_000, -230_000)
    assert not trial.totals.get("prize_pool")
    assert not open_stakes(store).stakes
    ledger_state = room.casino.ledger._ledger_state
    assert wallets(store) == {name: ledger_state.account(name).wallet for name in NAMES}
    (line,) = list_tournaments(store)
    assert (line.status, line.entries, line.prize_pool) == ("ended", 3, 500_000)
    shown = show_tournament(store, "cup")
    assert (shown.hands, shown.places, shown.findings) == (1, (("a",), ("b",), ("c",)), ())
    assert [(one.place, one.account, one.due_again, one.paid) for one in shown.prizes] == [
        (1, "a", 500_000, 500_000),
    ]  # fmt: skip
    first: Any = shown.prizes[0].explanation
    assert (first.amount, first.facts.place, first.facts.top_up) == (500_000, 1, 230_000)
    hand: Any = replay(room.casino.log, "t")
    assert hand.among_players.tournament == "cup"
    assert (hand.round.stakes, hand.round.bets) == (0, 0)
    with pytest.raises(InputError, match="unknown below position"):
        show_tournament(store, "none")


def test_a_wrong_prize_and_an_entry_that_is_open_are_seen(room: PokerRoom, store: Store) -> None:
    room.tournament(a=1)
    room.casino.project(store)
    assert found(store) == [("PRIZE_TOO_LITTLE", "a", 499_999)]
    before = next(
        fact.position for fact in account_story(store, room.casino.log, "a").facts
        if fact.event == "TournamentEntryPaid"
    )  # fmt: skip
    stakes = open_stakes(store, account="a", at=before + 1).stakes
    assert [(one.bet, one.kind, one.amount) for one in stakes] == [
        ("tournament:cup", "in_play", 100_000),
    ]  # fmt: skip


def test_money_that_should_have_been_refused_is_found(store: Store, chain: Chain) -> None:
    house = House(chain)
    house.account("a")
    panic = e.PanicButtonPressed(account="a", until=START + 100 * MINUTE, channel="c")
    house.at(10, panic)
    house.at(20, acted("h-1", 5_000), acted("h-1", 2_000))
    house.at(30, acted("t-1", 5_000, tournament="cup"))
    house.at(40, e.LoggedOut(session="s-a", account="a", cause="user"))
    house.at(6_000, paid_in())
    project(chain, store)
    assert [(one.code, one.bet) for one in reconcile(store) if one.code.startswith("BET_")] == [
        ("BET_WHILE_PANIC", "h-1"),
        ("BET_NOT_LOGGED_IN", "cup-1"),
    ]


def acted(bet: str, amount: int, *, tournament: str = "") -> e.HandAction:
    return e.HandAction(
        round=bet.partition("-")[0], table="x", tournament=tournament, bet=bet, account="a",
        street="preflop", action="call", amount=amount, total=amount, in_hand=amount,
        all_in=False, by="player", asked_at=0, until=0,
    )  # fmt: skip


def paid_in() -> e.TournamentEntryPaid:
    return e.TournamentEntryPaid(
        tournament="cup", entry="cup-1", account="a", kind="buy_in", amount=1_000, chips=0
    )
