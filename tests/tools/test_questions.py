from __future__ import annotations

import json
from csv import DictReader
from datetime import datetime
from typing import TYPE_CHECKING, Any

import pytest

from ledger.core.clock import from_datetime
from tests.tools.cli_cases import run, run_here
from tools.data import tables

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
    with tables.keep_tables_open(data / "projection"):
        yield data, json.loads(done.stdout)


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


def test_open_duties_are_listed_overdue_ones_first(
    evening: tuple[Path, dict[str, Any]],
) -> None:
    """The complaint of the evening was open when it was filed."""
    data, _ = evening
    (case,) = _ask(data, "complaint", "list", "--all")["cases"]
    at = str(case["position"] + 1)
    (duty,) = _ask(data, "duty", "list", "--code", "COMPLAINT_OVERDUE", "--at", at)["duties"]
    assert (duty["account"], duty["subject"]) == (case["account"], case["case"])
    assert (duty["until"], duty["is_overdue"]) == (case["answer_until"], False)
    assert "Decide the complaint" in run_here("duty", "list", "--at", at, data=data).stdout
    everything = _ask(data, "duty", "list", "--at", at)["duties"]
    assert [one["until"] for one in everything] == sorted(one["until"] for one in everything)
    assert _ask(data, "duty", "list", "--at", at, "--limit", "1")["duties"] == everything[:1]
    whole = _ask(data, "duty", "list", "--now", "2026-12-24T12:00")["duties"]
    written = run_here("duty", "list", "--now", "2026-12-24T12:00", "--csv", data=data).stdout
    assert {one["is_overdue"] for one in whole} >= {True}
    assert [
        (from_datetime(datetime.fromisoformat(row["until (Prague)"])), row["overdue"] == "yes")
        for row in DictReader(written.splitlines())
    ] == [(one["until"], one["is_overdue"]) for one in whole]
    assert run_here("duty", "list", "--code", "nothing", data=data).returncode == 2
    assert run_here("duty", "list", "--account", "nobody", data=data).returncode == 2


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
