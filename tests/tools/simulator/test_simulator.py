from __future__ import annotations

import json
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from ledger import games
from ledger.core.clock import SECOND, day_of
from ledger.core.errors import InputError
from ledger.events import event_types as e
from ledger.events.encoding import decode
from ledger.log.index.tag_index import message_of
from ledger.log.memory import MemoryLog
from ledger.log.port import Query
from ledger.log.sqlite import SqliteLog
from ledger.verification.verify import verify
from tests.tools.cli_cases import run as run_program
from tools.simulator import ALL, START, Summary, chosen, create, run

if TYPE_CHECKING:
    from pathlib import Path

EXPECTED = {
    "BET_AFTER_CLOSE", "BREAK_REQUIRED", "CANCELLATION_RUNS", "CASH_LIMIT", "DOCUMENT_NOT_SHOWN",
    "EXCLUDED", "IDENTITY_NOT_VERIFIED", "LISTED_IN_REGISTER", "MEASURE_LOGINS",
    "MEASURE_LOGIN_TIME", "MEASURE_LOSS_DAY", "MEASURE_LOSS_MONTH", "MEASURE_PAUSE",
    "MEASURE_STAKES_DAY", "MEASURE_STAKES_MONTH", "METHOD_NOT_REGISTERED", "NOT_LOGGED_IN",
    "OTHER_TABLE", "OWNERSHIP_NOT_PROVED", "PANIC_BLOCK", "PLAN_NOT_ACCEPTED", "SECOND_ACCOUNT",
    "TABLE_SUSPENDED", "UNDER_AGE",
}  # fmt: skip
HAPPENED = (
    e.SpinDeclaredInvalid, e.RoundVoided, e.WinCorrected, e.PanicButtonReported, e.BetReturned,
    e.BetWithdrawn, e.PlayerDisconnected, e.PlayerReconnected, e.TableResumed, e.FeeReturned,
    e.DepositReturned, e.WithdrawalPaid, e.CancellationConfirmed, e.CancellationWithdrawn,
    e.ComplaintDecided, e.BreakImposed, e.ExclusionEnded, e.AccountStatement, e.CheckpointSigned,
)  # fmt: skip


class Evening(NamedTuple):
    log: MemoryLog
    summary: Summary
    found: list[tuple[int, e.Event]]


def _play(
    folder: Path, seed: int, hours: float, players: int = 30, tables: int = 2, **more: Any
) -> Evening:
    log = MemoryLog()
    ledger = create(log, folder / f"keys-{seed}", seed=seed)
    summary = run(ledger, seed=seed, hours=hours, players=players, tables=tables, **more)
    messages = [message for _, message in log.read()]
    verify(log.read())
    ledger.close()
    recorded = [decode(message) for message in messages]
    found = [(one.envelope.recorded_at, one.event) for one in recorded]
    copy = MemoryLog()
    copy.append(log._messages)
    return Evening(copy, summary, found)


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Evening:
    return _play(tmp_path_factory.mktemp("evening"), seed=2, hours=3.2)


def test_the_same_seed_gives_the_same_chain_to_the_last_hash(tmp_path: Path) -> None:
    first = _play(tmp_path / "a", seed=5, hours=0.2)
    second = _play(tmp_path / "b", seed=5, hours=0.2)
    other = _play(tmp_path / "c", seed=6, hours=0.2)
    assert first.summary == second.summary
    assert first.summary.head != other.summary.head


def test_the_same_seed_deals_the_same_cards_in_every_game(tmp_path: Path) -> None:
    first, second = (
        _play(tmp_path / name, seed=5, hours=0.1, players=40, tables=0, dealt=ALL)
        for name in ("a", "b")
    )
    assert first.summary == second.summary


def test_every_incident_happens_and_is_refused_where_it_must_be(evening: Evening) -> None:
    assert evening.summary.refusals.keys() >= EXPECTED
    types = {type(event) for _, event in evening.found}
    assert types >= set(HAPPENED)


def test_refusals_that_mean_a_mistake_of_the_simulator_do_not_happen(evening: Evening) -> None:
    unexpected = {"WRONG_ORDER", "NOT_SEATED", "MEASURES_MISSING", "DISCONNECTED", "ROUND_RUNNING"}
    assert not unexpected & evening.summary.refusals.keys()


def test_bets_of_all_kinds_are_placed(evening: Evening) -> None:
    codes = {event.bet_code for _, event in evening.found if isinstance(event, e.BetPlaced)}
    announced = {"neighbours", "voisins", "tiers", "orphelins", "finales_plein", "complete"}
    assert codes >= announced | {"straight", "corner", "red", "dozen", "column"}


def test_the_books_of_every_account_are_closed_in_the_morning(evening: Evening) -> None:
    opened = {event.account for _, event in evening.found if isinstance(event, e.AccountOpened)}
    closed = {event.account for _, event in evening.found if isinstance(event, e.AccountStatement)}
    assert closed == opened
    last, _ = evening.found[-1]
    assert day_of(last) > day_of(START)


def test_chips_on_the_table_come_back_after_the_panic_button(evening: Evening) -> None:
    account = evening.summary.notable["panic_account"]
    returned = [
        event
        for _, event in evening.found
        if isinstance(event, e.BetReturned) and event.cause == "panic"
    ]
    assert returned
    assert {event.account for event in returned} == {account}


def test_rounds_last_as_long_as_in_a_studio(evening: Evening) -> None:
    first = [
        moment
        for moment, event in evening.found
        if isinstance(event, e.RoundOpened) and event.table == "evo-1"
    ]
    lengths = [(after - before) // SECOND for before, after in pairwise(first)]
    usual = sorted(lengths)[len(lengths) // 2]
    assert 40 <= usual <= 50


def test_a_number_of_events_is_reached_over_several_evenings(tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    log = MemoryLog()
    ledger = create(log, tmp_path / "keys", seed=2)
    summary = run(
        ledger,
        seed=2,
        hours=0.1,
        players=12,
        tables=1,
        events_max=4_000,
        progress=lambda done, total: told.append((done, total)),
    )
    days = {
        event.gaming_day
        for position in log.find(Query(types=("AccountStatement",)))
        for _, message in log.read(position, position + 1)
        for event in [decode(message).event]
        if isinstance(event, e.AccountStatement)
    }
    ledger.close()
    assert 4_000 <= summary.events < 6_000
    assert len(days) > 1
    assert told[-1][1] == 4_000


@pytest.fixture(scope="module")
def all_games(tmp_path_factory: pytest.TempPathFactory) -> Evening:
    """Half an hour of every game against the house."""
    return _play(tmp_path_factory.mktemp("all"), seed=2, hours=0.5, players=75, tables=0, dealt=ALL)


def test_every_game_against_the_house_is_dealt(all_games: Evening) -> None:
    opened = {event.game for _, event in all_games.found if isinstance(event, e.RoundOpened)}
    assert opened == {one.game for one in ALL}
    among_players = {"texas", "omaha", "pineapple"}
    rest = {name for name in games.games() if name.partition(".")[2].split("_")[0] in among_players}
    assert opened | rest == set(games.games())
    game_of = {
        event.round: event.game for _, event in all_games.found if isinstance(event, e.RoundOpened)
    }
    settled = {
        game_of[event.round] for _, event in all_games.found if isinstance(event, e.BetSettled)
    }
    assert settled == opened


def test_rounds_of_cards_have_what_happens_in_a_studio(all_games: Evening) -> None:
    types = {type(event) for _, event in all_games.found}
    assert types >= {
        e.ShoeLoaded, e.CardDealt, e.CardRevealed, e.CardRecordCorrected, e.PlayerDecided,
        e.RoundReconstructed, e.RoundVoided, e.WheelStopped, e.ContradictionRecorded,
        e.DeviceInspected, e.RecordingKept, e.PayoutReleased, e.RulingGiven, e.FaultAnnounced,
    }  # fmt: skip
    decisions = [event for _, event in all_games.found if isinstance(event, e.PlayerDecided)]
    assert {made.decision for made in decisions} >= {
        "hit", "stand", "double", "split", "insurance", "call", "fold", "check", "raise",
    }  # fmt: skip
    assert {made.by for made in decisions} >= {"player", "timeout"}
    raises = [event for _, event in all_games.found if isinstance(event, e.BetPlaced)]
    codes = {event.bet_code for event in raises if event.parent}
    assert codes >= {"double", "split", "insurance", "call", "play", "free_double"}
    grounds = {event.ground for _, event in all_games.found if isinstance(event, e.RoundVoided)}
    assert grounds & {"hole_card_exposed_early", "hidden_card_exposed"}


def test_the_ledger_refuses_nothing_that_the_dealer_does(all_games: Evening) -> None:
    commands = {
        (event.command, event.code)
        for _, event in all_games.found
        if isinstance(event, e.CommandRefused)
    }
    assert {name for name, _ in commands} <= {"register_payment_method", "take_seat"}
    refused = [event for _, event in all_games.found if isinstance(event, e.BetRefused)]
    assert not [event for event in refused if event.code == "DECISION_NOT_ALLOWED"]


def test_all_games_reconcile_but_for_the_payment_that_nobody_saw(
    all_games: Evening, tmp_path: Path
) -> None:
    log = SqliteLog(tmp_path, writable=True)
    log.append([message_of(*item) for item in all_games.log.read()])
    log.close()
    found = json.loads(run_program("reconcile", "--json", data=tmp_path).stdout)
    (one,) = found["findings"]
    assert (one["code"], one["round"]) == (
        "PAID_TOO_LITTLE",
        all_games.summary.notable["wrong_payment_round"],
    )
    assert found["bets"] > 1_500


def test_a_game_that_is_not_dealt_is_named() -> None:
    with pytest.raises(InputError, match="deals no 'whist'"):
        chosen(["all", "whist"])
