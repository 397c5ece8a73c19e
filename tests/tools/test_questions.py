from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest
from cli_cases import run, run_here

from ledger.core.clock import DAY, SystemClock
from ledger.decisions.accounts.cancellation import (
    CloseAccount,
    ConfirmCancellation,
    RequestCancellation,
)
from ledger.decisions.decider import read_command
from ledger.decisions.operator.setup import ListGame, PublishRules
from tools.data import DataDirectory, tables

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture(scope="module")
def evening(
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[tuple[Path, dict[str, Any]]]:
    data = tmp_path_factory.mktemp("evening") / "data"
    done = run(
        "simulate", "--hours", "0.6", "--players", "20", "--tables", "2", "--json", data=data
    )
    assert done.returncode == 0, done.stderr
    with tables.kept(data / "projection"):
        yield data, json.loads(done.stdout)


def _ask_apart(data: Path, *arguments: str) -> Any:
    """Ask in a process of its own: in this one the engine is open for the tables of the file."""
    done = run(*arguments, "--json", data=data)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def _ask(data: Path, *arguments: str, code: int = 0) -> Any:
    done = run_here(*arguments, "--json", data=data)
    assert done.returncode == code, done.stderr
    return json.loads(done.stdout)


def test_balances_sum_to_zero_and_agree_with_each_account(
    evening: tuple[Path, dict[str, Any]],
) -> None:
    data, summary = evening
    found = _ask(data, "balances")
    assert found["position"] == summary["size"]
    assert found["trial_balance"]["total"] == 0
    account = summary["notable"]["night_owl_account"]
    one = _ask(data, "balance", account)["balance"]
    assert one in found["balances"]
    assert _ask(data, "balance", account, "--at", str(summary["size"]))["balance"] == one
    assert run_here("balance", "nobody", data=data).returncode == 2


def test_a_balance_is_that_of_its_position(evening: tuple[Path, dict[str, Any]]) -> None:
    data, summary = evening
    account = summary["notable"]["night_owl_account"]
    arguments = ("--type", "DepositCredited", "--account", account, "--limit", "1", "--json")
    deposit = json.loads(run_here("log", "show", *arguments, data=data).stdout)
    before = _ask(data, "balance", account, "--at", str(deposit["position"]))["balance"]
    after = _ask(data, "balance", account, "--at", str(deposit["position"] + 1))["balance"]
    assert (before["wallet"], after["wallet"]) == (0, deposit["facts"]["amount"])


def test_reconciliation_finds_the_wrong_payment_and_nothing_else(
    evening: tuple[Path, dict[str, Any]],
) -> None:
    data, summary = evening
    found = _ask(data, "reconcile", code=1)
    (finding,) = found["findings"]
    assert finding["code"] == "PAID_TOO_LITTLE"
    assert finding["round"] == summary["notable"]["wrong_payment_round"]
    assert {one["round"] for one in found["corrected"]} == {summary["notable"]["corrected_round"]}
    replayed = _ask(data, "round", "replay", finding["round"], code=1)
    assert replayed["findings"] == [finding]


def test_a_replay_tells_everything_of_a_round(evening: tuple[Path, dict[str, Any]]) -> None:
    data, summary = evening
    name = summary["notable"]["panic_round"]
    done = run_here("round", "replay", name, data=data)
    assert done.returncode == 0, done.stderr
    for text in ("panic", "PANIC_BLOCK", "due again", "What was paid is what is due", name):
        assert text in done.stdout
    assert run_here("round", "replay", "none", data=data).returncode == 2


def test_rounds_are_listed_in_pages(evening: tuple[Path, dict[str, Any]]) -> None:
    data, summary = evening
    first = _ask(data, "round", "list", "--limit", "5")
    second = _ask(data, "round", "list", "--limit", "5", "--before", str(first["before"]))
    names = [one["round"] for page in (first, second) for one in page["rounds"]]
    assert len(set(names)) == 10
    (voided,) = _ask(data, "round", "list", "--status", "voided")["rounds"]
    assert voided["round"] == summary["notable"]["voided_round"]


def test_play_time_finds_no_bet_in_a_break(evening: tuple[Path, dict[str, Any]]) -> None:
    data, summary = evening
    assert _ask(data, "play-time")["violations"]["violations"] == []
    account = summary["notable"]["night_owl_account"]
    (sequence,) = _ask(data, "play-time", account)["play"]["sequences"]
    assert sequence["account"] == account


def test_an_account_is_shown_without_personal_data_unless_asked(
    evening: tuple[Path, dict[str, Any]],
) -> None:
    data, summary = evening
    account = summary["notable"]["panic_account"]
    closed = run_here("account", "show", account, data=data)
    opened = run_here("account", "show", account, "--personal", data=data)
    assert "example.org" not in closed.stdout
    assert "example.org" in opened.stdout
    assert "panic" in closed.stdout


def test_complaints_are_listed_and_shown_with_their_answers(
    evening: tuple[Path, dict[str, Any]],
) -> None:
    data, summary = evening
    (case,) = _ask(data, "complaint", "list", "--all")["cases"]
    assert (case["account"], case["status"]) == (
        summary["notable"]["complaint_account"],
        "dismissed",
    )
    assert _ask(data, "complaint", "show", case["case"])["cases"] == [case]
    shown = run_here("complaint", "show", case["case"], data=data).stdout
    assert case["answer"] in shown
    assert "SAZKA 16; act 634/1992 § 19(3)" in shown
    assert "No case is open." in run_here("complaint", "list", data=data).stdout
    filed = _ask(data, "complaint", "list", "--at", str(case["position"] + 1))
    assert [one["status"] for one in filed["cases"]] == ["open"]
    assert len(_ask(data, "complaint", "list", "--all", "--limit", "1")["cases"]) == 1
    assert run_here("complaint", "show", "nothing", data=data).returncode == 2


def test_a_rebuild_gives_the_same_answers(evening: tuple[Path, dict[str, Any]]) -> None:
    data, summary = evening
    before = _ask(data, "balances")
    assert _ask(data, "rebuild")["position"] == summary["size"]
    assert _ask(data, "project")["projected"] == 0
    assert _ask(data, "balances") == before


def test_simulate_leaves_a_chain_alone(evening: tuple[Path, dict[str, Any]]) -> None:
    data, summary = evening
    done = run_here("simulate", data=data)
    assert done.returncode == 2
    assert _ask(data, "log", "verify")["head"] == summary["head"]


def test_an_erased_person_is_nowhere_and_every_hash_is_valid(tmp_path: Path) -> None:
    class Past:
        now_ = SystemClock().now() - 11 * 366 * DAY

        def now(self) -> int:
            self.now_ += 1
            return self.now_

    clock = Past()
    data = DataDirectory(tmp_path / "data")
    version, game = "2025-01-21", "sazka.roulette_evolution"
    form = {"register": "clear", "verified_how": "x", "plan_version": version}
    in_force = datetime(2010, 1, 21, tzinfo=UTC)
    with data.create(operator="1", operator_name="T", chain="t", clock=clock) as ledger:
        ledger.execute(ListGame(game=game, name="Roulette"))
        ledger.execute(PublishRules(game=game, plan_version=version, effective_from=in_force))
        for account in ("a-9", "c-9", "b-9"):
            person = {"identity": account, "name": "Erasable Name", "birth_date": "1980-01-01"}
            facts = {"command": "open_account", "account": account, **person, **form}
            ledger.execute(read_command(json.dumps(facts)))
            if account == "b-9":
                early = run("person", "erase", "a-9", data=data.path)
                assert early.returncode == 4
                clock.now_ = SystemClock().now() - 40 * DAY
            ledger.execute(RequestCancellation(account=account, ground="12(4)"))
            ledger.execute(ConfirmCancellation(account=account, notice="sent"))
            clock.now_ += 20 * DAY
            ledger.execute(CloseAccount(account=account))
    refused = run("person", "erase", "b-9", data=data.path)
    assert refused.returncode == 5
    assert "must be kept up to and including" in refused.stderr
    assert run("account", "show", "a-9", "--personal", data=data.path).stdout.count("Erasable")
    asked = ("--by", "Court", "--reason", "Action", "--json")
    placing = ("hold", "place", "h1", "--account", "a-9", "--reference", "12 C 3/26", *asked)
    for more in (("--dry-run",), ()):
        assert run(*placing, *more, data=data.path).returncode == 0
    held = run("person", "erase", "a-9", data=data.path)
    assert held.returncode == 5
    assert "Hold h1 keeps the person's data" in held.stderr
    for question in (("account", "show", "a-9"), ("hold", "list")):
        assert "12 C 3/26" in run(*question, data=data.path).stdout
    assert run("hold", "end", "h1", *asked, data=data.path).returncode == 0
    assert run("person", "erase", "a-9", "--dry-run", data=data.path).returncode == 0
    due = _ask_apart(data.path, "retention", "show")["persons"]
    assert [one["account"] for one in due] == ["a-9", "c-9"]
    done = run("person", "erase", "a-9", data=data.path)
    assert done.returncode == 0, done.stderr
    assert _ask_apart(data.path, "retention", "carry-out", "--dry-run")["erased"] == ["c-9"]
    assert _ask_apart(data.path, "retention", "carry-out") == {"erased": ["c-9"], "kept": {}}
    assert _ask_apart(data.path, "retention", "carry-out")["erased"] == []
    (kept,) = _ask_apart(data.path, "retention", "show", "--all")["persons"]
    assert (kept["account"], kept["due_since"]) == ("b-9", None)
    assert kept["asked_at"] is not None
    for account in ("a-9", "c-9"):
        shown = run("account", "show", account, "--personal", data=data.path).stdout
        assert "Erasable" not in shown
        assert "(erased)" in shown
    assert "Erasable" in run("account", "show", "b-9", "--personal", data=data.path).stdout
    assert run("log", "verify", data=data.path).returncode == 0
    files = [file for file in data.path.rglob("*") if file.is_file()]
    assert not [file for file in files if b"Erasable" in file.read_bytes()]


def test_games_are_told_in_words(tmp_path: Path) -> None:
    assert "sazka.roulette_evolution" in run("games", "list", data=tmp_path).stdout
    shown = run("games", "show", "sazka.roulette_evolution", data=tmp_path)
    for text in ("35:1", "voisins", "SAZKA 14(3)", "finale"):
        assert text in shown.stdout
    assert run("games", "show", "chess", data=tmp_path).returncode == 2


def test_settle_answers_every_line(tmp_path: Path) -> None:
    request = {
        "id": "r-1",
        "game": "sazka.roulette_evolution",
        "wagers": [{"id": "1", "player": "p", "bet": "red", "stake": "10.00"}],
        "outcome": {"number": 1},
    }
    done = run("settle", data=tmp_path, lines=[request, "x"])
    first, second = map(json.loads, done.stdout.splitlines())
    assert "20.00" in json.dumps(first)
    assert "MALFORMED_REQUEST" in json.dumps(second)


def test_the_help_names_every_command(tmp_path: Path) -> None:
    done = run("--help", data=tmp_path)
    assert done.returncode == 0
    for name in ("init", "record", "play-time", "reconcile", "rebuild", "demo", "Exit codes"):
        assert name in done.stdout
    assert run("nothing", data=tmp_path).returncode == 2


def test_a_replay_of_cards_shows_hands_and_who_decided(tmp_path: Path) -> None:
    data = tmp_path / "cards"
    game = "sazka.infinite_blackjack"
    told = run("simulate", "--games", game, "--hours", "0.1", "--players", "9", "--json", data=data)
    assert told.returncode == 0, told.stderr
    listing = ("round", "list", "--limit", "50", "--status", "settled", "--json")
    rounds = json.loads(run(*listing, data=data).stdout)["rounds"]
    assert {line["game"] for line in rounds} == {game}
    name = max(rounds, key=lambda line: line["bets"])["round"]
    found = json.loads(run("round", "replay", name, "--json", data=data).stdout)
    dealer, *hands = found["hands"]
    assert (dealer["name"], f"dealer {dealer['words']}") == ("dealer", found["round"]["wording"])
    assert hands
    shown = run("round", "replay", name, data=data).stdout
    for title in ("Hands", "Decisions", "Bets, settled again", "SAZKA annex Infinite Blackjack 27"):
        assert title in shown
    assert any(suit in shown for suit in "♣♦♥♠")
    wrong = run("simulate", "--games", "whist", data=tmp_path / "none")
    assert wrong.returncode == 2
    assert "deals no 'whist'" in wrong.stderr
